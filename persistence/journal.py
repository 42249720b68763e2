"""Events and tables as JSON, and back."""

from collections.abc import Mapping, Sequence
from typing import Any, get_args

from pydantic import TypeAdapter

from domain.events import Event, Opened
from domain.evolve import fold, opened
from domain.rules import Rules
from domain.settings import Settings
from domain.shoe import Shoe
from domain.table import Table

_EVENTS: Mapping[str, TypeAdapter[Any]] = {kind.__name__: TypeAdapter(kind) for kind in get_args(Event)}
_TABLE = TypeAdapter(Table)
_RULES = TypeAdapter(Rules)
_SETTINGS = TypeAdapter(Settings)
_SHOE = tuple(Shoe.__dataclass_fields__)


def dump_event(event: Event) -> dict[str, Any]:
    """One event as plain data, with its name as ``event``."""
    name = type(event).__name__
    return {"event": name, **_EVENTS[name].dump_python(event, mode="json")}


def load_event(data: Mapping[str, Any]) -> Event:
    """The inverse of `dump_event`.

    Raises:
        KeyError: no such event.
        pydantic.ValidationError: its data do not fit.
    """
    values = dict(data)
    event: Event = _EVENTS[values.pop("event")].validate_python(values)
    return event


def dump_table(table: Table, but: set[str] | None = None) -> dict[str, Any]:
    """A table as plain data, a key for each field, ``but`` for some."""
    data: dict[str, Any] = _TABLE.dump_python(table, mode="json", exclude={"shoe", *(but or ())})
    shoe = {part: [[int(card.rank), str(card.suit)] for card in getattr(table.shoe, part)] for part in _SHOE}
    return data | {"shoe": shoe}  # by hand: pydantic takes twenty times as long over a deck, and half of all the rest


def load_table(data: Mapping[str, Any]) -> Table:
    """The inverse of `dump_table`.

    Raises:
        pydantic.ValidationError: the data are no table.
    """
    return _TABLE.validate_python(data)


def load_choice(rules: Mapping[str, Any], settings: Mapping[str, Any]) -> tuple[Rules, Settings]:
    """The game and the agreements of a table, as its row holds them."""
    return _RULES.validate_python(rules), _SETTINGS.validate_python(settings)


def replay(moves: Sequence[Sequence[Event]]) -> Table:
    """The table that the events of its moves tell, beginning with its opening (I22).

    Raises:
        ValueError: the first event is not the opening of a table.
    """
    first, *later = moves
    if len(first) != 1 or not isinstance(first[0], Opened):
        raise ValueError("a journal begins with the opening of its table")
    table = opened(first[0])
    for events in later:
        table = fold(table, events)
    return table
