"""The games by name: each a setting of the switches (rules 2.2)."""

from collections.abc import Mapping
from dataclasses import fields, replace

from domain.rules import Ace, BetWhen, Consecutive, Counterparty, Pair, PairKind, Payout, Rotation, Rules, Shuffle

HOME_POT = Rules()
"""Seed P, the default."""

_BANK = Rules(
    counterparty=Counterparty.BANKER,
    pass_cost=0,
    max_bet=10,
    consecutive=Consecutive.PUSH,
    pair=Pair(PairKind.PUSH),
    ante=0,
    shuffle=Shuffle.EMPTY,
)
_ACEY_DEUCEY = Rules(
    ace=Ace.FIRST,
    pass_cost=0,
    half_opening=True,
    post_pays=2,
    consecutive=Consecutive.PUSH,
    pair=Pair(PairKind.GUESS, 3),
    shuffle=Shuffle.EMPTY,
    rotation=Rotation.POT,
)

PRESETS: Mapping[str, Rules] = {
    "home_pot": HOME_POT,
    "bank": _BANK,
    "blind_bank": replace(
        _BANK, bet_when=BetWhen.BEFORE, consecutive=Consecutive.LOSE_BET, pair=Pair(PairKind.LOSE_BET)
    ),
    "acey_deucey": _ACEY_DEUCEY,
    "dragon_gate": replace(_ACEY_DEUCEY, ace=Ace.LOW, half_opening=False),
    "red_dog": replace(
        _BANK,
        counterparty=Counterparty.HOUSE,
        bet_when=BetWhen.BEFORE,
        max_bet=100,
        pair=Pair(PairKind.TRIPS, 11),
        payout=Payout.LADDER,
        raises=True,
        shuffle=Shuffle.TURN,
        rotation=Rotation.FIXED,
    ),
    "home_pot_three": replace(HOME_POT, pair=Pair(PairKind.WIN, 3)),
    "sheets": replace(_ACEY_DEUCEY, consecutive=Consecutive.REDEAL, pair=Pair(PairKind.REDEAL)),
    "friendly_pot": replace(HOME_POT, pass_cost=0),
    "staked_bank": replace(_BANK, counterparty=Counterparty.STAKE, max_bet=None, rotation=Rotation.BROKE),
    "soft_blind_bank": replace(_BANK, bet_when=BetWhen.BEFORE),
}
"""The shipped six first, then those that are the same with a switch or two."""


def nearest(rules: Rules) -> tuple[str, frozenset[str]]:
    """The preset that these rules come closest to, by name, and the switches that differ from it."""
    differing = {
        name: frozenset(
            field.name for field in fields(Rules) if getattr(rules, field.name) != getattr(preset, field.name)
        )
        for name, preset in PRESETS.items()
    }
    name = min(differing, key=lambda name: len(differing[name]))  # of several as near, the first in the list
    return name, differing[name]
