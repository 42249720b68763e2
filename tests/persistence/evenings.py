"""Evenings by luck: people who do what people do, and the tables they do it at."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from random import Random
from typing import Any

from sqlalchemy import event
from sqlmodel import Session, SQLModel, col, select

from domain import commands as c
from domain.choices import choices
from domain.hand import Side
from domain.play import open_table, play
from domain.presets import HOME_POT
from domain.refusals import Refusal
from domain.rules import Rules, Shuffle
from domain.settings import Settings
from domain.table import Phase, Table
from persistence.boards import Boards
from persistence.chats import chat_row
from persistence.database import Database
from persistence.journal import dump_table
from persistence.mapping import Person, Place
from persistence.rows import SeatRow, TableRow
from persistence.sitting import Sitting
from persistence.tables import Due, Tables

PEOPLE = tuple(Person(5_000_000_001 + n, f"Person {n} ♠ Žofia", "pl" if n % 3 else "en") for n in range(20))
"""More than fit at a table; ids as large as Telegram's are today."""
ANN, BOB, CAT, DAN = (person.id for person in PEOPLE[:4])
PLACE = Place(-1001234567890)
TOPIC = Place(-1001234567890, 3_000_000_007)
SEED = "5eed" * 16


# -- commands --------------------------------------------------------------------------------------


def some_settings(luck: Random, rules: Rules) -> Settings:
    """Few chips and few rounds, so that people lose all, buy again and come to an end."""
    return Settings(
        chips=luck.choice([3, 8, 50, 1_000_000]),
        rebuys=luck.choice([0, 2, None]),
        rounds=luck.choice([None, None, 4]),
        cut=rules.shuffle is not Shuffle.TURN and luck.random() < 0.7,
        seats=luck.choice([6, 17]),
    )


def some_command(luck: Random, table: Table, people: int = 8) -> c.Command:
    """What somebody, or the clock, could do now; most of it makes sense, some of it is refused."""
    if luck.random() < 0.72 and (answer := some_answer(luck, table)):
        return answer
    anybody = PEOPLE[luck.randrange(people)].id
    odd: list[c.Command] = [
        c.Join(anybody),
        c.Join(anybody),
        c.Leave(anybody),
        c.Kick(table.host, anybody),
        c.Rebuy(anybody),
        c.Back(anybody),
        c.RunOutOfTime(table.asked),
        c.RunOutOfTime(table.asked),
        c.RunOutOfTime(table.asked - 1),
        c.Bet(anybody, luck.randint(0, 3)),
        c.End(anybody),
        c.SharePot(anybody),
        c.SharePot(anybody),
        c.PassBank(anybody),
        c.SetMaxBet(table.host, luck.randint(1, 30)),
        c.End(anybody, admin=luck.random() < 0.05, now=luck.random() < 0.5),
    ]
    return luck.choice(odd)


def some_answer(luck: Random, table: Table) -> c.Command | None:
    """An answer to the open question, or ``None`` if it is a rest that only people can end."""
    asked, now = table.actor, choices(table)
    answers: list[c.Command] = []
    if table.phase is Phase.LOBBY:
        ready = len(table.seats) >= luck.randint(2, 6)
        return c.Start(table.host, luck.randbytes(32).hex()) if ready else c.Join(luck.choice(PEOPLE[:8]).id)
    if table.phase is Phase.REST:
        return c.Rebuy(luck.choice(table.present).player) if luck.random() < 0.7 else None
    if asked is None:
        return None
    if now.cut:
        answers.append(c.Cut(asked, luck.randint(now.cut.least, now.cut.most)))
    if now.stake:
        answers.append(c.PutUp(asked, luck.randint(1, now.stake.most)))
    if now.call:
        answers.append(c.CallAce(asked, low=luck.random() < 0.5))
    if now.guess:
        answers.append(c.Guess(asked, luck.choice([*Side])))
    if now.bet:
        answers += [c.Bet(asked, luck.choice([now.bet.least, now.bet.most])), c.Bet(asked, now.bet.most)]
    if now.more:
        answers.append(c.Raise(asked, luck.choice([0, now.more.most])))
    if now.pass_cost is not None:
        answers.append(c.Pass(asked))
    return luck.choice(answers)


# -- tables ----------------------------------------------------------------------------------------


async def remember(tables: Tables, place: Place = PLACE, people: int = len(PEOPLE)) -> None:
    """Everybody has been seen in the group."""
    async with tables.at(place) as sitting:
        for person in PEOPLE[:people]:
            sitting.remember(person)


async def open_at(
    tables: Tables,
    place: Place = PLACE,
    *,
    players: int = 3,
    rules: Rules = HOME_POT,
    settings: Settings | None = None,
    start: bool = True,
) -> int:
    """A table of the first so many people; the game has begun. Its number."""
    async with tables.at(place) as sitting:
        for person in PEOPLE[:players]:
            sitting.remember(person)
        sitting.open(place, PEOPLE[0].id, rules, settings or Settings(cut=False))
        for person in PEOPLE[1:players]:
            sitting.play(c.Join(person.id))
        if start:
            sitting.play(c.Start(PEOPLE[0].id, SEED))
    return sitting.id


async def table_at(tables: Tables, place: Place = PLACE) -> Table:
    """The table that stands there."""
    async with tables.at(place) as sitting:
        return seen(sitting)


def seen(sitting: Sitting) -> Table:
    """The table of a place that has one."""
    assert sitting.table is not None
    return sitting.table


def in_memory(players: int, rules: Rules = HOME_POT, settings: Settings | None = None) -> Table:
    """A game as `open_at` begins it, in the domain alone."""
    first, *others = PEOPLE[:players]
    _, table = open_table(first.id, rules, settings or Settings(cut=False))
    for person in others:
        _, table = play(table, c.Join(person.id))
    return play(table, c.Start(first.id, SEED))[1]


def takes(table: Table, command: c.Command) -> bool:
    """Whether the table does not refuse a command."""
    try:
        play(table, command)
    except Refusal:
        return False
    return True


# -- statements ------------------------------------------------------------------------------------


@contextmanager
def statements_of(database: Database) -> Iterator[list[str]]:
    """The SQL that an engine sends meanwhile, without the beginning and the end of a transaction."""
    seen: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        if not statement.startswith("BEGIN"):
            seen.append(statement)

    event.listen(database.engine, "before_cursor_execute", note)
    try:
        yield seen
    finally:
        event.remove(database.engine, "before_cursor_execute", note)


# -- rows ------------------------------------------------------------------------------------------


async def rows_of(database: Database) -> dict[str, list[tuple[Any, ...]]]:
    """Everything that is written anywhere."""
    found = {}
    with database.engine.connect() as connection:
        for table in SQLModel.metadata.sorted_tables:
            rows = connection.execute(table.select().order_by(*table.primary_key))
            found[table.name] = [tuple(row) for row in rows]
    return found


async def row_of(database: Database, number: int) -> TableRow:
    """The row of a table."""
    with Session(database.engine, expire_on_commit=False) as session:
        return session.exec(select(TableRow).where(col(TableRow.id) == number)).one()


async def deadlines(database: Database, now: datetime, number: int) -> tuple[float | None, float | None]:
    """In how many seconds the clock answers for the player who is asked at a table, and reminds him."""
    row = await row_of(database, number)
    due, warn = ((at - now).total_seconds() if at else None for at in (row.due_at, row.warn_at))
    return due, warn


async def play_at(tables: Tables, command: c.Command, place: Place = PLACE) -> None:
    """Play one command there."""
    async with tables.at(place) as sitting:
        sitting.play(command)


async def put(database: Database, place: Place, table: Table, at: datetime) -> int:
    """A table as it would stand there after its moves, without the moves."""
    data = dump_table(table)
    seats, departed = data.pop("seats"), data.pop("departed")
    columns = {name: data.pop(name) for name in [*data] if name in TableRow.model_fields}
    with Session(database.engine, expire_on_commit=False) as session, session.begin():
        chat = chat_row(session, place.chat, at)
        assert chat.id is not None
        row = TableRow(chat_id=chat.id, topic=place.topic, opened_at=at, rest=data, **columns)
        session.add(row)
        session.flush()
        assert row.id is not None
        for number, seat in enumerate(seats):
            session.add(SeatRow(table_id=row.id, place=number, **seat))
        for number, seat in enumerate(departed):
            session.add(SeatRow(table_id=row.id, place=-1 - number, **seat))
        return row.id


def questions(found: Sequence[Due]) -> Sequence[tuple[int, int]]:
    """The tables that are due, each with the move that put its question."""
    return [(due.number, due.asked) for due in found]


async def behind(boards: Boards) -> Sequence[tuple[int, int]]:
    """The tables whose board is older than their row, each with its chat."""
    return [(board.number, board.chat) for board in await boards.behind()]
