"""The lobby's menu: every tap goes to the next value that makes a game, and every value can be reached."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.presets import HOME_POT, PRESETS
from domain.refusals import Reason, Refusal
from domain.rules import BetWhen, Clash, Counterparty, Rules
from domain.settings import Settings, check_together
from tests.domain.strategies import legal_rules
from tgbot.menu import (
    GAMES,
    SETTINGS,
    SWITCHES,
    next_rules,
    next_settings,
    preset,
    setting_label,
    switch_label,
)
from tgbot.rulecard import preset_name
from tgbot.words import LANGUAGES, words

HALF_A_PHONE = 22
"""Characters that a button of two in a row shows."""


def number(switch: str) -> int:
    return [*SWITCHES].index(switch)


def turned(rules: Rules, settings: Settings, switch: int) -> Rules | Refusal:
    """The rules after a tap on a switch, or why there are none."""
    try:
        return next_rules(rules, settings, switch)
    except Refusal as refused:
        return refused


@given(legal_rules(), st.integers(0, len(SWITCHES) - 1))
def test_a_tap_changes_its_switch_alone_and_leaves_a_game(rules: Rules, switch: int) -> None:
    settings, name = Settings().fitted(rules), [*SWITCHES][switch]
    if isinstance(changed := turned(rules, settings, switch), Refusal):
        assert changed.clash is not None, "and says which switches do not go together"
        return
    assert getattr(changed, name) in SWITCHES[name]
    assert replace(changed, **{name: getattr(rules, name)}) == rules
    assert changed != rules
    check_together(changed, settings.fitted(changed))


def test_every_value_comes_round() -> None:
    rules, found = HOME_POT, []
    for _ in SWITCHES["decks"]:
        rules = next_rules(rules, Settings(), number("decks"))
        found.append(rules.decks)
    assert found == [2, 4, 6, 8, 1]


def test_values_that_make_no_game_are_passed_over() -> None:
    """A pair that loses the bet, or pays for three of a kind, needs bets before the cards."""
    rules, found = HOME_POT, []
    for _ in range(5):
        rules = next_rules(rules, Settings(), number("pair"))
        found.append(str(rules.pair))
    assert found == ["win:3", "push", "redeal", "guess:3", "win:2"]


def test_a_switch_that_cannot_be_changed_says_why() -> None:
    """Against the banker a blind bet clashes with a pair's guess; in the pot the first value that failed is told."""
    with pytest.raises(Refusal) as refused:
        next_rules(HOME_POT, Settings(), number("raises"))
    assert (refused.value.reason, refused.value.clash) == (Reason.BAD_COMBINATION, Clash.RAISE_NEEDS_BLIND_BET)


def test_a_value_from_elsewhere_goes_on_with_the_first() -> None:
    assert next_rules(replace(HOME_POT, min_bet=3), Settings(), number("min_bet")).min_bet == 1


@pytest.mark.parametrize("setting", range(len(SETTINGS)))
def test_an_agreement_goes_round(setting: int) -> None:
    name, values = [*SETTINGS.items()][setting]
    settings, found = Settings(), []
    for _ in values:
        settings = next_settings(HOME_POT, settings, setting)
        found.append(getattr(settings, name))
    assert sorted(map(str, found)) == sorted(map(str, values))


def test_fewer_chips_than_a_game_needs_are_passed_over() -> None:
    settings = next_settings(replace(HOME_POT, ante=10), Settings(chips=1000), [*SETTINGS].index("chips"))
    assert settings.chips == 20, "ten would all go into the pot"


@pytest.mark.parametrize("wrong", [-1, 99, 10**17])
def test_a_forged_number_is_an_old_button(wrong: int) -> None:
    for call in (
        lambda: preset(wrong),
        lambda: next_rules(HOME_POT, Settings(), wrong),
        lambda: next_settings(HOME_POT, Settings(), wrong),
    ):
        with pytest.raises(Refusal) as refused:
            call()
        assert refused.value.reason is Reason.OLD_BUTTON


def test_the_games_are_the_presets_with_fitting_agreements() -> None:
    assert [preset(n) for n in range(len(GAMES))] == [*PRESETS.values()]
    for rules in PRESETS.values():
        check_together(rules, Settings().fitted(rules))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_label_fits_on_half_a_phone(language: str) -> None:
    tr = words(language)
    labels = [preset_name(name, tr) for name in PRESETS]
    labels += [switch_label(replace(HOME_POT, **{n: v}), n, tr) for n, values in SWITCHES.items() for v in values]
    labels += [setting_label(replace(Settings(), **{n: v}), n, tr) for n, values in SETTINGS.items() for v in values]
    assert [label for label in labels if len(label) > HALF_A_PHONE] == []


def test_the_menu_can_set_up_every_preset_from_every_other() -> None:
    """No preset is a dead end: against another counterparty, with bets before the cards, a way leads on."""
    for rules in PRESETS.values():
        after = {name: turned(rules, Settings().fitted(rules), n) for n, name in enumerate(SWITCHES)}
        movable = {name for name, changed in after.items() if isinstance(changed, Rules)}
        assert {"min_bet", "post_pays", "ace", "decks", "shuffle"} <= movable


def test_other_counterparties_can_be_reached_by_single_switches() -> None:
    """From Bank to Staked bank is one tap, and on to the house another."""
    bank = PRESETS["bank"]
    house = next_rules(bank, Settings().fitted(bank), number("counterparty"))
    assert house.counterparty is Counterparty.HOUSE
    assert next_rules(house, Settings().fitted(house), number("counterparty")).counterparty is Counterparty.STAKE
    blind = next_rules(PRESETS["soft_blind_bank"], Settings().fitted(bank), number("bet_when"))
    assert blind.bet_when is BetWhen.AFTER
