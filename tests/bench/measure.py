"""The measures: each plays on a local Telegram of its own and gives figures, most of them ratios within one run."""

import asyncio
import contextlib
import time
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles
from typing import Any, NamedTuple

from sqlalchemy import text
from sqlmodel import Session

from persistence.database import Database
from tests.bench.crowd import Crowd
from tests.bench.past import copied_tables, ended_tables, open_tables
from tests.bench.process import Process, bot
from tests.databases import empty_url, fresh_url
from tests.journeys.process import ROOT
from tests.soak.groups import ANSWERS
from tgbot.playground import Playground, talk

AGAINST_FLOOR = "moves a second against the floor"
_FLOOR = ("-m", "tests.bench.floor")
_AS_TELEGRAM = {"GROUP_CALLS_A_MINUTE": "20", "CALLS_A_SECOND": "30"}
_SPEECH = ("sendMessage", "editMessageText", "editMessageReplyMarkup")


class Figure(NamedTuple):
    """One number, and what it should be: ``goal`` is the least (``at_least``) or the most."""

    name: str
    value: float
    unit: str = ""
    goal: float | None = None
    at_least: bool = False

    @property
    def is_met(self) -> bool:
        """Whether it is as good as it should be."""
        if self.goal is None:
            return True
        return self.value >= self.goal if self.at_least else self.value <= self.goal


@dataclass
class Bench:
    """Where it is measured, on which database, and for how long; ``scale`` 1 is the whole of it."""

    kind: str
    folder: Path
    scale: float = 1.0
    home: Path = ROOT
    """The checkout that the bot runs from."""

    def seconds(self, whole: float) -> float:
        """So long, but shorter in a quick run."""
        return max(0.5, whole * self.scale)

    def many(self, whole: int) -> int:
        """So many, but fewer in a quick run."""
        return max(2, round(whole * self.scale))

    async def url(self, home: Path = ROOT) -> str:
        """A database without a game; for another checkout without any table, too."""
        self.folder.mkdir(parents=True, exist_ok=True)
        return await (fresh_url if home == ROOT else empty_url)(self.kind, self.folder)


@asynccontextmanager
async def _telegram(groups: int, *, flood: bool = False) -> AsyncIterator[tuple[Playground, Crowd]]:
    telegram = Playground(flood=flood, tap_life=120.0)
    await telegram.start()
    try:
        yield telegram, Crowd(telegram, groups)
    finally:
        await telegram.stop()


@dataclass
class Work:
    """What a bot has done while its crowd tapped without a pause, in all its turns together."""

    process: Process
    crowd: Crowd
    seconds: float = 0.0
    processor: float = 0.0
    boards: list[float] = field(default_factory=list)

    @property
    def speed(self) -> float:
        """Moves a second."""
        return len(self.boards) / self.seconds

    @property
    def cpu(self) -> float:
        """Milliseconds of processor a move."""
        return 1000 * self.processor / len(self.boards)

    async def turn(self, seconds: float) -> None:
        """Tap for so long."""
        before, begun = self.process.cpu, time.monotonic()
        waits = await self.crowd.plays(seconds)
        self.seconds += time.monotonic() - begun
        self.processor += self.process.cpu - before
        self.boards += waits.boards


@asynccontextmanager
async def _playing(
    bench: Bench, url: str, groups: int, *, home: Path = ROOT, command: Sequence[str] = ()
) -> AsyncIterator[Work]:
    """A bot, warm, and groups that play on a Telegram of its own."""
    async with (
        _telegram(bench.many(groups)) as (telegram, crowd),
        bot(telegram, _for_any_version(url), bench.folder, home=home, command=command) as process,
    ):
        await crowd.gathers()
        await crowd.plays(bench.seconds(2))
        yield Work(process, crowd)


async def _in_turns(bench: Bench, turns: int, *those: Work) -> None:
    """One works while the others rest: the machine has its moods, and so all of them meet the same."""
    for _ in range(turns):
        for one in those:
            await one.turn(bench.seconds(2.5))


def _for_any_version(url: str) -> str:
    return url.replace("postgresql+psycopg", "postgresql")


# -- throughput --------------------------------------------------------------------------------------


async def throughput(bench: Bench) -> Sequence[Figure]:
    """20 groups that tap without a pause: what the bot can do against the least that has to be done."""
    bot_url, floor_url = await bench.url(bench.home), await bench.url()
    async with (
        _playing(bench, bot_url, 20, home=bench.home) as ours,
        _playing(bench, floor_url, 20, command=_FLOOR) as floor,
    ):
        await _in_turns(bench, 5, ours, floor)
    return [
        Figure("moves a second, 20 groups without a pause", ours.speed, "/s"),
        Figure("processor a move", ours.cpu, "ms"),
        Figure("  the floor: moves a second", floor.speed, "/s"),
        Figure("  the floor: processor a move", floor.cpu, "ms"),
        Figure(AGAINST_FLOOR, ours.speed / floor.speed, "x", 0.7, at_least=True),
        Figure("processor of the floor against the bot's", floor.cpu / ours.cpu, "x", 0.7, at_least=True),
        Figure("  board at full speed p50", 1000 * median(ours.boards), "ms"),
    ]


# -- latency -----------------------------------------------------------------------------------------


async def latency(bench: Bench) -> Sequence[Figure]:
    """Groups that tap every four seconds, within Telegram's own limits."""
    figures: list[Figure] = []
    for groups in (1, 20, 150, 600):
        figures += await _latency(bench, bench.many(groups) if groups > 1 else 1, groups)
    return figures


async def _latency(bench: Bench, groups: int, name: int) -> Sequence[Figure]:
    url = await bench.url()
    async with _telegram(groups, flood=True) as (telegram, crowd):
        await open_tables(url, crowd)
        async with bot(telegram, url, bench.folder, settings=_AS_TELEGRAM):
            await crowd.gathers()
            before = telegram.exchanges[-1]["n"]
            waits = await crowd.plays(bench.seconds(10), pause=4.0 * bench.scale)
        calls = [entry for entry in telegram.exchanges if entry["method"] in _SPEECH]
        refused = sum(1 for entry in calls if entry["status"] == 429)
        answers = [entry for entry in telegram.exchanges if entry["n"] > before and entry["method"] in _SPEECH]
    toast, board = _percentiles(waits.toasts), _percentiles(waits.boards)
    means = [sum(times) / len(times) for times in waits.by_group.values()]
    return [
        Figure(f"{name} groups: toast p50", 1000 * toast[0], "ms"),
        Figure(f"{name} groups: toast p99", 1000 * toast[1], "ms"),
        Figure(f"{name} groups: board p50", 1000 * board[0], "ms"),
        Figure(f"{name} groups: board p99", 1000 * board[1], "ms"),
        Figure(f"{name} groups: the longest mean wait against the middle one", max(means) / median(means), "x"),
        Figure(f"{name} groups: 429s of {len(calls)} sends and edits ({len(answers)} while they play)", refused, "", 0),
    ]


def _percentiles(times: Sequence[float]) -> tuple[float, float]:
    return (median(times), quantiles(times, n=100)[98]) if len(times) > 1 else (times[0], times[0])


# -- one group beside another ------------------------------------------------------------------------


async def quiet_beside_flood(bench: Bench) -> Sequence[Figure]:
    """One group plays at its ease, alone, and then while somebody in another one hammers on a button."""
    url = await bench.url()
    async with _telegram(2) as (telegram, crowd):
        await open_tables(url, crowd)
        quiet, loud = crowd.groups
        async with bot(telegram, url, bench.folder):
            await crowd.gathers()
            alone = await crowd.plays(bench.seconds(8), pause=0.3, groups=[quiet])
            hammering = asyncio.create_task(_hammer(telegram, loud))
            beside = await crowd.plays(bench.seconds(8), pause=0.3, groups=[quiet])
            hammering.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await hammering
    times = median(beside.boards) / median(alone.boards)
    return [
        Figure("a quiet group alone: board p50", 1000 * median(alone.boards), "ms"),
        Figure("a quiet group beside a flood against alone", times, "x", 2.0),
    ]


async def _hammer(telegram: Playground, group: Any) -> None:
    """200 taps a second, by one who is not even asked."""
    while True:
        board = group.board(0)
        buttons = board.saying(*ANSWERS) if board else []
        for button in buttons[:1]:
            talk.tap(telegram.network, group.others[0].id, group.chat, button.message, button.data)
        await asyncio.sleep(0.005)


# -- what a tap costs --------------------------------------------------------------------------------


async def calls(bench: Bench) -> Sequence[Figure]:
    """Calls to Telegram for a tap: the toast and the board, or the toast alone."""
    url = await bench.url()
    async with _telegram(1) as (telegram, crowd):
        await open_tables(url, crowd)
        async with bot(telegram, url, bench.folder):
            await crowd.gathers()
            before = _spoken(telegram)
            waits = await crowd.plays(bench.seconds(4), pause=0.05)
            await asyncio.sleep(0.5)
            legal = _spoken(telegram) - before
            sent = legal.get("sendMessage", 0)
            (group,) = crowd.groups
            board = group.board(0)
            assert board is not None
            before = _spoken(telegram)
            for member in (group.founder, *group.others):
                if not board.asks(member.name):
                    button = board.saying(*ANSWERS)[0]
                    talk.tap(telegram.network, member.id, group.chat, button.message, button.data)
            await asyncio.sleep(1)
            illegal = _spoken(telegram) - before
    # A board that deserves a message of its own is sent, and the one above it edited once more: not a tap's price.
    return [
        Figure("calls a legal tap", (sum(legal.values()) - sent) / waits.moves, "", 2),
        Figure("calls an illegal tap", sum(illegal.values()) / 3, "", 1),
    ]


def _spoken(telegram: Playground) -> Counter[str]:
    return Counter(e["method"] for e in telegram.exchanges if e["method"] != "getUpdates")


# -- the past ----------------------------------------------------------------------------------------


async def past(bench: Bench) -> Sequence[Figure]:
    """The same taps on an empty database, and with years behind it."""
    tables = bench.many(200_000)
    empty, full = await bench.url(), await bench.url()
    await ended_tables(full, tables, 5)
    async with _playing(bench, empty, 10) as young, _playing(bench, full, 10) as old:
        await _in_turns(bench, 5, young, old)
    return [
        Figure("processor a move, nothing behind", young.cpu, "ms"),
        Figure(f"the same with {tables} ended tables and {5 * tables} moves", old.cpu, "ms"),
        Figure("a tap with the past against one without", old.cpu / young.cpu, "x", 1.05),
    ]


async def many_open(bench: Bench) -> Sequence[Figure]:
    """A start with thousands of tables open, what each keeps in memory, and all of their questions due at once."""
    tables = bench.many(10_000)
    empty, full = await bench.url(), await bench.url()
    async with _telegram(1) as (telegram, crowd):
        await open_tables(empty, crowd)
        starts = []
        for _ in range(2):
            async with bot(telegram, empty, bench.folder) as process:
                starts.append(process.start)
                await asyncio.sleep(bench.seconds(3))
                few = process.memory
    async with _telegram(tables) as (telegram, crowd):
        await copied_tables(full, crowd)
        late = []
        for _ in range(2):
            async with bot(telegram, full, bench.folder) as process:
                late.append(process.start)
                await asyncio.sleep(bench.seconds(5))
                many = process.memory
        figures = [
            Figure("start with one open table", min(starts), "s"),
            Figure(f"start with {tables} open tables against one", min(late) / min(starts), "x", 2.0),
            Figure("memory for each open table", (many - few) / tables / 1024, "KiB"),
        ]
        return [*figures, *await _all_due(bench, full, telegram, crowd, tables)]


async def _all_due(bench: Bench, url: str, telegram: Playground, crowd: Crowd, tables: int) -> Sequence[Figure]:
    """A bot comes back after an outage, and the clock has to answer everybody; one group taps meanwhile."""
    live = crowd.groups[0]
    database = Database(url)
    await database.write(lambda session: _have_all_due(session, live.first_chat))
    async with bot(telegram, url, bench.folder, settings={**_AS_TELEGRAM, "GRACE_SECONDS": "0"}):
        begun = time.monotonic()
        waits = await crowd.plays(bench.seconds(10), pause=0.2, groups=[live])
        left = await database.read(lambda session: session.connection().execute(_UNANSWERED).scalar_one())
        took = time.monotonic() - begun
    await database.close()
    toast = _percentiles(waits.toasts)
    return [
        Figure(f"{tables} questions due at once: answered a second while somebody taps", (tables - left) / took, "/s"),
        Figure("  toast p50 meanwhile", 1000 * toast[0], "ms"),
        Figure("  toast p99 meanwhile", 1000 * toast[1], "ms"),
    ]


def _have_all_due(session: Session, but: int) -> None:
    """Every question in every chat but one; each board tells of it, so that the clock has work first."""
    chat = {"chat": but}
    here = "chat_id = (SELECT id FROM chats WHERE telegram_id = :chat)"
    session.connection().execute(text("UPDATE tables SET shown = move, due_at = opened_at"))
    session.connection().execute(text(f"UPDATE tables SET due_at = NULL, shown = 0 WHERE {here}"), chat)  # noqa: S608


_UNANSWERED = text("SELECT count(*) FROM tables WHERE asked = (SELECT min(asked) FROM tables)")
"""All of them were asked by the same move of their games."""

MEASURES = {
    "throughput": throughput,
    "latency": latency,
    "flood": quiet_beside_flood,
    "calls": calls,
    "past": past,
    "open": many_open,
}
