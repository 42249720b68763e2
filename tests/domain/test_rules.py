"""The switches, which of them go together, and the games by name (rules 2.2, 2.3)."""

import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given

from domain.presets import HOME_POT, PRESETS
from domain.rules import (
    BetWhen,
    Clash,
    Consecutive,
    Counterparty,
    Pair,
    PairKind,
    Payout,
    Rotation,
    Rules,
)
from tests.conftest import HANDS
from tests.domain.strategies import legal_rules

BOOK: Mapping[str, Mapping[str, Any]] = json.loads(HANDS.read_text(encoding="utf-8"))["presets"]


@pytest.mark.parametrize("name", BOOK)
def test_a_preset_is_the_one_of_the_book(name: str) -> None:
    switches = dict(BOOK[name])
    assert switches.pop("dealer_plays") is PRESETS[name].has_pot
    assert PRESETS[name].to_dict() == switches
    assert Rules.from_dict(switches) == PRESETS[name]


def test_the_six_shipped_games_come_first() -> None:
    """Rules 2.2."""
    assert list(PRESETS)[:6] == ["home_pot", "bank", "blind_bank", "acey_deucey", "dragon_gate", "red_dog"]
    assert PRESETS["home_pot"] == HOME_POT == Rules()


@pytest.mark.parametrize(
    ("name", "parent", "changes"),
    [
        ("home_pot_three", "home_pot", {"pair": "win:3"}),
        ("sheets", "acey_deucey", {"consecutive": "redeal", "pair": "redeal"}),
        ("friendly_pot", "home_pot", {"pass": "free"}),
        ("staked_bank", "bank", {"counterparty": "stake", "max_bet": None, "rotation": "broke"}),
        ("soft_blind_bank", "blind_bank", {"consecutive": "push", "pair": "push"}),
    ],
)
def test_the_second_wave_is_the_first_with_a_switch_or_two(name: str, parent: str, changes: dict[str, Any]) -> None:
    """Rules 2.2: no new code."""
    assert PRESETS[name].to_dict() == {**PRESETS[parent].to_dict(), **changes}


@pytest.mark.parametrize("name", PRESETS)
def test_no_preset_has_a_clash(name: str) -> None:
    assert list(PRESETS[name].clashes()) == []


@given(rules=legal_rules())
def test_rules_survive_the_way_through_plain_data(rules: Rules) -> None:
    assert Rules.from_dict(json.loads(json.dumps(rules.to_dict()))) == rules


@pytest.mark.parametrize(
    ("switch", "value"),
    [
        ("counterparty", "bank"),
        ("ace", "middle"),
        ("bet_when", "never"),
        ("pass", "perhaps"),
        ("consecutive", "win"),
        ("pair", "win"),
        ("pair", "push:2"),
        ("pair", "lose:2"),
        ("pair", "guess:0"),
        ("payout", "odd"),
        ("shuffle", "often"),
        ("rotation", "never"),
    ],
)
def test_a_value_that_its_switch_does_not_have_is_not_read(switch: str, value: object) -> None:
    with pytest.raises(ValueError, match=str(value).partition(":")[0]):
        Rules.from_dict({**HOME_POT.to_dict(), switch: value})


@pytest.mark.parametrize("switch", HOME_POT.to_dict())
def test_every_switch_must_be_there(switch: str) -> None:
    switches = HOME_POT.to_dict()
    del switches[switch]
    with pytest.raises(KeyError, match=switch):
        Rules.from_dict(switches)


@pytest.mark.parametrize("text", ["win:2", "win:3", "push", "lose_bet", "redeal", "guess:3", "trips:11"])
def test_a_pair_rule_is_written_as_it_is_read(text: str) -> None:
    assert str(Pair.parse(text)) == text


BLIND = {"bet_when": BetWhen.BEFORE, "consecutive": Consecutive.PUSH}
BANK = {"counterparty": Counterparty.BANKER, "ante": 0, "max_bet": 10}
CLASHING: list[tuple[Clash, dict[str, Any]]] = [
    (Clash.RAISE_NEEDS_BLIND_BET, {"raises": True}),
    (Clash.GUESS_NEEDS_OPEN_BET, {**BLIND, "pair": Pair(PairKind.GUESS, 3)}),
    (Clash.TRIPS_NEED_BLIND_BET, {"pair": Pair(PairKind.TRIPS, 11)}),
    (Clash.LOSE_BET_NEEDS_BLIND_BET, {"pair": Pair(PairKind.LOSE_BET)}),
    (Clash.LOSE_BET_NEEDS_BLIND_BET, {"consecutive": Consecutive.LOSE_BET}),
    (Clash.LOSE_MIN_NEEDS_OPEN_BET, {"bet_when": BetWhen.BEFORE}),
    (Clash.CAP_NEEDS_POT, {**BANK, "half_opening": True}),
    (Clash.ANTE_NEEDS_POT, {**BANK, "ante": 1}),
    (Clash.ANTE_NEEDS_POT, {**BANK, "ante_each_round": True}),
    (Clash.POT_NEEDS_ANTE, {"ante": 0}),
    (Clash.BANK_NEEDS_MAX_BET, {**BANK, "max_bet": None}),
    (Clash.BANK_NEEDS_MAX_BET, {**BANK, "counterparty": Counterparty.HOUSE, "max_bet": None}),
    (Clash.LADDER_WITH_POT, {"payout": Payout.LADDER}),
    (Clash.BROKE_NEEDS_BANK, {"rotation": Rotation.BROKE}),
    (Clash.BROKE_NEEDS_BANK, {**BANK, "counterparty": Counterparty.HOUSE, "rotation": Rotation.BROKE}),
    (Clash.POT_ROTATION_NEEDS_POT, {**BANK, "rotation": Rotation.POT}),
    (Clash.MAX_BELOW_MIN, {"min_bet": 5, "max_bet": 4}),
    (Clash.OUT_OF_RANGE, {"decks": 0}),
    (Clash.OUT_OF_RANGE, {"decks": 9}),
    (Clash.OUT_OF_RANGE, {"post_pays": 0}),
    (Clash.OUT_OF_RANGE, {"post_pays": 4}),
    (Clash.OUT_OF_RANGE, {"min_bet": 0}),
    (Clash.OUT_OF_RANGE, {"ante": -1}),
    (Clash.OUT_OF_RANGE, {"pass_cost": -1}),
]
"""Each clash with the switches that make it, and no other clash."""


@pytest.mark.parametrize(("clash", "switches"), CLASHING)
def test_switches_that_do_not_go_together_are_named(clash: Clash, switches: dict[str, Any]) -> None:
    """Rules 2.3, "combinations to refuse"."""
    assert list(Rules(**switches).clashes()) == [clash]


def test_several_clashes_are_all_named() -> None:
    rules = Rules(raises=True, rotation=Rotation.BROKE, decks=9)
    assert set(rules.clashes()) == {Clash.RAISE_NEEDS_BLIND_BET, Clash.BROKE_NEEDS_BANK, Clash.OUT_OF_RANGE}


def test_every_clash_of_the_rules_can_happen() -> None:
    """The others belong to a table's settings (see test_settings.py)."""
    of_settings = {Clash.TOO_FEW_CHIPS, Clash.CUT_WITH_SHUFFLE_EVERY_TURN}
    assert {clash for clash, _ in CLASHING} == set(Clash) - of_settings


@pytest.mark.parametrize(
    ("switches", "multiple"),
    [
        ({}, 1),
        ({"payout": Payout.LADDER}, 5),
        ({"raises": True}, 2),
        ({"payout": Payout.LADDER, "raises": True}, 10),
        ({"payout": Payout.LADDER, "raises": True, "pair": Pair(PairKind.TRIPS, 11)}, 11),
        ({"pair": Pair(PairKind.TRIPS, 3), "payout": Payout.LADDER}, 5),
        ({"pair": Pair(PairKind.GUESS, 3)}, 1),
        ({"pair": Pair(PairKind.WIN, 20)}, 1),
    ],
)
def test_a_bank_must_cover_the_greatest_multiple_that_can_be_won(switches: dict[str, Any], multiple: int) -> None:
    """Q28; for Red Dog max(11, 5 x 2) = 11 times the first bet."""
    assert Rules(**switches).greatest_multiple == multiple


@pytest.mark.parametrize(
    ("counterparty", "pot", "bank", "dealer"),
    [
        (Counterparty.POT, True, False, True),
        (Counterparty.STAKE, False, True, True),
        (Counterparty.BANKER, False, True, True),
        (Counterparty.HOUSE, False, False, False),
    ],
)
def test_the_counterparty_says_who_deals_and_who_pays(
    counterparty: Counterparty, pot: bool, bank: bool, dealer: bool
) -> None:
    """Rules 2.3, switch 1: the dealer has a hand only where there is a pot."""
    rules = Rules(counterparty=counterparty)
    assert (rules.has_pot, rules.has_bank, rules.has_dealer) == (pot, bank, dealer)
