"""Updates fetched one long poll after the other, while those that were fetched are being handled.

To ask for updates from a number on is to confirm all before it. python-telegram-bot's own updater asks on when it has
put a batch into its queue, so that a process which is killed takes with it what it had not handled. Here the number is
that of the oldest update which is not done: a finished group goes on at once, Telegram sends the unfinished ones again
with the new, and those that are known already are passed over. What it costs: a look every moment instead of one that
waits, while something is unfinished; and after a kill Telegram brings again what was done after the oldest unfinished
update. (A move played twice is refused, for a button names its move.)

Both cannot be had where a hundred updates, all that one answer holds, wait behind the oldest: then after a second it is
confirmed, though it is not done, and a kill would lose it.
"""

import asyncio
import contextlib
import json
import logging
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from telegram.error import InvalidToken, RetryAfter, TelegramError, TimedOut

from tgbot.context import App
from tgbot.delivery import Content, Delivery, is_update
from tgbot.pulse import Pulse
from tgbot.request import Request

_LOG = logging.getLogger(__name__)
_LONG = 10
"""Seconds for which Telegram waits for something to tell."""
_MOST = 100
"""Updates in one answer; Telegram gives no more."""
_MOMENT = 0.05
_LONGEST_MOMENT = 0.25
"""Seconds between two looks while something is unfinished: the first, and if nothing comes the longest."""
_OLDEST_SECONDS = 1.0
"""How long an answer full of what is known already waits for the oldest to be done."""
_PAUSE = 1.0
_LONGEST_PAUSE = 30.0
"""Seconds to wait after an error: the first, and if it goes on the longest."""
_FAREWELL = 5.0
"""Seconds that a stop leaves to what is being handled, and again to Telegram to hear of it."""


class Fetching:
    """Asks, hands on, asks again; `run` for as long as that is ours to do."""

    def __init__(self, app: App, request: Request, delivery: Delivery, pulse: Pulse, kinds: Sequence[str]) -> None:
        self._app = app
        self._request = request
        self._delivery = delivery
        self._pulse = pulse
        self._kinds = kinds
        self._next = 0
        """The number after the newest that was fetched; 0: nothing was."""
        self._unfinished: dict[int, asyncio.Task[None]] = {}
        self._done: set[int] = set()
        """What is done, but comes again, because something before it is not."""
        self._overtaken: set[asyncio.Task[None]] = set()
        """Unfinished as well, but too slow to be waited for: confirmed already."""

    async def run(self) -> None:
        """Fetch, for ever.

        Raises:
            telegram.error.InvalidToken: the token was revoked.
        """
        moment, pause = _MOMENT, _PAUSE
        while True:
            try:
                has_news = await self._fetch()
            except InvalidToken:
                raise
            except TelegramError as error:
                await asyncio.sleep(_seconds(error, pause))
                pause = min(2 * pause, _LONGEST_PAUSE)
                continue
            pause = _PAUSE
            moment = _MOMENT if has_news else min(2 * moment, _LONGEST_MOMENT)
            if self._unfinished:
                await asyncio.wait(self._unfinished.values(), timeout=moment)

    async def stop(self) -> None:
        """Finish what was fetched, and tell Telegram so: it would bring all of it again."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_FAREWELL):
                await self.finished()
        if not self._next:
            return
        try:
            async with asyncio.timeout(_FAREWELL):
                await self._ask(wait=0, most=1)
        except (TelegramError, TimeoutError) as error:
            _LOG.info("what was handled last is not confirmed: %s", error)

    async def finished(self) -> None:
        """Wait until nothing is unfinished."""
        while working := {*self._unfinished.values(), *self._overtaken}:
            await asyncio.wait(working)

    async def renew(self) -> None:
        """Begin with new connections."""
        await self._request.renew()

    async def _fetch(self) -> bool:
        """Ask once, and hand on what is new; whether there was anything."""
        updates = await self._ask(0 if self._unfinished else _LONG, _MOST)
        self._pulse.beat()
        known = self._unfinished.keys() | self._done
        new = {update["update_id"]: update for update in updates if update["update_id"] not in known}
        for number, update in new.items():
            self._hand_on(number, update)
        if not new and len(updates) == _MOST:
            await self._overtake()
        return bool(new)

    async def _ask(self, wait: int, most: int) -> Sequence[Content]:
        begin = min(self._unfinished, default=self._next)
        self._done = {number for number in self._done if number >= begin}
        asked = {
            "offset": begin,
            "limit": most,
            "timeout": wait,
            "allowed_updates": json.dumps(self._kinds),
        }
        address = f"{self._app.bot.base_url}/getUpdates?{urlencode(asked)}"
        answer: Any = await self._request.post(address, read_timeout=self._request.read_timeout + wait)
        return [update for update in answer if is_update(update)] if isinstance(answer, list) else []

    def _hand_on(self, number: int, update: Content) -> None:
        self._next = max(self._next, number + 1)
        task = asyncio.create_task(self._bring(update))
        self._unfinished[number] = task
        task.add_done_callback(lambda task: self._ended(number, task))

    async def _bring(self, update: Content) -> None:
        """Whoever sent what could not be handled has been told to try again (see `tgbot.application`)."""
        await self._delivery.bring(update)

    def _ended(self, number: int, task: asyncio.Task[None]) -> None:
        if self._unfinished.pop(number, None):
            self._done.add(number)
        self._overtaken.discard(task)
        if not task.cancelled() and (error := task.exception()):
            _LOG.error("update %s was not handled", number, exc_info=error)

    async def _overtake(self) -> None:
        """Nothing but what is known fits into an answer: give the oldest a moment, and then go on without it."""
        if not self._unfinished:
            return
        number = min(self._unfinished)
        task = self._unfinished[number]
        await asyncio.wait({task}, timeout=_OLDEST_SECONDS)
        if self._unfinished.pop(number, None) is not None:
            self._overtaken.add(task)


def _seconds(error: TelegramError, pause: float) -> float:
    """How long to wait after an error."""
    if isinstance(error, RetryAfter):
        after = error.retry_after
        return after if isinstance(after, int) else after.total_seconds()
    return 0.0 if isinstance(error, TimedOut) else pause
