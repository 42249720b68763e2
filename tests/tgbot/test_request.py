"""Calls through aiohttp: what python-telegram-bot was promised, and an outage in two lines of the log."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from telegram.error import BadRequest, Conflict, InvalidToken, NetworkError, RetryAfter, TelegramError, TimedOut
from telegram.request import RequestData

from tgbot import request as request_module
from tgbot.request import Outage, Request, log_level

SECRET = "AAH-very-secret"
OK = b'{"ok": true, "result": [1, 2]}'
HTML = b"<html><body>Bad Gateway</body></html>"


def answer(body: bytes, status: int = 200) -> bytes:
    return b"HTTP/1.1 %d Whatever\r\nContent-Length: %d\r\n\r\n%s" % (status, len(body), body)


class Server:
    """It answers as it is told, one answer a request; ``None`` is silence, no bytes are a connection that is cut."""

    def __init__(self) -> None:
        self.answers: list[bytes | None] = []
        self.asked: list[bytes] = []
        self.connections = 0
        self.address = ""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                lines = [line.partition(b": ") for line in head.lower().split(b"\r\n")]
                length = next((int(value) for name, _, value in lines if name == b"content-length"), 0)
                self.asked.append(head + await reader.readexactly(length))
                said = self.answers.pop(0)
                if said is None:
                    await asyncio.sleep(10)
                if not said:
                    return
                writer.write(said)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()


@pytest.fixture
def server() -> Server:
    return Server()


@asynccontextmanager
async def asking(server: Server, seconds: float = 5.0) -> AsyncIterator[Request]:
    listening = await asyncio.start_server(server.serve, "127.0.0.1", 0)
    request = Request(Outage(), connections=2, seconds=seconds)
    await request.initialize()
    request_module._proxy.cache_clear()
    server.address = f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}/bot1:{SECRET}/getMe"
    try:
        yield request
    finally:
        await request.shutdown()
        listening.close()


async def test_an_answer_of_telegrams(server: Server) -> None:
    server.answers = [answer(OK), answer(OK)]
    async with asking(server) as request:
        answers: list[Any] = [await request.post(server.address, data) for data in (RequestData([]), None)]
    assert answers == [[1, 2], [1, 2]]
    assert server.connections == 1
    assert server.asked[0].startswith(b"POST /bot1:" + SECRET.encode())


@pytest.mark.parametrize(
    ("status", "body", "error"),
    [
        (400, b'{"ok": false, "description": "Bad Request: chat not found"}', BadRequest),
        (401, b'{"ok": false, "description": "Unauthorized"}', InvalidToken),
        (409, b'{"ok": false, "description": "Conflict: terminated"}', Conflict),
        (429, b'{"ok": false, "description": "Too Many Requests", "parameters": {"retry_after": 7}}', RetryAfter),
        (500, b'{"ok": false, "description": "Internal Server Error"}', NetworkError),
        (502, HTML, NetworkError),
        (200, HTML, NetworkError),
        (302, b"", NetworkError),
    ],
)
async def test_what_an_answer_means(
    server: Server, status: int, body: bytes, error: type[TelegramError], caplog: pytest.LogCaptureFixture
) -> None:
    """Nothing of it is logged here, and a page of HTML is no traceback of somebody's parser either."""
    server.answers = [answer(body, status)]
    async with asking(server) as request:
        with pytest.raises(error) as raised:
            await request.post(server.address)
    assert type(raised.value) is error
    assert caplog.text == ""


async def test_silence_is_a_time_out(server: Server) -> None:
    server.answers = [None]
    async with asking(server, seconds=0.05) as request:
        with pytest.raises(TimedOut):
            await request.post(server.address)


async def test_a_call_may_be_given_more_time_than_the_others(server: Server) -> None:
    server.answers = [None]
    async with asking(server, seconds=60) as request:
        with pytest.raises(TimedOut):
            await request.post(server.address, read_timeout=0.05)


async def test_a_connection_that_is_cut_is_trouble_of_the_network(server: Server) -> None:
    server.answers = [b"", answer(OK)[:-5]]
    async with asking(server, seconds=0.2) as request:
        for _ in range(2):
            with pytest.raises(NetworkError) as raised:
                await request.post(server.address)
            assert SECRET not in f"{raised.value!r} {raised.value.__cause__!r}"


async def test_nobody_listens(server: Server) -> None:
    async with asking(server) as request:
        with pytest.raises(NetworkError) as raised:
            await request.post(f"http://127.0.0.1:1/bot1:{SECRET}/getMe")
    assert "Connect" in str(raised.value)
    assert SECRET not in repr(raised.value)


async def test_a_request_that_is_renewed_begins_with_new_connections(server: Server) -> None:
    server.answers = [answer(OK), answer(OK)]
    async with asking(server) as request:
        await request.post(server.address)
        await request.renew()
        await request.post(server.address)
    assert server.connections == 2


async def test_a_request_that_was_not_begun_says_so(server: Server) -> None:
    with pytest.raises(NetworkError, match="not been initialized"):
        await Request(Outage()).post("http://127.0.0.1:1/")


async def test_an_outage_is_a_line_when_it_begins_and_a_line_when_it_is_over(
    server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    server.answers = [*[answer(HTML, 502)] * 20, answer(OK), answer(OK)]
    async with asking(server) as request:
        for _ in range(20):
            with pytest.raises(NetworkError):
                await request.post(server.address)
        assert [record.levelno for record in caplog.records] == [logging.WARNING]
        assert "502" in caplog.text
        await request.post(server.address)
        await request.post(server.address)
    assert len(caplog.records) == 2
    assert "Telegram answers again" in caplog.records[1].message


async def test_a_call_that_fails_now_and_then_is_no_outage(server: Server, caplog: pytest.LogCaptureFixture) -> None:
    """And what Telegram refuses it has answered."""
    refused = answer(b'{"ok": false, "description": "Bad Request"}', 400)
    server.answers = [answer(HTML, 502), answer(HTML, 502), refused] * 4
    async with asking(server) as request:
        for _ in range(12):
            with pytest.raises(NetworkError):
                await request.post(server.address)
    assert caplog.text == ""


def test_trouble_of_the_network_is_told_once_by_the_outage_and_not_by_each_call() -> None:
    assert log_level(NetworkError("x")) == log_level(TimedOut()) == logging.DEBUG
    assert log_level(BadRequest("x")) == log_level(RetryAfter(1)) == logging.INFO


def test_a_proxy_is_taken_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    request_module._proxy.cache_clear()
    monkeypatch.setenv("https_proxy", "http://proxy:3128")
    monkeypatch.setenv("no_proxy", "localhost")
    assert request_module._proxy("https", "api.telegram.org") == "http://proxy:3128"
    assert request_module._proxy("https", "localhost:8443") is None
    assert request_module._proxy("http", "api.telegram.org") is None
    request_module._proxy.cache_clear()
