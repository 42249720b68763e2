"""The database is away, busy or full: the player is told to try again, the hand is whole, the bot recovers."""

import asyncio
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import psycopg
import pytest
from sqlalchemy import event, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import OperationalError

from domain.table import Phase
from persistence.audit import audit
from persistence.database import Database
from tests.databases import KINDS
from tests.journeys.evening import Evening, Person

on_both = pytest.mark.parametrize("kind", KINDS)
on_postgresql = pytest.mark.parametrize("kind", ["postgresql"])
SORRY = "Something went wrong. Try again in a moment."


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever waits for a lock gives up soon."""
    monkeypatch.setattr("persistence.engine.LOCK_SECONDS", 0.2)


def least(evening: Evening) -> tuple[Person, str, int]:
    """Who is asked, and the button of the least bet."""
    button = next(button for button in evening.board.buttons if button.data.startswith("bet:"))
    return evening.room.actor, button.data, button.message


@asynccontextmanager
async def somebody_writes(evening: Evening) -> AsyncIterator[None]:
    """Another program has the row (or, in SQLite, the whole file) and does not let go of it."""
    database = Database(evening.settings.database_url)
    with database.engine.connect() as connection:
        connection.execute(text("UPDATE tables SET page = page"))
        yield
        connection.rollback()
    await database.close()


@on_both
async def test_a_lock_that_is_not_let_go_of_costs_a_toast_and_nothing_else(evening: Evening) -> None:
    """Lock timeout, and SQLite's "database is locked"."""
    await evening.hand()
    person, data, message = least(evening)
    before = evening.table
    async with somebody_writes(evening):
        assert await person.presses(data, message, settle=False) == SORRY
    await evening.settled()
    assert evening.table == before
    assert await person.presses(data, message) != SORRY
    assert evening.table.move == before.move + 1


@on_both
@pytest.mark.parametrize("what", ["journal", "ledger", "seats", "tables"])
async def test_a_disk_that_is_full_in_the_middle_of_a_move_costs_a_toast(evening: Evening, what: str) -> None:
    """Whatever was written before is undone with it."""
    await evening.hand()
    person, data, message = least(evening)
    before, rows = evening.table, await evening.rows()
    with _full(evening, what):
        assert await person.presses(data, message, settle=False) == SORRY
    await evening.settled()
    assert evening.table == before
    assert await evening.rows() == rows
    assert await person.presses(data, message) != SORRY
    assert evening.table.move == before.move + 1


@contextmanager
def _full(evening: Evening, what: str) -> Iterator[None]:
    """No row of this kind can be written."""

    def write(_: Any, __: Any, statement: str, *___: Any) -> None:
        if re.match(rf"(INSERT INTO|UPDATE) {what}\b", statement):
            raise OperationalError(statement, {}, Exception("database or disk is full"))

    engine = evening.house.database.engine
    event.listen(engine, "before_cursor_execute", write)
    yield
    event.remove(engine, "before_cursor_execute", write)


@on_postgresql
async def test_connections_that_are_cut_are_made_again(evening: Evening) -> None:
    """Every connection of the bot dies in the middle of a round of taps, again and again."""
    people = await evening.hand()
    chips = evening.table.chips
    for _ in range(5):
        person, data, message = least(evening)
        tap = asyncio.create_task(person.presses(data, message, settle=False))
        await _cut(evening)
        toast = await tap
        await evening.settled()
        if toast == SORRY:
            await person.presses(data, message)
        await evening.room.cuts()
        if evening.table.phase is not Phase.DECIDE:
            break
    assert evening.table.chips == chips
    assert len(people) == 4


@on_postgresql
async def test_a_server_that_restarts_is_waited_for(evening: Evening) -> None:
    """While it is away nobody gets in; afterwards the same button counts, and the clock goes on."""
    await evening.hand()
    person, data, message = least(evening)
    before = evening.table
    async with _closed(evening):
        assert await person.presses(data, message, settle=False) == SORRY
    await evening.settled()
    assert evening.table == before
    assert await person.presses(data, message) != SORRY
    await evening.passes(61)
    assert evening.table.move >= before.move + 2
    database = Database(evening.settings.database_url)
    assert (await audit(database)).faults == []
    await database.close()


async def _as_admin(evening: Evening, *statements: str) -> None:
    url = make_url(evening.settings.database_url).set(drivername="postgresql", database="postgres")
    address = url.render_as_string(hide_password=False)
    async with await psycopg.AsyncConnection.connect(address, autocommit=True) as connection:
        for statement in statements:
            await connection.execute(statement.encode())


def _name(evening: Evening) -> str:
    return make_url(evening.settings.database_url).database or ""


async def _cut(evening: Evening) -> None:
    end = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{_name(evening)}'"  # noqa: S608
    await _as_admin(evening, end)


@asynccontextmanager
async def _closed(evening: Evening) -> AsyncIterator[None]:
    """As it is for clients while the server restarts: connections are cut, and new ones refused."""
    name = _name(evening)
    await _as_admin(evening, f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS false')
    await _cut(evening)
    yield
    await _as_admin(evening, f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS true')
