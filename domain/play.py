"""The game: a command asked of a table gives the events that follow from it, or a refusal."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from domain import commands as c
from domain import events as e
from domain.agreements import agree_to_end, count_votes, pass_bank, set_max_bet, share_pot, vote_to_end
from domain.answers import ANSWERS, answer_by_clock
from domain.choices import has_turn, require_game, require_host
from domain.course import Course
from domain.dealing import deal, reveal
from domain.evolve import opened
from domain.refusals import Reason, Refusal
from domain.rounds import (
    can_come_back,
    can_go_on,
    close,
    draw,
    end_round,
    leave,
    shuffle,
    start_round,
    turn,
)
from domain.rules import Rules
from domain.settings import Settings, check_together
from domain.table import WAITING, Phase, Player, Table

MISSES_ALLOWED = 3
"""After so many hands (or cuts) in a row that the clock answered, a player sits out (Q18)."""


def open_table(player: Player, rules: Rules, settings: Settings) -> tuple[list[e.Event], Table]:
    """A new table with its opener as the host.

    Raises:
        Refusal: BAD_COMBINATION, if the switches make no game.
    """
    check_together(rules, settings)
    event = e.Opened(player, rules, settings)
    return [event], opened(event)


def play(table: Table, command: c.Command) -> tuple[list[e.Event], Table]:
    """The events of a command and the table after them, counted as one move.

    Raises:
        Refusal: the table does not take the command; nothing has changed.
    """
    course = _follow(table, command)
    return course.events, replace(course.table, move=table.move + 1)


def decide(table: Table, command: c.Command) -> list[e.Event]:
    """Everything that follows from a command, until the table waits for somebody again.

    Raises:
        Refusal: the table does not take the command.
    """
    return _follow(table, command).events


def _follow(table: Table, command: c.Command) -> Course:
    course = Course(table)
    if not isinstance(command, c.RunOutOfTime):
        _wake(course, command.player)
    _DECISIONS[type(command)](course, command)
    count_votes(course)
    if course.table.phase is Phase.REST and can_go_on(course.table):
        course(e.Resumed())
    _run(course, WAITING)
    return course


def _run(course: Course, stop: frozenset[Phase]) -> None:
    """Go on until somebody must be asked. A loop, not a recursion: in the home game a fifth of the turns ask nobody,
    and several can follow each other (I24)."""
    while (phase := course.table.phase) not in stop:
        _STEPS[phase](course)


def _wake(course: Course, player: Player) -> None:
    """Whoever acts himself is not away, and his misses are forgotten."""
    seat = course.table.seat(player)
    if seat and seat.missed:
        course(e.CameBack(player))


def _require_lobby(table: Table) -> None:
    if table.phase is Phase.ENDED:
        raise Refusal(Reason.GAME_OVER)
    if table.phase is not Phase.LOBBY:
        raise Refusal(Reason.ALREADY_STARTED)


# -- coming and going ------------------------------------------------------------------------------


def _set_up(course: Course, command: c.SetUp) -> None:
    require_host(course.table, command.player, command.admin)
    _require_lobby(course.table)
    check_together(command.rules, command.settings)
    if len(course.table.seats) > command.settings.seats:
        raise Refusal(Reason.FULL, command.settings.seats)
    course(e.RulesChosen(command.rules, command.settings))


def _join(course: Course, command: c.Join) -> None:
    table, player = course.table, command.player
    if table.phase is Phase.ENDED:
        raise Refusal(Reason.GAME_OVER)
    if table.seat(player) or player in table.arrivals:
        raise Refusal(Reason.ALREADY_IN)
    if table.phase is not Phase.LOBBY and not table.settings.late:
        raise Refusal(Reason.CLOSED)
    if len(table.present) + len(table.arrivals) >= table.settings.seats:
        raise Refusal(Reason.FULL, table.settings.seats)
    if _returns_without_chips(table, player):
        raise Refusal(Reason.REBUY_OFF)
    course(e.Joined(player))


def _returns_without_chips(table: Table, player: Player) -> bool:
    """Whether somebody who has lost all and left would get new chips that the table does not sell."""
    gone = [seat for seat in (*table.departed, *table.seats) if seat.player == player and seat.gone]
    allowed = table.settings.rebuys
    return any(not seat.cashed and allowed is not None and seat.rebuys >= allowed for seat in gone)


def _leave(course: Course, command: c.Leave) -> None:
    table, player = course.table, command.player
    if table.phase is Phase.ENDED:
        raise Refusal(Reason.GAME_OVER)
    if table.seat(player) is None and player not in table.arrivals:
        raise Refusal(Reason.NOT_SEATED)
    _go(course, player)


def _kick(course: Course, command: c.Kick) -> None:
    require_host(course.table, command.player, command.admin)
    _leave(course, c.Leave(command.whom))


def _go(course: Course, player: Player) -> None:
    """On his turn the clock's answer is given for him first; a banker waits for the hand against him (Q19)."""
    table = course.table
    if table.rules.has_bank and player == table.dealer and table.actor not in (None, player):
        seat = table.seat(player)
        if seat and seat.leaving:
            raise Refusal(Reason.ALREADY_VOTED)
        course(e.LeaveAsked(player))
        return
    if table.actor == player:
        _finish_for(course, player)
    leave(course, player)
    table = course.table
    nobody_left = table.phase is Phase.LOBBY and not table.seats
    if nobody_left or (table.phase is Phase.REST and not can_come_back(table)):
        close(course)


def _start(course: Course, command: c.Start) -> None:
    table = course.table
    _require_lobby(table)
    require_host(table, command.player, command.admin)
    if len(table.seats) < table.rules.fewest_players:
        raise Refusal(Reason.TOO_FEW, table.rules.fewest_players)
    check_together(table.rules, table.settings)
    course(e.Started(command.seed))
    for seat in table.seats:
        course(e.BoughtIn(seat.player, table.settings.chips))


def _rebuy(course: Course, command: c.Rebuy) -> None:
    table, player = course.table, command.player
    seat = table.seat(player)
    if seat is None:
        raise Refusal(Reason.NOT_SEATED)
    if table.phase is not Phase.REST:
        require_game(table, player)
    if seat.chips > 0:
        raise Refusal(Reason.TOO_MANY_CHIPS)
    allowed = table.settings.rebuys
    if allowed is not None and seat.rebuys >= allowed:
        raise Refusal(Reason.REBUY_OFF, allowed)
    course(e.Rebought(player, table.settings.chips))


def _back(course: Course, command: c.Back) -> None:
    if course.table.phase is Phase.ENDED:
        raise Refusal(Reason.GAME_OVER)
    if course.table.seat(command.player) is None:
        raise Refusal(Reason.NOT_SEATED)
    if not course.events:  # every command of a player who was away begins with his coming back
        raise Refusal(Reason.ALREADY_HERE)


# -- the clock and the end -------------------------------------------------------------------------


def _run_out(course: Course, command: c.RunOutOfTime) -> None:
    table = course.table
    if table.asked != command.asked or table.phase is Phase.ENDED:
        raise Refusal(Reason.OLD_BUTTON)
    if table.actor is None:  # a lobby that nobody starts, a rest that nobody ends
        close(course)
        return
    seat = table.seat(table.actor)
    missed = seat.missed + (not table.timed_out) if seat else 0
    course(e.TimedOut(table.actor, away=missed >= MISSES_ALLOWED))
    while isinstance(answer_by_clock(course), c.Guess):
        pass  # a guess is half an answer: its bet follows


def _finish_for(course: Course, player: Player) -> None:
    """Answer for a player until his hand is over, or his one question outside a hand; nothing follows yet."""
    in_hand = has_turn(course.table, player)
    answer_by_clock(course)
    while in_hand and course.table.actor == player:
        _run(course, WAITING | {Phase.TURN})
        if course.table.actor == player:
            answer_by_clock(course)


def _end(course: Course, command: c.End) -> None:
    table, player = course.table, command.player
    if table.phase is Phase.ENDED:
        raise Refusal(Reason.GAME_OVER)
    if player == table.host or command.admin:
        _end_by_word(course, command.now)
    elif table.seat(player) is None:
        raise Refusal(Reason.NOT_ALLOWED)
    else:
        vote_to_end(course, player)


def _end_by_word(course: Course, now: bool) -> None:
    """``now`` does not wait for the round: the hand on the table is finished by the clock's answer."""
    if not course.table.ending:
        agree_to_end(course)
    elif not now:
        raise Refusal(Reason.ALREADY_VOTED)
    if now and course.table.phase is not Phase.ENDED:
        actor = course.table.actor
        if actor is not None and has_turn(course.table, actor):
            _finish_for(course, actor)
        close(course)


_DECISIONS: Mapping[type[Any], Callable[[Course, Any], None]] = {
    **ANSWERS,
    c.SetUp: _set_up,
    c.Join: _join,
    c.Leave: _leave,
    c.Kick: _kick,
    c.Start: _start,
    c.Rebuy: _rebuy,
    c.Back: _back,
    c.End: _end,
    c.SharePot: share_pot,
    c.PassBank: pass_bank,
    c.SetMaxBet: set_max_bet,
    c.RunOutOfTime: _run_out,
}
_STEPS: Mapping[Phase, Callable[[Course], None]] = {
    Phase.DRAW: draw,
    Phase.SHUFFLE: shuffle,
    Phase.ROUND: start_round,
    Phase.TURN: turn,
    Phase.DEAL: deal,
    Phase.REVEAL: reveal,
    Phase.ROUND_END: end_round,
}
