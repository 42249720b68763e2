"""Rows and values: the table that some rows hold, and the values of the rows that hold a table."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from domain.table import Player, Seat, Table
from persistence.journal import dump_table, load_table

AGREED = ("rules", "settings")
"""The fields that say which game is played."""
COLUMNS = (
    *("move", "asked", "phase", "host", "dealer", "actor", "round", "pot", "house", "seed", "shuffles"),
    *AGREED,
)
"""The fields of a table that have a column of their own; the others are in ``rest``."""
SEAT = tuple(Seat.__dataclass_fields__)
"""The columns of a seat besides its table and its place."""


class Place(NamedTuple):
    """Where a table stands: Telegram's id of the chat, and the forum topic (0: none)."""

    chat: int
    topic: int = 0


class Person(NamedTuple):
    """Who does something: Telegram's id, the name as Telegram has it, and the language of his client."""

    id: Player
    name: str
    language: str


def table_values(table: Table, before: Table | None = None) -> dict[str, Any]:
    """The columns of a table's row; its seats have rows of their own.

    With a table ``before``, what it says of the game is left out where this one says the same: it is long, and does
    not change from the first hand to the last.
    """
    same = {name for name in AGREED if before is not None and getattr(table, name) is getattr(before, name)}
    data = dump_table(table, {"seats", "departed", *same})
    columns = {name: data.pop(name) for name in COLUMNS if name not in same}
    return {**columns, "rest": data}


def seat_values(number: int, table: Table) -> dict[Player, dict[str, Any]]:
    """The columns of the rows of a table's seats; those who have left count down from -1."""
    places = [*enumerate(table.seats), *((-1 - n, seat) for n, seat in enumerate(table.departed))]
    return {seat.player: {"table_id": number, **_columns(seat), "place": place} for place, seat in places}


def to_table(row: Any, seats: Sequence[Any]) -> Table:
    """The table that its rows hold: a `TableRow` and `SeatRow` each, or whatever has the same attributes.

    Raises:
        ValueError: they hold none.
    """
    placed = sorted(seats, key=lambda seat: int(seat.place))
    here = [_columns(seat) for seat in placed if seat.place >= 0]
    left = [_columns(seat) for seat in reversed(placed) if seat.place < 0]
    columns = {name: getattr(row, name) for name in COLUMNS}
    return load_table({**row.rest, **columns, "seats": here, "departed": left})


def _columns(seat: Any) -> dict[str, Any]:
    return {name: getattr(seat, name) for name in SEAT}
