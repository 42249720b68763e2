"""When Telegram was last heard from."""

import time
from typing import Any

from telegram.request import HTTPXRequest


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
    """What PTB asks for updates with: every answer that is one is a beat of the pulse."""

    def __init__(self, pulse: Pulse, read_timeout: float = 5.0) -> None:
        super().__init__(connection_pool_size=1, read_timeout=read_timeout)
        self._pulse = pulse

    async def do_request(self, *args: Any, **kwargs: Any) -> tuple[int, bytes]:
        """See PTB."""
        status, body = await super().do_request(*args, **kwargs)
        if status == 200:
            self._pulse.beat()
        return status, body

    async def renew(self) -> None:
        """Give up every connection, also those that nobody gave back, and begin with new ones."""
        await self.shutdown()
        await self.initialize()
