"""The keeper of the boards: makes each group's message equal to its row, within the group's budget.

A row with ``shown < move`` is its own outbox. Moves that come faster than the group may be written to are folded:
whatever the keeper draws is the newest state.
"""

import asyncio
import logging
from collections.abc import Callable
from datetime import datetime

from telegram.constants import ParseMode
from telegram.error import BadRequest, ChatMigrated, NetworkError, RetryAfter, TelegramError
from telegram.ext import ExtBot

from domain.hand import HandClass
from domain.table import Phase, PlayedHand
from persistence.boards import AT_THE_BOTTOM, Boards, View
from persistence.locks import Alone, Locks, holding
from persistence.locks import board as board_of
from persistence.tables import NoTableError
from persistence.trouble import report
from tgbot.board import Board, draw, draw_past
from tgbot.sheet import Scene
from tgbot.voice import Voice
from tgbot.words import words

_LOG = logging.getLogger(__name__)
_SWEEP = 5.0
"""Seconds between two looks for boards that nobody has woken us for: after a start, or another replica's move."""
_ELSEWHERE = 0.3
"""Seconds until a board that another process draws is looked at again."""
_PAUSE = 3.0
"""Seconds to wait after an error, be it the network's or the database's."""
_NOT_MODIFIED = "message is not modified"
_GONE = ("message to edit not found", "message can't be edited", "message_id_invalid")


class BoardKeeper:
    """Draws boards; one group after the other's pace, all groups side by side."""

    def __init__(
        self,
        bot: ExtBot[None],
        boards: Boards,
        voice: Voice,
        now: Callable[[], datetime],
        locks: Locks | None = None,
    ) -> None:
        self._bot = bot
        self._boards = boards
        self._voice = voice
        self._now = now
        self._locks = locks or Alone()
        self._countdown = True
        self._workers: dict[int, asyncio.Task[None]] = {}
        self._news: set[int] = set()

    async def run(self) -> None:
        """Look for boards that are behind, for ever."""
        while True:
            try:
                for _, chat in await self._boards.behind():
                    self.wake(chat)
            except Exception as error:
                report(_LOG, "the boards could not be looked at", error)
            await asyncio.sleep(_SWEEP)

    def wake(self, chat: int) -> None:
        """Something has changed in a group."""
        self._news.add(chat)
        if chat not in self._workers:
            self._workers[chat] = asyncio.create_task(self._work(chat))

    async def finish(self) -> None:
        """Show what is still to be shown, as far as the budgets allow it at once."""
        await asyncio.gather(*self._workers.values(), return_exceptions=True)

    async def close(self) -> None:
        """Stop; what is not shown yet will be shown after the next start."""
        for worker in self._workers.values():
            worker.cancel()
        await asyncio.gather(*self._workers.values(), return_exceptions=True)

    async def _work(self, chat: int) -> None:
        try:
            while chat in self._news:
                self._news.discard(chat)
                try:
                    await self._bring_all_up(chat)
                except Exception as error:
                    report(_LOG, f"the boards of chat {chat} could not be shown", error)
                    self._news.add(chat)
                    await asyncio.sleep(_PAUSE)
        finally:
            del self._workers[chat]

    async def _bring_all_up(self, chat: int) -> None:
        for number, place in await self._boards.behind():
            if place == chat:
                await self._bring_up(number, chat)

    async def _bring_up(self, number: int, chat: int) -> None:
        """One process draws a board at a time: two that send a new one would leave one of them behind."""
        while True:
            async with holding(self._locks, board_of(number)) as ours:
                if ours:
                    await self._draw(number, chat)
                    return
            await asyncio.sleep(_ELSEWHERE)
            if not await self._is_behind(number):
                return

    async def _draw(self, number: int, chat: int) -> None:
        while wait := await self._boards.claim(chat):
            await asyncio.sleep(wait)
        try:
            view = await self._boards.view(number)
        except NoTableError:
            return
        if view.shown < view.table.move:
            await self._show(view)

    async def _is_behind(self, number: int) -> bool:
        return any(number == other for other, _ in await self._boards.behind())

    async def _show(self, view: View) -> None:
        board = draw(view.table, self._scene(view), words(view.language))
        try:
            if view.board is None or _deserves_new_board(view):
                await self._send(view, board)
            else:
                await self._edit(view, board)
        except RetryAfter as error:
            await self._voice.heed(view.place.chat, error)
            self._news.add(view.place.chat)
        except ChatMigrated as error:
            await self._voice.heed(view.place.chat, error)
            self.wake(error.new_chat_id)  # the board goes there now
        except BadRequest as error:
            await self._refused(view, error)
        except NetworkError as error:
            _LOG.info("chat %s: %s", view.place.chat, error)
            await asyncio.sleep(_PAUSE)
            self._news.add(view.place.chat)
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

    async def _refused(self, view: View, error: BadRequest) -> None:
        said = error.message.lower()
        if any(reason in said for reason in _GONE):
            await self._boards.forget(view.number)
            self._news.add(view.place.chat)
        elif self._countdown and "tg-time" in said:
            _LOG.warning("this Bot API server knows no time entities; boards name the time in words from now on")
            self._countdown = False
            self._news.add(view.place.chat)
        else:
            await self._voice.heed(view.place.chat, error)
            await self._boards.shown(view, view.board)  # trying the same again would fail again

    async def _retire(self, view: View, board: int) -> None:
        """The board further up tells only what has happened, as soon as nothing more urgent wants to be said."""
        while wait := await self._boards.claim(view.place.chat, spare=2):
            await asyncio.sleep(wait)
        past = draw_past(view.table, self._scene(view), words(view.language))
        try:
            await self._bot.edit_message_text(past.text, view.place.chat, board, parse_mode=ParseMode.HTML)
        except TelegramError as error:
            _LOG.info("an old board stays as it is: %s", error)

    async def strip(self, chat: int, message: int) -> None:
        """Take the buttons off a board that is no longer the newest, if the group's budget has room for it."""
        if await self._boards.claim(chat):
            return
        try:
            await self._bot.edit_message_reply_markup(chat, message)  # PTB makes {} of an empty keyboard
        except TelegramError as error:
            _LOG.debug("an old board keeps its buttons: %s", error)


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
