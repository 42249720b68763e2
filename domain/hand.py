"""One hand: what its cards are, and what that is worth under the rules.

The class of a hand follows from the ranks of its cards, the call of a first ace and the guess on a pair alone (I9).
"""

from collections.abc import Sequence
from enum import StrEnum

from domain.cards import Card, Rank
from domain.rules import Ace, Payout, Rules


class HandClass(StrEnum):
    """How a hand ended."""

    PASS = "pass"
    PUSH = "push"
    CONSECUTIVE = "consecutive"
    PAIR = "pair"
    WIN = "win"
    POST = "post"
    OUTSIDE = "outside"
    GUESS_WIN = "guess_win"
    GUESS_LOSE = "guess_lose"
    GUESS_MATCH = "guess_match"
    TRIPS = "trips"
    PAIR_MISS = "pair_miss"


class Side(StrEnum):
    """The guess on a pair: will the third card be higher or lower?"""

    HIGHER = "higher"
    LOWER = "lower"


LADDER = {1: 5, 2: 4, 3: 2}
"""Bets won for so many ranks between; four and more win one (Red Dog)."""


def height(card: Card, low_ace: bool) -> int:
    """How high a card stands, 1 to 14; an ace is 1 or 14."""
    return 1 if low_ace and card.rank is Rank.ACE else card.rank


def _heights(rules: Rules, posts: Sequence[Card], low_call: bool) -> tuple[int, int]:
    """The first and the second post; only the first can be an ace that was called low (Q33)."""
    low = rules.ace is Ace.LOW
    return height(posts[0], low or low_call), height(posts[1], low)


def spread(rules: Rules, posts: Sequence[Card], low_call: bool = False) -> int | None:
    """How many ranks lie strictly between the posts, 0 to 12; ``None`` for a pair (I13).

    The order of the posts does not matter (Q35); ``low_call`` says that an ace as the first post was called low.
    """
    first, second = _heights(rules, posts, low_call)
    return None if first == second else abs(first - second) - 1


def third_class(rules: Rules, posts: Sequence[Card], third: Card, low_call: bool = False) -> HandClass:
    """Between, on a post or outside (P12, P13, S8). An ace hits every post that is an ace (Q34)."""
    if third.rank in (posts[0].rank, posts[1].rank):
        return HandClass.POST
    low, high = sorted(_heights(rules, posts, low_call))
    return HandClass.WIN if low < height(third, rules.ace is Ace.LOW) < high else HandClass.OUTSIDE


def guess_class(rules: Rules, pair: Card, third: Card, side: Side) -> HandClass:
    """Whether the guess about the card after a pair was right."""
    if third.rank is pair.rank:
        return HandClass.GUESS_MATCH
    low_ace = rules.ace is Ace.LOW
    higher = height(third, low_ace) > height(pair, low_ace)
    return HandClass.GUESS_WIN if higher is (side is Side.HIGHER) else HandClass.GUESS_LOSE


def multiple(rules: Rules, hand: HandClass, between: int | None) -> int:
    """How many bets a hand with a standing bet wins (positive) or costs (negative).

    Raises:
        KeyError: a class that is not decided by a third card.
    """
    ladder = LADDER.get(between or 0, 1) if rules.payout is Payout.LADDER else 1
    return {
        HandClass.WIN: ladder,
        HandClass.POST: -rules.post_pays,
        HandClass.OUTSIDE: -1,
        HandClass.GUESS_WIN: 1,
        HandClass.GUESS_LOSE: -1,
        HandClass.GUESS_MATCH: -rules.pair.amount,
        HandClass.TRIPS: rules.pair.amount,
        HandClass.PAIR_MISS: 0,
    }[hand]
