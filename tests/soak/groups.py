"""The groups of a soak, and what somebody sees who looks at his phone there."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

import persistence.mapping
from domain.presets import PRESETS
from domain.settings import Settings
from persistence.database import Database
from persistence.mapping import Place
from persistence.tables import Tables
from tgbot.playground import Playground, membership
from tgbot.playground.world import Chat, Message, Person

_FIRST_NAMES = ("Ada", "Bo", "Cem", "Dov", "Ewa", "Finn", "Gus", "Ida", "Jan", "Kay", "Lea", "Ola")
_PRESETS = ("home_pot", "acey_deucey", "bank", "red_dog", "blind_bank", "dragon_gate", "friendly_pot", "staked_bank")
_LOOKED_AT = 60
"""Messages that somebody scrolls back at most."""
ANSWERS = frozenset({"cut", "stake", "bet", "pass", "high", "low", "higher", "lower", "raise"})
"""What the buttons say that answer a question."""


class Button(NamedTuple):
    """A button and the message it stands on."""

    text: str
    data: str
    message: int

    @property
    def word(self) -> str:
        """What it says."""
        return self.data.partition(":")[0]

    @property
    def table(self) -> str:
        """The number of its table; "0" if it belongs to none."""
        return self.data.split(":")[1]


class Seen(NamedTuple):
    """A message of the bot, as somebody reads it."""

    id: int
    text: str
    buttons: Sequence[Button]

    @property
    def words(self) -> frozenset[str]:
        """What its buttons say."""
        return frozenset(button.word for button in self.buttons)

    @property
    def is_lobby(self) -> bool:
        """Whether people gather here; also when a page of the menu is open."""
        return "page" in self.words

    def asks(self, name: str) -> bool:
        """Whether the question below the hands is put to this person."""
        return bool(self.words & ANSWERS) and name in self.text.split("\n\n")[-1]

    def saying(self, *words: str) -> Sequence[Button]:
        """The buttons that say one of these."""
        return [button for button in self.buttons if button.word in words]


class Member(NamedTuple):
    """Somebody in a group."""

    id: int
    name: str


@dataclass
class Group:
    """A group; its chat may become another one."""

    telegram: Playground
    number: int
    first_chat: int
    preset: str
    language: str
    founder: Member
    others: Sequence[Member]
    topics: Sequence[int]
    """Where tables stand: forum topics, or 0 for the group itself."""

    @property
    def chat(self) -> Chat:
        """The chat as it is now."""
        chats = self.telegram.world.chats
        chat = chats[self.first_chat]
        while chat.migrated_to is not None:
            chat = chats[chat.migrated_to]
        return chat

    def messages(self, topic: int) -> Iterator[Message]:
        """What the bot has written and nobody deleted, the newest first."""
        bot = self.telegram.world.bot.id
        for n, message in enumerate(reversed(self.chat.messages.values())):
            if n > _LOOKED_AT:
                return
            if message.sender == bot and not message.service and (not topic or message.thread == topic):
                yield message

    def board(self, topic: int) -> Seen | None:
        """The newest message with buttons of a table, or with the one that opens a table."""
        for message in self.messages(topic):
            seen = _seen(message)
            if seen.words - {"lang", "kick", "now"}:
                return seen
        return None

    def question(self, topic: int, name: str) -> int | None:
        """The message in which the bot asks somebody for an amount."""
        for message in self.messages(topic):
            if (message.markup or {}).get("force_reply") and name in message.text:
                return message.id
        return None


def found_groups(telegram: Playground, number: int, seed: int) -> list[Group]:
    """So many groups, each with its people; every third a forum, every third one that can become a supergroup."""
    random = Random(f"{seed} groups")
    groups: list[Group] = []
    for n in range(number):
        language = random.choice(("en", "pl"))
        founder, *others = (_person(telegram, random, n, k, language) for k in range(random.randint(3, 5)))
        if groups:
            others.append(random.choice(groups[-1].others))  # somebody plays in two groups at once
        groups.append(_found(telegram, n, language, founder, others))
    return groups


async def open_tables(database: Database, groups: Sequence[Group], seed: int) -> None:
    """The first table of every place, with the shortest clock there is; a group keeps to what it agreed on first."""
    tables, random = Tables(database), Random(f"{seed} tables")
    for group in groups:
        for topic in group.topics:
            settings = Settings(
                clock=15,
                chips=random.choice((10, 20, 50)),
                rebuys=random.choice((0, 1, None)),
                rounds=random.choice((None, 2, 5)),
            )
            rules = PRESETS[group.preset]
            place = Place(group.chat.id, topic)
            async with tables.at(place) as sitting:
                sitting.chat.language = group.language
                sitting.remember(persistence.mapping.Person(*group.founder, group.language))
                sitting.open(place, group.founder.id, rules, settings.fitted(rules))


def _found(telegram: Playground, number: int, language: str, founder: Member, others: Sequence[Member]) -> Group:
    forum = number % 3 == 2
    chat = membership.new_group(
        telegram.network,
        founder.id,
        f"Soak {number}",
        type_=("group", "supergroup", "supergroup")[number % 3],
        members=[member.id for member in others],
        with_bot=True,
        forum=forum,
    )
    topics = [membership.topic(telegram.network, founder.id, chat, f"Table {n}") for n in (1, 2)] if forum else [0]
    return Group(telegram, number, chat.id, _PRESETS[number % len(_PRESETS)], language, founder, others, topics)


def _person(telegram: Playground, random: Random, group: int, place: int, language: str) -> Member:
    world = telegram.world
    person = Person(
        world.new_person_id(),
        f"{_FIRST_NAMES[(group + place) % len(_FIRST_NAMES)]}-{group:02}{place}",
        language_code=random.choice((language, language, "en", "pl", "de")),
    )
    world.people[person.id] = person
    return Member(person.id, person.first_name)


def _seen(message: Message) -> Seen:
    rows = (message.markup or {}).get("inline_keyboard", [])
    buttons = [Button(b["text"], b["callback_data"], message.id) for row in rows for b in row if "callback_data" in b]
    return Seen(message.id, re.sub(r"[\u2068\u2069]", "", message.text), buttons)
