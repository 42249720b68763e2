"""What the keeper of the boards needs: which boards are behind, what they should show, and when may be called.

Telegram lets a bot send and edit some 20 messages a minute in one group, and some 30 a second in all. Both budgets are
a time on a row (see `persistence.pace`), shared by every process: a group's on its own row, that of all on a row of
their own. A call is paid for from both in one transaction.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import bindparam, not_, true
from sqlalchemy import select as select_columns
from sqlmodel import Session, col, func, or_, select, update

from persistence.chats import chat_row, meet
from persistence.database import Database
from persistence.engine import Clock, utc_now
from persistence.mapping import Place
from persistence.pace import ForEverybody, Pace, common_pace, group_pace
from persistence.rows import NOT_SENT, BudgetRow, ChatRow, TableRow
from persistence.sitting import AT_THE_BOTTOM, columns
from persistence.views import View, read_view

GROUP = group_pace(20)
EVERYBODY = common_pace(30)
"""What Telegram itself takes."""
ON_ITS_WAY = timedelta(minutes=1)
"""After which a reminder that nobody has sent (its process was killed, Telegram was away) is sent after all."""
SLICE = 500
"""How many boards one look around finds at most."""

_CHATS = columns(ChatRow)
_TABLES = columns(TableRow)
_BUDGET = columns(BudgetRow)
_IS_BEHIND = _TABLES.c.shown < _TABLES.c.move, not_(_TABLES.c.frozen)
_FREE = _CHATS.c.id, _CHATS.c.free_at, _BUDGET.c.free_at.label("everybody_free_at")
_NEWEST = (
    select_columns(_TABLES.c.move, _TABLES.c.shown, _TABLES.c.board, _TABLES.c.frozen, *_FREE)
    .join(_CHATS, _TABLES.c.chat_id == _CHATS.c.id)
    .join(_BUDGET, true())
    .where(_TABLES.c.id == bindparam("number"))
    .with_for_update(of=(_CHATS, _BUDGET))
)
_BUDGETS = (
    select_columns(*_FREE)
    .join(_BUDGET, true())
    .where(_CHATS.c.telegram_id == bindparam("chat"))
    .with_for_update(of=(_CHATS, _BUDGET))
)
_PAY_OF_GROUP = _CHATS.update().where(_CHATS.c.id == bindparam("this"))
_PAY_OF_ALL = _BUDGET.update()
_SHOWN = _TABLES.update().where(
    _TABLES.c.id == bindparam("this"),
    _TABLES.c.shown == bindparam("before"),
    _TABLES.c.board.is_not_distinct_from(bindparam("known")),
    _TABLES.c.page == bindparam("open_page"),
)


class Behind(NamedTuple):
    """A board that is older than its row."""

    number: int
    """Of the table."""
    chat: int
    """Telegram's id of the group."""
    group: int
    """The group's own number here."""


class Boards:
    """All boards of the database."""

    def __init__(
        self, database: Database, now: Clock = utc_now, group: Pace = GROUP, everybody: Pace = EVERYBODY
    ) -> None:
        self._database = database
        self._now = now
        self._group = group
        self._everybody = everybody

    async def behind(self, after: Behind | None = None) -> Sequence[Behind]:
        """The tables whose board is older than their row: the first `SLICE`, group by group, of those in the groups
        that come after the group of one."""
        statement = (
            select(TableRow.id, ChatRow.telegram_id, TableRow.chat_id)
            .join(ChatRow, col(TableRow.chat_id) == ChatRow.id)
            .where(*_IS_BEHIND, col(TableRow.chat_id) > (after.group if after else 0))
            .order_by(col(TableRow.chat_id))
            .limit(SLICE)
        )

        def look(session: Session) -> Sequence[Behind]:
            return [Behind(n, chat, group) for n, chat, group in session.exec(statement) if n is not None]

        return await self._database.read(look, urgent=False)

    async def behind_in(self, chat: int) -> Sequence[int]:
        """The tables of one chat whose board is older than their row."""
        statement = (
            select(TableRow.id)
            .join(ChatRow, col(TableRow.chat_id) == ChatRow.id)
            .where(ChatRow.telegram_id == chat, *_IS_BEHIND)
            .order_by(col(TableRow.id))
        )

        def look(session: Session) -> Sequence[int]:
            return [n for n in session.exec(statement) if n is not None]

        return await self._database.read(look, urgent=False)

    async def waiting(self) -> int:
        """How many boards are behind."""
        statement = select(func.count()).select_from(TableRow).where(*_IS_BEHIND)
        return await self._database.read(lambda session: session.exec(statement).one())

    async def view(self, number: int) -> View:
        """A table as it is now.

        Raises:
            NoTableError: there is none with this number.
        """
        return await self._database.read(lambda session: read_view(session, number))

    async def take(self, number: int, known: View | None = None) -> View | float | None:
        """Ask for the call that brings the board of a table up to its row: what it has to show, or the seconds until
        the call may be asked for again (see `ForEverybody`), or ``None`` if it needs none.

        ``known``: what the table was after somebody's tap; it is not read again if it is so still. Boards that nobody
        has tapped on wait for those.
        """

        def look(session: Session) -> View | float | None:
            row = session.connection().execute(_NEWEST, {"number": number}).first()
            if row is None or row.frozen or row.shown >= row.move:
                return None
            if wait := self._pay(session, row):
                return wait
            is_so_still = known and (known.table.move, known.shown, known.board) == (row.move, row.shown, row.board)
            view = known if known and is_so_still else read_view(session, number)
            return view._replace(free_at=self._group.price(row.free_at, self._now())[1])

        return await self._database.note(look, urgent=known is not None)

    def wait(self, free_at: datetime | None) -> float:
        """The seconds until a group's next call may be asked for, if this is when its budget is whole again."""
        return max(0.0, self._group.price(free_at, self._now())[0]) if free_at else 0.0

    async def number(self, place: Place) -> tuple[int, int]:
        """The number and the move of the open table of a place; zeros if none stands there."""
        statement = (
            select(TableRow.id, TableRow.move)
            .join(ChatRow, col(TableRow.chat_id) == ChatRow.id)
            .where(ChatRow.telegram_id == place.chat, TableRow.topic == place.topic)
            .where(col(TableRow.ended_at).is_(None))
        )
        number, move = await self._database.read(lambda session: session.exec(statement).first()) or (None, 0)
        return number or 0, move

    async def claim(self, chat: int, spare: int = 0) -> float:
        """Ask for one call to a group: 0 if it is granted, else the seconds until it may be asked for again (see
        `ForEverybody`).

        ``spare``: what is not urgent leaves so many calls to what is.
        """

        def pay(session: Session) -> float:
            row = session.connection().execute(_BUDGETS, {"chat": chat}).first()
            if row is None:
                meet(session, chat, self._now())
                row = session.connection().execute(_BUDGETS, {"chat": chat}).one()
            return self._pay(session, row, spare)

        return await self._database.note(pay)

    def _pay(self, session: Session, row: Any, spare: int = 0) -> float:
        """Take one call from both budgets, or none and tell how long to wait."""
        now = self._now()
        wait, free_at = self._group.price(row.free_at, now, spare)
        if wait > 0:
            return wait
        wait, everybody_free_at = self._everybody.price(row.everybody_free_at, now)
        if wait > 0:
            return ForEverybody(wait)
        session.connection().execute(_PAY_OF_GROUP, {"this": row.id, "free_at": free_at})
        session.connection().execute(_PAY_OF_ALL, {"free_at": everybody_free_at})
        return 0.0

    async def postpone(self, chat: int, seconds: float) -> None:
        """Telegram asked for silence in this group: no call is granted for so many seconds."""

        def put_off(session: Session) -> None:
            row = chat_row(session, chat, self._now(), lock=True)
            silent = self._now() + timedelta(seconds=seconds) + self._group.interval * (self._group.burst - 1)
            row.free_at = max(row.free_at, silent)

        await self._database.write(put_off)

    async def shown(self, view: View, board: int | None) -> None:
        """A message shows what was viewed, unless the board was forgotten or is to be redrawn since."""
        unchanged = {"this": view.number, "before": view.shown, "known": view.board, "open_page": view.page}
        seen = {"board": board, "shown": view.table.move}
        await self._database.remark(_SHOWN, {**unchanged, **seen})

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
        is_free = or_(col(TableRow.reminder).is_(None), col(TableRow.warn_at) <= now)
        statement = (
            update(TableRow)
            .where(col(TableRow.id) == number, col(TableRow.asked) == asked)
            .where(col(TableRow.warn_at).is_not(None), is_free)
            .values(reminder=NOT_SENT, warn_at=now + ON_ITS_WAY)
        )
        return await self._database.write(lambda session: bool(session.exec(statement).rowcount))

    async def reminded(self, number: int, asked: int, message: int) -> bool:
        """Keep the message that reminds the late player; false if his question has been answered meanwhile."""
        still = update(TableRow).where(col(TableRow.id) == number, col(TableRow.asked) == asked)
        sent = still.values(reminder=message, warn_at=None)
        return await self._database.write(lambda session: bool(session.exec(sent).rowcount))

    async def prompted(self, number: int, message: int) -> None:
        """The message that asks the player for an amount."""
        await self._set(number, prompt=message)

    async def _set(self, number: int, **values: int | None) -> None:
        changed = update(TableRow).where(col(TableRow.id) == number).values(**values)
        await self._database.write(lambda session: session.exec(changed))
