"""The clock: reminds a late player once, and answers for him when his time is over.

Deadlines stand on the rows, so nothing here has to survive; one sweep a second looks for those that have passed.
"""

import asyncio
import logging

from telegram import ReplyParameters

from domain import commands as c
from domain.refusals import Refusal
from domain.table import Phase
from persistence.boards import Boards
from persistence.tables import NoTableError, Tables
from tgbot.boardkeeper import BoardKeeper
from tgbot.names import shown
from tgbot.sheet import Scene, display_name
from tgbot.voice import Voice
from tgbot.words import words

_LOG = logging.getLogger(__name__)
_TICK = 1.0
"""Seconds between two sweeps."""


class Clock:
    """Sweeps over all tables."""

    def __init__(self, tables: Tables, boards: Boards, keeper: BoardKeeper, voice: Voice) -> None:
        self._tables = tables
        self._boards = boards
        self._keeper = keeper
        self._voice = voice

    async def run(self) -> None:
        """Sweep for ever; a fault in one sweep does not stop the next."""
        while True:
            try:
                await self.sweep()
            except Exception:
                _LOG.exception("the clock stumbled")
            await asyncio.sleep(_TICK)

    async def sweep(self) -> None:
        """Answer every question whose time is over, and remind those whose time is running out."""
        for number, asked in await self._tables.overdue():
            await self._answer(number, asked)
        for number, asked in await self._tables.late():
            if await self._boards.take_reminder(number, asked):
                self._voice.later(self._remind(number, asked))

    async def _answer(self, number: int, asked: int) -> None:
        try:
            async with self._tables.numbered(number, patient=False) as sitting:
                await sitting.play(c.RunOutOfTime(asked))
        except (Refusal, NoTableError):
            return  # the player is faster, or another replica of this clock; if not, the next sweep will tell
        except Exception:
            _LOG.exception("table %s keeps its question; the clock goes on to the others", number)
            return
        chat = sitting.chat.telegram_id
        self._keeper.wake(chat)
        if sitting.litter:
            self._voice.later(self._voice.remove(chat, sitting.litter))

    async def _remind(self, number: int, asked: int) -> None:
        """An edit notifies nobody; a mention does. It goes when he has acted."""
        view = await self._boards.view(number)
        player = view.table.actor
        if player is None or view.table.asked != asked:
            return
        tr = words(view.language)
        places = [seat.player for seat in view.table.seats]
        name = shown(display_name(Scene(number, view.names), player, places.index(player) + 1, tr))
        mention = f'<a href="tg://user?id={player}">{name}</a>'
        cutting = view.table.phase is Phase.CUT
        text = (
            tr("{name}, the deck waits for your cut.", name=mention)
            if cutting
            else tr("{name}, it's your turn!", name=mention)
        )
        quote = ReplyParameters(view.board, allow_sending_without_reply=True) if view.board else None
        message = await self._voice.say(view.place, text, quote=quote)
        if message and not await self._boards.reminded(number, asked, message.message_id):
            await self._voice.remove(view.place.chat, [message.message_id])  # he was faster
