"""Each chat stands in a line of its own: its updates one after the other, those of other chats beside them.

And nobody floods a line: whoever taps and writes faster than fingers do loses what is too much of it, before it costs
the database anything. Only his own: what others in the same chat do waits for its turn as ever.
"""

import asyncio
from collections.abc import Awaitable, Coroutine
from math import inf
from typing import Any
from weakref import WeakValueDictionary

from telegram import Update
from telegram.ext import BaseUpdateProcessor

_AT_ONCE = 1024
"""Updates that may wait or run at the same time; a small number lets one flooding chat starve the others."""
BURST = 10
"""Taps and messages of one person in one chat that may follow each other at once after a quiet time."""
PACE = 0.1
"""Seconds between two of them after that."""
_REMEMBERED = 4096
"""People about whom it is remembered how fast they were; far more than can be too fast at the same time."""


class _Finger:
    """One person in one chat."""

    def __init__(self) -> None:
        self._free_at = -inf
        self.newest: Coroutine[Any, Any, Any] | None = None
        """What waits for its time: of all that came too fast the last."""

    def wait(self) -> float:
        """Seconds until he may do something; 0: now."""
        return max(0.0, self._free_at - _now() - PACE * (BURST - 1))

    def spend(self) -> None:
        """He does something."""
        self._free_at = max(self._free_at, _now()) + PACE

    @property
    def is_rested(self) -> bool:
        """Whether he is as free as somebody who was never seen."""
        return self.newest is None and self._free_at <= _now()


class ChatLines(BaseUpdateProcessor):
    """PTB's processor with a lock for each chat; what other processes do is kept apart by the table's row."""

    def __init__(self) -> None:
        super().__init__(_AT_ONCE)
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._fingers: dict[tuple[int, int], _Finger] = {}
        self._waiting: set[asyncio.Task[None]] = set()

    async def do_process_update(self, update: object, coroutine: Awaitable[Any]) -> None:
        """Wait for the chat's turn. For surplus nobody waits, neither whoever fetches updates nor Telegram."""
        chat = update.effective_chat if isinstance(update, Update) else None
        if chat is None:
            await coroutine
            return
        person = _whose(update)
        if person is not None and isinstance(coroutine, Coroutine):
            finger = self._finger(chat.id, person)
            if finger.newest is not None or finger.wait():
                self._put_off(finger, chat.id, coroutine)
                return
            finger.spend()
        await self._in_line(chat.id, coroutine)

    async def initialize(self) -> None:
        """Nothing to prepare."""

    async def finish(self) -> None:
        """Wait for the newest of what came too fast: moments, and nobody's last tap is lost in a stop."""
        await asyncio.gather(*self._waiting, return_exceptions=True)

    async def shutdown(self) -> None:
        """Whatever still waits is given up."""
        for task in self._waiting:
            task.cancel()
        await asyncio.gather(*self._waiting, return_exceptions=True)

    async def _in_line(self, chat: int, coroutine: Awaitable[Any]) -> None:
        lock = self._locks.setdefault(chat, asyncio.Lock())
        async with lock:
            await coroutine

    def _put_off(self, finger: _Finger, chat: int, coroutine: Coroutine[Any, Any, Any]) -> None:
        """Of what comes too fast one update waits, and the newest takes its place.

        So neither end of a storm is lost: the first `BURST` are in the line already, in their order, and whoever
        hammers on something and at last taps what he means has that played. What gave way is not answered: an answer
        is a call, and calls are what slows others. A webhook, too, says of surplus at once that it was taken, before
        it is played: Telegram keeps one person's taps in a line, and waiting would have a storm last for minutes there
        and bring his last tap after it. The price: a kill in that tenth of a second costs him the tap, never a chip.
        """
        given_way, finger.newest = finger.newest, coroutine
        if given_way is not None:
            given_way.close()  # it was never begun
            return
        task = asyncio.create_task(self._bring_newest(finger, chat))
        self._waiting.add(task)
        task.add_done_callback(self._waiting.discard)

    async def _bring_newest(self, finger: _Finger, chat: int) -> None:
        try:
            await asyncio.sleep(finger.wait())
        except asyncio.CancelledError:
            if finger.newest is not None:
                finger.newest.close()
            raise
        newest, finger.newest = finger.newest, None
        if newest is not None:
            finger.spend()
            await self._in_line(chat, newest)

    def _finger(self, chat: int, person: int) -> _Finger:
        finger = self._fingers.get((chat, person))
        if finger is None:
            if len(self._fingers) >= _REMEMBERED:
                self._forget()
            finger = self._fingers[chat, person] = _Finger()
        return finger

    def _forget(self) -> None:
        self._fingers = {key: finger for key, finger in self._fingers.items() if not finger.is_rested}


def _now() -> float:
    return asyncio.get_running_loop().time()


def _whose(update: object) -> int | None:
    """Who tapped or wrote this. What Telegram itself says (who left, where the group has moved) belongs to nobody:
    that is never too much."""
    if not isinstance(update, Update):
        return None
    if update.callback_query:
        return update.callback_query.from_user.id
    message = update.effective_message
    is_said = message is not None and message.text is not None
    return update.effective_user.id if is_said and update.effective_user else None
