"""The lobby's menu: which game, which switches, which agreements; everything a tap away.

A switch goes to its next value with every tap, past those that make no game with the others.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from enum import IntEnum
from typing import Any, TypeVar

from domain.presets import PRESETS
from domain.refusals import Reason, Refusal
from domain.rules import (
    Ace,
    BetWhen,
    Consecutive,
    Counterparty,
    Pair,
    PairKind,
    Payout,
    Rotation,
    Rules,
    Shuffle,
)
from domain.settings import Settings, check_together
from tgbot.words import Words

_T = TypeVar("_T", Rules, Settings)


class Page(IntEnum):
    """The pages of the lobby's board."""

    CARD = 0
    GAMES = 1
    RULES = 2
    TABLE = 3


GAMES: Sequence[str] = tuple(PRESETS)
"""The presets in the order of the menu."""

SWITCHES: Mapping[str, Sequence[Any]] = {
    "counterparty": tuple(Counterparty),
    "bet_when": tuple(BetWhen),
    "pass_cost": (None, 0, 1, 2),
    "min_bet": (1, 2, 5, 10),
    "max_bet": (None, 5, 10, 20, 50, 100),
    "half_opening": (False, True),
    "post_pays": (1, 2, 3),
    "consecutive": tuple(Consecutive),
    "pair": (
        Pair(PairKind.WIN, 2),
        Pair(PairKind.WIN, 3),
        Pair(PairKind.PUSH),
        Pair(PairKind.LOSE_BET),
        Pair(PairKind.REDEAL),
        Pair(PairKind.GUESS, 3),
        Pair(PairKind.TRIPS, 11),
    ),
    "payout": tuple(Payout),
    "raises": (False, True),
    "ace": tuple(Ace),
    "ante": (0, 1, 2, 5),
    "ante_each_round": (False, True),
    "decks": (1, 2, 4, 6, 8),
    "shuffle": tuple(Shuffle),
    "rotation": tuple(Rotation),
}
"""The values that the menu offers for each switch."""

SETTINGS: Mapping[str, Sequence[Any]] = {
    "chips": (10, 20, 50, 100, 200, 500, 1000),
    "clock": (15, 30, 60, 120, 300, 900, 3600, 28_800, 86_400),
    "rebuys": (0, 1, 3, None),
    "rounds": (None, 1, 3, 5, 10, 20),
    "seats": (2, 4, 6, 8, 10, 17),
    "cut": (True, False),
    "late": (True, False),
    "odds": (True, False),
}
"""The values that the menu offers for each agreement."""


def next_rules(rules: Rules, settings: Settings, switch: int) -> Rules:
    """The rules with one switch at its next possible value.

    Raises:
        Refusal: OLD_BUTTON for a switch that there is not; BAD_COMBINATION, with the clash, if no value is possible.
    """
    name, values = _entry(SWITCHES, switch)
    return _next(rules, name, values, lambda changed: check_together(changed, settings.fitted(changed, rules)))


def next_settings(rules: Rules, settings: Settings, setting: int, seated: int = 0) -> Settings:
    """The agreements with one at its next possible value, at a table where so many sit already.

    Raises:
        Refusal: as `next_rules`, or FULL, if nobody's seat can be taken away.
    """

    def check(changed: Settings) -> None:
        check_together(rules, changed)
        if changed.seats < seated:
            raise Refusal(Reason.FULL, changed.seats)

    return _next(settings, *_entry(SETTINGS, setting), check)


def preset(number: int) -> Rules:
    """The game with this number in the menu.

    Raises:
        Refusal: OLD_BUTTON for a game that there is not.
    """
    if not 0 <= number < len(GAMES):
        raise Refusal(Reason.OLD_BUTTON)
    return PRESETS[GAMES[number]]


def game_named(words: Sequence[str]) -> str | None:
    """The preset that somebody has written after a command: "Red Dog" is red_dog. ``None``: there is no such game."""
    name = "_".join(words).lower().replace("-", "_")
    return name if name in PRESETS else None


def _entry(choices: Mapping[str, Sequence[Any]], number: int) -> tuple[str, Sequence[Any]]:
    if not 0 <= number < len(choices):
        raise Refusal(Reason.OLD_BUTTON)
    return tuple(choices.items())[number]


def _next(whole: _T, name: str, values: Sequence[Any], check: Callable[[_T], None]) -> _T:
    current = getattr(whole, name)
    place: int = values.index(current) + 1 if current in values else 0
    first_refusal: Refusal | None = None
    for value in (*values[place:], *values[:place]):
        if value == current:
            continue
        changed = replace(whole, **{name: value})
        try:
            check(changed)
        except Refusal as refused:
            first_refusal = first_refusal or refused
        else:
            return changed
    raise first_refusal or Refusal(Reason.BAD_COMBINATION)


# -- words -----------------------------------------------------------------------------------------


def unknown_game(tr: Words) -> str:
    """Which names of games are understood."""
    return tr("I know these games: {names}", names=", ".join(name.replace("_", " ") for name in GAMES))


def switch_label(rules: Rules, name: str, tr: Words) -> str:
    """A switch and its value, short enough for half a phone's width."""
    return {
        "counterparty": lambda: _against(rules, tr),
        "bet_when": lambda: tr("Bet: blind") if rules.blind else tr("Bet: cards seen"),
        "pass_cost": lambda: tr("Pass: {what}", what=_cost(rules.pass_cost, tr)),
        "min_bet": lambda: tr("Least: {n}", n=rules.min_bet),
        "max_bet": lambda: tr("Most: {n}", n=rules.max_bet if rules.max_bet is not None else tr("no limit")),
        "half_opening": lambda: tr("First turns: half") if rules.half_opening else tr("First turns: all"),
        "post_pays": lambda: tr("Post: ×{n}", n=rules.post_pays),
        "consecutive": lambda: tr("Neighbours: {what}", what=_consecutive(rules.consecutive, tr)),
        "pair": lambda: tr("Pair: {what}", what=_pair(rules.pair, tr)),
        "payout": lambda: tr("Pays: 5·4·2·1") if rules.payout is Payout.LADDER else tr("Pays: 1 to 1"),
        "raises": lambda: tr("Raise: {what}", what=yes_no(rules.raises, tr)),
        "ace": lambda: tr("Ace: {what}", what=_ace(rules.ace, tr)),
        "ante": lambda: tr("Ante: {n}", n=rules.ante),
        "ante_each_round": lambda: tr("Ante each round: {what}", what=yes_no(rules.ante_each_round, tr)),
        "decks": lambda: tr("Decks: {n}", n=rules.decks),
        "shuffle": lambda: tr("Shuffle: {what}", what=_shuffle(rules.shuffle, tr)),
        "rotation": lambda: tr("Deal: {what}", what=_rotation(rules.rotation, tr)),
    }[name]()


def setting_label(settings: Settings, name: str, tr: Words) -> str:
    """An agreement and its value."""
    return {
        "chips": lambda: tr("Chips: {n}", n=settings.chips),
        "clock": lambda: tr("Time: {time}", time=tr.time(settings.clock)),
        "rebuys": lambda: tr("Rebuy: {what}", what=_times(settings.rebuys, tr)),
        "rounds": lambda: tr("Rounds: {n}", n=tr("open") if settings.rounds is None else settings.rounds),
        "seats": lambda: tr("Seats: {n}", n=settings.seats),
        "cut": lambda: tr("Cut: {what}", what=yes_no(settings.cut, tr)),
        "late": lambda: tr("Join late: {what}", what=yes_no(settings.late, tr)),
        "odds": lambda: tr("Odds: {what}", what=yes_no(settings.odds, tr)),
    }[name]()


def yes_no(value: bool, tr: Words) -> str:
    """Yes or no."""
    return tr("yes") if value else tr("no")


def _against(rules: Rules, tr: Words) -> str:
    return {
        Counterparty.POT: tr("Against: the pot"),
        Counterparty.STAKE: tr("Against: a stake"),
        Counterparty.BANKER: tr("Against: the banker"),
        Counterparty.HOUSE: tr("Against: the house"),
    }[rules.counterparty]


def _cost(cost: int | None, tr: Words) -> str:
    return tr("no") if cost is None else tr("free") if cost == 0 else str(cost)


def _consecutive(rule: Consecutive, tr: Words) -> str:
    return {
        Consecutive.LOSE_MIN: tr("lose least"),
        Consecutive.LOSE_BET: tr("lose bet"),
        Consecutive.PUSH: tr("nothing"),
        Consecutive.REDEAL: tr("again"),
    }[rule]


def _pair(rule: Pair, tr: Words) -> str:
    return {
        PairKind.WIN: tr("wins {n}", n=rule.amount),
        PairKind.PUSH: tr("nothing"),
        PairKind.LOSE_BET: tr("lose bet"),
        PairKind.REDEAL: tr("again"),
        PairKind.GUESS: tr("guess ×{n}", n=rule.amount),
        PairKind.TRIPS: tr("three {n}:1", n=rule.amount),
    }[rule.kind]


def _ace(rule: Ace, tr: Words) -> str:
    return {Ace.HIGH: tr("high"), Ace.LOW: tr("low"), Ace.FIRST: tr("called")}[rule]


def _shuffle(rule: Shuffle, tr: Words) -> str:
    return {
        Shuffle.ROUND: tr("each round"),
        Shuffle.EMPTY: tr("when empty"),
        Shuffle.TURN: tr("each hand"),
    }[rule]


def _rotation(rule: Rotation, tr: Words) -> str:
    return {
        Rotation.ROUND: tr("each round"),
        Rotation.POT: tr("pot won"),
        Rotation.BROKE: tr("bank empty"),
        Rotation.FIXED: tr("stays"),
    }[rule]


def _times(times: int | None, tr: Words) -> str:
    return tr("any") if times is None else tr("no") if times == 0 else f"{times}×"
