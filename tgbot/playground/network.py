"""What joins the people and the bot: a thing that happens is told to those who may see it.

People see everything in their chats. The bot sees what Telegram shows it: in a group with privacy mode on,
commands, replies to it, mentions of it and service messages; as an administrator, everything.
"""

from collections.abc import Callable
from typing import Any

from tgbot.playground import shapes
from tgbot.playground.events import Events
from tgbot.playground.taps import Taps
from tgbot.playground.updates import Updates
from tgbot.playground.world import Chat, Json, Member, Message, World


class Network:
    """The world, the bot's queue, the people's log, and the taps that wait for an answer."""

    def __init__(self, world: World, clock: Callable[[], float], *, privacy: bool, tap_life: float) -> None:
        self.world = world
        self.privacy = privacy
        self.updates = Updates(clock)
        self.events = Events()
        self.taps = Taps(clock, tap_life)

    def publish(self, chat: Chat, sender: int, **content: Any) -> Message:
        """Put a message into a chat and tell everybody."""
        message = self.world.new_message(chat, sender, **content)
        if (writer := self.world.user(sender)) is not None and writer.is_bot and message.sender_chat is None:
            chat.last_bot = sender
        self.events.add("message", chat=chat.id, message=shapes.message(self.world, message, for_people=True))
        if self.bot_sees(chat, message):
            self.updates.add("message", shapes.message(self.world, message), f"chat {chat.id}")
        return message

    def edited(self, chat: Chat, message: Message) -> None:
        """Tell everybody that a message reads differently now."""
        self.events.add("edited", chat=chat.id, message=shapes.message(self.world, message, for_people=True))
        if self.bot_sees(chat, message):
            self.updates.add("edited_message", shapes.message(self.world, message), f"chat {chat.id}")

    def delete(self, chat: Chat, message_id: int) -> None:
        """Take a message away. Telegram tells no bot of it."""
        del chat.messages[message_id]
        self.events.add("deleted", chat=chat.id, message_id=message_id)

    def member_changed(self, chat: Chat, actor: int, before: Member, after: Member) -> None:
        """Tell of a changed membership: of its own always, of others' to an administrator who asked."""
        kind = "my_chat_member" if after.user_id == self.world.bot.id else "chat_member"
        self.events.add("state")
        person = self.world.user(actor)
        if person is None or (kind == "chat_member" and not chat.member(self.world.bot.id).administrates):
            return
        change = {
            "chat": shapes.chat(self.world, chat),
            "from": shapes.user(person),
            "date": self.world.now(),
            "old_chat_member": self._member(chat, before),
            "new_chat_member": self._member(chat, after),
        }
        self.updates.add(kind, change, f"chat {chat.id}")

    def bot_sees(self, chat: Chat, message: Message) -> bool:
        """Whether Telegram shows this message to the bot."""
        bot = self.world.bot
        writer = self.world.user(message.sender)
        if message.sender == bot.id:
            return "pinned_message" in message.service
        if writer is not None and writer.is_bot and message.sender_chat is None:
            return False
        if not chat.is_group or bot.id in _concerned(message):
            return True
        if not chat.member(bot.id).present:
            return False
        if message.service or not self.privacy or chat.member(bot.id).administrates:
            return True
        replied = chat.messages.get(message.reply_to or 0)
        if replied is not None and replied.sender == bot.id:
            return True
        return self._addressed(chat, message)

    def _addressed(self, chat: Chat, message: Message) -> bool:
        """A command meant for the bot, or a mention; a bare command goes to the bot that spoke last."""
        units = message.text.encode("utf-16-le")
        name = f"@{self.world.bot.username}".lower()
        for entity in message.entities:
            start, length = entity["offset"], entity["length"]
            piece = units[2 * start : 2 * (start + length)].decode("utf-16-le").lower()
            if entity["type"] in ("bot_command", "mention") and piece.endswith(name):
                return True
            if entity["type"] == "text_mention" and entity["user"]["id"] == self.world.bot.id:
                return True
            if entity["type"] == "bot_command" and start == 0 and "@" not in piece:
                return chat.last_bot in (None, self.world.bot.id)
        return False

    def _member(self, chat: Chat, one: Member) -> Json:
        """Telegram's updates know no ban from a basic group: who was removed has simply left."""
        if one.status == "kicked" and chat.type == "group":
            one = Member(one.user_id, "left")
        return shapes.member(self.world, one)


def _concerned(message: Message) -> list[int]:
    """Who a service message is about: the one removed is told, although no longer there."""
    left: Json | None = message.service.get("left_chat_member")
    return [left["id"]] if left else []
