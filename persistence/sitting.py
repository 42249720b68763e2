"""A table that is open for one transaction: read when it is opened, changed in memory, written when all is well."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam
from sqlalchemy import Table as Columns
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm.exc import StaleDataError
from sqlmodel import Session, SQLModel, delete

from domain.choices import patience
from domain.commands import Command
from domain.events import Event
from domain.ledger import transfers
from domain.play import open_table, play
from domain.rules import Rules
from domain.settings import Settings
from domain.table import HAND_IN_PLAY, Phase, Player, Table
from persistence.journal import dump_event, load_choice
from persistence.mapping import Person, Place, seat_values, table_values, to_table
from persistence.rows import ChatRow, LedgerRow, MoveRow, PlayerRow, ResultRow, SeatRow, TableRow
from persistence.views import NoTableError, View, people_of

WARNING_AT = 2 / 3
"""The part of a player's time after which he is reminded."""
AT_THE_BOTTOM = -1
"""In ``shown``: the board is to be sent anew, whatever its message shows."""


def columns(row: type[SQLModel]) -> Columns:
    """The table of the database that a kind of row stands in."""
    return SQLModel.metadata.tables[row.__tablename__]  # type: ignore[index]


_CHATS = columns(ChatRow)
_TABLES = columns(TableRow)
_SEATS = columns(SeatRow)
_PLAYERS = columns(PlayerRow)
_CHANGE_CHAT = _CHATS.update().where(_CHATS.c.id == bindparam("this"))
# Whoever was quicker has made another move, and nothing is written (the row is locked; this is the second bolt).
_CHANGE_TABLE = _TABLES.update().where(_TABLES.c.id == bindparam("this"), _TABLES.c.move == bindparam("known"))
_CHANGE_SEAT = _SEATS.update().where(_SEATS.c.table_id == bindparam("this"), _SEATS.c.player == bindparam("whose"))


@dataclass
class Group:
    """What the row of a chat says; its language may be chosen while a table is open."""

    id: int
    telegram_id: int
    language: str
    active: bool
    rules: Mapping[str, Any] | None
    settings: Mapping[str, Any] | None
    free_at: datetime


class Rows(NamedTuple):
    """What was read of a table and its people, as the database has it; each has the attributes of its kind of row."""

    row: Any
    seats: Sequence[Any]
    people: Mapping[Player, Person]


class Sitting:
    """A table that is open for one transaction. ``table`` is ``None`` where none stands.

    Nothing that is done here reaches the database before `write`.
    """

    def __init__(self, chat: Group, found: Rows | None, now: datetime) -> None:
        self._now = now
        self._row: Any = found.row if found else None
        self._people = dict(found.people) if found else {}
        self._met: dict[Player, Person] = {}
        self._place: Place | None = None
        self._set: dict[str, Any] = {}
        self._moves: list[tuple[Table | None, Table, Sequence[Event]]] = []
        self._language = chat.language
        self._seats = found.seats if found else ()
        self.chat = chat
        self.table: Table | None = to_table(found.row, found.seats) if found else None
        self.number: int | None = self._row.id if self._row else None
        self.board: int | None = self._row.board if self._row else None
        """The message that shows the table."""
        self.prompt: int | None = self._row.prompt if self._row else None
        """The message that asks the player to type an amount."""
        self.is_frozen = not chat.active
        """Whether we believe that we may not write here."""
        self.litter: list[int] = []
        """Messages that have done their work once this transaction is committed: reminders, questions for amounts."""

    @property
    def id(self) -> int:
        """The number of the table; a new one has it when it is written.

        Raises:
            NoTableError: none is open.
        """
        if self.number is None:
            raise NoTableError
        return self.number

    @property
    def choice(self) -> tuple[Rules, Settings] | None:
        """The game that this group chose last, if it has chosen one."""
        if self.chat.rules is None or self.chat.settings is None:
            return None
        return load_choice(self.chat.rules, self.chat.settings)

    @property
    def view(self) -> View | None:
        """What the board has to show when this is committed; ``None`` where no table stands, or where somebody is
        named of whom we know too little without another look at the database."""
        people = {**self._people, **self._met}
        if self.table is None or self.number is None or not people_of(self.table) <= people.keys():
            return None
        return View(
            number=self.number,
            table=self.table,
            names={player: people[player].name for player in people_of(self.table)},
            language=self.chat.language,
            place=Place(self.chat.telegram_id, self._place.topic if self._place else self._row.topic),
            board=self.board,
            shown=self._now_is("shown", 0),
            due_at=self._now_is("due_at", None),
            reminder=self._now_is("reminder", None) or None,
            page=self._now_is("page", 0),
            free_at=self.chat.free_at,
        )

    # -- what is changed -------------------------------------------------------------------------------

    def turn_page(self, page: int) -> None:
        """Show another page of the lobby's menu.

        Raises:
            NoTableError: none is open.
        """
        self._require_table()
        self._set |= {"page": page, "shown": 0}

    def lower_board(self) -> None:
        """Have the board sent again, at the bottom of the chat, if there is one."""
        if self.board is not None:
            self._set["shown"] = AT_THE_BOTTOM

    def hear(self, message: int) -> bool:
        """Take a message as this table's next typed amount; false if it, or a later one, was taken before.

        Telegram may deliver a message twice, and a typed amount names no move: without this a bet that comes again
        could answer the next question.

        Raises:
            NoTableError: none is open.
        """
        self._require_table()
        if message <= self._now_is("heard", 0):
            return False
        self._set["heard"] = message
        return True

    def remember(self, person: Person) -> None:
        """Keep a person's name and language as they are now."""
        if self._people.get(person.id) != person:
            self._met[person.id] = person

    def open(self, place: Place, player: Player, rules: Rules, settings: Settings) -> None:
        """Set up a new table.

        Raises:
            domain.refusals.Refusal: the rules make no game.
        """
        events, table = open_table(player, rules, settings)
        self._place, self._seats = place, ()
        self._keep(None, table, events)

    def play(self, command: Command) -> Sequence[Event]:
        """Play one command; the events tell what happens.

        Raises:
            domain.refusals.Refusal: nothing has changed.
            NoTableError: none is open.
        """
        if self.table is None:
            raise NoTableError
        events, after = play(self.table, command)
        self._keep(self.table, after, events)
        return events

    def _keep(self, before: Table | None, after: Table, events: Sequence[Event]) -> None:
        self._moves.append((before, after, events))
        self._set_clock(before, after)
        self.table = after

    def _set_clock(self, before: Table | None, after: Table) -> None:
        """A new question gets its whole time, and the messages about the old one go; a lobby lives on with every
        visitor."""
        seconds = patience(after)
        if before is not None and before.asked != after.asked:
            self.litter += [message for message in (self._now_is("reminder", None), self.prompt) if message]
            self.prompt = None
            self._set |= {"reminder": None, "prompt": None}
        if seconds is None:
            self._set |= {"due_at": None, "warn_at": None, "ended_at": self._now}
        elif before is None or before.asked != after.asked or after.phase is Phase.LOBBY:
            personal = after.phase in HAND_IN_PLAY or after.actor is not None
            warn_at = self._now + timedelta(seconds=seconds * WARNING_AT) if personal else None
            self._set |= {"due_at": self._now + timedelta(seconds=seconds), "warn_at": warn_at}

    def _now_is(self, column: str, unset: Any) -> Any:
        """The value of a column as it is to be written."""
        return self._set.get(column, unset if self._row is None else getattr(self._row, column))

    def _require_table(self) -> None:
        if self.table is None:
            raise NoTableError

    # -- what is written -------------------------------------------------------------------------------

    def write(self, session: Session) -> None:
        """Write everything that has changed; nothing, if nothing has.

        Raises:
            StaleDataError: somebody else has written this table since it was read.
        """
        connection = session.connection()
        if self._met:
            self._write_people(connection)
        if self._place is not None:
            self._insert_table(connection, self._place)
        elif self._moves or self._set:
            self._update_table(connection)
        if self._moves:
            self._write_seats(connection)
            self._write_journal(connection)
        self._write_chat(connection)

    def _write_people(self, connection: Connection) -> None:
        """A row that says the same already is left alone."""
        upsert = insert_into(connection, PlayerRow)
        new = upsert.excluded
        is_news = (_PLAYERS.c.name != new.name) | (_PLAYERS.c.language != new.language)
        changed = {"name": new.name, "language": new.language}
        statement = upsert.on_conflict_do_update(index_elements=["id"], set_=changed, where=is_news)
        connection.execute(statement, [person._asdict() for person in self._met.values()])

    def _insert_table(self, connection: Connection, place: Place) -> None:
        _, table, _ = self._moves[-1]
        fixed = {"chat_id": self.chat.id, "topic": place.topic, "opened_at": self._now, "frozen": self.is_frozen}
        unset = {"page": 0, "shown": 0, "heard": 0}
        statement = _TABLES.insert().returning(_TABLES.c.id)
        values = {**fixed, **unset, **table_values(table), **self._set}
        self.number = connection.execute(statement, values).scalar_one()

    def _update_table(self, connection: Connection) -> None:
        values = dict(self._set)
        if self._moves:
            (before, *_), (_, after, _) = self._moves[0], self._moves[-1]
            values |= table_values(after, before)
        known = {"this": self._row.id, "known": self._row.move}
        if connection.execute(_CHANGE_TABLE, {**known, **values}).rowcount != 1:
            raise StaleDataError(f"table {self.number} has been written by somebody else")

    def _write_seats(self, connection: Connection) -> None:
        """One statement for the new seats and one for the changed, however many there are."""
        _, table, _ = self._moves[-1]
        before = {seat.player: seat for seat in self._seats}
        seats = seat_values(self.id, table)
        if changed := [
            {**values, "this": values.pop("table_id"), "whose": values.pop("player")}
            for player, values in seats.items()
            if player in before and any(getattr(before[player], name) != value for name, value in values.items())
        ]:
            connection.execute(_CHANGE_SEAT, changed)
        if new := [values for player, values in seats.items() if player not in before]:
            connection.execute(_SEATS.insert(), new)
        if gone := [player for player in before if player not in seats]:
            connection.execute(delete(SeatRow).where(_SEATS.c.table_id == self.id, _SEATS.c.player.in_(gone)))

    def _write_journal(self, connection: Connection) -> None:
        """What happened, the chips that moved by it, and, at the end, how it ended for everybody."""
        journal = [
            {"table_id": self.id, "move": table.move, "at": self._now, "events": [*map(dump_event, events)]}
            for _, table, events in self._moves
        ]
        connection.execute(columns(MoveRow).insert(), journal)
        if ledger := [entry for before, _, events in self._moves if before for entry in self._ledger(before, events)]:
            connection.execute(columns(LedgerRow).insert(), ledger)
        _, table, _ = self._moves[-1]
        if table.phase is Phase.ENDED and (results := self._results(table)):
            connection.execute(columns(ResultRow).insert(), results)

    def _ledger(self, before: Table, events: Sequence[Event]) -> list[dict[str, Any]]:
        """Net movements by account; the next move cannot write them again, for the key holds the move."""
        sums: Counter[str] = Counter()
        for moved in transfers(before, events):
            sums[str(moved.payer)] -= moved.chips
            sums[str(moved.payee)] += moved.chips
        key = {"table_id": self.id, "move": before.move + 1}
        return [{**key, "account": account, "chips": chips} for account, chips in sums.items() if chips]

    def _results(self, table: Table) -> list[dict[str, Any]]:
        return [
            {
                "table_id": self.id,
                "player": seat.player,
                "chips": seat.chips + seat.cashed,
                "bought": seat.bought,
                "winner": seat.player in table.winners,
            }
            for seat in (*table.seats, *table.departed)
            if seat.bought
        ]

    def _write_chat(self, connection: Connection) -> None:
        changed: dict[str, Any] = {}
        if self.chat.language != self._language:
            changed["language"] = self.chat.language
        if self._moves and (table := self._moves[-1][1]).phase is Phase.LOBBY:  # what the group chooses, it keeps
            values = table_values(table)
            chosen = {"rules": values["rules"], "settings": values["settings"]}
            if chosen != {"rules": self.chat.rules, "settings": self.chat.settings}:
                changed |= chosen
        if changed:
            connection.execute(_CHANGE_CHAT, {"this": self.chat.id, **changed})


def insert_into(connection: Connection, row: type[SQLModel]) -> Any:
    """The INSERT that knows what to do about a row that is there already; each database has its own."""
    insert = sqlite.insert if connection.dialect.name == "sqlite" else postgresql.insert
    return insert(row)
