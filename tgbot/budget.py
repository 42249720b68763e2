"""All groups' calls in one line: Telegram takes some 30 messages and edits a second from a bot, wherever they go.

Who waits longest goes first, but for how urgent it is: the board of whoever is asked, other boards, then what is said,
then boards that nobody has tapped on, then what is only tidier. What is less urgent counts as if it had come later, so
it waits its turn and no longer.

This line orders the calls of one process. What all processes on one database have called is on a row, and each call is
paid for there (see `persistence.boards`): should the row refuse, because others call as well, the whole line holds.
aiolimiter has no urgency, serves whoever came first, and lets twice its rate through in a window that begins badly.
"""

import asyncio
import heapq
from collections.abc import Callable
from datetime import datetime, timedelta
from enum import Enum
from itertools import count

from persistence.pace import ForEverybody, Pace


class Urgency(Enum):
    """How many seconds later than it did a call counts as having come."""

    ASKED = 0.0
    """The board that somebody has tapped on, if it is somebody's turn."""
    BOARD = 0.5
    """The same, if it is nobody's."""
    WORD = 2.0
    """A reminder, a reply, a question."""
    UNTAPPED = 25.0
    """A board that nobody has tapped on: the clock answered, or a start has found it. Thousands may come at once."""
    TIDY = 40.0
    """A board that is over, buttons that have done their work."""


class CallBudget:
    """Gives out the calls of a process, evenly. ``now`` tells the time, aware."""

    def __init__(self, pace: Pace, now: Callable[[], datetime]) -> None:
        self._pace = pace
        self._now = now
        self._free_at = now()
        self._line: list[tuple[datetime, int, asyncio.Future[None]]] = []
        self._numbers = count()
        self._serving: asyncio.Task[None] | None = None

    @property
    def is_busy(self) -> bool:
        """Whether somebody waits."""
        return bool(self._line)

    async def turn(self, urgency: Urgency) -> None:
        """Wait until one call may be made."""
        if not self._line and self._take():
            return
        counts_from = self._now() + timedelta(seconds=urgency.value)
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._line, (counts_from, next(self._numbers), turn))
        if self._serving is None:
            self._serving = asyncio.create_task(self._serve())
        await turn

    async def sit_out(self, wait: float) -> None:
        """What was asked for was refused: wait, or have the whole line wait if it is for everybody."""
        if isinstance(wait, ForEverybody):
            self._free_at = max(self._free_at, self._now() + timedelta(seconds=wait) + self._pace.interval)
        else:
            await asyncio.sleep(wait)

    def _take(self) -> bool:
        wait, free_at = self._pace.price(self._free_at, self._now())
        if wait <= 0:
            self._free_at = free_at
        return wait <= 0

    async def _serve(self) -> None:
        try:
            while self._line:
                wait, _ = self._pace.price(self._free_at, self._now())
                if wait > 0:
                    await asyncio.sleep(wait)
                    continue
                *_, turn = heapq.heappop(self._line)
                if not turn.done():
                    self._take()
                    turn.set_result(None)
        finally:
            self._serving = None
