"""The open question of a table, and the bounds of its answers (I6, rules 4.4)."""

from dataclasses import replace

import pytest

from domain import commands as c
from domain.choices import (
    LOBBY_PATIENCE,
    REST_PATIENCE,
    Bounds,
    Choices,
    bet_bounds,
    choices,
    cut_asked,
    has_turn,
    patience,
)
from domain.hand import Side
from domain.play import open_table
from domain.presets import HOME_POT, PRESETS
from domain.refusals import Reason, Refusal
from domain.rules import Rules, Shuffle
from domain.settings import Settings
from domain.table import Phase
from tests.domain.tables import ANN, BOB, CAT, Game, set_up, started, turn

EVERYBODY = {ANN: 20, BOB: 20, CAT: 20}
PLAYABLE = "3H TS 5C"
PAIR = "5H 5S 9C"

STACK, COVER, POT = Reason.BET_ABOVE_STACK, Reason.BET_ABOVE_COVER, Reason.BET_ABOVE_POT
MAXIMUM, BANK, CAP = Reason.BET_ABOVE_MAX, Reason.BET_ABOVE_BANK, Reason.BET_ABOVE_OPENING_CAP


def bet_of(game: Game) -> Bounds:
    bounds = choices(game.table).bet
    assert bounds is not None
    return bounds


# -- bounds ------------------------------------------------------------------------------------------


def test_an_amount_within_its_bounds_is_accepted() -> None:
    bounds = Bounds(2, ((STACK, 9), (POT, 5)))
    assert (bounds.least, bounds.most) == (2, 5)
    bounds.check(2)
    bounds.check(5)


@pytest.mark.parametrize(
    ("amount", "reason", "limit"),
    [(1, Reason.BET_BELOW_MIN, 2), (-1, Reason.BET_BELOW_MIN, 2), (10, STACK, 9), (8, COVER, 7), (6, POT, 5)],
)
def test_an_amount_out_of_bounds_is_refused_for_the_first_limit_that_it_breaks(
    amount: int, reason: Reason, limit: int
) -> None:
    """Rules 4.4: below the minimum, above the stack, above its cover, above the pot."""
    with pytest.raises(Refusal) as refused:
        Bounds(2, ((STACK, 9), (COVER, 7), (POT, 5))).check(amount)
    assert (refused.value.reason, refused.value.limit) == (reason, limit)


@pytest.mark.parametrize(
    ("chips", "pot", "limits"),
    [(20, 7, (20, 20, 7)), (4, 7, (4, 4, 7)), (1, 1, (1, 1, 1))],
)
def test_a_bet_in_the_home_pot_is_one_chip_to_the_pot(chips: int, pot: int, limits: tuple[int, int, int]) -> None:
    """P9, P10, Q6; Q36: asked even if only one bet is left."""
    bounds = bet_of(turn({**EVERYBODY, ANN: chips}, PLAYABLE, pot=pot))
    assert bounds == Bounds(1, tuple(zip((STACK, COVER, POT), limits, strict=True)))


@pytest.mark.parametrize(("post_pays", "chips", "most"), [(2, 9, 4), (3, 9, 3), (3, 2, 1), (2, 1, 1), (1, 9, 9)])
def test_a_bet_is_covered_by_the_stack_if_a_post_costs_more(post_pays: int, chips: int, most: int) -> None:
    """Q6: at most a part of the stack, at least one chip."""
    bounds = bet_of(turn({**EVERYBODY, ANN: chips}, PLAYABLE, pot=50, rules=Rules(post_pays=post_pays)))
    assert dict(bounds.limits)[COVER] == bounds.most == most


def test_a_bet_on_a_pair_is_covered_for_a_match() -> None:
    """Q6: under guess:3 a matched pair costs three bets, though a post costs two."""
    game = turn(EVERYBODY, PAIR, pot=50, rules=PRESETS["dragon_gate"]).do(c.Guess(ANN, Side.HIGHER))
    assert dict(bet_of(game).limits)[COVER] == 6
    game = turn(EVERYBODY, PLAYABLE, pot=50, rules=PRESETS["dragon_gate"])
    assert dict(bet_of(game).limits)[COVER] == 10


@pytest.mark.parametrize(("banker", "most"), [(50, 10), (10, 10), (7, 7)])
def test_a_bet_at_the_bank_is_limited_by_its_maximum_and_by_the_banker(banker: int, most: int) -> None:
    """S9-S11, Q28."""
    bounds = bet_of(turn({**EVERYBODY, CAT: banker}, PLAYABLE, rules=PRESETS["bank"]))
    assert bounds == Bounds(1, ((STACK, 20), (COVER, 20), (MAXIMUM, 10), (BANK, banker)))
    assert bounds.most == most


@pytest.mark.parametrize(("stake", "most"), [(21, 20), (20, 20), (6, 6)])
def test_a_bet_is_limited_by_the_stake_of_the_dealer(stake: int, most: int) -> None:
    """Q32."""
    bounds = bet_of(turn(EVERYBODY, PLAYABLE, rules=PRESETS["staked_bank"], pot=stake))
    assert bounds == Bounds(1, ((STACK, 20), (COVER, 20), (BANK, stake)))
    assert bounds.most == most


def test_a_bank_covers_the_greatest_multiple_that_can_be_won() -> None:
    """Q28, Q31: a player who banks at Red Dog lets bet a part of eleven of what he has."""
    rules = Rules.from_dict({**PRESETS["red_dog"].to_dict(), "counterparty": "banker"})
    assert dict(bet_of(turn({**EVERYBODY, CAT: 54}, PLAYABLE, rules=rules)).limits)[BANK] == 4


def test_the_house_pays_everything() -> None:
    """Q31: 1 to 100, whatever the house has."""
    bounds = bet_of(turn({ANN: 500, BOB: 500}, PLAYABLE, rules=PRESETS["red_dog"], dealer=None, house=-900))
    assert bounds == Bounds(1, ((STACK, 500), (COVER, 500), (MAXIMUM, 100)))


@pytest.mark.parametrize(("pot", "cap"), [(20, 10), (21, 10), (2, 1), (1, 1)])
def test_the_first_time_round_at_most_half_the_pot_is_bet(pot: int, cap: int) -> None:
    """V-half; Q37: half is rounded down, but a chip is always allowed."""
    rules = PRESETS["acey_deucey"]
    bounds = bet_of(turn(EVERYBODY, PLAYABLE, rules=rules, pot=pot, first_time=True))
    assert bounds.limits == ((STACK, 20), (COVER, 10), (POT, pot), (CAP, cap))
    later = bet_of(turn(EVERYBODY, PLAYABLE, rules=rules, pot=pot))
    assert CAP not in dict(later.limits)


def test_the_cap_falls_when_everybody_has_had_a_turn_since_the_pot_was_filled() -> None:
    """Rules 2.3, switch 6; a hand that is passed counts."""
    game = turn(EVERYBODY, rules=PRESETS["acey_deucey"], pot=20, first_time=True)
    capped = []
    for _ in range(4):
        capped.append(CAP in dict(bet_of(game).limits))
        assert game.table.actor is not None
        game.do(c.Pass(game.table.actor))
    assert capped == [True, True, True, False]


def test_the_cap_returns_with_a_pot_that_is_filled_again() -> None:
    rules = Rules.from_dict({**PRESETS["acey_deucey"].to_dict(), "rotation": "round"})
    game = turn(EVERYBODY, PLAYABLE, rules=rules, pot=5).do(c.Bet(ANN, 5))
    assert game.table.pot == 3
    assert dict(bet_of(game).limits)[CAP] == 1


def test_the_least_bet_is_the_tables_or_all_that_is_allowed() -> None:
    """Q27; a stack or a pot below the minimum can still be bet."""
    rules = Rules(min_bet=5)
    assert bet_of(turn(EVERYBODY, PLAYABLE, pot=9, rules=rules)).least == 5
    assert bet_of(turn({**EVERYBODY, ANN: 3}, PLAYABLE, pot=9, rules=rules)).least == 3
    assert bet_of(turn(EVERYBODY, PLAYABLE, pot=2, rules=rules)).least == 2


@pytest.mark.parametrize(("chips", "bet", "most"), [(500, 10, 10), (15, 10, 5), (10, 10, 0), (200, 100, 100)])
def test_a_raise_is_at_most_the_bet_and_keeps_to_the_stack(chips: int, bet: int, most: int) -> None:
    """V-raise; the whole bet may be above the maximum, which limits the first one."""
    game = turn({ANN: chips, BOB: 9}, PLAYABLE, rules=PRESETS["red_dog"], dealer=None).do(c.Bet(ANN, bet))
    bounds = choices(game.table).more
    assert bounds is not None
    assert (bounds.least, bounds.most) == (0, most)
    assert bounds.limits[0] == (Reason.RAISE_ABOVE_BET, bet)


def test_a_raise_keeps_to_the_pot_and_to_the_cover_of_a_post() -> None:
    rules = Rules.from_dict(
        {**HOME_POT.to_dict(), "bet_when": "before", "consecutive": "push", "raise": True, "post_pays": 3}
    )
    game = turn({**EVERYBODY, ANN: 14}, PLAYABLE, rules=rules, pot=50).do(c.Bet(ANN, 3))
    assert choices(game.table).more == Bounds(0, ((Reason.RAISE_ABOVE_BET, 3), (STACK, 11), (COVER, 1), (POT, 47)))
    game = turn(EVERYBODY, PLAYABLE, rules=rules, pot=5).do(c.Bet(ANN, 4))
    more = choices(game.table).more
    assert more is not None
    assert more.most == 1


# -- questions ---------------------------------------------------------------------------------------


def test_a_bet_is_asked_of_the_player_whose_turn_it_is() -> None:
    """P9, P10: no passing in the home pot."""
    game = turn(EVERYBODY, PLAYABLE, pot=3)
    assert choices(game.table) == Choices(ANN, bet=bet_bounds(game.table))
    assert has_turn(game.table, ANN)
    assert not has_turn(game.table, BOB)


@pytest.mark.parametrize(("passing", "cost"), [("no", None), ("free", 0), (2, 2)])
def test_passing_is_offered_at_its_cost(passing: str | int, cost: int | None) -> None:
    """Q21, V-pass, V-nopass, V-passcost."""
    rules = Rules.from_dict({**HOME_POT.to_dict(), "pass": passing})
    assert choices(turn(EVERYBODY, PLAYABLE, pot=3, rules=rules).table).pass_cost == cost


def test_a_blind_bet_is_asked_before_any_card() -> None:
    """S24, Q25, Q26."""
    game = turn(EVERYBODY, PLAYABLE, rules=PRESETS["blind_bank"])
    assert game.table.shoe.shown == ()
    assert choices(game.table) == Choices(ANN, bet=bet_bounds(game.table), pass_cost=0)


def test_an_ace_is_called_before_the_second_post() -> None:
    """Q33: neither a bet nor a pass before the call."""
    game = turn(EVERYBODY, "AH 5S 9C", rules=PRESETS["acey_deucey"], pot=9)
    assert len(game.table.posts) == 1
    assert choices(game.table) == Choices(ANN, call=True)


def test_a_pair_is_guessed_and_then_bet_on_and_the_guess_may_be_changed() -> None:
    """V-guess."""
    game = turn(EVERYBODY, PAIR, rules=PRESETS["acey_deucey"], pot=9)
    assert choices(game.table) == Choices(ANN, guess=True, pass_cost=0)
    game.do(c.Guess(ANN, Side.LOWER))
    assert choices(game.table) == Choices(ANN, guess=True, bet=bet_bounds(game.table), pass_cost=0)
    game.do(c.Guess(ANN, Side.HIGHER))
    assert game.table.side is Side.HIGHER


def test_nothing_is_asked_of_anybody_in_a_lobby_a_rest_and_at_the_end() -> None:
    for phase in (Phase.LOBBY, Phase.REST, Phase.ENDED):
        assert choices(set_up(EVERYBODY, dealer=CAT, phase=phase)) == Choices()


def test_a_cut_leaves_at_least_one_hand_in_each_packet() -> None:
    """Q14: 3 to 49."""
    game = started((ANN, BOB, CAT), settings=Settings())
    asked = game.table.cutter
    assert choices(game.table) == Choices(asked, cut=Bounds(3, ((Reason.CUT_OUT_OF_RANGE, 49),)))


def test_a_dealer_is_asked_for_his_stake() -> None:
    """Q32."""
    game = started((ANN, BOB, CAT), rules=PRESETS["staked_bank"])
    open_question = choices(game.table)
    assert open_question.asked == game.table.dealer
    assert open_question.stake == Bounds(1, ((STACK, 50),))


@pytest.mark.parametrize(
    ("cut", "shuffle", "asked"),
    [
        (True, Shuffle.ROUND, True),
        (True, Shuffle.EMPTY, True),
        (True, Shuffle.TURN, False),
        (False, Shuffle.ROUND, False),
    ],
)
def test_a_cut_is_asked_for_unless_it_is_off_or_tedious(cut: bool, shuffle: Shuffle, asked: bool) -> None:
    """Rules 2.3."""
    table = set_up(EVERYBODY, dealer=CAT, phase=Phase.SHUFFLE, rules=Rules(shuffle=shuffle), settings=Settings(cut=cut))
    assert cut_asked(table) is asked


def test_nobody_is_asked_to_cut_for_the_house() -> None:
    assert not cut_asked(set_up(EVERYBODY, dealer=None, phase=Phase.SHUFFLE, settings=Settings()))


@pytest.mark.parametrize("order", [(ANN, BOB, CAT), (CAT, ANN, BOB)])
def test_the_dealers_right_hand_neighbour_cuts(order: tuple[int, ...]) -> None:
    """P7: dealer C, B cuts."""
    table = set_up(dict.fromkeys(order, 9), dealer=CAT, phase=Phase.SHUFFLE)
    assert table.cutter == BOB


def test_with_two_players_the_other_one_cuts() -> None:
    """Q14."""
    assert set_up({ANN: 9, BOB: 9}, dealer=BOB, phase=Phase.SHUFFLE).cutter == ANN


def test_somebody_without_chips_or_away_does_not_cut() -> None:
    """Q7, I20."""
    away = {BOB: {"away": True}}
    assert set_up({ANN: 9, BOB: 0, CAT: 9}, dealer=CAT, phase=Phase.SHUFFLE).cutter == ANN
    assert set_up({ANN: 9, BOB: 9, CAT: 9}, dealer=CAT, phase=Phase.SHUFFLE, about=away).cutter == ANN
    assert set_up({ANN: 0, BOB: 0, CAT: 9}, dealer=CAT, phase=Phase.SHUFFLE).cutter is None


def test_a_question_stands_as_long_as_the_table_has_agreed() -> None:
    """Q18."""
    game = turn(EVERYBODY, PLAYABLE, pot=3)
    assert patience(game.table) == 60
    _, lobby = open_table(ANN, HOME_POT, Settings())
    assert patience(lobby) == LOBBY_PATIENCE
    assert patience(replace(game.table, phase=Phase.REST)) == REST_PATIENCE
    assert patience(replace(game.table, phase=Phase.ENDED)) is None
