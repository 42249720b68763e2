"""Answers to the open question, their refusals in order (rules 4.4), and the clock's (Q18, I25)."""

from collections.abc import Callable

import pytest

from domain import commands as c
from domain import events as e
from domain.answers import default_answer
from domain.hand import HandClass, Side
from domain.play import MISSES_ALLOWED
from domain.presets import HOME_POT, PRESETS
from domain.refusals import Reason
from domain.rules import Rules
from domain.settings import Settings
from domain.table import Phase, Table
from tests.domain.tables import ANN, BOB, CAT, STRANGER, Game, set_up, started, turn

EVERYBODY = {ANN: 20, BOB: 20, CAT: 20}
PLAYABLE = "3H TS 5C"


def home() -> Game:
    return turn(EVERYBODY, PLAYABLE, pot=9)


def bank() -> Game:
    return turn(EVERYBODY, PLAYABLE, rules=PRESETS["bank"])


def blind() -> Game:
    return turn(EVERYBODY, PLAYABLE, rules=PRESETS["blind_bank"])


def ace() -> Game:
    return turn(EVERYBODY, "AH 5S 9C", rules=PRESETS["acey_deucey"], pot=9)


def pair() -> Game:
    return turn(EVERYBODY, "5H 5S 9C", rules=PRESETS["acey_deucey"], pot=9)


def red_dog() -> Game:
    return turn(EVERYBODY, "3H JS 5C", rules=PRESETS["red_dog"], dealer=None)


def raising() -> Game:
    return red_dog().do(c.Bet(ANN, 5))


def cutting() -> Game:
    """Ann is asked to cut for Bob."""
    table = set_up({ANN: 20, BOB: 20}, dealer=BOB, phase=Phase.CUT, actor=ANN, settings=Settings())
    return Game(table)


def staking() -> Game:
    """Ann is asked for her stake as the dealer."""
    table = set_up(EVERYBODY, dealer=ANN, phase=Phase.STAKE, actor=ANN, rules=PRESETS["staked_bank"])
    return Game(table)


QUESTIONS: list[Callable[[], Game]] = [home, bank, blind, ace, pair, raising, cutting, staking]
ANSWERS: list[c.Command] = [
    c.Bet(ANN, 1),
    c.Pass(ANN),
    c.CallAce(ANN, low=True),
    c.Guess(ANN, Side.HIGHER),
    c.Raise(ANN, 0),
    c.Cut(ANN, 10),
    c.PutUp(ANN, 5),
]


# -- what is refused -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "command", "reason", "limit"),
    [
        (home, c.Bet(ANN, 0), Reason.BET_BELOW_MIN, 1),
        (home, c.Bet(ANN, -3), Reason.BET_BELOW_MIN, 1),
        (home, c.Bet(ANN, 10), Reason.BET_ABOVE_POT, 9),
        (home, c.Bet(ANN, 21), Reason.BET_ABOVE_STACK, 20),
        (home, c.Pass(ANN), Reason.PASS_FORBIDDEN, None),
        (home, c.CallAce(ANN, low=True), Reason.NO_CALL_PENDING, None),
        (home, c.Guess(ANN, Side.HIGHER), Reason.NO_PAIR, None),
        (home, c.Raise(ANN, 1), Reason.NO_RAISE_PENDING, None),
        (home, c.Cut(ANN, 10), Reason.NO_CUT_PENDING, None),
        (home, c.PutUp(ANN, 5), Reason.NO_STAKE_PENDING, None),
        (bank, c.Bet(ANN, 11), Reason.BET_ABOVE_MAX, 10),
        (bank, c.Bet(ANN, 21), Reason.BET_ABOVE_STACK, 20),
        (blind, c.Bet(ANN, 0), Reason.BET_BELOW_MIN, 1),
        (blind, c.Guess(ANN, Side.LOWER), Reason.NO_PAIR, None),
        (ace, c.Bet(ANN, 1), Reason.CALL_FIRST, None),
        (ace, c.Pass(ANN), Reason.CALL_FIRST, None),
        (ace, c.Guess(ANN, Side.HIGHER), Reason.NO_PAIR, None),
        (pair, c.Bet(ANN, 1), Reason.GUESS_FIRST, None),
        (pair, c.CallAce(ANN, low=False), Reason.NO_CALL_PENDING, None),
        (red_dog, c.Raise(ANN, 1), Reason.NO_RAISE_PENDING, None),
        (raising, c.Bet(ANN, 5), Reason.ALREADY_BET, None),
        (raising, c.Pass(ANN), Reason.ALREADY_BET, None),
        (raising, c.Raise(ANN, 6), Reason.RAISE_ABOVE_BET, 5),
        (raising, c.Raise(ANN, -1), Reason.BET_BELOW_MIN, 0),
        (cutting, c.Bet(ANN, 1), Reason.CUT_FIRST, None),
        (cutting, c.Cut(ANN, 2), Reason.CUT_OUT_OF_RANGE, 3),
        (cutting, c.Cut(ANN, 50), Reason.CUT_OUT_OF_RANGE, 49),
        (staking, c.Bet(ANN, 1), Reason.STAKE_FIRST, None),
        (staking, c.PutUp(ANN, 0), Reason.BET_BELOW_MIN, 1),
        (staking, c.PutUp(ANN, 21), Reason.BET_ABOVE_STACK, 20),
    ],
)
def test_an_answer_that_does_not_fit_is_refused_with_its_limit(
    question: Callable[[], Game], command: c.Command, reason: Reason, limit: int | None
) -> None:
    """Rules 4.4; P9, P10, S9, Q14, Q32, Q33."""
    game = question()
    before = game.table
    assert game.refuses(command) == (reason, limit)
    assert game.table is before


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("answer", ANSWERS, ids=lambda answer: type(answer).__name__)
def test_nobody_answers_for_somebody_else(question: Callable[[], Game], answer: c.Command) -> None:
    """I19: not your turn comes before everything else about the question."""
    game = question()
    foreign: dict[type[c.Command], c.Command]
    foreign = {c.Bet: c.Bet(BOB, 99), c.Cut: c.Cut(BOB, 99), c.PutUp: c.PutUp(BOB, 99), c.Pass: c.Pass(BOB)}
    foreign |= {c.CallAce: c.CallAce(BOB, low=True), c.Guess: c.Guess(BOB, Side.LOWER), c.Raise: c.Raise(BOB, 99)}
    assert game.refuses(foreign[type(answer)]) == (Reason.NOT_YOUR_TURN, None)


def test_a_stranger_is_told_that_he_does_not_sit_at_the_table() -> None:
    assert home().refuses(c.Bet(STRANGER, 1)) == (Reason.NOT_SEATED, None)


@pytest.mark.parametrize(
    ("phase", "reason"),
    [(Phase.LOBBY, Reason.NOT_STARTED), (Phase.ENDED, Reason.GAME_OVER), (Phase.REST, Reason.RESTING)],
)
@pytest.mark.parametrize("answer", ANSWERS, ids=lambda answer: type(answer).__name__)
def test_a_table_that_does_not_play_says_so(phase: Phase, reason: Reason, answer: c.Command) -> None:
    assert Game(set_up(EVERYBODY, dealer=CAT, phase=phase)).refuses(answer) == (reason, None)


@pytest.mark.parametrize(
    ("chips", "banker", "amount", "reason", "limit"),
    [
        (9, 30, 0, Reason.BET_BELOW_MIN, 2),
        (9, 30, 10, Reason.BET_ABOVE_STACK, 9),
        (9, 30, 5, Reason.BET_ABOVE_COVER, 4),
        (40, 30, 13, Reason.BET_ABOVE_MAX, 12),
        (40, 7, 8, Reason.BET_ABOVE_BANK, 7),
        (9, 3, 99, Reason.BET_ABOVE_STACK, 9),
        (40, 3, 99, Reason.BET_ABOVE_STACK, 40),
        (40, 3, 25, Reason.BET_ABOVE_COVER, 20),
        (40, 3, 15, Reason.BET_ABOVE_MAX, 12),
    ],
)
def test_of_several_reasons_the_first_in_order_is_said(
    chips: int, banker: int, amount: int, reason: Reason, limit: int
) -> None:
    """Rules 4.4: below minimum, above stack, above cover, above pot / maximum / bank."""
    rules = Rules.from_dict({**PRESETS["bank"].to_dict(), "min_bet": 2, "max_bet": 12, "post_pays": 2})
    game = turn({ANN: chips, BOB: 20, CAT: banker}, PLAYABLE, rules=rules)
    assert game.refuses(c.Bet(ANN, amount)) == (reason, limit)


@pytest.mark.parametrize(
    ("amount", "reason", "limit"),
    [
        (201, Reason.BET_ABOVE_STACK, 200),
        (101, Reason.BET_ABOVE_COVER, 100),
        (31, Reason.BET_ABOVE_POT, 30),
        (16, Reason.BET_ABOVE_OPENING_CAP, 15),
    ],
)
def test_the_opening_cap_is_said_last(amount: int, reason: Reason, limit: int) -> None:
    """Rules 4.4, V-half."""
    game = turn({ANN: 200, BOB: 9, CAT: 9}, PLAYABLE, rules=PRESETS["acey_deucey"], pot=30, first_time=True)
    assert game.refuses(c.Bet(ANN, amount)) == (reason, limit)


def test_whoever_has_just_bet_is_told_that_his_bet_stands() -> None:
    """L04: no folding after a blind bet, though the hand is over already."""
    game = blind().do(c.Bet(ANN, 5))
    assert game.table.actor == BOB
    assert game.refuses(c.Pass(ANN)) == (Reason.ALREADY_BET, None)
    assert game.refuses(c.Bet(ANN, 1)) == (Reason.ALREADY_BET, None)
    game.do(c.Bet(BOB, 1))
    assert game.refuses(c.Pass(ANN)) == (Reason.NOT_YOUR_TURN, None)


def test_whoever_has_just_passed_is_told_that_others_have_the_turn() -> None:
    assert bank().do(c.Pass(ANN)).refuses(c.Bet(ANN, 1)) == (Reason.NOT_YOUR_TURN, None)


def test_a_bet_stands_even_if_the_next_hand_asked_nobody() -> None:
    """Rules 4.4: already_bet. Ann's bet is over, and Bob's pair too, in one move."""
    game = turn(EVERYBODY, "3H TS 5C 7H 7S", pot=9).do(c.Bet(ANN, 1))
    assert game.table.actor == CAT
    assert game.refuses(c.Bet(ANN, 1)) == (Reason.ALREADY_BET, None)


def test_nobody_raises_on_a_pair() -> None:
    """R08; also with three of a kind."""
    for codes in ("6H 6S 7C", "6H 6S 6C"):
        game = turn(EVERYBODY, codes, rules=PRESETS["red_dog"], dealer=None).do(c.Bet(ANN, 1))
        assert game.refuses(c.Raise(ANN, 1)) == (Reason.NO_RAISE_ON_PAIR, None)


# -- what is taken -------------------------------------------------------------------------------------


def test_a_bet_turns_the_third_card() -> None:
    """P11, P12."""
    game = home().do(c.Bet(ANN, 2))
    assert game.last(e.BetPlaced) == e.BetPlaced(ANN, 2)
    assert game.last(e.Settled) == e.Settled(ANN, HandClass.WIN, 2)


def test_a_pass_that_costs_is_paid_to_the_counterparty() -> None:
    """Q21, V-passcost."""
    rules = Rules.from_dict({**HOME_POT.to_dict(), "pass": 2})
    game = turn(EVERYBODY, PLAYABLE, rules=rules, pot=9).do(c.Pass(ANN))
    assert (game.stacks[ANN], game.table.pot) == (18, 11)
    rules = Rules.from_dict({**PRESETS["bank"].to_dict(), "pass": 2})
    game = turn(EVERYBODY, PLAYABLE, rules=rules).do(c.Pass(ANN))
    assert (game.stacks[ANN], game.stacks[CAT]) == (18, 22)


def test_a_pass_costs_no_more_than_the_player_has() -> None:
    """I2."""
    rules = Rules.from_dict({**HOME_POT.to_dict(), "pass": 5})
    game = turn({**EVERYBODY, ANN: 3}, PLAYABLE, rules=rules, pot=9).do(c.Pass(ANN))
    assert (game.stacks[ANN], game.table.pot) == (0, 12)


@pytest.mark.parametrize("place", [3, 17, 49])
def test_a_cut_lays_the_top_below_the_rest(place: int) -> None:
    """P7."""
    game = cutting()
    before = game.table.shoe.stock
    game.do(c.Cut(ANN, place))
    assert game.steps[0].after.shoe.stock == before[place:] + before[:place]


def test_an_ace_may_be_called_low_or_high() -> None:
    """Q33, V-ace."""
    for low, between in ((True, 3), (False, 8)):
        game = ace().do(c.CallAce(ANN, low=low))
        assert game.table.phase is Phase.DECIDE
        game.do(c.Bet(ANN, 1))
        played = game.table.played[-1]
        assert played.hand is (HandClass.OUTSIDE if low else HandClass.WIN), between


def test_a_raise_of_nothing_lets_the_bet_stand() -> None:
    assert raising().do(c.Raise(ANN, 0)).last(e.Settled).gain == 5
    assert raising().do(c.Raise(ANN, 3)).last(e.Settled).gain == 8


def test_a_stake_goes_into_the_middle() -> None:
    """Q32."""
    game = staking().do(c.PutUp(ANN, 12))
    assert (game.stacks[ANN], game.table.pot) == (8, 12)
    assert game.last(e.StakePut) == e.StakePut(ANN, 12)


# -- the clock -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (home, c.Bet(ANN, 1)),
        (bank, c.Pass(ANN)),
        (blind, c.Pass(ANN)),
        (ace, c.CallAce(ANN, low=True)),
        (pair, c.Pass(ANN)),
        (raising, c.Raise(ANN, 0)),
        (staking, c.PutUp(ANN, 4)),
    ],
)
def test_the_clock_has_its_own_answer_to_each_question(question: Callable[[], Game], answer: c.Command) -> None:
    """Q18: pass if it is allowed, else the least bet; an ace is called low; nothing is raised."""
    game = question()
    assert default_answer(game.table) == answer
    by_hand = question().do(answer)
    by_clock = game.time_out()
    assert by_clock.stacks == by_hand.stacks
    assert by_clock.last(e.TimedOut) == e.TimedOut(ANN, away=False)


def test_the_clock_passes_even_where_it_costs() -> None:
    """Q18: pass allowed, pass."""
    rules = Rules.from_dict({**HOME_POT.to_dict(), "pass": 2})
    assert default_answer(turn(EVERYBODY, PLAYABLE, rules=rules, pot=9).table) == c.Pass(ANN)


def test_the_clock_bets_the_least_on_a_pair_that_must_be_guessed() -> None:
    """Q18: a guess is half an answer, its bet follows in the same move."""
    rules = Rules.from_dict({**PRESETS["acey_deucey"].to_dict(), "pass": "no"})
    game = turn(EVERYBODY, "5H 5S 9C", rules=rules, pot=9).time_out()
    assert game.last(e.Guessed) == e.Guessed(ANN, Side.HIGHER)
    assert game.last(e.Settled) == e.Settled(ANN, HandClass.GUESS_WIN, 1)


def test_the_clock_bets_on_a_guess_that_was_made() -> None:
    rules = Rules.from_dict({**PRESETS["acey_deucey"].to_dict(), "pass": "no"})
    game = turn(EVERYBODY, "5H 5S 9C", rules=rules, pot=9).do(c.Guess(ANN, Side.LOWER)).time_out()
    assert game.last(e.Settled) == e.Settled(ANN, HandClass.GUESS_LOSE, -1)


def test_the_clock_cuts_somewhere_and_the_same_game_is_cut_at_the_same_place() -> None:
    """Q14: no answer, a random cut; I22: from the game's own luck."""
    places = set()
    for number in range(60):
        table: Table = started((ANN, BOB, CAT), settings=Settings(), seed=f"{number:064x}").table
        cut = default_answer(table)
        assert isinstance(cut, c.Cut)
        assert cut == default_answer(table)
        assert cut.player == table.cutter
        assert 3 <= cut.place <= 49
        places.add(cut.place)
    assert len(places) > 20


def test_the_clock_has_nothing_to_say_where_nobody_is_asked() -> None:
    with pytest.raises(ValueError, match="nobody is asked in lobby"):
        default_answer(set_up(EVERYBODY, dealer=None, phase=Phase.LOBBY))


@pytest.mark.parametrize("asked", [9, 11, 0, -1])
def test_the_clock_of_an_old_question_is_refused(asked: int) -> None:
    """I23: the question has been answered meanwhile."""
    game = Game(set_up(EVERYBODY, dealer=CAT, phase=Phase.BLIND_BET, actor=ANN, rules=PRESETS["blind_bank"]))
    assert game.table.asked == 10
    assert game.refuses(c.RunOutOfTime(asked)) == (Reason.OLD_BUTTON, None)


# -- three misses, away, back ----------------------------------------------------------------------------


def test_after_three_misses_in_a_row_a_player_sits_out_and_a_table_of_sleepers_rests() -> None:
    """Q18: three rounds in which nobody answers; the third miss of each is his last."""
    rules = Rules.from_dict({**PRESETS["friendly_pot"].to_dict(), "shuffle": "empty"})
    game = turn(EVERYBODY, rules=rules, pot=9).time_out(9)
    assert MISSES_ALLOWED == 3
    assert [event.away for event in game.all(e.TimedOut)] == [False] * 6 + [True] * 3
    assert all(seat.away for seat in game.table.present)
    assert game.table.phase is Phase.REST


def misses(times: int) -> Game:
    """Ann has let so many questions pass, and it is her turn."""
    table = set_up(
        EVERYBODY,
        dealer=CAT,
        phase=Phase.BLIND_BET,
        actor=ANN,
        queue=(BOB,),
        rules=PRESETS["blind_bank"],
        about={ANN: {"missed": times}},
    )
    return Game(table)


def test_the_third_miss_is_answered_and_sends_away() -> None:
    """Q18."""
    game = misses(2).time_out()
    assert game.last(e.TimedOut) == e.TimedOut(ANN, away=True)
    assert game.last(e.Settled) == e.Settled(ANN, HandClass.PASS, 0)
    seat = game.table.seat(ANN)
    assert seat is not None
    assert seat.away
    assert not seat.in_play


def test_the_second_miss_does_not_send_away() -> None:
    game = misses(1).time_out()
    assert game.last(e.TimedOut) == e.TimedOut(ANN, away=False)
    seat = game.table.seat(ANN)
    assert seat is not None
    assert (seat.missed, seat.away) == (2, False)


@pytest.mark.parametrize("command", [c.Bet(ANN, 1), c.Pass(ANN), c.Back(ANN)])
def test_whoever_answers_himself_begins_to_count_anew(command: c.Command) -> None:
    """Q18: three misses in a row."""
    game = misses(2).do(command)
    assert game.steps[0].event == e.CameBack(ANN)
    seat = game.table.seat(ANN)
    assert seat is not None
    assert seat.missed == 0


def test_whoever_is_away_has_no_turn_pays_no_ante_and_does_not_hold_up_the_game() -> None:
    """Q18, I20."""
    game = turn(EVERYBODY, PLAYABLE, pot=2, about={BOB: {"missed": 3, "away": True}}).do(c.Bet(ANN, 2))
    assert {event.player for event in game.all(e.AntePaid)} == {ANN, CAT}
    assert game.all(e.TurnSkipped) == [e.TurnSkipped(BOB)]
    assert game.table.actor == CAT


def test_whoever_comes_back_has_his_turn_again() -> None:
    game = turn(EVERYBODY, PLAYABLE, pot=5, about={BOB: {"missed": 3, "away": True}}).do(c.Back(BOB))
    assert game.table.actor == ANN
    game.do(c.Bet(ANN, 1))
    assert game.table.actor == BOB


def test_a_refused_command_does_not_bring_anybody_back() -> None:
    """I6: it changes nothing at all."""
    game = turn(EVERYBODY, PLAYABLE, pot=5, about={BOB: {"missed": 3, "away": True}})
    assert game.refuses(c.Bet(BOB, 1)) == (Reason.NOT_YOUR_TURN, None)
    seat = game.table.seat(BOB)
    assert seat is not None
    assert seat.away


def test_whoever_has_missed_nothing_is_here_already() -> None:
    assert home().refuses(c.Back(BOB)) == (Reason.ALREADY_HERE, None)
    assert home().refuses(c.Back(STRANGER)) == (Reason.NOT_SEATED, None)
