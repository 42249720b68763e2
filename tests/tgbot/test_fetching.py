"""Fetching: finished groups go on at once, and what is not done is not confirmed."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from typing import Any, cast
from urllib.parse import parse_qs, urlsplit

import pytest
from telegram.error import InvalidToken, NetworkError, RetryAfter, TelegramError

from tgbot import fetching as fetching_module
from tgbot.context import App
from tgbot.delivery import Content, Delivery, is_update
from tgbot.fetching import Fetching
from tgbot.pulse import Pulse
from tgbot.request import Request


class Telegram:
    """It keeps updates until they are confirmed, and answers a hundred at a time."""

    read_timeout = 5.0

    def __init__(self) -> None:
        self.updates: list[Content] = []
        self.asked: list[dict[str, str]] = []
        self.errors: list[TelegramError] = []
        self.renewed = 0
        self._news = asyncio.Event()

    def tells(self, *numbers: int) -> None:
        self.updates += [{"update_id": number} for number in numbers]
        self._news.set()

    @property
    def numbers(self) -> list[int]:
        """What is not confirmed yet."""
        return [update["update_id"] for update in self.updates]

    async def post(self, url: str, read_timeout: float) -> Any:
        query = {name: value for name, (value,) in parse_qs(urlsplit(url).query).items()}
        self.asked.append(query)
        assert read_timeout == self.read_timeout + int(query["timeout"])
        assert json.loads(query["allowed_updates"]) == ["message"]
        if self.errors:
            raise self.errors.pop(0)
        self.updates = [update for update in self.updates if update["update_id"] >= int(query["offset"])]
        if not self.updates and int(query["timeout"]):
            self._news.clear()
            await self._news.wait()
        return self.updates[: int(query["limit"])]

    async def renew(self) -> None:
        self.renewed += 1


class Hands:
    """Whoever handles updates; those in ``held`` take as long as it is not opened."""

    def __init__(self) -> None:
        self.begun: list[int] = []
        self.done: list[int] = []
        self.held: dict[int, asyncio.Event] = {}

    async def bring(self, update: Content) -> None:
        number = update["update_id"]
        self.begun.append(number)
        if gate := self.held.get(number):
            await gate.wait()
        self.done.append(number)

    def holds(self, *numbers: int) -> None:
        self.held |= {number: asyncio.Event() for number in numbers}


class Bot:
    base_url = "http://telegram/bot1:A"


class Line:
    def __init__(self) -> None:
        self.telegram, self.hands, self.pulse = Telegram(), Hands(), Pulse()
        app = cast("App", type("App", (), {"bot": Bot()})())
        request, delivery = cast("Request", self.telegram), cast("Delivery", self.hands)
        self.fetching = Fetching(app, request, delivery, self.pulse, ["message"])
        self.running: asyncio.Task[None] | None = None

    def runs(self) -> None:
        self.running = asyncio.create_task(self.fetching.run())

    async def until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(5):
            while not condition():
                await asyncio.sleep(0.001)

    async def stops(self) -> None:
        if self.running is not None:
            self.running.cancel()
            await asyncio.gather(self.running, return_exceptions=True)


@pytest.fixture
async def line(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Line]:
    for name, seconds in {"_MOMENT": 0.001, "_LONGEST_MOMENT": 0.01, "_PAUSE": 0.001, "_FAREWELL": 0.2}.items():
        monkeypatch.setattr(fetching_module, name, seconds)
    monkeypatch.setattr(fetching_module, "_OLDEST_SECONDS", 0.05)
    line = Line()
    yield line
    await line.stops()
    for gate in line.hands.held.values():
        gate.set()
    await line.fetching.finished()


async def test_what_is_done_is_confirmed(line: Line) -> None:
    line.telegram.tells(7, 8, 9)
    line.runs()
    await line.until(lambda: not line.telegram.updates)
    assert line.hands.done == [7, 8, 9]
    await line.until(lambda: line.telegram.asked[-1]["timeout"] == "10")
    assert line.telegram.asked[-1]["offset"] == "10"


async def test_one_that_takes_long_holds_up_nobody_and_is_not_confirmed(line: Line) -> None:
    line.hands.holds(8)
    line.telegram.tells(7, 8, 9)
    line.runs()
    await line.until(lambda: line.hands.done == [7, 9])
    line.telegram.tells(10)
    await line.until(lambda: line.hands.done == [7, 9, 10])
    await line.until(lambda: line.telegram.numbers == [8, 9, 10])
    line.hands.held[8].set()
    await line.until(lambda: not line.telegram.updates)
    assert line.hands.begun == [7, 8, 9, 10]  # nothing twice, though Telegram has told it again and again


async def test_after_a_kill_what_was_not_done_comes_again(line: Line) -> None:
    line.hands.holds(2)
    line.telegram.tells(1, 2, 3)
    line.runs()
    await line.until(lambda: line.telegram.numbers == [2, 3])
    await line.stops()
    again = Line()
    again.telegram = line.telegram
    again.fetching._request = cast("Request", line.telegram)
    again.runs()
    await again.until(lambda: again.hands.done == [2, 3])
    await again.stops()


async def test_updates_in_any_order_are_all_handled(line: Line) -> None:
    line.telegram.tells(9, 3, 7)
    line.runs()
    await line.until(lambda: not line.telegram.updates)
    assert sorted(line.hands.done) == [3, 7, 9]


async def test_an_update_that_comes_twice_in_one_answer_is_handled_once(line: Line) -> None:
    line.telegram.tells(3, 3)
    line.runs()
    await line.until(lambda: not line.telegram.updates)
    assert line.hands.begun == [3]


async def test_where_no_more_fit_into_an_answer_the_oldest_is_overtaken(line: Line) -> None:
    line.hands.holds(0)
    line.telegram.tells(*range(250))
    line.runs()
    await line.until(lambda: len(line.hands.done) == 249)
    await line.until(lambda: not line.telegram.updates)
    line.hands.held[0].set()
    await line.fetching.finished()
    assert sorted(line.hands.begun) == [*range(250)]


async def test_what_is_no_update_is_passed_over(line: Line) -> None:
    line.telegram.updates = [{"update_id": 1}]
    line.telegram.updates.insert(0, cast("Content", {"update_id": 0, "nonsense": True}))
    line.runs()
    await line.until(lambda: line.hands.done == [0, 1])
    others: list[Any] = [{"update_id": "1"}, {"update_id": True}, [], {}, None]
    assert [other for other in others if is_update(other)] == []


async def test_trouble_is_waited_for(line: Line) -> None:
    line.telegram.errors = [NetworkError("x"), RetryAfter(0), NetworkError("y"), NetworkError("z")]
    line.telegram.tells(1)
    line.runs()
    await line.until(lambda: line.hands.done == [1])
    assert len(line.telegram.asked) >= 5


async def test_a_token_that_was_revoked_ends_it(line: Line) -> None:
    line.telegram.errors = [InvalidToken()]
    line.runs()
    assert line.running is not None
    with pytest.raises(InvalidToken):
        await line.running


async def test_a_fault_of_ours_is_told_and_holds_up_nobody(
    line: Line, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def stumbles(_: Content) -> None:
        raise RuntimeError("boom")

    monkeypatch.setattr(line.hands, "bring", stumbles)
    line.telegram.tells(1, 2)
    line.runs()
    await line.until(lambda: not line.telegram.updates)
    assert caplog.text.count("RuntimeError: boom") == 2


async def test_a_stop_finishes_and_confirms(line: Line) -> None:
    line.hands.holds(2)
    line.telegram.tells(1, 2)
    line.runs()
    await line.until(lambda: line.hands.done == [1])
    await line.stops()
    asyncio.get_running_loop().call_later(0.02, line.hands.held[2].set)
    await line.fetching.stop()
    assert line.hands.done == [1, 2]
    assert line.telegram.numbers == []


async def test_a_stop_waits_for_nobody_for_ever_and_confirms_nothing_that_is_not_done(line: Line) -> None:
    line.hands.holds(2)
    line.telegram.tells(1, 2, 3)
    line.runs()
    await line.until(lambda: line.hands.done == [1, 3])
    await line.stops()
    await line.fetching.stop()
    assert line.telegram.numbers == [2, 3]


async def test_a_stop_of_what_never_fetched_asks_nothing(line: Line) -> None:
    await line.fetching.stop()
    assert line.telegram.asked == []


async def test_every_answer_is_a_beat_of_the_pulse(line: Line) -> None:
    line.pulse._heard -= 100
    line.telegram.tells(1)
    line.runs()
    await line.until(lambda: line.hands.done == [1])
    assert line.pulse.seconds < 50
    assert line.telegram.asked[0]["offset"] == "0"
