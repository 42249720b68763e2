"""How the bot speaks HTTP with Telegram: python-telegram-bot's calls through aiohttp.

python-telegram-bot brings httpx, which works the processor three times as long for a call. What it promises of its
time-outs is kept, and whatever does not come from Telegram (a proxy's page of HTML, half an answer) is the network's
trouble, told in a line.
"""

import logging
import ssl
import time
import urllib.request
from functools import cache
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

import aiohttp
import httpx
from telegram.error import BadRequest, NetworkError, TimedOut
from telegram.request import BaseRequest, RequestData

_LOG = logging.getLogger(__name__)
_SECONDS = 5.0
"""How long connecting and each part of an answer may take; as python-telegram-bot has it."""
_POOL_SECONDS = 1.0
"""How long a call waits until one of our connections is free, as python-telegram-bot has it."""
_IN_A_ROW = 3
"""Calls that fail one after the other, after which Telegram counts as away."""
_EDITS = ("/editMessageText", "/editMessageReplyMarkup")
_DONE = b'{"ok":true,"result":true}'
"""What Telegram says of an edited message that is not a chat's. Of a chat's it sends the whole text back that it was
just sent; nobody reads it, and to build it costs more than the call."""
_FORM = {"Content-Type": "application/x-www-form-urlencoded"}


class Outage:
    """Tells the log when Telegram goes away and when it is back: a line each, however many calls fail meanwhile."""

    def __init__(self) -> None:
        self._failed = 0
        self._since = 0.0

    def failed(self, error: NetworkError) -> None:
        """A call has not reached Telegram, or its answer has not reached us."""
        if not self._failed:
            self._since = time.monotonic()
        self._failed += 1
        if self._failed == _IN_A_ROW:
            _LOG.warning("Telegram cannot be reached, and is asked until it can: %s", error)

    def answered(self) -> None:
        """Telegram has answered, whatever it said."""
        if self._failed >= _IN_A_ROW:
            _LOG.warning("Telegram answers again, after %.0f seconds", time.monotonic() - self._since)
        self._failed = 0


class Request(BaseRequest):
    """Calls over up to ``connections`` connections. It has to be initialized within the running event loop."""

    def __init__(self, outage: Outage, connections: int = 1, seconds: float = _SECONDS) -> None:
        self._outage = outage
        self._connections = connections
        self._seconds = seconds
        self._session: aiohttp.ClientSession | None = None

    @property
    def read_timeout(self) -> float:
        """Seconds that each part of an answer may take, where a call says nothing else."""
        return self._seconds

    async def initialize(self) -> None:
        """See python-telegram-bot."""
        if self._session is None:
            connector = aiohttp.TCPConnector(limit=self._connections, ssl=certificates())
            headers = {"User-Agent": self.USER_AGENT}
            self._session = aiohttp.ClientSession(
                connector=connector, headers=headers, cookie_jar=aiohttp.DummyCookieJar()
            )

    async def shutdown(self) -> None:
        """See python-telegram-bot."""
        session, self._session = self._session, None
        if session is not None:
            await session.close()

    async def renew(self) -> None:
        """Give up every connection, also those that nobody gave back, and begin with new ones."""
        await self.shutdown()
        await self.initialize()

    async def do_request(
        self,
        url: str,
        method: str,
        request_data: RequestData | None = None,
        read_timeout: Any = BaseRequest.DEFAULT_NONE,
        write_timeout: Any = BaseRequest.DEFAULT_NONE,  # calls are short: they are written at once
        connect_timeout: Any = BaseRequest.DEFAULT_NONE,
        pool_timeout: Any = BaseRequest.DEFAULT_NONE,
    ) -> tuple[int, bytes]:
        """See python-telegram-bot. The address holds the token, so no error names it.

        Raises:
            telegram.error.TimedOut: Telegram may have done what was asked for, or not.
            telegram.error.NetworkError: the same; or Telegram was not reached; or the answer is not Telegram's.
            ValueError: the call carries a file: this bot sends none.
        """
        if request_data is not None and request_data.contains_files:
            raise ValueError("this bot sends no files")
        connecting = _seconds(connect_timeout, _SECONDS)
        limits = aiohttp.ClientTimeout(
            total=None,
            connect=_added(_seconds(pool_timeout, _POOL_SECONDS), connecting),
            sock_connect=connecting,
            sock_read=_seconds(read_timeout, self._seconds),
        )
        data = request_data.url_encoded_parameters().encode() if request_data else None
        try:
            status, body = await self._ask(url, method, data, limits)
        except NetworkError as error:
            self._outage.failed(error)
            raise
        self._outage.answered()
        return status, _DONE if status == HTTPStatus.OK and url.endswith(_EDITS) else body

    async def _ask(self, url: str, method: str, data: bytes | None, limits: aiohttp.ClientTimeout) -> tuple[int, bytes]:
        if self._session is None:
            raise RuntimeError("the request has not been initialized")
        try:
            async with self._session.request(
                method,
                url,
                data=data,
                headers=_FORM,
                timeout=limits,
                allow_redirects=False,
                proxy=_proxy(*urlsplit(url)[:2]),
            ) as answer:
                status, body = answer.status, await answer.read()
        except TimeoutError:
            raise TimedOut from None
        except (aiohttp.ClientError, OSError) as error:
            raise NetworkError(_without_address(error)) from None
        if status >= 500 or not body.startswith(b"{"):
            raise NetworkError(f"it answers with HTTP status {status}")
        return status, body


def log_level(error: Exception, otherwise: int = logging.INFO) -> int:
    """How loudly a call that failed is told: trouble of the network is an outage's, and that is told by itself."""
    is_network = isinstance(error, NetworkError) and not isinstance(error, BadRequest)
    return logging.DEBUG if is_network else otherwise


@cache
def certificates() -> ssl.SSLContext:
    """Whom to believe that he is Telegram. Read once: to read them takes as long as a hundred calls."""
    return httpx.create_ssl_context()


@cache
def _proxy(scheme: str, host: str) -> str | None:
    """The proxy that the environment names for an address (HTTPS_PROXY, NO_PROXY). Looked up once."""
    if urllib.request.proxy_bypass(host):
        return None
    proxies = urllib.request.getproxies()
    return proxies.get(scheme) or proxies.get("all")


def _seconds(given: Any, default: float) -> float | None:
    """Seconds, ``None`` for ever, or the default where python-telegram-bot was told nothing."""
    return given if given is None or isinstance(given, int | float) else default


def _added(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one + other


def _without_address(error: Exception) -> str:
    """An error in words. Those of aiohttp that quote an address quote it whole, so only a socket's are repeated."""
    said = f": {error.strerror}" if isinstance(error, OSError) and error.strerror else ""
    return f"{type(error).__name__}{said}"
