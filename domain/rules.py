"""The rules of a table as data: the switches of a game, the presets, and which switches go together.

A game of In-Between is nothing but a setting of these switches; no preset has code of its own.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple, Self


class Counterparty(StrEnum):
    """Who wins what the player loses."""

    POT = "pot"
    STAKE = "stake"  # chips that the dealer has put up (Q32)
    BANKER = "banker"  # the dealer's own stack (S1)
    HOUSE = "house"  # the bot (Q31)


class Ace(StrEnum):
    """How high an ace is (Q33)."""

    HIGH = "high"
    LOW = "low"
    FIRST = "first"  # the player calls an ace that is the first post; every other ace is high


class BetWhen(StrEnum):
    """Whether the posts are seen before the bet; ``before`` is the blind variation (S24)."""

    AFTER = "after"
    BEFORE = "before"


class Consecutive(StrEnum):
    """What two posts with nothing between them do (Q1)."""

    LOSE_MIN = "lose_min"
    LOSE_BET = "lose_bet"
    PUSH = "push"
    REDEAL = "redeal"


class PairKind(StrEnum):
    """What two equal posts do."""

    WIN = "win"
    PUSH = "push"
    LOSE_BET = "lose_bet"
    REDEAL = "redeal"
    GUESS = "guess"  # bet on higher or lower; a third equal card costs a multiple
    TRIPS = "trips"  # a third equal card pays a multiple, anything else is a push


class Pair(NamedTuple):
    """The pair rule: ``win:2`` pays two chips, ``guess:3`` costs three bets when matched, ``trips:11`` pays 11:1."""

    kind: PairKind
    amount: int = 0

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read ``win:2``, ``push``, ...

        Raises:
            ValueError: no such pair rule.
        """
        kind, _, amount = text.partition(":")
        pair = cls(PairKind(kind), int(amount or 0))
        if (pair.amount > 0) is not (pair.kind in (PairKind.WIN, PairKind.GUESS, PairKind.TRIPS)):
            raise ValueError(f"no pair rule {text!r}")
        return pair

    def __str__(self) -> str:
        return f"{self.kind}:{self.amount}" if self.amount else self.kind.value


class Payout(StrEnum):
    """What a win pays: the bet, or 5, 4, 2, 1 bets for 1, 2, 3, 4 and more ranks between."""

    EVEN = "even"
    LADDER = "ladder"


class Shuffle(StrEnum):
    """When the cards are shuffled; whatever the value, the discards also come in when the stock is empty (S13)."""

    ROUND = "round"  # at every change of dealer
    EMPTY = "empty"
    TURN = "turn"


class Rotation(StrEnum):
    """When the deal (the bank) passes to the left."""

    ROUND = "round"
    POT = "pot"  # when somebody has won the pot
    BROKE = "broke"  # when the bank is empty
    FIXED = "fixed"


class Clash(StrEnum):
    """Switches that do not go together; a table with one of them is refused when it is set up."""

    RAISE_NEEDS_BLIND_BET = "raise_needs_blind_bet"
    GUESS_NEEDS_OPEN_BET = "guess_needs_open_bet"
    TRIPS_NEED_BLIND_BET = "trips_need_blind_bet"
    LOSE_BET_NEEDS_BLIND_BET = "lose_bet_needs_blind_bet"
    LOSE_MIN_NEEDS_OPEN_BET = "lose_min_needs_open_bet"
    CAP_NEEDS_POT = "cap_needs_pot"
    ANTE_NEEDS_POT = "ante_needs_pot"
    POT_NEEDS_ANTE = "pot_needs_ante"
    BANK_NEEDS_MAX_BET = "bank_needs_max_bet"
    LADDER_WITH_POT = "ladder_with_pot"
    BROKE_NEEDS_BANK = "broke_needs_bank"
    POT_ROTATION_NEEDS_POT = "pot_rotation_needs_pot"
    CUT_WITH_SHUFFLE_EVERY_TURN = "cut_with_shuffle_every_turn"
    MAX_BELOW_MIN = "max_below_min"
    OUT_OF_RANGE = "out_of_range"
    TOO_FEW_CHIPS = "too_few_chips"


MOST_CHIPS = 1_000_000
"""The most chips that any number of the rules can be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The switches of rules 2.3. The defaults are the Home pot game, seed P. Amounts are chips."""

    counterparty: Counterparty = Counterparty.POT
    decks: int = 1
    ace: Ace = Ace.HIGH
    bet_when: BetWhen = BetWhen.AFTER
    pass_cost: int | None = None
    """Chips a pass costs; 0 is free, ``None`` forbids it (P10)."""
    min_bet: int = 1
    max_bet: int | None = None
    half_opening: bool = False
    """At most half the pot until everybody has had a turn since the pot was last filled."""
    post_pays: int = 1
    """How many bets hitting a post costs (P13: one)."""
    consecutive: Consecutive = Consecutive.LOSE_MIN
    pair: Pair = Pair(PairKind.WIN, 2)
    payout: Payout = Payout.EVEN
    raises: bool = False
    ante: int = 1
    ante_each_round: bool = False
    shuffle: Shuffle = Shuffle.ROUND
    rotation: Rotation = Rotation.ROUND

    @property
    def has_pot(self) -> bool:
        """Whether everybody plays for one pot; then the dealer has a hand, too (P20)."""
        return self.counterparty is Counterparty.POT

    @property
    def has_bank(self) -> bool:
        """Whether the dealer himself stands against the players and has no hand (S1)."""
        return self.counterparty in (Counterparty.BANKER, Counterparty.STAKE)

    @property
    def has_dealer(self) -> bool:
        """Whether one of the players deals."""
        return self.counterparty is not Counterparty.HOUSE

    @property
    def fewest_players(self) -> int:
        """How many it takes to play: two, or one against the house."""
        return 2 if self.has_dealer else 1

    @property
    def blind(self) -> bool:
        """Whether bets are placed before the cards (S24)."""
        return self.bet_when is BetWhen.BEFORE

    @property
    def greatest_multiple(self) -> int:
        """How many first bets one hand can win at most: what a bank must cover (Q28)."""
        win = (5 if self.payout is Payout.LADDER else 1) * (2 if self.raises else 1)
        return max(win, self.pair.amount if self.pair.kind is PairKind.TRIPS else 0)

    def clashes(self) -> Iterator[Clash]:
        """Every reason why this combination of switches makes no game (rules 2.3)."""
        bad = {
            Clash.RAISE_NEEDS_BLIND_BET: self.raises and not self.blind,
            Clash.GUESS_NEEDS_OPEN_BET: self.pair.kind is PairKind.GUESS and self.blind,
            Clash.TRIPS_NEED_BLIND_BET: self.pair.kind is PairKind.TRIPS and not self.blind,
            Clash.LOSE_BET_NEEDS_BLIND_BET: not self.blind
            and (self.pair.kind is PairKind.LOSE_BET or self.consecutive is Consecutive.LOSE_BET),
            Clash.LOSE_MIN_NEEDS_OPEN_BET: self.consecutive is Consecutive.LOSE_MIN and self.blind,
            Clash.CAP_NEEDS_POT: self.half_opening and not self.has_pot,
            Clash.ANTE_NEEDS_POT: (self.ante > 0 or self.ante_each_round) and not self.has_pot,
            Clash.POT_NEEDS_ANTE: self.ante == 0 and self.has_pot,
            Clash.BANK_NEEDS_MAX_BET: self.max_bet is None
            and self.counterparty in (Counterparty.BANKER, Counterparty.HOUSE),
            Clash.LADDER_WITH_POT: self.payout is Payout.LADDER and self.has_pot,
            Clash.BROKE_NEEDS_BANK: self.rotation is Rotation.BROKE and not self.has_bank,
            Clash.POT_ROTATION_NEEDS_POT: self.rotation is Rotation.POT and not self.has_pot,
            Clash.MAX_BELOW_MIN: self.max_bet is not None and self.max_bet < self.min_bet,
            Clash.OUT_OF_RANGE: not (
                1 <= self.decks <= 8
                and 1 <= self.post_pays <= 3
                and 1 <= self.min_bet <= MOST_CHIPS
                and (self.max_bet is None or self.max_bet <= MOST_CHIPS)
                and 0 <= self.ante <= MOST_CHIPS
                and 0 <= (self.pass_cost or 0) <= MOST_CHIPS
                and self.pair.amount <= MOST_CHIPS
            ),
        }
        return (clash for clash, found in bad.items() if found)

    def to_dict(self) -> dict[str, Any]:
        """The switches in the plain form of recorded hands; JSON can hold it."""
        return {
            "counterparty": self.counterparty.value,
            "decks": self.decks,
            "ace": self.ace.value,
            "bet_when": self.bet_when.value,
            "pass": {None: "no", 0: "free"}.get(self.pass_cost, self.pass_cost),
            "min_bet": self.min_bet,
            "max_bet": self.max_bet,
            "opening_cap": "1/2" if self.half_opening else "1",
            "post_pays": self.post_pays,
            "consecutive": self.consecutive.value,
            "pair": str(self.pair),
            "payout": self.payout.value,
            "raise": self.raises,
            "ante": self.ante,
            "ante_each_round": self.ante_each_round,
            "shuffle": self.shuffle.value,
            "rotation": self.rotation.value,
        }

    @classmethod
    def from_dict(cls, switches: Mapping[str, Any]) -> Self:
        """Read what `to_dict` wrote, or a preset of a file of recorded hands.

        Raises:
            ValueError: a value that its switch does not have.
            KeyError: a switch is missing.
        """
        passing: dict[object, int | None] = {"no": None, "free": 0}
        return cls(
            counterparty=Counterparty(switches["counterparty"]),
            decks=switches["decks"],
            ace=Ace(switches["ace"]),
            bet_when=BetWhen(switches["bet_when"]),
            pass_cost=passing[switches["pass"]] if switches["pass"] in passing else int(switches["pass"]),
            min_bet=switches["min_bet"],
            max_bet=switches["max_bet"],
            half_opening=_half(switches["opening_cap"]),
            post_pays=switches["post_pays"],
            consecutive=Consecutive(switches["consecutive"]),
            pair=Pair.parse(switches["pair"]),
            payout=Payout(switches["payout"]),
            raises=switches["raise"],
            ante=switches["ante"],
            ante_each_round=switches["ante_each_round"],
            shuffle=Shuffle(switches["shuffle"]),
            rotation=Rotation(switches["rotation"]),
        )


def _half(cap: str) -> bool:
    if cap not in ("1", "1/2"):
        raise ValueError(f"no opening cap {cap!r}")
    return cap == "1/2"
