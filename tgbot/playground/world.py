"""Who and what exists: people, chats, members, topics and messages. Plain data, in memory.

Ids have the size of Telegram's own (people and groups beyond 32 bits), because a bot that keeps them in
too narrow a column works with small ones only. Message ids are counted per chat.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any

Json = dict[str, Any]

ANONYMOUS_ADMIN = 1087968824
"""GroupAnonymousBot: who Telegram names as the sender when an administrator writes as the group."""

CHANNEL_WRITER = 136817688
"""Channel_Bot: who Telegram names as the sender when somebody writes in a group as a channel."""

ADMINISTRATORS = ("creator", "administrator")
PRESENT = ("creator", "administrator", "member", "restricted")


@dataclass
class Person:
    """A Telegram user: one of the simulated people, or a bot."""

    id: int
    first_name: str
    last_name: str | None = None
    username: str | None = None
    language_code: str | None = None
    is_bot: bool = False
    started: bool = False
    blocked: bool = False


@dataclass
class Member:
    """What somebody is in a chat. A member who left stays known, as Telegram keeps the status."""

    user_id: int
    status: str = "member"
    is_anonymous: bool = False
    can_send: bool = True

    @property
    def present(self) -> bool:
        return self.status in PRESENT

    @property
    def administrates(self) -> bool:
        return self.status in ADMINISTRATORS


@dataclass
class Message:
    """A message as the server keeps it; `service` holds the content of a service message."""

    id: int
    chat_id: int
    date: int
    sender: int
    sender_chat: Json | None = None
    text: str = ""
    entities: list[Json] = field(default_factory=list)
    markup: Json | None = None
    reply_to: int | None = None
    thread: int | None = None
    in_topic: bool = False
    edit_date: int | None = None
    protected: bool = False
    preview: Json | None = None
    service: Json = field(default_factory=dict)


@dataclass
class Chat:
    """A private chat, a basic group or a supergroup."""

    id: int
    type: str
    title: str = ""
    is_forum: bool = False
    members: dict[int, Member] = field(default_factory=dict)
    topics: dict[int, str] = field(default_factory=dict)
    messages: dict[int, Message] = field(default_factory=dict)
    last_id: int = 0
    last_bot: int | None = None
    pinned: int | None = None
    migrated_to: int | None = None
    deleted: bool = False

    @property
    def is_group(self) -> bool:
        return self.type != "private"

    def member(self, user_id: int) -> Member:
        """What this user is here; somebody never seen is one who has left."""
        return self.members.get(user_id) or Member(user_id, "left")

    def present(self) -> list[Member]:
        return [member for member in self.members.values() if member.present]


class World:
    """Everything that exists, and the counters that give out ids."""

    def __init__(self, bot: Person, clock: Callable[[], float]) -> None:
        self.bot = bot
        self.people: dict[int, Person] = {}
        self.chats: dict[int, Chat] = {}
        self.clock = clock
        self._person_ids = count(5_000_000_001)
        self._group_ids = count(-4_000_000_001, -1)
        self._supergroup_ids = count(-1_002_000_000_001, -1)
        self._faceless = {
            ANONYMOUS_ADMIN: Person(ANONYMOUS_ADMIN, "Group", username="GroupAnonymousBot", is_bot=True),
            CHANNEL_WRITER: Person(CHANNEL_WRITER, "Channel", username="Channel_Bot", is_bot=True),
        }

    def now(self) -> int:
        return int(self.clock())

    def user(self, user_id: int) -> Person | None:
        """A person, the bot, or one of Telegram's stand-ins for senders without a face."""
        if user_id == self.bot.id:
            return self.bot
        return self.people.get(user_id) or self._faceless.get(user_id)

    def users(self) -> Iterator[Person]:
        yield self.bot
        yield from self.people.values()

    def new_person_id(self) -> int:
        return next(number for number in self._person_ids if self.user(number) is None)

    def new_chat(self, type_: str, title: str, *, forum: bool = False) -> Chat:
        chat_id = next(self._group_ids if type_ == "group" else self._supergroup_ids)
        chat = self.chats[chat_id] = Chat(chat_id, type_, title, forum)
        return chat

    def private_chat(self, person: Person) -> Chat:
        """The person's conversation with the bot; its id is the person's."""
        return self.chats.setdefault(person.id, Chat(person.id, "private"))

    def new_message(self, chat: Chat, sender: int, **content: Any) -> Message:
        """Give the message the chat's next id and keep it."""
        chat.last_id += 1
        message = Message(chat.last_id, chat.id, self.now(), sender, **content)
        chat.messages[message.id] = message
        return message
