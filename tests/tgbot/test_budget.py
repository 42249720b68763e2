"""The line in which the calls of all groups wait: evenly, by urgency, and nobody for ever."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from persistence.pace import ForEverybody, Pace, common_pace
from tgbot import budget as budget_module
from tgbot.budget import CallBudget, Urgency

PACE = Pace(timedelta(seconds=1), burst=2)


class Time:
    """Time that goes by only while somebody sleeps."""

    def __init__(self) -> None:
        self.now = self.begin = datetime(2026, 12, 6, 20, 15, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    @property
    def seconds(self) -> float:
        return (self.now - self.begin).total_seconds()

    async def sleep(self, seconds: float) -> None:
        for _ in range(20):  # whoever can do something does it before time goes by
            await asyncio.sleep(0)
        self.now += timedelta(seconds=seconds)

    def __getattr__(self, name: str) -> Any:
        return getattr(asyncio, name)


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    time = Time()
    monkeypatch.setattr(budget_module, "asyncio", time)
    return time


class Line:
    """Calls that wait, and when each had its turn."""

    def __init__(self, budget: CallBudget, time: Time) -> None:
        self.budget, self.time = budget, time
        self.served: list[tuple[str, float]] = []
        self.tasks: list[asyncio.Task[None]] = []

    async def asks(self, name: str, urgency: Urgency = Urgency.ASKED) -> None:
        async def call() -> None:
            await self.budget.turn(urgency)
            self.served.append((name, self.time.seconds))

        self.tasks.append(asyncio.create_task(call()))
        await asyncio.sleep(0)

    async def is_over(self) -> list[str]:
        await asyncio.gather(*self.tasks)
        return [name for name, _ in self.served]


@pytest.fixture
def line(time: Time) -> Line:
    return Line(CallBudget(PACE, time), time)


async def test_a_few_go_at_once_and_the_others_one_after_the_other(line: Line) -> None:
    for n in range(5):
        await line.asks(str(n))
    assert line.budget.is_busy
    await line.is_over()
    assert line.served == [("0", 0), ("1", 0), ("2", 1), ("3", 2), ("4", 3)]
    assert not line.budget.is_busy


async def test_the_board_of_whoever_is_asked_goes_first(line: Line) -> None:
    await line.asks("first")
    await line.asks("second")
    for urgency in reversed(Urgency):
        await line.asks(urgency.name, urgency)
    assert await line.is_over() == ["first", "second", "ASKED", "BOARD", "WORD", "UNTAPPED", "TIDY"]


async def test_what_is_not_urgent_waits_its_time_and_no_longer(line: Line, time: Time) -> None:
    """However many boards there are to show: it counts as having come that much later."""
    for n in range(4):
        await line.asks(f"early {n}")
    await line.asks("tidy", Urgency.TIDY)
    time.now += timedelta(seconds=Urgency.TIDY.value + 1)
    for n in range(20):
        await line.asks(f"late {n}")
    order = await line.is_over()
    assert order.index("tidy") < order.index("late 3")


async def test_whoever_gave_up_takes_no_call(line: Line) -> None:
    for n in range(4):
        await line.asks(str(n))
    line.tasks.pop(2).cancel()
    await line.asks("4")
    await line.is_over()
    assert line.served == [("0", 0), ("1", 0), ("3", 1), ("4", 2)]


async def test_a_refusal_for_everybody_holds_the_whole_line(line: Line, time: Time) -> None:
    await line.asks("0")
    await line.budget.sit_out(ForEverybody(5))
    assert time.seconds == 0
    await line.asks("1")
    await line.is_over()
    assert line.served == [("0", 0), ("1", 5)]


async def test_a_refusal_for_one_group_holds_nobody_else(line: Line, time: Time) -> None:
    await line.budget.sit_out(3.0)
    assert time.seconds == 3
    await line.asks("0")
    await line.is_over()
    assert line.served == [("0", 3)]


@pytest.mark.parametrize("limit", [5, 30, 100])
async def test_no_second_sees_more_calls_than_telegram_takes(time: Time, limit: int) -> None:
    line = Line(CallBudget(common_pace(limit), time), time)
    for n in range(5 * limit):
        await line.asks(str(n))
    await line.is_over()
    at = [seconds for _, seconds in line.served]
    most = max(sum(1 for other in at if 0 <= other - first <= 1) for first in at)
    assert 0.7 * limit <= most <= limit
