"""What the people at a table agree on while they play: to share the pot, another dealer or most bet, to stop."""

from collections.abc import Collection
from dataclasses import replace

from domain import commands as c
from domain import events as e
from domain.choices import require_game, require_host
from domain.course import Course
from domain.refusals import Reason, Refusal
from domain.rounds import close, divide_pot
from domain.settings import check_together
from domain.table import Phase, Player, Table

BETWEEN_ROUNDS = frozenset({Phase.LOBBY, Phase.CUT, Phase.STAKE, Phase.REST})
"""The phases in which everybody has had as many turns: the game can end at once."""


def share_pot(course: Course, command: c.SharePot) -> None:
    """Only if everybody who plays agrees; a player who sits out is not asked."""
    table, player = course.table, command.player
    _require_seat(table, player)
    if not table.rules.has_pot or table.pot == 0:
        raise Refusal(Reason.NO_POT)
    if table.sharing or player in table.share_votes:
        raise Refusal(Reason.ALREADY_VOTED)
    course(e.ShareVoted(player))


def pass_bank(course: Course, command: c.PassBank) -> None:
    """The dealer hands over, or more than half of the others want another one (S2)."""
    table, player = course.table, command.player
    _require_seat(table, player)
    if not table.rules.has_dealer:
        raise Refusal(Reason.NO_DEALER)
    if table.handing_over or player in table.bank_votes:
        raise Refusal(Reason.ALREADY_VOTED)
    if player == table.dealer:
        course(e.BankHandedOver())
    else:
        course(e.BankVoted(player))


def set_max_bet(course: Course, command: c.SetMaxBet) -> None:
    """Agreed before any deal: in the middle of a round it waits for the round's end (S9)."""
    table = course.table
    require_host(table, command.player, command.admin)
    if table.phase is Phase.ENDED:
        raise Refusal(Reason.GAME_OVER)
    rules = replace(table.rules, max_bet=command.amount)
    check_together(rules, table.settings)
    if table.phase is Phase.LOBBY:
        course(e.RulesChosen(rules, table.settings))
    else:
        course(e.MaxBetChosen(command.amount))


def vote_to_end(course: Course, player: Player) -> None:
    """More than half of those who are not away agree: as good as the host's word (Q11)."""
    if player in course.table.votes or course.table.ending:
        raise Refusal(Reason.ALREADY_VOTED)
    course(e.EndVoted(player))


def agree_to_end(course: Course) -> None:
    """At the end of the round, so that everybody has had as many turns; between two rounds at once."""
    if course.table.phase in BETWEEN_ROUNDS:
        close(course)
    else:
        course(e.EndAgreed())


def count_votes(course: Course) -> None:
    """What was voted for comes true as soon as enough agree, also when the others have left or fallen asleep."""
    table = course.table
    if table.phase in (Phase.ENDED, Phase.REST):  # a game that rests is not shared out among the last who is awake
        return
    if table.share_votes and all(seat.player in table.share_votes for seat in table.in_play):
        course(e.ShareAgreed())
        if table.phase is Phase.CUT:  # no hand is being played: now, before anybody antes for the next round
            divide_pot(course)
    if _is_majority(table, table.bank_votes):
        course(e.BankHandedOver())
    if _is_majority(table, table.votes) and not table.ending:
        agree_to_end(course)


def _require_seat(table: Table, player: Player) -> None:
    """Whoever only waits for a seat has no vote yet."""
    require_game(table, player)
    if table.seat(player) is None:
        raise Refusal(Reason.NOT_SEATED)


def _is_majority(table: Table, votes: Collection[Player]) -> bool:
    """Whether more than half of those who are not away agree."""
    electors = [seat.player for seat in table.present if not seat.away]
    return 2 * len([voter for voter in votes if voter in electors]) > len(electors)
