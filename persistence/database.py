"""One database, and the threads in which its transactions run.

A transaction is a block of plain SQLModel code. It runs in a worker thread, where waiting for the disk or the server
stops nobody: one hop from the event loop and back for a whole block, however many statements it has.
"""

import asyncio
import heapq
from collections.abc import AsyncIterator, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from itertools import count
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, Executable
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session

from persistence.engine import ALONE, CONNECTIONS, FORGETFUL, READING, make_engine, migrate

T = TypeVar("T")
Block = Callable[[Session], T]
"""What is done within one transaction, or a part of it; it runs in a thread."""


class Database:
    """Runs transactions: as many at a time as there are connections, whatever is urgent first.

    ``urgent`` is what somebody waits for. The others wait until nobody does.
    """

    def __init__(self, url: str) -> None:
        self.engine = make_engine(url)
        self.kind: str = self.engine.dialect.name
        """``sqlite`` or ``postgresql``."""
        places = CONNECTIONS[self.kind]
        self._gate = Gate(places)
        self._threads = ThreadPoolExecutor(places, thread_name_prefix=self.kind)

    async def read(self, block: Block[T], *, urgent: bool = True) -> T:
        """Run a transaction that writes nothing."""
        return await self._whole(block, {READING: True}, urgent)

    async def write(self, block: Block[T]) -> T:
        """Run a transaction; when this returns, not even a power cut takes what it wrote."""
        return await self._whole(block, {}, urgent=True)

    async def note(self, block: Block[T], *, urgent: bool = True) -> T:
        """Run a transaction whose loss in a power cut costs nothing but a call to Telegram: what was shown, or paid
        from a budget. Its commit does not wait for the disk."""
        return await self._whole(block, {FORGETFUL: True}, urgent)

    async def remark(self, statement: Executable, values: Mapping[str, Any]) -> None:
        """Run a note of one statement. It may be run twice, if the connection is cut meanwhile."""
        options = {FORGETFUL if self.kind == "sqlite" else ALONE: True}

        def make(session: Session) -> None:
            session.connection().execute(statement, values)

        async with self._gate.place():
            await self.run(lambda: _once_more(lambda: _in_session(self.engine, options, make)))

    @asynccontextmanager
    async def transaction(self, *, urgent: bool = True) -> AsyncIterator["Transaction"]:
        """A transaction of two blocks, with the event loop's turn between them. It is undone unless it is committed."""
        async with self._gate.place(urgent=urgent):
            opened = Transaction(self)
            try:
                yield opened
            finally:
                await opened.end()

    async def migrate(self) -> None:
        """Bring the database to the newest schema."""
        await self.run(lambda: self._connected(migrate))

    async def close(self) -> None:
        """Close the connections; nothing may be running any more."""
        await self.run(self.engine.dispose)
        self._threads.shutdown(wait=False)

    async def run(self, block: Callable[[], T]) -> T:
        """Run a block in a thread. Whoever is cancelled meanwhile waits for its end: a connection does one thing at a
        time, and nobody may have it before."""
        running = asyncio.get_running_loop().run_in_executor(self._threads, block)
        try:
            return await asyncio.shield(running)
        except asyncio.CancelledError:
            while not running.done():
                try:
                    await asyncio.wait({running})
                except asyncio.CancelledError:
                    continue
            running.exception()  # looked at, so that nobody complains of it
            raise

    async def _whole(self, block: Block[T], options: dict[str, bool], urgent: bool) -> T:
        async with self._gate.place(urgent=urgent):
            return await self.run(lambda: _in_session(self.engine, options, block))

    def _connected(self, block: Callable[[Connection], None]) -> None:
        with self.engine.begin() as connection:
            block(connection)


class Transaction:
    """An open transaction. Its blocks run one after the other, each in whatever thread is free."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._session: Session | None = None

    async def run(self, block: Block[T]) -> T:
        """Run one block; the transaction stays open."""

        def part() -> T:
            if self._session is None:
                self._session = _once_more(lambda: _begin(self._database.engine, {}))
            return block(self._session)

        return await self._database.run(part)

    async def commit(self, block: Block[T]) -> T:
        """Run the last block, commit, and give the connection back."""

        def last(session: Session) -> T:
            done = block(session)
            session.commit()
            session.close()
            return done

        done = await self.run(last)
        self._session = None
        return done

    async def end(self) -> None:
        """Undo what is not committed; harmless after a commit."""
        if self._session is not None:
            session, self._session = self._session, None
            await self._database.run(session.close)


class Gate:
    """Lets so many in at a time; who is urgent goes first, else whoever came first."""

    def __init__(self, places: int) -> None:
        self._free = places
        self._waiting: list[tuple[bool, int, asyncio.Future[None]]] = []
        self._numbers = count()

    @asynccontextmanager
    async def place(self, *, urgent: bool = True) -> AsyncIterator[None]:
        """A place within, as soon as there is one."""
        if self._free and not self._waiting:
            self._free -= 1
        else:
            await self._wait(urgent)
        try:
            yield
        finally:
            self._leave()

    async def _wait(self, urgent: bool) -> None:
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (not urgent, next(self._numbers), turn))
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # it was his turn just then: the next one's
                self._leave()
            raise

    def _leave(self) -> None:
        while self._waiting:
            *_, turn = heapq.heappop(self._waiting)
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1


def _begin(engine: Engine, options: dict[str, bool]) -> Session:
    """A session within a transaction."""
    session = Session(engine, expire_on_commit=False)
    try:
        session.connection(execution_options=options)
    except BaseException:
        session.close()
        raise
    return session


def _in_session(engine: Engine, options: dict[str, bool], block: Block[T]) -> T:
    with _once_more(lambda: _begin(engine, options)) as session:
        done = block(session)
        session.commit()
        return done


def _once_more(do: Callable[[], T]) -> T:
    """Do something that may be done twice. A connection that was cut since its last use says so at its next; then all
    are opened anew."""
    try:
        return do()
    except DBAPIError as error:
        if not error.connection_invalidated:
            raise
        return do()
