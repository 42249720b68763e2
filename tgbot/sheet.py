"""What every board needs: whose names stand for the players, what a hand says, and how wide a phone is."""

import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from datetime import datetime
from html import unescape
from typing import NamedTuple

from domain.table import PlayedHand, Player, Table
from tgbot.hands import hand_line
from tgbot.names import safe_name, shown
from tgbot.words import Words

PHONE = 36
"""Characters that fit in one line of a message on a phone."""


class Scene(NamedTuple):
    """What a board shows besides the table itself."""

    number: int
    names: Mapping[Player, str]
    due_at: datetime | None = None
    now: datetime | None = None
    countdown: bool = True
    """Whether the reader's own client counts the time down (an entity that old servers refuse)."""
    page: int = 0
    """The open page of the lobby's menu."""


def display_name(scene: Scene, player: Player, place: int, tr: Words) -> str:
    """A player's name as plain text; somebody without a readable name is called by his place."""
    return safe_name(scene.names.get(player, ""), tr("Player {n}", n=place))


class Sheet(ABC):
    """A table to be written about, in the words of one language."""

    @abstractmethod
    def text(self) -> str:
        """The board as HTML."""

    def __init__(self, table: Table, scene: Scene, tr: Words) -> None:
        self.table, self.scene, self.tr = table, scene, tr
        self._places = {player: n for n, player in enumerate(self._everybody(), 1)}

    def _everybody(self) -> Sequence[Player]:
        seats = [seat.player for seat in (*self.table.seats, *self.table.departed)]
        return [*seats, *self.table.arrivals]

    def name(self, player: Player) -> str:
        """A player's name, ready for HTML."""
        return shown(display_name(self.scene, player, self._places.get(player, 0), self.tr))

    def hand(self, hand: PlayedHand) -> str:
        """A hand that is over, and what it did to the pot."""
        line = hand_line(hand, self.name(hand.player), self.table.rules, self.tr)
        unfilled = hand is self.table.played[-1] and not self.table.pot  # too few were left to put anything in
        if hand.pot_emptied and not unfilled:
            ante = self.tr.chips(self.table.rules.ante)
            line += "\n" + self.tr("Pot empty: everybody puts in {chips}.", chips=ante)
        return line


def in_rows(entries: Sequence[str]) -> list[str]:
    """Entries side by side, broken into lines as a phone is wide, and never within an entry."""
    rows: list[str] = []
    for entry in entries:
        joined = f"{rows[-1]} · {entry}" if rows else entry
        if rows and _width(joined) <= PHONE:
            rows[-1] = joined
        else:
            rows.append(entry)
    return rows


def _width(text: str) -> int:
    """About how wide a line is in characters: what HTML hides does not count."""
    return sum(unicodedata.category(c) != "Cf" for c in unescape(text))
