"""What the people at a table agree on: to share the pot, another dealer, another most bet, to stop."""

from dataclasses import replace

import pytest

from domain import commands as c
from domain import events as e
from domain.presets import HOME_POT, PRESETS
from domain.refusals import Reason
from domain.rules import MOST_CHIPS, Rules
from domain.settings import Settings
from domain.table import Phase, Player
from tests.domain.tables import ANN, BOB, CAT, DAN, STRANGER, Game, goes_on, set_up, started, turn

EVERYBODY = {ANN: 20, BOB: 20, CAT: 20}
BANK = PRESETS["bank"]
FIXED = Rules.from_dict({**BANK.to_dict(), "rotation": "fixed"})
PLAYABLE = "3H TS 5C 3D TC 5D"


def agree(game: Game, *players: Player) -> Game:
    return game.do(*map(c.SharePot, players))


# -- sharing the pot -----------------------------------------------------------------------------------


def test_the_pot_is_shared_before_the_next_turn_when_everybody_agrees() -> None:
    """[PAG-RD]: a pot grown too big; 31 chips and a lost bet of one, 11 to the dealer's left, and a new ante."""
    game = agree(turn(EVERYBODY, "3H TS 2C", pot=31), ANN, BOB)
    assert not game.table.sharing
    assert agree(game, CAT).table.sharing
    assert game.stacks == EVERYBODY, "the hand on the table is played first"
    game.do(c.Bet(ANN, 1))
    assert [(event.player, event.chips) for event in game.all(e.PotShared)] == [(ANN, 11), (BOB, 11), (CAT, 10)]
    assert game.table.pot == 3
    assert game.stacks == {ANN: 20 - 1 + 11 - 1, BOB: 20 + 11 - 1, CAT: 20 + 10 - 1}
    assert game.table.actor == BOB
    assert game.table.shared == 32
    assert not game.table.sharing


def test_what_was_shared_is_told_until_the_next_hand() -> None:
    game = agree(turn(EVERYBODY, "3H TS 2C 3D TC 5D", pot=31), ANN, BOB, CAT).do(c.Bet(ANN, 1), c.Bet(BOB, 1))
    assert game.table.shared == 0


def test_a_pot_won_before_it_could_be_shared_is_not_owed() -> None:
    game = agree(turn(EVERYBODY, PLAYABLE, pot=5), ANN, BOB, CAT).do(c.Bet(ANN, 5))
    assert game.all(e.PotShared) == []
    assert [event.player for event in game.all(e.AntePaid)] == [ANN, BOB, CAT], "once, and the antes stay in"
    assert (game.table.pot, game.table.sharing) == (3, False)
    assert game.stacks == {ANN: 24, BOB: 19, CAT: 19}


def test_one_vote_each_and_only_of_players() -> None:
    game = agree(turn(EVERYBODY, PLAYABLE, pot=5), ANN)
    assert game.refuses(c.SharePot(ANN)) == (Reason.ALREADY_VOTED, None)
    assert game.refuses(c.SharePot(STRANGER)) == (Reason.NOT_SEATED, None)
    assert turn(EVERYBODY, PLAYABLE, rules=BANK).refuses(c.SharePot(ANN)) == (Reason.NO_POT, None)
    agree(game, BOB, CAT)
    assert game.refuses(c.SharePot(ANN)) == (Reason.ALREADY_VOTED, None)


def test_before_the_first_ante_there_is_no_pot_to_share() -> None:
    game = started([ANN, BOB], settings=Settings())
    assert game.table.phase is Phase.CUT
    assert game.refuses(c.SharePot(ANN)) == (Reason.NO_POT, None)


def test_a_player_without_chips_or_asleep_is_not_asked() -> None:
    table = turn({**EVERYBODY, DAN: 0}, PLAYABLE, dealer=DAN, pot=5, about={CAT: {"away": True}}).table
    assert agree(Game(table), ANN, BOB).table.sharing


def test_votes_are_counted_again_when_somebody_leaves() -> None:
    game = agree(turn(EVERYBODY, PLAYABLE, pot=5), ANN, BOB)
    assert game.do(c.Leave(CAT)).table.sharing


def test_between_two_rounds_it_is_shared_before_anybody_antes() -> None:
    """Otherwise a table that antes every round would put its antes in and take them out again."""
    rules = Rules.from_dict({**HOME_POT.to_dict(), "ante_each_round": True})
    table = set_up(EVERYBODY, rules=rules, dealer=CAT, phase=Phase.CUT, actor=BOB, pot=30, settings=Settings())
    game = agree(Game(table), ANN, BOB, CAT)
    assert game.table.pot == 0
    assert game.stacks == {ANN: 30, BOB: 30, CAT: 30}
    game.do(c.Cut(BOB, 20))
    assert [event.player for event in game.all(e.AntePaid)] == [ANN, BOB, CAT]


def test_a_rest_agrees_to_nothing() -> None:
    """Bob, the last who is awake, has voted, and the others only sleep."""
    asleep = {ANN: {"away": True}, CAT: {"away": True}}
    table = set_up(EVERYBODY, dealer=CAT, phase=Phase.REST, pot=9, about=asleep, share_votes=(BOB,))
    game = Game(table).do(c.SetMaxBet(ANN, 7))
    assert game.table.phase is Phase.REST
    assert game.table.pot == 9
    assert not game.table.sharing


def test_a_new_pot_needs_new_votes() -> None:
    game = agree(turn(EVERYBODY, PLAYABLE, pot=5), BOB).do(c.Bet(ANN, 5))
    assert game.table.pot == 3
    assert game.table.share_votes == ()


# -- another dealer ------------------------------------------------------------------------------------


def test_the_banker_hands_the_bank_over_when_the_round_ends() -> None:
    """S2: the dealer can change if people like, also where he is fixed."""
    game = turn(EVERYBODY, PLAYABLE, rules=FIXED).do(c.PassBank(CAT))
    assert game.table.dealer == CAT
    game.do(c.Bet(ANN, 1), c.Bet(BOB, 1))
    assert game.table.dealer == ANN
    assert not game.table.handing_over
    assert game.table.queue == (CAT,)


def test_more_than_half_may_want_another_banker() -> None:
    """S2: two of three are enough, one is not."""
    game = turn(EVERYBODY, PLAYABLE, rules=FIXED).do(c.PassBank(ANN))
    assert not game.table.handing_over
    assert game.refuses(c.PassBank(ANN)) == (Reason.ALREADY_VOTED, None)
    assert game.do(c.PassBank(BOB)).table.handing_over
    assert game.refuses(c.PassBank(CAT)) == (Reason.ALREADY_VOTED, None)


def test_a_leaver_may_make_a_majority_for_another_banker() -> None:
    game = turn({**EVERYBODY, DAN: 20}, PLAYABLE, rules=FIXED).do(c.PassBank(ANN), c.PassBank(BOB))
    assert not game.table.handing_over
    assert game.do(c.Leave(DAN)).table.handing_over


def test_nobody_deals_for_the_house_and_strangers_have_no_say() -> None:
    house = turn(EVERYBODY, PLAYABLE, rules=PRESETS["red_dog"], dealer=None)
    assert house.refuses(c.PassBank(ANN)) == (Reason.NO_DEALER, None)
    assert turn(EVERYBODY, PLAYABLE, rules=FIXED).refuses(c.PassBank(STRANGER)) == (Reason.NOT_SEATED, None)


def test_a_stake_goes_back_when_the_deal_is_handed_over() -> None:
    game = turn(EVERYBODY, PLAYABLE, rules=PRESETS["staked_bank"], pot=9).do(c.PassBank(CAT))
    game.do(c.Bet(ANN, 1), c.Bet(BOB, 1))
    assert game.last(e.StakeReturned).player == CAT
    assert game.table.dealer == game.table.actor == ANN
    assert game.table.phase is Phase.STAKE


# -- the most bet --------------------------------------------------------------------------------------


def test_the_most_bet_changes_between_rounds_only() -> None:
    """S9: agreed before any deal; what is said in a round counts from the next one on."""
    game = turn(EVERYBODY, PLAYABLE, rules=BANK).do(c.SetMaxBet(ANN, 2))
    assert game.table.rules.max_bet == 10
    assert game.do(c.Bet(ANN, 10)).table.rules.max_bet == 10
    game.do(c.Bet(BOB, 1))
    assert game.table.rules.max_bet == 2
    assert game.table.next_max_bet is None
    assert game.table.actor is not None
    assert game.refuses(c.Bet(game.table.actor, 3)) == (Reason.BET_ABOVE_MAX, 2)


def test_in_the_lobby_it_counts_at_once() -> None:
    game = Game(set_up({ANN: 0, BOB: 0}, rules=BANK, dealer=None, phase=Phase.LOBBY))
    assert game.do(c.SetMaxBet(ANN, 5)).table.rules.max_bet == 5


def test_a_pot_may_have_a_most_bet_too() -> None:
    game = turn(EVERYBODY, PLAYABLE, pot=9, actor=CAT).do(c.SetMaxBet(ANN, 2), c.Bet(CAT, 1))
    assert game.table.rules == replace(HOME_POT, max_bet=2)


@pytest.mark.parametrize("amount", [0, -5, MOST_CHIPS + 1, 10**18])
def test_a_most_bet_that_makes_no_game_is_refused(amount: int) -> None:
    game = turn(EVERYBODY, PLAYABLE, rules=BANK)
    assert game.refuses(c.SetMaxBet(ANN, amount)) == (Reason.BAD_COMBINATION, None)


def test_only_the_host_and_admins_choose_it() -> None:
    game = turn(EVERYBODY, PLAYABLE, rules=BANK)
    assert game.refuses(c.SetMaxBet(BOB, 5)) == (Reason.NOT_ALLOWED, None)
    assert game.do(c.SetMaxBet(STRANGER, 5, admin=True)).table.next_max_bet == 5


# -- the end -------------------------------------------------------------------------------------------


def test_a_leaver_may_make_a_majority_for_the_end() -> None:
    game = turn({**EVERYBODY, DAN: 20}, PLAYABLE, pot=5).do(c.End(BOB), c.End(CAT))
    assert not game.table.ending
    assert game.do(c.Leave(DAN)).table.ending


@pytest.mark.parametrize("phase", [Phase.CUT, Phase.STAKE])
def test_between_two_rounds_the_end_is_at_once(phase: Phase) -> None:
    """Q11: everybody has had as many turns; nobody is made to play a whole round more."""
    rules = PRESETS["staked_bank"] if phase is Phase.STAKE else HOME_POT
    table = set_up(EVERYBODY, rules=rules, dealer=CAT, phase=phase, actor=CAT, pot=0 if rules.has_bank else 6)
    game = Game(table).do(c.End(ANN))
    assert game.table.phase is Phase.ENDED
    assert sum(game.stacks.values()) == 60 + table.pot


def test_alone_against_the_house() -> None:
    """Q31: one person is enough where the bot pays."""
    game = started([ANN], PRESETS["red_dog"])
    assert game.table.phase is Phase.BLIND_BET
    for _ in range(5):
        game.do(c.Pass(ANN))
    assert game.table.round == 6
    assert goes_on(set_up({ANN: 20}, rules=PRESETS["red_dog"], dealer=None, phase=Phase.ROUND)).table.actor == ANN
