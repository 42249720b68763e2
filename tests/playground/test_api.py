"""The transport: how a call may be written, what is answered, what is recorded."""

import json
from typing import Any

import pytest

from tests.playground.stage import Stage

SCOPE = {"type": "all_group_chats"}
COMMANDS = [{"command": "join", "description": "take a seat 🃏"}]


@pytest.mark.parametrize("way", ["json", "form", "multipart", "query"])
async def test_every_way_to_write_a_call(stage: Stage, way: str) -> None:
    url = f"/bot{stage.playground.token}/SETmyCommands"
    form = {"commands": json.dumps(COMMANDS), "scope": json.dumps(SCOPE)}
    if way == "json":
        response = await stage.client.post(url, json={"commands": COMMANDS, "scope": SCOPE})
    elif way == "form":
        response = await stage.client.post(url, data=form)
    elif way == "multipart":
        response = await stage.client.post(url, data=form, files={"x": ("a.txt", b"file")})
    else:
        response = await stage.client.get(url, params=form)
    assert response.json() == {"ok": True, "result": True}
    assert await stage.call("getMyCommands", scope=SCOPE) == COMMANDS
    exchange = stage.playground.exchanges[0]
    assert exchange["method"] == "setMyCommands"
    assert exchange["request"]["commands"] == COMMANDS
    assert stage.playground.mistakes == ([("setMyCommands", "unknown parameter x")] if way == "multipart" else [])


async def test_a_bad_token_an_unknown_method_and_no_json(stage: Stage) -> None:
    response = await stage.client.get("/bot1:wrong/getMe")
    assert (response.status_code, response.json()["description"]) == (401, "Unauthorized")
    assert await stage.answer("getMoon") == {
        "ok": False,
        "error_code": 404,
        "description": "Not Found: method not found",
    }
    assert stage.playground.mistakes == [("getMoon", "unknown method")]
    url = f"/bot{stage.playground.token}/getMe"
    for body in ("{", "[]"):
        response = await stage.client.post(url, content=body, headers={"content-type": "application/json"})
        assert response.status_code == 400


async def test_files(stage: Stage) -> None:
    for token, status in (("1:wrong", 401), (stage.playground.token, 404)):
        assert (await stage.client.get(f"/file/bot{token}/photos/x.jpg")).status_code == status


async def test_every_call_is_recorded_and_the_secret_is_not(stage: Stage) -> None:
    await stage.call("getMe")
    await stage.call("setWebhook", url="http://127.0.0.1:9/x", secret_token="sesame")
    stage.playground.webhook.remove()
    record = (await stage.client.get("/exchanges", params={"after": 1})).json()["exchanges"]
    assert [(one["n"], one["method"], one["status"]) for one in record] == [(2, "setWebhook", 200)]
    assert record[0]["request"]["secret_token"] == "hidden"
    assert record[0]["at"] == stage.clock.now


@pytest.mark.parametrize(
    ("fault", "status"),
    [
        ({"kind": "flood", "retry_after": 40}, 429),
        ({"kind": "bad_gateway", "method": "sendMessage"}, 502),
        ({"kind": "error", "status": 400, "description": "Bad Request: x"}, 400),
        ({"kind": "slow", "seconds": 0.01}, 200),
    ],
)
async def test_faults(stage: Stage, fault: dict[str, Any], status: int) -> None:
    chat = await stage.group(await stage.person("Ann"))
    await stage.client.post("/faults", json=fault)
    url = f"/bot{stage.playground.token}/sendMessage"
    response = await stage.client.post(url, json={"chat_id": chat, "text": "x"})
    assert response.status_code == status
    assert len(stage.playground.world.chats[chat].messages) == (2 if status == 200 else 1)
    await stage.call("sendMessage", chat_id=chat, text="x")


async def test_faults_are_checked_cleared_and_duplicate_updates(stage: Stage) -> None:
    assert (await stage.client.post("/faults", json={"kind": "quake"})).status_code == 400
    assert (await stage.client.post("/faults", content="x")).status_code == 400
    await stage.client.post("/faults", json={"kind": "bad_gateway", "times": 9})
    await stage.client.post("/faults/clear")
    await stage.client.post("/faults/duplicate", json={"times": 1})
    await stage.group(await stage.person("Ann"))
    first, second, third = await stage.updates()
    assert first == second != third
    await stage.client.post("/faults/late", json={"times": 5, "seconds": 60})
    await stage.group(await stage.person("Bo"))
    assert stage.playground.network.updates.held == 2
    assert await stage.updates() == []
    await stage.client.post("/faults/clear")
    assert stage.playground.network.updates.late == 0
