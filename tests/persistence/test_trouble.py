"""Trouble is what the database really says when it is away, busy or full, and nothing else."""

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
import pytest_asyncio
from sqlalchemy import QueuePool, create_engine, text

from persistence.database import Database
from persistence.engine import parse_url
from persistence.trouble import is_trouble
from tests.databases import KINDS, fresh_url

PLAYER = "INSERT INTO players (id, name, language) VALUES (:id, 'Ann', 'en')"

CHIPS = (
    "INSERT INTO seats (table_id, player, place, chips, cashed, bought, rebuys, missed, away, leaving, gone, newcomer)"
    " VALUES (1, 1, 1, -1, 1, 1, 1, 1, true, true, true, true)"
)


@pytest_asyncio.fixture(loop_scope="session")
async def url(kind: str, tmp_path: Path) -> str:
    return await fresh_url(kind, tmp_path)


@pytest_asyncio.fixture(loop_scope="session")
async def database(url: str) -> AsyncIterator[Database]:
    database = Database(url)
    yield database
    await database.close()


def execute(database: Database, sql: str, **values: object) -> None:
    with database.engine.begin() as connection:
        connection.execute(text(sql), values)


def raised(doing: Callable[[], object]) -> Exception:
    """What it raises."""
    try:
        doing()
    except Exception as error:
        return error
    raise AssertionError("nothing happened")


on = pytest.mark.parametrize


@on("kind", ["postgresql"])
async def test_a_connection_that_is_cut_in_the_middle_of_a_transaction(database: Database, url: str) -> None:
    with database.engine.connect() as connection:
        number = connection.scalar(text("SELECT pg_backend_pid()"))
        other = Database(url)
        execute(other, "SELECT pg_terminate_backend(:pid)", pid=number)
        await other.close()
        assert is_trouble(raised(lambda: connection.execute(text("SELECT 1"))))


@on("kind", ["postgresql"])
@on("setting", ["lock_timeout", "statement_timeout"])
async def test_a_row_that_is_locked_for_too_long(database: Database, setting: str) -> None:
    execute(database, PLAYER, id=1)
    lock = text("SELECT * FROM players WHERE id = 1 FOR UPDATE")
    with database.engine.connect() as one, database.engine.connect() as other:
        one.execute(lock)
        other.execute(text(f"SET LOCAL {setting} = 20"))
        assert is_trouble(raised(lambda: other.execute(lock)))


async def test_a_server_that_is_not_there() -> None:
    nowhere = Database("postgresql://ann@127.0.0.1:9/x")
    assert is_trouble(raised(lambda: execute(nowhere, "SELECT 1")))


@on("kind", ["sqlite"])
async def test_a_file_that_is_locked(database: Database, url: str) -> None:
    other = Database(url)
    with database.engine.connect() as connection:
        connection.execute(text("PRAGMA busy_timeout=10"))
    with other.engine.begin():
        error = raised(lambda: execute(database, PLAYER, id=1))
        assert "database is locked" in str(error)
        assert is_trouble(error)
    await other.close()
    execute(database, PLAYER, id=1)


@on("kind", ["sqlite"])
async def test_a_disk_that_is_full(database: Database) -> None:
    with database.engine.connect() as connection:
        pages = connection.execute(text("PRAGMA page_count")).scalar()
        connection.execute(text(f"PRAGMA max_page_count={pages}"))
    many = "INSERT INTO players (id, name, language) SELECT 1, hex(zeroblob(100000)), 'en'"
    error = raised(lambda: execute(database, many))
    assert "full" in str(error)
    assert is_trouble(error)


@on("kind", KINDS)
async def test_a_pool_without_a_free_connection(url: str) -> None:
    engine = create_engine(parse_url(url), poolclass=QueuePool, pool_size=1, max_overflow=0, pool_timeout=0.01)
    with engine.connect():
        assert is_trouble(raised(engine.connect))
    engine.dispose()


@on("kind", KINDS)
@on(
    ("sql", "values"),
    [(PLAYER, {"id": 1}), (PLAYER, {"id": None}), (PLAYER, {"id": 2**80}), (CHIPS, {})],
    ids=["a key that is taken", "nothing", "too large", "below zero"],
)
async def test_what_would_fail_for_ever_is_no_trouble(database: Database, sql: str, values: dict[str, object]) -> None:
    execute(database, PLAYER, id=1)
    error = raised(lambda: execute(database, sql, **values))
    assert not is_trouble(error), repr(error)


@on("kind", ["postgresql"])
@on("sql", ["SELEC", "SELECT * FROM no_such_table", "SELECT 1 / 0"])
async def test_our_own_slips_are_none(database: Database, sql: str) -> None:
    """SQLite has one word for them and for trouble."""
    assert not is_trouble(raised(lambda: execute(database, sql)))


@on("error", [ValueError(), KeyError(), None, asyncio.CancelledError()])
def test_what_does_not_come_from_the_database_is_none(error: Exception | None) -> None:
    assert not is_trouble(error)
