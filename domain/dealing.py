"""One hand: the posts, the question, the third card, and the chips it moves."""

from domain import events as e
from domain.cards import Rank
from domain.choices import on_pair
from domain.course import Course
from domain.hand import HandClass, guess_class, multiple, spread, third_class
from domain.rules import Ace, Consecutive, Counterparty, PairKind
from domain.table import Phase


def ensure_stock(course: Course) -> None:
    """Shuffle the discards in, but only when no card is left; cards on the table stay out (S13, I5)."""
    if not course.table.shoe.stock:
        everything_open = not course.table.shoe.discards
        course(e.Shuffled(course.table.shuffles + 1, whole=everything_open))


def deal(course: Course) -> None:
    """Two posts, with a question in between for an ace that may be called (P8, S14, Q33)."""
    while len(course.table.posts) < 2:
        table = course.table
        callable_ace = table.rules.ace is Ace.FIRST and bool(table.posts) and table.posts[0].rank is Rank.ACE
        if callable_ace and table.low_call is None:
            course(e.Asked(table.actor, Phase.CALL_ACE))
            return
        ensure_stock(course)
        course(e.PostDealt(course.table.shoe.stock[0]))
    _look_at_posts(course)


def _look_at_posts(course: Course) -> None:
    """Settle a hand that needs no third card, or ask, or turn the third card for a bet that stands."""
    table = course.table
    between = spread(table.rules, table.posts, table.low_call is True)
    if between is None:
        _pair(course)
    elif between == 0:
        _consecutive(course)
    elif table.bet is None:
        course(e.Asked(table.actor, Phase.DECIDE))
    elif table.rules.raises:
        course(e.Asked(table.actor, Phase.RAISE))
    else:
        reveal(course)


def _pair(course: Course) -> None:
    rule = course.table.rules.pair
    match rule.kind:
        case PairKind.WIN:
            settle(course, HandClass.PAIR, rule.amount)
        case PairKind.PUSH:
            settle(course, HandClass.PUSH, 0)
        case PairKind.LOSE_BET:
            settle(course, HandClass.PAIR, -(course.table.bet or 0))
        case PairKind.REDEAL:
            course(e.LaidAside())
        case PairKind.GUESS:
            course(e.Asked(course.table.actor, Phase.DECIDE))
        case PairKind.TRIPS:
            reveal(course)


def _consecutive(course: Course) -> None:
    table = course.table
    match table.rules.consecutive:
        case Consecutive.LOSE_MIN:
            settle(course, HandClass.CONSECUTIVE, -table.rules.min_bet)
        case Consecutive.LOSE_BET:
            settle(course, HandClass.CONSECUTIVE, -(table.bet or 0))
        case Consecutive.PUSH:
            settle(course, HandClass.PUSH, 0)
        case Consecutive.REDEAL:
            course(e.LaidAside())


def reveal(course: Course) -> None:
    """The third card, and what it does to the bet (P11-P13, S16, S17)."""
    ensure_stock(course)
    course(e.ThirdDealt(course.table.shoe.stock[0]))
    table = course.table
    posts, third, low = table.posts, table.shoe.shown[2], table.low_call is True
    if not on_pair(table):
        hand = third_class(table.rules, posts, third, low)
    elif table.side is not None:
        hand = guess_class(table.rules, posts[0], third, table.side)
    else:
        hand = HandClass.TRIPS if third.rank is posts[0].rank else HandClass.PAIR_MISS
    bet = (table.bet or 0) + table.raised
    settle(course, hand, bet * multiple(table.rules, hand, spread(table.rules, posts, low)))


def settle(course: Course, hand: HandClass, gain: int) -> None:
    """End the hand of the player whose turn it is. He never loses more than he has, and the pot (or the bank) never
    pays more than is there (I8, Q3)."""
    table = course.table
    seat = next(seat for seat in table.seats if seat.player == table.actor)
    if table.rules.counterparty is not Counterparty.HOUSE:
        gain = min(gain, table.bank)
    course(e.Settled(seat.player, hand, max(gain, -seat.chips)))
