"""Why a command is refused. A refused command changes nothing at all (I6)."""

from enum import StrEnum

from domain.rules import Clash


class Reason(StrEnum):
    """Every reason a player can be given. When several apply, the earlier in `choices` is said (rules 4.4)."""

    # Whose word counts
    NOT_YOUR_TURN = "not_your_turn"
    NOT_ALLOWED = "not_allowed"
    NOT_SEATED = "not_in"
    # The wrong moment
    NOT_STARTED = "not_started"
    ALREADY_STARTED = "already_started"
    GAME_OVER = "game_over"
    RESTING = "resting"
    OLD_BUTTON = "old_button"
    # The lobby and the seats
    ALREADY_IN = "already_in"
    FULL = "full"
    CLOSED = "closed"
    TOO_FEW = "too_few"
    BAD_COMBINATION = "bad_combination"
    ALREADY_HERE = "already_here"
    ALREADY_VOTED = "already_voted"
    REBUY_OFF = "rebuy_off"
    TOO_MANY_CHIPS = "too_many_chips"
    NO_POT = "no_pot"
    NO_DEALER = "no_dealer"
    ODDS_OFF = "odds_off"
    # Cards
    CUT_OUT_OF_RANGE = "cut_out_of_range"
    NO_CUT_PENDING = "no_cut_pending"
    CUT_FIRST = "cut_first"
    CALL_FIRST = "call_first"
    NO_CALL_PENDING = "no_call_pending"
    GUESS_FIRST = "guess_first"
    NO_PAIR = "no_pair"
    # Bets, in chips
    ALREADY_BET = "already_bet"
    PASS_FORBIDDEN = "pass_forbidden"
    BET_BELOW_MIN = "bet_below_min"
    BET_ABOVE_STACK = "bet_above_stack"
    BET_ABOVE_COVER = "bet_above_cover"
    BET_ABOVE_POT = "bet_above_pot"
    BET_ABOVE_MAX = "bet_above_max"
    BET_ABOVE_BANK = "bet_above_bank"
    BET_ABOVE_OPENING_CAP = "bet_above_opening_cap"
    RAISE_ABOVE_BET = "raise_above_bet"
    NO_RAISE_PENDING = "no_raise_pending"
    NO_RAISE_ON_PAIR = "no_raise_on_pair"
    NO_STAKE_PENDING = "no_stake_pending"
    STAKE_FIRST = "stake_first"


class Refusal(Exception):  # noqa: N818 - a refusal is an ordinary answer, not an error of the program
    """A command that the table does not take.

    Attributes:
        reason: why, to be put into the player's words by whoever talks to him.
        limit: the nearest legal number (chips, places or players) where there is one.
        clash: which switches do not go together, if that is the reason.
    """

    def __init__(self, reason: Reason, limit: int | None = None, clash: Clash | None = None) -> None:
        super().__init__(reason.value)
        self.reason = reason
        self.limit = limit
        self.clash = clash
