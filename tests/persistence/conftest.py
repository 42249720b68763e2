"""What the tests of the rows share: an empty database in each engine, and a clock that stands."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

import pytest
import pytest_asyncio
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlmodel import SQLModel

from persistence.boards import Boards
from persistence.chats import Chats
from persistence.engine import create_engine
from persistence.tables import Tables
from tests.databases import KINDS, drop_databases, fresh_url


class Clock:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.now = datetime(2026, 11, 30, 20, 15, 3, 141592, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def wait(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


class Database(NamedTuple):
    """One database, and two ways to it: as one process has it, and as another one does."""

    engine: AsyncEngine
    other: AsyncEngine


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All tests of this folder share one event loop, so that they can share engines, which are slow to warm up."""
    for item in items:
        if pytest_asyncio.is_async_test(item) and item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def _databases() -> AsyncIterator[dict[tuple[str, str], Database]]:
    """The databases in use, by kind and purpose."""
    found: dict[tuple[str, str], Database] = {}
    yield found
    for database in found.values():
        await database.engine.dispose()
        await database.other.dispose()
    await asyncio.to_thread(drop_databases)


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    """Every test that touches a database runs on both engines."""
    found: str = request.param
    return found


@pytest.fixture
def purpose() -> str:
    """Tests that spoil the schema have a database of their own."""
    return "honest play"


@pytest_asyncio.fixture(loop_scope="session")
async def database(
    kind: str,
    purpose: str,
    _databases: dict[tuple[str, str], Database],
    tmp_path_factory: pytest.TempPathFactory,
) -> Database:
    """A database that is migrated and empty."""
    if (kind, purpose) not in _databases:
        url = await fresh_url(kind, tmp_path_factory.mktemp("databases"))
        _databases[kind, purpose] = Database(create_engine(url), create_engine(url))
    found = _databases[kind, purpose]
    async with found.engine.begin() as connection:
        for table in reversed(SQLModel.metadata.sorted_tables):
            await connection.execute(table.delete())
        if kind == "postgresql":
            for sequence in ("chats_id_seq", "tables_id_seq"):
                await connection.execute(text(f"ALTER SEQUENCE {sequence} RESTART"))
    return found


@pytest.fixture
def engine(database: Database) -> AsyncEngine:
    return database.engine


@pytest.fixture
def other_engine(database: Database) -> AsyncEngine:
    """The same database through connections of its own, as another process has it."""
    return database.other


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def tables(engine: AsyncEngine, clock: Clock) -> Tables:
    return Tables(engine, clock)


@pytest.fixture
def boards(engine: AsyncEngine, clock: Clock) -> Boards:
    return Boards(engine, clock)


@pytest.fixture
def chats(engine: AsyncEngine, clock: Clock) -> Chats:
    return Chats(engine, clock)
