"""Transactions in threads: what they lock, what they undo, what becomes of whoever is cancelled, who goes first."""

import asyncio
import threading
from collections.abc import Callable
from functools import partial

import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError
from sqlmodel import Session, insert, select

from persistence.database import Database, Gate
from persistence.engine import CONNECTIONS, utc_now
from persistence.rows import ChatRow, PlayerRow

ANN = 5


def put(name: str = "Ann", player: int = ANN) -> Callable[[Session], None]:
    return lambda session: session.add(PlayerRow(id=player, name=name))


def names(session: Session) -> list[str]:
    return [*session.exec(select(PlayerRow.name).order_by(PlayerRow.name))]


async def test_what_is_written_is_there(database: Database, other_database: Database) -> None:
    await database.write(put())
    await database.note(put("Bob", 6))
    assert await other_database.read(names) == ["Ann", "Bob"]


async def test_a_block_that_fails_leaves_nothing(database: Database) -> None:
    def half(session: Session) -> None:
        put()(session)
        session.flush()
        raise RuntimeError("boom")

    for run in (database.write, database.note, database.read):
        with pytest.raises(RuntimeError, match="boom"):
            await run(half)
    assert await database.read(names) == []


async def test_two_blocks_are_one_transaction(database: Database, other_database: Database) -> None:
    async with database.transaction() as transaction:
        await transaction.run(put())
        await asyncio.sleep(0)
        assert await transaction.commit(names) == ["Ann"]
    assert await other_database.read(names) == ["Ann"]


async def test_a_transaction_that_is_left_early_is_undone(database: Database) -> None:
    async with database.transaction() as transaction:
        await transaction.run(put())

    async def fails() -> None:
        async with database.transaction() as transaction:
            await transaction.run(put())
            raise RuntimeError("boom")

    with pytest.raises(RuntimeError, match="boom"):
        await fails()
    assert await database.read(names) == []


async def test_reading_waits_for_nobody_who_writes(database: Database, other_database: Database) -> None:
    """Nor does anybody who writes wait for it: SQLite's write lock is left to others."""
    async with other_database.transaction() as writing, asyncio.timeout(5):
        await writing.run(put())
        assert await database.read(names) == []
        await writing.commit(lambda _: None)

    reading = threading.Event()
    go_on = threading.Event()

    def read(session: Session) -> list[str]:
        found = names(session)
        reading.set()
        go_on.wait(5)
        return found

    looking = asyncio.create_task(database.read(read))
    await asyncio.to_thread(reading.wait, 5)
    async with asyncio.timeout(5):
        await other_database.write(put("Bob", 6))
    go_on.set()
    assert await looking == ["Ann"]


@pytest.mark.parametrize("kind", ["sqlite"])
async def test_only_a_note_does_without_the_disk_in_sqlite(database: Database) -> None:
    """A power cut takes no move that somebody was told of. 2: FULL, 1: NORMAL."""

    def look(session: Session) -> object:
        return session.connection().execute(text("PRAGMA synchronous")).scalar_one()

    assert [await database.write(look), await database.note(look), await database.write(look)] == [2, 1, 2]
    async with database.transaction() as transaction:
        assert await transaction.commit(look) == 2


@pytest.mark.parametrize("kind", ["postgresql"])
async def test_only_a_note_does_without_the_disk_in_postgresql(database: Database) -> None:
    """Whatever the server does by itself is left to it, but for notes."""

    def synchronous(session: Session) -> str:
        return str(session.connection().execute(text("SHOW synchronous_commit")).scalar_one())

    def turn_on(session: Session) -> None:  # a test's own server may do without the disk altogether
        session.connection().execute(text("SET synchronous_commit = on"))

    database.engine.dispose()  # one after the other, they need but one connection, and it stays as it is told
    await database.write(turn_on)
    async with database.transaction() as transaction:
        assert await transaction.commit(synchronous) == "on"
    assert await database.note(synchronous) == "off"
    assert await database.write(synchronous) == "on"


def cut(session: Session, numbers: list[int]) -> None:
    these = text("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = ANY(:numbers)")
    session.connection().execute(these, {"numbers": numbers})


@pytest.mark.parametrize("kind", ["postgresql"])
async def test_connections_that_were_cut_meanwhile_are_opened_anew(
    database: Database, other_database: Database
) -> None:
    """As after a restart of the server: whoever comes next notices nothing."""
    places = CONNECTIONS["postgresql"]

    def number(session: Session) -> int:
        return int(session.connection().execute(text("SELECT pg_backend_pid()")).scalar_one())

    async def open_all() -> set[int]:
        all_at_once = threading.Barrier(places)

        def wait_for_the_others(session: Session) -> int:
            all_at_once.wait(5)
            return number(session)

        return {*await asyncio.gather(*(database.write(wait_for_the_others) for _ in range(places)))}

    async def one_after_the_other() -> set[int]:
        async with database.transaction() as transaction:
            first = await transaction.run(number)
            assert await transaction.commit(number) == first
        return {first, *[await database.read(number) for _ in range(places)]}

    async def remark() -> set[int]:
        await database.remark(insert(PlayerRow), {"id": ANN, "name": "Ann", "language": "en"})
        assert await database.read(names) == ["Ann"]
        return set()

    for use in (open_all, one_after_the_other, remark):
        opened = await open_all()
        assert len(opened) == places
        await other_database.write(partial(cut, numbers=[*opened]))
        assert not await use() & opened


async def test_whoever_is_cancelled_waits_for_his_block(database: Database) -> None:
    """Its connection does one thing at a time, and nobody else may have it before."""
    begun, go_on, done = threading.Event(), threading.Event(), []

    def block(session: Session) -> None:
        begun.set()
        go_on.wait(5)
        put()(session)
        done.append(True)

    task = asyncio.create_task(database.write(block))
    await asyncio.to_thread(begun.wait, 5)
    for _ in range(3):
        task.cancel()
        await asyncio.sleep(0.01)
    assert not task.done()
    go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert done
    assert await database.read(names) == ["Ann"]


async def test_a_transaction_that_is_cancelled_between_its_blocks_is_undone(database: Database) -> None:
    between = asyncio.Event()

    async def half() -> None:
        async with database.transaction() as transaction:
            await transaction.run(put())
            between.set()
            await asyncio.sleep(60)

    task = asyncio.create_task(half())
    await between.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await database.read(names) == []


async def test_a_writer_waits_for_another_one(database: Database, other_database: Database) -> None:
    """The same row is not read twice and written twice."""

    def meet(session: Session) -> None:
        session.add(ChatRow(telegram_id=-1, free_at=utc_now()))

    def longer(session: Session) -> None:
        row = session.exec(select(ChatRow).with_for_update()).one()
        row.language += "x"

    await database.write(meet)
    await asyncio.gather(*((database, other_database)[n % 2].write(longer) for n in range(8)))
    assert await database.read(lambda session: session.exec(select(ChatRow.language)).one()) == "x" * 8


async def test_trouble_comes_out_as_it_is(database: Database) -> None:
    with pytest.raises(Exception, match="nowhere") as raised:
        await database.read(lambda session: session.connection().execute(text("SELECT * FROM nowhere")))
    assert isinstance(raised.value, OperationalError) or "UndefinedTable" in str(raised.value)
    assert await database.read(names) == []


# -- who goes first ----------------------------------------------------------------------------------


class Door:
    """People at a gate, and in what order they went in."""

    def __init__(self, places: int = 1) -> None:
        self.gate = Gate(places)
        self.order: list[str] = []
        self.most = self.inside = 0

    def comes(self, name: str, *, urgent: bool = True) -> asyncio.Task[None]:
        async def visit() -> None:
            async with self.gate.place(urgent=urgent):
                self.order.append(name)
                self.inside += 1
                self.most = max(self.most, self.inside)
                try:
                    await asyncio.sleep(0.001)
                finally:
                    self.inside -= 1

        return asyncio.create_task(visit())


async def test_taps_go_before_whoever_is_patient() -> None:
    door = Door()
    tasks = [door.comes(f"clock {n}", urgent=False) for n in range(3)]
    await asyncio.sleep(0)
    tasks += [door.comes(f"tap {n}") for n in range(3)]
    await asyncio.gather(*tasks)
    assert door.order == ["clock 0", "tap 0", "tap 1", "tap 2", "clock 1", "clock 2"]


async def test_no_more_are_within_than_there_are_places() -> None:
    door = Door(3)
    await asyncio.gather(*(door.comes(str(n)) for n in range(20)))
    assert door.most == 3
    assert door.order == [str(n) for n in range(20)]


async def test_whoever_gives_up_holds_no_place() -> None:
    """Whether he was still waiting, or just let in."""
    door = Door()
    first = door.comes("first")
    await asyncio.sleep(0)
    second, third, fourth = (door.comes(name) for name in ("second", "third", "fourth"))
    await asyncio.sleep(0)
    second.cancel()
    await first
    third.cancel()
    await asyncio.gather(second, third, fourth, return_exceptions=True)
    assert door.order[-1] == "fourth"
    await door.comes("fifth")
    assert door.inside == 0
