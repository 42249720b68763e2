"""A copy of the SQLite file while the bot plays, and the way back. A PostgreSQL has tools of its own for that."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from sqlmodel import col, update

from persistence.database import Database
from persistence.engine import parse_url
from persistence.rows import TableRow
from persistence.tables import Tables

_PATIENCE = 10.0
"""Seconds to wait for a move that is just being written."""


class BackupError(RuntimeError):
    """Nothing was copied; the message tells the host why."""


def backup(url: str, target: Path) -> None:
    """Copy the database to a file, as it stands between two moves. An older copy of that name is replaced at the end,
    in one step.

    Raises:
        BackupError: the database is no SQLite file, or the copy cannot be written.
    """
    source = _file_of(url)
    if not source.exists():
        raise BackupError(f"there is no database {source}")
    if target.exists() and target.samefile(source):
        raise BackupError("that is the database itself; name another file")
    unfinished = target.with_name(f"{target.name}.unfinished")
    try:
        _copy(source, unfinished)
        os.replace(unfinished, target)
    except (OSError, sqlite3.Error) as error:
        raise BackupError(f"the copy cannot be written: {error}") from error
    finally:
        unfinished.unlink(missing_ok=True)


async def restore(url: str, copy: Path, grace_seconds: int) -> None:
    """Put a copy in the place of the database, also while the bot runs: it keeps nothing in memory.

    The boards in the groups show a later state by then, so those of all open tables are drawn anew; and whoever
    is asked has ``grace_seconds`` at least, however long ago his time had run out.

    Raises:
        BackupError: the copy is damaged or no copy of ours, or the database cannot be written; nothing was changed.
    """
    target = _file_of(url)
    prepared = target.with_name(f"{target.name}.restoring")
    try:
        _check(copy)
        _copy(copy, prepared)
        await _prepare(prepared, grace_seconds)
        _copy(prepared, target)
    except (OSError, sqlite3.Error) as error:
        raise BackupError(f"the database cannot be restored: {error}") from error
    finally:
        prepared.unlink(missing_ok=True)


async def _prepare(file: Path, grace_seconds: int) -> None:
    database = Database(f"sqlite:///{file}")
    try:
        await database.migrate()
        played_on = update(TableRow).where(col(TableRow.ended_at).is_(None)).values(shown=0)
        await database.write(lambda session: session.exec(played_on))
        await Tables(database).grant_grace(grace_seconds)
    finally:
        await database.close()


def _file_of(url: str) -> Path:
    parsed = parse_url(url)
    if parsed.get_backend_name() != "sqlite" or not parsed.database or parsed.database == ":memory:":
        raise BackupError("only an SQLite file is copied here; use pg_dump and pg_restore for a PostgreSQL")
    return Path(parsed.database)


def _copy(source: Path, target: Path) -> None:
    with closing(_connect(source)) as old, closing(_connect(target)) as new:
        old.backup(new)


def _connect(file: Path) -> sqlite3.Connection:
    return sqlite3.connect(file, timeout=_PATIENCE)


def _check(copy: Path) -> None:
    if not copy.exists():
        raise BackupError(f"there is no file {copy}")
    with closing(_connect(copy)) as connection:
        (verdict,) = connection.execute("PRAGMA integrity_check").fetchone()
        known = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'").fetchone()
    if verdict != "ok":
        raise BackupError(f"{copy} is damaged: {verdict}")
    if known is None:
        raise BackupError(f"{copy} is no copy of this bot's tables")
