"""The table: everything that is known between two commands, as one frozen value.

It asks questions (the waiting phases) and remembers; `domain.play` decides what happens, `domain.evolve` what is
known afterwards.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from domain.cards import Card
from domain.hand import HandClass, Side
from domain.rules import BetWhen, Counterparty, Rules
from domain.settings import Settings
from domain.shoe import Shoe

Player = int
"""Who sits there: an opaque number, given from outside."""


class Phase(StrEnum):
    """Where a game stands (rules 4.2, 4.3). The waiting ones ask somebody; the others run on by themselves."""

    LOBBY = "lobby"
    DRAW = "draw"
    SHUFFLE = "shuffle"
    CUT = "cut"
    ROUND = "round"
    STAKE = "stake"
    TURN = "turn"
    BLIND_BET = "blind_bet"
    DEAL = "deal"
    CALL_ACE = "call_ace"
    DECIDE = "decide"
    RAISE = "raise"
    REVEAL = "reveal"
    ROUND_END = "round_end"
    REST = "rest"
    ENDED = "ended"


WAITING = frozenset(
    {
        Phase.LOBBY,
        Phase.CUT,
        Phase.STAKE,
        Phase.BLIND_BET,
        Phase.CALL_ACE,
        Phase.DECIDE,
        Phase.RAISE,
        Phase.REST,
        Phase.ENDED,
    }
)
"""The phases in which a table waits for people; only these outlast a command."""

HAND_IN_PLAY = frozenset({Phase.BLIND_BET, Phase.CALL_ACE, Phase.DECIDE, Phase.RAISE})
"""The phases in which a player has the turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """One player's place. Chips are whole and never below zero (I2)."""

    player: Player
    chips: int = 0
    cashed: int = 0
    """Chips he took with him when he left; he gets them back if he returns."""
    bought: int = 0
    """Chips he has paid for in this game."""
    rebuys: int = 0
    missed: int = 0
    """Hands (or cuts) in a row in which the clock answered for him."""
    away: bool = False
    """Sits out after too many of them: no turn and no ante until he is back (Q18)."""
    leaving: bool = False
    """The banker wants to go and waits for the hand against him to end."""
    gone: bool = False
    """Has left; the place is kept until the round ends, so that the deal finds its way (Q19)."""
    newcomer: bool = False
    """Still owes the ante of a player who joined late (Q20)."""

    @property
    def in_play(self) -> bool:
        """Whether he has turns and pays antes (I20)."""
        return self.chips > 0 and not self.gone and not self.away


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedHand:
    """A hand that is over, for whoever wants to look at it again. Amounts are chips."""

    move: int
    """The number of the move that ended it."""
    player: Player
    cards: tuple[Card, ...]
    hand: HandClass
    bet: int | None
    gain: int
    """Chips the player won, negative if he lost."""
    pot: int
    """Chips in the pot (or the stake) before it was settled; without a pot it says nothing."""
    pot_emptied: bool
    by_clock: bool


REMEMBERED_HANDS = 6
"""So many, and all of the newest move: whoever looks at a board wants these, and each is carried through every move."""
HANDS_OF_A_MOVE = 40
"""At most; more than 17 players play in one move without redeals, so a board can show a whole move."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A game of In-Between, from the lobby to the last chip."""

    rules: Rules
    settings: Settings
    host: Player
    phase: Phase = Phase.LOBBY
    move: int = 0
    """How many commands have been played. It only ever grows."""
    asked: int = 0
    """The move that put the present question; an answer to an older one is stale."""
    seats: tuple[Seat, ...] = ()
    """Clockwise: the next seat is the player on the left."""
    arrivals: tuple[Player, ...] = ()
    """Who sits down when the round ends (Q20)."""
    departed: tuple[Seat, ...] = ()
    """Who has left this game, with the chips they took."""
    dealer: Player | None = None
    """Who deals, and is the bank in a bank game."""
    actor: Player | None = None
    """Who has to answer."""
    round: int = 0
    queue: tuple[Player, ...] = ()
    """Whose turn is still to come in this round, in order (P20, I17)."""
    opening: tuple[Player, ...] = ()
    """Who has not had a turn since the pot was last filled (for the opening cap)."""
    pot: int = 0
    """Chips in the pot; in a staked game, what is left of the dealer's stake."""
    house: int = 0
    """Chips won by the house; the only account that may be negative (I2, Q31)."""
    shoe: Shoe = Shoe(())
    seed: str = ""
    """The game's luck: 64 hexadecimal digits, given from outside (`domain.shoe`)."""
    shuffles: int = 0
    low_call: bool | None = None
    """The first ace was called low, high, or not at all."""
    side: Side | None = None
    bet: int | None = None
    """The standing bet; chips move only when the hand is settled."""
    raised: int = 0
    timed_out: bool = False
    """Whether the clock has answered in this hand."""
    pot_won: bool = False
    """Whether the last hand emptied the pot; the deal passes then, if the rules say so."""
    shared: int = 0
    """Chips of the pot that were shared since the last hand: by agreement, or at the end (Q12)."""
    ending: bool = False
    """Whether the game ends with this round (Q11)."""
    votes: tuple[Player, ...] = ()
    """Who wants to end the game."""
    share_votes: tuple[Player, ...] = ()
    """Who wants to share the pot."""
    sharing: bool = False
    """Whether the pot is shared before the next turn."""
    bank_votes: tuple[Player, ...] = ()
    """Who wants another dealer."""
    handing_over: bool = False
    """Whether the deal passes when the round ends, whatever the rules say (S2)."""
    next_max_bet: int | None = None
    """The most bet from the next round on (S9)."""
    draws: tuple[tuple[Player, Card], ...] = ()
    """The cards of the draw for the first deal, until the first hand is over."""
    played: tuple[PlayedHand, ...] = ()
    """The latest hands, the oldest first."""

    # -- seats -------------------------------------------------------------------------------------

    def seat(self, player: Player) -> Seat | None:
        """The place of a player who has not left, if he has one."""
        return next((seat for seat in self.seats if seat.player == player and not seat.gone), None)

    @property
    def present(self) -> tuple[Seat, ...]:
        """Everybody who has not left."""
        return tuple(seat for seat in self.seats if not seat.gone)

    @property
    def in_play(self) -> tuple[Seat, ...]:
        """Everybody who has turns and pays antes."""
        return tuple(seat for seat in self.seats if seat.in_play)

    def clockwise(self, start: Player) -> Iterator[Seat]:
        """All seats, beginning on the left of a player and ending with him."""
        places = [seat.player for seat in self.seats]
        first = places.index(start) + 1
        yield from self.seats[first:]
        yield from self.seats[:first]

    @property
    def solvent(self) -> tuple[Seat, ...]:
        """Everybody who can play the next round: in play, or with all his chips in the stake he has put up."""
        staked = self.dealer if self.rules.counterparty is Counterparty.STAKE and self.pot > 0 else None
        return tuple(seat for seat in self.present if not seat.away and (seat.chips > 0 or seat.player == staked))

    @property
    def left_of_dealer(self) -> tuple[Seat, ...]:
        """All seats in the order of play: from the dealer's left, the dealer last."""
        return self.seats if self.dealer is None else tuple(self.clockwise(self.dealer))

    @property
    def cutter(self) -> Player | None:
        """Who cuts: the nearest player in play on the dealer's right, not the dealer himself (P7, Q14)."""
        others = (seat for seat in reversed(self.left_of_dealer[:-1]) if seat.in_play)
        cutter = next(others, None)
        return cutter.player if cutter and self.dealer is not None else None

    # -- the hand on the table ---------------------------------------------------------------------

    @property
    def posts(self) -> tuple[Card, ...]:
        """The open posts: none, one (while an ace is being called) or two."""
        return self.shoe.shown[:2]

    @property
    def blind(self) -> bool:
        """Whether this table bets before the cards."""
        return self.rules.bet_when is BetWhen.BEFORE

    # -- chips -------------------------------------------------------------------------------------

    @property
    def bank(self) -> int:
        """Chips that stand against the player: the pot, the stake or the banker's stack. Not for the house."""
        if self.rules.counterparty is Counterparty.BANKER:
            return next(seat.chips for seat in self.seats if seat.player == self.dealer)
        return self.pot

    @property
    def bank_broken(self) -> bool:
        """Whether the bank cannot pay the least bet, or its banker is gone (Q29)."""
        if not self.rules.has_bank or self.dealer is None:
            return False
        banker = next(seat for seat in self.seats if seat.player == self.dealer)
        return banker.gone or self.bank < self.rules.greatest_multiple

    @property
    def chips(self) -> int:
        """All chips on the table and with the house: what I1 keeps."""
        return sum(seat.chips for seat in self.seats) + self.pot + self.house

    @property
    def winners(self) -> tuple[Player, ...]:
        """Whoever has most chips, several if equal (P2, Q12); of those who stayed, if anybody did."""
        seats = self.present or (*self.seats, *self.departed)
        best = max((seat.chips + seat.cashed for seat in seats), default=0)
        return tuple(seat.player for seat in seats if seat.chips + seat.cashed == best)
