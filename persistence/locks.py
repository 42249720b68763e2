"""Locks between processes on one database. They are not kept in rows: whoever dies lets go of them at once.

PostgreSQL has them for this very purpose: advisory locks of a session, here on a connection of its own (a pooler in
transaction mode must not stand between). SQLite is one file on one machine, and the bot is its only process; a second
one is refused.
"""

import asyncio
import contextlib
import fcntl
import logging
from collections.abc import AsyncIterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import IO, Protocol

from sqlalchemy import Connection, Engine, create_engine
from sqlalchemy.engine import URL
from sqlalchemy.pool import NullPool

from persistence.database import Database
from persistence.engine import reach
from persistence.trouble import is_trouble

_LOG = logging.getLogger(__name__)

Key = tuple[int, int]
"""What a lock is for, and of what: as many processes as like may try, one has it."""
_OURS = 0x1B37E00  # any number, as long as every process of ours takes the same
POLLER: Key = (_OURS, 0)
"""Whoever asks Telegram for updates. He is the only one who does anything, so every board is his."""
_SECONDS = 5
"""How long the server may take to answer before the connection is given up."""
_NOTICES_THE_DEAD = {"tcp_keepalives_idle": 5, "tcp_keepalives_interval": 2, "tcp_keepalives_count": 3}
"""A machine that loses its power says no goodbye: the server asks after it, and frees its locks within 11 seconds."""


def board(table: int) -> Key:
    """Whoever draws the board of a table."""
    return _OURS + 1, table


class SecondProcessError(RuntimeError):
    """Another process has this SQLite file."""


class Locks(Protocol):
    """What processes on one database take from each other."""

    async def enter(self) -> None:
        """Begin.

        Raises:
            SecondProcessError: the database is for one process, and another one has it.
        """

    async def take(self, key: Key) -> bool:
        """Take a lock if it is free; true as well if we have it already, or have what it is a part of."""

    async def held(self, key: Key) -> bool:
        """Whether we still have it: the database has been asked."""

    async def release(self, key: Key) -> None:
        """Let go of it; harmless if it is lost already."""

    async def close(self) -> None:
        """Let go of everything."""


def locks(database: Database) -> Locks:
    """The locks of this database; nothing is opened yet."""
    if database.kind == "postgresql":
        return Shared(database.engine.url)
    name = database.engine.url.database or ""
    return Alone(None if name in ("", ":memory:") or name.startswith("file:") else Path(name))


class Alone:
    """One process that nobody shares the database with: every lock is free for it."""

    def __init__(self, database: Path | None = None) -> None:
        self._path = database.with_name(database.name + ".lock") if database else None
        self._file: IO[bytes] | None = None

    async def enter(self) -> None:
        """Lock a file beside the database's. Not that itself: closing it would let go of SQLite's own locks, too."""
        if self._path is None or self._file is not None:
            return
        file = self._path.open("ab")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.close()
            raise SecondProcessError(
                f"another process keeps its tables in {self._path.name.removesuffix('.lock')} already. "
                "An SQLite file is for one; several share a PostgreSQL."
            ) from None
        self._file = file

    async def take(self, key: Key) -> bool:
        """There is nobody else."""
        return True

    async def held(self, key: Key) -> bool:
        """There is nobody else."""
        return True

    async def release(self, key: Key) -> None:
        """Nobody waits for it."""

    async def close(self) -> None:
        """Let the next process have the file."""
        if self._file is not None:
            self._file.close()
            self._file = None


class Shared:
    """PostgreSQL's advisory locks. They live as long as our connection, which is opened again when it breaks."""

    def __init__(self, url: URL) -> None:
        self._engine = create_engine(
            url,
            poolclass=NullPool,
            isolation_level="AUTOCOMMIT",
            connect_args=reach(_SECONDS, **_NOTICES_THE_DEAD),
            hide_parameters=True,
        )
        self._line = _Line(self._engine)
        self._keys: set[Key] = set()
        self._turn = asyncio.Lock()  # a connection does one thing at a time

    async def enter(self) -> None:
        """As many as like may."""

    async def take(self, key: Key) -> bool:
        """Ask the server; it never lets us wait for whoever has the lock. Whoever has `POLLER` need not ask for more:
        the others stand by until the server has lost him, and then he would have lost every lock."""
        if POLLER in self._keys:
            return True
        question = "SELECT pg_try_advisory_lock(%s, %s)"
        async with self._turn:
            if key in self._keys:
                return True
            used_before = self._line.is_open
            try:
                taken = await self._ask(question, key)
            except Exception as error:
                if not used_before or not is_trouble(error):
                    raise
                taken = await self._ask(question, key)  # it was cut while nobody looked; a new one tells
            if taken:
                self._keys.add(key)
            return taken

    async def held(self, key: Key) -> bool:
        """Ask the server whether it still knows us."""
        async with self._turn:
            try:
                if key in self._keys:
                    await self._ask("SELECT true")
            except Exception as error:
                if not is_trouble(error):
                    raise
                _LOG.warning("the connection that holds our locks is lost: %s", error)
            return key in self._keys

    async def release(self, key: Key) -> None:
        """Let go. If that cannot be said, the connection is given up, and everything with it."""
        async with self._turn:
            if key in self._keys:
                self._keys.discard(key)
                with contextlib.suppress(Exception):
                    await self._ask("SELECT pg_advisory_unlock(%s, %s)", key)

    async def close(self) -> None:
        """Let go of everything; when this returns, others can have it, if the server listens."""
        async with self._turn:
            await asyncio.wait({asyncio.wrap_future(self._hang_up())}, timeout=_SECONDS)

    async def _ask(self, question: str, key: Key | None = None) -> bool:
        try:
            async with asyncio.timeout(_SECONDS):
                return await self._line.ask(question, key)
        except BaseException:  # or cancelled in its middle: nobody knows what is still to come on this connection
            self._hang_up()
            raise

    def _hang_up(self) -> Future[None]:
        self._keys.clear()
        line, self._line = self._line, _Line(self._engine)
        return line.give_up()


class _Line:
    """A connection and the thread that waits for its answers. Both are given up together: a server that says nothing
    holds up that thread alone."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="locks")
        self._connection: Connection | None = None

    @property
    def is_open(self) -> bool:
        """Whether it was used before."""
        return self._connection is not None

    async def ask(self, question: str, key: Key | None) -> bool:
        """Ask the server."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._say, question, key)

    def give_up(self) -> Future[None]:
        """Close it when that can be done; nobody has to wait for it."""
        closing = self._thread.submit(self._close)
        self._thread.shutdown(wait=False)
        return closing

    def _say(self, question: str, key: Key | None) -> bool:
        if self._connection is None:
            self._connection = self._engine.connect()
        return bool(self._connection.exec_driver_sql(question, key or ()).scalar_one())

    def _close(self) -> None:
        if self._connection is not None:
            with contextlib.suppress(Exception):
                self._connection.invalidate()
            with contextlib.suppress(Exception):
                self._connection.close()


@asynccontextmanager
async def holding(locks: Locks, key: Key) -> AsyncIterator[bool]:
    """Try to take a lock for the length of a block; whether it was taken."""
    taken = await locks.take(key)
    try:
        yield taken
    finally:
        if taken:
            await locks.release(key)
