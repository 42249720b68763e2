"""A copy of the SQLite file while moves are being written, and the way back."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from sqlmodel import Session, select

from domain import commands as c
from domain.presets import HOME_POT
from domain.settings import Settings
from domain.table import Phase
from persistence.audit import audit
from persistence.backup import BackupError, backup, restore
from persistence.database import Database
from persistence.engine import utc_now
from persistence.rows import TableRow
from persistence.tables import Tables
from tests.databases import fresh_url
from tests.persistence.evenings import ANN, BOB, CAT, PEOPLE, PLACE, SEED
from tgbot.__main__ import main

GRACE = 60


@pytest.fixture
async def url(tmp_path: Path) -> str:
    """An SQLite file of one's own."""
    return await fresh_url("sqlite", tmp_path)


@pytest.fixture
async def tables(url: str) -> AsyncIterator[Tables]:
    """A game in it, in which Ann and Bob have been dealt in; the bot's engine stays open."""
    database = Database(url)
    tables = Tables(database)
    async with tables.at(PLACE) as sitting:
        for person in PEOPLE[:3]:
            sitting.remember(person)
        sitting.open(PLACE, ANN, HOME_POT, Settings(cut=False))
    for command in (c.Join(BOB), c.Start(ANN, SEED)):
        await say(tables, command)
    yield tables
    await database.close()


def names(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


async def say(tables: Tables, command: c.Command) -> None:
    async with tables.at(PLACE) as sitting:
        sitting.play(command)


async def row(url: str) -> TableRow:
    database = Database(url)
    with Session(database.engine) as session:
        found = session.exec(select(TableRow)).one()
    await database.close()
    return found


async def test_a_copy_is_a_whole_database(tmp_path: Path, url: str, tables: Tables) -> None:
    copy = tmp_path / "copy.db"
    backup(url, copy)
    there = await row(f"sqlite:///{copy}")
    assert there.model_dump() == (await row(url)).model_dump()
    database = Database(f"sqlite:///{copy}")
    assert (await audit(database)).faults == []
    await database.close()
    assert "copy.db" in names(tmp_path)
    assert "copy.db.unfinished" not in names(tmp_path)


async def test_copies_taken_while_people_play_are_all_sound(tmp_path: Path, url: str, tables: Tables) -> None:
    """Each is the state between two moves; nobody waits for it long enough to notice."""
    over = asyncio.Event()

    async def play() -> None:
        while not over.is_set():
            async with tables.at(PLACE) as sitting:
                assert sitting.table is not None
                if sitting.table.actor is None or sitting.table.phase is Phase.ENDED:
                    return
                sitting.play(c.RunOutOfTime(sitting.table.asked))

    playing = asyncio.create_task(play())
    for number in range(8):
        copy = tmp_path / f"{number}.copy"
        await asyncio.to_thread(backup, url, copy)
        database = Database(f"sqlite:///{copy}")
        assert (await audit(database)).faults == []
        await database.close()
    over.set()
    await playing


async def test_an_older_copy_is_replaced_at_the_end(tmp_path: Path, url: str, tables: Tables) -> None:
    copy = tmp_path / "copy.db"
    copy.write_text("yesterday's")
    backup(url, copy)
    move = (await row(f"sqlite:///{copy}")).move
    await say(tables, c.Join(CAT))
    backup(url, copy)
    assert (await row(f"sqlite:///{copy}")).move == move + 1


async def test_a_restored_table_goes_on_under_a_running_bot(tmp_path: Path, url: str, tables: Tables) -> None:
    """The same engine that has played on finds the earlier hand; every board is to be drawn anew, with grace."""
    copy = tmp_path / "copy.db"
    backup(url, copy)
    before = await row(url)
    await say(tables, c.End(ANN, now=True))
    await restore(url, copy, GRACE)

    after = await row(url)
    assert (after.move, after.phase, after.ended_at) == (before.move, before.phase, None)
    assert after.shown == 0
    async with tables.at(PLACE) as sitting:
        assert sitting.table is not None
        assert sitting.table.actor is not None
        sitting.play(c.RunOutOfTime(sitting.table.asked))


async def test_a_deadline_that_passed_long_ago_gets_grace(tmp_path: Path, url: str, tables: Tables) -> None:
    copy = tmp_path / "copy.db"
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as database:
        database.execute("UPDATE tables SET due_at = '2020-01-01 00:00:00.000000'")
        database.commit()
    backup(url, copy)
    await restore(url, copy, GRACE)
    due = (await row(url)).due_at
    assert due is not None
    assert due > utc_now() + timedelta(seconds=GRACE - 20)


@pytest.mark.parametrize("content", [b"", b"no database at all", b"SQLite format 3\0" + b"\0" * 100])
async def test_what_is_no_copy_of_ours_changes_nothing(
    tmp_path: Path, url: str, tables: Tables, content: bytes
) -> None:
    copy = tmp_path / "copy.db"
    before = (await row(url)).model_dump()
    copy.write_bytes(content)
    with pytest.raises(BackupError):
        await restore(url, copy, GRACE)
    assert (await row(url)).model_dump() == before
    assert not [name for name in names(tmp_path) if "restoring" in name]


async def test_what_cannot_be_copied_says_why(tmp_path: Path, url: str, tables: Tables) -> None:
    with pytest.raises(BackupError, match="pg_dump"):
        backup("postgresql://somewhere/tables", tmp_path / "copy.db")
    with pytest.raises(BackupError, match="there is no database"):
        backup(f"sqlite:///{tmp_path}/nothing.db", tmp_path / "copy.db")
    with pytest.raises(BackupError, match="the database itself"):
        backup(url, Path(url.removeprefix("sqlite:///")))
    with pytest.raises(BackupError, match="cannot be written"):
        backup(url, tmp_path / "nowhere" / "copy.db")
    with pytest.raises(BackupError, match="there is no file"):
        await restore(url, tmp_path / "nothing.db", GRACE)
    assert "nothing.db" not in names(tmp_path)


def test_the_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Neither needs the token."""
    url, copy = asyncio.run(fresh_url("sqlite", tmp_path)), tmp_path / "copy.db"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DATABASE_URL", url)
    assert main(["backup", str(copy)]) == 0
    assert main(["restore", str(copy)]) == 0
    assert main(["restore", str(tmp_path / "nothing.db")]) == 2
    assert "there is no file" in capsys.readouterr().err
    monkeypatch.setenv("DATABASE_URL", "mysql://somewhere")
    assert main(["backup", str(copy)]) == 2
    assert "SQLite or PostgreSQL" in capsys.readouterr().err
