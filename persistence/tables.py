"""All tables: which one stands at a place, open for one transaction at a time, and whose question is due."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import bindparam, not_, or_
from sqlalchemy import select as select_columns
from sqlmodel import Session, col, select, update

from persistence.chats import chat_row
from persistence.database import Block, Database
from persistence.engine import Clock, utc_now
from persistence.mapping import Person, Place
from persistence.rows import ChatRow, PlayerRow, SeatRow, TableRow
from persistence.sitting import Group, Rows, Sitting, columns
from persistence.views import NoTableError

SLICE = 50
"""How many questions one look at the clock finds at most."""
_CHATS = columns(ChatRow)
_TABLES = columns(TableRow)
_SEATS = columns(SeatRow)
_PLAYERS = columns(PlayerRow)
_CHAT = {name: _CHATS.c[name].label(f"group_{name}") for name in Group.__dataclass_fields__}
# Columns and no objects: the sitting knows what it changes, and nothing else has to keep watch over it.
_WITH_CHAT = select_columns(*_TABLES.c, *_CHAT.values()).join(_CHATS, _TABLES.c.chat_id == _CHATS.c.id)
_OPEN_AT = _WITH_CHAT.where(
    _CHATS.c.telegram_id == bindparam("chat"), _TABLES.c.topic == bindparam("topic"), _TABLES.c.ended_at.is_(None)
).with_for_update(of=_TABLES)
_NUMBERED = _WITH_CHAT.where(_TABLES.c.id == bindparam("number"))
_SEATS_OF = (
    select_columns(*_SEATS.c, _PLAYERS.c.name, _PLAYERS.c.language)
    .outerjoin(_PLAYERS, _PLAYERS.c.id == _SEATS.c.player)
    .where(_SEATS.c.table_id == bindparam("number"))
)


class Due(NamedTuple):
    """A question whose time has come."""

    number: int
    """Of the table."""
    asked: int
    """The move that put it."""
    at: datetime


class Tables:
    """All tables of the database."""

    def __init__(self, database: Database, now: Clock = utc_now) -> None:
        self._database = database
        self._now = now

    @asynccontextmanager
    async def at(self, place: Place) -> AsyncIterator[Sitting]:
        """The open table of a place, locked until the block ends: committed, or undone if it raises."""

        def find(session: Session) -> Sitting:
            found = _one(session, _OPEN_AT, chat=place.chat, topic=place.topic)
            if found is None:  # the chat is locked instead: of two who open a table at once, one finds the other's
                free = chat_row(session, place.chat, self._now(), lock=True)
                found = _one(session, _OPEN_AT, chat=place.chat, topic=place.topic)
                if found is None:
                    values = {name: getattr(free, name) for name in _CHAT}
                    return Sitting(Group(**values), None, self._now())
            return self._sitting(session, found)

        async with self._opened(find) as sitting:
            yield sitting

    @asynccontextmanager
    async def numbered(self, number: int, *, patient: bool = True) -> AsyncIterator[Sitting]:
        """The table with a number, whether it is still open or not.

        ``patient``: wait for whoever has it open now, in this process or another one. Whoever does not is in no hurry
        either: what people do goes first.

        Raises:
            NoTableError: there is none, or somebody has it open and we do not wait.
        """

        def find(session: Session) -> Sitting:
            locked = _NUMBERED.with_for_update(of=_TABLES, skip_locked=not patient)
            found = _one(session, locked, number=number)
            if found is None:
                raise NoTableError
            return self._sitting(session, found)

        async with self._opened(find, urgent=patient) as sitting:
            yield sitting

    @asynccontextmanager
    async def _opened(self, find: Block[Sitting], *, urgent: bool = True) -> AsyncIterator[Sitting]:
        """Two blocks: one reads and locks, the other writes and commits; between them the game is played."""
        async with self._database.transaction(urgent=urgent) as transaction:
            sitting = await transaction.run(find)
            yield sitting
            await transaction.commit(sitting.write)

    def _sitting(self, session: Session, found: Any) -> Sitting:
        seats = session.connection().execute(_SEATS_OF, {"number": found.id}).all()
        people = {seat.player: Person(seat.player, seat.name, seat.language) for seat in seats if seat.name is not None}
        if others := {found.host, *found.rest["arrivals"]} - people.keys():
            rows = session.exec(select(PlayerRow).where(col(PlayerRow.id).in_(others)))
            people |= {row.id: Person(row.id, row.name, row.language) for row in rows}
        chat = Group(**{name: getattr(found, column.name) for name, column in _CHAT.items()})
        return Sitting(chat, Rows(found, seats, people), self._now())

    async def topics(self, chat: int) -> Sequence[int]:
        """The topics of a chat in which a table stands; 0 is the chat itself."""
        statement = (
            select(TableRow.topic)
            .join(ChatRow, col(TableRow.chat_id) == ChatRow.id)
            .where(ChatRow.telegram_id == chat, col(TableRow.ended_at).is_(None))
        )
        return await self._database.read(lambda session: session.exec(statement).all())

    async def overdue(self, after: Due | None = None) -> Sequence[Due]:
        """Tables whose question has run out of time, the longest first: `SLICE` of those that come after one."""
        return await self._due(col(TableRow.due_at), after)

    async def late(self, after: Due | None = None) -> Sequence[Due]:
        """Tables whose player is to be reminded, in the same way."""
        return await self._due(col(TableRow.warn_at), after)

    async def _due(self, column: Any, after: Due | None) -> Sequence[Due]:
        number = col(TableRow.id)
        statement = select(number, TableRow.asked, column).where(column <= self._now(), not_(col(TableRow.frozen)))
        if after is not None:
            follows = or_(column > after.at, number > after.number)
            statement = statement.where(column >= after.at, follows)
        statement = statement.order_by(column, number).limit(SLICE)

        def look(session: Session) -> Sequence[Due]:
            return [Due(found, asked, at) for found, asked, at in session.exec(statement) if found is not None]

        return await self._database.read(look)

    async def grant_grace(self, seconds: int) -> None:
        """Move every deadline that is nearer than ``seconds``: an outage must cost nobody his turn. Its board is drawn
        anew, for it tells the deadline."""
        soonest = self._now() + timedelta(seconds=seconds)
        near = update(TableRow).where(col(TableRow.due_at) < soonest, not_(col(TableRow.frozen)))
        await self._database.write(lambda session: session.exec(near.values(due_at=soonest, shown=0)))


def _one(session: Session, statement: Any, **values: int) -> Any:
    return session.connection().execute(statement, values).first()
