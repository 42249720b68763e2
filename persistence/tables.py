"""Tables between two messages: one transaction opens a table, plays a command, and writes all that follows."""

from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import insert
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncEngine, async_sessionmaker
from sqlmodel import col, delete, select, update
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.choices import patience
from domain.commands import Command
from domain.events import Event
from domain.evolve import evolve
from domain.ledger import transfer
from domain.play import open_table, play
from domain.rules import Rules
from domain.settings import Settings
from domain.table import HAND_IN_PLAY, Phase, Player, Seat, Table
from persistence.engine import utc_now
from persistence.journal import dump_event, dump_table, load_choice, load_table
from persistence.rows import ChatRow, LedgerRow, MoveRow, PlayerRow, ResultRow, SeatRow, TableRow

Clock = Callable[[], datetime]

_COLUMNS = (
    *("move", "asked", "phase", "host", "dealer", "actor", "round", "pot", "house", "seed", "shuffles"),
    *("rules", "settings"),
)
"""The fields of a table that have a column of their own."""
WARNING_AT = 2 / 3
"""The part of a player's time after which he is reminded."""


class Place(NamedTuple):
    """Where a table stands: Telegram's id of the chat, and the forum topic (0: none)."""

    chat: int
    topic: int = 0


class Person(NamedTuple):
    """Who does something: Telegram's id, the name as Telegram has it, and the language of his client."""

    id: Player
    name: str
    language: str


class NoTableError(Exception):
    """There is no open table at this place."""


class Sitting:
    """A table that is open for one transaction. ``table`` is ``None`` where none stands."""

    def __init__(self, session: AsyncSession, chat: ChatRow, row: TableRow | None, now: datetime) -> None:
        self._session = session
        self._row = row
        self._now = now
        self._seats: dict[Player, dict[str, Any]] = {}
        self.chat = chat
        self.table: Table | None = None
        # Not read from the row later on: a refusal undoes everything and expires it.
        self.number = row.id if row else None
        self.board = row.board if row else None
        """The message that shows the table."""
        self.prompt = row.prompt if row else None
        """The message that asks the player to type an amount."""
        self.is_frozen = not chat.active
        """Whether we believe that we may not write here."""
        self.litter: list[int] = []
        """Messages that have done their work once this transaction is committed: reminders, questions for amounts."""

    @property
    def id(self) -> int:
        """The number of the table.

        Raises:
            NoTableError: none is open.
        """
        if self.number is None:
            raise NoTableError
        return self.number

    @property
    def page(self) -> int:
        """The page of the lobby's menu that is open."""
        return self._row.page if self._row else 0

    @property
    def choice(self) -> tuple[Rules, Settings] | None:
        """The game that this group chose last, if it has chosen one."""
        if self.chat.rules is None or self.chat.settings is None:
            return None
        return load_choice(self.chat.rules, self.chat.settings)

    def turn_page(self, page: int) -> None:
        """Show another page of the lobby's menu.

        Raises:
            NoTableError: none is open.
        """
        if self._row is None:
            raise NoTableError
        self._row.page, self._row.shown = page, 0

    def hear(self, message: int) -> bool:
        """Take a message as this table's next typed amount; false if it, or a later one, was taken before.

        Telegram may deliver a message twice, and a typed amount names no move: without this a bet that comes again
        could answer the next question.

        Raises:
            NoTableError: none is open.
        """
        if self._row is None:
            raise NoTableError
        if message <= self._row.heard:
            return False
        self._row.heard = message
        return True

    async def load(self) -> None:
        """Read the table of the row."""
        if self._row is None:
            return
        found = (await self._session.exec(select(SeatRow).where(SeatRow.table_id == self._row.id))).all()
        self._seats = {seat.player: seat.model_dump() for seat in found}
        self.table = to_table(self._row, found)

    async def remember(self, person: Person) -> None:
        """Keep a person's name and language as they are now."""
        values = {"id": person.id, "name": person.name, "language": person.language}
        changed = {"name": person.name, "language": person.language}
        upsert = _upsert(self._session)(PlayerRow).values(**values)
        await self._session.exec(upsert.on_conflict_do_update(index_elements=["id"], set_=changed))

    async def open(self, place: Place, player: Player, rules: Rules, settings: Settings) -> None:
        """Set up a new table.

        Raises:
            domain.refusals.Refusal: the rules make no game.
        """
        events, table = open_table(player, rules, settings)
        row = TableRow(chat_id=_known(self.chat.id), topic=place.topic, opened_at=self._now, **_row_values(table))
        self._session.add(row)
        await self._session.flush()
        self._row, self.number = row, row.id
        await self._write(None, table, events)

    async def play(self, command: Command) -> Sequence[Event]:
        """Play one command and write what follows; the events tell what happened.

        Raises:
            domain.refusals.Refusal: nothing has changed.
            NoTableError: none is open.
        """
        if self.table is None:
            raise NoTableError
        before = self.table
        events, after = play(before, command)
        await self._write(before, after, events)
        return events

    async def _write(self, before: Table | None, after: Table, events: Sequence[Event]) -> None:
        row = self._row
        if row is None:
            raise NoTableError
        for name, value in _row_values(after).items():
            setattr(row, name, value)
        self._set_clock(row, before, after)
        await self._write_seats(after)
        self._write_ledger(before, events)
        self._session.add(MoveRow(table_id=self.id, move=after.move, at=self._now, events=[*map(dump_event, events)]))
        if after.phase is Phase.LOBBY:
            self.chat.rules, self.chat.settings = row.rules, row.settings
        if after.phase is Phase.ENDED:
            self._write_results(after)
        self.table = after
        await self._session.flush()

    def _set_clock(self, row: TableRow, before: Table | None, after: Table) -> None:
        """A new question gets its whole time, and the messages about the old one go; a lobby lives on with every
        visitor."""
        seconds = patience(after)
        if before is not None and before.asked != after.asked:
            self.litter += [message for message in (row.reminder, row.prompt) if message]
            row.reminder = row.prompt = None
        if seconds is None:
            row.due_at = row.warn_at = None
            row.ended_at = self._now
        elif before is None or before.asked != after.asked or after.phase is Phase.LOBBY:
            row.due_at = self._now + timedelta(seconds=seconds)
            personal = after.phase in HAND_IN_PLAY or after.actor is not None
            row.warn_at = self._now + timedelta(seconds=seconds * WARNING_AT) if personal else None

    async def _write_seats(self, table: Table) -> None:
        """One statement for the new seats and one for the changed, however many there are."""
        places = [*enumerate(table.seats), *((-1 - n, seat) for n, seat in enumerate(table.departed))]
        seats = {seat.player: {"table_id": self.id, **asdict(seat), "place": place} for place, seat in places}
        changed = [values for player, values in seats.items() if self._seats.get(player, values) != values]
        if changed:
            await self._session.exec(update(SeatRow), params=changed)
        if new := [values for player, values in seats.items() if player not in self._seats]:
            await self._session.exec(insert(SeatRow), params=new)
        if gone := [player for player in self._seats if player not in seats]:
            await self._session.exec(
                delete(SeatRow).where(col(SeatRow.table_id) == self.id, col(SeatRow.player).in_(gone))
            )
        self._seats = seats

    def _write_ledger(self, before: Table | None, events: Sequence[Event]) -> None:
        """Net movements by account; the next move cannot write them again, for the key holds the move."""
        if before is None:
            return
        sums: Counter[str] = Counter()
        table = before
        for event in events:
            if moved := transfer(table, event):
                sums[str(moved.payer)] -= moved.chips
                sums[str(moved.payee)] += moved.chips
            table = evolve(table, event)
        for account, chips in sums.items():
            if chips:
                self._session.add(LedgerRow(table_id=self.id, move=before.move + 1, account=account, chips=chips))

    def _write_results(self, table: Table) -> None:
        for seat in (*table.seats, *table.departed):
            if seat.bought:
                self._session.add(
                    ResultRow(
                        table_id=self.id,
                        player=seat.player,
                        chips=seat.chips + seat.cashed,
                        bought=seat.bought,
                        winner=seat.player in table.winners,
                    )
                )


class Tables:
    """All tables of the database."""

    def __init__(self, engine: AsyncEngine, now: Clock = utc_now) -> None:
        self._sessions = async_sessionmaker(engine, class_=AsyncSession, expire_on_commit=False)
        self._now = now

    @asynccontextmanager
    async def at(self, place: Place) -> AsyncIterator[Sitting]:
        """The open table of a place, locked until the block ends: committed, or undone if it raises."""
        async with self._sessions.begin() as session:
            statement = (
                select(ChatRow, TableRow)
                .join(TableRow, (col(TableRow.chat_id) == ChatRow.id))
                .where(
                    ChatRow.telegram_id == place.chat, TableRow.topic == place.topic, col(TableRow.ended_at).is_(None)
                )
                .with_for_update(of=TableRow)
            )
            found = (await session.exec(statement)).first()
            if found is None:  # the chat is locked instead: of two who open a table at once, one finds the other's
                free = await chat_row(session, place.chat, self._now(), lock=True)
                found = (await session.exec(statement)).first()
            chat, row = found or (free, None)
            sitting = Sitting(session, chat, row, self._now())
            await sitting.load()
            yield sitting

    @asynccontextmanager
    async def numbered(self, table_id: int, patient: bool = True) -> AsyncIterator[Sitting]:
        """The table with a number, whether it is still open or not.

        ``patient``: wait for whoever has it open now, in this process or another one.

        Raises:
            NoTableError: there is none, or somebody has it open and we do not wait.
        """
        async with self._sessions.begin() as session:
            statement = (
                select(ChatRow, TableRow)
                .join(TableRow, (col(TableRow.chat_id) == ChatRow.id))
                .where(TableRow.id == table_id)
                .with_for_update(of=TableRow, skip_locked=not patient)
            )
            found = (await session.exec(statement)).first()
            if found is None:
                raise NoTableError
            sitting = Sitting(session, *found, self._now())
            await sitting.load()
            yield sitting

    async def topics(self, chat: int) -> Sequence[int]:
        """The topics of a chat in which a table stands; 0 is the chat itself."""
        async with self._sessions() as session:
            statement = (
                select(TableRow.topic)
                .join(ChatRow, col(TableRow.chat_id) == ChatRow.id)
                .where(ChatRow.telegram_id == chat, col(TableRow.ended_at).is_(None))
            )
            return (await session.exec(statement)).all()

    async def overdue(self) -> Sequence[tuple[int, int]]:
        """The tables whose question has run out of time, with the move that put it."""
        return await self._due(col(TableRow.due_at))

    async def late(self) -> Sequence[tuple[int, int]]:
        """The tables whose player is to be reminded, with the move that put his question."""
        return await self._due(col(TableRow.warn_at))

    async def _due(self, column: Any) -> Sequence[tuple[int, int]]:
        async with self._sessions() as session:
            statement = (
                select(TableRow.id, TableRow.asked)
                .join(ChatRow, (col(TableRow.chat_id) == ChatRow.id))
                .where(column <= self._now(), col(TableRow.ended_at).is_(None), col(ChatRow.active))
            )
            return [(_known(number), asked) for number, asked in await session.exec(statement)]

    async def grant_grace(self, seconds: int) -> None:
        """Move every deadline that is nearer than ``seconds``: an outage must cost nobody his turn. Its board is drawn
        anew, for it tells the deadline."""
        async with self._sessions.begin() as session:
            soonest = self._now() + timedelta(seconds=seconds)
            near = update(TableRow).where(col(TableRow.due_at) < soonest, col(TableRow.ended_at).is_(None))
            await session.exec(near.values(due_at=soonest, shown=0))  # the boards name the time


async def chat_row(session: AsyncSession, telegram_id: int, now: datetime, lock: bool = False) -> ChatRow:
    """The row of a chat, made when it is first seen."""
    statement = select(ChatRow).where(ChatRow.telegram_id == telegram_id)
    if lock:  # and what was read of it before may have changed by now
        statement = statement.with_for_update().execution_options(populate_existing=True)
    row = (await session.exec(statement)).first()
    if row is None:
        await meet(session, telegram_id, now)
        row = (await session.exec(statement)).one()
    return row


async def meet(session: AsyncSession, telegram_id: int, now: datetime) -> bool:
    """Make the row of a chat; false if it is there already. Of two who meet it at once, one makes it."""
    values = {"telegram_id": telegram_id, "language": "", "active": True, "free_at": now}
    upsert = _upsert(session)(ChatRow).values(**values)
    return bool((await session.exec(upsert.on_conflict_do_nothing(index_elements=["telegram_id"]))).rowcount)


def _upsert(session: AsyncSession) -> Any:
    """The INSERT that knows what to do about a row that is there already; each database has its own."""
    return sqlite.insert if session.get_bind().dialect.name == "sqlite" else postgresql.insert


def _known(number: int | None) -> int:
    if number is None:
        raise NoTableError
    return number


# -- rows and values -------------------------------------------------------------------------------


def _row_values(table: Table) -> dict[str, Any]:
    data = dump_table(table)
    del data["seats"], data["departed"]  # they have rows of their own
    columns = {name: data.pop(name) for name in _COLUMNS}
    return {**columns, "rest": data}


def to_table(row: TableRow, seats: Sequence[SeatRow]) -> Table:
    """The table that its rows hold."""
    fields = Seat.__dataclass_fields__
    placed = sorted(seats, key=lambda seat: seat.place)
    here = [{name: getattr(seat, name) for name in fields} for seat in placed if seat.place >= 0]
    left = [{name: getattr(seat, name) for name in fields} for seat in reversed(placed) if seat.place < 0]
    columns = {name: getattr(row, name) for name in _COLUMNS}
    return load_table({**row.rest, **columns, "seats": here, "departed": left})
