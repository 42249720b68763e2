"""The demo: a local Telegram with four people and the bot in their group, on one page in the browser."""

import logging
import tempfile
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import httpx
from pydantic import SecretStr

from tgbot.application import build, running
from tgbot.logs import set_up_logging
from tgbot.playground.server import Playground
from tgbot.settings import Settings

_PEOPLE = (("Ada", "en"), ("Bo", "en"), ("Cem", "en"), ("Ola", "pl"))
_LOG = logging.getLogger(__name__)


async def demo(port: int, database: str | None, until: Callable[[], Awaitable[None]]) -> None:
    """Serve the page on ``port`` (0: any free one) and play there until ``until`` returns.

    Without ``database``, the name of an SQLite file, the tables are gone afterwards.
    """
    async with AsyncExitStack() as stack:
        if database is None:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="inbetween-"))
            database = str(Path(folder) / "demo.db")
        telegram = Playground()
        await telegram.start("127.0.0.1", port)
        stack.push_async_callback(telegram.stop)
        settings = Settings(
            telegram_bot_token=SecretStr(telegram.token),
            database_url=f"sqlite:///{database}",
            telegram_api_url=telegram.url,
        )
        set_up_logging("WARNING", telegram.token)
        await stack.enter_async_context(running(build(settings), settings))
        await _invite(telegram)
        print(f"\n  Play here: {telegram.url}/\n\n  Four phones, one group. Ctrl-C ends it.\n", flush=True)
        await until()


async def _invite(telegram: Playground) -> None:
    """Four friends found a group, and the first adds the bot."""
    async with httpx.AsyncClient(base_url=telegram.url) as client:
        people = [
            (await client.post("/people", json={"first_name": name, "language_code": language})).json()["id"]
            for name, language in _PEOPLE
        ]
        group = {"title": "Friday night", "members": people[1:], "with_bot": True}
        await client.post(f"/people/{people[0]}/groups", json=group)
