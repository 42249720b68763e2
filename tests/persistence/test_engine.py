"""Engines: which databases the bot takes, and what they are told at the start of a connection."""

from collections.abc import Mapping
from datetime import UTC

import pytest
from sqlalchemy import text

from persistence.database import Database
from persistence.engine import parse_url, utc_now


@pytest.mark.parametrize(
    ("url", "driver"),
    [
        ("sqlite:///bot.db", "sqlite+pysqlite"),
        ("sqlite+pysqlite:///bot.db", "sqlite+pysqlite"),
        ("postgres://bot:word@host/bot", "postgresql+psycopg"),  # as hosting companies write it
        ("postgresql://bot:word@host/bot", "postgresql+psycopg"),
        ("postgresql+psycopg://bot:word@host/bot", "postgresql+psycopg"),
    ],
)
def test_a_url_gets_the_driver_that_is_installed(url: str, driver: str) -> None:
    parsed = parse_url(url)
    assert parsed.drivername == driver
    assert parsed.render_as_string(hide_password=False).partition(":")[2] == url.partition(":")[2]


@pytest.mark.parametrize("url", ["mysql://host/bot", "postgresql+pg8000://host/bot", "sqlite+pysqlcipher:///bot.db"])
def test_another_database_is_refused_by_name(url: str) -> None:
    with pytest.raises(ValueError, match="SQLite or PostgreSQL, not in"):
        Database(url)


def test_the_time_is_aware() -> None:
    assert utc_now().tzinfo is UTC


@pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
async def test_sqlite_checks_references_waits_and_writes_ahead(database: Database) -> None:
    wanted: Mapping[str, object] = {
        "foreign_keys": 1,
        "journal_mode": "wal",
        "busy_timeout": 10_000,
        "synchronous": 2,
    }
    with database.engine.connect() as connection:
        found = {name: connection.execute(text(f"PRAGMA {name}")).scalar() for name in wanted}
    assert found == wanted
