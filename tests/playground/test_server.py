"""The server as a process sees it: started, stopped, its page, its silence about the token."""

import asyncio
import logging

import httpx
import pytest

from tgbot.playground import Playground


async def test_it_starts_on_a_free_port_and_stops_while_clients_wait(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "uvicorn")
    playground = Playground()
    url = await playground.start()
    async with httpx.AsyncClient(base_url=url) as client:
        assert (await client.get(f"/bot{playground.token}/getMe")).json()["ok"]
        poll = asyncio.create_task(client.get(f"/bot{playground.token}/getUpdates?timeout=50"))
        events = asyncio.create_task(client.get("/people/events?after=99&timeout=50"))
        await asyncio.sleep(0.05)
        await playground.stop()
        assert (await poll).json() == {"ok": True, "result": []}
        assert (await events).json()["events"] == []
        with pytest.raises(httpx.ConnectError):
            await client.get("/")
    uvicorns = [record.getMessage() for record in caplog.records if record.name.startswith("uvicorn")]
    assert uvicorns
    assert not any(playground.token in message for message in uvicorns)


@pytest.mark.parametrize("executed", [False, True])
async def test_a_dropped_connection(executed: bool) -> None:
    playground = Playground()
    async with httpx.AsyncClient(base_url=await playground.start()) as client:
        ann = (await client.post("/people", json={"first_name": "Ann"})).json()["id"]
        chat = (await client.post(f"/people/{ann}/groups", json={"title": "x"})).json()["id"]
        await client.post("/faults", json={"kind": "drop", "executed": executed})
        with pytest.raises(httpx.RemoteProtocolError):
            await client.post(f"/bot{playground.token}/sendMessage", json={"chat_id": chat, "text": "x"})
    await playground.stop()
    assert len(playground.world.chats[chat].messages) == (2 if executed else 1)
    assert playground.exchanges[-1]["response"] is None


async def test_a_taken_port_is_an_error_for_the_caller() -> None:
    playground = Playground()
    url = await playground.start()
    with pytest.raises(OSError, match="in use"):
        await Playground().start(port=int(url.rpartition(":")[2]))
    await playground.stop()


async def test_stopping_before_starting_is_harmless() -> None:
    await Playground().stop()


def test_the_bot_has_the_id_of_its_token() -> None:
    assert Playground(token="42:x").world.bot.id == 42
    assert Playground(token="x").world.bot.id == 7_654_321_098
