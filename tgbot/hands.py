"""A hand that is over, in one line."""

from domain.hand import HandClass
from domain.rules import Rules
from domain.table import PlayedHand
from tgbot.words import Words


def hand_line(hand: PlayedHand, name: str, rules: Rules, tr: Words) -> str:
    """``Ada: 3♥ 10♠ → 5♣  won 2``. ``name`` is ready for HTML."""
    line = f"{name}: {_cards(hand)}{_what_happened(hand, rules, tr)}"
    return f"{line} ⏰" if hand.by_clock else line


def _cards(hand: PlayedHand) -> str:
    posts, third = hand.cards[:2], hand.cards[2:]
    text = " ".join(map(str, posts))
    if third:
        text += f" → {third[0]}"
    return f"{text}  " if text else ""


def _passed(lost: int, rules: Rules, tr: Words) -> str:
    if rules.has_pot:
        return tr("passed, paid {n}", n=lost) if lost else tr("passed")
    if rules.blind:
        return tr("sat out, paid {n}", n=lost) if lost else tr("sat out")
    return tr("folded, paid {n}", n=lost) if lost else tr("folded")


def _pushed(hand: PlayedHand, tr: Words) -> str:
    """Posts on which nothing can be won; a bet that was placed before the cards comes back."""
    a_pair = hand.cards[0].rank is hand.cards[1].rank
    if hand.bet is None:
        return tr("a pair, no bet") if a_pair else tr("nothing between, no bet")
    return tr("a pair, the bet comes back") if a_pair else tr("nothing between, the bet comes back")


def _what_happened(hand: PlayedHand, rules: Rules, tr: Words) -> str:
    won, lost = max(hand.gain, 0), max(-hand.gain, 0)
    match hand.hand:
        case HandClass.PASS:
            return _passed(lost, rules, tr)
        case HandClass.PUSH:
            return _pushed(hand, tr)
        case HandClass.CONSECUTIVE:
            return tr("nothing between, lost {n}", n=lost) if lost else tr("nothing between")
        case HandClass.PAIR:
            return tr("a pair, lost {n}", n=lost) if lost else tr("a pair, won {n}", n=won)
        case HandClass.WIN | HandClass.GUESS_WIN if hand.pot_emptied:
            return tr("won the whole pot: {n}!", n=won)
        case HandClass.WIN | HandClass.GUESS_WIN:
            return tr("won {n}", n=won)
        case HandClass.POST:
            return tr("hit the post, lost {n}", n=lost)
        case HandClass.OUTSIDE | HandClass.GUESS_LOSE:
            return tr("lost {n}", n=lost)
        case HandClass.GUESS_MATCH:
            return tr("three alike, lost {n}", n=lost)
        case HandClass.TRIPS:
            return tr("three alike, won {n}!", n=won)
        case HandClass.PAIR_MISS:
            return tr("a pair, the bet comes back")
