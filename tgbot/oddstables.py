"""``inbetween odds``: the exact odds as tables for people, or as one JSON document."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from math import comb
from typing import Any, NamedTuple

from domain.cards import Rank
from domain.odds import draw_tie, edge, fresh, spread_odds, third_odds, value
from domain.presets import HOME_POT, PRESETS
from domain.rules import Rules

_RED_DOG_DECKS = (1, 2, 4, 6, 8)


def as_json() -> str:
    """Everything about a fresh deck, with fractions as ``"a/b"``."""
    chances = spread_odds(HOME_POT)
    deals = comb(52, 2)
    document: dict[str, Any] = {
        "deck": {"size": 52, "two_card_deals": deals},
        "spread": [
            {"k": k, "deals": int(chance * deals), "p": _ratio(chance)}
            for k, chance in ((k, chances[None if k < 0 else k]) for k in range(-1, 12))
        ],
        "third_of_50": [{"k": k, **third_odds(HOME_POT, *_posts(HOME_POT, k))._asdict()} for k in range(12)],
        "edge_post1": _edges(HOME_POT),
        "edge_post2": _edges(replace(HOME_POT, post_pays=2)),
        "bank_best_ev_per_hand": _ratio(value(PRESETS["bank"])),
        "blind_literal_ev": _ratio(value(PRESETS["blind_bank"])),
        "red_dog_house_edge": {
            str(decks): {"exact": _ratio(house), "percent": round(float(house) * 100, 3)}
            for decks, house in ((decks, _house_edge(decks)) for decks in _RED_DOG_DECKS)
        },
        "draw_tie": {str(players): _ratio(draw_tie(players)) for players in range(2, 11)},
    }
    return json.dumps(document, indent=1)


class Row(NamedTuple):
    """Posts with so many ranks between (``None``: a pair): how likely they are, and what a bet on them does.

    Without ranks between there is no bet, and nothing of ``win`` to ``value``.
    """

    k: int | None
    chance: Fraction
    win: Fraction | None = None
    post: Fraction | None = None
    outside: Fraction | None = None
    value: Fraction | None = None


class OddsTable(NamedTuple):
    """The odds of one game; ``value`` is that of a hand in bets, if the player plays best."""

    preset: str
    decks: int
    value: Fraction
    rows: Sequence[Row]

    @property
    def break_even(self) -> int | None:
        """The fewest ranks between with which a bet does not lose in the long run."""
        return min((row.k for row in self.rows if row.k and row.value is not None and row.value >= 0), default=None)


def table(preset: str, decks: int | None = None) -> OddsTable:
    """The odds of a preset, from a fresh deck or from several.

    Raises:
        KeyError: no preset has this name.
    """
    rules = PRESETS[preset] if decks is None else replace(PRESETS[preset], decks=decks)
    chances = sorted(spread_odds(rules).items(), key=lambda item: -1 if item[0] is None else item[0])
    return OddsTable(preset, rules.decks, value(rules), [_row(rules, k, chance) for k, chance in chances])


def _row(rules: Rules, k: int | None, chance: Fraction) -> Row:
    if not k:
        return Row(k, chance)
    third = third_odds(rules, *_posts(rules, k))
    win, post, outside = (Fraction(cards, third.cards) for cards in third)
    return Row(k, chance, win, post, outside, edge(rules, third, k))


def table_as_json(odds: OddsTable) -> str:
    """One game's table as a JSON document, with fractions as ``"a/b"``."""
    rows = [
        {name: _ratio(entry) if isinstance(entry, Fraction) else entry for name, entry in row._asdict().items()}
        for row in odds.rows
    ]
    head = {"preset": odds.preset, "decks": odds.decks, "value": _ratio(odds.value), "break_even": odds.break_even}
    return json.dumps({**head, "spread": rows}, indent=1)


def as_text(odds: OddsTable) -> Iterator[str]:
    """One game's table, a line at a time."""
    decks = "deck" if odds.decks == 1 else "decks"
    yield f"{odds.preset}, {odds.decks} {decks}: {_percent(odds.value).strip()} of a bet a hand"
    yield ""
    yield "between   chance      win     post  outside   value of a bet"
    for k, chance, *parts, worth in odds.rows:
        label = "pair" if k is None else k or "none"
        shares = "".join(_percent(part) for part in parts if part is not None)
        yield f"{label:>7} {_percent(chance)}{shares}" + ("" if worth is None else f"   {_percent(worth)}")
    yield ""
    yield "No bet pays." if odds.break_even is None else f"A bet pays from {odds.break_even} ranks between on."
    if odds.preset == "red_dog":
        yield ""
        yield "house edge by decks: " + ", ".join(f"{n}: {float(_house_edge(n)) * 100:.3f} %" for n in _RED_DOG_DECKS)


def _posts(rules: Rules, between: int) -> tuple[tuple[Rank, Rank], dict[Rank, int]]:
    """Two posts with so many ranks between, and what they leave of the decks."""
    posts = Rank.TWO, Rank(min(Rank.TWO + between + 1, Rank.ACE))
    return posts, {rank: cards - (rank in posts) for rank, cards in fresh(rules.decks).items()}


def _edges(rules: Rules) -> dict[str, str]:
    return {str(k): _ratio(edge(rules, third_odds(rules, *_posts(rules, k)), k)) for k in range(1, 12)}


def _house_edge(decks: int) -> Fraction:
    return -value(replace(PRESETS["red_dog"], decks=decks))


def _ratio(number: Fraction) -> str:
    return f"{number.numerator}/{number.denominator}"


def _percent(share: Fraction) -> str:
    return f"{float(share) * 100:7.2f} %"
