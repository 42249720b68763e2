"""What a process does of its own accord while it is on duty: the clock, and the boards that nobody has woken it for."""

import asyncio
from collections.abc import Awaitable, Callable

from tgbot.boardkeeper import BoardKeeper
from tgbot.clock import Clock


class Duty:
    """Begins and ends; a process that stands by for another one is not on duty.

    ``grace`` gives back the time that an outage took from the players.
    """

    def __init__(self, keeper: BoardKeeper, clock: Clock, grace: Callable[[], Awaitable[None]]) -> None:
        self._keeper = keeper
        self._clock = clock
        self._grace = grace
        self._loops: list[asyncio.Task[None]] = []

    @property
    def begun(self) -> bool:
        """Whether this process is on duty."""
        return bool(self._loops)

    async def begin(self) -> None:
        """From now on."""
        await self._grace()
        self._loops = [asyncio.create_task(self._keeper.run()), asyncio.create_task(self._clock.run())]

    async def end(self) -> None:
        """Until now. What was begun is finished; harmless if it is said twice."""
        loops, self._loops = self._loops, []
        for loop in loops:
            loop.cancel()
        await asyncio.gather(*loops, return_exceptions=True)
