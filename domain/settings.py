"""What a table agrees on besides the rules of the game."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from domain.refusals import Reason, Refusal
from domain.rules import MOST_CHIPS, Clash, Rules, Shuffle


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
    odds: bool = True
    """Whether players may ask for the odds of the hand."""
    late: bool = True
    """Whether people may join a game that has begun (Q20)."""

    def fitted(self, rules: Rules, before: Rules | None = None) -> "Settings":
        """The same as far as these rules allow: no cut before every hand, chips for ten of the most bets (Q28).

        What only the rules ``before`` had asked for goes back to what it usually is.
        """
        usual, chips, cut = Settings(), self.chips, self.cut
        if before is not None:
            asked_for = usual.fitted(before)
            chips = usual.chips if chips == asked_for.chips else chips
            cut = cut or not asked_for.cut
        enough = max(chips, rules.ante + 1, 10 * (rules.max_bet or 0))
        return replace(self, cut=cut and rules.shuffle is not Shuffle.TURN, chips=min(enough, MOST_CHIPS))

    def clashes(self, rules: Rules) -> Iterator[Clash]:
        """Every reason why a table cannot be set up so for a game with these rules."""
        bad = {
            Clash.TOO_FEW_CHIPS: self.chips <= rules.ante or (rules.has_bank and self.chips < rules.greatest_multiple),
            Clash.CUT_WITH_SHUFFLE_EVERY_TURN: self.cut and rules.shuffle is Shuffle.TURN,
            Clash.OUT_OF_RANGE: not (
                self.chips <= MOST_CHIPS
                and (self.rebuys or 0) >= 0
                and 15 <= self.clock <= 86_400
                and (self.rounds is None or self.rounds >= 1)
                and 2 <= self.seats <= 17
            ),
        }
        return (clash for clash, found in bad.items() if found)


def check_together(rules: Rules, settings: Settings) -> None:
    """Make sure that rules and settings make a game.

    Raises:
        Refusal: BAD_COMBINATION, with the first clash.
    """
    for clash in (*rules.clashes(), *settings.clashes(rules)):
        raise Refusal(Reason.BAD_COMBINATION, clash=clash)
