"""Trouble is what the database really says when it is away, busy or full, and nothing else."""

import asyncio
from collections.abc import AsyncIterator, Awaitable
from pathlib import Path

import pytest
import pytest_asyncio
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from persistence.engine import create_engine, parse_url
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
async def engine(url: str) -> AsyncIterator[AsyncEngine]:
    engine = create_engine(url)
    yield engine
    await engine.dispose()


async def execute(engine: AsyncEngine, sql: str, **values: object) -> None:
    async with engine.begin() as connection:
        await connection.execute(text(sql), values)


async def raised(doing: Awaitable[object]) -> Exception:
    """What it raises."""
    try:
        await doing
    except Exception as error:
        return error
    raise AssertionError("nothing happened")


on = pytest.mark.parametrize


@on("kind", ["postgresql"])
async def test_a_connection_that_is_cut_in_the_middle_of_a_transaction(engine: AsyncEngine, url: str) -> None:
    async with engine.connect() as connection:
        number = await connection.scalar(text("SELECT pg_backend_pid()"))
        other = create_engine(url)
        await execute(other, "SELECT pg_terminate_backend(:pid)", pid=number)
        await other.dispose()
        assert is_trouble(await raised(connection.execute(text("SELECT 1"))))


@on("kind", ["postgresql"])
@on("setting", ["lock_timeout", "statement_timeout"])
async def test_a_row_that_is_locked_for_too_long(engine: AsyncEngine, setting: str) -> None:
    await execute(engine, PLAYER, id=1)
    async with engine.begin() as one, engine.begin() as other:
        await one.execute(text("SELECT * FROM players WHERE id = 1 FOR UPDATE"))
        await other.execute(text(f"SET LOCAL {setting} = 20"))
        assert is_trouble(await raised(other.execute(text("SELECT * FROM players WHERE id = 1 FOR UPDATE"))))
        await other.rollback()


async def test_a_server_that_is_not_there() -> None:
    nowhere = create_engine("postgresql://ann@127.0.0.1:9/x")
    assert is_trouble(await raised(execute(nowhere, "SELECT 1")))


@on("kind", ["sqlite"])
async def test_a_file_that_is_locked(engine: AsyncEngine, url: str) -> None:
    other = create_engine(url)
    async with engine.connect() as connection:
        await connection.execute(text("PRAGMA busy_timeout=10"))
    async with other.begin():
        error = await raised(execute(engine, PLAYER, id=1))
        assert "database is locked" in str(error)
        assert is_trouble(error)
    await other.dispose()
    await execute(engine, PLAYER, id=1)


@on("kind", ["sqlite"])
async def test_a_disk_that_is_full(engine: AsyncEngine) -> None:
    async with engine.connect() as connection:
        pages = (await connection.execute(text("PRAGMA page_count"))).scalar()
        await connection.execute(text(f"PRAGMA max_page_count={pages}"))
    many = "INSERT INTO players (id, name, language) SELECT 1, hex(zeroblob(100000)), 'en'"
    error = await raised(execute(engine, many))
    assert "full" in str(error)
    assert is_trouble(error)


@on("kind", KINDS)
async def test_a_pool_without_a_free_connection(url: str) -> None:
    engine = create_async_engine(parse_url(url), pool_size=1, max_overflow=0, pool_timeout=0.01)
    async with engine.connect():
        assert is_trouble(await raised(execute(engine, "SELECT 1")))
    await engine.dispose()


@on("kind", KINDS)
@on(
    ("sql", "values"),
    [(PLAYER, {"id": 1}), (PLAYER, {"id": None}), (PLAYER, {"id": 2**80}), (CHIPS, {})],
    ids=["a key that is taken", "nothing", "too large", "below zero"],
)
async def test_what_would_fail_for_ever_is_no_trouble(engine: AsyncEngine, sql: str, values: dict[str, object]) -> None:
    await execute(engine, PLAYER, id=1)
    error = await raised(execute(engine, sql, **values))
    assert not is_trouble(error), repr(error)


@on("kind", ["postgresql"])
@on("sql", ["SELEC", "SELECT * FROM no_such_table", "SELECT 1 / 0"])
async def test_our_own_slips_are_none(engine: AsyncEngine, sql: str) -> None:
    """SQLite has one word for them and for trouble."""
    assert not is_trouble(await raised(execute(engine, sql)))


@on("error", [ValueError(), KeyError(), None, asyncio.CancelledError()])
def test_what_does_not_come_from_the_database_is_none(error: Exception | None) -> None:
    assert not is_trouble(error)
