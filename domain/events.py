"""What has happened at a table: facts in the past tense, enough to replay a game exactly (I22).

Amounts are chips; positive ``gain`` goes to the player.
"""

from dataclasses import dataclass

from domain.cards import Card
from domain.hand import HandClass, Side
from domain.rules import Rules
from domain.settings import Settings
from domain.table import Phase, Player


@dataclass(frozen=True, slots=True)
class Opened:
    """A table was opened; the opener is its host and sits down."""

    player: Player
    rules: Rules
    settings: Settings


@dataclass(frozen=True, slots=True)
class RulesChosen:
    """The rules or settings were changed before the start."""

    rules: Rules
    settings: Settings


@dataclass(frozen=True, slots=True)
class Joined:
    """Somebody wants a seat; before the start he has it at once."""

    player: Player


@dataclass(frozen=True, slots=True)
class Seated:
    """A late player sat down on the dealer's right, last in order before the dealer (Q20)."""

    player: Player


@dataclass(frozen=True, slots=True)
class LeaveAsked:
    """The banker goes as soon as the hand against him is over."""

    player: Player


@dataclass(frozen=True, slots=True)
class Left:
    """Somebody left with his chips."""

    player: Player
    chips: int


@dataclass(frozen=True, slots=True)
class HostPassed:
    """Somebody else is the host now."""

    player: Player


@dataclass(frozen=True, slots=True)
class Started:
    """The game began with this luck."""

    seed: str


@dataclass(frozen=True, slots=True)
class BoughtIn:
    """Chips came to the table: the first ones (P3), or those that a returning player had taken with him."""

    player: Player
    chips: int


@dataclass(frozen=True, slots=True)
class Rebought:
    """A player without chips bought the starting number again."""

    player: Player
    chips: int


@dataclass(frozen=True, slots=True)
class DrawnForDeal:
    """An open card in the draw for the first deal (P5)."""

    player: Player
    card: Card


@dataclass(frozen=True, slots=True)
class DrawTied:
    """The highest cards were equal: only these players draw again (Q13)."""

    players: tuple[Player, ...]


@dataclass(frozen=True, slots=True)
class DealerSet:
    """Who deals the next round; those who left give up their places now (P22)."""

    player: Player | None


@dataclass(frozen=True, slots=True)
class Shuffled:
    """Shuffle number ``number`` of the game: all cards, or (``whole`` false) the discards into an empty stock."""

    number: int
    whole: bool


@dataclass(frozen=True, slots=True)
class WasCut:
    """The deck was cut below card ``place``."""

    player: Player
    place: int


@dataclass(frozen=True, slots=True)
class RoundStarted:
    """A round began; ``order`` is the order of turns."""

    number: int
    order: tuple[Player, ...]


@dataclass(frozen=True, slots=True)
class RoundEnded:
    """Everybody had his turn, or the bank broke."""

    number: int


@dataclass(frozen=True, slots=True)
class AntePaid:
    """A player put his ante into the pot (P4)."""

    player: Player
    chips: int


@dataclass(frozen=True, slots=True)
class PotFilled:
    """All antes are in (P21)."""

    pot: int


@dataclass(frozen=True, slots=True)
class StakePut:
    """The dealer put up his stake (Q32)."""

    player: Player
    chips: int


@dataclass(frozen=True, slots=True)
class StakeReturned:
    """What was left of the stake went back to its dealer."""

    player: Player
    chips: int


@dataclass(frozen=True, slots=True)
class TurnStarted:
    """A player's turn began."""

    player: Player


@dataclass(frozen=True, slots=True)
class TurnSkipped:
    """A player has no turn: no chips, away, or gone (Q7)."""

    player: Player


@dataclass(frozen=True, slots=True)
class Asked:
    """A question was put; the table waits in ``phase``. ``player`` is ``None`` when anybody may answer."""

    player: Player | None
    phase: Phase


@dataclass(frozen=True, slots=True)
class PostDealt:
    """A post was turned face up (P8)."""

    card: Card


@dataclass(frozen=True, slots=True)
class LaidAside:
    """The posts were laid aside for two new ones (redeal)."""


@dataclass(frozen=True, slots=True)
class AceCalled:
    """The first ace was called."""

    player: Player
    low: bool


@dataclass(frozen=True, slots=True)
class Guessed:
    """A side was chosen for the card after a pair."""

    player: Player
    side: Side


@dataclass(frozen=True, slots=True)
class BetPlaced:
    """A bet stands."""

    player: Player
    chips: int


@dataclass(frozen=True, slots=True)
class Raised:
    """So many chips were added to the bet, perhaps none."""

    player: Player
    chips: int


@dataclass(frozen=True, slots=True)
class ThirdDealt:
    """The third card was turned (P11)."""

    card: Card


@dataclass(frozen=True, slots=True)
class Settled:
    """The hand is over: chips moved between the player and his counterparty, the cards were laid aside (P19)."""

    player: Player
    hand: HandClass
    gain: int


@dataclass(frozen=True, slots=True)
class TimedOut:
    """The clock answered for a player; ``away``: he sits out from now on (Q18)."""

    player: Player
    away: bool


@dataclass(frozen=True, slots=True)
class CameBack:
    """A player who had missed something answered himself."""

    player: Player


@dataclass(frozen=True, slots=True)
class EndVoted:
    """A player voted to end the game."""

    player: Player


@dataclass(frozen=True, slots=True)
class ShareVoted:
    """A player agreed to share the pot."""

    player: Player


@dataclass(frozen=True, slots=True)
class ShareAgreed:
    """Everybody did: the pot is shared before the next turn."""


@dataclass(frozen=True, slots=True)
class BankVoted:
    """A player voted that the deal should pass."""

    player: Player


@dataclass(frozen=True, slots=True)
class BankHandedOver:
    """The deal passes when the round ends."""


@dataclass(frozen=True, slots=True)
class MaxBetChosen:
    """The most bet from the next round on."""

    chips: int


@dataclass(frozen=True, slots=True)
class EndAgreed:
    """The game ends with this round."""


@dataclass(frozen=True, slots=True)
class Resumed:
    """After a rest there are enough players again."""


@dataclass(frozen=True, slots=True)
class PotShared:
    """A player's part of the last pot (Q12)."""

    player: Player
    chips: int


@dataclass(frozen=True, slots=True)
class Ended:
    """The game is over."""


Event = (
    Opened
    | RulesChosen
    | Joined
    | Seated
    | LeaveAsked
    | Left
    | HostPassed
    | Started
    | BoughtIn
    | Rebought
    | DrawnForDeal
    | DrawTied
    | DealerSet
    | Shuffled
    | WasCut
    | RoundStarted
    | RoundEnded
    | AntePaid
    | PotFilled
    | StakePut
    | StakeReturned
    | TurnStarted
    | TurnSkipped
    | Asked
    | PostDealt
    | LaidAside
    | AceCalled
    | Guessed
    | BetPlaced
    | Raised
    | ThirdDealt
    | Settled
    | TimedOut
    | CameBack
    | EndVoted
    | ShareVoted
    | ShareAgreed
    | BankVoted
    | BankHandedOver
    | MaxBetChosen
    | EndAgreed
    | Resumed
    | PotShared
    | Ended
)
