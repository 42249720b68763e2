"""What the people's clients are told: a numbered log that can be waited on."""

import asyncio
from collections import deque
from typing import Any

from tgbot.playground.world import Json

_KEPT = 10_000


class Events:
    """The newest events; a client that fell further behind fetches the whole state anyway."""

    def __init__(self) -> None:
        self.seq = 0
        self._log: deque[Json] = deque(maxlen=_KEPT)
        self._news = asyncio.Event()
        self._closed = False

    def add(self, kind: str, **content: Any) -> None:
        self.seq += 1
        self._log.append({"seq": self.seq, "kind": kind, **content})
        self._wake()

    def after(self, seq: int) -> list[Json]:
        return [event for event in self._log if event["seq"] > seq]

    async def wait(self, seq: int, timeout: float) -> list[Json]:  # noqa: ASYNC109 - the client says how long
        """The events after `seq`, at once if there are any, else as soon as one comes or time is up."""
        try:
            async with asyncio.timeout(timeout):
                while self.seq <= seq and not self._closed:
                    await self._news.wait()
        except TimeoutError:
            return []
        return self.after(seq)

    def close(self) -> None:
        """Let every waiting client go, because the server stops."""
        self._closed = True
        self._wake()

    def _wake(self) -> None:
        self._news.set()
        self._news = asyncio.Event()
