"""An evening behind the webhook: Telegram delivers, and delivers again what was not kept (trap 22)."""

import asyncio
import logging
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import exc

from domain.table import Phase
from persistence.database import Database
from persistence.mapping import Place
from tests.databases import KINDS, fresh_url
from tests.journeys.evening import Evening
from tests.journeys.process import Midwife, bot_process, midwife
from tests.journeys.test_killed import GRACE, PATIENCE, SPREAD, Game
from tests.ports import free_port
from tgbot.playground import Playground

KILLS = 12
"""Kills in the middle of taps, on each database."""

on_both = pytest.mark.parametrize("kind", KINDS)
Begin = Callable[..., Awaitable[Evening]]


@on_both
async def test_a_whole_evening(begin: Begin) -> None:
    """Nobody polls, and everything goes as it always goes."""
    evening = await begin(webhook=True)
    people = await evening.hand(chips=10)
    await evening.room.bets()
    await people[0].writes("/help")
    assert "/newgame" in evening.said.text
    await evening.room.plays(lambda table: table.round == 2)
    await people[1].writes("/leave")
    await people[0].writes("/end")
    await evening.room.plays(lambda table: table.phase is Phase.ENDED)
    methods = [entry["method"] for entry in evening.telegram.exchanges]
    assert "getUpdates" not in methods
    assert "deleteWebhook" not in methods
    assert methods.count("setWebhook") == 1


@on_both
async def test_everything_delivered_twice(begin: Begin) -> None:
    """Telegram promises at least once."""
    evening = await begin(webhook=True)
    await evening.hand()
    await evening.twice()
    for _ in range(4):
        await evening.room.cuts()
        move = evening.table.move
        await evening.room.bets()
        assert evening.table.move == move + 1


async def test_a_restart_keeps_the_webhook_and_what_was_tapped_meanwhile(begin: Begin) -> None:
    evening = await begin(webhook=True)
    await evening.hand()
    move, asked, button = evening.table.move, evening.room.actor, evening.board.buttons[0]
    await evening.closes()
    assert evening.telegram.webhook.active
    tap = {"chat": evening.room.chat, "message": button.message, "data": button.data}
    for _ in range(2):
        await asked.does("tap", settle=False, **tap)
    await evening.opens()
    assert evening.table.move == move + 1


async def test_a_tap_whose_handling_fails_is_delivered_again(begin: Begin, monkeypatch: pytest.MonkeyPatch) -> None:
    """The database is away for three deliveries: the player taps once, and his bet counts once."""
    evening = await begin(webhook=True)
    await evening.hand()
    move, asked, button = evening.table.move, evening.room.actor, evening.board.buttons[0]
    at = evening.house.tables.at
    failed: list[Place] = []

    def away(place: Place) -> Any:
        if len(failed) == 3:
            return at(place)
        failed.append(place)
        raise exc.OperationalError("SELECT", None, Exception("the server has gone away"))

    monkeypatch.setattr(evening.house.tables, "at", away)
    assert await asked.presses(button.data, button.message) == "Something went wrong. Try again in a moment."
    assert len(failed) == 3
    assert evening.table.move == move + 1
    trouble = [line for line in evening.log(logging.WARNING) if "could not be handled" in line]
    assert len(trouble) == 3
    assert all("the server has gone away" in line and "\n" not in line for line in trouble), "a line each"


async def test_a_poisonous_update_does_not_stop_what_comes_after_it(
    begin: Begin, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What our own code stumbles over it would stumble over for a day: it is told to the log, and it is gone."""
    evening = await begin(webhook=True)
    (ada, *_) = await evening.hand()
    at = evening.house.tables.at
    failed: list[Place] = []

    def stumbling(place: Place) -> Any:
        if failed:
            return at(place)
        failed.append(place)
        raise KeyError("a slip of ours")

    monkeypatch.setattr(evening.house.tables, "at", stumbling)
    await ada.writes("/table", settle=False)
    await ada.writes("/table")
    assert len(failed) == 1
    assert len(evening.log(logging.ERROR)) == 1
    evening.log.records.clear()


# -- a process of its own ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def nurse() -> Iterator[Midwife]:
    with midwife() as one:
        yield one


@pytest.fixture
async def telegram() -> AsyncIterator[Playground]:
    playground = Playground(flood=False)
    await playground.start()
    yield playground
    await playground.stop()


@pytest.fixture
async def game(
    kind: str, _databases: None, telegram: Playground, tmp_path: Path, nurse: Midwife
) -> AsyncIterator[Game]:
    """Three people at a table, and the bot behind its door."""
    url, port = await fresh_url(kind, tmp_path), free_port()
    database = Database(url)
    settings = {
        "GRACE_SECONDS": str(GRACE),
        "LOG_LEVEL": "INFO",
        "WEBHOOK_URL": f"http://127.0.0.1:{port}/telegram",
        "WEBHOOK_SECRET": "sesame_of-the-door",
        "LISTEN_PORT": str(port),
    }
    async with (
        httpx.AsyncClient(base_url=telegram.url, timeout=2 * PATIENCE) as client,
        bot_process(telegram, url, tmp_path, nurse, **settings) as bot,
    ):
        begun = Game(telegram, client, database, bot)
        await bot.start()
        await begun.gathers()
        await begun.sits_down()
        yield begun
        await begun.books_are_right()
    await database.close()
    log = bot.log.read_text()
    assert " ERROR " not in log
    assert "sesame" not in log
    assert telegram.token.partition(":")[2] not in log


@on_both
async def test_a_kill_in_the_middle_of_a_tap_loses_no_tap(game: Game) -> None:
    """Situation 5, and more than polling can promise: nobody taps twice, and every single tap counts, once."""
    luck = random.Random(5)
    before = await game.shown()
    await game.taps(game.people[0], "start")
    await game.moves(before.table.move)
    for _ in range(KILLS):
        before = await game.shown()
        person, data, follows = await game.answers(before, luck)
        await game.presses(person, data, wait=0)
        await asyncio.sleep(luck.uniform(0, SPREAD))
        await game.bot.kill()
        assert (await game.view()).table in (before.table, follows)
        await game.bot.start()
        assert (await game.moves(before.table.move)).table == follows
        await game.until(game.is_read, "everything is delivered")


@on_both
async def test_sigterm_loses_nothing(game: Game) -> None:
    """A clean stop: what was taken is finished and shown, the rest is refused, and comes again after the start."""
    luck = random.Random(3)
    before = await game.shown()
    await game.taps(game.people[0], "start")
    await game.moves(before.table.move)
    for part in range(5):
        before = await game.shown()
        person, data, follows = await game.answers(before, luck)
        await game.presses(person, data, wait=0)
        await asyncio.sleep(SPREAD * part / 4)
        status, seconds = await game.bot.terminate()
        assert status == 0, game.bot.log.read_text()
        assert seconds < 5
        stopped = await game.view()
        assert stopped.table in (before.table, follows)
        if game.is_read():
            assert stopped.table == follows
        assert stopped.shown == stopped.table.move
        assert game.telegram.webhook.active
        await game.bot.start()
        assert (await game.moves(before.table.move)).table == follows
        await game.until(game.is_read, "everything is delivered")
