"""What a table agrees on besides the rules of the game."""

from collections.abc import Iterator
from dataclasses import dataclass

from domain.rules import Clash, Rules, Shuffle


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """A table's agreements. Chips, seconds and rounds are whole numbers."""

    chips: int = 50
    """Chips everybody starts with (P3; Q9 tells why not fewer)."""
    rebuys: int | None = 0
    """How often a player without chips may buy the same number again; ``None``: as often as he likes (Q7)."""
    clock: int = 60
    """Seconds a player has to answer (Q18)."""
    rounds: int | None = None
    """The game ends after so many rounds; ``None``: when the host or a vote says so (Q11)."""
    seats: int = 17
    """The most who can sit at the table; 17 players always fit one deck (Q16)."""
    cut: bool = True
    """Whether a player cuts each new deck (P7)."""
    late: bool = True
    """Whether people may join a game that has begun (Q20)."""

    def clashes(self, rules: Rules) -> Iterator[Clash]:
        """Every reason why a table cannot be set up so for a game with these rules."""
        bad = {
            Clash.TOO_FEW_CHIPS: self.chips <= rules.ante or (rules.has_bank and self.chips < rules.greatest_multiple),
            Clash.CUT_WITH_SHUFFLE_EVERY_TURN: self.cut and rules.shuffle is Shuffle.TURN,
            Clash.OUT_OF_RANGE: not (
                self.chips <= 1_000_000
                and (self.rebuys or 0) >= 0
                and 15 <= self.clock <= 86_400
                and (self.rounds is None or self.rounds >= 1)
                and 2 <= self.seats <= 17
            ),
        }
        return (clash for clash, found in bad.items() if found)
