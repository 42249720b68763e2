"""The interface of the simulated people: state, messages, events."""

import asyncio
from typing import Any

from tests.playground.stage import Stage


async def test_people_are_made_with_ids_of_their_own_or_given_ones(stage: Stage) -> None:
    ann = await stage.person("Ann", language_code="de")
    assert await stage.person("Bob", id=5_000_000_002) == 5_000_000_002
    assert await stage.person("Eve") == 5_000_000_003
    wrongs: list[Any] = [{"first_name": "X", "id": ann}, {"first_name": " "}, {}, {"first_name": 5}, []]
    for wrong in wrongs:
        assert (await stage.client.post("/people", json=wrong)).status_code == 400
    assert await stage.refused(1, "start") == 404
    assert (await stage.client.post("/people/ann/start")).status_code == 404


async def test_state(stage: Stage) -> None:
    ann, bob = await stage.person("Ann", username="ann"), await stage.person("Bob")
    group = await stage.group(ann, bob, forum=True)
    topic = (await stage.do(bob, "topic", chat=group, name="Cards"))["id"]
    await stage.do(ann, "start")
    state = (await stage.client.get("/people/state")).json()
    assert state["bot"]["id"] == stage.bot
    assert state["people"][0] == {
        "id": ann,
        "is_bot": False,
        "first_name": "Ann",
        "username": "ann",
        "started": True,
        "blocked": False,
    }
    forum, private = state["chats"]
    assert forum["members"] == [
        {"id": ann, "status": "creator", "is_anonymous": False},
        {"id": bob, "status": "member", "is_anonymous": False},
        {"id": stage.bot, "status": "member", "is_anonymous": False},
    ]
    assert forum["topics"] == [{"id": topic, "name": "Cards"}]
    assert (forum["is_forum"], forum["type"], forum["migrated_to"]) == (True, "supergroup", None)
    assert (private["id"], private["type"], private["title"]) == (ann, "private", "Ann")
    assert state["seq"] == (await stage.events())[-1]["seq"]


async def test_messages_are_for_members(stage: Stage) -> None:
    ann, eve = await stage.person("Ann"), await stage.person("Eve")
    group = await stage.group(ann)
    written = await stage.do(ann, "write", chat=group, text="hello")
    found = (await stage.client.get(f"/people/{ann}/chats/{group}/messages")).json()
    assert found["messages"][-1] == written
    assert (await stage.client.get(f"/people/{eve}/chats/{group}/messages")).status_code == 403
    assert (await stage.client.get(f"/people/{eve}/chats/1/messages")).status_code == 404


async def test_events_can_be_waited_for(stage: Stage) -> None:
    ann = await stage.person("Ann")
    group = await stage.group(ann)
    seq = (await stage.events())[-1]["seq"]
    waiting = asyncio.create_task(stage.client.get("/people/events", params={"after": seq, "timeout": 5}))
    await asyncio.sleep(0.01)
    await stage.do(ann, "write", chat=group, text="hello")
    response = (await waiting).json()
    assert [(event["kind"], event["message"]["text"]) for event in response["events"]] == [("message", "hello")]
    assert response["seq"] == seq + 1
    assert await stage.events(after=seq + 1) == []
    assert (await stage.client.get("/people/events", params={"after": "x"})).status_code == 400


async def test_a_tap_can_wait_for_its_answer(stage: Stage) -> None:
    ann = await stage.person("Ann")
    group = await stage.group(ann)
    board = (await stage.call("sendMessage", chat_id=group, text="board"))["message_id"]
    assert (await stage.do(ann, "tap", chat=group, message=board, data="x", wait=0.01))["answer"] is None
    await stage.updates()
    waiting = asyncio.create_task(stage.do(ann, "tap", chat=group, message=board, data="x", wait=5))
    await asyncio.sleep(0.01)
    [update] = await stage.updates()
    await stage.call("answerCallbackQuery", callback_query_id=update["callback_query"]["id"], text="in")
    assert (await waiting)["answer"] == {"text": "in", "show_alert": False, "url": None}
    assert await stage.refused(ann, "tap", chat=group, message=board, data="x", wait="x") == 400
