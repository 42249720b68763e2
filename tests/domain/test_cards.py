"""Ranks, suits, cards and packs (P1, S3-S5)."""

import pytest

from domain.cards import Card, Rank, Suit, deck


def test_two_is_the_lowest_rank_and_the_ace_the_highest() -> None:
    """P1, S3, S4."""
    assert [rank.letter for rank in sorted(Rank)] == list("23456789TJQKA")
    assert min(Rank) is Rank.TWO
    assert max(Rank) is Rank.ACE


@pytest.mark.parametrize(("code", "face"), [("TS", "10♠"), ("AH", "A♥"), ("2D", "2♦"), ("KC", "K♣"), ("9H", "9♥")])
def test_a_card_is_read_by_its_code_and_shown_by_its_face(code: str, face: str) -> None:
    card = Card.parse(code)
    assert str(card) == face
    assert card.code == code


@pytest.mark.parametrize("code", ["", "A", "10S", "1S", "ah", "AX", "SA", "AS ", "♠A"])
def test_what_names_no_card_is_not_read(code: str) -> None:
    with pytest.raises(ValueError, match=r"no card is called|is not a valid Suit"):
        Card.parse(code)


def test_every_code_names_its_own_card() -> None:
    codes = [card.code for card in deck()]
    assert len(set(codes)) == 52
    assert [Card.parse(code) for code in codes] == list(deck())


def test_a_pack_has_each_card_once_sorted_by_rank_then_by_the_letter_of_the_suit() -> None:
    """The documented order from which every shuffle starts (`domain.shoe`, step 3)."""
    assert [card.code for card in deck()] == [rank + suit for rank in "23456789TJQKA" for suit in "CDHS"]


def test_several_packs_have_each_card_as_often() -> None:
    for decks in range(1, 9):
        cards = deck(decks)
        assert len(cards) == 52 * decks
        assert all(cards.count(card) == decks for card in deck())


def test_suits_are_signs_that_read_without_colour() -> None:
    assert {suit.value: suit.sign for suit in Suit} == {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
