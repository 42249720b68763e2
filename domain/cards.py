"""Cards: thirteen ranks, four suits, and the deck they make."""

from enum import IntEnum, StrEnum
from typing import NamedTuple, Self

_RANK_LETTERS = "23456789TJQKA"


class Rank(IntEnum):
    """The thirteen ranks, two lowest, ace above the king (P1, S3, S4)."""

    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13
    ACE = 14

    @property
    def letter(self) -> str:
        """One character, ``T`` for the ten, as in recorded hands."""
        return _RANK_LETTERS[self - 2]

    @property
    def face(self) -> str:
        """What is printed on the card: ``10``, ``J``, ``A``."""
        return "10" if self is Rank.TEN else self.letter


class Suit(StrEnum):
    """The four suits. They are shown, and never matter (S5)."""

    SPADES = "S"
    HEARTS = "H"
    DIAMONDS = "D"
    CLUBS = "C"

    @property
    def sign(self) -> str:
        """The suit as a character that reads without colour."""
        return {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}[self.value]


class Card(NamedTuple):
    """One card.

    >>> str(Card.parse("TS")), Card.parse("AH").code
    ('10♠', 'AH')
    """

    rank: Rank
    suit: Suit

    @classmethod
    def parse(cls, code: str) -> Self:
        """Read a two-letter code such as ``TS``.

        Raises:
            ValueError: the code names no card.
        """
        if len(code) != 2 or code[0] not in _RANK_LETTERS:
            raise ValueError(f"no card is called {code!r}")
        return cls(Rank(_RANK_LETTERS.index(code[0]) + 2), Suit(code[1]))

    @property
    def code(self) -> str:
        """The card in two letters, the inverse of `parse`."""
        return self.rank.letter + self.suit.value

    def __str__(self) -> str:
        return self.rank.face + self.suit.sign


def deck(decks: int = 1) -> tuple[Card, ...]:
    """The cards of so many packs of 52, sorted: the order from which every shuffle starts."""
    return tuple(sorted(Card(rank, suit) for rank in Rank for suit in Suit for _ in range(decks)))
