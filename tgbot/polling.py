"""Updates fetched from Telegram: by one process at a time, under a watchdog, with others standing by.

Telegram gives its updates to one poller (trap 6). Of several processes on one PostgreSQL the holder of a lock polls and
the others look every second whether it is free; it is as soon as its holder dies. A holder that loses the database
stops: somebody else may be polling by now, and what nobody fetches waits at Telegram's, whereas a tap that is fetched
and cannot be played is lost.
"""

import asyncio
import logging
import time

from telegram import Bot
from telegram.error import InvalidToken, TelegramError

from persistence.locks import POLLER, Locks
from persistence.trouble import is_trouble
from tgbot.context import App
from tgbot.duty import Duty
from tgbot.fetching import Fetching
from tgbot.pulse import Pulse
from tgbot.request import log_level

_LOG = logging.getLogger(__name__)
PATIENCE = 90.0
"""Seconds without a successful getUpdates (each waits 10) after which polling counts as stalled."""
_LOOK = 1.0
"""Seconds between two looks at the lock and the pulse."""
_CURES = 2
"""How often polling is begun anew before the whole process is."""
_STOPPING = 15.0
"""Seconds that a poll may take to end when it is told to."""


class WebhookSetError(RuntimeError):
    """Somebody else receives this bot's updates: polling would take the webhook away from him."""


class StalledError(RuntimeError):
    """Telegram answers, but polling does not get there: only a new process helps."""


class Polling:
    """Fetches updates, or stands by.

    ``patience``: seconds without news after which it is begun anew; ``look``: seconds between two looks.
    """

    def __init__(
        self,
        app: App,
        duty: Duty,
        locks: Locks,
        fetching: Fetching,
        pulse: Pulse,
        patience: float = PATIENCE,
        look: float = _LOOK,
    ) -> None:
        self._app = app
        self._duty = duty
        self._locks = locks
        self._fetching = fetching
        self._poll: asyncio.Task[None] | None = None
        self._pulse = pulse
        self._patience = patience
        self._look = look
        self._cures = 0
        self._begun_at = 0.0
        self._complaint: type[Exception] | None = None

    @property
    def role(self) -> str:
        """What this process does."""
        return "polling" if self._duty.begun else "standing by"

    @property
    def is_well(self) -> bool:
        """Whether updates come in, or somebody else takes care of that."""
        return not self._duty.begun or self._pulse.seconds < self._patience

    async def start(self) -> None:
        """Poll, if nobody else does.

        Raises:
            WebhookSetError: the bot's updates go to a webhook.
            telegram.error.TelegramError: Telegram cannot be reached.
        """
        if not await self._locks.take(POLLER):
            _LOG.info("another process polls; standing by")
            return
        await self._begin()

    async def run(self) -> None:
        """Look after it, for ever.

        Raises:
            StalledError: nothing but a new process helps.
            WebhookSetError: the bot's updates go to a webhook now.
            telegram.error.InvalidToken: the token was revoked.
        """
        while True:
            await asyncio.sleep(self._look)
            try:
                await self._look_after()
            except InvalidToken:
                raise
            except Exception as error:
                if not (isinstance(error, TelegramError) or is_trouble(error)):
                    raise
                self._complain(error)

    def _complain(self, error: Exception) -> None:
        """Once, not every second."""
        if type(error) is not self._complaint:
            _LOG.warning("nothing is polled until this is over: %s", error)
        self._complaint = type(error)

    async def stop(self) -> None:
        """Fetch nothing more; what was fetched is handled and confirmed."""
        if self._poll is not None:
            await self._hang_up()
            await self._fetching.stop()

    async def _look_after(self) -> None:
        if not self._duty.begun:
            if await self._locks.take(POLLER):
                _LOG.info("nobody else polls; taking over")
                await asyncio.sleep(2 * self._look)  # whoever has lost the lock and lives notices it meanwhile
                await self._begin()
        elif not await self._locks.held(POLLER):
            _LOG.warning("the database is lost, and with it the right to poll; standing by")
            await self._duty.end()
            await self.stop()
        elif self._poll is None:
            self._fetch()
        elif self._poll.done():
            self._poll.result()  # it never ends by itself, but for what nothing here can help
        elif self._is_stalled():
            await self._cure()

    async def _begin(self) -> None:
        await self._refuse_foreign_webhook()
        await self._duty.begin()
        self._pulse.beat()
        self._cures = 0
        self._fetch()

    def _fetch(self) -> None:
        self._begun_at = time.monotonic()
        self._poll = asyncio.create_task(self._fetching.run())
        self._complaint = None

    async def _hang_up(self) -> None:
        """
        Raises:
            StalledError: the poll does not end.
        """
        poll, self._poll = self._poll, None
        if poll is not None:
            poll.cancel()
            done, _ = await asyncio.wait({poll}, timeout=_STOPPING)
            if not done:
                raise StalledError("polling can be neither used nor stopped")

    def _is_stalled(self) -> bool:
        begun = time.monotonic() - self._begun_at
        if self._cures and self._pulse.seconds < begun:
            _LOG.info("polling works again")
            self._cures = 0
        return min(self._pulse.seconds, begun) > self._patience

    async def _cure(self) -> None:
        """Trap 19: no updates, no error, and everything else works. New connections help, or else a new process."""
        silent = self._pulse.seconds
        if self._cures >= _CURES and await self._telegram_answers():
            raise StalledError(f"getUpdates has not succeeded for {silent:.0f} seconds, though Telegram answers")
        _LOG.warning("getUpdates has not succeeded for %.0f seconds; polling is begun anew", silent)
        self._cures += 1
        await self._hang_up()
        await self._fetching.renew()
        self._fetch()

    async def _telegram_answers(self) -> bool:
        """Asked on a connection of its own. If it does not, this is an outage, and the process is not to blame."""
        try:
            async with Bot(self._app.bot.token, base_url=self._app.bot.base_url.removesuffix(self._app.bot.token)):
                return True
        except TelegramError as error:
            _LOG.log(log_level(error), "Telegram cannot be reached: %s", error)
            return False

    async def _refuse_foreign_webhook(self) -> None:
        webhook = await self._app.bot.get_webhook_info()
        if webhook.url:
            raise WebhookSetError(
                "This bot's updates go to a webhook, and polling would take them away from it. To receive them there, "
                "set WEBHOOK_URL and WEBHOOK_SECRET. If nobody needs it any more, call deleteWebhook: open "
                "https://api.telegram.org/bot<your token>/deleteWebhook in a browser."
            )
