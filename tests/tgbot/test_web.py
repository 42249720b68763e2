"""The door for Telegram's updates, and the health page: over HTTP, in front of a whole bot on a local Telegram."""

import asyncio
import hmac
import json
import logging
import sqlite3
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, closing, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from pydantic import SecretStr
from sqlalchemy import exc, text
from telegram.error import TelegramError

from persistence.mapping import Place
from tests.databases import fresh_url
from tests.ports import free_port
from tgbot import web
from tgbot.application import House, build, running
from tgbot.playground import Playground
from tgbot.settings import Settings

SECRET = "sesame_of-the-door"
HEADER = "X-Telegram-Bot-Api-Secret-Token"
GROUP = -1001234567890
ANN = {"id": 5_000_000_001, "is_bot": False, "first_name": "Ann", "language_code": "en"}
PATIENCE = 5.0

Json = dict[str, Any]


def said(what: str, number: int = 1) -> Json:
    """An update: Ann writes a command into a group."""
    length = len(what.split()[0])
    return {
        "update_id": number,
        "message": {
            "message_id": number,
            "date": int(time.time()),
            "chat": {"id": GROUP, "type": "supergroup", "title": "Friends"},
            "from": ANN,
            "text": what,
            "entities": [{"type": "bot_command", "offset": 0, "length": length}],
        },
    }


class Street:
    """What is in front of the door: anybody may knock."""

    def __init__(self, house: House, telegram: Playground, client: httpx.AsyncClient, file: Path) -> None:
        self.house = house
        self.telegram = telegram
        self.client = client
        self._file = file
        self.stack = AsyncExitStack()

    async def post(self, update: Json | bytes, secret: str | None = SECRET) -> httpx.Response:
        body = update if isinstance(update, bytes) else json.dumps(update).encode()
        return await self.client.post("/telegram", content=body, headers={HEADER: secret} if secret is not None else {})

    async def tables(self) -> int:
        """How many tables stand in the group."""
        number, _ = await self.house.boards.number(Place(GROUP))
        return int(number > 0)

    @asynccontextmanager
    async def locked(self) -> AsyncIterator[None]:
        """Somebody else writes into the file, and takes his time."""
        other = sqlite3.connect(self._file, isolation_level=None, timeout=0)
        while not other.in_transaction:
            await asyncio.sleep(0.001)
            with suppress(sqlite3.OperationalError):
                other.execute("BEGIN IMMEDIATE")
        try:
            yield
        finally:
            other.close()

    def runs(self, statement: str) -> None:
        """Somebody else changes the file behind the bot's back."""
        with closing(sqlite3.connect(self._file, isolation_level=None)) as other:
            other.execute(statement)

    async def loses_patience(self) -> None:
        """The bot waits for the file's lock no longer than a moment."""
        with self.house.database.engine.connect() as connection:
            connection.execute(text("PRAGMA busy_timeout=50"))

    async def until(self, condition: Callable[[], Any], what: str) -> None:
        try:
            async with asyncio.timeout(PATIENCE):
                while not condition():
                    await asyncio.sleep(0.002)
        except TimeoutError:
            raise AssertionError(f"it has not happened: {what}") from None

    def is_handling(self) -> bool:
        return self.house.app.update_processor.current_concurrent_updates > 0


@pytest.fixture
async def street(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Street]:
    url, port = await fresh_url("sqlite", tmp_path), free_port()
    telegram = Playground(flood=False)
    settings = Settings(
        telegram_bot_token=SecretStr(telegram.token),
        database_url=url,
        telegram_api_url=await telegram.start(),
        group_calls_a_minute=60_000,
        calls_a_second=60_000,
        webhook_url=f"http://127.0.0.1:{port}/telegram",
        webhook_secret=SecretStr(SECRET),
        listen_port=port,
    )
    house = build(settings)
    address = f"http://127.0.0.1:{port}"
    async with httpx.AsyncClient(base_url=address, timeout=4 * PATIENCE) as client:
        street = Street(house, telegram, client, Path(url.removeprefix("sqlite:///")))
        await street.stack.enter_async_context(running(house, settings))
        yield street
        await street.stack.aclose()
    await telegram.stop()


# -- who gets in -------------------------------------------------------------------------------------


@pytest.mark.parametrize("secret", [None, "", "sesame", SECRET.upper(), SECRET + "x", "ż"])
async def test_nobody_gets_in_without_the_secret(street: Street, secret: str | None) -> None:
    headers = [] if secret is None else [(HEADER.encode(), secret.encode())]
    body = json.dumps(said("/newgame")).encode()
    assert (await street.client.post("/telegram", content=body, headers=headers)).status_code == 403
    assert await street.tables() == 0


async def test_secrets_are_compared_in_constant_time(street: Street, monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[tuple[bytes, bytes]] = []
    monkeypatch.setattr(hmac, "compare_digest", lambda a, b: compared.append((a, b)))
    assert (await street.post(said("/newgame"))).status_code == 403
    assert compared == [(SECRET.encode(), SECRET.encode())]


@pytest.mark.parametrize(
    "body",
    [
        *(b"", b"{", b"[]", b"7", b'"update"', b"null", b"\xff\xfe", b"[" * 100_000, b"{}"),
        *(b'{"update_id": "1"}', b'{"update_id": true}', b'{"update_id": null}', b'{"update_id": 1.5}'),
    ],
)
async def test_what_is_no_update_is_a_bad_request(street: Street, body: bytes) -> None:
    assert (await street.post(body)).status_code == 400


async def test_what_is_larger_than_any_update_is_not_read_to_its_end(street: Street) -> None:
    update = json.dumps(said("/newgame")).encode()
    assert (await street.post(update.ljust(web.LARGEST + 1))).status_code == 413
    assert await street.tables() == 0
    assert (await street.post(update.ljust(web.LARGEST))).status_code == 200
    assert await street.tables() == 1


async def test_only_posts_to_the_door(street: Street) -> None:
    assert (await street.client.get("/telegram", headers={HEADER: SECRET})).status_code == 405
    for path in ("/", "/telegram/", "/telegram/x"):
        assert (await street.client.post(path, headers={HEADER: SECRET}, json={})).status_code == 404


# -- what the answer means ---------------------------------------------------------------------------


async def test_the_answer_comes_after_the_commit(street: Street) -> None:
    async with street.locked():
        answer = asyncio.create_task(street.post(said("/newgame")))
        await street.until(street.is_handling, "the update is being handled")
        await asyncio.sleep(0.05)
        assert not answer.done()
    assert (await answer).status_code == 200
    assert await street.tables() == 1


async def test_an_update_that_the_database_did_not_keep_is_to_come_again(street: Street) -> None:
    await street.loses_patience()
    async with street.locked():
        assert (await street.post(said("/newgame"))).status_code == 503
    assert await street.tables() == 0
    assert (await street.post(said("/newgame"))).status_code == 200
    assert await street.tables() == 1


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (exc.OperationalError("SELECT", None, Exception("database is locked")), 503),
        (exc.DBAPIError("SELECT", None, Exception("the server is shutting down")), 503),
        (exc.TimeoutError("no connection is free"), 503),
        (ConnectionRefusedError(), 503),
        (exc.IntegrityError("INSERT", None, Exception("chips_not_negative")), 200),
        (exc.DataError("INSERT", None, Exception("out of range")), 200),
        (KeyError("a slip of ours"), 200),
        (TelegramError("not the database's"), 200),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else value,
)
async def test_only_what_may_go_well_another_time_is_to_come_again(
    street: Street, error: Exception, status: int, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def at(_: Place) -> Any:
        raise error

    with monkeypatch.context() as broken:
        broken.setattr(street.house.tables, "at", at)
        assert (await street.post(said("/newgame"))).status_code == status
    assert "an update could not be handled" in caplog.text
    assert (await street.post(said("/newgame", 2))).status_code == 200
    assert await street.tables() == 1


@pytest.mark.parametrize(
    "strange",
    [
        {"message": {"message_id": "x"}},
        {"callback_query": []},
        {"message": 7},
        {"message": {"chat": 7}},
    ],
)
async def test_an_update_like_none_that_is_known_is_dropped_and_its_text_is_not_logged(
    street: Street, strange: Json, caplog: pytest.LogCaptureFixture
) -> None:
    assert (await street.post({"update_id": 731, **strange})).status_code == 200
    assert "update 731" in caplog.text


async def test_updates_that_nobody_asked_for_are_taken_and_ignored(street: Street) -> None:
    assert (await street.post({"update_id": 1})).status_code == 200
    assert (await street.post({"update_id": 2, "something_of_next_year": {"a": 1}})).status_code == 200


async def test_telegram_is_told_the_address_the_secret_and_what_is_wanted(street: Street) -> None:
    (call,) = (entry["request"] for entry in street.telegram.exchanges if entry["method"] == "setWebhook")
    assert call["url"].endswith("/telegram")
    assert call["secret_token"] == "hidden"
    assert call["allowed_updates"] == ["message", "callback_query", "my_chat_member", "chat_member"]
    assert call["drop_pending_updates"] in (False, "false")
    assert street.telegram.webhook.active


# -- the end -----------------------------------------------------------------------------------------


async def test_a_stop_takes_nothing_new_and_finishes_what_it_has(
    street: Street, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    async with street.locked():
        under_way = asyncio.create_task(street.post(said("/newgame")))
        await street.until(street.is_handling, "the update is being handled")
        closing = asyncio.create_task(street.stack.aclose())
        await street.until(lambda: "Shutting down" in caplog.text, "nothing is served any more")
        with pytest.raises(httpx.ConnectError):
            await street.post(said("/join", 2))
        assert not under_way.done()
    assert (await under_way).status_code == 200
    await closing
    board = [entry for entry in street.telegram.exchanges if entry["method"] == "sendMessage"]
    assert len(board) == 1  # the local Telegram knows no such group; that it was tried is what counts
    assert street.telegram.webhook.active  # other replicas, and Telegram keeps the updates


async def test_a_door_that_is_closed_asks_telegram_to_come_again(street: Street) -> None:
    """Before it is opened, and from the moment on when the bot is told to stop."""
    house = street.house
    door = web.Webhook(house.app, house.duty, house.delivery, house.pulse, "https://bot.example.org/", SECRET)
    health = web.Health(house.boards, house.pulse, lambda: (door.role, door.is_well))
    behind = httpx.ASGITransport(web.application(health, door))
    async with httpx.AsyncClient(transport=behind, base_url="http://bot") as client:
        for _ in range(2):
            answer = await client.post("/", json=said("/newgame"), headers={HEADER: SECRET})
            assert (answer.status_code, answer.headers["Retry-After"]) == (503, "1")
            assert await street.tables() == 0
            await door.stop()


# -- health ------------------------------------------------------------------------------------------


async def test_the_health_of_a_bot_that_is_well(street: Street) -> None:
    answer = await street.client.get("/healthz")
    assert answer.status_code == 200
    report = answer.json()
    assert 0 <= report.pop("seconds_since_telegram") < 60
    assert report == {"ok": True, "role": "webhook", "database": True, "boards_waiting": 0}


async def test_every_update_is_a_sign_of_life(street: Street) -> None:
    street.house.pulse._heard -= 100
    assert (await street.client.get("/healthz")).json()["seconds_since_telegram"] >= 100
    await street.post(said("/help"), secret="forged")
    assert (await street.client.get("/healthz")).json()["seconds_since_telegram"] >= 100
    await street.post(said("/help"))
    assert (await street.client.get("/healthz")).json()["seconds_since_telegram"] < 100


async def test_boards_that_wait_are_counted(street: Street, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(street.house.keeper, "wake", lambda _: None)
    await street.post(said("/newgame"))
    assert (await street.client.get("/healthz")).json()["boards_waiting"] == 1


async def test_a_database_that_does_not_answer_in_time(street: Street, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many ask, it is asked once; and when it answers again, the bot is well again."""
    monkeypatch.setattr(web, "_ANSWER", 0.1)
    async with street.locked():
        stuck = asyncio.create_task(street.post(said("/newgame")))
        await street.until(street.is_handling, "a move waits for the lock, and has the only connection")
        answers = await asyncio.gather(*(street.client.get("/healthz") for _ in range(5)))
        assert [answer.status_code for answer in answers] == [503] * 5
        assert {json.dumps(answer.json()["database"]) for answer in answers} == {"false"}
    assert (await stuck).status_code == 200
    monkeypatch.setattr(web, "_ANSWER", PATIENCE)
    assert (await street.client.get("/healthz")).status_code == 200


async def test_a_database_that_refuses(street: Street, caplog: pytest.LogCaptureFixture) -> None:
    street.runs("ALTER TABLE tables RENAME TO elsewhere")
    answer = await street.client.get("/healthz")
    street.runs("ALTER TABLE elsewhere RENAME TO tables")
    assert answer.status_code == 503
    assert answer.json()["boards_waiting"] is None
    assert "the database does not answer" in caplog.text


async def test_no_secret_is_shown(street: Street, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    pages = [
        await street.post(said("/newgame")),
        await street.post(said("/newgame"), secret="forged"),
        await street.post(b"{"),
        await street.client.get("/healthz"),
        await street.client.get("/nothing"),
    ]
    ours = [record.getMessage() for record in caplog.records if record.name.startswith(("tgbot", "uvicorn"))]
    for shown in (*ours, *(page.text + str(page.headers) for page in pages)):
        assert SECRET not in shown
        assert street.telegram.token.partition(":")[2] not in shown
