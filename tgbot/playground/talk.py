"""What people do in chats: write, edit, delete, tap, start the bot and block it."""

import re
from dataclasses import replace

from tgbot.playground import shapes
from tgbot.playground.entities import Formatted, compose
from tgbot.playground.errors import ApiError, PeopleError
from tgbot.playground.membership import insider, person
from tgbot.playground.network import Network
from tgbot.playground.taps import Tap
from tgbot.playground.world import ANONYMOUS_ADMIN, CHANNEL_WRITER, Chat, Json, Member, Message

GENERAL = 1
"""The topic every forum has. Its messages carry no thread id."""


def write(
    network: Network,
    who: int,
    chat: Chat,
    text: str,
    *,
    reply_to: int | None = None,
    topic: int | None = None,
    as_chat: bool | None = None,
) -> Message:
    """Write into a chat. An anonymous administrator writes as the group; `as_chat` of anybody else, as a
    channel of theirs."""
    _may_write(network, who, chat)
    if reply_to is not None and reply_to not in chat.messages:
        raise PeopleError(404, "no such message to reply to")
    if topic not in (None, GENERAL) and topic not in chat.topics:
        raise PeopleError(404, "no such topic")
    written = _composed(text)
    thread, in_topic = thread_of(chat, None if topic == GENERAL else topic, reply_to)
    sender, sender_chat = _sender(network, who, chat, as_chat)
    return network.publish(
        chat,
        sender,
        sender_chat=sender_chat,
        text=written.text,
        entities=written.entities,
        reply_to=reply_to,
        thread=thread,
        in_topic=in_topic,
    )


def thread_of(chat: Chat, topic: int | None, reply_to: int | None) -> tuple[int | None, bool]:
    """The thread id a new message gets, and whether it is a topic's.

    In a supergroup without topics a reply starts a thread that carries the first message's id, which bots
    mistake for a topic.
    """
    replied = chat.messages.get(reply_to or 0)
    if chat.is_forum:
        if topic is None and replied is not None and replied.in_topic:
            topic = replied.thread
        return (topic, True) if topic is not None else (None, False)
    if topic is None and replied is not None and chat.type == "supergroup":
        topic = replied.thread or replied.id
    return topic, False


def edit(network: Network, who: int, chat: Chat, message_id: int, text: str) -> Message:
    _may_write(network, who, chat)
    message = find(chat, message_id)
    if message.sender != who or message.service:
        raise PeopleError(403, "not your message")
    written = _composed(text)
    message.text, message.entities = written.text, written.entities
    message.edit_date = network.world.now()
    network.edited(chat, message)
    return message


def delete(network: Network, who: int, chat: Chat, message_id: int) -> None:
    """Delete for everybody: one's own message, or any as an administrator."""
    _inside(network, who, chat)
    if find(chat, message_id).sender != who and chat.is_group and not chat.member(who).administrates:
        raise PeopleError(403, "not your message")
    network.delete(chat, message_id)


def tap(network: Network, who: int, chat: Chat, message_id: int, data: str) -> Tap:
    """Press a button. Any data goes through, as old buttons on a screen not yet redrawn do; a message
    deleted meanwhile reaches the bot as an inaccessible one."""
    _inside(network, who, chat)
    if not 1 <= len(data.encode("utf-8")) <= 64:
        raise PeopleError(400, "a button's data has 1-64 bytes")
    message = chat.messages.get(message_id)
    if message is None and not 0 < message_id <= chat.last_id:
        raise PeopleError(404, "no such message")
    if message is not None and message.sender != network.world.bot.id:
        raise PeopleError(400, "no message of the bot")
    pressed = network.taps.new(who, chat.id, message_id)
    shown: Json = {"chat": shapes.chat(network.world, chat), "message_id": message_id, "date": 0}
    if message is not None:
        shown = shapes.message(network.world, message)
    query = {
        "id": pressed.id,
        "from": shapes.user(network.world.people[who]),
        "message": shown,
        "chat_instance": str(abs(chat.id) * 1_000_003 % 2**63),
        "data": data,
    }
    network.updates.add("callback_query", query, f"person {who}")
    return pressed


def start(network: Network, who: int, payload: str) -> Message:
    """Press Start: open the private chat with the bot, perhaps through a link with a payload."""
    if payload and not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", payload):
        raise PeopleError(400, "a payload has 1-64 letters, digits, _ or -")
    found = network.world.people[person(network, who)]
    chat = network.world.private_chat(found)
    if found.blocked:
        unblock(network, who)
    if not found.started:
        found.started = True
        network.events.add("state")
    return write(network, who, chat, f"/start {payload}".strip())


def block(network: Network, who: int) -> None:
    _set_blocked(network, who, blocked=True)


def unblock(network: Network, who: int) -> None:
    _set_blocked(network, who, blocked=False)


def find(chat: Chat, message_id: int) -> Message:
    if message_id not in chat.messages:
        raise PeopleError(404, "no such message")
    return chat.messages[message_id]


def _set_blocked(network: Network, who: int, *, blocked: bool) -> None:
    found = network.world.people[person(network, who)]
    if not found.started or found.blocked == blocked:
        raise PeopleError(400, "nothing to do")
    found.blocked = blocked
    bot = Member(network.world.bot.id)
    gone = replace(bot, status="kicked")
    before, after = (bot, gone) if blocked else (gone, bot)
    network.member_changed(network.world.private_chat(found), who, before, after)


def _inside(network: Network, who: int, chat: Chat) -> None:
    if chat.is_group:
        insider(network, who, chat)
    elif chat.id != who:
        raise PeopleError(403, "somebody else's conversation")


def _may_write(network: Network, who: int, chat: Chat) -> None:
    _inside(network, who, chat)
    if chat.is_group:
        if not chat.member(who).can_send:
            raise PeopleError(403, "muted in this group")
    elif network.world.people[who].blocked:
        raise PeopleError(403, "unblock the bot first")


def _sender(network: Network, who: int, chat: Chat, as_chat: bool | None) -> tuple[int, Json | None]:
    anonymous = chat.is_group and chat.member(who).is_anonymous
    if not chat.is_group or not (anonymous if as_chat is None else as_chat):
        return who, None
    if anonymous:
        return ANONYMOUS_ADMIN, shapes.chat(network.world, chat)
    title = f"{network.world.people[who].first_name}'s channel"
    return CHANNEL_WRITER, {"id": -1_001_000_000_000_000 - who, "type": "channel", "title": title}


def _composed(text: str) -> Formatted:
    try:
        return compose(Formatted(text))
    except ApiError as error:
        raise PeopleError(400, error.description.removeprefix("Bad Request: ")) from error
