"""Killed in every phase and at any moment, and started again: the evening goes on as if nothing had happened.

The bot is a process of its own here and dies of SIGKILL: no line of it runs afterwards (situations 5 and 25). What
must have happened is known beforehand, for a table and a command make the next table: whatever the kill hits, the row
is either the one before the tap or the one after it, and nothing between.
"""

import asyncio
import os
import random
import sys
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlmodel import Session, col, update

from domain import commands as c
from domain.choices import choices
from domain.play import play
from domain.table import Phase, Table
from persistence.audit import audit
from persistence.boards import Boards
from persistence.database import Database
from persistence.mapping import Place
from persistence.rows import TableRow
from persistence.tables import Tables
from persistence.views import View
from tests.databases import KINDS, fresh_url
from tests.journeys.process import ROOT, Bot, Midwife, bot_process, environment, midwife, polls
from tgbot.buttons import read_tap
from tgbot.playground import Playground
from tgbot.playground.faults import Fault

GRACE = 25
KILLS = 15
"""Kills in the middle of taps, on each database."""
SPREAD = 0.06
"""Seconds after a tap within which the kill comes: about what a tap takes until its board is edited."""
PATIENCE = 20.0
"""Seconds after which something that should have happened has not."""

Json = dict[str, Any]

on_both = pytest.mark.parametrize("kind", KINDS)


class Game:
    """Three people, their group and its table, seen from outside the bot."""

    def __init__(self, telegram: Playground, client: httpx.AsyncClient, database: Database, bot: Bot) -> None:
        self.telegram = telegram
        self.bot = bot
        self.database = database
        self._client = client
        self._boards = Boards(database)
        self._number = 0
        self.people: list[int] = []
        self.chat = 0

    async def gathers(self) -> None:
        """Ada founds a group with Bo, Cem and the bot, which runs and asks who is in."""
        for name in ("Ada", "Bo", "Cem"):
            response = await self._client.post("/people", json={"first_name": name, "language_code": "en"})
            self.people.append(response.json()["id"])
        group = await self.does(self.people[0], "groups", title="Friday night", members=self.people[1:])
        self.chat = group["id"]
        await self.until(lambda: self.messages, "a greeting")

    async def sits_down(self) -> None:
        """All three are at the table, and its board says so."""
        await self.writes(self.people[0], "/newgame")
        await self.moves(0)
        for seated, person in enumerate(self.people[1:], 2):
            await self.taps(person, "join")
            assert len((await self.shown()).table.seats) == seated

    # -- what people do ----------------------------------------------------------------------------

    async def does(self, person: int, verb: str, **body: Any) -> Any:
        response = await self._client.post(f"/people/{person}/{verb}", json=body)
        assert response.status_code == 200, response.text
        return response.json()

    async def writes(self, person: int, text: str) -> None:
        await self.does(person, "write", chat=self.chat, text=text)

    async def taps(self, person: int, word: str, wait: float = PATIENCE) -> str | None:
        """Tap the first button of this meaning on the board; the toast, if it came in time."""
        data = next(data for data in self.buttons((await self.view()).board) if data.startswith(f"{word}:"))
        return await self.presses(person, data, wait)

    async def presses(self, person: int, data: str, wait: float = PATIENCE) -> str | None:
        board = (await self.view()).board
        answer = (await self.does(person, "tap", chat=self.chat, message=board, data=data, wait=wait))["answer"]
        return answer["text"] if answer else None

    async def answers(self, view: View, luck: random.Random) -> tuple[int, str, Table]:
        """Who is asked, a button that answers, and the table that must follow from it."""
        asked = choices(view.table)
        assert asked.asked is not None, view.table.phase
        wanted = "cut:" if asked.cut else "bet:"
        data = luck.choice([data for data in self.buttons(view.board) if data.startswith(wanted)][:2])
        tap = read_tap(data)
        assert tap is not None
        assert tap.amount is not None
        command = c.Cut(asked.asked, tap.amount) if asked.cut else c.Bet(asked.asked, tap.amount)
        return asked.asked, data, play(view.table, command)[1]

    # -- what there is to see ----------------------------------------------------------------------

    async def view(self) -> View:
        """The newest table, as its row has it."""
        number, _ = await self._boards.number(Place(self.chat))
        self._number = number or self._number  # a table that is over is found by its number only
        return await self._boards.view(self._number)

    async def shown(self) -> View:
        """The newest table once its board is up to its row; the message itself has been looked at, too."""
        view = await self.view()
        async with asyncio.timeout(PATIENCE):
            while view.shown != view.table.move:
                await asyncio.sleep(0.01)
                view = await self.view()
        self.check_board(view)
        return view

    async def moves(self, move: int) -> View:
        """The table once it is past this move, and shown."""
        try:
            async with asyncio.timeout(PATIENCE):
                while not await self._is_past(move):
                    await asyncio.sleep(0.01)
        except TimeoutError:
            raise AssertionError(f"nothing followed move {move}:\n{self.bot.log.read_text()}") from None
        return await self.shown()

    async def _is_past(self, move: int) -> bool:
        number, newest = await self._boards.number(Place(self.chat))
        return newest >= move + 1 or (not number and self._number > 0) or (move == 0 and number > 0)

    def check_board(self, view: View) -> None:
        """The message has the posts and the buttons of this move."""
        message = self.messages[view.board or 0]
        for data in self.buttons(view.board):
            tap = read_tap(data)
            assert tap is not None
            assert (tap.table, tap.move) == (view.number, view.table.move)
        assert all(str(post) in message.text for post in view.table.posts)

    def buttons(self, message: int | None) -> list[str]:
        markup = self.messages[message or 0].markup or {}
        return [button["callback_data"] for row in markup.get("inline_keyboard", []) for button in row]

    @property
    def messages(self) -> dict[int, Any]:
        world = self.telegram.world
        messages = world.chats[self.chat].messages
        return {number: message for number, message in messages.items() if message.sender == world.bot.id}

    async def until(self, condition: Any, what: str) -> None:
        try:
            async with asyncio.timeout(PATIENCE):
                while not condition():
                    await asyncio.sleep(0.005)
        except TimeoutError:
            raise AssertionError(f"it has not happened: {what}\n{self.bot.log.read_text()}") from None

    def is_read(self) -> bool:
        """Whether the bot has fetched everything that people did."""
        return not self.telegram.network.updates.pending()

    # -- what the test does behind everybody's back --------------------------------------------------

    async def sets(self, **values: Any) -> None:
        """Write into the table's row."""
        with Session(self.database.engine) as session, session.begin():
            session.execute(update(TableRow).where(col(TableRow.id) == self._number).values(**values))

    async def survives(self) -> View:
        """SIGKILL, and a new start: the table is what it was, in every field of it."""
        before = await self.view()
        await self.bot.kill()
        await self.bot.start()
        after = await self.shown()
        assert after.table == before.table, self.bot.log.read_text()
        assert after.number == before.number
        assert (after.board, after.reminder) == (before.board, before.reminder)
        return after

    async def books_are_right(self) -> None:
        report = await audit(self.database)
        assert report.tables > 0
        assert not report.faults, "\n".join(map(str, report.faults))
        assert self.telegram.mistakes == []


@pytest.fixture(scope="module")
def nurse() -> Iterator[Midwife]:
    with midwife() as one:
        yield one


@pytest.fixture
async def url(kind: str, _databases: None, tmp_path: Path) -> str:
    return await fresh_url(kind, tmp_path)


@pytest.fixture
async def telegram() -> AsyncIterator[Playground]:
    playground = Playground(flood=False)
    await playground.start()
    yield playground
    await playground.stop()


@pytest.fixture
async def game(telegram: Playground, url: str, tmp_path: Path, nurse: Midwife) -> AsyncIterator[Game]:
    """Three people at a table, and the bot that runs."""
    database = Database(url)
    async with (
        httpx.AsyncClient(base_url=telegram.url, timeout=2 * PATIENCE) as client,
        bot_process(telegram, url, tmp_path, nurse, GRACE_SECONDS=str(GRACE), LOG_LEVEL="WARNING") as bot,
    ):
        begun = Game(telegram, client, database, bot)
        await bot.start()
        await begun.gathers()
        await begun.sits_down()
        yield begun
        await begun.books_are_right()
    await database.close()
    assert " ERROR " not in bot.log.read_text()


@on_both
async def test_an_evening_survives_a_kill_in_every_phase(game: Game) -> None:
    """Situation 25. Same deck, posts, pot and stacks; and the game goes on by the buttons that were there."""
    ada, *_ = game.people
    luck = random.Random(25)

    lobby = await game.survives()
    assert lobby.table.phase is Phase.LOBBY
    await game.taps(ada, "start")

    await game.moves(lobby.table.move)
    cutting = await game.survives()
    assert cutting.table.phase is Phase.CUT
    person, data, follows = await game.answers(cutting, luck)
    assert await game.presses(person, data) == "Cut."

    assert (await game.moves(cutting.table.move)).table == follows
    while follows.phase is Phase.CUT:  # a round of pairs and neighbours asks nobody: once in a hundred
        person, data, follows = await game.answers(await game.shown(), luck)
        await game.presses(person, data)
        assert (await game.moves(follows.move - 1)).table == follows
    deciding = await game.survives()
    assert deciding.table.phase is Phase.DECIDE
    assert deciding.table.posts == follows.posts
    assert deciding.table.shoe == follows.shoe
    assert deciding.table.seed == follows.seed != ""

    await game.sets(warn_at=datetime.now(UTC))
    while (await game.view()).reminder is None:
        await asyncio.sleep(0.02)
    reminded = await game.survives()
    assert reminded.reminder in game.messages
    person, data, follows = await game.answers(reminded, luck)
    await game.presses(person, data)
    assert (await game.moves(reminded.table.move)).table == follows
    await game.until(lambda: reminded.reminder not in game.messages, "the reminder goes when he has acted")

    await game.bot.kill()
    clock = Tables(game.database)
    while (asked := await game.view()).table.phase is not Phase.REST:
        async with clock.numbered(asked.number) as sitting:  # as if another replica went on until nobody answers
            sitting.play(c.RunOutOfTime(asked.table.asked))
    assert asked.shown < asked.table.move
    await game.bot.start()
    await game.shown()
    resting = await game.survives()
    assert resting.table.phase is Phase.REST
    sleepers = [person for person in game.people if (seat := resting.table.seat(person)) and seat.away]
    assert len(sleepers) > 1, "one of three may be awake; who it is, luck decides"
    back = resting
    for person in sleepers:
        await game.taps(person, "back")
        back = await game.moves(back.table.move)
    assert back.table.phase in (Phase.CUT, Phase.DECIDE)
    assert back.table.chips == 150

    while back.table.phase is Phase.CUT:  # between two rounds the game would end at once
        person, data, _ = await game.answers(back, luck)
        await game.presses(person, data)
        back = await game.moves(back.table.move)
    await game.writes(ada, "/end")
    ending = await game.moves(back.table.move)
    assert ending.table.ending
    while (now := await game.shown()).table.phase is not Phase.ENDED:
        person, data, follows = await game.answers(now, luck)
        await game.presses(person, data)
        assert (await game.moves(now.table.move)).table == follows
    over = await game.survives()
    assert sum(seat.chips for seat in over.table.seats) == 150
    assert " wins with " in game.messages[over.board or 0].text or " win with " in game.messages[over.board or 0].text

    await game.taps(ada, "new")
    assert (await game.moves(0)).number != over.number


@on_both
async def test_a_kill_in_the_middle_of_a_tap_leaves_nothing_half_done(game: Game) -> None:
    """Situation 5. PTB confirms an update before it handles it, so a tap that dies with the bot may be lost: then
    nothing has happened, the button is still there, and his second tap counts. It never counts twice."""
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

        found = (await game.view()).table
        assert found in (before.table, follows)
        unread = not game.is_read()
        impatient = luck.random() < 0.5  # he taps again while nobody is there to answer
        if impatient:
            await game.presses(person, data, wait=0)

        await game.bot.start()
        await game.until(game.is_read, "the new bot reads what was done during the outage")
        if found == before.table and not unread and not impatient:
            await game.presses(person, data)
        after = await game.moves(before.table.move)
        assert after.table == follows
    # Whoever taps last is answered last: everything that was tapped before has been handled, and nothing came of it.
    last = await game.shown()
    await game.taps(game.people[0], "more")
    assert (await game.shown()).table == last.table == follows


@on_both
async def test_a_board_that_was_not_edited_is_repaired(game: Game, telegram: Playground) -> None:
    """Committed, but not shown: the row is its own outbox."""
    before = await game.shown()
    await game.taps(game.people[0], "start")
    cutting = await game.moves(before.table.move)
    person, data, follows = await game.answers(cutting, random.Random(1))
    telegram.faults.add(Fault("drop", "editMessageText", times=1_000))
    await game.presses(person, data)
    await game.bot.kill()

    hidden = await game.view()
    assert hidden.table == follows
    assert hidden.shown == cutting.table.move < hidden.table.move
    telegram.faults.clear()
    await game.bot.start()
    repaired = await game.shown()
    assert repaired.table == follows
    assert repaired.board == cutting.board


@on_both
async def test_an_outage_costs_nobody_his_turn(game: Game) -> None:
    """Deadlines that passed while the bot was away are given back; what was tapped meanwhile counts, once."""
    before = await game.shown()
    await game.taps(game.people[0], "start")
    cutting = await game.moves(before.table.move)
    await game.bot.kill()
    await game.sets(due_at=datetime.now(UTC) - timedelta(hours=1))

    started = datetime.now(UTC)
    await game.bot.start()
    graced = await game.shown()
    assert graced.table == cutting.table
    assert graced.due_at is not None
    assert graced.due_at >= started + timedelta(seconds=GRACE)

    far = datetime.now(UTC).replace(microsecond=0) + timedelta(minutes=10)
    await game.sets(due_at=far)
    await game.bot.kill()
    person, data, follows = await game.answers(graced, random.Random(2))
    for _ in range(2):
        await game.presses(person, data, wait=0)
    await game.does(game.people[1], "tap", chat=game.chat, message=graced.board, data=data, wait=0)
    assert (await game.view()).due_at == far
    await game.bot.start()
    assert (await game.moves(graced.table.move)).table == follows
    await game.taps(game.people[0], "more")
    assert (await game.shown()).table == follows

    await game.sets(due_at=datetime.now(UTC))
    late = play(follows, c.RunOutOfTime(follows.asked))[1]
    assert (await game.moves(follows.move)).table == late


@on_both
async def test_sigterm_loses_nothing(game: Game) -> None:
    """A clean stop: what the bot has fetched is finished and shown, what it has not waits for the next start."""
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
        assert stopped.shown == stopped.table.move
        if game.is_read():
            assert stopped.table == follows
        await game.bot.start()
        assert (await game.moves(before.table.move)).table == follows


async def test_the_command_itself_stops_with_status_0(telegram: Playground, url: str, tmp_path: Path) -> None:
    """``python -m tgbot run``, with nothing imported beforehand."""
    settings = os.environ | environment(telegram, url, tmp_path)
    log = tmp_path / "run.log"
    with log.open("wb") as file:
        run = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tgbot", "run"), cwd=ROOT, env=settings, stderr=file
        )
        try:
            await polls(telegram, 0, log)
            run.terminate()
            async with asyncio.timeout(5):
                assert await run.wait() == 0, log.read_text()
        finally:
            if run.returncode is None:
                run.kill()
                await run.wait()
