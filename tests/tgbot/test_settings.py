"""What the host decides: checked when the bot starts, and silent about its secrets (trap 1)."""

import traceback
from pathlib import Path

import pytest
from pydantic import ValidationError

from tgbot.settings import Settings

TOKEN = "123456:AAF-secret-part_of_the_token"
_NAMES = (
    *("TELEGRAM_BOT_TOKEN", "DATABASE_URL", "TELEGRAM_API_URL"),
    *("LOG_LEVEL", "GRACE_SECONDS", "GROUP_CALLS_A_MINUTE"),
)


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder without a file of settings, and an environment that knows nothing."""
    monkeypatch.chdir(tmp_path)
    for name in _NAMES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    return tmp_path


def given(monkeypatch: pytest.MonkeyPatch, **values: str) -> None:
    for name, value in {"TELEGRAM_BOT_TOKEN": TOKEN, **values}.items():
        monkeypatch.setenv(name, value)


def refusal() -> ValidationError:
    with pytest.raises(ValidationError) as refused:
        Settings()
    return refused.value


def test_a_token_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    given(monkeypatch)
    settings = Settings()
    assert settings.telegram_bot_token.get_secret_value() == TOKEN
    assert settings.model_dump(exclude={"telegram_bot_token"}) == {
        "database_url": "sqlite:///inbetween.db",
        "telegram_api_url": "https://api.telegram.org",
        "log_level": "INFO",
        "grace_seconds": 30,
        "group_calls_a_minute": 20,
    }


def test_a_file_beside_the_bot_is_read_and_the_environment_has_the_last_word(
    bare: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (bare / ".env").write_text(f"TELEGRAM_BOT_TOKEN={TOKEN}\nGRACE_SECONDS=5\nLOG_LEVEL=DEBUG\nSOMETHING_ELSE=1\n")
    monkeypatch.setenv("LOG_LEVEL", "ERROR")
    settings = Settings()
    assert settings.telegram_bot_token.get_secret_value() == TOKEN
    assert (settings.grace_seconds, settings.log_level) == (5, "ERROR")


def test_a_missing_token_is_named() -> None:
    assert [error["loc"] for error in refusal().errors()] == [("telegram_bot_token",)]


@pytest.mark.parametrize(
    "token", ["", "123456", "123456:", ":AAF-secret", "abc:AAF-secret", "１２３:AAF-secret", "-5:AAF-secret"]
)
def test_what_is_no_token_is_refused_with_the_way_to_one(token: str, monkeypatch: pytest.MonkeyPatch) -> None:
    given(monkeypatch, TELEGRAM_BOT_TOKEN=token)
    assert "@BotFather" in refusal().errors()[0]["msg"]


@pytest.mark.parametrize(
    "url", ["", "nonsense", "inbetween.db", "mysql://u:secret@host/x", "sqlite+pysqlite:///x", "://"]
)
def test_a_database_that_nobody_can_open_is_refused_when_the_bot_starts(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    given(monkeypatch, DATABASE_URL=url)
    assert [error["loc"] for error in refusal().errors()] == [("database_url",)]


@pytest.mark.parametrize(
    "url",
    [
        "sqlite:///x.db",
        "sqlite+aiosqlite:///x.db",
        "postgres://u:p@h/x",
        "postgresql://h/x",
        "postgresql+asyncpg://h/x",
    ],
)
def test_both_databases_are_known_by_their_usual_names(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    given(monkeypatch, DATABASE_URL=url)
    assert Settings().database_url == url


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("LOG_LEVEL", "LOUD"),
        ("GRACE_SECONDS", "-1"),
        ("GRACE_SECONDS", "soon"),
        ("GROUP_CALLS_A_MINUTE", "4"),
        ("GROUP_CALLS_A_MINUTE", "100001"),
    ],
)
def test_settings_that_make_no_sense_are_refused(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    given(monkeypatch, **{name: value})
    assert [error["loc"] for error in refusal().errors()] == [(name.lower(),)]


def test_the_token_is_in_no_picture_of_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    given(monkeypatch)
    settings = Settings()
    for picture in (repr(settings), str(settings), settings.model_dump_json(), f"{settings.model_dump()}"):
        assert "secret" not in picture.lower().replace("secretstr", "")


@pytest.mark.parametrize("token", ["AAF-secret-part", "123456-AAF-secret-part", "l23456:AAF-secret-part"])
def test_a_token_with_a_slip_of_the_pen_is_not_shown_in_the_error(token: str, monkeypatch: pytest.MonkeyPatch) -> None:
    given(monkeypatch, TELEGRAM_BOT_TOKEN=token)
    assert "secret" not in "".join(traceback.format_exception(refusal()))


def test_a_token_is_not_shown_when_another_setting_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    given(monkeypatch, LOG_LEVEL="LOUD")
    assert "secret" not in "".join(traceback.format_exception(refusal()))


def test_the_password_of_a_wrong_database_is_not_shown_in_the_error(monkeypatch: pytest.MonkeyPatch) -> None:
    given(monkeypatch, DATABASE_URL="mysql://bot:hunter2@host/tables")
    assert "hunter2" not in "".join(traceback.format_exception(refusal()))
