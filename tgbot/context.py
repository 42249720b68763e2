"""What a handler is given besides the update: the house's parts, the table that is open, and the reader's words."""

from typing import Any

from telegram import Message, Update, User
from telegram.ext import Application, CallbackContext, ExtBot

from persistence.mapping import Person, Place
from persistence.sitting import Sitting
from tgbot.buttons import Tap, read_tap
from tgbot.words import Words, closest, words

GROUP_ANONYMOUS_BOT = 1087968824
"""Whoever writes as the group itself; never a person (telegram.md, trap 9)."""


class Context(CallbackContext[ExtBot[None], dict[Any, Any], dict[Any, Any], dict[Any, Any]]):
    """PTB's context, with the table of the update's chat while its transaction is open."""

    sitting: Sitting | None = None
    """The open table; only while a handler of the conversation runs."""


App = Application[ExtBot[None], Context, dict[Any, Any], dict[Any, Any], dict[Any, Any], Any]


def place_of(update: Update) -> Place | None:
    """Where an update belongs: its group, and its topic if it is in one."""
    chat, message = update.effective_chat, update.effective_message
    if chat is None or chat.type not in ("group", "supergroup"):
        return None
    # A reply in a plain group carries a thread id, too; only a real topic has a table of its own (trap 11).
    topic = message.message_thread_id if isinstance(message, Message) and message.is_topic_message else None
    return Place(chat.id, topic or 0)


def person_of(user: User) -> Person:
    """The person behind an update, as Telegram knows him now."""
    return Person(user.id, user.full_name, closest(user.language_code))


def tap_of(update: Update) -> Tap | None:
    """The button that was tapped, if it is one of ours."""
    return read_tap(update.callback_query.data) if update.callback_query else None


def words_of(update: Update) -> Words:
    """The words of whoever did this."""
    user = update.effective_user
    return words(closest(user.language_code if user else None))
