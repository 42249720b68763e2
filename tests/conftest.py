"""What all tests share: the file of worked hands that the domain has to play."""

from pathlib import Path

import pytest

HANDS = Path(__file__).parent / "data" / "hands.json"

pytest.register_assert_rewrite("tests.domain.tables")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--hands", metavar="FILE", default=str(HANDS), help="worked hands to play (%(default)s)")
