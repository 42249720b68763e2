"""The clock: reminds a late player once, and answers for him when his time is over.

Deadlines stand on the rows, so nothing here has to survive; one sweep a second looks for those that have passed.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence

from domain import commands as c
from domain.refusals import Refusal
from persistence.boards import Boards
from persistence.tables import Due, Tables
from persistence.trouble import report
from persistence.views import NoTableError
from tgbot.boardkeeper import BoardKeeper
from tgbot.reminder import Reminder
from tgbot.voice import Voice

_LOG = logging.getLogger(__name__)
_TICK = 1.0
"""Seconds between two sweeps."""


class Clock:
    """Sweeps over all tables."""

    def __init__(self, tables: Tables, boards: Boards, keeper: BoardKeeper, voice: Voice, reminder: Reminder) -> None:
        self._tables = tables
        self._boards = boards
        self._keeper = keeper
        self._voice = voice
        self._reminder = reminder

    async def run(self) -> None:
        """Sweep for ever; a fault in one sweep does not stop the next."""
        while True:
            try:
                await self.sweep()
            except Exception as error:
                report(_LOG, "the clock stumbled", error)
            await asyncio.sleep(_TICK)

    async def sweep(self) -> None:
        """Answer every question whose time is over, and remind those whose time is running out.

        Thousands may be due in the same second, after an outage. They are found a slice at a time, and each waits at
        the database's gate until no tap does (`persistence.tables`), so nobody's tap waits for them.
        """
        await self._go_through(self._tables.overdue, self._answer)
        await self._go_through(self._tables.late, self._remind)

    @staticmethod
    async def _go_through(
        look: Callable[[Due | None], Awaitable[Sequence[Due]]], do: Callable[[int, int], Awaitable[None]]
    ) -> None:
        after: Due | None = None
        while found := await look(after):
            for due in found:
                await do(due.number, due.asked)
            after = found[-1]

    async def _remind(self, number: int, asked: int) -> None:
        if await self._boards.take_reminder(number, asked):
            self._voice.later(self._reminder.remind(number, asked))

    async def _answer(self, number: int, asked: int) -> None:
        try:
            async with self._tables.numbered(number, patient=False) as sitting:
                sitting.play(c.RunOutOfTime(asked))
        except (Refusal, NoTableError):
            return  # the player is faster, or another replica of this clock; if not, the next sweep will tell
        except Exception as error:
            report(_LOG, f"table {number} keeps its question, and the clock goes on to the others", error)
            return
        chat = sitting.chat.telegram_id
        self._keeper.wake(chat)
        if sitting.litter:
            self._voice.later(self._voice.remove(chat, sitting.litter))
