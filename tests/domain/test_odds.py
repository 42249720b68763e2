"""Exact odds: equal to the published ones, and to what the game itself does with every three ranks there are."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain import commands as c
from domain.answers import ANSWERS
from domain.cards import Card, Rank, Suit, deck
from domain.choices import choices
from domain.course import Course
from domain.dealing import deal, reveal
from domain.events import LaidAside, Settled
from domain.hand import HandClass, Side, spread
from domain.odds import (
    draw_tie,
    edge,
    fresh,
    guess_odds,
    spread_odds,
    third_odds,
    unseen,
    value,
)
from domain.presets import HOME_POT, PRESETS
from domain.rules import Ace, PairKind, Rules
from domain.shoe import Shoe
from domain.table import Phase, Table
from tests.conftest import HANDS
from tests.domain.tables import ANN, BOB, cards, set_up, turn

ODDS = json.loads(HANDS.with_name("odds.json").read_text(encoding="utf-8"))
HANDS_TO_PLAY = 100_000
Triple = tuple[Rank, Rank, Rank]


# -- the published figures ---------------------------------------------------------------------------


@pytest.mark.parametrize("row", ODDS["spread"], ids=lambda row: f"k={row['k']}")
def test_spreads_come_as_often_as_published(row: dict[str, object]) -> None:
    chances = spread_odds(HOME_POT)
    assert chances[None if row["k"] == -1 else int(str(row["k"]))] == Fraction(str(row["p"]))
    assert sum(chances.values()) == 1


@pytest.mark.parametrize("between", range(1, 12))
def test_a_bet_is_worth_what_is_published(between: int) -> None:
    posts, left = _posts(between)
    third = third_odds(HOME_POT, posts, left)
    row = ODDS["third_of_50"][between]
    assert third._asdict() == {name: row[name] for name in ("win", "post", "outside")}
    assert edge(HOME_POT, third, between) == Fraction(ODDS["edge_post1"][str(between)])
    assert edge(replace(HOME_POT, post_pays=2), third, between) == Fraction(ODDS["edge_post2"][str(between)])


def test_the_bank_costs_and_brings_what_is_published() -> None:
    assert value(PRESETS["bank"]) == Fraction(ODDS["bank_best_ev_per_hand"]) == Fraction(40, 663)
    assert value(PRESETS["blind_bank"]) == Fraction(ODDS["blind_literal_ev"]) == Fraction(-571, 1275)


@pytest.mark.parametrize(("decks", "percent"), [(1, "3.155"), (2, "3.077"), (4, "2.884"), (6, "2.798"), (8, "2.751")])
def test_red_dog_has_the_published_edge(decks: int, percent: str) -> None:
    house = -value(replace(PRESETS["red_dog"], decks=decks))
    assert house == Fraction(ODDS["red_dog_house_edge"][str(decks)]["exact"])
    assert f"{float(house) * 100:.3f}" == percent


@pytest.mark.parametrize("players", range(2, 11))
def test_the_draw_ties_as_often_as_published(players: int) -> None:
    assert draw_tie(players) == Fraction(ODDS["draw_tie"][str(players)])


def _posts(between: int) -> tuple[tuple[Rank, Rank], dict[Rank, int]]:
    posts = Rank.TWO, Rank(Rank.TWO + between + 1)
    return posts, {rank: n - (rank in posts) for rank, n in fresh().items()}


# -- the game itself, with every three ranks -----------------------------------------------------------


class Way(NamedTuple):
    """How a player answers whatever he is asked."""

    bets: bool = True
    low: bool = True
    side: Side = Side.HIGHER
    raises: bool = False


class Result(NamedTuple):
    hand: HandClass | None
    """``None``: the posts were laid aside."""
    gain: int


AFTERWARDS = cards("2C 9C 2D 9D")
"""Posts for whoever is dealt others; what comes after a hand does not matter."""
RESULTS: dict[tuple[Rules, Way, Triple], Result] = {}


def played(rules: Rules, way: Way, ranks: Triple) -> Result:
    """What the game does with one chip on these cards."""
    if (rules, way, ranks) not in RESULTS:
        RESULTS[rules, way, ranks] = _play(rules, way, ranks)
    return RESULTS[rules, way, ranks]


def _play(rules: Rules, way: Way, ranks: Triple) -> Result:
    course = Course(replace(_table(rules), shoe=Shoe(_cards(ranks) + AFTERWARDS)))
    if rules.blind:
        ANSWERS[c.Bet](course, c.Bet(ANN, 1))
    while not any(isinstance(event, (Settled, LaidAside)) for event in course.events):
        asked, phase = choices(course.table), course.table.phase
        match phase:
            case Phase.DEAL:
                deal(course)
            case Phase.REVEAL:
                reveal(course)
            case Phase.CALL_ACE:
                ANSWERS[c.CallAce](course, c.CallAce(ANN, way.low))
            case Phase.RAISE:
                ANSWERS[c.Raise](course, c.Raise(ANN, int(way.raises)))
            case _ if not way.bets and asked.pass_cost is not None:
                ANSWERS[c.Pass](course, c.Pass(ANN))
            case _ if asked.guess and course.table.side is None:
                ANSWERS[c.Guess](course, c.Guess(ANN, way.side))
            case _:
                ANSWERS[c.Bet](course, c.Bet(ANN, 1))
    result = next(event for event in course.events if isinstance(event, (Settled, LaidAside)))
    return Result(result.hand, result.gain) if isinstance(result, Settled) else Result(None, 0)


@cache
def _table(rules: Rules) -> Table:
    pot = 0 if rules.counterparty in ("banker", "house") else 1_000_000
    chips = {ANN: 1_000_000, BOB: 1_000_000}
    phase = Phase.BLIND_BET if rules.blind else Phase.DEAL
    return set_up(chips, rules=rules, dealer=BOB if rules.has_dealer else None, phase=phase, pot=pot, actor=ANN)


def _cards(ranks: Triple) -> tuple[Card, ...]:
    suits = tuple(Suit)
    return tuple(Card(rank, suits[ranks[:place].count(rank)]) for place, rank in enumerate(ranks))


def _deals(first: Rank, second: Rank, third: Rank) -> int:
    """How many ways one deck deals these ranks in this order."""
    return 4 * (4 - (second is first)) * (4 - (third is first) - (third is second))


def _ways_to_play(rules: Rules, first: Rank, second: Rank, low: bool) -> list[Way]:
    """Every way that makes a difference with these posts."""
    bets = (True, False) if rules.pass_cost is not None and not rules.blind else (True,)
    sides = Side if first is second and rules.pair.kind is PairKind.GUESS else (Side.HIGHER,)
    return [Way(bet, low, side, more) for bet in bets for side in sides for more in {False, rules.raises}]


def _best(rules: Rules, first: Rank, low: bool) -> tuple[int, int]:
    """What the best play brings over all hands that begin with a rank, and how many those hands are."""
    total = hands = 0
    for second in Rank:
        thirds = [(third, _deals(first, second, third)) for third in Rank]
        if played(rules, Way(low=low), (first, second, Rank.SEVEN)).hand is None:
            continue  # dealt again: as if it had never been
        total += max(
            sum(n * played(rules, way, (first, second, third)).gain for third, n in thirds if n)
            for way in _ways_to_play(rules, first, second, low)
        )
        hands += sum(n for _, n in thirds)
    return total, hands


@pytest.mark.parametrize("preset", PRESETS)
def test_a_hand_is_worth_what_the_game_pays_for_it(preset: str) -> None:
    """Every deal of three ranks through the game, every answer tried, the best one taken."""
    rules = PRESETS[preset]
    gains = hands = 0
    for first in Rank:
        called = (True, False) if rules.ace is Ace.FIRST and first is Rank.ACE else (True,)
        gain, n = max(_best(rules, first, low) for low in called)
        gains, hands = gains + gain, hands + n
    assert value(rules) == Fraction(gains, hands)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_hundred_thousand_random_hands_agree_with_the_odds(preset: str) -> None:
    """I29: chi-square over spreads and classes with fixed luck; the bound is about p = 0.001 for each preset."""
    rules, luck, pack = PRESETS[preset], Random(f"{preset}'s luck"), deck()
    found: Counter[tuple[int | None, HandClass | None]] = Counter()
    drawn = Counter(_ranks(luck.sample(pack, 3)) for _ in range(HANDS_TO_PLAY))
    for ranks, times in drawn.items():
        low = rules.ace is Ace.FIRST and ranks[0] is Rank.ACE
        between = spread(rules, _cards(ranks)[:2], low)
        found[between, played(rules, Way(), ranks).hand] += times
    expected = dict(_expected(rules))
    assert found.keys() <= expected.keys()
    assert sum(expected.values()) == 1
    counts = {key: float(chance) * HANDS_TO_PLAY for key, chance in expected.items()}
    freedom = len(expected) - 1
    assert sum((found[key] - n) ** 2 / n for key, n in counts.items()) < freedom + 3.5 * (2 * freedom) ** 0.5 + 4


def _expected(rules: Rules) -> Iterator[tuple[tuple[int | None, HandClass | None], Fraction]]:
    """How likely each spread and class is if everything is bet on, aces are called low and pairs guessed higher."""
    chances: Counter[tuple[int | None, HandClass | None]] = Counter()
    for first, second in product(Rank, Rank):
        chance = Fraction(4 * (4 - (first is second)), 52 * 51)
        left = {rank: n - (rank is first) - (rank is second) for rank, n in fresh().items()}
        low = rules.ace is Ace.FIRST and first is Rank.ACE
        between = spread(rules, (_card(first), _card(second)), low)
        for hand, share in _shares(rules, (first, second), between, left, low).items():
            if share:
                chances[between, hand] += chance * share  # type: ignore[assignment]
    yield from chances.items()  # type: ignore[misc]


def _shares(
    rules: Rules, posts: tuple[Rank, Rank], between: int | None, left: dict[Rank, int], low: bool
) -> dict[HandClass | None, Fraction]:
    if between is None and rules.pair.kind is PairKind.GUESS:
        right, same = guess_odds(rules, posts[0], left, Side.HIGHER), left[posts[0]]
        parts = {HandClass.GUESS_WIN: right, HandClass.GUESS_MATCH: same, HandClass.GUESS_LOSE: 50 - right - same}
    elif between is None and rules.pair.kind is PairKind.TRIPS:
        parts = {HandClass.TRIPS: left[posts[0]], HandClass.PAIR_MISS: 50 - left[posts[0]]}
    elif between is None or between == 0:
        word = str(rules.pair.kind if between is None else rules.consecutive)
        only = HandClass.PAIR if between is None else HandClass.CONSECUTIVE
        return {{"push": HandClass.PUSH, "redeal": None}.get(word, only): Fraction(1)}
    else:
        third = third_odds(rules, posts, left, low)
        parts = {HandClass.WIN: third.win, HandClass.POST: third.post, HandClass.OUTSIDE: third.outside}
    return {hand: Fraction(n, 50) for hand, n in parts.items()}


def _ranks(three: list[Card]) -> Triple:
    first, second, third = (card.rank for card in three)
    return first, second, third


def _card(rank: Rank) -> Card:
    return Card(rank, Suit.SPADES)


# -- the cards that nobody has seen --------------------------------------------------------------------


def test_the_unseen_cards_are_the_stock() -> None:
    table = turn({ANN: 9, BOB: 9}, "3H TS", dealer=BOB, pot=3).table
    left = unseen(table)
    assert sum(left.values()) == 50
    assert (left[Rank.THREE], left[Rank.TEN], left[Rank.SEVEN]) == (3, 3, 4)
    assert third_odds(HOME_POT, [Rank.THREE, Rank.TEN], left) == (24, 6, 20)


def test_with_the_stock_used_up_they_are_the_discards_without_the_posts() -> None:
    """S13: the third card comes from the discards then, and the cards on the table stay out."""
    table = turn({ANN: 9, BOB: 9}, "3H TS", dealer=BOB, pot=3).table
    shoe = replace(table.shoe, stock=(), discards=cards("5C 5D KS 3C"))
    assert unseen(replace(table, shoe=shoe)) == {Rank.FIVE: 2, Rank.KING: 1, Rank.THREE: 1}


@given(st.lists(st.sampled_from(deck()), min_size=4, max_size=52, unique=True), st.sampled_from(sorted(PRESETS)))
def test_every_unseen_card_does_one_thing(seen: list[Card], preset: str) -> None:
    """I13: win, post and outside are all the cards there are; on a pair higher, lower and the same."""
    rules, posts = PRESETS[preset], [seen[0].rank, seen[1].rank]
    left = Counter(card.rank for card in seen[2:])
    if posts[0] is posts[1]:
        sides = [guess_odds(rules, posts[0], left, side) for side in Side]
        assert sum(sides) + left[posts[0]] == len(seen) - 2
    else:
        assert third_odds(rules, posts, left).cards == len(seen) - 2
