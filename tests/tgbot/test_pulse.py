"""Fetching updates: the next ones are asked for, and so the last ones confirmed, when those are handled."""

import asyncio
import time
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr
from telegram.request import HTTPXRequest

from tgbot import pulse as pulse_module
from tgbot.application import build
from tgbot.pulse import PollingRequest, Pulse
from tgbot.settings import Settings


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """When Telegram was asked."""
    times: list[float] = []

    async def answer(*_: Any, **__: Any) -> tuple[int, bytes]:
        times.append(time.monotonic())
        return 200, b"{}"

    monkeypatch.setattr(HTTPXRequest, "do_request", answer)
    return times


async def test_what_was_fetched_is_confirmed_when_it_is_handled(asked: list[float]) -> None:
    """Else a process that is killed takes with it what it had fetched and not played."""
    request, handled = PollingRequest(Pulse()), asyncio.Event()
    waiting = asyncio.Event()

    async def handles() -> None:
        waiting.set()
        await handled.wait()

    request.handled = handles
    fetching = asyncio.create_task(request.do_request("url", "POST"))
    await waiting.wait()
    assert asked == []
    handled.set()
    assert (await fetching)[0] == 200
    assert len(asked) == 1


async def test_one_slow_chat_does_not_stop_the_others(asked: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pulse_module, "_HANDLING", 0.05)
    request = PollingRequest(Pulse())
    begun = time.monotonic()

    async def handles() -> None:
        await asyncio.Event().wait()

    request.handled = handles
    await request.do_request("url", "POST")
    assert asked[0] - begun >= 0.05


async def test_without_anything_to_wait_for_it_asks_at_once(asked: list[float]) -> None:
    await PollingRequest(Pulse()).do_request("url", "POST")
    assert len(asked) == 1


async def test_the_bot_waits_for_its_own_queue(tmp_path: Path) -> None:
    house = build(Settings(telegram_bot_token=SecretStr("1:A"), database_url=f"sqlite:///{tmp_path}/tables.db"))
    handled = house.polling_request.handled
    assert handled is not None
    await house.app.update_queue.put("an update")
    waiting = asyncio.ensure_future(handled())
    await asyncio.sleep(0)
    assert not waiting.done()
    house.app.update_queue.task_done()
    await waiting
    await house.engine.dispose()
