"""What has to be true when a soak is over: one line for each."""

import re
from collections.abc import Collection, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from sqlmodel import Session, col, func, select

from domain.table import WAITING, Phase
from persistence.audit import Check, audit
from persistence.boards import Boards
from persistence.database import Database
from persistence.rows import ChatRow, MoveRow, TableRow
from persistence.views import View
from tests.soak.bots import Life
from tests.soak.witness import Pressed
from tgbot.board import draw
from tgbot.playground import Playground, keyboards, markup
from tgbot.playground.world import Json
from tgbot.sheet import Scene
from tgbot.words import words

_RECORD = re.compile(r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} (DEBUG|INFO|WARNING|ERROR|CRITICAL) ([\w.]+): ")
_SERVERS = r"(httpx\.|Bad Gateway|Gateway Timeout|Internal Server Error)"
_TROUBLE = rf"(telegram\.error\.(NetworkError: {_SERVERS}|RetryAfter|TimedOut)|Telegram cannot be reached: )"
_EXPLAINED: Sequence[tuple[str, re.Pattern[str], re.Pattern[str]]] = (
    ("telegram.ext.Updater", re.compile("Exception happened while polling for updates"), re.compile(_TROUBLE)),
    ("telegram.ext", re.compile(r"Network Retry Loop \(Bootstrap delete Webhook\)"), re.compile(_TROUBLE)),
)
"""Errors that only an injected fault brings about: the logger, how the first line begins, and the last."""


class Verdict(NamedTuple):
    """A check, and what it found wrong."""

    name: str
    faults: Sequence[str]

    def __str__(self) -> str:
        return f"{len(self.faults):5}  {self.name}"


class Games(NamedTuple):
    """What was played."""

    tables: int
    finished: int
    moves: int
    hands: int


async def check_books(database: Database) -> list[Verdict]:
    """The rows of every table, against each other."""
    report = await audit(database)
    return [Verdict(str(check), [str(f) for f in report.faults if f.check is check]) for check in Check]


async def check_waiting(database: Database, settled_at: datetime) -> Verdict:
    """Nobody waits for something that never comes."""
    with Session(database.engine) as session:
        found = session.exec(select(TableRow, ChatRow).join(ChatRow)).all()
    return Verdict(
        "every table waits for somebody with a deadline, or has ended",
        [f"table {row.id}: {why}" for row, chat in found if (why := _is_stuck(row, chat, settled_at))],
    )


def _is_stuck(row: TableRow, chat: ChatRow, settled_at: datetime) -> str:
    if not chat.active:
        return f"its chat {chat.telegram_id} is frozen, though the bot may write there"
    if row.ended_at is not None:
        # A lobby that was opened in a supergroup before the bot heard that it is the old group is closed as it stands.
        if row.phase != Phase.ENDED and row.round:
            return f"it was closed in the middle of its game, in {row.phase}"
        return "" if row.due_at is None else "it has ended and has a deadline"
    if row.phase not in WAITING - {Phase.ENDED}:
        return f"it is in {row.phase}"
    if row.due_at is None:
        return f"it waits in {row.phase} for ever"
    return f"its time was up at {row.due_at}" if row.due_at < settled_at else ""


async def check_boards(database: Database, telegram: Playground, deleted: Collection[tuple[int, int]]) -> Verdict:
    """The board of every open table, and of the last game of a place, is its row, drawn again.

    ``deleted``: boards (chat and message) that somebody has deleted. Telegram tells no bot of it, and a game that is
    over is never edited again: then that board is not looked for.
    """
    with Session(database.engine) as session:
        ended = session.exec(select(TableRow.id, TableRow.ended_at)).all()
        places = select(func.max(TableRow.id)).group_by(col(TableRow.chat_id), col(TableRow.topic))
        last = set(session.exec(places))
        games = {number for number in last if number is not None and _is_game(session, number)}
    boards = Boards(database)
    views = [
        await boards.view(number) for number, at in ended if number is not None and (at is None or number in games)
    ]
    gone = {v.number for v in views if v.table.phase is Phase.ENDED and (v.place.chat, v.board) in deleted}
    return Verdict(
        "the last board of every place equals the row",
        [w for v in views if v.number not in gone for w in _differences(v, telegram)],
    )


def _is_game(session: Session, number: int) -> bool:
    """Not a lobby that was closed because its group and another one are the same: that has no board to speak of."""
    return session.exec(select(TableRow.phase).where(TableRow.id == number)).one() == Phase.ENDED


def _differences(view: View, telegram: Playground) -> Iterator[str]:
    if view.shown < view.table.move:
        yield f"table {view.number}: the board shows move {view.shown}, the row is at {view.table.move}"
        return
    message = telegram.world.chats[view.place.chat].messages.get(view.board or 0)
    if message is None:
        yield f"table {view.number}: its board {view.board} is gone"
        return
    scene = Scene(view.number, view.names, view.due_at, datetime.now(UTC), page=view.page)
    board = draw(view.table, scene, words(view.language))
    text = markup.parse(board.text, telegram.world.user)
    drawn = keyboards.parse(board.keyboard.to_dict() if board.keyboard else None, _wrong)
    if _timeless(message.text) != _timeless(text.text):
        yield f"table {view.number}, message {message.id}: shown\n{message.text}\nrow\n{text.text}"
    if _deadline(message.entities) != _deadline(text.entities):
        yield f"table {view.number}: the board tells another deadline"
    if message.markup != drawn:
        yield f"table {view.number}: the board has other buttons: {message.markup} {drawn}"


def check_logs(logs: Sequence[Path], secrets: Sequence[str]) -> list[Verdict]:
    """The bots have complained of nothing but what was done to them, and betrayed nothing."""
    texts = [log.read_text() for log in logs if log.exists()]
    return [
        Verdict("no ERROR in the bots' logs", [error for text in texts for error in _errors(text)]),
        Verdict(
            "no token and no secret in the bots' logs",
            [line for text in texts for line in text.splitlines() if any(secret in line for secret in secrets)],
        ),
    ]


def _errors(text: str) -> Iterator[str]:
    """Every record that is an error, with its traceback, and everything that is no record at all."""
    record: list[str] = []
    for line in [*text.splitlines(), "2026-01-01 00:00:00,000 INFO end: "]:
        if _RECORD.match(line):
            if record and _is_error(record):
                yield "\n".join(record)
            record = []
        record.append(line)


def _is_error(record: Sequence[str]) -> bool:
    head = _RECORD.match(record[0])
    if head is None:
        return True
    said = record[0][head.end() :]
    is_explained = any(
        head[2] == logger and first.match(said) and last.match(record[-1]) for logger, first, last in _EXPLAINED
    )
    return head[1] in ("ERROR", "CRITICAL") and not is_explained


def check_ends(lives: Sequence[Life], logs: Sequence[Path]) -> Verdict:
    """A process that finds Telegram in trouble when it starts leaves with status 1, says why, and is started again."""
    deserters = [life for life in lives if not life.killed and life.ended is not None]
    said = sum(log.read_text().count("\nTelegram cannot be reached: ") for log in logs)
    excused = sum(life.status == 1 for life in deserters) <= said
    faults = [f"process {d.process}: status {d.status}" for d in deserters if d.status != 1 or not excused]
    return Verdict("no process ended by itself, but at its start for Telegram's trouble", faults)


def check_taps(unanswered: Sequence[Pressed]) -> Verdict:
    """Nobody's button spins in vain."""
    return Verdict(
        "every tap got an answer, or its bot was killed",
        [f"{tap.what} at {tap.tap.at:.3f}: {tap.deliveries}" for tap in unanswered],
    )


async def games(database: Database) -> Games:
    """What was played."""
    with Session(database.engine) as session:
        rows = session.exec(select(TableRow.ended_at)).all()
        moves = session.exec(select(MoveRow.events)).all()
    hands = sum(event["event"] == "Settled" for events in moves for event in events)
    return Games(len(rows), sum(ended is not None for ended in rows), len(moves), hands)


def _timeless(text: str) -> str:
    return "\n".join("⏳" if line.startswith("⏳") else line for line in text.split("\n"))


def _deadline(entities: Sequence[Json]) -> Sequence[int]:
    return [entity["unix_time"] for entity in entities if entity["type"] == "date_time"]


def _wrong(what: str) -> None:
    raise AssertionError(what)
