"""What the keeper of the boards needs: which boards are behind, what they should show, and when a group may be
written to.

Telegram lets a bot send and edit some 20 messages a minute in one group. The group's budget is one time on its row,
shared by every process: ``free_at``. Each call moves it by `INTERVAL`; a call is granted as long as it lies no
further ahead than `BURST` allows. So four quick moves are shown at once, and no minute ever sees more than 20 calls.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy.ext.asyncio import AsyncEngine, async_sessionmaker
from sqlmodel import col, or_, select, update
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.table import Player, Table
from persistence.engine import utc_now
from persistence.rows import NOT_SENT, ChatRow, PlayerRow, SeatRow, TableRow
from persistence.tables import Clock, NoTableError, Place, chat_row, to_table

INTERVAL = timedelta(seconds=3.75)
"""How long a group's budget needs to recover from one call."""
BURST = 4
"""How many calls may follow each other at once after a quiet time."""
ON_ITS_WAY = timedelta(minutes=1)
"""After which a reminder that nobody has sent (its process was killed, Telegram was away) is sent after all."""
AT_THE_BOTTOM = -1
"""In ``shown``: the board is to be sent anew, whatever its message shows."""


class View(NamedTuple):
    """A table and what its board needs besides."""

    number: int
    table: Table
    names: Mapping[Player, str]
    language: str
    place: Place
    board: int | None
    shown: int
    due_at: datetime | None
    reminder: int | None
    page: int
    """The open page of the lobby's menu."""


class Boards:
    """All boards of the database."""

    def __init__(self, engine: AsyncEngine, now: Clock = utc_now, interval: timedelta = INTERVAL) -> None:
        self._sessions = async_sessionmaker(engine, class_=AsyncSession, expire_on_commit=False)
        self._now = now
        self._interval = interval

    async def behind(self) -> Sequence[tuple[int, int]]:
        """The tables whose board is older than their row, with Telegram's id of their chat."""
        async with self._sessions() as session:
            statement = (
                select(TableRow.id, ChatRow.telegram_id)
                .join(ChatRow, col(TableRow.chat_id) == ChatRow.id)
                .where(TableRow.shown < TableRow.move, col(ChatRow.active))
            )
            return [(number, chat) for number, chat in await session.exec(statement) if number is not None]

    async def view(self, number: int) -> View:
        """A table as it is now.

        Raises:
            NoTableError: there is none with this number.
        """
        async with self._sessions() as session:
            statement = (
                select(ChatRow, TableRow)
                .join(TableRow, col(TableRow.chat_id) == ChatRow.id)
                .where(TableRow.id == number)
            )
            found = (await session.exec(statement)).first()
            if found is None:
                raise NoTableError
            chat, row = found
            seats = (await session.exec(select(SeatRow).where(SeatRow.table_id == number))).all()
            table = to_table(row, seats)
            people = {*(seat.player for seat in seats), *table.arrivals, table.host}
            names = await session.exec(select(PlayerRow.id, PlayerRow.name).where(col(PlayerRow.id).in_(people)))
            return View(
                number=number,
                table=table,
                names=dict(names.all()),
                language=chat.language,
                place=Place(chat.telegram_id, row.topic),
                board=row.board,
                shown=row.shown,
                due_at=row.due_at,
                reminder=row.reminder or None,
                page=row.page,
            )

    async def number(self, place: Place) -> tuple[int, int]:
        """The number and the move of the open table of a place; zeros if none stands there."""
        async with self._sessions() as session:
            statement = (
                select(TableRow.id, TableRow.move)
                .join(ChatRow, col(TableRow.chat_id) == ChatRow.id)
                .where(ChatRow.telegram_id == place.chat, TableRow.topic == place.topic)
                .where(col(TableRow.ended_at).is_(None))
            )
            number, move = (await session.exec(statement)).first() or (None, 0)
            return number or 0, move

    async def claim(self, chat: int, spare: int = 0) -> float:
        """Ask for one call to a group: 0 if it is granted, else the seconds until it may be asked for again.

        ``spare``: what is not urgent leaves so many calls to what is.
        """
        async with self._sessions.begin() as session:
            row = await chat_row(session, chat, self._now(), lock=True)
            now = self._now()
            start = max(row.free_at, now)
            wait = (start - now - self._interval * (BURST - 1 - spare)).total_seconds()
            if wait > 0:
                return wait
            row.free_at = start + self._interval
            return 0

    async def postpone(self, chat: int, seconds: float) -> None:
        """Telegram asked for silence in this group: no call is granted for so many seconds."""
        async with self._sessions.begin() as session:
            row = await chat_row(session, chat, self._now(), lock=True)
            silent = self._now() + timedelta(seconds=seconds) + self._interval * (BURST - 1)
            row.free_at = max(row.free_at, silent)

    async def shown(self, view: View, board: int | None) -> None:
        """A message shows what was viewed, unless the board was forgotten or is to be redrawn since."""
        async with self._sessions.begin() as session:
            unchanged = (
                col(TableRow.id) == view.number,
                col(TableRow.shown) == view.shown,
                col(TableRow.board).is_not_distinct_from(view.board),
            )
            seen = update(TableRow).where(*unchanged).values(board=board, shown=view.table.move)
            await session.exec(seen)

    async def forget(self, number: int) -> None:
        """The board's message is gone: the next one is sent anew."""
        await self._set(number, board=None, shown=0)

    async def lower(self, number: int) -> None:
        """Send the board again, at the bottom of the chat."""
        await self._set(number, shown=AT_THE_BOTTOM)

    async def take_reminder(self, number: int, asked: int) -> bool:
        """Claim the one reminder of a question; false if it was sent, or the question is another one now. Whoever has
        it says with `reminded` that it was sent: if he does not, it is anybody's again after `ON_ITS_WAY`."""
        now = self._now()
        async with self._sessions.begin() as session:
            is_free = or_(col(TableRow.reminder).is_(None), col(TableRow.warn_at) <= now)
            statement = (
                update(TableRow)
                .where(col(TableRow.id) == number, col(TableRow.asked) == asked)
                .where(col(TableRow.warn_at).is_not(None), is_free)
                .values(reminder=NOT_SENT, warn_at=now + ON_ITS_WAY)
            )
            result = await session.exec(statement)
            return bool(result.rowcount)

    async def reminded(self, number: int, asked: int, message: int) -> bool:
        """Keep the message that reminds the late player; false if his question has been answered meanwhile."""
        async with self._sessions.begin() as session:
            still = update(TableRow).where(col(TableRow.id) == number, col(TableRow.asked) == asked)
            return bool((await session.exec(still.values(reminder=message, warn_at=None))).rowcount)

    async def prompted(self, number: int, message: int) -> None:
        """The message that asks the player for an amount."""
        await self._set(number, prompt=message)

    async def _set(self, number: int, **values: int | None) -> None:
        async with self._sessions.begin() as session:
            await session.exec(update(TableRow).where(col(TableRow.id) == number).values(**values))
