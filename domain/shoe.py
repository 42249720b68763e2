"""The shoe: where each card of the deck is, and the order a seed gives it.

How an order follows from a seed, so that anybody can check a game with a few lines of his own code:

1. A game has one *seed* of 32 bytes, given from outside. Shuffle number ``n`` (1, 2, ...) uses the key
   ``SHA-256(seed || n)`` with ``n`` as 8 bytes, most significant first.
2. A key gives 32-bit words: the SHA-256 digests of ``key || 0``, ``key || 1``, ... (counters of 8 bytes), each
   read as eight big-endian words.
3. The cards to be shuffled are sorted by rank, then by the letter of the suit (C, D, H, S).
4. Fisher-Yates from the last place to the second: place ``i`` (counted from 0) changes with place ``j``, where
   ``j`` is the next word modulo ``i + 1``; words at or above the greatest multiple of ``i + 1`` below 2**32 are
   thrown away first, so that every order is equally likely.
5. The first card of the result is the top of the stock. A cut at ``c`` lays the top ``c`` cards below the rest.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Self

from domain.cards import Card, deck

_WORD = 2**32


def key(seed: str, shuffle: int) -> bytes:
    """The key of one shuffle of a game. ``seed`` is 64 hexadecimal digits.

    The keys are one-way: showing the key of a spent deck tells nothing about the next deck.
    """
    return sha256(bytes.fromhex(seed) + shuffle.to_bytes(8, "big")).digest()


def words(key: bytes) -> Iterator[int]:
    """The endless 32-bit words that follow from a key."""
    counter = 0
    while True:
        digest = sha256(key + counter.to_bytes(8, "big")).digest()
        for start in range(0, len(digest), 4):
            yield int.from_bytes(digest[start : start + 4], "big")
        counter += 1


def below(bound: int, source: Iterator[int]) -> int:
    """A number in ``range(bound)``, each equally likely: words that would favour the small ones are rejected."""
    fair = _WORD - _WORD % bound
    return next(word for word in source if word < fair) % bound


def order(cards: Sequence[Card], key: bytes) -> tuple[Card, ...]:
    """The order into which a key shuffles the cards; it depends on which cards they are, not on how they lay."""
    shuffled = sorted(cards)
    source = words(key)
    for place in range(len(shuffled) - 1, 0, -1):
        other = below(place + 1, source)
        shuffled[place], shuffled[other] = shuffled[other], shuffled[place]
    return tuple(shuffled)


@dataclass(frozen=True, slots=True)
class Shoe:
    """All cards of a game: face down in the stock, open on the table, or laid aside (I3)."""

    stock: tuple[Card, ...]
    """The top card first."""
    shown: tuple[Card, ...] = ()
    """Face up on the table, in the order dealt: the posts, then the third card."""
    discards: tuple[Card, ...] = ()

    @classmethod
    def of(cls, decks: int) -> Self:
        """A new shoe in the order of the factory."""
        return cls(deck(decks))

    def gathered(self) -> Self:
        """The cards on the table laid face down on the discards (P19)."""
        return replace(self, shown=(), discards=self.discards + self.shown)

    def shuffled(self, key: bytes) -> Self:
        """Stock and discards shuffled together; cards on the table stay out of it (S13, I4)."""
        return replace(self, stock=order(self.stock + self.discards, key), discards=())

    def cut(self, place: int) -> Self:
        """The top ``place`` cards laid below the rest (P7)."""
        return replace(self, stock=self.stock[place:] + self.stock[:place])

    def dealt(self) -> Self:
        """The top card of the stock turned face up on the table.

        Raises:
            IndexError: the stock is empty; shuffle first (S13).
        """
        return replace(self, stock=self.stock[1:], shown=(*self.shown, self.stock[0]))
