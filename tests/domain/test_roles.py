"""Nobody moves a chip whose turn it is not: every command by every role in every phase (I19)."""

from itertools import product

import pytest

from domain import events as e
from domain.evolve import evolve
from domain.ledger import transfer
from domain.play import decide
from domain.refusals import Refusal
from domain.table import WAITING, Phase, Player, Table
from tests.domain.roles import ADMIN, COMMANDS, FILE, ROLES, drawn, table_in
from tests.domain.tables import STRANGER

PHASES = sorted(WAITING)
HANDS = sorted(WAITING - {Phase.LOBBY, Phase.REST, Phase.ENDED})
_OWN = (e.BoughtIn, e.Rebought)
"""Chips that a player moves for himself alone: bought at the cage."""
_BY_WORD_OF_THE_HOST = {"kick Cat", "end", "end now", "start"}
"""What ends or begins a game moves chips that belong to everybody."""


def test_who_may_do_what_is_as_it_was_recorded() -> None:
    """``python -m tests.domain.roles`` records it anew."""
    assert "\n".join(drawn()) == FILE.read_text(encoding="utf-8")


@pytest.mark.parametrize("phase", PHASES)
def test_only_who_is_asked_moves_chips(phase: Phase) -> None:
    """Except that a game begins, ends, or somebody goes home; and then no chip goes astray (I1)."""
    table = table_in(phase)
    for name, (role, who) in product(COMMANDS, ROLES.items()):
        try:
            events = decide(table, COMMANDS[name](who, role == "admin", table))
        except Refusal:
            continue
        moved, after = [], table
        for event in events:
            if transfer(after, event) is not None and not isinstance(event, _OWN):
                moved.append(event)
            after = evolve(after, event)
        wakes = phase is Phase.REST and name in ("join", "back")  # the game goes on, and everybody antes
        assert not moved or who == table.actor or name in {"leave", *_BY_WORD_OF_THE_HOST} or wakes, (name, role)
        bought = sum(event.chips for event in events if isinstance(event, _OWN))
        gone = sum(seat.cashed for seat in (*after.seats, *after.departed))
        assert after.chips + gone == table.chips + bought, (name, role)


@pytest.mark.parametrize("phase", PHASES)
def test_a_stranger_can_only_join(phase: Phase) -> None:
    table = table_in(phase)
    taken = {name for name in COMMANDS if _takes(table, name, STRANGER)}
    assert taken == (set() if phase is Phase.ENDED else {"join"})


@pytest.mark.parametrize("phase", HANDS)
def test_an_admin_never_plays_for_anybody(phase: Phase) -> None:
    """He may end, kick and choose (and sit down himself); whatever moves a hand is for whoever is asked."""
    table = table_in(phase)
    assert {name for name in COMMANDS if _takes(table, name, ADMIN)} == {
        "join",
        "kick Cat",
        "end",
        "end now",
        "most bet",
    }


@pytest.mark.parametrize("phase", HANDS)
def test_a_hand_is_moved_by_nobody_but_who_is_asked(phase: Phase) -> None:
    table = table_in(phase)
    answers = {"cut", "put up", "call", "guess", "bet", "pass", "raise"}
    for role, who in ROLES.items():
        taken = {name for name in answers if _takes(table, name, who)}
        assert bool(taken) is (role == "asked"), (role, taken)


def _takes(table: Table, name: str, who: Player) -> bool:
    try:
        return bool(decide(table, COMMANDS[name](who, who == ADMIN, table)))
    except Refusal:
        return False
