"""Random games: every legal setting of the switches, every legal agreement of a table."""

from hypothesis import assume
from hypothesis import strategies as st

from domain.cards import Card, deck
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
from domain.settings import Settings

CARDS: st.SearchStrategy[Card] = st.sampled_from(deck())
SEEDS = st.integers(0, 2**32 - 1).map(lambda luck: f"{luck:064x}")

_PRIZES = {PairKind.WIN: (1, 2, 3, 20), PairKind.GUESS: (1, 2, 3), PairKind.TRIPS: (2, 11)}


@st.composite
def legal_rules(draw: st.DrawFn) -> Rules:
    """Rules without a clash. Each switch has all its values, those left out that could only clash (rules 2.3)."""
    counterparty = draw(st.sampled_from(Counterparty))
    has_pot, house = counterparty is Counterparty.POT, counterparty is Counterparty.HOUSE
    blind = draw(st.booleans())
    open_only, blind_only = {PairKind.GUESS}, {PairKind.TRIPS, PairKind.LOSE_BET}
    kind = draw(st.sampled_from([kind for kind in PairKind if kind not in (open_only if blind else blind_only)]))
    impossible = Consecutive.LOSE_MIN if blind else Consecutive.LOSE_BET
    rotations = {Rotation.ROUND, Rotation.FIXED}
    rotations |= {Rotation.POT} if has_pot else set() if house else {Rotation.BROKE}
    min_bet = draw(st.sampled_from([1, 1, 2, 5]))
    limits = st.integers(min_bet, 20)
    rules = Rules(
        counterparty=counterparty,
        decks=draw(st.sampled_from([1, 1, 1, 2, 8])),
        ace=draw(st.sampled_from(Ace)),
        bet_when=BetWhen.BEFORE if blind else BetWhen.AFTER,
        pass_cost=draw(st.sampled_from([None, 0, 1, 3])),
        min_bet=min_bet,
        max_bet=draw(st.none() | limits if counterparty in (Counterparty.POT, Counterparty.STAKE) else limits),
        half_opening=has_pot and draw(st.booleans()),
        post_pays=draw(st.sampled_from([1, 2, 3])),
        consecutive=draw(st.sampled_from([value for value in Consecutive if value is not impossible])),
        pair=Pair(kind, draw(st.sampled_from(_PRIZES.get(kind, (0,))))),
        payout=Payout.EVEN if has_pot else draw(st.sampled_from(Payout)),
        raises=blind and draw(st.booleans()),
        ante=draw(st.sampled_from([1, 1, 2, 3])) if has_pot else 0,
        ante_each_round=has_pot and draw(st.booleans()),
        shuffle=draw(st.sampled_from(Shuffle)),
        rotation=draw(st.sampled_from(sorted(rotations))),
    )
    assert not list(rules.clashes())
    return rules


@st.composite
def legal_settings(draw: st.DrawFn, rules: Rules) -> Settings:
    """Agreements that suit these rules; few chips, so that people go broke."""
    settings = Settings(
        chips=draw(st.integers(rules.ante + 1, 14) | st.just(50)),
        rebuys=draw(st.sampled_from([0, 1, 2, None])),
        rounds=draw(st.sampled_from([None, None, 1, 3])),
        seats=draw(st.sampled_from([2, 4, 17])),
        cut=rules.shuffle is not Shuffle.TURN and draw(st.booleans()),
        late=draw(st.sampled_from([True, True, True, False])),
    )
    assume(not list(settings.clashes(rules)))
    return settings
