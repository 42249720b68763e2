"""What a table agrees on besides the rules, and how far it may go."""

from typing import Any

import pytest

from domain.presets import PRESETS
from domain.rules import Clash, Rules, Shuffle
from domain.settings import Settings


@pytest.mark.parametrize("name", PRESETS)
def test_the_default_agreement_suits_every_game(name: str) -> None:
    rules = PRESETS[name]
    settings = Settings(cut=rules.shuffle is not Shuffle.TURN)
    assert list(settings.clashes(rules)) == []


@pytest.mark.parametrize(
    "agreed",
    [
        {"chips": 2},
        {"chips": 1_000_000},
        {"rebuys": 0},
        {"rebuys": None},
        {"clock": 15},
        {"clock": 86_400},
        {"rounds": 1},
        {"seats": 2},
        {"seats": 17},
    ],
)
def test_the_last_legal_value_of_each_agreement_is_taken(agreed: dict[str, Any]) -> None:
    assert list(Settings(**agreed).clashes(Rules())) == []


@pytest.mark.parametrize(
    ("agreed", "clash"),
    [
        ({"chips": 1}, Clash.TOO_FEW_CHIPS),
        ({"chips": 1_000_001}, Clash.OUT_OF_RANGE),
        ({"rebuys": -1}, Clash.OUT_OF_RANGE),
        ({"clock": 14}, Clash.OUT_OF_RANGE),
        ({"clock": 86_401}, Clash.OUT_OF_RANGE),
        ({"rounds": 0}, Clash.OUT_OF_RANGE),
        ({"seats": 1}, Clash.OUT_OF_RANGE),
        ({"seats": 18}, Clash.OUT_OF_RANGE),
    ],
)
def test_an_agreement_beyond_its_range_is_named(agreed: dict[str, Any], clash: Clash) -> None:
    """Q9: at least ante + 1 chips; Q16: 17 players always fit a deck; Q18: 15 seconds and more."""
    assert list(Settings(**agreed).clashes(Rules())) == [clash]


def test_the_starting_chips_are_more_than_the_ante() -> None:
    """Q9."""
    assert list(Settings(chips=5).clashes(Rules(ante=5))) == [Clash.TOO_FEW_CHIPS]
    assert list(Settings(chips=6).clashes(Rules(ante=5))) == []


def test_nobody_cuts_cards_that_are_shuffled_before_every_hand() -> None:
    """Rules 2.3: tedious."""
    rules = Rules(shuffle=Shuffle.TURN)
    assert list(Settings(cut=True).clashes(rules)) == [Clash.CUT_WITH_SHUFFLE_EVERY_TURN]
    assert list(Settings(cut=False).clashes(rules)) == []


def test_an_agreement_is_fitted_to_a_game() -> None:
    """Q28: ten of the most bets; no cut where every hand is shuffled."""
    assert Settings().fitted(PRESETS["bank"]) == Settings(chips=100)
    assert Settings().fitted(PRESETS["red_dog"]) == Settings(chips=1000, cut=False)
    assert Settings(chips=7).fitted(PRESETS["home_pot"]) == Settings(chips=7)


@pytest.mark.parametrize("name", PRESETS)
def test_what_only_the_game_before_had_asked_for_goes_with_it(name: str) -> None:
    """Red Dog needs a thousand chips and no cut; an evening of Home pot after it does not."""
    rules = PRESETS[name]
    there = Settings(rounds=3).fitted(PRESETS["red_dog"], rules)
    assert there.fitted(rules, PRESETS["red_dog"]) == Settings(rounds=3).fitted(rules)


def test_chips_that_people_have_chosen_stay() -> None:
    chosen = Settings(chips=200)
    assert chosen.fitted(PRESETS["acey_deucey"], PRESETS["home_pot"]) == chosen
    assert chosen.fitted(PRESETS["red_dog"], PRESETS["home_pot"]).chips == 1000
