"""Rows and values: the table that some rows hold, and the values of the rows that hold a table."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, NamedTuple

from domain.table import Player, Seat, Table
from persistence.journal import dump_table, load_table

COLUMNS = (
    *("move", "asked", "phase", "host", "dealer", "actor", "round", "pot", "house", "seed", "shuffles"),
    *("rules", "settings"),
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


def table_values(table: Table) -> dict[str, Any]:
    """The columns of a table's row; its seats have rows of their own."""
    data = dump_table(table)
    del data["seats"], data["departed"]
    columns = {name: data.pop(name) for name in COLUMNS}
    return {**columns, "rest": data}


def seat_values(number: int, table: Table) -> dict[Player, dict[str, Any]]:
    """The columns of the rows of a table's seats; those who have left count down from -1."""
    places = [*enumerate(table.seats), *((-1 - n, seat) for n, seat in enumerate(table.departed))]
    return {seat.player: {"table_id": number, **asdict(seat), "place": place} for place, seat in places}


def to_table(row: Any, seats: Sequence[Any]) -> Table:
    """The table that its rows hold: a `TableRow` and `SeatRow` each, or whatever has the same attributes.

    Raises:
        ValueError: they hold none.
    """
    placed = sorted(seats, key=lambda seat: int(seat.place))
    here = [_seat(seat) for seat in placed if seat.place >= 0]
    left = [_seat(seat) for seat in reversed(placed) if seat.place < 0]
    columns = {name: getattr(row, name) for name in COLUMNS}
    return load_table({**row.rest, **columns, "seats": here, "departed": left})


def _seat(row: Any) -> Mapping[str, Any]:
    return {name: getattr(row, name) for name in SEAT}
