"""Amounts that people type (situation 10)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tgbot.amounts import read_amount


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("5", 5),
        ("0", 0),
        ("-5", -5),
        ("007", 7),
        (" 12 ", 12),
        ("12\n", 12),
        ("9" * 18, 10**18 - 1),
    ],
)
def test_plain_digits_are_an_amount(text: str, amount: int) -> None:
    assert read_amount(text) == amount


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "\n", "-", "--5", "+5", "- 5", "5-", "1 0", "1,5", "1.5", "1_0", "5 chips", "five"),
        *("1e3", "10^18", "10**18", "0x10", "½", "１０", "٥", "五", "5️⃣", "²", "\u200b5", "−5"),
        *("1000000000000000000", "9" * 5000),
        *("5\x00", "5\n6", "nan", "inf"),
    ],
)
def test_anything_else_is_none(text: str) -> None:
    assert read_amount(text) is None


@given(st.integers(-(10**18) + 1, 10**18 - 1))
def test_every_amount_that_fits_a_row_is_read_back(amount: int) -> None:
    assert read_amount(str(amount)) == amount


@given(st.text())
def test_no_text_is_too_odd(text: str) -> None:
    amount = read_amount(text)
    assert amount is None or (text.strip().isascii() and abs(amount) < 10**18)
