"""What an update can mean besides a command of the game."""

from dataclasses import dataclass

from domain.commands import Command
from domain.table import Player


@dataclass(frozen=True, slots=True)
class NewTable:
    """Set up a table."""

    player: Player


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
class ShowRules:
    """Explain the rules of the table."""


@dataclass(frozen=True, slots=True)
class ShowMore:
    """Name the commands that have no button."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Something was meant, but it cannot be read; say how it is written."""


@dataclass(frozen=True, slots=True)
class Nothing:
    """Not for us."""


Meaning = Command | NewTable | Ask | AskWhom | ShowBoard | ShowRules | ShowMore | Unreadable | Nothing
