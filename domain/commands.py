"""What people (and the clock) can ask of a table. Amounts are chips."""

from dataclasses import dataclass

from domain.hand import Side
from domain.rules import Rules
from domain.settings import Settings
from domain.table import Player


@dataclass(frozen=True, slots=True)
class SetUp:
    """Choose the rules and settings, before the start (host, or a chat admin)."""

    player: Player
    rules: Rules
    settings: Settings
    admin: bool = False


@dataclass(frozen=True, slots=True)
class Join:
    """Take a seat: at once before the start, later when the round ends (Q20)."""

    player: Player


@dataclass(frozen=True, slots=True)
class Leave:
    """Take one's chips and go; on one's own turn the clock's answer is given first (Q19)."""

    player: Player


@dataclass(frozen=True, slots=True)
class Kick:
    """Make somebody leave (host, or a chat admin)."""

    player: Player
    whom: Player
    admin: bool = False


@dataclass(frozen=True, slots=True)
class Start:
    """Deal the first cards (host, or a chat admin). ``seed``: 64 hexadecimal digits of fresh luck."""

    player: Player
    seed: str
    admin: bool = False


@dataclass(frozen=True, slots=True)
class Cut:
    """Cut the deck below the card number ``place`` (P7)."""

    player: Player
    place: int


@dataclass(frozen=True, slots=True)
class PutUp:
    """Put up a stake as the new dealer (Q32)."""

    player: Player
    amount: int


@dataclass(frozen=True, slots=True)
class CallAce:
    """Call an ace that is the first post (Q33)."""

    player: Player
    low: bool


@dataclass(frozen=True, slots=True)
class Guess:
    """Say whether the card after a pair will be higher or lower; the bet follows."""

    player: Player
    side: Side


@dataclass(frozen=True, slots=True)
class Bet:
    """Bet so many chips (P9, S15)."""

    player: Player
    amount: int


@dataclass(frozen=True, slots=True)
class Pass:
    """Pass, fold, or sit out a blind hand, where the rules allow it (S15)."""

    player: Player


@dataclass(frozen=True, slots=True)
class Raise:
    """Add to a blind bet after the posts, at most as much again; 0 lets the bet stand."""

    player: Player
    amount: int


@dataclass(frozen=True, slots=True)
class Rebuy:
    """Buy the starting chips again, where the table allows it (Q7)."""

    player: Player


@dataclass(frozen=True, slots=True)
class Back:
    """Play again after having been away."""

    player: Player


@dataclass(frozen=True, slots=True)
class End:
    """End the game: the word of the host or a chat admin, anybody else's vote (Q11).

    ``now`` does not wait for the round: the hand on the table is first finished by the clock's answer.
    """

    player: Player
    admin: bool = False
    now: bool = False


@dataclass(frozen=True, slots=True)
class SharePot:
    """Agree to share a pot that has grown too big; it is shared when everybody in play agrees."""

    player: Player


@dataclass(frozen=True, slots=True)
class PassBank:
    """Hand the deal over when the round ends: the dealer's word, anybody else's vote (S2)."""

    player: Player


@dataclass(frozen=True, slots=True)
class SetMaxBet:
    """Another most bet, from the next round on (host, or a chat admin; S9)."""

    player: Player
    amount: int
    admin: bool = False


@dataclass(frozen=True, slots=True)
class RunOutOfTime:
    """The clock answers the question that the move ``asked`` has put (Q18)."""

    asked: int


Command = (
    SetUp
    | Join
    | Leave
    | Kick
    | Start
    | Cut
    | PutUp
    | CallAce
    | Guess
    | Bet
    | Pass
    | Raise
    | Rebuy
    | Back
    | End
    | SharePot
    | PassBank
    | SetMaxBet
    | RunOutOfTime
)
