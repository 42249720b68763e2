"""The token stands in no line of the log, at any level and from whatever library (trap 1)."""

import logging
from collections.abc import Iterator

import httpx
import pytest
from telegram import Bot
from telegram.error import InvalidToken, TelegramError

from tgbot.logs import set_up_logging

SECRET = "AAF-the_secret_part_of_it"
TOKEN = f"123456:{SECRET}"
LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")
_TOUCHED = ("", "httpx", "httpcore", "tgbot.anything")


@pytest.fixture(autouse=True)
def _logging_as_it_was() -> Iterator[None]:
    """Tests of other modules find the loggers as they left them."""
    loggers = [logging.getLogger(name) for name in _TOUCHED]
    before = [(logger, logger.level, [*logger.handlers]) for logger in loggers]
    yield
    for logger, level, handlers in before:
        logger.setLevel(level)
        logger.handlers[:] = handlers


def raise_with(what: object) -> None:
    raise RuntimeError(what)


def log_exception(text: str) -> None:
    try:
        raise_with(f"cannot reach https://api.telegram.org/bot{TOKEN}/getMe")
    except RuntimeError:
        logging.getLogger("tgbot.anything").exception(text)


@pytest.mark.parametrize("level", LEVELS)
def test_a_line_shows_no_token_whatever_it_is_made_of(level: str, capsys: pytest.CaptureFixture[str]) -> None:
    set_up_logging(level, TOKEN)
    logger = logging.getLogger("tgbot.anything")
    for write in (logger.debug, logger.info, logger.warning, logger.error, logger.critical):
        write("in the text: %s" % TOKEN)  # noqa: UP031 - a text that was put together before it came here
        write("as an argument: %s", TOKEN)
        write("in an object: %r", {"token": [TOKEN]})
        write("by name: %(token)s", {"token": TOKEN})
        write("in a URL: %s", httpx.URL(f"https://api.telegram.org/bot{TOKEN}/getMe"))
        write("the secret part alone: %s", SECRET)
        write("escaped: %s", TOKEN.replace(":", "%3A"))
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 7 * (5 - LEVELS.index(level))
    assert all("<token>" in line for line in lines)
    assert SECRET not in "\n".join(lines)


@pytest.mark.parametrize("level", LEVELS)
def test_a_traceback_shows_no_token(level: str, capsys: pytest.CaptureFixture[str]) -> None:
    set_up_logging(level, TOKEN)
    log_exception(f"with {TOKEN}")
    shown = capsys.readouterr().err
    assert SECRET not in shown
    assert "RuntimeError: cannot reach https://api.telegram.org/bot<token>/getMe" in shown


def test_a_chain_of_exceptions_shows_no_token(capsys: pytest.CaptureFixture[str]) -> None:
    set_up_logging("INFO", TOKEN)
    try:
        try:
            raise_with(TOKEN)
        except RuntimeError as cause:
            raise InvalidToken(f"The token `{TOKEN}` was rejected by the server.") from cause
    except InvalidToken:
        logging.getLogger("tgbot.anything").error("two of them", exc_info=True)
    shown = capsys.readouterr().err
    assert SECRET not in shown
    assert "InvalidToken" in shown
    assert "RuntimeError: <token>" in shown


def test_every_handler_of_the_record_sees_it_without_the_token(capsys: pytest.CaptureFixture[str]) -> None:
    """The record itself is cleaned: what a second handler writes later is clean, too."""
    set_up_logging("INFO", TOKEN)
    second = logging.StreamHandler()
    logging.getLogger().addHandler(second)
    log_exception("once")
    shown = capsys.readouterr().err
    assert shown.count("once") == 2
    assert SECRET not in shown


async def test_httpx_is_not_heard_and_if_it_is_it_says_no_token(capsys: pytest.CaptureFixture[str]) -> None:
    set_up_logging("DEBUG", TOKEN)
    url = f"https://api.telegram.org/bot{TOKEN}/getMe"
    async with httpx.AsyncClient(transport=httpx.MockTransport(lambda _: httpx.Response(200, json={}))) as client:
        await client.get(url)
        assert capsys.readouterr().err == ""
        logging.getLogger("httpx").setLevel(logging.DEBUG)  # somebody wants to know more
        await client.get(url)
    shown = capsys.readouterr().err
    assert "HTTP Request: GET https://api.telegram.org/bot<token>/getMe" in shown
    assert SECRET not in shown


@pytest.mark.parametrize("level", LEVELS)
async def test_a_bot_that_cannot_reach_telegram_says_so_without_its_token(
    level: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """PTB's own lines and httpcore's, with everything switched on, against a port where nobody listens."""
    set_up_logging(level, TOKEN)
    for chatty in ("httpx", "httpcore", "telegram"):
        logging.getLogger(chatty).setLevel(level)
    with pytest.raises(TelegramError) as failed:
        async with Bot(TOKEN, base_url="http://127.0.0.1:9/bot"):
            pass
    logging.getLogger("tgbot.anything").error("stopped", exc_info=failed.value)
    shown = capsys.readouterr().err
    assert "stopped" in shown
    assert SECRET not in shown


@pytest.mark.parametrize("level", LEVELS)
async def test_the_webhooks_secret_is_in_no_line(level: str, capsys: pytest.CaptureFixture[str]) -> None:
    """PTB's own line of a call tells its parameters when everything is switched on."""
    set_up_logging(level, TOKEN, "sesame_of-the-door")
    logging.getLogger("telegram").setLevel(level)
    bot = Bot(TOKEN, base_url="http://127.0.0.1:9/bot")
    await bot.request.initialize()
    with pytest.raises(TelegramError):
        await bot.set_webhook("https://bot.example.org/", secret_token="sesame_of-the-door")
    await bot.request.shutdown()
    logging.getLogger("tgbot.anything").error("stopped by %s", "sesame_of-the-door")
    shown = capsys.readouterr().err
    assert "stopped by <secret>" in shown
    assert "sesame" not in shown
    assert ("secret_token" in shown) == (level == "DEBUG")


def test_what_has_no_token_is_left_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    set_up_logging("INFO", TOKEN)
    logging.getLogger("tgbot.anything").info("table %d of chat %s", 7, -100)
    assert capsys.readouterr().err.rstrip().endswith("INFO tgbot.anything: table 7 of chat -100")
