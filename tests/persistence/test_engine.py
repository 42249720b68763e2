"""Engines: which databases the bot takes, and what they are told at the start of a connection."""

import asyncio
from collections.abc import Mapping
from datetime import UTC

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from persistence.engine import create_engine, parse_url, utc_now


@pytest.mark.parametrize(
    ("url", "driver"),
    [
        ("sqlite:///bot.db", "sqlite+aiosqlite"),
        ("sqlite+aiosqlite:///bot.db", "sqlite+aiosqlite"),
        ("postgres://bot:word@host/bot", "postgresql+asyncpg"),  # as hosting companies write it
        ("postgresql://bot:word@host/bot", "postgresql+asyncpg"),
        ("postgresql+asyncpg://bot:word@host/bot", "postgresql+asyncpg"),
    ],
)
def test_a_url_gets_the_driver_that_does_not_block(url: str, driver: str) -> None:
    parsed = parse_url(url)
    assert parsed.drivername == driver
    assert parsed.render_as_string(hide_password=False).partition(":")[2] == url.partition(":")[2]


@pytest.mark.parametrize("url", ["mysql://host/bot", "postgresql+psycopg://host/bot", "sqlite+pysqlite:///bot.db"])
def test_another_database_is_refused_by_name(url: str) -> None:
    with pytest.raises(ValueError, match="SQLite or PostgreSQL, not in"):
        create_engine(url)


def test_the_time_is_aware() -> None:
    assert utc_now().tzinfo is UTC


@pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
async def test_sqlite_checks_references_waits_and_writes_ahead(engine: AsyncEngine) -> None:
    wanted: Mapping[str, object] = {
        "foreign_keys": 1,
        "journal_mode": "wal",
        "busy_timeout": 10_000,
        "synchronous": 1,
    }
    async with engine.connect() as connection:
        found = {name: (await connection.execute(text(f"PRAGMA {name}"))).scalar() for name in wanted}
    assert found == wanted


@pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
async def test_in_sqlite_a_transaction_that_has_only_read_keeps_others_out(
    engine: AsyncEngine, other_engine: AsyncEngine
) -> None:
    steps: list[str] = []

    async def first() -> None:
        async with engine.begin() as connection:
            await connection.execute(text("SELECT * FROM tables"))
            steps.append("first reads")
            await asyncio.sleep(0.1)
            steps.append("first ends")

    async def second() -> None:
        while not steps:
            await asyncio.sleep(0)
        async with other_engine.begin():
            steps.append("second begins")

    await asyncio.gather(first(), second())
    assert steps == ["first reads", "first ends", "second begins"]


async def test_what_fails_in_a_transaction_is_undone(engine: AsyncEngine) -> None:
    insert = text("INSERT INTO players (id, name, language) VALUES (1, 'Ann', 'en')")

    async def accident() -> None:
        async with engine.begin() as connection:
            await connection.execute(insert)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await accident()
    async with engine.begin() as connection:
        await connection.execute(insert)  # there is none yet
