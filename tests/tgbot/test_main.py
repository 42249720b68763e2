"""The command line: what it says and with which status it ends."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from telegram.error import InvalidToken, NetworkError, RetryAfter

from persistence.locks import SecondProcessError
from tests.ports import free_port
from tgbot import __main__ as command
from tgbot.polling import StalledError, WebhookSetError
from tgbot.serving import CannotListenError, Server
from tgbot.settings import Settings
from tgbot.web import WebhookRefusedError


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A host who has set a token and nothing else."""
    monkeypatch.chdir(tmp_path)
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.setenv("TELEGRAM_BOT_TOKEN", "123456:ABC-DEF")
    monkeypatch.setattr(command, "set_up_logging", lambda *_: None)


async def run(*arguments: str) -> int:
    return await asyncio.to_thread(command.main, arguments)


# -- health ------------------------------------------------------------------------------------------


@pytest.fixture
async def port(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[int]:
    """Something that answers where the bot would."""

    async def health(_: object) -> PlainTextResponse:
        return PlainTextResponse('{"ok": true}', answers["status"])

    server = Server(Starlette(routes=[Route("/healthz", health)]))
    number = await server.start("127.0.0.1", 0)
    monkeypatch.setenv("LISTEN_PORT", str(number))
    yield number
    await server.stop()


answers = {"status": 200}


@pytest.mark.parametrize(("status", "exits"), [(200, 0), (503, 1), (404, 1)])
@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0", "localhost"])
async def test_health_tells_what_the_bot_tells(
    status: int, exits: int, host: str, port: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(answers, "status", status)
    monkeypatch.setenv("LISTEN_HOST", host)
    assert await run("health") == exits
    assert capsys.readouterr().out == '{"ok": true}\n'


async def test_a_bot_that_does_not_run_is_not_well(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LISTEN_PORT", str(free_port()))
    assert await run("health") == 1
    assert "/healthz: " in capsys.readouterr().err


async def test_a_bot_without_a_health_page_cannot_be_asked(capsys: pytest.CaptureFixture[str]) -> None:
    assert await run("health") == 2
    assert "set LISTEN_PORT" in capsys.readouterr().err


# -- run ---------------------------------------------------------------------------------------------


async def test_a_webhook_without_a_secret_is_refused_at_the_start(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("WEBHOOK_URL", "https://bot.example.org/telegram")
    assert await run("run") == 2
    assert "WEBHOOK_SECRET: " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (StalledError("stalled"), 1),
        (NetworkError("unreachable"), 1),
        (RetryAfter(3), 1),
        (ConnectionRefusedError("the database is away"), 1),
        (InvalidToken("unknown"), 2),
        (WebhookSetError("set"), 2),
        (WebhookRefusedError("refused"), 2),
        (SecondProcessError("second"), 2),
        (CannotListenError("taken"), 2),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else str(value),
)
async def test_a_supervisor_is_to_start_it_again_or_the_host_has_to_mend_something(
    error: Exception, status: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def serve(_: Settings) -> None:
        raise error

    monkeypatch.setattr(command, "serve", serve)
    assert await run("run") == status
    assert capsys.readouterr().err.strip()


async def test_the_bot_ends_when_nothing_but_a_new_start_helps(monkeypatch: pytest.MonkeyPatch) -> None:
    """It stops as cleanly as it does when it is told to."""
    left = []

    async def looking_after() -> None:
        raise StalledError("nothing but a new process helps")

    @asynccontextmanager
    async def running(*_: Any) -> AsyncIterator[asyncio.Task[None]]:
        try:
            yield asyncio.create_task(looking_after())
        finally:
            left.append(True)

    house = SimpleNamespace(
        app=SimpleNamespace(bot=SimpleNamespace(username="bot")),
        database=SimpleNamespace(engine=SimpleNamespace(url="")),
    )
    monkeypatch.setattr(command, "build", lambda _: house)
    monkeypatch.setattr(command, "running", running)
    with pytest.raises(StalledError):
        await command.serve(Settings())
    assert left == [True]
