"""The first look at an update: whether it is one that we asked for, and whole.

PTB makes an object of nearly any JSON and leaves fields that must be there empty. Telegram sends nothing of that kind,
so whatever does is dropped here, once, and no handler has to doubt the types that it was promised.
"""

import logging

from telegram import CallbackQuery, Chat, ChatMember, ChatMemberUpdated, Message, MessageEntity, Update, User
from telegram.ext import ApplicationHandlerStop

from tgbot.context import Context

_LOG = logging.getLogger(__name__)
ALLOWED_UPDATES = [Update.MESSAGE, Update.CALLBACK_QUERY, Update.MY_CHAT_MEMBER, Update.CHAT_MEMBER]
"""What the bot wants to hear of, however it hears of it."""
FIRST = -1
"""The handlers' group that sees an update before all others."""


async def look_at(update: object, _: Context) -> None:
    """Let it pass, or let nobody else see it.

    Raises:
        telegram.ext.ApplicationHandlerStop: it is none of ours.
    """
    if not isinstance(update, Update) or not is_ours(update):
        _LOG.debug("an update that nobody asked for is dropped")
        raise ApplicationHandlerStop


def is_ours(update: Update) -> bool:
    """Whether an update is of a kind that the bot handles, and has everything that such a one has."""
    if update.message is not None:
        return _is_message(update.message)
    if update.callback_query is not None:
        return _is_tap(update.callback_query)
    change = update.my_chat_member or update.chat_member
    return change is not None and _is_change(change)


def _is_message(message: object) -> bool:
    if not isinstance(message, Message):
        return False
    text, entities = message.text, message.entities
    return (
        _is_number(message.message_id)
        and _is_chat(message.chat)
        and all(person is None or _is_user(person) for person in (message.from_user, message.left_chat_member))
        and (message.sender_chat is None or _is_chat(message.sender_chat))
        and (text is None or isinstance(text, str))
        and all(_is_entity(entity, text or "") for entity in entities)
        and all(n is None or _is_number(n) for n in _numbers(message))
        and (message.reply_to_message is None or _is_message(message.reply_to_message))
    )


def _numbers(message: Message) -> tuple[object, ...]:
    return message.message_thread_id, message.migrate_to_chat_id, message.migrate_from_chat_id


def _is_entity(entity: object, text: str) -> bool:
    if not isinstance(entity, MessageEntity) or not isinstance(entity.type, str):
        return False
    fits = _is_number(entity.offset) and _is_number(entity.length) and entity.offset >= 0
    units = len(text.encode("utf-16-le", "surrogatepass")) // 2
    return fits and 0 < entity.length <= units - entity.offset and (entity.user is None or _is_user(entity.user))


def _is_tap(query: CallbackQuery) -> bool:
    message = query.message
    return (
        isinstance(query.id, str)
        and _is_user(query.from_user)
        and (query.data is None or isinstance(query.data, str))
        and (message is None or (_is_number(message.message_id) and _is_chat(message.chat)))
        and (not isinstance(message, Message) or _is_message(message))
    )


def _is_change(change: ChatMemberUpdated) -> bool:
    members = (change.old_chat_member, change.new_chat_member)
    return (
        _is_chat(change.chat)
        and _is_user(change.from_user)
        and all(isinstance(m, ChatMember) and isinstance(m.status, str) and _is_user(m.user) for m in members)
    )


def _is_user(user: object) -> bool:
    return (
        isinstance(user, User)
        and _is_number(user.id)
        and isinstance(user.first_name, str)
        and all(text is None or isinstance(text, str) for text in (user.last_name, user.language_code))
    )


def _is_chat(chat: object) -> bool:
    return isinstance(chat, Chat) and _is_number(chat.id) and isinstance(chat.type, str)


def _is_number(value: object) -> bool:
    """A whole number that a column of the database takes (trap 23)."""
    return type(value) is int and -(2**63) <= value < 2**63
