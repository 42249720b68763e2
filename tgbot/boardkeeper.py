"""The keeper of the boards: makes each group's message equal to its row, within the group's budget.

A row with ``shown < move`` is its own outbox. Moves that come faster than the group may be written to are folded:
whatever the keeper draws is the newest state.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from datetime import datetime

from telegram.constants import ParseMode
from telegram.error import BadRequest, ChatMigrated, NetworkError, RetryAfter, TelegramError
from telegram.ext import ExtBot

from domain.hand import HandClass
from domain.table import Phase, PlayedHand
from persistence.boards import SLICE, Behind, Boards
from persistence.locks import Alone, Locks, holding
from persistence.locks import board as board_of
from persistence.sitting import AT_THE_BOTTOM
from persistence.trouble import report
from persistence.views import View
from tgbot.board import Board, draw, draw_past
from tgbot.budget import CallBudget, Urgency
from tgbot.request import log_level
from tgbot.sheet import Scene
from tgbot.voice import Voice
from tgbot.words import words

_LOG = logging.getLogger(__name__)
_SWEEP = 5.0
"""Seconds between two looks for boards that nobody has woken us for: after a start, or another replica's move."""
_AT_WORK = 500
"""How many groups are written to at the same time, or wait for their turn; what is behind elsewhere is found later."""
_ELSEWHERE = 0.3
"""Seconds until a board that another process draws is looked at again."""
_PAUSE = 3.0
"""Seconds to wait after an error, be it the network's or the database's."""
_NOT_MODIFIED = "message is not modified"
_GONE = ("message to edit not found", "message can't be edited", "message_id_invalid")


class _News:
    """What has changed in one group since its boards were drawn."""

    def __init__(self) -> None:
        self.views: dict[int, View] = {}
        """The newest state of a table, from whoever has just changed it: nobody has to read it again."""
        self.unseen = False
        """Something has changed, and only the database knows what."""
        self.free_at: datetime | None = None
        """When the group's budget is whole again, as far as we have heard."""

    def __bool__(self) -> bool:
        return self.unseen or bool(self.views)


class BoardKeeper:
    """Draws boards; one group after the other's pace, all groups side by side."""

    def __init__(
        self,
        bot: ExtBot[None],
        boards: Boards,
        voice: Voice,
        budget: CallBudget,
        now: Callable[[], datetime],
        locks: Locks | None = None,
    ) -> None:
        self._bot = bot
        self._boards = boards
        self._voice = voice
        self._budget = budget
        self._now = now
        self._locks = locks or Alone()
        self._countdown = True
        self._workers: dict[int, asyncio.Task[None]] = {}
        self._news: dict[int, _News] = {}

    async def run(self) -> None:
        """Look for boards that are behind, for ever."""
        seen: Behind | None = None
        while True:
            try:
                seen = await self._look_around(seen)
            except Exception as error:
                report(_LOG, "the boards could not be looked at", error)
            await asyncio.sleep(_SWEEP)

    async def _look_around(self, after: Behind | None) -> Behind | None:
        """Wake whoever has a board that is behind, as many as are found at once; after which one to go on."""
        found = await self._boards.behind(after) if len(self._workers) < _AT_WORK else ()
        for board in found:
            self.wake(board.chat)
        return found[-1] if len(found) == SLICE else None

    def wake(self, chat: int, view: View | None = None) -> None:
        """Something has changed in a group; ``view`` is what, if that is known.

        Thousands of groups at once (a start after an outage) are not all kept in memory: their rows keep what is to be
        done, and `run` finds it.
        """
        if view is not None and view.shown >= view.table.move:
            return
        if chat not in self._workers:
            if view is None and len(self._workers) >= _AT_WORK:
                return
            self._news[chat] = _News()
            self._workers[chat] = asyncio.create_task(self._work(chat))
        news = self._news[chat]
        if view is None:
            news.unseen = True
        else:
            news.views[view.number] = view

    async def finish(self) -> None:
        """Show what is still to be shown, as far as the budgets allow it at once."""
        await asyncio.gather(*self._workers.values(), return_exceptions=True)

    async def close(self) -> None:
        """Stop; what is not shown yet will be shown after the next start."""
        for worker in self._workers.values():
            worker.cancel()
        await asyncio.gather(*self._workers.values(), return_exceptions=True)

    async def _work(self, chat: int) -> None:
        news = self._news[chat]
        try:
            while news:
                try:
                    await self._bring_all_up(chat, news)
                except Exception as error:
                    report(_LOG, f"the boards of chat {chat} could not be shown", error)
                    news.unseen = True
                    await asyncio.sleep(_PAUSE)
        finally:
            del self._workers[chat], self._news[chat]

    async def _bring_all_up(self, chat: int, news: _News) -> None:
        numbers: Sequence[int] = [*news.views]
        if news.unseen:
            news.unseen = False
            numbers = await self._boards.behind_in(chat)
            news.views = {number: view for number, view in news.views.items() if number in numbers}
        for number in numbers:
            await self._bring_up(number, chat, news)

    async def _bring_up(self, number: int, chat: int, news: _News) -> None:
        """One process draws a board at a time: two that send a new one would leave one of them behind."""
        while True:
            async with holding(self._locks, board_of(number)) as ours:
                if ours:
                    await self._draw(number, news)
                    return
            await asyncio.sleep(_ELSEWHERE)
            if number not in await self._boards.behind_in(chat):
                news.views.pop(number, None)
                return

    async def _draw(self, number: int, news: _News) -> None:
        """Wait for the group's budget, then for that of all groups; only then is looked what there is to show."""
        known = news.views.get(number)
        wait = self._boards.wait(max(filter(None, (news.free_at, known and known.free_at)), default=None))
        taken: View | float | None = wait
        while isinstance(taken, float):
            await self._budget.sit_out(taken)
            known = news.views.get(number)
            await self._budget.turn(_urgency(known))
            known = news.views.get(number)
            taken = await self._boards.take(number, known)
        if news.views.get(number) is known:
            news.views.pop(number, None)
        if taken is not None:
            news.free_at = taken.free_at
            await self._show(taken, news)

    async def _show(self, view: View, news: _News) -> None:
        board = draw(view.table, self._scene(view), words(view.language))
        try:
            if view.board is None or _deserves_new_board(view):
                await self._send(view, board)
            else:
                await self._edit(view, board)
        except RetryAfter as error:
            await self._voice.heed(view.place.chat, error)
            news.unseen = True
        except ChatMigrated as error:
            await self._voice.heed(view.place.chat, error)
            self.wake(error.new_chat_id)  # the board goes there now
        except BadRequest as error:
            await self._refused(view, news, error)
        except NetworkError as error:
            _LOG.log(log_level(error), "chat %s: %s", view.place.chat, error)
            await asyncio.sleep(_PAUSE)
            news.unseen = True
        except TelegramError as error:
            await self._voice.heed(view.place.chat, error)

    def _scene(self, view: View) -> Scene:
        return Scene(view.number, view.names, view.due_at, self._now(), self._countdown, view.page)

    async def _send(self, view: View, board: Board) -> None:
        message = await self._bot.send_message(
            view.place.chat,
            board.text,
            parse_mode=ParseMode.HTML,
            reply_markup=board.keyboard,
            message_thread_id=view.place.topic or None,
            disable_notification=view.table.phase is not Phase.ENDED,
        )
        await self._boards.shown(view, message.message_id)
        if view.board is not None:
            self._voice.later(self._retire(view, view.board))

    async def _edit(self, view: View, board: Board) -> None:
        try:
            await self._bot.edit_message_text(
                board.text,
                view.place.chat,
                view.board,
                parse_mode=ParseMode.HTML,
                reply_markup=board.keyboard,
            )
        except BadRequest as error:
            if _NOT_MODIFIED not in error.message.lower():
                raise
        await self._boards.shown(view, view.board)

    async def _refused(self, view: View, news: _News, error: BadRequest) -> None:
        said = error.message.lower()
        if any(reason in said for reason in _GONE):
            await self._boards.forget(view.number)
            news.unseen = True
        elif self._countdown and "tg-time" in said:
            _LOG.warning("this Bot API server knows no time entities; boards name the time in words from now on")
            self._countdown = False
            news.unseen = True
        else:
            await self._voice.heed(view.place.chat, error)
            await self._boards.shown(view, view.board)  # trying the same again would fail again

    async def _retire(self, view: View, board: int) -> None:
        """The board further up tells only what has happened, as soon as nothing more urgent wants to be said."""
        await self._budget.turn(Urgency.TIDY)
        while wait := await self._boards.claim(view.place.chat, spare=2):
            await self._budget.sit_out(wait)
            await self._budget.turn(Urgency.TIDY)
        past = draw_past(view.table, self._scene(view), words(view.language))
        try:
            await self._bot.edit_message_text(past.text, view.place.chat, board, parse_mode=ParseMode.HTML)
        except TelegramError as error:
            _LOG.log(log_level(error), "an old board stays as it is: %s", error)

    async def strip(self, chat: int, message: int) -> None:
        """Take the buttons off a board that is no longer the newest, if the budgets have room for it."""
        if self._budget.is_busy:
            return
        await self._budget.turn(Urgency.TIDY)
        if await self._boards.claim(chat):
            return
        try:
            await self._bot.edit_message_reply_markup(chat, message)  # PTB makes {} of an empty keyboard
        except TelegramError as error:
            _LOG.debug("an old board keeps its buttons: %s", error)


def _urgency(known: View | None) -> Urgency:
    if known is None:
        return Urgency.UNTAPPED
    return Urgency.BOARD if known.table.actor is None else Urgency.ASKED


def _deserves_new_board(view: View) -> bool:
    """A pot won whole, or a post hit for the pot, is worth a message of its own at the bottom; and so is the end."""
    if view.shown <= 0:
        return view.shown == AT_THE_BOTTOM
    news = [hand for hand in view.table.played if hand.move > view.shown]
    over = view.table.phase is Phase.ENDED and view.table.round > 0
    return over or any(_is_memorable(hand) for hand in news)


def _is_memorable(hand: PlayedHand) -> bool:
    whole_pot = hand.bet is not None and hand.bet >= hand.pot > 0
    return (hand.hand is HandClass.WIN and hand.pot_emptied) or (hand.hand is HandClass.POST and whole_pot)
