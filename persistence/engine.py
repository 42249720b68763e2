"""Engines for the two databases the bot runs on, and the migrations that every start applies."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, Engine, QueuePool, create_engine, event, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

Clock = Callable[[], datetime]
"""Tells the time, aware."""
_DRIVERS = {
    "sqlite": "sqlite+pysqlite",
    "postgres": "postgresql+psycopg",
    "postgresql": "postgresql+psycopg",
    "sqlite+aiosqlite": "sqlite+pysqlite",  # what a setting may have named until version 0.3
    "postgresql+asyncpg": "postgresql+psycopg",
}
CONNECTIONS = {"sqlite": 1, "postgresql": 4}
"""How many transactions run at a time. SQLite has one writer: several connections would only wait for each other. To a
server, four threads carry more than Telegram takes; more of them mostly wait for the interpreter."""
LOCK_SECONDS = 10.0
"""How long a move waits for somebody else's before it gives up: its player is told to try again."""
CONNECT_SECONDS = 10
"""How long a PostgreSQL may take to answer a new connection."""
READING = "reading"
"""The execution option of a transaction that writes nothing: SQLite's write lock is left to others."""
FORGETFUL = "forgetful"
"""The execution option of a transaction that a power cut may take: its commit does not wait for the disk."""
ALONE = "alone"
"""The execution option of a transaction of one statement, which is one by itself."""
_LOCK = "lock_timeout"
_LIMITS = {
    "statement_timeout": 30.0,
    "idle_in_transaction_session_timeout": 60.0,  # a process that hangs in a transaction holds up no other for ever
}
_LOST_SECONDS = 20
"""After which a connection counts as lost whose other end acknowledges nothing."""
_MIGRATION_LOCK = 0x1B37EE4  # any number, as long as every process of ours takes the same


def utc_now() -> datetime:
    """The time of the wall clock, aware, in UTC."""
    return datetime.now(UTC)


def parse_url(url: str) -> URL:
    """A database URL with the driver that belongs to it.

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


def make_engine(url: str) -> Engine:
    """An engine for ``url``; for SQLite the file is made when it is first written.

    Raises:
        ValueError: neither SQLite nor PostgreSQL.
    """
    parsed = parse_url(url)
    kind = parsed.get_backend_name()
    pool: dict[str, Any] = {"poolclass": QueuePool, "pool_size": CONNECTIONS[kind], "max_overflow": 0}
    if kind == "postgresql":
        limits = {name: round(seconds * 1000) for name, seconds in {**_LIMITS, _LOCK: LOCK_SECONDS}.items()}
        arguments = reach(CONNECT_SECONDS, **limits)
        engine = create_engine(parsed, isolation_level="AUTOCOMMIT", connect_args=arguments, **pool)
        event.listen(engine, "begin", _begin_postgresql)
        return engine
    engine = create_engine(parsed, **pool)
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def reach(seconds: int, **settings: object) -> dict[str, Any]:
    """What psycopg needs to know of a connection: the time it may take, and the server's settings for it."""
    options = " ".join(f"-c {name}={value}" for name, value in settings.items())
    return {"connect_timeout": seconds, "tcp_user_timeout": _LOST_SECONDS * 1000, "options": options}


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    connection.isolation_level = None  # we say BEGIN ourselves, below
    cursor = connection.cursor()
    busy = f"busy_timeout={round(LOCK_SECONDS * 1000)}"
    for pragma in (busy, "journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    """SQLite ignores FOR UPDATE; taking the write lock first is what keeps two writers from reading the same row."""
    options = connection.get_execution_options()
    synchronous = "NORMAL" if options.get(FORGETFUL) else "FULL"
    if connection.info.get("synchronous", "FULL") != synchronous:
        connection.exec_driver_sql(f"PRAGMA synchronous={synchronous}")
        connection.info["synchronous"] = synchronous
    connection.exec_driver_sql("BEGIN" if options.get(READING) else "BEGIN IMMEDIATE")


def _begin_postgresql(connection: Connection) -> None:
    """BEGIN said here and not by the driver tells whether the connection is still alive before anything is done on it,
    and can say in the same breath how the transaction is to end. What is a transaction by itself needs neither."""
    options = connection.get_execution_options()
    if options.get(FORGETFUL):
        connection.exec_driver_sql("BEGIN; SET LOCAL synchronous_commit = off")
    elif not options.get(ALONE):
        connection.exec_driver_sql("BEGIN")


def migrate(connection: Connection) -> None:
    """Bring the database to the newest schema; of several processes that start at once, one does it."""
    if connection.dialect.name == "postgresql":
        for limit in (_LOCK, *_LIMITS):  # a migration takes the time it takes, and so does waiting for one
            connection.execute(text(f"SET LOCAL {limit} = 0"))
        connection.execute(text(f"SELECT pg_advisory_xact_lock({_MIGRATION_LOCK})"))
    config = Config()
    config.set_main_option("script_location", "persistence:migrations")
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
