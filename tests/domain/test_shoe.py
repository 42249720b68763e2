"""Where the cards are, and the order that a seed gives them, checked against an independent reading of the recipe."""

import hashlib
import struct
from collections import Counter
from collections.abc import Iterator
from itertools import count, islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.cards import Card, deck
from domain.shoe import Shoe, below, key, order, words
from tests.domain.strategies import SEEDS
from tests.domain.tables import SEED, cards


def order_by_the_recipe(codes: list[str], seed: str, number: int) -> list[str]:
    """The documentation of `domain.shoe` in other words, on plain strings."""
    secret = hashlib.sha256(bytes.fromhex(seed) + struct.pack(">Q", number)).digest()

    def numbers() -> Iterator[int]:
        for counter in count():
            yield from struct.unpack(">8I", hashlib.sha256(secret + struct.pack(">Q", counter)).digest())

    source = numbers()
    left = sorted(codes, key=lambda code: ("23456789TJQKA".index(code[0]), code[1]))
    for size in range(len(left), 1, -1):
        word = next(source)
        while word >= 2**32 // size * size:
            word = next(source)
        left[size - 1], left[word % size] = left[word % size], left[size - 1]
    return left


@given(seed=SEEDS, number=st.integers(1, 10_000), decks=st.integers(1, 8))
def test_a_shuffle_follows_its_recipe(seed: str, number: int, decks: int) -> None:
    """Whoever has the seed can check a game with a few lines of his own code (I30)."""
    shuffled = order(deck(decks), key(seed, number))
    assert [card.code for card in shuffled] == order_by_the_recipe([card.code for card in deck(decks)], seed, number)


KNOWN_ORDER = (
    "4S 6H 2D JH QS 7S 3C 6S 7D TC 8H 4C TH 5D 8D QC 2S JD 9S AS TD 9H TS JC 7C AC "
    "3S 8S 9C KH 2H 2C 6D 6C 4D 3H 7H 8C QD JS 5H QH AD 3D KS KD 9D KC 4H 5S AH 5C"
)


def test_a_known_seed_gives_the_known_order() -> None:
    """Recorded games must replay for ever: this order never changes."""
    shuffled = order(deck(), key("00" * 32, 1))
    assert " ".join(card.code for card in shuffled) == KNOWN_ORDER


@given(lying=st.permutations(deck()), seed=SEEDS)
def test_an_order_depends_on_which_cards_they_are_not_on_how_they_lay(lying: list[Card], seed: str) -> None:
    assert order(lying, key(seed, 1)) == order(deck(), key(seed, 1))


def test_every_shuffle_of_a_game_has_its_own_order() -> None:
    orders = {order(deck(), key(SEED, number)) for number in range(1, 101)}
    assert len(orders) == 100


def test_the_words_of_a_key_are_its_digests_in_a_row() -> None:
    digest = hashlib.sha256(b"key" + bytes(7) + b"\x01").digest()
    assert b"".join(word.to_bytes(4, "big") for word in islice(words(b"key"), 8, 16)) == digest


@pytest.mark.parametrize(
    ("bound", "rejected", "taken", "number"),
    [
        (3, [2**32 - 1], 2**32 - 2, 2),
        (52, [2**32 - 1, 2**32 - 48], 2**32 - 49, 51),
        (5, [2**32 - 1], 7, 2),
        (2**31 + 1, [2**31 + 1, 2**32 - 1], 2**31, 2**31),
    ],
)
def test_words_that_would_favour_small_numbers_are_thrown_away(
    bound: int, rejected: list[int], taken: int, number: int
) -> None:
    """Rejection: only words below the greatest multiple of the bound count."""
    source = iter([*rejected, taken, 0])
    assert below(bound, source) == number
    assert next(source) == 0


@pytest.mark.parametrize("bound", [1, 2, 2**16, 2**32])
def test_no_word_is_thrown_away_for_a_power_of_two(bound: int) -> None:
    assert below(bound, iter([2**32 - 1])) == bound - 1


def test_every_card_is_as_likely_at_every_place() -> None:
    """Chi-square over 4,000 shuffles of a fixed seed: 51 x 51 degrees of freedom, bound of five deviations."""
    shuffles = 4_000
    pack = deck()
    seen = Counter[tuple[int, Card]]()
    for number in range(1, shuffles + 1):
        seen.update(enumerate(order(pack, key(SEED, number))))
    expected = shuffles / 52
    chi_square = sum((seen[place, card] - expected) ** 2 / expected for place in range(52) for card in pack)
    freedom = 51 * 51
    assert abs(chi_square - freedom) < 5 * (2 * freedom) ** 0.5


def test_every_order_of_four_cards_is_as_likely() -> None:
    """Chi-square over the 24 orders: 23 degrees of freedom, p > 0.001."""
    shuffles = 4_800
    four = cards("2C 3C 4C 5C")
    seen = Counter(order(four, key(SEED, number)) for number in range(shuffles))
    assert len(seen) == 24
    assert sum((times - 200) ** 2 / 200 for times in seen.values()) < 49.73


# -- the shoe --------------------------------------------------------------------------------------


def test_a_card_is_dealt_from_the_top_and_lies_open() -> None:
    shoe = Shoe(cards("3H TS 5C")).dealt().dealt()
    assert shoe == Shoe(cards("5C"), shown=cards("3H TS"))


def test_an_empty_stock_deals_nothing() -> None:
    with pytest.raises(IndexError):
        Shoe((), discards=cards("3H")).dealt()


def test_used_cards_are_laid_on_the_discards_in_order() -> None:
    """P19, S13."""
    shoe = Shoe(cards("2C"), shown=cards("3H TS"), discards=cards("KD"))
    assert shoe.gathered() == Shoe(cards("2C"), discards=cards("KD 3H TS"))


def test_a_cut_lays_the_top_cards_below_the_rest() -> None:
    """P7."""
    assert Shoe(cards("2C 3C 4C 5C 6C")).cut(2) == Shoe(cards("4C 5C 6C 2C 3C"))


def test_cards_on_the_table_stay_out_of_a_shuffle() -> None:
    """S13, I4: stock and discards are shuffled, what lies open is not."""
    shoe = Shoe(cards("2C 3C"), shown=cards("4C 5C"), discards=cards("6C 7C"))
    shuffled = shoe.shuffled(key(SEED, 1))
    assert shuffled.shown == cards("4C 5C")
    assert shuffled.discards == ()
    assert sorted(shuffled.stock) == list(cards("2C 3C 6C 7C"))
    assert shuffled.stock == order(cards("2C 3C 6C 7C"), key(SEED, 1))


def test_a_new_shoe_lies_in_the_order_of_the_factory() -> None:
    assert Shoe.of(2) == Shoe(deck(2))
