"""What a button carries: ``word:table:move`` or ``word:table:move:amount``, within Telegram's 64 bytes."""

import re
from enum import StrEnum
from typing import NamedTuple

_LIMIT = 64
_FORM = re.compile(r"([a-z]{1,10}):(\d{1,18}):(\d{1,18})(?::(\d{1,18}))?", re.ASCII)


class Word(StrEnum):
    """What a tap says."""

    NEW = "new"
    JOIN = "join"
    LEAVE = "leave"
    START = "start"
    CUT = "cut"
    BET = "bet"
    PASS = "pass"
    OTHER = "other"
    HIGH = "high"
    LOW = "low"
    HIGHER = "higher"
    LOWER = "lower"
    RAISE = "raise"
    STAKE = "stake"
    ODDS = "odds"
    BACK = "back"
    REBUY = "rebuy"
    KICK = "kick"
    END = "end"
    NOW = "now"
    RULES = "rules"
    MORE = "more"
    PAGE = "page"
    PRESET = "preset"
    SWITCH = "switch"
    SETTING = "setting"
    LANGUAGE = "lang"

    @property
    def answers(self) -> bool:
        """Whether it answers a question, and is void when another question is open."""
        return self in _ANSWERS


_ANSWERS = frozenset(
    {
        *(Word.CUT, Word.STAKE, Word.BET, Word.PASS, Word.OTHER, Word.RAISE),
        *(Word.HIGH, Word.LOW, Word.HIGHER, Word.LOWER, Word.ODDS),
    }
)


class Tap(NamedTuple):
    """A tapped button, taken apart. ``move`` is the move that the board showed, ``amount`` is chips or a place."""

    word: Word
    table: int = 0
    move: int = 0
    amount: int | None = None

    def pack(self) -> str:
        """The callback data.

        Raises:
            ValueError: longer than Telegram takes.
        """
        data = f"{self.word}:{self.table}:{self.move}" + ("" if self.amount is None else f":{self.amount}")
        if len(data.encode()) > _LIMIT:
            raise ValueError(f"{data!r} does not fit in a button")
        return data


def read_tap(data: object) -> Tap | None:
    """The tap behind a callback's data, or ``None`` if no board of ours has such a button."""
    form = _FORM.fullmatch(data) if isinstance(data, str) else None
    if form is None or form[1] not in set(Word):
        return None
    return Tap(Word(form[1]), int(form[2]), int(form[3]), int(form[4]) if form[4] else None)
