"""A hand that is over, in one line; the hands are played by the domain."""

import pytest

from domain import commands as c
from domain.hand import HandClass
from domain.presets import HOME_POT, PRESETS
from domain.rules import Rules
from domain.table import PlayedHand
from tests.domain.tables import ANN, BOB, CAT, cards, turn
from tgbot.hands import hand_line
from tgbot.words import LANGUAGES, words

CHIPS = {ANN: 10, BOB: 10, CAT: 10}
COSTLY = Rules(pass_cost=1)


def played(codes: str, bet: int | None, rules: Rules = HOME_POT, pot: int = 4) -> PlayedHand:
    """Ann's hand with these cards; without a bet she passes, or is not even asked."""
    game = turn(CHIPS, codes, rules=rules, pot=pot)
    if game.table.actor == ANN and not game.table.played:
        game.do(c.Pass(ANN) if bet is None else c.Bet(ANN, bet))
    return game.table.played[0]


@pytest.mark.parametrize(
    ("codes", "bet", "english", "polish"),
    [
        ("3H TS 5C", 2, "Ann: 3♥ 10♠ → 5♣  won 2", "Ann: 3♥ 10♠ → 5♣  wygrana 2"),
        ("TS 3H 5C", 2, "Ann: 10♠ 3♥ → 5♣  won 2", "Ann: 10♠ 3♥ → 5♣  wygrana 2"),
        ("3H TS 5C", 4, "Ann: 3♥ 10♠ → 5♣  won the whole pot: 4!", "Ann: 3♥ 10♠ → 5♣  cała pula: wygrana 4!"),
        ("3H TS 2C", 2, "Ann: 3♥ 10♠ → 2♣  lost 2", "Ann: 3♥ 10♠ → 2♣  strata 2"),
        ("3H TS TC", 4, "Ann: 3♥ 10♠ → 10♣  hit the post, lost 4", "Ann: 3♥ 10♠ → 10♣  w słupek, strata 4"),
        ("3H 4S", None, "Ann: 3♥ 4♠  nothing between, lost 1", "Ann: 3♥ 4♠  karty sąsiednie, strata 1"),
        ("7H 7S", None, "Ann: 7♥ 7♠  a pair, won 2", "Ann: 7♥ 7♠  para, wygrana 2"),
    ],
)
def test_the_hands_of_the_home_pot(codes: str, bet: int | None, english: str, polish: str) -> None:
    hand = played(codes, bet)
    assert hand_line(hand, "Ann", HOME_POT, words("en")) == english
    assert hand_line(hand, "Ann", HOME_POT, words("pl")) == polish


@pytest.mark.parametrize(
    ("rules", "codes", "english", "polish"),
    [
        (PRESETS["friendly_pot"], "3H TS", "Ann: 3♥ 10♠  passed", "Ann: 3♥ 10♠  pas"),
        (COSTLY, "3H TS", "Ann: 3♥ 10♠  passed, paid 1", "Ann: 3♥ 10♠  pas, koszt 1"),
        (PRESETS["home_pot_three"], "7H 7S", "Ann: 7♥ 7♠  a pair, won 3", "Ann: 7♥ 7♠  para, wygrana 3"),
    ],
)
def test_the_hands_of_its_options(rules: Rules, codes: str, english: str, polish: str) -> None:
    hand = played(codes, None, rules)
    assert hand_line(hand, "Ann", rules, words("en")) == english
    assert hand_line(hand, "Ann", rules, words("pl")) == polish


def test_a_pair_that_takes_the_last_chip_is_told_as_it_was() -> None:
    """The prize is what is there (Q3)."""
    hand = played("7H 7S", None, pot=1)
    assert hand.pot_emptied
    assert hand_line(hand, "Ann", HOME_POT, words("en")) == "Ann: 7♥ 7♠  a pair, won 1"


def test_a_hand_of_the_clock_is_marked() -> None:
    game = turn(CHIPS, "3H TS 5C", pot=4).time_out()
    assert hand_line(game.table.played[0], "Ann", HOME_POT, words("en")) == "Ann: 3♥ 10♠ → 5♣  won 1 ⏰"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("hand", HandClass)
def test_every_ending_has_words_that_tell_the_chips_that_moved(hand: HandClass, language: str) -> None:
    for gain in (-7, 0, 7):
        ended = PlayedHand(
            move=1,
            player=1,
            cards=cards("3H TS 5C"),
            hand=hand,
            bet=7,
            gain=gain,
            pot=50,
            pot_emptied=False,
            by_clock=False,
        )
        line = hand_line(ended, "Ann", HOME_POT, words(language))
        assert line.startswith("Ann: 3♥ 10♠ → 5♣  ")
        assert len(line) > len("Ann: 3♥ 10♠ → 5♣  ")
        if _can_be(hand, gain):
            assert ("7" in line) is (gain != 0)


def _can_be(hand: HandClass, gain: int) -> bool:
    """Whether a hand that ends so can move chips in this direction."""
    wins = {HandClass.WIN, HandClass.GUESS_WIN, HandClass.TRIPS, HandClass.PAIR}
    loses = {
        *(HandClass.POST, HandClass.OUTSIDE, HandClass.GUESS_LOSE, HandClass.GUESS_MATCH),
        *(HandClass.PAIR, HandClass.CONSECUTIVE, HandClass.PASS),
    }
    still = {HandClass.PASS, HandClass.PUSH, HandClass.CONSECUTIVE, HandClass.PAIR_MISS}
    return hand in (wins if gain > 0 else loses if gain < 0 else still)
