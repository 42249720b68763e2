"""What lies behind a bot that has been played for years: ended tables, their moves, and thousands that are open."""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import text

from domain import commands as c
from domain.presets import HOME_POT
from domain.settings import Settings
from domain.table import Table
from persistence.database import Database
from persistence.engine import utc_now
from persistence.mapping import Person, Place
from persistence.tables import Tables
from tests.bench.crowd import Crowd
from tests.soak.groups import Group

_NUMBERS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :most) "
_FAR = -900_000_000_000
"""Before Telegram's id of a group that is there only to have a past."""


async def open_tables(url: str, crowd: Crowd, seconds_left: float = 86_400) -> None:
    """A game of four in every group of a crowd, somebody is asked, and no message shows it yet."""
    database = Database(url)
    try:
        tables = Tables(database)
        for group in crowd.groups:
            await _begin(tables, group)
        due = utc_now() + timedelta(seconds=seconds_left)
        await database.write(
            lambda session: session.connection().execute(
                text("UPDATE tables SET due_at = :due, warn_at = NULL WHERE ended_at IS NULL").bindparams(
                    due=_told(database, due)
                )
            )
        )
    finally:
        await database.close()


def _told(database: Database, at: datetime) -> Any:
    return at.strftime("%Y-%m-%d %H:%M:%S.%f") if database.kind == "sqlite" else at


async def _begin(tables: Tables, group: Group) -> Table:
    place, settings = Place(group.first_chat), Settings(cut=False, chips=1000)
    people = (group.founder, *group.others)
    async with tables.at(place) as sitting:
        sitting.chat.language = "en"
        for member in people:
            sitting.remember(Person(member.id, member.name, "en"))
        sitting.open(place, group.founder.id, HOME_POT, settings)
        for member in group.others:
            sitting.play(c.Join(member.id))
        sitting.play(c.Start(group.founder.id, f"{group.number:064x}"))
        assert sitting.table is not None
        return sitting.table


async def ended_tables(url: str, tables: int, moves: int) -> None:
    """So many ended tables with so many moves each, in groups of ten tables; copies of one."""
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
            groups = tables // 10 + 1
            connection.execute(
                text(
                    "INSERT INTO chats (telegram_id, language, active, free_at) "
                    + _NUMBERS
                    + "SELECT :far - i, 'en', active, free_at FROM n, chats WHERE telegram_id = :far"
                ),
                {"most": groups, "far": _FAR},
            )
            first = connection.execute(text("SELECT max(id) FROM chats")).scalar_one() - groups
            _copy(connection, "tables", number, {"id": "id + i", "chat_id": f"{first} + 1 + i % {groups}"}, tables, "")
            _copy(connection, "seats", number, {"table_id": "table_id + i"}, tables, "")
            events = "SELECT {columns} FROM n, (SELECT * FROM journal WHERE table_id = :number AND move = 1) AS one, k"
            many = _NUMBERS.rstrip() + ", k(j) AS (SELECT 1 UNION ALL SELECT j + 1 FROM k WHERE j < :moves) "
            connection.execute(
                text(
                    "INSERT INTO journal (table_id, move, at, events) "
                    + many
                    + events.format(columns="table_id + i, 10 + j, at, events")
                ),
                {"most": tables, "moves": moves, "number": number},
            )
            if database.kind == "postgresql":
                connection.execute(text("SELECT setval('tables_id_seq', (SELECT max(id) FROM tables))"))
        with database.engine.connect() as connection:
            connection.execute(text("ANALYZE" if database.kind == "sqlite" else "ANALYZE tables"))
            connection.commit()
    finally:
        await database.close()


def _copy(connection: Any, kind: str, number: int, changed: dict[str, str], most: int, _: str) -> None:
    from persistence.rows import SQLModel

    columns = [column.name for column in SQLModel.metadata.tables[kind].columns]
    key = "id" if kind == "tables" else "table_id"
    values = ", ".join(changed.get(name, name) for name in columns)
    connection.execute(
        text(
            f"INSERT INTO {kind} ({', '.join(columns)}) {_NUMBERS} SELECT {values} FROM n, {kind} WHERE {key} = :number"
        ),
        {"most": most, "number": number},
    )
