"""Callback queries: taps on buttons that wait for the bot's answer.

A query is answered once. The client waits some fifteen seconds, then the same error comes as for an id
that never was.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count

from tgbot.playground.world import Json

_FIRST_ID = 4_382_750_173_528_411_001


@dataclass
class Tap:
    """One press of a button."""

    id: str
    person: int
    chat: int
    message: int
    at: float
    answer: Json | None = None
    answered: asyncio.Event = field(default_factory=asyncio.Event)


class Taps:
    """All taps not yet forgotten."""

    def __init__(self, clock: Callable[[], float], life: float) -> None:
        self._clock = clock
        self._life = life
        self._ids = count(_FIRST_ID, 7_919)
        self._taps: dict[str, Tap] = {}

    def new(self, person: int, chat: int, message: int) -> Tap:
        self._forget()
        tap = Tap(str(next(self._ids)), person, chat, message, self._clock())
        self._taps[tap.id] = tap
        return tap

    def answer(self, query_id: str, answer: Json) -> Tap | None:
        """Answer a tap; None if it is too old, already answered or never was."""
        self._forget()
        tap = self._taps.pop(query_id, None)
        if tap is not None:
            tap.answer = answer
            tap.answered.set()
        return tap

    async def wait(self, tap: Tap, seconds: float) -> Json | None:
        """The answer, if it comes in time."""
        if seconds > 0 and not tap.answered.is_set():
            try:
                async with asyncio.timeout(seconds):
                    await tap.answered.wait()
            except TimeoutError:
                return None
        return tap.answer

    def _forget(self) -> None:
        oldest = self._clock() - self._life
        self._taps = {key: tap for key, tap in self._taps.items() if tap.at > oldest}
