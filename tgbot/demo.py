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
from tgbot.rulecard import preset_name
from tgbot.settings import Settings
from tgbot.words import SOURCE, words

_PEOPLE = (("Ada", "en"), ("Bo", "en"), ("Cem", "en"), ("Ola", "pl"))
_TO_BE_TRIED = ("red_dog", "dragon_gate", "acey_deucey", "blind_bank", "bank")
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
        print(
            f"\n  Play here: {telegram.url}/\n\n  Four phones, a group for each game. Ctrl-C ends it.\n",
            flush=True,
        )
        await until()


async def _invite(telegram: Playground) -> None:
    """Four friends found a group and add the bot; in other groups of theirs every other game lies open to be tried."""
    async with httpx.AsyncClient(base_url=telegram.url) as client:
        founder, *others = [
            (await client.post("/people", json={"first_name": name, "language_code": language})).json()["id"]
            for name, language in _PEOPLE
        ]

        async def found(title: str) -> int:
            group = {"title": title, "members": others, "with_bot": True}
            chat: int = (await client.post(f"/people/{founder}/groups", json=group)).json()["id"]
            return chat

        tr = words(SOURCE)
        for game in _TO_BE_TRIED:
            order = {"chat": await found(preset_name(game, tr)), "text": f"/newgame {game}"}
            await client.post(f"/people/{founder}/write", json=order)
        await found("Friday night")  # the newest is the one that the phones show
