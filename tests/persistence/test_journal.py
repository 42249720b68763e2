"""Events and tables as JSON: whatever is written comes back the same."""

import json
from random import Random
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from domain.commands import Join
from domain.events import Ended, Event, Joined, Opened, WasCut
from domain.evolve import opened
from domain.play import open_table, play
from domain.presets import PRESETS
from domain.refusals import Refusal
from domain.settings import Settings
from domain.table import Table
from persistence.journal import dump_event, dump_table, load_event, load_table, replay
from tests.persistence.evenings import ANN, BOB, PEOPLE, some_command, some_settings

EVENTS = get_args(Event)


def through_json(data: Any) -> Any:
    """What a database gives back."""
    return json.loads(json.dumps(data))


@pytest.mark.parametrize("kind", EVENTS, ids=lambda kind: kind.__name__)
def test_every_event_comes_back_the_same(kind: type[Event]) -> None:
    @settings(max_examples=25, deadline=None, database=None)
    @given(st.from_type(kind))
    def check(event: Event) -> None:
        again = load_event(through_json(dump_event(event)))
        assert again == event
        assert repr(again) == repr(event)  # enumerations and cards are themselves again, not their values

    check()


def test_events_are_told_apart_by_their_names() -> None:
    assert len({kind.__name__ for kind in EVENTS}) == len(EVENTS)
    assert dump_event(Ended()) == {"event": "Ended"}


@settings(max_examples=40, deadline=None, database=None)
@given(st.from_type(Table))
def test_every_table_comes_back_the_same(table: Table) -> None:
    data = dump_table(table)
    assert data.keys() == Table.__dataclass_fields__.keys()
    again = load_table(through_json(data))
    assert again == table
    assert repr(again) == repr(table)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_game_by_luck_replays_from_what_was_written(preset: str) -> None:
    """I22, and every table on the way comes back, too."""
    luck, rules = Random(f"replay {preset}"), PRESETS[preset]
    events, table = open_table(PEOPLE[0].id, rules, some_settings(luck, rules))
    written = [[dump_event(event) for event in events]]
    while len(written) < 40:
        command = some_command(luck, table)
        try:
            events, table = play(table, command)
        except Refusal:
            if table.phase == "ended":
                break
            continue
        written.append([dump_event(event) for event in events])
        assert load_table(through_json(dump_table(table))) == table
    assert replay([[load_event(event) for event in move] for move in through_json(written)]) == table


HOME = Opened(ANN, PRESETS["home_pot"], Settings())


def test_a_journal_of_one_move_is_a_lobby() -> None:
    assert replay([[HOME]]) == opened(HOME)
    assert replay([[HOME], [Joined(BOB)]]) == play(opened(HOME), Join(BOB))[1]


@pytest.mark.parametrize("moves", [[], [[]], [[Joined(ANN)]], [[HOME, Joined(BOB)]]])
def test_a_journal_that_begins_otherwise_is_refused(moves: list[list[Event]]) -> None:
    with pytest.raises(ValueError, match=r"begins with the opening|not enough values"):
        replay(moves)


@pytest.mark.parametrize(
    "data", [{"event": "WasCut", "player": ANN}, {"event": "WasCut", "player": ANN, "place": "deep"}]
)
def test_an_event_with_other_data_is_refused(data: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        load_event(data)


def test_an_event_that_nobody_knows_is_refused() -> None:
    with pytest.raises(KeyError):
        load_event({"event": "Cheated", "player": ANN})
    assert load_event(dump_event(WasCut(ANN, 3))) == WasCut(ANN, 3)
