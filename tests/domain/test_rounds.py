"""What the table does by itself: draw, antes, whose turn it is, who deals next, who comes and goes, the end."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain import commands as c
from domain import events as e
from domain.cards import Card, deck
from domain.presets import HOME_POT, PRESETS
from domain.refusals import Reason
from domain.rules import Rules
from domain.settings import Settings
from domain.table import Phase, Player, Table
from tests.domain.tables import (
    ANN,
    BOB,
    CAT,
    DAN,
    EVE,
    UNCUT,
    Game,
    drawn,
    goes_on,
    set_up,
    shuffles,
    started,
    turn,
)

EVERYBODY = {ANN: 20, BOB: 20, CAT: 20}
PLAYABLE = "3H TS 5C"
LAST_HAND = "4H JS 8C"
FRIENDLY = PRESETS["friendly_pot"]
"""Home pot with a free pass: turns without chips moving."""


def changed(rules: Rules, **switches: object) -> Rules:
    return Rules.from_dict({**rules.to_dict(), **switches})


def everybody_passes(game: Game, turns: int) -> Game:
    for _ in range(turns):
        assert game.table.actor is not None
        game.do(c.Pass(game.table.actor))
    return game


def last_turn(rules: Rules = HOME_POT, chips: dict[Player, int] = EVERYBODY, pot: int = 9, **more: Any) -> Game:
    """The dealer's turn, which ends the round (or the last player's before a bank)."""
    actor = BOB if rules.has_bank else CAT
    return turn(chips, LAST_HAND, rules=rules, actor=actor, pot=0 if rules.has_bank else pot, **more)


# -- the draw ------------------------------------------------------------------------------------------


def test_everybody_draws_an_open_card_and_the_highest_deals() -> None:
    """P5."""
    with shuffles("8H KS 4D"):
        game = started((ANN, BOB, CAT))
    assert [(event.player, event.card.code) for event in game.all(e.DrawnForDeal)] == [
        (ANN, "8H"),
        (BOB, "KS"),
        (CAT, "4D"),
    ]
    assert game.table.dealer == BOB
    assert game.table.actor == CAT


def test_only_the_tied_draw_again_and_suits_never_decide() -> None:
    """Q13, P1."""
    with shuffles("KH KS 4D 3C 3S 9C 2H"):
        game = started((ANN, BOB, CAT))
    assert game.all(e.DrawTied) == [e.DrawTied((ANN, BOB))] * 2
    assert [event.player for event in game.all(e.DrawnForDeal)] == [ANN, BOB, CAT, ANN, BOB, ANN, BOB]
    assert game.table.dealer == ANN


def test_lower_equal_cards_do_not_tie() -> None:
    """Q13."""
    with shuffles("4H 4S KD"):
        game = started((ANN, BOB, CAT))
    assert game.all(e.DrawTied) == []
    assert game.table.dealer == CAT


@settings(max_examples=60, deadline=None)
@given(lying=st.permutations(deck()), players=st.integers(2, 17))
def test_the_draw_ends_with_one_dealer_however_the_cards_lie(lying: list[Card], players: int) -> None:
    """I26, Q13: the highest of those who drew last."""
    with shuffles(" ".join(card.code for card in lying)):
        game = started(range(1, players + 1))
    (dealer,) = [event.player for event in game.all(e.DealerSet)]
    draws = [step.event for step in game.steps if isinstance(step.event, e.DrawnForDeal | e.DrawTied)]
    ties = [place for place, event in enumerate(draws) if isinstance(event, e.DrawTied)]
    last = [event for event in draws[ties[-1] + 1 if ties else 0 :] if isinstance(event, e.DrawnForDeal)]
    best = max(event.card.rank for event in last)
    assert [event.player for event in last if event.card.rank is best] == [dealer]


def test_a_draw_that_runs_out_of_cards_is_shuffled_again() -> None:
    """I26, the worst case: four players tie with every card of the deck."""
    with shuffles(" ".join(card.code for card in deck()), "KH QS 4D 3C"):
        game = started((ANN, BOB, CAT, DAN))
    assert len(game.all(e.DrawTied)) == 13
    assert len(game.all(e.DrawnForDeal)) == 52 + 4
    assert [event.whole for event in game.all(e.Shuffled)] == [True, False, True]
    assert game.table.dealer == ANN


def test_nobody_deals_for_the_house() -> None:
    """Q31."""
    game = started((ANN, BOB), rules=PRESETS["red_dog"])
    assert game.all(e.DrawnForDeal) == []
    assert game.all(e.DealerSet) == []
    assert game.table.dealer is None
    assert game.table.actor == ANN


# -- the cut -------------------------------------------------------------------------------------------


def test_new_cards_are_cut_by_the_right_hand_neighbour_before_anybody_antes() -> None:
    """P6, P7."""
    with shuffles("8H KS 4D"):
        game = started((ANN, BOB, CAT), settings=Settings())
    assert drawn(game.table) == (
        "cut: no cards, pot 0\n  Ann 50 (is asked)\n  Bob 50 (deals)\n  Cat 50"
    )  # fmt: skip
    game.do(c.Cut(ANN, 20))
    assert (game.table.pot, game.table.actor) == (3, CAT)


def test_every_change_of_dealer_brings_a_shuffle_and_a_cut() -> None:
    """Q16: shuffle = round."""
    game = last_turn(settings=Settings()).do(c.Bet(CAT, 1))
    assert game.table.phase is Phase.CUT
    assert (game.table.dealer, game.table.actor) == (ANN, CAT)
    assert game.all(e.Shuffled) == [e.Shuffled(3, whole=True)]
    assert game.table.shoe.discards == ()
    assert len(game.table.shoe.stock) == 52


def test_a_bank_that_shuffles_only_when_empty_keeps_its_cards_over_the_round() -> None:
    """S13, Q16."""
    game = last_turn(PRESETS["bank"], settings=Settings()).do(c.Bet(BOB, 1))
    assert game.table.dealer == ANN
    assert game.all(e.Shuffled) == []
    assert len(game.table.shoe.discards) == 3


def test_the_house_shuffles_before_every_hand() -> None:
    """Rules 2.3, switch 13."""
    game = turn({ANN: 50, BOB: 50}, PLAYABLE, rules=PRESETS["red_dog"], dealer=None).do(c.Pass(ANN), c.Pass(BOB))
    assert [event.whole for event in game.all(e.Shuffled)] == [True, True]
    assert game.table.actor == ANN


# -- antes ---------------------------------------------------------------------------------------------


def test_everybody_antes_before_the_first_hand() -> None:
    """P4: 3 players, pot 3."""
    game = started((ANN, BOB, CAT))
    assert game.last(e.PotFilled) == e.PotFilled(3)
    first = next(step.after for step in game.steps if isinstance(step.event, e.PotFilled))
    assert {seat.player: seat.chips for seat in first.seats} == {ANN: 49, BOB: 49, CAT: 49}


def test_a_new_round_asks_for_no_ante_while_there_is_a_pot() -> None:
    """P22, Q10."""
    game = last_turn().do(c.Bet(CAT, 1))
    assert game.all(e.AntePaid) == []
    assert game.table.pot == 8


def test_a_table_may_ante_every_round() -> None:
    """Q10: ante_each_round, on top of what is there."""
    game = last_turn(changed(HOME_POT, ante_each_round=True)).do(c.Bet(CAT, 1))
    assert len(game.all(e.AntePaid)) == 3
    assert game.table.pot == 8 + 3


def test_the_first_round_is_anted_once_even_if_every_round_is() -> None:
    game = started((ANN, BOB, CAT), rules=changed(FRIENDLY, ante_each_round=True))
    assert len(game.all(e.AntePaid)) == 3


def test_an_empty_pot_is_filled_at_once_and_the_winner_pays_too() -> None:
    """P21: 9/9/9, pot 3, A bets 3 and wins: 11/8/8, pot 3."""
    game = turn({ANN: 9, BOB: 9, CAT: 9}, PLAYABLE, pot=3).do(c.Bet(ANN, 3))
    assert game.stacks == {ANN: 11, BOB: 8, CAT: 8}
    assert (game.table.pot, game.table.actor) == (3, BOB)


def test_a_pair_that_empties_the_pot_fills_it_again() -> None:
    """Q3, Q4: two chips from a pot of one."""
    game = turn({ANN: 9, BOB: 9, CAT: 9}, "7H 7S", pot=1)
    assert game.stacks == {ANN: 9, BOB: 8, CAT: 8}
    assert game.last(e.Settled).gain == 1
    assert game.table.actor == BOB


def test_whoever_has_no_chips_pays_no_ante_and_has_no_turn() -> None:
    """Q7, Q8, I20."""
    game = turn({ANN: 9, BOB: 0, CAT: 9}, PLAYABLE, pot=3).do(c.Bet(ANN, 3))
    assert game.stacks == {ANN: 11, BOB: 0, CAT: 8}
    assert game.all(e.TurnSkipped) == [e.TurnSkipped(BOB)]
    assert game.table.actor == CAT


def test_a_poor_player_antes_what_he_has() -> None:
    """I16: min(ante, stack)."""
    game = turn({ANN: 9, BOB: 2, CAT: 9}, PLAYABLE, pot=3, rules=Rules(ante=5)).do(c.Bet(ANN, 3))
    assert game.all(e.AntePaid) == [e.AntePaid(ANN, 5), e.AntePaid(BOB, 2), e.AntePaid(CAT, 5)]
    assert game.last(e.PotFilled) == e.PotFilled(12)


def test_the_ante_takes_a_last_chip_and_its_player_is_skipped() -> None:
    """Q9: harsh, but literal."""
    game = turn({ANN: 9, BOB: 1, CAT: 9}, PLAYABLE, pot=3).do(c.Bet(ANN, 3))
    assert game.stacks == {ANN: 11, BOB: 0, CAT: 8}
    assert game.all(e.TurnSkipped) == [e.TurnSkipped(BOB)]
    assert game.table.actor == CAT


def test_if_the_ante_takes_too_many_last_chips_the_game_ends_and_the_pot_is_shared() -> None:
    """Q8, Q9, Q12: the pot of the ante, odd chips from the dealer's left."""
    game = turn({ANN: 9, BOB: 1, CAT: 1}, PLAYABLE, pot=2).do(c.Bet(ANN, 2))
    assert game.table.phase is Phase.ENDED
    assert game.stacks == {ANN: 9 + 2 - 1 + 1, BOB: 1, CAT: 1}
    assert game.table.pot == 0


def test_a_pot_emptied_with_one_player_left_with_chips_ends_the_game_without_an_ante() -> None:
    """Q8: fewer than two players with chips."""
    game = turn({ANN: 9, BOB: 0, CAT: 0}, PLAYABLE, pot=2).do(c.Bet(ANN, 2))
    assert game.all(e.AntePaid) == []
    assert game.table.phase is Phase.ENDED
    assert game.stacks == {ANN: 11, BOB: 0, CAT: 0}


# -- turns ---------------------------------------------------------------------------------------------


def test_the_dealers_left_begins_and_the_dealer_plays_last() -> None:
    """P9, P20, P22: dealer C: A, B, C; then the deal passes to A, and B begins."""
    game = everybody_passes(goes_on(set_up(EVERYBODY, dealer=CAT, phase=Phase.ROUND, pot=3, rules=FRIENDLY)), 3)
    assert game.turns == [ANN, BOB, CAT, BOB]
    assert game.table.dealer == ANN
    assert drawn(game.table).splitlines()[1:] == ["  Ann 20 (deals)", "  Bob 20 (is asked)", "  Cat 20"]


def test_the_banker_has_no_turn() -> None:
    """S1, S18."""
    game = everybody_passes(goes_on(set_up(EVERYBODY, dealer=CAT, phase=Phase.ROUND, rules=PRESETS["bank"])), 2)
    assert game.turns == [ANN, BOB, BOB]
    assert game.table.dealer == ANN


@pytest.mark.parametrize("name", ["friendly_pot", "bank", "blind_bank"])
@pytest.mark.parametrize("players", [2, 3, 5])
def test_after_as_many_rounds_as_players_everybody_has_dealt_once(name: str, players: int) -> None:
    """I18: nobody leaving, rotation = round."""
    rules = PRESETS[name]
    game = started(range(1, players + 1), rules=rules, settings=Settings(cut=False, rounds=players))
    while game.table.phase is not Phase.ENDED:
        actor = game.table.actor
        assert actor is not None
        game.do(c.Pass(actor))
    dealers = [event.player for event in game.all(e.DealerSet)]
    assert sorted(player for player in dealers if player is not None) == list(range(1, players + 1))
    turns = players if rules.has_pot else players - 1
    hands = game.all(e.TurnStarted)
    assert len(hands) == players * turns


def test_hands_that_ask_nobody_follow_each_other_in_one_move() -> None:
    """I24, P14, P15: consecutive, pair, consecutive, over the end of the round."""
    game = turn({ANN: 9, BOB: 9, CAT: 9}, "3H TS 5C 8H 9S 7H 7S", pot=6).do(c.Bet(ANN, 1))
    assert game.turns[:2] == [BOB, CAT]
    assert [event.gain for event in game.all(e.Settled)][:3] == [1, -1, 2]
    assert game.table.dealer == ANN


# -- the deal ------------------------------------------------------------------------------------------


def test_the_deal_passes_players_without_chips() -> None:
    """P22, Q30."""
    assert last_turn(chips={ANN: 0, BOB: 20, CAT: 20}).do(c.Bet(CAT, 1)).table.dealer == BOB


def test_the_deal_stays_until_the_pot_is_won_if_the_table_says_so() -> None:
    """Rotation.POT."""
    game = last_turn(PRESETS["dragon_gate"]).do(c.Bet(CAT, 1))
    assert game.table.dealer == CAT
    game = turn(EVERYBODY, PLAYABLE, rules=PRESETS["dragon_gate"], pot=9).do(c.Bet(ANN, 9))
    assert game.table.dealer == ANN
    assert game.table.actor == BOB
    assert game.last(e.RoundEnded) == e.RoundEnded(1)


def test_a_fixed_dealer_deals_again() -> None:
    game = last_turn(changed(HOME_POT, rotation="fixed")).do(c.Bet(CAT, 1))
    assert game.table.dealer == CAT
    assert game.all(e.Shuffled) == []


def test_a_fixed_dealer_without_chips_gives_up_the_deal() -> None:
    game = last_turn(changed(HOME_POT, rotation="fixed"), chips={**EVERYBODY, CAT: 1}, pot=9).do(c.Bet(CAT, 1))
    assert game.table.dealer == CAT
    table = set_up(
        {**EVERYBODY, CAT: 0}, dealer=CAT, phase=Phase.ROUND_END, pot=9, rules=changed(HOME_POT, rotation="fixed")
    )
    assert goes_on(table).table.dealer == ANN


def test_a_broken_bank_passes_at_once_and_a_new_round_begins() -> None:
    """Q29: Bob has no turn against the broken bank; the new banker's left begins."""
    game = turn({**EVERYBODY, CAT: 5}, PLAYABLE, rules=PRESETS["bank"]).do(c.Bet(ANN, 5))
    assert game.stacks == {ANN: 25, BOB: 20, CAT: 0}
    assert game.turns == [BOB]
    assert game.table.dealer == ANN
    assert game.table.round == 2


def test_a_bank_until_broke_stays_over_the_round() -> None:
    """Rotation.BROKE."""
    game = last_turn(changed(PRESETS["bank"], rotation="broke")).do(c.Bet(BOB, 1))
    assert game.table.dealer == CAT
    assert game.table.round == 2


def test_a_player_finishes_before_the_next_one_gets_cards() -> None:
    """S7: a raise is asked and the third card turned before anything lies in front of Bob."""
    blind = changed(PRESETS["blind_bank"], **{"raise": True})
    game = turn(EVERYBODY, PLAYABLE, rules=blind).do(c.Bet(ANN, 2))
    assert game.table.actor == ANN
    game.do(c.Raise(ANN, 0))
    of_ann = [step.before.actor for step in game.steps if isinstance(step.event, e.PostDealt | e.ThirdDealt)]
    assert of_ann[:3] == [ANN, ANN, ANN]
    assert game.turns == [BOB]


def test_everybody_chooses_his_own_amount_and_the_bank_pays_each_at_most_the_maximum() -> None:
    """S11, S12: Ann's ten do not bind Bob, and a hand moves at most ten either way."""
    game = turn(EVERYBODY, "2H AS 7C 2D AC 7D", rules=PRESETS["bank"])
    assert game.refuses(c.Bet(ANN, 11)) == (Reason.BET_ABOVE_MAX, 10)
    game.do(c.Bet(ANN, 10))
    assert game.stacks == {ANN: 30, BOB: 20, CAT: 10}
    assert game.refuses(c.Bet(BOB, 11)) == (Reason.BET_ABOVE_MAX, 10)
    game.do(c.Bet(BOB, 1))
    assert game.stacks == {ANN: 30, BOB: 21, CAT: 9}


# -- a stake -------------------------------------------------------------------------------------------

STAKED = PRESETS["staked_bank"]


def staking(chips: dict[Player, int] = EVERYBODY, rules: Rules = STAKED) -> Game:
    """Cat is asked for a stake as the dealer."""
    return Game(set_up(chips, dealer=CAT, phase=Phase.STAKE, actor=CAT, queue=(ANN, BOB), rules=rules))


def test_a_stake_stands_over_the_round_until_it_is_broken() -> None:
    """Q32, Rotation.BROKE."""
    game = everybody_passes(staking().do(c.PutUp(CAT, 5)), 2)
    assert (game.table.dealer, game.table.pot, game.table.actor) == (CAT, 5, ANN)
    assert game.all(e.StakePut) == [e.StakePut(CAT, 5)]
    game.do(c.Bet(ANN, 1))


def test_a_stake_that_is_left_goes_back_when_the_deal_passes() -> None:
    """Q32, Rotation.ROUND."""
    game = everybody_passes(staking(rules=changed(STAKED, rotation="round")).do(c.PutUp(CAT, 5)), 2)
    assert game.last(e.StakeReturned) == e.StakeReturned(CAT, 5)
    assert game.stacks == EVERYBODY
    assert (game.table.dealer, game.table.phase) == (ANN, Phase.STAKE)


def test_a_stake_goes_back_when_the_game_ends() -> None:
    """I27: it is the dealer's, nobody shares it."""
    game = staking().do(c.PutUp(CAT, 5), c.End(ANN, now=True))
    assert game.all(e.PotShared) == []
    assert game.stacks == EVERYBODY


def test_a_dealer_who_leaves_takes_his_stake_with_him() -> None:
    """I1, Q19, Q32: his hand against Ann is finished first."""
    game = staking().do(c.PutUp(CAT, 5), c.Leave(CAT))
    assert game.table.seat(CAT) is not None
    game.do(c.Pass(ANN))
    assert game.last(e.Left) == e.Left(CAT, 20)
    assert game.table.chips == 40
    assert game.table.dealer == ANN


def test_a_dealer_who_leaves_instead_of_staking_takes_everything() -> None:
    game = staking().do(c.Leave(CAT))
    assert game.last(e.Left) == e.Left(CAT, 20)
    assert game.table.chips == 40


def test_a_dealer_with_all_his_chips_in_the_stake_is_still_in_the_game() -> None:
    """Q32: two players, all of Bob's chips stand against Ann; that is no reason to end the game."""
    table = set_up({ANN: 20, BOB: 20}, dealer=BOB, phase=Phase.STAKE, actor=BOB, queue=(ANN,), rules=STAKED)
    game = Game(table).do(c.PutUp(BOB, 20), c.Pass(ANN))
    assert game.table.phase is not Phase.ENDED
    assert game.table.chips == 40


def test_a_stake_too_small_for_the_greatest_win_does_not_go_round_for_ever() -> None:
    """I24, Q28: with a ladder the bank must cover five times the least bet; Ann and Bob are too poor to bank."""
    rules = changed(STAKED, payout="ladder")
    game = staking({ANN: 4, BOB: 4, CAT: 20}, rules)
    assert game.refuses(c.PutUp(CAT, 4)) == (Reason.BET_BELOW_MIN, 5)
    game.do(c.PutUp(CAT, 5))
    assert game.table.actor == ANN


def test_a_stake_too_small_to_go_on_goes_back_to_a_dealer_whom_nobody_can_relieve() -> None:
    """I24, Q28, Q29: one chip of five is won; the others are too poor to bank, and Cat is asked for a new stake."""
    rules = changed(STAKED, payout="ladder")
    game = turn({ANN: 1, BOB: 1, CAT: 20}, PLAYABLE, rules=rules, pot=5).do(c.Bet(ANN, 1))
    assert game.last(e.StakeReturned) == e.StakeReturned(CAT, 4)
    assert (game.table.actor, game.table.phase) == (CAT, Phase.STAKE)
    game = turn({ANN: 1, BOB: 1, CAT: 2}, PLAYABLE, rules=rules, pot=5).do(c.Bet(ANN, 1))
    assert (game.table.actor, game.table.phase) == (CAT, Phase.STAKE)


def test_the_clock_puts_up_a_stake_that_can_pay() -> None:
    """I25, Q28."""
    game = staking({ANN: 20, BOB: 20, CAT: 20}, changed(STAKED, payout="ladder")).time_out()
    assert (game.table.phase, game.table.pot) == (Phase.DECIDE, 5)


# -- coming late ---------------------------------------------------------------------------------------


def test_a_late_player_sits_down_when_the_round_ends_last_before_the_dealer_and_pays_an_ante() -> None:
    """Q20."""
    game = last_turn(settings=UNCUT).do(c.Join(DAN))
    assert game.table.arrivals == (DAN,)
    assert game.table.seat(DAN) is None
    game.do(c.Bet(CAT, 1))
    assert game.last(e.RoundStarted).order == (BOB, CAT, DAN, ANN)
    assert game.all(e.AntePaid) == [e.AntePaid(DAN, 1)]
    assert game.stacks[DAN] == 49
    assert game.table.pot == 9
    assert [seat.player for seat in game.table.seats] == [DAN, ANN, BOB, CAT]


def test_a_late_player_pays_his_ante_only_once() -> None:
    """Q20: with everybody else, if the pot is empty."""
    game = turn(EVERYBODY, LAST_HAND, actor=CAT, pot=9, rules=PRESETS["dragon_gate"]).do(c.Join(DAN), c.Bet(CAT, 9))
    assert sorted(event.player for event in game.all(e.AntePaid)) == [ANN, BOB, CAT, DAN]


def test_a_late_player_at_a_bank_pays_nothing() -> None:
    game = last_turn(PRESETS["bank"]).do(c.Join(DAN), c.Pass(BOB))
    assert game.stacks[DAN] == 50


def test_a_closed_table_lets_nobody_in() -> None:
    """Q20."""
    agreed = Settings(cut=False, late=False)
    assert last_turn(settings=agreed).refuses(c.Join(DAN)) == (Reason.CLOSED, None)
    assert started((ANN, BOB), settings=agreed).table.settings == agreed  # before the start everybody may come


def test_whoever_waits_for_a_seat_takes_up_one() -> None:
    game = last_turn(settings=Settings(cut=False, seats=4)).do(c.Join(DAN))
    assert game.refuses(c.Join(DAN)) == (Reason.ALREADY_IN, None)
    assert game.refuses(c.Join(EVE)) == (Reason.FULL, 4)


def test_whoever_waits_for_a_seat_may_go_again() -> None:
    game = last_turn().do(c.Join(DAN), c.Leave(DAN))
    assert game.last(e.Left) == e.Left(DAN, 0)
    assert game.table.arrivals == ()


# -- leaving -------------------------------------------------------------------------------------------


def test_whoever_leaves_on_his_turn_bets_the_least_chip_first() -> None:
    """Q19: as no answer; then he takes his stack, and nothing comes out of the pot."""
    game = turn(EVERYBODY, "3H TS JC", pot=9).do(c.Leave(ANN))
    assert game.last(e.Settled).gain == -1
    assert game.last(e.Left) == e.Left(ANN, 19)
    assert game.stacks == {BOB: 20, CAT: 20}
    assert (game.table.pot, game.table.actor) == (10, BOB)


def test_whoever_leaves_with_an_ace_to_call_finishes_his_whole_hand() -> None:
    """Q19, Q33."""
    rules = changed(PRESETS["acey_deucey"], **{"pass": "no"})
    game = turn(EVERYBODY, "AH 5S 9C", pot=9, rules=rules).do(c.Leave(ANN))
    assert game.all(e.AceCalled) == [e.AceCalled(ANN, low=True)]
    assert game.last(e.Left) == e.Left(ANN, 19)


def test_whoever_leaves_between_his_turns_takes_his_stack_at_once() -> None:
    """Q19."""
    game = turn(EVERYBODY, PLAYABLE, pot=9).do(c.Leave(BOB))
    assert game.last(e.Left) == e.Left(BOB, 20)
    assert game.all(e.HostPassed) == []
    assert game.table.actor == ANN
    game.do(c.Bet(ANN, 1))
    assert game.table.actor == CAT


def test_a_dealer_who_leaves_deals_until_the_round_ends() -> None:
    """Q19."""
    game = turn(EVERYBODY, PLAYABLE, pot=9, rules=FRIENDLY).do(c.Leave(CAT))
    assert game.table.dealer == CAT
    everybody_passes(game, 2)
    assert game.turns[0] == BOB
    assert game.table.dealer == ANN
    assert [seat.player for seat in game.table.seats] == [ANN, BOB]


def test_a_banker_who_leaves_waits_for_the_hand_against_him() -> None:
    """Q19, I21."""
    game = turn(EVERYBODY, PLAYABLE, rules=PRESETS["bank"]).do(c.Leave(CAT))
    assert game.all(e.LeaveAsked) == [e.LeaveAsked(CAT)]
    game.do(c.Bet(ANN, 10))
    assert game.last(e.Left) == e.Left(CAT, 10)
    assert game.table.dealer == ANN
    assert game.table.actor == BOB


def test_whoever_leaves_while_he_is_asked_to_cut_cuts_first() -> None:
    """Q14, Q19."""
    table = set_up(EVERYBODY, dealer=CAT, phase=Phase.CUT, actor=BOB, pot=9, settings=Settings())
    game = Game(table).do(c.Leave(BOB))
    assert len(game.all(e.WasCut)) == 1
    assert game.turns == [ANN]
    assert game.stacks == {ANN: 20, CAT: 20}


def test_a_host_who_leaves_passes_his_office_to_the_left() -> None:
    """Q19."""
    game = turn(EVERYBODY, PLAYABLE, pot=9, actor=CAT).do(c.Leave(ANN))
    assert game.last(e.HostPassed) == e.HostPassed(BOB)
    assert game.table.host == BOB


def test_whoever_comes_back_brings_the_chips_that_he_took() -> None:
    """I1: no profit from leaving."""
    game = last_turn().do(c.Leave(ANN), c.Join(ANN), c.Bet(CAT, 1))
    assert game.last(e.BoughtIn) == e.BoughtIn(ANN, 20)
    assert game.stacks[ANN] == 20 - 1


def test_whoever_left_without_chips_buys_them_again_or_stays_out() -> None:
    """Q7."""
    chips = {**EVERYBODY, ANN: 0}
    game = last_turn(chips=chips).do(c.Leave(ANN))
    assert game.refuses(c.Join(ANN)) == (Reason.REBUY_OFF, None)
    game = last_turn(chips=chips, settings=Settings(cut=False, rebuys=1)).do(c.Leave(ANN), c.Join(ANN), c.Bet(CAT, 1))
    assert game.last(e.Rebought) == e.Rebought(ANN, 50)
    seat = game.table.seat(ANN)
    assert seat is not None
    assert seat.rebuys == 1


def test_if_all_leave_but_two_newcomers_nobody_sits_twice() -> None:
    """I1: Ann has left and come back in the same round, in which everybody else went."""
    game = turn({ANN: 20, BOB: 20}, PLAYABLE, dealer=ANN, actor=BOB, pot=9)
    game.do(c.Leave(ANN), c.Join(ANN), c.Join(CAT), c.Leave(BOB))
    assert sorted(seat.player for seat in game.table.seats) == [ANN, CAT]
    assert game.last(e.BoughtIn) == e.BoughtIn(CAT, 50)
    assert e.BoughtIn(ANN, 20) in game.all(e.BoughtIn)


def test_the_last_one_who_leaves_ends_the_game() -> None:
    game = turn({ANN: 20, BOB: 20}, "3H TS JC", dealer=BOB, pot=9).do(c.Leave(BOB))
    assert game.table.actor == ANN
    game.do(c.Leave(ANN))
    assert game.table.phase is Phase.ENDED
    assert game.table.pot == 0


# -- rest ----------------------------------------------------------------------------------------------


def resting() -> Game:
    """Ann has all the chips, Bob may buy some."""
    agreed = Settings(cut=False, rebuys=1)
    return Game(set_up({ANN: 40, BOB: 0}, dealer=ANN, phase=Phase.REST, pot=5, settings=agreed))


def test_a_table_with_one_player_rests_if_another_can_come_back() -> None:
    """Q7, Q18: broke with a rebuy left, or away."""
    table = set_up({ANN: 40, BOB: 0}, dealer=ANN, phase=Phase.ROUND_END, pot=5, settings=resting().table.settings)
    assert goes_on(table).table.phase is Phase.REST
    table = set_up({ANN: 40, BOB: 9}, dealer=ANN, phase=Phase.ROUND_END, pot=5, about={BOB: {"away": True}})
    assert goes_on(table).table.phase is Phase.REST


def test_a_table_with_one_player_ends_if_nobody_can_come_back() -> None:
    """Q8, Q11."""
    game = goes_on(set_up({ANN: 40, BOB: 0}, dealer=ANN, phase=Phase.ROUND_END, pot=5))
    assert game.table.phase is Phase.ENDED
    assert game.stacks == {ANN: 42, BOB: 3}


def test_a_rebuy_ends_a_rest() -> None:
    """Q7."""
    game = resting().do(c.Rebuy(BOB))
    assert game.all(e.Resumed) == [e.Resumed()]
    assert game.table.dealer == BOB
    assert game.table.actor == ANN


def test_somebody_who_comes_back_ends_a_rest() -> None:
    table = set_up({ANN: 40, BOB: 9}, dealer=ANN, phase=Phase.REST, pot=5, about={BOB: {"away": True, "missed": 3}})
    game = Game(table).do(c.Back(BOB))
    assert game.table.phase is Phase.DECIDE


def test_a_newcomer_ends_a_rest() -> None:
    """Q20."""
    game = resting().do(c.Join(CAT))
    assert game.all(e.Resumed) == [e.Resumed()]
    assert game.stacks[CAT] + game.table.pot == 50 + 5 - (game.stacks[ANN] - 40)


def test_a_rest_ends_the_game_when_the_clock_or_the_host_says_so_or_nobody_can_come_back() -> None:
    for game in (resting().time_out(), resting().do(c.End(ANN)), resting().do(c.Leave(BOB))):
        assert game.table.phase is Phase.ENDED
        assert game.table.pot == 0


# -- the end -------------------------------------------------------------------------------------------


def test_the_game_ends_after_the_agreed_rounds() -> None:
    """Q11."""
    for rounds, phase in ((1, Phase.ENDED), (2, Phase.DECIDE)):
        game = last_turn(settings=Settings(cut=False, rounds=rounds), rules=FRIENDLY).do(c.Pass(CAT))
        assert game.table.phase is phase


def test_the_hosts_word_ends_the_game_with_the_round() -> None:
    """Q11: equal turns."""
    game = turn(EVERYBODY, PLAYABLE, pot=9, rules=FRIENDLY).do(c.End(ANN))
    assert game.table.ending
    assert game.table.actor == ANN
    assert game.refuses(c.End(ANN)) == (Reason.ALREADY_VOTED, None)
    everybody_passes(game, 3)
    assert game.table.phase is Phase.ENDED
    assert game.stacks == {ANN: 23, BOB: 23, CAT: 23}


def test_an_admin_of_the_chat_ends_the_game_too() -> None:
    """Rules 4.4."""
    game = turn(EVERYBODY, PLAYABLE, pot=9).do(c.End(99, admin=True))
    assert game.table.ending


def test_the_end_now_finishes_the_hand_on_the_table_by_the_clocks_answer() -> None:
    """Rules 4.4: stop acts now, if forced."""
    game = turn(EVERYBODY, "3H TS JC", pot=9).do(c.End(ANN, now=True))
    assert game.last(e.Settled).gain == -1
    assert game.table.phase is Phase.ENDED
    assert game.stacks == {ANN: 23, BOB: 23, CAT: 23}
    assert game.turns == []


def test_the_end_now_may_follow_a_word_to_end_with_the_round() -> None:
    game = turn(EVERYBODY, PLAYABLE, pot=9).do(c.End(ANN), c.End(ANN, now=True))
    assert game.table.phase is Phase.ENDED
    assert game.all(e.EndAgreed) == [e.EndAgreed()]


@pytest.mark.parametrize(
    ("chips", "pot", "shared"),
    [
        ({ANN: 9, BOB: 14, CAT: 0}, 7, {ANN: 12, BOB: 16, CAT: 2}),
        ({ANN: 0, BOB: 0, CAT: 0}, 2, {ANN: 1, BOB: 1, CAT: 0}),
        ({ANN: 5, BOB: 5, CAT: 5}, 3, {ANN: 6, BOB: 6, CAT: 6}),
        ({ANN: 5, BOB: 5, CAT: 5}, 0, {ANN: 5, BOB: 5, CAT: 5}),
    ],
)
def test_the_last_pot_is_shared_and_odd_chips_go_to_the_dealers_left(
    chips: dict[Player, int], pot: int, shared: dict[Player, int]
) -> None:
    """Q12, I27: among all seated players, whether they have chips or not."""
    game = Game(set_up(chips, dealer=CAT, phase=Phase.REST, pot=pot)).do(c.End(ANN))
    assert game.stacks == shared
    assert sum(shared.values()) == sum(chips.values()) + pot


def test_whoever_has_left_has_no_share() -> None:
    """Q12, Q19: nothing comes out of the pot for him."""
    game = turn(EVERYBODY, "3H TS JC", pot=9).do(c.Leave(BOB), c.End(CAT, admin=True, now=True))
    assert game.stacks == {ANN: 24, CAT: 25}


def test_whoever_has_most_chips_has_won_and_equal_stacks_win_together() -> None:
    """P2, Q12."""
    table = set_up({ANN: 12, BOB: 16, CAT: 2}, dealer=CAT, phase=Phase.ENDED)
    assert table.winners == (BOB,)
    assert set_up({ANN: 12, BOB: 12, CAT: 2}, dealer=CAT, phase=Phase.ENDED).winners == (ANN, BOB)


def test_more_than_half_of_those_who_are_not_away_end_the_game_by_vote() -> None:
    """Q11; rules 4.4: stop also by vote."""
    game = turn({**EVERYBODY, DAN: 20, EVE: 20}, PLAYABLE, pot=9, about={EVE: {"away": True}})
    game.do(c.End(BOB), c.End(CAT))
    assert game.all(e.EndAgreed) == []
    assert game.refuses(c.End(BOB)) == (Reason.ALREADY_VOTED, None)
    game.do(c.End(DAN))
    assert game.all(e.EndAgreed) == [e.EndAgreed()]
    assert game.table.ending


def test_the_vote_of_somebody_who_has_left_does_not_count() -> None:
    game = turn({**EVERYBODY, DAN: 20, EVE: 20}, PLAYABLE, pot=9)
    game.do(c.End(BOB), c.End(CAT), c.Leave(BOB), c.End(DAN))
    assert not game.table.ending


def test_a_vote_is_for_the_end_of_the_round_even_if_it_says_now() -> None:
    """Rules 4.4: only the host and the admins can force it."""
    game = turn(EVERYBODY, PLAYABLE, pot=9).do(c.End(BOB, now=True), c.End(CAT, now=True))
    assert game.table.ending
    assert game.table.phase is Phase.DECIDE


def test_a_stranger_has_no_vote_and_nothing_ends_twice() -> None:
    """I19."""
    game = turn(EVERYBODY, PLAYABLE, pot=9)
    assert game.refuses(c.End(DAN)) == (Reason.NOT_ALLOWED, None)
    game.do(c.End(ANN, now=True))
    assert game.refuses(c.End(ANN)) == (Reason.GAME_OVER, None)


def test_a_lobby_ends_at_once() -> None:
    table = Table(
        rules=HOME_POT, settings=UNCUT, host=ANN, seats=set_up(EVERYBODY, dealer=None, phase=Phase.LOBBY).seats
    )
    assert Game(table).do(c.End(ANN)).table.phase is Phase.ENDED


# -- a bank that cannot pay ------------------------------------------------------------------------------


def test_a_bank_game_needs_chips_for_its_greatest_win() -> None:
    """Q28, Q9: with a ladder five chips, or the first bank is broken before the first hand."""
    rules = changed(PRESETS["bank"], payout="ladder")
    assert list(Settings(chips=4).clashes(rules)) != []
    assert list(Settings(chips=5).clashes(rules)) == []


def test_a_newcomer_who_cannot_bank_does_not_wake_a_table_without_a_bank() -> None:
    """Q28: nobody has the five chips that a bank with a ladder needs; the table rests on."""
    rules = changed(PRESETS["bank"], payout="ladder")
    agreed = Settings(chips=5, rebuys=1, cut=False)
    table = set_up({ANN: 4, BOB: 0}, dealer=ANN, phase=Phase.REST, rules=rules, settings=agreed)
    gone = replace(table.seats[0], player=CAT, chips=0, cashed=2, gone=True)
    game = Game(replace(table, departed=(gone,))).do(c.Join(CAT))
    assert game.table.phase is Phase.REST
    game.do(c.Rebuy(BOB))
    assert game.table.dealer == BOB


def test_everybody_may_become_the_first_dealer() -> None:
    """P5."""
    assert {started((ANN, BOB, CAT), seed=f"{luck:064x}").table.dealer for luck in range(40)} == {ANN, BOB, CAT}


def test_the_highest_rank_of_a_draw_is_the_ace() -> None:
    """P1, also where the ace is low in play."""
    with shuffles("KH AS 2D"):
        assert started((ANN, BOB, CAT), rules=PRESETS["dragon_gate"]).table.dealer == BOB
