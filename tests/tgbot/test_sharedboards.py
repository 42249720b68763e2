"""Two keepers of the same boards, as two processes on one PostgreSQL have them: each board is drawn by one of them."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from domain import commands as c
from domain.table import Table
from persistence.database import Database
from persistence.locks import Key, Locks, Shared
from tests.databases import fresh_url
from tests.domain.tables import ANN, BOB, CAT, turn
from tests.tgbot.house import GROUP, Call, FakeBot, House, StandingClock, until

TENS = {ANN: 10, BOB: 10, CAT: 10}


class Watched(Shared):
    """Locks that tell how often one was tried in vain."""

    in_vain = 0

    async def take(self, key: Key) -> bool:
        taken = await super().take(key)
        self.in_vain += not taken
        return taken


class Two:
    """Two houses over the same rows and the same Telegram."""

    def __init__(self, one: House, other: House, locks: Locks, watched: Watched) -> None:
        self.one = one
        self.other = other
        self.locks = locks
        self.watched = watched

    async def other_is_told(self) -> None:
        """The other one sees that the board is behind, and that somebody draws it."""
        self.other.keeper.wake(GROUP.chat)
        await until(lambda: self.watched.in_vain > 0)


@pytest.fixture
async def two(tmp_path: Path, now: StandingClock, bot: FakeBot) -> AsyncIterator[Two]:
    database = Database(await fresh_url("postgresql", tmp_path))
    locks, watched = Shared(database.engine.url), Watched(database.engine.url)
    one, other = House(database, now, bot, locks=locks), House(database, now, bot, locks=watched)
    yield Two(one, other, locks, watched)
    for house in (one, other):
        await house.keeper.close()
        await house.voice.finish()
    await locks.close()
    await watched.close()
    await database.close()


def question() -> Table:
    return turn(TENS, "3H TS 5C 4D QH 6S 6C 2S 9H KD", pot=4).table


async def test_a_new_board_is_sent_once(two: Two, bot: FakeBot) -> None:
    """Without a lock, the slower one leaves a second message with buttons behind."""
    number = await two.one.put(question())

    async def meanwhile(_: Call) -> None:
        await two.other_is_told()

    bot.meanwhile = meanwhile
    await two.one.show()
    await two.other.settled()
    (sent,) = bot.called("send")
    assert (await two.one.boards.view(number)).board == sent.message
    assert bot.calls == [sent]


async def test_a_move_in_another_process_is_shown_when_the_board_is_free(two: Two, bot: FakeBot) -> None:
    number = await two.one.put(question())

    async def meanwhile(_: Call) -> None:
        await two.other.play(number, c.Bet(ANN, 1))
        await two.other_is_told()

    bot.meanwhile = meanwhile
    await two.one.show()
    await two.other.settled()
    assert [call.method for call in bot.calls] == ["send", "edit"]
    assert "won 1" in bot.last.text
    assert await two.one.behind() == []


async def test_whoever_dies_while_he_draws_leaves_the_board_to_the_other(two: Two, bot: FakeBot) -> None:
    number = await two.one.put(question())
    dying, dead = asyncio.Event(), asyncio.Event()

    async def meanwhile(_: Call) -> None:
        dying.set()
        await dead.wait()
        raise asyncio.CancelledError

    bot.meanwhile = meanwhile
    two.one.keeper.wake(GROUP.chat)
    await dying.wait()
    await two.other_is_told()
    assert len(bot.calls) == 1
    await two.locks.close()
    await two.other.settled()
    assert len(bot.called("send")) == 2
    assert (await two.one.boards.view(number)).board == bot.last.message
    dead.set()
