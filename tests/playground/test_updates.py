"""The queue of updates."""

import asyncio
from typing import Any

import pytest

from tests.playground.stage import Clock
from tgbot.playground.errors import ApiError
from tgbot.playground.updates import WEBHOOK_ACTIVE, Updates


@pytest.fixture
def updates(clock: Clock) -> Updates:
    return Updates(clock, first_id=100)


def ids(found: list[Any]) -> list[int]:
    return [update["update_id"] for update in found]


def add(updates: Updates, *kinds: str) -> None:
    for kind in kinds:
        updates.add(kind, {"x": 1}, "lane")


async def test_an_update_stays_until_a_higher_offset_confirms_it(updates: Updates) -> None:
    add(updates, "message", "callback_query", "message")
    assert ids(await updates.poll(0, 100, 0)) == [100, 101, 102]
    assert ids(await updates.poll(0, 2, 0)) == [100, 101]
    assert ids(await updates.poll(102, 100, 0)) == [102]
    assert ids(await updates.poll(0, 100, 0)) == [102]
    assert ids(await updates.poll(103, 100, 0)) == []


async def test_a_negative_offset_keeps_the_last_ones(updates: Updates) -> None:
    add(updates, "message", "message", "message")
    assert ids(await updates.poll(-1, 100, 0)) == [102]
    assert ids(await updates.poll(0, 100, 0)) == [102]


async def test_a_long_poll_ends_with_the_first_update(updates: Updates) -> None:
    poll = asyncio.create_task(updates.poll(0, 100, 5))
    await asyncio.sleep(0)
    add(updates, "message")
    assert ids(await poll) == [100]


async def test_a_long_poll_ends_empty_when_time_is_up(updates: Updates) -> None:
    assert await updates.poll(0, 100, 0.01) == []


async def test_a_closed_queue_lets_nobody_wait(updates: Updates) -> None:
    poll = asyncio.create_task(updates.poll(0, 100, 5))
    await asyncio.sleep(0)
    updates.close()
    assert await poll == []
    assert await updates.poll(0, 100, 5) == []


async def test_a_second_poller_throws_out_the_first(updates: Updates) -> None:
    first = asyncio.create_task(updates.poll(0, 100, 5))
    await asyncio.sleep(0)
    second = asyncio.create_task(updates.poll(0, 100, 5))
    with pytest.raises(ApiError, match="Conflict: terminated by other getUpdates request"):
        await first
    add(updates, "message")
    assert ids(await second) == [100]


async def test_a_webhook_ends_the_poll(updates: Updates) -> None:
    poll = asyncio.create_task(updates.poll(0, 100, 5))
    await asyncio.sleep(0)
    updates.terminate(WEBHOOK_ACTIVE)
    with pytest.raises(ApiError, match="can't use getUpdates method while webhook is active"):
        await poll


async def test_chat_member_comes_only_when_asked_for(updates: Updates) -> None:
    add(updates, "chat_member", "my_chat_member")
    assert [list(update)[1] for update in await updates.poll(0, 100, 0)] == ["my_chat_member"]
    updates.remember_allowed(["chat_member", "no_such_kind"])
    add(updates, "chat_member", "message")
    assert [list(update)[1] for update in await updates.poll(101, 100, 0)] == ["chat_member"]
    updates.remember_allowed(None)
    assert updates.allowed == ["chat_member"]
    updates.remember_allowed([])
    add(updates, "message")
    assert len(await updates.poll(102, 100, 0)) == 1


async def test_old_taps_are_dropped_and_old_messages_are_not(updates: Updates, clock: Clock) -> None:
    add(updates, "message", "callback_query")
    clock.now += 151
    add(updates, "callback_query")
    assert ids(await updates.poll(0, 100, 0)) == [100, 102]


async def test_duplicates_come_twice_with_one_id(updates: Updates) -> None:
    updates.duplicates = 1
    add(updates, "callback_query", "message")
    assert ids(await updates.poll(0, 100, 0)) == [100, 100, 101]
    assert ids(await updates.poll(101, 100, 0)) == [101]


async def test_a_late_update_holds_up_its_lane_and_no_other(updates: Updates) -> None:
    updates.late, updates.late_by = 1, 0.02
    content: dict[str, Any] = {"n": 1}
    updates.add("message", content, "slow")
    content["n"] = 2
    updates.add("message", content, "slow")
    updates.add("message", {"n": 3}, "quick")
    assert updates.held == 2
    assert [update["message"]["n"] for update in await updates.poll(0, 100, 0)] == [3]
    async with asyncio.timeout(10):
        while updates.held:
            await asyncio.sleep(0.005)
    found = await updates.poll(0, 100, 0)
    assert [update["message"]["n"] for update in found] == [3, 1, 2]
    assert ids(found) == [100, 101, 102]


async def test_a_late_update_is_as_old_as_what_it_tells(clock: Clock, updates: Updates) -> None:
    updates.late, updates.late_by = 1, 0.0
    add(updates, "callback_query")
    clock.now += 151
    async with asyncio.timeout(10):
        while updates.held:
            await asyncio.sleep(0)
    assert await updates.poll(0, 100, 0) == []


async def test_an_update_tells_what_was_true_then(updates: Updates) -> None:
    content = {"text": "before"}
    updates.add("message", content, "lane")
    content["text"] = "after"
    assert (await updates.poll(0, 100, 0))[0]["message"] == {"text": "before"}
