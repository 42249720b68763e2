"""Two real processes on one PostgreSQL (trap 7, situation 26): behind one webhook, and as a poller with a standby."""

import asyncio
import random
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import cycle
from pathlib import Path

import httpx
import pytest
from sqlalchemy import text
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from domain.table import Phase
from persistence.database import Database
from persistence.views import View
from tests.databases import fresh_url
from tests.journeys.process import Bot, Midwife, bot_process, midwife, polls, read
from tests.journeys.test_killed import GRACE, PATIENCE, SPREAD, Game
from tests.ports import free_port
from tgbot.buttons import read_tap
from tgbot.playground import Playground
from tgbot.playground.faults import Fault
from tgbot.serving import Server

TAKEOVER = 10.0
"""Seconds within which a standby has taken over; a busy machine needs more than the second or two it takes."""
KILLS = 6
HOLDER = """
    SELECT pid FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
    WHERE datname = current_database() AND locktype = 'advisory' AND granted
"""


class Crossroads:
    """What stands between Telegram and the replicas: it hands each update to both, or to one after the other."""

    def __init__(self, doors: Sequence[int]) -> None:
        self.everybody = True
        self._addresses = [f"http://127.0.0.1:{port}/telegram" for port in doors]
        self._next = cycle(range(len(doors)))
        self._client = httpx.AsyncClient(timeout=2 * PATIENCE)
        self._server = Server(Starlette(routes=[Route("/telegram", self._pass_on, methods=["POST"])]))

    async def start(self) -> str:
        """The address that Telegram is told."""
        return f"http://127.0.0.1:{await self._server.start('127.0.0.1', 0)}/telegram"

    async def stop(self) -> None:
        await self._client.aclose()
        await self._server.stop()

    async def _pass_on(self, request: Request) -> Response:
        body = await request.body()
        name = "x-telegram-bot-api-secret-token"
        headers = {name: request.headers[name], "content-type": "application/json"}
        first = next(self._next)
        order = [*self._addresses[first:], *self._addresses[:first]]
        if self.everybody:
            answers = await asyncio.gather(*(self._post(address, body, headers) for address in order))
            return Response(status_code=max(answers))
        for address in order:  # as a proxy does: who does not answer is passed over
            if (status := await self._post(address, body, headers)) < 500:
                return Response(status_code=status)
        return Response(status_code=502)

    async def _post(self, address: str, body: bytes, headers: dict[str, str]) -> int:
        try:
            return (await self._client.post(address, content=body, headers=headers)).status_code
        except httpx.HTTPError:
            return 502


@pytest.fixture(scope="module")
def nurses() -> Iterator[list[Midwife]]:
    """Two interpreters that stand by: each is busy as long as its bot lives."""
    with midwife() as one, midwife() as other:
        yield [one, other]


@pytest.fixture
async def telegram() -> AsyncIterator[Playground]:
    playground = Playground(flood=False)
    await playground.start()
    yield playground
    await playground.stop()


@pytest.fixture
async def url(_databases: None, tmp_path: Path) -> str:
    return await fresh_url("postgresql", tmp_path)


class Pair:
    """Two processes, and the game they run together."""

    def __init__(self, game: Game, bots: Sequence[Bot]) -> None:
        self.game = game
        self.bots = bots
        self.crossroads: Crossroads | None = None

    async def starts(self) -> None:
        """Somebody taps Start, and somebody is asked to cut."""
        before = await self.game.shown()
        await self.game.taps(self.game.people[0], "start")
        await self.game.moves(before.table.move)

    async def plays(self, luck: random.Random) -> View:
        """Whoever is asked answers by a button, once."""
        before = await self.game.shown()
        person, data, follows = await self.game.answers(before, luck)
        await self.game.presses(person, data)
        after = await self.game.moves(before.table.move)
        assert after.table == follows
        return after

    async def newest_board_is_there_once(self) -> None:
        """No other message has buttons that mean something now."""
        view = await self.game.shown()
        found = []
        for message in self.game.messages:
            taps = [read_tap(data) for data in self.game.buttons(message)]
            if any(tap and (tap.table, tap.move) == (view.number, view.table.move) for tap in taps):
                found.append(message)
        assert found == [view.board]


@asynccontextmanager
async def pair(
    telegram: Playground, url: str, folder: Path, nurses: Sequence[Midwife], settings: Sequence[dict[str, str]]
) -> AsyncIterator[Pair]:
    database: Database = Database(url)
    common = {"GRACE_SECONDS": str(GRACE), "LOG_LEVEL": "INFO"}
    async with AsyncExitStack() as stack:
        client = await stack.enter_async_context(httpx.AsyncClient(base_url=telegram.url, timeout=2 * PATIENCE))
        bots = [
            await stack.enter_async_context(bot_process(telegram, url, folder, nurse, name=name, **common, **more))
            for name, nurse, more in zip("ab", nurses, settings, strict=True)
        ]
        game = Game(telegram, client, database, bots[0])
        yield Pair(game, bots)
        await game.books_are_right()
    await database.close()
    for bot in bots:
        assert " ERROR " not in read(bot.log), read(bot.log)


# -- behind one webhook ------------------------------------------------------------------------------


@pytest.fixture
async def replicas(telegram: Playground, url: str, tmp_path: Path, nurses: list[Midwife]) -> AsyncIterator[Pair]:
    ports = [free_port(), free_port()]
    crossroads = Crossroads(ports)
    address = await crossroads.start()
    settings = [{"WEBHOOK_URL": address, "WEBHOOK_SECRET": "sesame", "LISTEN_PORT": str(port)} for port in ports]
    async with pair(telegram, url, tmp_path, nurses, settings) as both:
        both.crossroads = crossroads
        for bot in both.bots:
            await bot.start()
        await both.game.gathers()
        await both.game.sits_down()
        yield both
    await crossroads.stop()


async def test_every_update_is_delivered_to_both(replicas: Pair, telegram: Playground) -> None:
    """Situation 26: everything happens once, and every board is sent once."""
    luck = random.Random(26)
    await replicas.starts()
    for _ in range(25):
        if (await replicas.game.shown()).table.phase is Phase.ENDED:
            break
        await replicas.plays(luck)
        await replicas.newest_board_is_there_once()
    with replicas.game.database.engine.connect() as connection:
        moves = connection.execute(text("SELECT table_id, move FROM journal")).all()
    assert len(moves) == len(set(moves)) == (await replicas.game.view()).table.move
    greetings = [message for message in replicas.game.messages.values() if message.text.startswith("Hello!")]
    assert len(greetings) == 1


async def test_time_that_is_over_is_over_once(replicas: Pair) -> None:
    """Two clocks sweep over the same rows."""
    await replicas.starts()
    for _ in range(3):
        before = await replicas.game.shown()
        await replicas.game.sets(due_at=text("now()"))
        after = await replicas.game.moves(before.table.move)
        assert after.table.move == before.table.move + 1
        await replicas.newest_board_is_there_once()


async def test_a_replica_that_dies_leaves_its_taps_and_boards_to_the_other(
    replicas: Pair, telegram: Playground
) -> None:
    """Killed in the middle of a tap: Telegram brings the tap to the other, and that shows the board."""
    assert replicas.crossroads is not None
    replicas.crossroads.everybody = False
    luck = random.Random(7)
    await replicas.starts()
    for _ in range(KILLS):
        before = await replicas.game.shown()
        person, data, follows = await replicas.game.answers(before, luck)
        victim = luck.choice(replicas.bots)
        await replicas.game.presses(person, data, wait=0)
        await asyncio.sleep(luck.uniform(0, SPREAD))
        await victim.kill()
        after = await replicas.game.moves(before.table.move)
        assert after.table == follows
        await replicas.newest_board_is_there_once()
        await victim.start()
        await replicas.game.until(replicas.game.is_read, "everything is delivered")


async def test_a_board_that_was_committed_and_not_shown_is_shown_by_the_other(
    replicas: Pair, telegram: Playground
) -> None:
    assert replicas.crossroads is not None
    await replicas.starts()
    one, other = replicas.bots
    before = await replicas.game.shown()
    person, data, follows = await replicas.game.answers(before, random.Random(1))
    await other.kill()
    replicas.crossroads.everybody = False
    for method in ("editMessageText", "sendMessage"):
        telegram.faults.add(Fault("slow", method, seconds=1_000, times=1))
    await replicas.game.presses(person, data)
    assert (await replicas.game.view()).table == follows
    await one.kill()
    telegram.faults.clear()
    hidden = await replicas.game.view()
    assert hidden.shown < hidden.table.move
    await other.start()
    assert (await replicas.game.shown()).table == follows
    await one.start()


# -- a poller and its standby ------------------------------------------------------------------------


@pytest.fixture
async def pollers(telegram: Playground, url: str, tmp_path: Path, nurses: list[Midwife]) -> AsyncIterator[Pair]:
    ports = [free_port(), free_port()]
    async with pair(telegram, url, tmp_path, nurses, [{"LISTEN_PORT": str(port)} for port in ports]) as both:
        one, other = both.bots
        await one.start()
        await both.game.gathers()
        await both.game.sits_down()
        other.begin()
        await stands_by(both, other)
        assert await role(ports[0]) == "polling"
        assert await role(ports[1]) == "standing by"
        yield both


async def role(port: int) -> str:
    async with httpx.AsyncClient() as client:
        answer = await client.get(f"http://127.0.0.1:{port}/healthz")
        assert answer.status_code == 200, answer.text
        return str(answer.json()["role"])


async def stands_by(both: Pair, bot: Bot, times: int = 1) -> None:
    await both.game.until(lambda: read(bot.log).count("standing by") >= times, "it stands by")


async def takes_over(both: Pair, bot: Bot, asked: int) -> None:
    async with asyncio.timeout(TAKEOVER):
        await polls(both.game.telegram, asked, bot.log)


def newest_call(telegram: Playground) -> int:
    number: int = telegram.exchanges[-1]["n"]
    return number


async def test_a_standby_takes_over_when_the_poller_is_killed(pollers: Pair, telegram: Playground) -> None:
    """SIGKILL: nobody says goodbye. The server sees the connection end, and the lock is free; and back again."""
    luck = random.Random(9)
    await pollers.starts()
    await pollers.plays(luck)
    poller, standby = pollers.bots
    for _ in range(3):
        before = await pollers.game.shown()
        await poller.kill()
        person, data, follows = await pollers.game.answers(before, luck)
        await pollers.game.presses(person, data, wait=0)
        async with asyncio.timeout(TAKEOVER):
            assert (await pollers.game.moves(before.table.move)).table == follows
        log = read(poller.log).count("standing by")
        poller.begin()
        await stands_by(pollers, poller, log + 1)
        poller, standby = standby, poller
    await pollers.plays(luck)
    conflicts = [call for call in telegram.exchanges if call["status"] == 409]
    assert conflicts == []


async def test_a_clean_stop_hands_over(pollers: Pair, telegram: Playground) -> None:
    await pollers.starts()
    poller, standby = pollers.bots
    asked = newest_call(telegram)
    status, seconds = await poller.terminate()
    assert (status, seconds < 5) == (0, True)
    await takes_over(pollers, standby, asked)
    await pollers.plays(random.Random(2))
    status, _ = await standby.terminate()
    assert status == 0
    await poller.start()


async def test_a_poller_that_loses_its_lock_stops_polling(pollers: Pair, telegram: Playground) -> None:
    """The server cuts its connection, as when it is restarted: whoever is quicker polls, and only he."""
    await pollers.starts()
    with pollers.game.database.engine.connect() as connection:
        holder = connection.scalar(text(HOLDER))
        connection.execute(text("SELECT pg_terminate_backend(:pid)"), {"pid": holder})
    poller, standby = pollers.bots
    await pollers.game.until(lambda: "the right to poll" in read(poller.log), "the poller notices")
    await pollers.game.until(
        lambda: any("taking over" in read(bot.log) for bot in (poller, standby)), "somebody takes over"
    )
    await pollers.plays(random.Random(3))


@pytest.mark.usefixtures("_databases")
async def test_an_sqlite_file_refuses_a_second_process(
    telegram: Playground, tmp_path: Path, nurses: list[Midwife]
) -> None:
    """Two pollers would only take the updates from each other, with a 409 each time."""
    url = await fresh_url("sqlite", tmp_path)
    async with (
        bot_process(telegram, url, tmp_path, nurses[0], name="a") as one,
        bot_process(telegram, url, tmp_path, nurses[1], name="b") as other,
    ):
        await one.start()
        other.begin()
        assert await other.ends() == 2
        assert "An SQLite file is for one; several share a PostgreSQL." in read(other.log)
        assert "Traceback" not in read(other.log)
        assert not [call for call in telegram.exchanges if call["status"] == 409]
        await one.kill()
        await other.start()
        status, _ = await other.terminate()
        assert status == 0


@pytest.mark.usefixtures("_databases")
async def test_a_port_that_is_taken_is_named(telegram: Playground, tmp_path: Path, nurses: list[Midwife]) -> None:
    port = int(telegram.url.rpartition(":")[2])
    url = await fresh_url("sqlite", tmp_path)
    async with bot_process(telegram, url, tmp_path, nurses[0], LISTEN_PORT=str(port)) as bot:
        bot.begin()
        assert await bot.ends() == 2
        assert f"nothing can be served at 127.0.0.1:{port}: Address already in use" in read(bot.log)
        assert "Traceback" not in read(bot.log)
