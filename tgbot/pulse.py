"""When Telegram was last heard from."""

import asyncio
import contextlib
import ssl
import time
from collections.abc import Awaitable, Callable
from functools import cache
from typing import Any

import httpx
from telegram.request import HTTPXRequest

_HANDLING = 1.0
"""Seconds that fetching waits for what was fetched before; one slow chat must not keep the others waiting longer."""


class Pulse:
    """Counts the seconds since the last successful getUpdates, or the last update that came by itself."""

    def __init__(self) -> None:
        self._heard = time.monotonic()

    def beat(self) -> None:
        """Telegram was heard just now."""
        self._heard = time.monotonic()

    @property
    def seconds(self) -> float:
        """Since then; since the beginning, if nothing was heard yet."""
        return time.monotonic() - self._heard


class PollingRequest(HTTPXRequest):
    """What PTB asks for updates with: every answer that is one is a beat of the pulse.

    To fetch the next updates is to confirm the last ones. So those are handled first: when the process is killed in
    their middle, Telegram delivers them again.
    """

    def __init__(self, pulse: Pulse, read_timeout: float = 5.0) -> None:
        verified = {"verify": certificates()}
        super().__init__(connection_pool_size=1, read_timeout=read_timeout, httpx_kwargs=verified)
        self._pulse = pulse
        self.handled: Callable[[], Awaitable[None]] | None = None
        """Waits until everything that was fetched is handled."""

    async def do_request(self, *args: Any, **kwargs: Any) -> tuple[int, bytes]:
        """See PTB."""
        if self.handled is not None:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_HANDLING):
                    await self.handled()
        status, body = await super().do_request(*args, **kwargs)
        if status == 200:
            self._pulse.beat()
        return status, body

    async def renew(self) -> None:
        """Give up every connection, also those that nobody gave back, and begin with new ones."""
        await self.shutdown()
        await self.initialize()


@cache
def certificates() -> ssl.SSLContext:
    """Whom to believe that he is Telegram. Read once: to read them takes as long as a hundred calls."""
    return httpx.create_ssl_context()
