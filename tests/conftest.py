"""What all tests share: the file of worked hands that the domain has to play."""

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
