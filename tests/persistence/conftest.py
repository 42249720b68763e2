"""What the tests of the rows share: an empty database in each engine, and a clock that stands."""

from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from persistence.boards import Boards
from persistence.chats import Chats
from persistence.engine import create_engine
from persistence.tables import Tables
from tests.databases import KINDS, drop_databases, empty_url, fresh_url

pytest.register_assert_rewrite("tests.persistence.evenings")


class Clock:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.now = datetime(2026, 11, 30, 20, 15, 3, 141592, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def wait(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


@pytest.fixture(scope="session")
def _databases() -> Iterator[None]:
    yield
    drop_databases()


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest, _databases: None) -> str:
    """Every test that touches a database runs on both engines."""
    found: str = request.param
    return found


@pytest.fixture
async def url(kind: str, tmp_path: Path) -> str:
    """A database of its own, migrated and empty."""
    return await fresh_url(kind, tmp_path)


@pytest.fixture
async def bare_url(kind: str, tmp_path: Path) -> str:
    """A database without any table."""
    return await empty_url(kind, tmp_path)


@pytest.fixture
async def engine(url: str) -> AsyncIterator[AsyncEngine]:
    engine = create_engine(url)
    yield engine
    await engine.dispose()


@pytest.fixture
async def other_engine(url: str) -> AsyncIterator[AsyncEngine]:
    """The same database through connections of its own, as another process has it."""
    engine = create_engine(url)
    yield engine
    await engine.dispose()


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
