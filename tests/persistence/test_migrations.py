"""Migrations: they give the schema of the rows, however often and by however many they are applied."""

import asyncio
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from sqlalchemy import Connection, inspect, select
from sqlmodel import SQLModel

from domain.presets import HOME_POT
from domain.settings import Settings
from persistence.database import Database
from persistence.mapping import Place
from persistence.rows import TableRow
from persistence.sitting import columns
from persistence.tables import Tables
from tests.databases import empty_url


@pytest_asyncio.fixture(loop_scope="session")
async def url(kind: str, tmp_path: Path) -> str:
    """Here, and only here, a database begins without any table."""
    return await empty_url(kind, tmp_path)


@pytest_asyncio.fixture(loop_scope="session")
async def database(url: str) -> AsyncIterator[Database]:
    database = Database(url)
    yield database
    await database.close()


def differences(connection: Connection) -> list[Any]:
    options = {"compare_type": True, "compare_server_default": True}
    found: list[Any] = compare_metadata(MigrationContext.configure(connection, opts=options), SQLModel.metadata)
    return found


def schema(connection: Connection) -> dict[str, Any]:
    """All that a database says about its tables, in the same order every time."""
    look = inspect(connection)
    asked = (
        *(look.get_columns, look.get_pk_constraint, look.get_foreign_keys, look.get_indexes),
        *(look.get_unique_constraints, look.get_check_constraints),
    )
    return {
        table: {ask.__name__: _in_order(ask(table)) for ask in asked}
        for table in look.get_table_names()
        if table != "alembic_version"
    }


def _in_order(found: Any) -> list[str]:
    return sorted(map(_as_text, found)) if isinstance(found, list) else [_as_text(found)]


def _as_text(found: Any) -> str:
    """Without the addresses in memory that the conditions of an index would show."""
    if isinstance(found, dict):
        return str({key: _as_text(value) for key, value in found.items()})
    return str(found)


async def test_they_give_the_schema_of_the_rows(database: Database) -> None:
    await database.migrate()
    with database.engine.connect() as connection:
        assert differences(connection) == []


async def test_no_index_and_no_check_is_missing(database: Database) -> None:
    """What Alembic does not compare: checks, and for which rows an index holds."""
    await database.migrate()
    with database.engine.begin() as connection:
        migrated = schema(connection)
        downgrade(connection)
        SQLModel.metadata.create_all(connection)
        assert migrated == schema(connection)
    assert "one_open_table" in repr(migrated)
    assert "cashed_not_negative" in repr(migrated)


async def test_applied_again_they_do_nothing(database: Database) -> None:
    await database.migrate()
    with database.engine.begin() as connection:
        before = schema(connection)
        connection.exec_driver_sql("INSERT INTO players (id, name, language) VALUES (1, 'Ann', 'en')")
    await database.migrate()
    with database.engine.connect() as connection:
        assert schema(connection) == before
        assert connection.exec_driver_sql("SELECT name FROM players").scalars().all() == ["Ann"]


async def test_several_connections_that_migrate_at_once_do_no_harm(url: str) -> None:
    databases = [Database(url) for _ in range(4)]
    async with asyncio.timeout(30):  # without the lock they wait for each other
        await asyncio.gather(*(database.migrate() for database in databases))
    with databases[0].engine.connect() as connection:
        assert differences(connection) == []
    for database in databases:
        await database.close()


MIGRATE = """
import asyncio, sys
from persistence.database import Database
database = Database(sys.argv[1])
async def start():
    print("ready", flush=True)
    sys.stdin.readline()
    await database.migrate()
    await database.close()
asyncio.run(start())
"""


@pytest.mark.parametrize("kind", ["sqlite"], indirect=True)  # to a server, connections and processes are the same
async def test_two_processes_that_start_at_once_do_no_harm(url: str, database: Database) -> None:
    pipe = asyncio.subprocess.PIPE
    other = await asyncio.create_subprocess_exec(
        sys.executable, "-c", MIGRATE, url, stdin=pipe, stdout=pipe, stderr=pipe
    )
    assert other.stdout is not None
    assert await other.stdout.readline() == b"ready\n"
    (_, complaints), _ = await asyncio.gather(other.communicate(b"\n"), database.migrate())
    assert (other.returncode, complaints) == (0, b"")
    with database.engine.connect() as connection:
        assert differences(connection) == []


def downgrade(connection: Connection, to: str = "base") -> None:
    config = Config()
    config.set_main_option("script_location", "persistence:migrations")
    config.attributes["connection"] = connection
    command.downgrade(config, to)


async def test_they_can_be_taken_back_and_applied_again(database: Database) -> None:
    await database.migrate()
    with database.engine.begin() as connection:
        downgrade(connection)
        assert schema(connection) == {}
    await database.migrate()
    with database.engine.connect() as connection:
        assert differences(connection) == []


async def test_tables_of_the_version_before_forget_their_old_hands(database: Database) -> None:
    """Six are kept, and all of the newest move, as the game itself does."""
    await database.migrate()
    remembered = {"few": [1, 2, 3], "many": [*range(1, 41)], "one move": [1, *[2] * 9]}
    numbers = [await a_table(database, Place(-chat)) for chat in range(1, 4)]
    rows = columns(TableRow)
    with database.engine.begin() as connection:
        downgrade(connection, "0002")
        for number, moves in zip(numbers, remembered.values(), strict=True):
            rest = {"played": [{"move": move} for move in moves], "queue": [7]}
            connection.execute(rows.update().where(rows.c.id == number).values(rest=rest))
    await database.migrate()
    with database.engine.connect() as connection:
        found = {row.id: row.rest for row in connection.execute(select(rows.c.id, rows.c.rest))}
    kept = {number: [hand["move"] for hand in rest["played"]] for number, rest in found.items()}
    assert kept == dict(zip(numbers, [[1, 2, 3], [35, 36, 37, 38, 39, 40], [2] * 9], strict=True))
    assert all(rest["queue"] == [7] for rest in found.values())


async def a_table(database: Database, place: Place) -> int:
    async with Tables(database).at(place) as sitting:
        sitting.open(place, 1, HOME_POT, Settings())
    return sitting.id
