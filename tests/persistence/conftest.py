"""What the tests of the rows share: an empty database in each database, and a clock that stands."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

import pytest
import pytest_asyncio
from sqlalchemy import text
from sqlmodel import SQLModel

from persistence.boards import Boards
from persistence.chats import Chats
from persistence.database import Database
from persistence.pace import Pace
from persistence.tables import Tables
from tests.databases import KINDS, drop_databases, fresh_url

UNLIMITED = Pace(timedelta(), 1)
"""Of what a test is not about."""


class Clock:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.now = datetime(2026, 11, 30, 20, 15, 3, 141592, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def wait(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


class Two(NamedTuple):
    """One database, and two ways to it: as one process has it, and as another one does."""

    database: Database
    other: Database


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All tests of this folder share one event loop, so that they can share engines, which are slow to warm up."""
    for item in items:
        if pytest_asyncio.is_async_test(item) and item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def _databases() -> AsyncIterator[dict[tuple[str, str], Two]]:
    """The databases in use, by kind and purpose."""
    found: dict[tuple[str, str], Two] = {}
    yield found
    for two in found.values():
        await two.database.close()
        await two.other.close()
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
async def two(
    kind: str,
    purpose: str,
    _databases: dict[tuple[str, str], Two],
    tmp_path_factory: pytest.TempPathFactory,
) -> Two:
    """A database that is migrated and empty."""
    if (kind, purpose) not in _databases:
        url = await fresh_url(kind, tmp_path_factory.mktemp("databases"))
        _databases[kind, purpose] = Two(Database(url), Database(url))
    found = _databases[kind, purpose]
    with found.database.engine.begin() as connection:
        for table in reversed(SQLModel.metadata.sorted_tables):
            if table.name == "budget":  # its one row is always there
                connection.execute(table.update().values(free_at=datetime(1970, 1, 1, tzinfo=UTC)))
            else:
                connection.execute(table.delete())
        if kind == "postgresql":
            for sequence in ("chats_id_seq", "tables_id_seq"):
                connection.execute(text(f"ALTER SEQUENCE {sequence} RESTART"))
    return found


@pytest.fixture
def database(two: Two) -> Database:
    return two.database


@pytest.fixture
def other_database(two: Two) -> Database:
    """The same database through connections of its own, as another process has it."""
    return two.other


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def tables(database: Database, clock: Clock) -> Tables:
    return Tables(database, clock)


@pytest.fixture
def boards(database: Database, clock: Clock) -> Boards:
    return Boards(database, clock, everybody=UNLIMITED)


@pytest.fixture
def chats(database: Database, clock: Clock) -> Chats:
    return Chats(database, clock)
