"""What lies behind a bot that has been played for years: ended tables, their moves, and thousands that are open."""

from sqlalchemy import Connection, insert, select, text
from sqlmodel import SQLModel

from domain import commands as c
from domain.presets import HOME_POT
from domain.settings import Settings
from persistence.database import Database
from persistence.mapping import Person, Place
from persistence.tables import Tables
from tests.bench.crowd import Crowd
from tests.soak.groups import Group

_NUMBERS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :most)"
_FAR = -900_000_000_000
"""Before Telegram's id of a group that is there only to have a past."""


async def open_tables(url: str, crowd: Crowd) -> None:
    """A game of four in every group of a crowd, somebody is asked, and no message shows it yet."""
    database = Database(url)
    try:
        tables = Tables(database)
        for group in crowd.groups:
            await _begin(tables, group)
    finally:
        await database.close()


async def copied_tables(url: str, crowd: Crowd) -> None:
    """The same, but the same four play everywhere: only the first group can go on."""
    database, (first, *others) = Database(url), crowd.groups
    try:
        number = await _begin(Tables(database), first)
        with database.engine.begin() as connection:
            chats, tables = (SQLModel.metadata.tables[name] for name in ("chats", "tables"))
            chat = connection.execute(select(chats)).one()
            rows = [{**chat._asdict(), "id": chat.id + i, "telegram_id": o.first_chat} for i, o in enumerate(others, 1)]
            connection.execute(insert(chats), rows)
            in_chats = {"id": "id + i", "chat_id": "chat_id + i"}
            _copy(connection, tables.name, len(others), "id = :one", in_chats, number)
            _copy(connection, "seats", len(others), "table_id = :one", {"table_id": "table_id + i"}, number)
            _go_on_counting(connection)
    finally:
        await database.close()


async def _begin(tables: Tables, group: Group) -> int:
    """A game whose clock has a day for everybody."""
    place, settings = Place(group.first_chat), Settings(cut=False, chips=1000, clock=86_400)
    async with tables.at(place) as sitting:
        sitting.chat.language = "en"
        for member in (group.founder, *group.others):
            sitting.remember(Person(member.id, member.name, "en"))
        sitting.open(place, group.founder.id, HOME_POT, settings)
        for member in group.others:
            sitting.play(c.Join(member.id))
        sitting.play(c.Start(group.founder.id, f"{group.number:064x}"))
    return sitting.id


async def ended_tables(url: str, tables: int, moves: int) -> None:
    """So many ended tables with so many moves each, in groups of ten tables; copies of one, long shown and heard of."""
    database = Database(url)
    try:
        every = Tables(database)
        place = Place(_FAR)
        async with every.at(place) as sitting:
            sitting.remember(Person(1, "Ann", "en"))
            sitting.open(place, 1, HOME_POT, Settings())
        async with every.at(place) as sitting:
            sitting.play(c.End(1, now=True))
            number = sitting.id
        with database.engine.begin() as connection:
            _multiply(connection, number, tables, moves)
        with database.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.execute(text("ANALYZE"))
    finally:
        await database.close()


def _multiply(connection: Connection, number: int, tables: int, moves: int) -> None:
    """Copies of the table with this number, which has ended."""
    connection.execute(text("UPDATE tables SET shown = move, heard = move"))
    groups = tables // 10 + 1
    _copy(connection, "chats", groups, "telegram_id = :one", {"id": "id + i", "telegram_id": "telegram_id - i"}, _FAR)
    first = connection.execute(text("SELECT min(id) FROM chats")).scalar_one()
    in_groups = {"id": "id + i", "chat_id": f"{first} + 1 + i % {groups}"}
    _copy(connection, "tables", tables, "id = :one", in_groups, number)
    _copy(connection, "seats", tables, "table_id = :one", {"table_id": "table_id + i"}, number)
    for move in range(moves):
        of_a_move = {"table_id": "table_id + i", "move": f"10 + {move}"}
        _copy(connection, "journal", tables, "table_id = :one AND move = 1", of_a_move, number)
    _go_on_counting(connection)


def _go_on_counting(connection: Connection) -> None:
    """PostgreSQL does not notice that somebody else has given numbers."""
    if connection.dialect.name == "postgresql":
        for kind in ("chats", "tables"):
            connection.execute(text(f"SELECT setval('{kind}_id_seq', (SELECT max(id) FROM {kind}))"))  # noqa: S608


def _copy(connection: Connection, kind: str, most: int, which: str, changed: dict[str, str], one: int) -> None:
    """Rows 1 to ``most`` like the one in question, but for the columns whose value is said."""
    columns = [column.name for column in SQLModel.metadata.tables[kind].columns]
    values = ", ".join(changed.get(name, name) for name in columns)
    like = f"{_NUMBERS} SELECT {values} FROM n, (SELECT * FROM {kind} WHERE {which}) AS one"  # noqa: S608
    connection.execute(text(f"INSERT INTO {kind} ({', '.join(columns)}) {like}"), {"most": most, "one": one})
