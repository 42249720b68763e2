"""Who may do what now, and within which bounds.

Commands are checked against this, buttons are made from it and refusals are said by it, so that the three cannot
disagree.
"""

from collections.abc import Collection
from dataclasses import dataclass

from domain.hand import HandClass, spread
from domain.refusals import Reason, Refusal
from domain.rules import Counterparty, PairKind, Shuffle
from domain.table import HAND_IN_PLAY, Phase, Player, Table

CUT_MARGIN = 3
"""The fewest cards in each packet of a cut: as many as one hand (Q14)."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """The amounts a question can be answered with; every upper limit has its reason (I6)."""

    least: int
    limits: tuple[tuple[Reason, int], ...]

    @property
    def most(self) -> int:
        """The greatest legal amount."""
        return min(limit for _, limit in self.limits)

    def check(self, amount: int, below: Reason = Reason.BET_BELOW_MIN) -> None:
        """Accept an amount.

        Raises:
            Refusal: the first limit that it breaks.
        """
        if amount < self.least:
            raise Refusal(below, self.least)
        for reason, limit in self.limits:
            if amount > limit:
                raise Refusal(reason, limit)


@dataclass(frozen=True, slots=True)
class Choices:
    """The open question of a table: who answers, and how he may. ``None`` and false: not now."""

    asked: Player | None = None
    cut: Bounds | None = None
    stake: Bounds | None = None
    call: bool = False
    guess: bool = False
    bet: Bounds | None = None
    more: Bounds | None = None
    """The amounts a raise may add."""
    pass_cost: int | None = None
    """Chips a pass costs; ``None``: there is no passing now."""


def choices(table: Table) -> Choices:
    """What the table asks now."""
    asked, rules = table.actor, table.rules
    match table.phase:
        case Phase.CUT:
            return Choices(asked, cut=cut_bounds(table))
        case Phase.STAKE:
            return Choices(asked, stake=stake_bounds(table))
        case Phase.CALL_ACE:
            return Choices(asked, call=True)
        case Phase.BLIND_BET:
            return Choices(asked, bet=bet_bounds(table), pass_cost=rules.pass_cost)
        case Phase.RAISE:
            return Choices(asked, more=raise_bounds(table))
        case Phase.DECIDE if on_pair(table) and table.side is None:
            return Choices(asked, guess=True, pass_cost=rules.pass_cost)
        case Phase.DECIDE:
            return Choices(asked, bet=bet_bounds(table), guess=on_pair(table), pass_cost=rules.pass_cost)
        case _:
            return Choices()


def on_pair(table: Table) -> bool:
    """Whether the posts are a pair."""
    return len(table.posts) == 2 and spread(table.rules, table.posts, table.low_call is True) is None


def bet_bounds(table: Table) -> Bounds:
    """The bets that the player whose turn it is may place, the limits in the order in which they are said.

    The least bet is the table's, or all that is allowed where that is less (a stack or a pot of fewer chips).
    """
    rules, chips = table.rules, _chips(table)
    costs = rules.pair.amount if on_pair(table) and rules.pair.kind is PairKind.GUESS else rules.post_pays
    limits = [(Reason.BET_ABOVE_STACK, chips), (Reason.BET_ABOVE_COVER, max(1, chips // costs))]
    if rules.has_pot:
        limits.append((Reason.BET_ABOVE_POT, table.pot))
    if rules.max_bet is not None:
        limits.append((Reason.BET_ABOVE_MAX, rules.max_bet))
    if rules.counterparty in (Counterparty.BANKER, Counterparty.STAKE):
        limits.append((Reason.BET_ABOVE_BANK, table.bank // rules.greatest_multiple))
    if rules.half_opening and table.opening:
        limits.append((Reason.BET_ABOVE_OPENING_CAP, max(rules.min_bet, table.pot // 2)))
    most = min(limit for _, limit in limits)
    return Bounds(min(rules.min_bet, most), tuple(limits))


def table_limit(table: Table) -> int | None:
    """The most that anybody may bet now, however rich he is; ``None`` if that is the whole pot or stake."""
    of_table = (Reason.BET_ABOVE_MAX, Reason.BET_ABOVE_BANK, Reason.BET_ABOVE_OPENING_CAP)
    limits = [limit for reason, limit in bet_bounds(table).limits if reason in of_table]
    return None if not limits or 0 < table.pot <= min(limits) else min(limits)


def raise_bounds(table: Table) -> Bounds:
    """A raise adds at most the first bet, and the whole bet keeps to the stack, its cover and the pot."""
    bet = table.bet or 0
    limits = [(Reason.RAISE_ABOVE_BET, bet)]
    limits += [
        (reason, max(0, limit - bet))
        for reason, limit in bet_bounds(table).limits
        if reason in (Reason.BET_ABOVE_STACK, Reason.BET_ABOVE_COVER, Reason.BET_ABOVE_POT)
    ]
    return Bounds(0, tuple(limits))


def stake_bounds(table: Table) -> Bounds:
    """What a new dealer may put up: at least what the greatest win of one chip takes (Q28, Q32)."""
    return Bounds(table.rules.greatest_multiple, ((Reason.BET_ABOVE_STACK, _chips(table)),))


def cut_bounds(table: Table) -> Bounds:
    """The places at which the deck may be cut, counted from the top."""
    most = len(table.shoe.stock) - CUT_MARGIN
    return Bounds(CUT_MARGIN, ((Reason.CUT_OUT_OF_RANGE, most),))


def _chips(table: Table) -> int:
    return next((seat.chips for seat in table.seats if seat.player == table.actor), 0)


def cut_asked(table: Table) -> bool:
    """Whether somebody cuts the new deck: not when it is shuffled before every hand (rules 2.3)."""
    return table.settings.cut and table.rules.shuffle is not Shuffle.TURN and table.cutter is not None


def require_turn(table: Table, player: Player, phases: Collection[Phase], otherwise: Reason) -> None:
    """Make sure that this player is asked in one of these phases.

    Raises:
        Refusal: the first reason why he is not (rules 4.4), ``otherwise`` if only the question is another one.
    """
    require_game(table, player)
    if table.actor != player:
        raise Refusal(otherwise if _just_played(table, player) else Reason.NOT_YOUR_TURN)
    if table.phase not in phases:
        raise Refusal(otherwise)


def require_game(table: Table, player: Player) -> None:
    """Make sure that a game is on and that this player is in it.

    Raises:
        Refusal: why not.
    """
    if table.seat(player) is None and player not in table.arrivals:
        raise Refusal(Reason.NOT_SEATED)
    early = {
        Phase.LOBBY: Reason.NOT_STARTED,
        Phase.ENDED: Reason.GAME_OVER,
        Phase.REST: Reason.RESTING,
    }
    if table.phase in early:
        raise Refusal(early[table.phase])


def require_host(table: Table, player: Player, admin: bool) -> None:
    """Make sure that this is the host, or an admin of the group.

    Raises:
        Refusal: NOT_ALLOWED.
    """
    if player != table.host and not admin:
        raise Refusal(Reason.NOT_ALLOWED)


def _just_played(table: Table, player: Player) -> bool:
    """Whether the last move ended this player's hand: he is told that it stood, not that others have the turn."""
    return any((hand.player, hand.move) == (player, table.move) and hand.bet is not None for hand in table.played)


def no_raise(table: Table, player: Player) -> Reason:
    """Why a player who is not asked for a raise cannot raise."""
    last = table.played[-1] if table.played else None
    on_a_pair = last and last.player == player and last.hand in (HandClass.TRIPS, HandClass.PAIR_MISS)
    return Reason.NO_RAISE_ON_PAIR if on_a_pair else Reason.NO_RAISE_PENDING


def has_turn(table: Table, player: Player) -> bool:
    """Whether a hand is being played by this player."""
    return table.phase in HAND_IN_PLAY and table.actor == player


LOBBY_PATIENCE = 2 * 60 * 60
"""Seconds after the last visitor until a lobby that nobody starts is closed."""
REST_PATIENCE = 24 * 60 * 60
"""Seconds that a resting game waits for its players."""


def patience(table: Table) -> int | None:
    """How many seconds the open question may stand before the clock answers it; ``None``: nothing is asked."""
    match table.phase:
        case Phase.ENDED:
            return None
        case Phase.LOBBY:
            return LOBBY_PATIENCE
        case Phase.REST:
            return REST_PATIENCE
        case _:
            return table.settings.clock
