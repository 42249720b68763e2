"""The soak finds nothing, its own checks can find something, and its people are the same for the same seed."""

from pathlib import Path

import pytest

from tests.databases import KINDS
from tests.soak.bots import Life
from tests.soak.checks import check_ends, check_logs
from tests.soak.evening import Soak
from tests.soak.groups import Group, found_groups
from tests.soak.trouble import KILLS_A_SECOND
from tgbot.playground import Playground

_STAMP = "2026-12-01 02:43:09,778"
_POLLING = f"{_STAMP} ERROR telegram.ext.Updater: Exception happened while polling for updates.\nTraceback:\n"


def test_the_same_seed_gives_the_same_people() -> None:
    first, again, other = (found_groups(Playground(), 12, seed) for seed in (7, 7, 8))

    def named(groups: list[Group]) -> list[tuple[object, ...]]:
        return [(group.preset, group.language, group.founder, group.others, group.topics) for group in groups]

    assert named(first) == named(again) != named(other)


@pytest.mark.parametrize(
    ("log", "errors"),
    [
        (f"{_STAMP} INFO tgbot.x: fine\n", 0),
        (f"{_STAMP} ERROR tgbot.x: broken\n", 1),
        (f"{_STAMP} ERROR asyncio: Task exception was never retrieved\nTraceback:\nKeyError\n", 1),
        ("Traceback (most recent call last):\nKeyError\n", 1),
        (f"{_POLLING}telegram.error.NetworkError: Bad Gateway\n", 0),
        (f"{_POLLING}telegram.error.TimedOut: Timed out\n", 0),
        (f"{_POLLING}telegram.error.BadRequest: no\n", 1),
        (f"{_POLLING}telegram.error.NetworkError: Bad Gateway\n{_STAMP} CRITICAL x: y\n", 1),
    ],
)
def test_errors_are_found_in_logs(log: str, errors: int, tmp_path: Path) -> None:
    path = tmp_path / "bot.log"
    path.write_text(log)
    found, betrayed = check_logs([path, tmp_path / "nothing.log"], ["7654:secret"])
    assert (len(found.faults), len(betrayed.faults)) == (errors, 0)


def test_a_token_in_a_log_is_found(tmp_path: Path) -> None:
    path = tmp_path / "bot.log"
    path.write_text(f"{_STAMP} INFO httpx: POST /bot7654:secret/getMe\n")
    assert len(check_logs([path], ["7654:secret"])[1].faults) == 1


@pytest.mark.parametrize(
    ("status", "killed", "said", "faults"),
    [
        (-9, True, "", 0),
        (1, False, "\nTelegram cannot be reached: Bad Gateway\n", 0),
        (1, False, "", 1),
        (0, False, "", 1),
    ],
)
def test_a_process_that_leaves_is_found(status: int, killed: bool, said: str, faults: int, tmp_path: Path) -> None:
    path = tmp_path / "bot.log"
    path.write_text(said)
    life = Life(1, 0.0, 1.0, status, killed)
    assert len(check_ends([life], [path]).faults) == faults


@pytest.mark.parametrize("kind", KINDS)
async def test_a_few_seconds_of_everything_that_goes_wrong(kind: str, tmp_path: Path) -> None:
    """The whole soak, short: it runs, people and trouble take part, and the books are right."""
    seconds = 5
    soak = Soak(kind, tmp_path, seed=7, number=3)
    verdicts = await soak.run(seconds, flooded=False)
    assert [str(fault) for verdict in verdicts for fault in verdict.faults] == []
    assert soak.trouble["kill -9"] == seconds * KILLS_A_SECOND
    assert soak.games.tables >= 3
    assert soak.games.moves > soak.games.tables
    assert soak.people["taps"] > 0
