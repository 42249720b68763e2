"""Polling under its watchdog, against a local Telegram that hangs, answers nothing, or comes back (trap 19)."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from pydantic import SecretStr

from tests.databases import fresh_url
from tests.ports import free_port
from tgbot.application import House, build, running
from tgbot.playground import Playground
from tgbot.playground.faults import Fault
from tgbot.polling import Polling, StalledError, WebhookSetError
from tgbot.request import Outage, Request
from tgbot.settings import Settings

PATIENCE = 15.0
"""Real seconds after which something that should have happened has not."""
LIMIT = 0.3
"""Seconds without news that these bots put up with."""


class Poller:
    """A bot that polls, and the task that looks after it."""

    def __init__(self, house: House, polling: Polling, looking_after: asyncio.Task[None]) -> None:
        self.house = house
        self.polling = polling
        self.looking_after = looking_after


async def plain_settings(telegram: Playground, folder: Path, **more: Any) -> Settings:
    """A bot on SQLite that polls."""
    return Settings(
        telegram_bot_token=SecretStr(telegram.token),
        database_url=await fresh_url("sqlite", folder),
        telegram_api_url=telegram.url,
        **more,
    )


@asynccontextmanager
async def polls(telegram: Playground, folder: Path) -> AsyncIterator[Poller]:
    house = build(await plain_settings(telegram, folder))
    async with house.app:
        await house.app.start()
        parts = (house.app, house.duty, house.locks, house.fetching, house.pulse)
        polling = Polling(*parts, patience=LIMIT, look=0.02)
        await polling.start()
        looking_after = asyncio.create_task(polling.run())
        try:
            yield Poller(house, polling, looking_after)
        finally:
            looking_after.cancel()
            await asyncio.gather(looking_after, return_exceptions=True)
            await polling.stop()
            await house.app.stop()
            await house.duty.end()
            await house.voice.finish()
            await house.keeper.close()
    await house.database.close()


def impatient(outage: Outage, connections: int = 1) -> Request:
    """Whatever fetches updates gives up soon."""
    return Request(outage, connections, **({"seconds": 0.3} if connections == 1 else {}))


@pytest.fixture
async def telegram(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Playground]:
    """Its long polls wait a moment only, so that a bot without news has heard of it all the same."""
    monkeypatch.setattr("tgbot.application.Request", impatient)
    playground = Playground(flood=False)
    poll = playground.network.updates.poll

    async def short(offset: int, limit: int, timeout: float) -> list[Any]:  # noqa: ASYNC109 - as the bot says it
        return await poll(offset, limit, min(timeout, 0.05))

    monkeypatch.setattr(playground.network.updates, "poll", short)
    await playground.start()
    yield playground
    await playground.stop()


@pytest.fixture
async def begin(telegram: Playground, tmp_path: Path) -> AsyncIterator[Callable[[], Awaitable[Poller]]]:
    async with AsyncExitStack() as stack:

        async def begun() -> Poller:
            return await stack.enter_async_context(polls(telegram, tmp_path))

        yield begun
        telegram.faults.clear()


async def until(condition: Callable[[], Any], what: str) -> None:
    try:
        async with asyncio.timeout(PATIENCE):
            while not condition():
                await asyncio.sleep(0.005)
    except TimeoutError:
        raise AssertionError(f"it has not happened: {what}") from None


async def says_hello(telegram: Playground) -> None:
    """Somebody writes to the bot and is answered."""
    async with httpx.AsyncClient(base_url=telegram.url) as client:
        ann = (await client.post("/people", json={"first_name": "Ann"})).json()["id"]
        before = len(answers(telegram))
        assert (await client.post(f"/people/{ann}/start", json={})).status_code == 200
    await until(lambda: len(answers(telegram)) > before, "/start is answered")


def answers(telegram: Playground) -> list[Any]:
    return [entry for entry in telegram.exchanges if entry["method"] == "sendMessage"]


Begin = Callable[[], Awaitable[Poller]]


async def test_polling_that_works_is_left_alone(
    begin: Begin, telegram: Playground, caplog: pytest.LogCaptureFixture
) -> None:
    poller = await begin()
    await says_hello(telegram)
    await asyncio.sleep(2 * LIMIT)
    assert poller.polling.role == "polling"
    assert poller.polling.is_well
    assert "begun anew" not in caplog.text
    assert not poller.looking_after.done()


async def test_a_poll_that_hangs_for_ever_is_begun_anew(
    begin: Begin, telegram: Playground, caplog: pytest.LogCaptureFixture
) -> None:
    """No answer and no error: 15 seconds would go by until the request gives up, and days in the worst case."""
    poller = await begin()
    telegram.faults.add(Fault("slow", "getUpdates", seconds=10 * PATIENCE))
    await until(lambda: not poller.polling.is_well, "nothing comes in any more")
    await says_hello(telegram)
    assert caplog.text.count("polling is begun anew") == 1
    await until(lambda: poller.polling.is_well, "it works again")
    assert not poller.looking_after.done()


async def test_a_stall_that_is_not_cured_twice_ends_the_process(
    begin: Begin, telegram: Playground, caplog: pytest.LogCaptureFixture
) -> None:
    """Everything else works, so it is this process: its supervisor starts another one."""
    poller = await begin()
    telegram.faults.add(Fault("bad_gateway", "getUpdates", times=1_000_000))
    with pytest.raises(StalledError, match="though Telegram answers"):
        async with asyncio.timeout(PATIENCE):
            await poller.looking_after
    assert caplog.text.count("polling is begun anew") == 2


async def test_an_outage_of_telegrams_is_waited_for(begin: Begin, telegram: Playground) -> None:
    """However long: a new process could not do better, and perhaps nobody would start it."""
    poller = await begin()
    for method in ("*", "getUpdates"):
        telegram.faults.add(Fault("bad_gateway", method, times=1_000_000))
    await asyncio.sleep(8 * LIMIT)
    assert not poller.looking_after.done()
    assert not poller.polling.is_well
    telegram.faults.clear()
    await says_hello(telegram)
    await until(lambda: poller.polling.is_well, "it works again")


async def test_polling_does_not_begin_while_a_webhook_is_set(telegram: Playground, tmp_path: Path) -> None:
    """Trap 6; and the webhook stays."""
    telegram.webhook.set(f"http://127.0.0.1:{free_port()}/somebody/elses", "", 40)
    settings = await plain_settings(telegram, tmp_path)
    with pytest.raises(WebhookSetError, match="set WEBHOOK_URL") as refused:
        async with running(build(settings), settings):
            pass
    assert "somebody" not in str(refused.value)
    assert telegram.webhook.active


async def test_the_health_page_of_a_bot_that_polls(telegram: Playground, tmp_path: Path) -> None:
    """Served where the host wants it; behind it, the door is shut."""
    port = free_port()
    settings = await plain_settings(telegram, tmp_path, listen_port=port)
    house = build(settings)
    async with (
        running(house, settings),
        httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}") as client,
    ):
        answer = await client.get("/healthz")
        assert answer.status_code == 200
        assert answer.json()["role"] == "polling"
        assert (await client.post("/telegram", json={"update_id": 1})).status_code == 404
        telegram.faults.add(Fault("slow", "getUpdates", seconds=10 * PATIENCE, times=1))
        house.pulse._heard -= 1_000
        await until(lambda: not telegram.faults._queue, "the next poll hangs")
        house.pulse._heard -= 1_000
        assert (await client.get("/healthz")).status_code == 503
