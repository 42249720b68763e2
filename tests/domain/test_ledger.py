"""Who pays whom (I1, I7)."""

from dataclasses import replace

import pytest

from domain import events as e
from domain.evolve import evolve
from domain.hand import HandClass, Side
from domain.ledger import Account, Till, Transfer, counterparty, transfer
from domain.presets import HOME_POT, PRESETS
from domain.rules import Rules
from domain.settings import Settings
from domain.table import Phase, Table
from tests.domain.tables import ANN, BOB, CAT, SEED, cards, set_up, stacks

CHIPS = {ANN: 9, BOB: 9, CAT: 20}
BANKS = [("home_pot", Till.POT), ("bank", CAT), ("staked_bank", Till.POT), ("red_dog", Till.HOUSE)]


def table(rules: Rules = HOME_POT) -> Table:
    return set_up(CHIPS, rules=rules, dealer=CAT if rules.has_dealer else None, phase=Phase.DECIDE, pot=5)


@pytest.mark.parametrize(
    ("event", "moved"),
    [
        (e.BoughtIn(ANN, 50), Transfer(Till.CAGE, ANN, 50)),
        (e.Rebought(ANN, 50), Transfer(Till.CAGE, ANN, 50)),
        (e.Left(ANN, 9), Transfer(ANN, Till.CAGE, 9)),
        (e.AntePaid(ANN, 1), Transfer(ANN, Till.POT, 1)),
        (e.StakePut(CAT, 4), Transfer(CAT, Till.POT, 4)),
        (e.StakeReturned(CAT, 5), Transfer(Till.POT, CAT, 5)),
        (e.PotShared(BOB, 2), Transfer(Till.POT, BOB, 2)),
        (e.Settled(ANN, HandClass.WIN, 3), Transfer(Till.POT, ANN, 3)),
        (e.Settled(ANN, HandClass.POST, -3), Transfer(ANN, Till.POT, 3)),
        (e.Settled(ANN, HandClass.PUSH, 0), Transfer(Till.POT, ANN, 0)),
    ],
)
def test_an_event_of_chips_is_one_transfer(event: e.Event, moved: Transfer) -> None:
    """I7: exactly two parties, never a negative number."""
    assert transfer(table(), event) == moved


@pytest.mark.parametrize(("name", "account"), BANKS)
def test_the_counterparty_pays_and_is_paid(name: str, account: Account) -> None:
    """P12, P13, S16, S17, Q31, Q32: rules 2.3, switch 1."""
    before = table(PRESETS[name])
    assert counterparty(before) == account
    assert transfer(before, e.Settled(ANN, HandClass.WIN, 3)) == Transfer(account, ANN, 3)
    assert transfer(before, e.Settled(ANN, HandClass.OUTSIDE, -3)) == Transfer(ANN, account, 3)


@pytest.mark.parametrize(("name", "account"), BANKS)
def test_the_chips_of_a_settlement_arrive(name: str, account: Account) -> None:
    before = table(PRESETS[name])
    after = evolve(before, e.Settled(ANN, HandClass.WIN, 3))
    lost: dict[Account, int] = {Till.POT: before.pot - after.pot, Till.HOUSE: before.house - after.house}
    lost |= {player: chips - stacks(after)[player] for player, chips in CHIPS.items()}
    assert {key: chips for key, chips in lost.items() if chips} == {ANN: -3, account: 3}


@pytest.mark.parametrize(
    "event",
    [
        e.Opened(ANN, HOME_POT, Settings()),
        e.RulesChosen(HOME_POT, Settings()),
        e.Joined(4),
        e.Seated(4),
        e.LeaveAsked(CAT),
        e.HostPassed(BOB),
        e.Started(SEED),
        e.DrawnForDeal(ANN, cards("2C")[0]),
        e.DrawTied((ANN, BOB)),
        e.DealerSet(ANN),
        e.Shuffled(3, whole=True),
        e.WasCut(BOB, 20),
        e.RoundStarted(2, (ANN, BOB)),
        e.RoundEnded(1),
        e.PotFilled(3),
        e.TurnStarted(ANN),
        e.TurnSkipped(ANN),
        e.Asked(ANN, Phase.DECIDE),
        e.PostDealt(cards("2C")[0]),
        e.LaidAside(),
        e.AceCalled(ANN, low=True),
        e.Guessed(ANN, Side.HIGHER),
        e.BetPlaced(ANN, 3),
        e.Raised(ANN, 3),
        e.ThirdDealt(cards("2C")[0]),
        e.TimedOut(ANN, away=False),
        e.CameBack(ANN),
        e.EndVoted(ANN),
        e.EndAgreed(),
        e.Resumed(),
        e.Ended(),
    ],
    ids=lambda event: type(event).__name__,
)
def test_no_other_event_moves_chips(event: e.Event) -> None:
    """I1: cards, bets, passing and the clock move nothing; a bet stays in its stack until it is settled."""
    before = table()
    assert transfer(before, event) is None
    if not isinstance(event, e.Opened):
        after = evolve(before, event)
        assert {player: stacks(after)[player] for player in CHIPS} == CHIPS
        assert (after.pot, after.house) == (before.pot, before.house)


def test_a_table_counts_all_its_chips() -> None:
    assert replace(table(), house=-7).chips == 9 + 9 + 20 + 5 - 7
