"""What an update can mean besides a command of the game."""

from dataclasses import dataclass

from domain.commands import Command
from domain.table import Player
from tgbot.menu import Page


@dataclass(frozen=True, slots=True)
class NewTable:
    """Set up a table."""

    player: Player
    preset: str | None = None
    """Which game, if it was named; else the one the group played last."""


@dataclass(frozen=True, slots=True)
class Ask:
    """Ask a player to type his amount."""

    player: Player


@dataclass(frozen=True, slots=True)
class AskWhom:
    """Ask who should be made to leave."""


@dataclass(frozen=True, slots=True)
class ShowBoard:
    """Send the board again, at the bottom of the chat."""


@dataclass(frozen=True, slots=True)
class TurnPage:
    """Turn to a page of the lobby's menu (host, or a chat admin)."""

    player: Player
    page: Page
    admin: bool = False


@dataclass(frozen=True, slots=True)
class ShowOdds:
    """Tell the odds of the hand on the table."""


@dataclass(frozen=True, slots=True)
class ShowRules:
    """Explain the rules of the table, or of the game that is named."""

    game: str | None = None


@dataclass(frozen=True, slots=True)
class Nudge:
    """A player wants whoever is asked to be reminded now."""

    player: Player


@dataclass(frozen=True, slots=True)
class ShowMore:
    """Name the commands that have no button."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Something was meant, but it cannot be read; say how it is written."""

    example: str = "/bet 5"


@dataclass(frozen=True, slots=True)
class UnknownGame:
    """A game was named that there is not."""


@dataclass(frozen=True, slots=True)
class Nothing:
    """Not for us."""


Saying = Ask | AskWhom | Nudge | ShowBoard | ShowRules | ShowOdds | ShowMore | UnknownGame | Unreadable
"""What the bot only has to say something about."""
Meaning = Command | NewTable | TurnPage | Saying | Nothing
