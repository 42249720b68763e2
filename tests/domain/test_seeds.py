"""Every sentence of the two seeds is played: each number of rules 1.1 and 1.2 is named by a hand or by a test."""

import json
import re
from pathlib import Path

import pytest

from tests.conftest import HANDS

SENTENCES = [*(f"P{n}" for n in range(1, 23)), *(f"S{n}" for n in range(1, 25))]
_TESTS = Path(__file__).parents[1]


def _named_by_hands() -> set[str]:
    cases = json.loads(HANDS.read_text(encoding="utf-8"))["cases"]
    return {number for case in cases for number in case["covers"]}


def _named_by_tests() -> set[str]:
    """Numbers that stand alone; a range like "P2-P22" names nothing in particular."""
    found: set[str] = set()
    for file in _TESTS.rglob("test_*.py"):
        if file != Path(__file__):
            text = re.sub(r"\b[PS]\d+\s*[-–…]\s*[PS]?\d+", "", file.read_text(encoding="utf-8"))
            found.update(re.findall(r"\b[PS]\d{1,2}\b", text))
    return found


@pytest.mark.parametrize("sentence", SENTENCES)
def test_every_sentence_of_the_seeds_is_played(sentence: str) -> None:
    assert sentence in _named_by_hands() | _named_by_tests()


def test_the_walk_sees_what_is_missing() -> None:
    assert {"P0", "P23", "S0", "S25"}.isdisjoint(_named_by_hands() | _named_by_tests())
