"""Engines for the two databases the bot runs on, and the migrations that every start applies."""

from datetime import UTC, datetime
from typing import Any

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, event, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

_DRIVERS = {
    "sqlite": "sqlite+aiosqlite",
    "postgres": "postgresql+asyncpg",
    "postgresql": "postgresql+asyncpg",
}
LOCK_SECONDS = 10.0
"""How long a move waits for somebody else's before it gives up: its player is told to try again."""
CONNECT_SECONDS = 10.0
"""How long a PostgreSQL may take to answer a new connection."""
_LOCK = "lock_timeout"
_LIMITS = {
    "statement_timeout": 30.0,
    "idle_in_transaction_session_timeout": 60.0,  # a process that hangs in a transaction holds up no other for ever
}
_MIGRATION_LOCK = 0x1B37EE4  # any number, as long as every process of ours takes the same


def utc_now() -> datetime:
    """The time of the wall clock, aware, in UTC."""
    return datetime.now(UTC)


def parse_url(url: str) -> URL:
    """A database URL with the asynchronous driver that belongs to it.

    Raises:
        ValueError: neither SQLite nor PostgreSQL.
    """
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise ValueError("a database URL looks like sqlite:///tables.db or postgresql://user@host/name") from None
    driver = _DRIVERS.get(parsed.drivername, parsed.drivername)
    if driver not in _DRIVERS.values():
        raise ValueError(f"the bot keeps its tables in SQLite or PostgreSQL, not in {parsed.drivername!r}")
    return parsed.set(drivername=driver)


def create_engine(url: str) -> AsyncEngine:
    """An engine for ``url``; for SQLite the file is made when it is first written.

    Raises:
        ValueError: neither SQLite nor PostgreSQL.
    """
    parsed = parse_url(url)
    if parsed.get_backend_name() == "postgresql":
        limits = {name: str(round(seconds * 1000)) for name, seconds in {**_LIMITS, _LOCK: LOCK_SECONDS}.items()}
        reach = {"timeout": CONNECT_SECONDS, "server_settings": limits}
        return create_async_engine(parsed, pool_pre_ping=True, connect_args=reach)
    # One connection: SQLite has one writer, and several would only wait for each other.
    engine = create_async_engine(parsed, pool_size=1, max_overflow=0)
    event.listen(engine.sync_engine, "connect", _prepare_sqlite)
    event.listen(engine.sync_engine, "begin", _begin_immediate)
    return engine


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    connection.isolation_level = None  # we say BEGIN ourselves, below
    cursor = connection.cursor()
    busy = f"busy_timeout={round(LOCK_SECONDS * 1000)}"
    for pragma in ("journal_mode=WAL", "synchronous=NORMAL", busy, "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin_immediate(connection: Connection) -> None:
    # SQLite ignores FOR UPDATE; taking the write lock first is what keeps two writers from reading the same row.
    connection.exec_driver_sql("BEGIN IMMEDIATE")


async def migrate(engine: AsyncEngine) -> None:
    """Bring the database to the newest schema; of several processes that start at once, one does it."""
    async with engine.begin() as connection:
        if connection.dialect.name == "postgresql":
            for limit in (_LOCK, *_LIMITS):  # a migration takes the time it takes, and so does waiting for one
                await connection.execute(text(f"SET LOCAL {limit} = 0"))
            await connection.execute(text(f"SELECT pg_advisory_xact_lock({_MIGRATION_LOCK})"))
        await connection.run_sync(_upgrade)


def _upgrade(connection: Connection) -> None:
    config = Config()
    config.set_main_option("script_location", "persistence:migrations")
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
