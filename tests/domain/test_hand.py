"""What three cards are, whatever the suits and the order (I9-I13), and what that is worth."""

import json
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from domain.cards import Card, Rank, Suit, deck
from domain.hand import HandClass, Side, guess_class, height, multiple, spread, third_class
from domain.presets import PRESETS
from domain.rules import Ace, Pair, PairKind, Payout, Rules
from tests.conftest import HANDS
from tests.domain.strategies import CARDS
from tests.domain.tables import cards

HIGH, LOW, FIRST = Rules(ace=Ace.HIGH), Rules(ace=Ace.LOW), Rules(ace=Ace.FIRST)
ACES = st.sampled_from([HIGH, LOW, FIRST])
SUITS = st.tuples(*[st.sampled_from(Suit)] * 3)
THREE = st.tuples(CARDS, CARDS, CARDS)
ODDS = json.loads(HANDS.with_name("odds.json").read_text(encoding="utf-8"))

FLIPPED = {HandClass.GUESS_WIN: HandClass.GUESS_LOSE, HandClass.GUESS_LOSE: HandClass.GUESS_WIN}


def class_of(rules: Rules, three: tuple[Card, Card, Card], low_call: bool = False, side: Side = Side.HIGHER) -> str:
    """The class of three cards when a bet stands (and ``side`` was guessed on a pair)."""
    first, second, third = three
    if spread(rules, (first, second), low_call) is None:
        return guess_class(rules, first, third, side)
    return third_class(rules, (first, second), third, low_call)


# -- examples ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "posts", "low_call", "between"),
    [
        (HIGH, "3H TS", False, 6),
        (HIGH, "TS 3H", False, 6),
        (HIGH, "3H 4S", False, 0),
        (HIGH, "KH AS", False, 0),
        (HIGH, "AH 2S", False, 11),
        (HIGH, "7H 7S", False, None),
        (HIGH, "AH AS", False, None),
        (LOW, "AH 2S", False, 0),
        (LOW, "AH KS", False, 11),
        (LOW, "AH AS", False, None),
        (FIRST, "AH 2S", False, 11),
        (FIRST, "AH 2S", True, 0),
        (FIRST, "AH KS", True, 11),
        (FIRST, "AH AS", True, 12),
        (FIRST, "AH AS", False, None),
        (FIRST, "2S AH", False, 11),
    ],
)
def test_the_spread_counts_the_ranks_between(rules: Rules, posts: str, low_call: bool, between: int | None) -> None:
    """P1, P14, P17, S22, Q33, Q35; V-acelow: A-K is the widest gate."""
    assert spread(rules, cards(posts), low_call) == between


@pytest.mark.parametrize(
    ("rules", "three", "low_call", "hand"),
    [
        (HIGH, "3H TS 4C", False, HandClass.WIN),
        (HIGH, "3H TS 9C", False, HandClass.WIN),
        (HIGH, "3H TS 3C", False, HandClass.POST),
        (HIGH, "3H TS TC", False, HandClass.POST),
        (HIGH, "3H TS 2C", False, HandClass.OUTSIDE),
        (HIGH, "3H TS JC", False, HandClass.OUTSIDE),
        (HIGH, "2H AS 2C", False, HandClass.POST),
        (HIGH, "2H AS AC", False, HandClass.POST),
        (HIGH, "5H 9S AC", False, HandClass.OUTSIDE),
        (LOW, "AH KS QC", False, HandClass.WIN),
        (LOW, "2H KS AC", False, HandClass.OUTSIDE),
        (FIRST, "AH KS 2C", True, HandClass.WIN),
        (FIRST, "AH 5S 6C", True, HandClass.OUTSIDE),
        (FIRST, "AH 5S AC", True, HandClass.POST),
        (FIRST, "AH AS AC", True, HandClass.POST),
        (FIRST, "AH AS 2C", True, HandClass.WIN),
        (FIRST, "AH 5S 9C", False, HandClass.WIN),
    ],
)
def test_the_third_card_wins_only_strictly_between(rules: Rules, three: str, low_call: bool, hand: HandClass) -> None:
    """P12, P13, P18, S8, S16, S17; Q34: a third ace hits an ace however it was called."""
    first, second, third = cards(three)
    assert third_class(rules, (first, second), third, low_call) is hand


@pytest.mark.parametrize(
    ("rules", "pair", "third", "side", "hand"),
    [
        (HIGH, "5H", "9C", Side.HIGHER, HandClass.GUESS_WIN),
        (HIGH, "5H", "9C", Side.LOWER, HandClass.GUESS_LOSE),
        (HIGH, "5H", "4C", Side.HIGHER, HandClass.GUESS_LOSE),
        (HIGH, "5H", "4C", Side.LOWER, HandClass.GUESS_WIN),
        (HIGH, "5H", "5C", Side.HIGHER, HandClass.GUESS_MATCH),
        (HIGH, "5H", "5C", Side.LOWER, HandClass.GUESS_MATCH),
        (HIGH, "5H", "AC", Side.HIGHER, HandClass.GUESS_WIN),
        (LOW, "5H", "AC", Side.HIGHER, HandClass.GUESS_LOSE),
        (LOW, "AH", "2C", Side.HIGHER, HandClass.GUESS_WIN),
        (FIRST, "AH", "KC", Side.LOWER, HandClass.GUESS_WIN),
        (FIRST, "5H", "AC", Side.HIGHER, HandClass.GUESS_WIN),
    ],
)
def test_a_guess_on_a_pair_is_right_wrong_or_matched(
    rules: Rules, pair: str, third: str, side: Side, hand: HandClass
) -> None:
    """V-guess."""
    assert guess_class(rules, Card.parse(pair), Card.parse(third), side) is hand


def test_an_ace_is_one_or_fourteen() -> None:
    """P1, Q33."""
    assert [height(card, low_ace=True) for card in cards("AH 2H KH")] == [1, 2, 13]
    assert [height(card, low_ace=False) for card in cards("AH 2H KH")] == [14, 2, 13]


# -- invariants --------------------------------------------------------------------------------------


@given(three=THREE, suits=SUITS, rules=ACES, low_call=st.booleans(), side=st.sampled_from(Side))
def test_suits_never_matter(
    three: tuple[Card, Card, Card], suits: tuple[Suit, Suit, Suit], rules: Rules, low_call: bool, side: Side
) -> None:
    """I9, S5."""
    low_call = low_call and rules is FIRST and three[0].rank is Rank.ACE
    first, second, third = (Card(card.rank, suit) for card, suit in zip(three, suits, strict=True))
    assert class_of(rules, (first, second, third), low_call, side) == class_of(rules, three, low_call, side)
    assert spread(rules, (first, second), low_call) == spread(rules, three[:2], low_call)


@given(three=THREE, rules=ACES, side=st.sampled_from(Side))
def test_the_order_of_the_posts_does_not_matter(three: tuple[Card, Card, Card], rules: Rules, side: Side) -> None:
    """I10, Q35; where the first ace is called, only when neither post is an ace."""
    first, second, third = three
    assume(rules is not FIRST or Rank.ACE not in (first.rank, second.rank))
    assert spread(rules, (first, second)) == spread(rules, (second, first))
    assert class_of(rules, (second, first, third), side=side) == class_of(rules, three, side=side)


@given(three=THREE, side=st.sampled_from(Side))
def test_the_game_is_its_own_mirror(three: tuple[Card, Card, Card], side: Side) -> None:
    """I11: with the ace high, every rank r replaced by 16 - r gives the same class, higher and lower swapped."""
    first, second, third = (Card(Rank(16 - card.rank), card.suit) for card in three)
    other = Side.LOWER if side is Side.HIGHER else Side.HIGHER
    assert spread(HIGH, (first, second)) == spread(HIGH, three[:2])
    assert class_of(HIGH, (first, second, third), side=other) == class_of(HIGH, three, side=side)


@given(ranks=st.lists(st.sampled_from(Rank), min_size=5, max_size=5).map(sorted))
def test_a_card_that_wins_wins_between_wider_posts_too(ranks: list[Rank]) -> None:
    """I12."""
    outer_low, low, third, high, outer_high = (Card(rank, Suit.CLUBS) for rank in ranks)
    assume(low.rank < third.rank < high.rank)
    assert third_class(HIGH, (low, high), third) is HandClass.WIN
    assert third_class(HIGH, (outer_low, outer_high), third) is HandClass.WIN
    assert third_class(HIGH, (outer_high, outer_low), third) is HandClass.WIN


@pytest.mark.parametrize("rules", [HIGH, LOW], ids=["ace high", "ace low"])
def test_the_spreads_and_third_cards_of_a_fresh_deck_are_those_of_the_odds(rules: Rules) -> None:
    """I13, rules 3: all 1,326 pairs of posts and their 50 third cards, counted."""
    deals = {row["k"]: row["deals"] for row in ODDS["spread"]}
    thirds = {row["k"]: row for row in ODDS["third_of_50"]}
    pack = deck()
    for posts in combinations(pack, 2):
        between = spread(rules, posts)
        deals[-1 if between is None else between] -= 1
    assert set(deals.values()) == {0}
    for one, other in combinations(Rank, 2):
        posts = (Card(one, Suit.SPADES), Card(other, Suit.HEARTS))
        found = [third_class(rules, posts, third) for third in pack if third not in posts]
        between = spread(rules, posts)
        assert {hand: found.count(hand) for hand in (HandClass.WIN, HandClass.POST, HandClass.OUTSIDE)} == {
            HandClass.WIN: thirds[between]["win"],
            HandClass.POST: thirds[between]["post"],
            HandClass.OUTSIDE: thirds[between]["outside"],
        }


# -- what a class is worth ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "bets"),
    [
        (HandClass.WIN, 1),
        (HandClass.POST, -1),
        (HandClass.OUTSIDE, -1),
        (HandClass.GUESS_WIN, 1),
        (HandClass.GUESS_LOSE, -1),
        (HandClass.GUESS_MATCH, -3),
        (HandClass.PAIR_MISS, 0),
    ],
)
def test_a_class_is_worth_so_many_bets(hand: HandClass, bets: int) -> None:
    """P12, P13, S16, S17, V-guess."""
    assert multiple(Rules(pair=Pair(PairKind.GUESS, 3)), hand, 6) == bets


@pytest.mark.parametrize("costs", [1, 2, 3])
def test_a_post_costs_what_the_table_says(costs: int) -> None:
    """V-post1, V-post2, V-post3."""
    assert multiple(Rules(post_pays=costs), HandClass.POST, 6) == -costs
    assert multiple(Rules(post_pays=costs), HandClass.OUTSIDE, 6) == -1


@pytest.mark.parametrize(("between", "bets"), [(1, 5), (2, 4), (3, 2), (4, 1), (5, 1), (11, 1)])
def test_the_ladder_pays_more_for_narrow_posts(between: int, bets: int) -> None:
    """V-ladder."""
    assert multiple(Rules(payout=Payout.LADDER), HandClass.WIN, between) == bets
    assert multiple(Rules(), HandClass.WIN, between) == 1
    assert multiple(Rules(payout=Payout.LADDER), HandClass.OUTSIDE, between) == -1


def test_three_of_a_kind_pays_eleven_to_one_in_red_dog() -> None:
    """V-trips."""
    assert multiple(PRESETS["red_dog"], HandClass.TRIPS, None) == 11
    assert multiple(PRESETS["red_dog"], HandClass.PAIR_MISS, None) == 0


@pytest.mark.parametrize("hand", [HandClass.PASS, HandClass.PUSH, HandClass.CONSECUTIVE, HandClass.PAIR])
def test_a_class_without_a_third_card_has_no_multiple(hand: HandClass) -> None:
    with pytest.raises(KeyError):
        multiple(Rules(), hand, None)


# -- what a bet is worth on average, against the published odds --------------------------------------


@pytest.mark.parametrize(("costs", "table"), [(1, "edge_post1"), (2, "edge_post2")])
def test_a_bet_is_worth_what_the_odds_say(costs: int, table: str) -> None:
    """Rules 3: the average of the real classes and multiples for each spread, exactly."""
    rules = Rules(post_pays=costs)
    for between in range(1, 12):
        posts = (Card(Rank.TWO, Suit.SPADES), Card(Rank(3 + between), Suit.HEARTS))
        bets = [multiple(rules, third_class(rules, posts, third), between) for third in deck() if third not in posts]
        assert Fraction(sum(bets), 50) == Fraction(ODDS[table][str(between)])
