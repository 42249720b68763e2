"""The bot's voice: toasts, replies and questions, within what Telegram takes from it.

Nothing here can fail upwards: what has been played has been played, and a word that does not arrive changes nothing.
"""

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any

from telegram import CallbackQuery, ForceReply, InlineKeyboardMarkup, Message, ReplyParameters, Update
from telegram.constants import ParseMode
from telegram.error import ChatMigrated, Forbidden, RetryAfter, TelegramError
from telegram.ext import ExtBot

from persistence.boards import Boards
from persistence.chats import Chats
from persistence.mapping import Place
from tgbot.answers import TOAST
from tgbot.budget import CallBudget, Urgency
from tgbot.request import log_level
from tgbot.rights import may_write

_LOG = logging.getLogger(__name__)
_PATIENCE = 15.0
"""Seconds that a reply may wait for the group's budget before it has lost its point."""


class Voice:
    """Speaks in groups; every message is paid for from the group's budget, a toast is free."""

    def __init__(self, bot: ExtBot[None], boards: Boards, chats: Chats, budget: CallBudget) -> None:
        self._bot = bot
        self._budget = budget
        self._boards = boards
        self._chats = chats
        self._tasks: set[asyncio.Task[Any]] = set()

    def later(self, speech: Coroutine[Any, Any, Any]) -> None:
        """Say something without letting the next update wait for it."""
        task = asyncio.create_task(speech)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def finish(self) -> None:
        """Wait for what is still being said."""
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def toast(self, query: CallbackQuery, text: str = "", alert: bool = False) -> None:
        """Answer a tap. Nobody waits for it, the chat's next update least of all: Telegram may take seconds."""
        self.later(self._toast(query, text, alert))

    async def _toast(self, query: CallbackQuery, text: str, alert: bool) -> None:
        """A query that is too old has been given up by the player's client: nothing is lost."""
        try:
            await query.answer(text[:TOAST] or None, show_alert=alert)
        except TelegramError as error:
            _LOG.log(log_level(error), "a tap could not be answered: %s", error)

    async def answer(self, update: Update, text: str, alert: bool = False) -> None:
        """Tell whoever did this: a toast for a tap, a reply for a message."""
        if update.callback_query:
            await self.toast(update.callback_query, text, alert)
        elif isinstance(update.effective_message, Message) and text:
            self.later(self.reply(update.effective_message, text))

    async def reply(
        self, message: Message, text: str, keyboard: InlineKeyboardMarkup | ForceReply | None = None
    ) -> Message | None:
        """Reply in the chat of a message; ``text`` is HTML."""
        topic = message.message_thread_id if message.is_topic_message else None
        quote = ReplyParameters(message.message_id, allow_sending_without_reply=True)
        return await self.say(Place(message.chat_id, topic or 0), text, keyboard, quote)

    async def say(
        self,
        place: Place,
        text: str,
        keyboard: InlineKeyboardMarkup | ForceReply | None = None,
        quote: ReplyParameters | None = None,
        silent: bool = False,
    ) -> Message | None:
        """Send an HTML text, when the group's budget allows it; ``None`` if it could not be said."""
        if not await self._may_speak(place.chat):
            return None
        try:
            return await self._bot.send_message(
                place.chat,
                text,
                parse_mode=ParseMode.HTML,
                message_thread_id=place.topic or None,
                reply_markup=keyboard,
                reply_parameters=quote,
                disable_notification=silent,
            )
        except TelegramError as error:
            await self.heed(place.chat, error)
            return None

    async def _may_speak(self, chat: int) -> bool:
        await self._budget.turn(Urgency.WORD)
        if chat > 0:  # a private chat has no budget of its own
            return True
        waited = 0.0
        while wait := await self._boards.claim(chat):
            waited += wait
            if waited > _PATIENCE:
                return False
            await self._budget.sit_out(wait)
            await self._budget.turn(Urgency.WORD)
        return True

    async def heed(self, chat: int, error: TelegramError) -> None:
        """Learn from what Telegram said about a group: wait, follow it, or be silent there."""
        said = error.message.lower()  # python-telegram-bot writes the first letter large
        match error:
            case RetryAfter():
                await self._boards.postpone(chat, _seconds(error))
            case ChatMigrated():
                await self._chats.moved(chat, error.new_chat_id)
            case Forbidden() if chat < 0:
                await self._chats.silence(chat)
            case _ if "not enough rights" in said or "chat not found" in said:
                await self._chats.silence(chat)
            case _:
                _LOG.log(log_level(error, logging.WARNING), "chat %s: %s", chat, error)

    async def try_again(self, chat: int) -> bool:
        """Somebody speaks to us in a group where we keep silent: what gave us our voice back may have been lost, with a
        process that was killed over it. Whether we have it again; Telegram is asked."""
        try:
            me = await self._bot.get_chat_member(chat, self._bot.id)
        except TelegramError as error:
            _LOG.log(log_level(error), "chat %s does not say whether we may write: %s", chat, error)
            return False
        if may_write(me):
            await self._chats.welcome(chat)
        return may_write(me)

    async def remove(self, chat: int, messages: list[int]) -> None:
        """Delete messages of ours that have done their work."""
        for message in messages:
            try:
                await self._bot.delete_message(chat, message)
            except TelegramError as error:
                _LOG.log(log_level(error), "message %s of chat %s stays: %s", message, chat, error)


def _seconds(error: RetryAfter) -> float:
    after = error.retry_after
    return after if isinstance(after, int) else after.total_seconds()
