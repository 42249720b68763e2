"""What all tests share: the file of worked hands that the domain has to play."""

import gc
import os
from pathlib import Path

import hypothesis
import pytest

pytest.register_assert_rewrite("tests.persistence.evenings")  # shared by several folders

HANDS = Path(__file__).parent / "data" / "hands.json"

# How long an example takes says something about the machine, not about the code.
hypothesis.settings.register_profile("house", deadline=None)
hypothesis.settings.load_profile("house")

pytest.register_assert_rewrite("tests.domain.tables")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--hands", metavar="FILE", default=str(HANDS), help="worked hands to play (%(default)s)")


def pytest_xdist_auto_num_workers() -> int:
    """One more than there are cores: a journey waits for a part of its time, and somebody else may compute then."""
    return (os.cpu_count() or 1) + 1


def pytest_collection_finish() -> None:
    """Everything that was imported stays for good; the collector need not look at it again and again."""
    gc.freeze()
