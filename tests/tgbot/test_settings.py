"""What the host decides: checked when the bot starts, and silent about its secrets (trap 1)."""

import traceback
from pathlib import Path

import pytest
from pydantic import ValidationError

from tgbot.settings import Settings

TOKEN = "123456:AAF-secret-part_of_the_token"
_NAMES = (
    *("TELEGRAM_BOT_TOKEN", "DATABASE_URL", "TELEGRAM_API_URL"),
    *("LOG_LEVEL", "GRACE_SECONDS", "GROUP_CALLS_A_MINUTE", "CALLS_A_SECOND"),
    *("WEBHOOK_URL", "WEBHOOK_SECRET", "LISTEN_HOST", "LISTEN_PORT"),
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
        "calls_a_second": 30,
        "webhook_url": None,
        "webhook_secret": None,
        "listen_host": "127.0.0.1",
        "listen_port": None,
    }
    assert settings.port is None  # nothing is served


# -- the webhook -------------------------------------------------------------------------------------


def test_a_webhook_is_served_at_8080_or_wherever_the_host_wants_it(monkeypatch: pytest.MonkeyPatch) -> None:
    given(monkeypatch, WEBHOOK_URL="https://bot.example.org/telegram", WEBHOOK_SECRET="Aa0_-")
    assert Settings().port == 8080
    monkeypatch.setenv("LISTEN_PORT", "9000")
    assert Settings().port == 9000
    monkeypatch.setenv("WEBHOOK_URL", "")
    monkeypatch.setenv("WEBHOOK_SECRET", "")
    settings = Settings()
    assert (settings.port, settings.webhook_url, settings.webhook_secret) == (9000, None, None)


@pytest.mark.parametrize("secret", [None, ""])
def test_a_webhook_without_a_secret_is_refused_with_the_way_to_one(
    secret: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    given(monkeypatch, WEBHOOK_URL="https://bot.example.org/telegram")
    if secret is not None:
        monkeypatch.setenv("WEBHOOK_SECRET", secret)
    (error,) = refusal().errors()
    assert error["loc"] == ("webhook_secret",)
    assert "openssl rand -hex 32" in error["msg"]


@pytest.mark.parametrize("secret", ["two words", "ż", "a" * 257, "semi;colon", "line\n"])
def test_a_secret_that_telegram_would_not_take_is_refused_and_not_shown(
    secret: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    given(monkeypatch, WEBHOOK_URL="https://bot.example.org/telegram", WEBHOOK_SECRET=secret)
    error = refusal()
    assert [problem["loc"] for problem in error.errors()] == [("webhook_secret",)]
    assert secret not in str(error)


@pytest.mark.parametrize(
    "url",
    [
        *("http://bot.example.org/telegram", "ftp://bot.example.org/", "bot.example.org/telegram", "https:///telegram"),
        *("https://bot.example.org/healthz", "https://bot.example.org/t?x=1", "https://bot.example.org/t#x"),
    ],
)
def test_an_address_to_which_nothing_can_be_delivered_is_refused(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    given(monkeypatch, WEBHOOK_URL=url, WEBHOOK_SECRET="sesame")
    assert [error["loc"] for error in refusal().errors()] == [("webhook_url",)]


@pytest.mark.parametrize(
    "url", ["https://bot.example.org", "https://bot.example.org:8443/a/b", "http://127.0.0.1:8080/x"]
)
def test_addresses_to_which_telegram_or_a_server_on_this_machine_delivers(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    given(monkeypatch, WEBHOOK_URL=url, WEBHOOK_SECRET="sesame")
    assert Settings().webhook_url == url


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
    "url", ["", "nonsense", "inbetween.db", "mysql://u:secret@host/x", "sqlite+pysqlcipher:///x", "://"]
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
        ("CALLS_A_SECOND", "4"),
        ("CALLS_A_SECOND", "100001"),
        ("GROUP_CALLS_A_MINUTE", "4"),
        ("GROUP_CALLS_A_MINUTE", "100001"),
        ("LISTEN_PORT", "0"),
        ("LISTEN_PORT", "65536"),
    ],
)
def test_settings_that_make_no_sense_are_refused(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    given(monkeypatch, **{name: value})
    assert [error["loc"] for error in refusal().errors()] == [(name.lower(),)]


def test_the_secrets_are_in_no_picture_of_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    given(monkeypatch, WEBHOOK_URL="https://bot.example.org/telegram", WEBHOOK_SECRET="sesame")
    settings = Settings()
    for picture in (repr(settings), str(settings), settings.model_dump_json(), f"{settings.model_dump()}"):
        assert "secret-part" not in picture
        assert "sesame" not in picture


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
