"""Answers to the table's question: cut, call, bet, pass, guess, raise; and what the clock answers for the silent."""

from collections.abc import Callable, Mapping
from typing import Any

from domain import commands as c
from domain import events as e
from domain.choices import choices, cut_bounds, no_raise, raise_bounds, require_turn, stake_bounds
from domain.course import Course
from domain.dealing import settle
from domain.hand import HandClass, Side
from domain.refusals import Reason, Refusal
from domain.shoe import below, key, words
from domain.table import Phase, Table

_BETTING = (Phase.DECIDE, Phase.BLIND_BET)


def _cut(course: Course, command: c.Cut) -> None:
    require_turn(course.table, command.player, (Phase.CUT,), Reason.NO_CUT_PENDING)
    cut_bounds(course.table).check(command.place, below=Reason.CUT_OUT_OF_RANGE)
    course(e.WasCut(command.player, command.place))


def _put_up(course: Course, command: c.PutUp) -> None:
    require_turn(course.table, command.player, (Phase.STAKE,), Reason.NO_STAKE_PENDING)
    stake_bounds(course.table).check(command.amount)
    course(e.StakePut(command.player, command.amount))


def _call(course: Course, command: c.CallAce) -> None:
    require_turn(course.table, command.player, (Phase.CALL_ACE,), Reason.NO_CALL_PENDING)
    course(e.AceCalled(command.player, command.low))


def _guess(course: Course, command: c.Guess) -> None:
    require_turn(course.table, command.player, (Phase.DECIDE,), Reason.NO_PAIR)
    if not choices(course.table).guess:
        raise Refusal(Reason.NO_PAIR)
    course(e.Guessed(command.player, command.side))
    course(e.Asked(command.player, Phase.DECIDE))


def _bet(course: Course, command: c.Bet) -> None:
    require_turn(course.table, command.player, _BETTING, _instead_of_betting(course.table))
    bounds = choices(course.table).bet
    if bounds is None:
        raise Refusal(Reason.GUESS_FIRST)
    bounds.check(command.amount)
    course(e.BetPlaced(command.player, command.amount))


def _pass(course: Course, command: c.Pass) -> None:
    require_turn(course.table, command.player, _BETTING, _instead_of_betting(course.table))
    cost = course.table.rules.pass_cost
    if cost is None:
        raise Refusal(Reason.PASS_FORBIDDEN)
    settle(course, HandClass.PASS, -cost)


def _instead_of_betting(table: Table) -> Reason:
    return {
        Phase.CALL_ACE: Reason.CALL_FIRST,
        Phase.CUT: Reason.CUT_FIRST,
        Phase.STAKE: Reason.STAKE_FIRST,
    }.get(table.phase, Reason.ALREADY_BET)


def _raise(course: Course, command: c.Raise) -> None:
    require_turn(course.table, command.player, (Phase.RAISE,), no_raise(course.table, command.player))
    raise_bounds(course.table).check(command.amount)
    course(e.Raised(command.player, command.amount))


ANSWERS: Mapping[type[Any], Callable[[Course, Any], None]] = {
    c.Cut: _cut,
    c.PutUp: _put_up,
    c.CallAce: _call,
    c.Guess: _guess,
    c.Bet: _bet,
    c.Pass: _pass,
    c.Raise: _raise,
}


def default_answer(table: Table) -> c.Command:
    """What the clock says for the player who is asked; always legal (Q18, I25).

    Raises:
        ValueError: nobody in particular is asked.
    """
    asked, open_question = table.actor, choices(table)
    if asked is None:
        raise ValueError(f"nobody is asked in {table.phase}")
    if open_question.cut:
        places = range(open_question.cut.least, open_question.cut.most + 1)
        luck = words(key(table.seed, table.shuffles)[::-1])  # another stream than the one that shuffled
        return c.Cut(asked, places[below(len(places), luck)])
    if open_question.stake:
        return c.PutUp(asked, max(open_question.stake.least, open_question.stake.most // 5))
    if open_question.call:
        return c.CallAce(asked, low=True)
    if open_question.more:
        return c.Raise(asked, 0)
    if open_question.pass_cost is not None:
        return c.Pass(asked)
    if open_question.bet:
        return c.Bet(asked, open_question.bet.least)
    return c.Guess(asked, Side.HIGHER)


def answer_by_clock(course: Course) -> c.Command:
    """Answer the open question as the clock does."""
    answer = default_answer(course.table)
    ANSWERS[type(answer)](course, answer)
    return answer
