"""Updates pushed to the bot, over real sockets."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from tests.judges import judge_update
from tests.playground.stage import Stage

SECRET = "sesame"


class Receiver:
    """A bot's HTTP server that answers what it is told to and keeps what it got."""

    def __init__(self) -> None:
        self.answers: list[int] = []
        self.got: list[tuple[int, str, dict[str, Any]]] = []
        self.gates: dict[str, asyncio.Event] = {}
        self.news = asyncio.Event()

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        headers = dict(line.split(": ", 1) for line in head.strip().split("\r\n")[1:])
        update = json.loads(await reader.readexactly(int(headers["content-length"])))
        status = self.answers.pop(0) if self.answers else 200
        data = update.get("callback_query", {}).get("data", "")
        if data in self.gates:
            await self.gates[data].wait()
        self.got.append((status, headers["x-telegram-bot-api-secret-token"], update))
        self.news.set()
        writer.write(f"HTTP/1.1 {status} Whatever\r\nContent-Length: 0\r\n\r\n".encode())
        await writer.drain()
        writer.close()

    async def wait_for(self, count: int) -> None:
        async with asyncio.timeout(5):
            while len(self.got) < count:
                self.news.clear()
                await self.news.wait()


async def webhook_info(stage: Stage, wanted: Callable[[Any], bool]) -> Any:
    """getWebhookInfo as soon as it is as wanted."""
    for _ in range(1000):
        if wanted(info := await stage.call("getWebhookInfo")):
            return info
        await asyncio.sleep(0.005)
    raise AssertionError(info)


@pytest.fixture
async def receiver(stage: Stage) -> AsyncIterator[Receiver]:
    receiver = Receiver()
    server = await asyncio.start_server(receiver.handle, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    await stage.call("setWebhook", url=f"http://127.0.0.1:{port}/hook?x=1", secret_token=SECRET)
    yield receiver
    stage.playground.webhook.remove()
    server.close()
    await server.wait_closed()


async def test_updates_come_in_order_with_the_secret_until_they_are_taken(stage: Stage, receiver: Receiver) -> None:
    receiver.answers = [500, 503]
    ann = await stage.person("Ann")
    chat = await stage.group(ann)
    await stage.do(ann, "write", chat=chat, text="/join")
    await receiver.wait_for(5)
    assert [status for status, _, _ in receiver.got] == [500, 503, 200, 200, 200]
    numbers = [update["update_id"] for _, _, update in receiver.got]
    assert numbers[0] == numbers[1] == numbers[2] < numbers[3] < numbers[4]
    assert {secret for _, secret, _ in receiver.got} == {SECRET}
    for _, _, update in receiver.got:
        judge_update(update)
    info = await webhook_info(stage, lambda info: info["pending_update_count"] == 0)
    assert info["last_error_message"] == "Wrong response from the webhook: 503 Whatever"
    assert info["max_connections"] == 40


async def test_two_people_are_served_at_once_and_one_in_order(stage: Stage, receiver: Receiver) -> None:
    ann, bob = await stage.person("Ann"), await stage.person("Bob")
    chat = await stage.group(ann, bob)
    board = (await stage.call("sendMessage", chat_id=chat, text="board"))["message_id"]
    await receiver.wait_for(2)
    receiver.gates["slow"] = asyncio.Event()
    for who, data in ((ann, "slow"), (ann, "second"), (bob, "other")):
        await stage.do(who, "tap", chat=chat, message=board, data=data)
    await receiver.wait_for(3)
    receiver.gates["slow"].set()
    await receiver.wait_for(5)
    assert [update["callback_query"]["data"] for _, _, update in receiver.got[2:]] == ["other", "slow", "second"]


async def test_polling_is_refused_while_a_webhook_is_set(stage: Stage, receiver: Receiver) -> None:
    assert receiver.got == []
    refusal = await stage.refusal("getUpdates")
    assert refusal.startswith("Conflict: can't use getUpdates method while webhook is active")
    assert (await stage.answer("deleteWebhook"))["description"] == "Webhook was deleted"
    assert await stage.updates() == []


async def test_setting_a_webhook_ends_the_poll_and_delivers_what_waits(stage: Stage) -> None:
    await stage.person("Ann")
    poll = asyncio.create_task(stage.answer("getUpdates", timeout=5))
    await asyncio.sleep(0.01)
    await stage.call("setWebhook", url="http://127.0.0.1:9/x")
    assert (await poll)["error_code"] == 409
    await stage.group(await stage.person("Bob"))
    info = await webhook_info(stage, lambda info: "last_error_message" in info)
    assert (info["last_error_message"], info["pending_update_count"]) == ("Connection refused", 2)
    await stage.call("setWebhook", url="")
    assert (await stage.call("getWebhookInfo"))["url"] == ""


@pytest.mark.parametrize(
    ("parameters", "problem"),
    [
        ({"url": "ftp://x"}, "invalid webhook URL specified"),
        ({"url": "nonsense"}, "invalid webhook URL specified"),
        ({"url": "https://x:port"}, "invalid webhook URL specified"),
        ({"url": "http://example.com/x"}, "bad webhook: An HTTPS URL must be provided for webhook"),
        ({"url": "https://x/", "secret_token": "bad token!"}, "secret token contains unallowed characters"),
    ],
)
async def test_webhooks_that_are_refused(stage: Stage, parameters: dict[str, str], problem: str) -> None:
    assert await stage.refusal("setWebhook", **parameters) == f"Bad Request: {problem}"
