"""Locks between processes: one has them, and they die with it."""

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from sqlalchemy import text

from persistence.database import Database
from persistence.locks import POLLER, Alone, Locks, SecondProcessError, Shared, board, holding, locks
from tests.databases import fresh_url


@pytest_asyncio.fixture(loop_scope="session")
async def url(tmp_path: Path) -> str:
    return await fresh_url("postgresql", tmp_path)


@pytest_asyncio.fixture(loop_scope="session")
async def pair(url: str) -> AsyncIterator[tuple[Locks, Locks]]:
    """What two processes on one PostgreSQL have."""
    database = Database(url)
    one, other = locks(database), locks(database)
    assert isinstance(one, Shared)
    for each in (one, other):
        await each.enter()
    yield one, other
    await one.close()
    await other.close()
    await database.close()


async def cut(url: str) -> None:
    """The server ends every connection but this one."""
    database = Database(url)
    with database.engine.connect() as connection:
        others = "datname = current_database() AND pid <> pg_backend_pid() AND query LIKE '%advisory%'"
        connection.execute(text(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}"))  # noqa: S608
    await database.close()


# -- PostgreSQL --------------------------------------------------------------------------------------


async def test_one_has_it_until_it_lets_go(pair: tuple[Locks, Locks]) -> None:
    one, other = pair
    assert await one.take(POLLER)
    assert not await other.take(POLLER)
    assert (await one.held(POLLER), await other.held(POLLER)) == (True, False)
    await one.release(POLLER)
    assert not await one.held(POLLER)
    assert await other.take(POLLER)
    assert not await one.take(POLLER)


async def test_taking_twice_is_taking_once(pair: tuple[Locks, Locks]) -> None:
    one, other = pair
    assert await one.take(POLLER)
    assert await one.take(POLLER)
    await one.release(POLLER)
    assert await other.take(POLLER)


async def test_each_board_has_a_lock_of_its_own(pair: tuple[Locks, Locks]) -> None:
    one, other = pair
    assert await one.take(board(1))
    assert not await other.take(board(1))
    assert await other.take(board(2))
    assert await other.take(POLLER)


async def test_whoever_polls_has_every_board_until_the_server_has_lost_him(pair: tuple[Locks, Locks], url: str) -> None:
    """Nobody else draws then, and so nobody has to be asked."""
    one, other = pair
    assert await other.take(board(1))
    assert not await one.take(board(1))
    assert await one.take(POLLER)
    assert await one.take(board(1))
    await one.release(board(1))
    assert await one.take(board(1))
    await cut(url)
    assert not await one.held(POLLER)
    assert not await other.held(board(1))
    assert await other.take(board(1))
    assert not await one.take(board(1))


async def test_a_lock_for_the_length_of_a_block(pair: tuple[Locks, Locks]) -> None:
    one, other = pair

    async def work() -> None:
        async with holding(one, board(1)) as ours:
            assert ours
            async with holding(other, board(1)) as theirs:
                assert not theirs
            assert not await other.take(board(1))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await work()
    assert await other.take(board(1))


async def test_what_is_not_ours_cannot_be_let_go(pair: tuple[Locks, Locks]) -> None:
    one, other = pair
    assert await one.take(POLLER)
    await other.release(POLLER)
    assert not await other.take(POLLER)


async def test_a_lock_dies_with_its_connection_and_its_holder_is_told(
    pair: tuple[Locks, Locks], url: str, caplog: pytest.LogCaptureFixture
) -> None:
    one, other = pair
    assert await one.take(POLLER)
    await cut(url)
    assert not await one.held(POLLER)
    assert "the connection that holds our locks is lost" in caplog.text
    assert await other.take(POLLER)
    assert not await one.take(POLLER)  # on a new connection
    await other.close()
    assert await one.take(POLLER)


async def test_a_connection_that_was_cut_while_nobody_looked_is_opened_anew(
    pair: tuple[Locks, Locks], url: str
) -> None:
    one, other = pair
    assert await one.take(board(1))
    await cut(url)
    assert await one.take(board(2))
    assert not await one.held(board(1))
    assert await other.take(board(1))
    assert not await other.take(board(2))


async def test_closing_lets_go_of_everything(pair: tuple[Locks, Locks]) -> None:
    one, other = pair
    for key in (POLLER, board(1), board(2)):
        assert await one.take(key)
    await one.close()
    for key in (POLLER, board(1), board(2)):
        assert await other.take(key)


async def test_two_databases_do_not_know_each_other(pair: tuple[Locks, Locks], tmp_path: Path) -> None:
    one, _ = pair
    database = Database(await fresh_url("postgresql", tmp_path))
    elsewhere = locks(database)
    assert await one.take(POLLER)
    assert await elsewhere.take(POLLER)
    await elsewhere.close()
    await database.close()


# -- SQLite ------------------------------------------------------------------------------------------


async def test_an_sqlite_file_is_for_one_process(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 'tables.db'}")
    one, other = locks(database), locks(database)
    assert isinstance(one, Alone)
    await one.enter()
    await one.enter()
    with pytest.raises(SecondProcessError, match=r"keeps its tables in tables\.db already.*PostgreSQL"):
        await other.enter()
    assert await one.take(POLLER)
    assert await one.held(POLLER)
    await one.close()
    await other.enter()
    await other.close()


async def test_a_killed_process_leaves_the_file_to_the_next(tmp_path: Path) -> None:
    database = tmp_path / "tables.db"
    program = (
        "import asyncio, pathlib, sys, time; from persistence.locks import Alone\n"
        "lock = Alone(pathlib.Path(sys.argv[1])); asyncio.run(lock.enter()); print('mine', flush=True); time.sleep(60)"
    )
    root = Path(__file__).parents[2]
    command = (sys.executable, "-c", program, str(database))
    other = await asyncio.create_subprocess_exec(*command, cwd=root, stdout=subprocess.PIPE)
    assert other.stdout is not None
    assert await other.stdout.readline() == b"mine\n"
    lock = Alone(database)
    with pytest.raises(SecondProcessError):
        await lock.enter()
    other.kill()
    await other.communicate()
    await lock.enter()
    await lock.close()


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///:memory:"])
async def test_a_database_in_memory_has_no_second_process(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    database = Database(url)
    one = locks(database)
    await one.enter()
    await one.close()
    await database.close()
    assert os.listdir() == []
