"""Exact odds, as fractions: from a fresh deck, or from the cards that nobody has seen yet (rules 3).

Values of hands are in bets: a value of -1/5 costs the player a fifth of his bet on average.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from math import comb
from typing import NamedTuple

from domain.cards import Card, Rank, Suit
from domain.hand import HandClass, Side, guess_class, multiple, spread, third_class
from domain.rules import Ace, Consecutive, PairKind, Rules
from domain.table import Table

Ranks = Mapping[Rank, int]
"""How many cards of each rank there are."""


class Third(NamedTuple):
    """How many of the cards that may come third win, hit a post, or fall outside."""

    win: int
    post: int
    outside: int

    @property
    def cards(self) -> int:
        """All of them."""
        return self.win + self.post + self.outside


class _Deal(NamedTuple):
    """Two posts by rank, what they leave of the decks, and how likely they are."""

    first: Rank
    second: Rank
    left: Ranks
    chance: Fraction

    @property
    def posts(self) -> tuple[Rank, Rank]:
        return self.first, self.second


def fresh(decks: int = 1) -> Ranks:
    """The ranks of so many packs."""
    return dict.fromkeys(Rank, 4 * decks)


def unseen(table: Table) -> Ranks:
    """The ranks that nobody has seen since the last shuffle: those of the next shuffle, if the stock is used up."""
    return Counter(card.rank for card in table.shoe.stock or table.shoe.discards)


def third_odds(rules: Rules, posts: Sequence[Rank], left: Ranks, low_call: bool = False) -> Third:
    """What the third card can do to two posts that are no pair; ``left`` no longer holds the posts."""
    found: Counter[HandClass] = Counter()
    for rank, cards in left.items():
        found[third_class(rules, _cards(posts), _card(rank), low_call)] += cards
    return Third(found[HandClass.WIN], found[HandClass.POST], found[HandClass.OUTSIDE])


def guess_odds(rules: Rules, pair: Rank, left: Ranks, side: Side) -> int:
    """How many of the cards left make a guess on a pair right."""
    guesses = ((guess_class(rules, _card(pair), _card(rank), side), cards) for rank, cards in left.items())
    return sum(cards for hand, cards in guesses if hand is HandClass.GUESS_WIN)


def edge(rules: Rules, third: Third, between: int) -> Fraction:
    """The value of a bet on posts with these odds."""
    total = sum(
        cards * multiple(rules, hand, between)
        for hand, cards in (
            (HandClass.WIN, third.win),
            (HandClass.POST, third.post),
            (HandClass.OUTSIDE, third.outside),
        )
    )
    return Fraction(total, third.cards)


def spread_odds(rules: Rules) -> dict[int | None, Fraction]:
    """How likely each number of ranks between is, ``None`` for a pair; an ace that may be called counts as high."""
    chances: dict[int | None, Fraction] = {}
    for deal in _deals(rules):
        between = spread(rules, _cards(deal.posts))
        chances[between] = chances.get(between, Fraction(0)) + deal.chance
    return chances


@cache
def value(rules: Rules) -> Fraction:
    """What a hand is worth to a player who plays best and bets one unit whenever it pays, or whenever he must.

    A prize or a fine in chips counts as so many bets of one chip; the opening cap and short stacks are left out.
    An ace that may be called is called the better way, before the second post is seen (Q33).
    """
    calls = (False, True) if rules.ace is Ace.FIRST else (False,)
    return max(_value(rules, low) for low in calls)


def _value(rules: Rules, low: bool) -> Fraction:
    """The same with every first ace called low, or high; posts that are dealt again come again."""
    played = [deal for deal in _deals(rules) if not _is_redealt(rules, spread(rules, _cards(deal.posts), low))]
    total = sum((deal.chance * _hand_value(rules, deal, low) for deal in played), Fraction(0))
    return total / sum(deal.chance for deal in played)


def _is_redealt(rules: Rules, between: int | None) -> bool:
    if between is None:
        return rules.pair.kind is PairKind.REDEAL
    return between == 0 and rules.consecutive is Consecutive.REDEAL


def _hand_value(rules: Rules, deal: _Deal, low: bool) -> Fraction:
    between = spread(rules, _cards(deal.posts), low)
    if between is None:
        return _pair_value(rules, deal.first, deal.left)
    if between == 0:
        return {
            Consecutive.LOSE_MIN: Fraction(-rules.min_bet),
            Consecutive.LOSE_BET: Fraction(-1),
            Consecutive.PUSH: Fraction(0),
            Consecutive.REDEAL: Fraction(0),
        }[rules.consecutive]
    bet = edge(rules, third_odds(rules, deal.posts, deal.left, low), between)
    if rules.blind:
        return bet + max(bet, Fraction(0)) if rules.raises else bet
    return bet if rules.pass_cost is None else max(bet, Fraction(-rules.pass_cost))


def _pair_value(rules: Rules, rank: Rank, left: Ranks) -> Fraction:
    match rules.pair.kind:
        case PairKind.WIN:
            return Fraction(rules.pair.amount)
        case PairKind.LOSE_BET:
            return Fraction(-1)
        case PairKind.GUESS:
            best = max(_guess_value(rules, rank, left, side) for side in Side)
            return best if rules.pass_cost is None else max(best, Fraction(-rules.pass_cost))
        case PairKind.TRIPS:
            return Fraction(left[rank] * rules.pair.amount, sum(left.values()))
        case PairKind.PUSH | PairKind.REDEAL:
            return Fraction(0)


def _guess_value(rules: Rules, pair: Rank, left: Ranks, side: Side) -> Fraction:
    total = sum(
        cards * multiple(rules, guess_class(rules, _card(pair), _card(rank), side), None)
        for rank, cards in left.items()
    )
    return Fraction(total, sum(left.values()))


def draw_tie(players: int) -> Fraction:
    """The chance that the highest of so many cards from one deck is not alone (Q13)."""
    tied = sum(
        comb(4, equal) * comb(4 * (rank - Rank.TWO), players - equal)
        for rank in Rank
        for equal in range(2, min(4, players) + 1)
    )
    return Fraction(tied, comb(52, players))


def _deals(rules: Rules) -> Iterator[_Deal]:
    cards = fresh(rules.decks)
    total = sum(cards.values())
    for first in Rank:
        for second in Rank:
            ways = cards[first] * (cards[second] - (first is second))
            left = {rank: n - (rank is first) - (rank is second) for rank, n in cards.items()}
            yield _Deal(first, second, left, Fraction(ways, total * (total - 1)))


def _card(rank: Rank) -> Card:
    return Card(rank, Suit.SPADES)  # suits never matter


def _cards(ranks: Sequence[Rank]) -> tuple[Card, ...]:
    return tuple(map(_card, ranks))
