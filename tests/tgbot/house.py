"""The parts of the bot that speak, over real rows and a bot that only writes down what it is asked for."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, cast

from telegram import Chat, InlineKeyboardMarkup, Message, User
from telegram.ext import ExtBot

import tgbot.application  # noqa: F401 - it chooses how python-telegram-bot tells how long to wait
from domain import commands as c
from domain.table import Table
from persistence.boards import Boards
from persistence.chats import Chats
from persistence.database import Database
from persistence.locks import Locks
from persistence.mapping import Person, Place
from persistence.pace import Pace
from persistence.tables import Tables
from tests.domain.tables import NAMES
from tests.persistence.evenings import put
from tests.tgbot.drawing import keys, read
from tgbot.boardkeeper import BoardKeeper
from tgbot.budget import CallBudget
from tgbot.clock import Clock
from tgbot.reminder import Reminder
from tgbot.voice import Voice

GROUP = Place(-1001234567890)
OTHER_GROUP = Place(-1009876543210)
UNLIMITED = Pace(timedelta(), 1)


class StandingClock:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.now = datetime(2026, 11, 30, 20, 15, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def wait(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


@dataclass
class Call:
    """One call of a method of the Bot API."""

    method: str
    chat: int
    message: int | None = None
    html: str = ""
    keyboard: InlineKeyboardMarkup | None = None
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The text as it is read."""
        return read(self.html)

    @property
    def keys(self) -> list[str]:
        """The keyboard, one line a row."""
        return keys(self.keyboard)


class FakeBot:
    """A bot that writes down its calls; the next ones fail if they are told to, or wait at a gate."""

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self.errors: dict[str, list[Exception]] = {}
        self.meanwhile: Callable[[Call], Awaitable[None]] | None = None
        """What happens while the next call is under way."""
        self._message = 100

    def fails(self, method: str, *errors: Exception) -> None:
        """The next calls of a method raise these, one after the other."""
        self.errors.setdefault(method, []).extend(errors)

    def called(self, method: str, chat: int = GROUP.chat) -> list[Call]:
        """The calls of a method in a chat."""
        return [call for call in self.calls if (call.method, call.chat) == (method, chat)]

    @property
    def last(self) -> Call:
        """The latest call."""
        return self.calls[-1]

    async def _do(self, call: Call) -> None:
        self.calls.append(call)
        if meanwhile := self.meanwhile:
            self.meanwhile = None
            await meanwhile(call)
        if errors := self.errors.get(call.method):
            raise errors.pop(0)

    async def send_message(
        self, chat_id: int, text: str, *, reply_markup: InlineKeyboardMarkup | None = None, **options: Any
    ) -> Message:
        """A message gets the next number, whether it arrives or not."""
        self._message += 1
        number = self._message
        await self._do(Call("send", chat_id, number, text, reply_markup, options))
        sent = datetime(2026, 11, 30, tzinfo=UTC)
        return Message(number, sent, Chat(chat_id, Chat.SUPERGROUP), from_user=User(1, "Bot", is_bot=True), text=text)

    async def edit_message_text(
        self,
        text: str,
        chat_id: int,
        message_id: int,
        *,
        reply_markup: InlineKeyboardMarkup | None = None,
        **options: Any,
    ) -> None:
        """An edit of text and keyboard."""
        await self._do(Call("edit", chat_id, message_id, text, reply_markup, options))

    async def edit_message_reply_markup(
        self, chat_id: int, message_id: int, *, reply_markup: InlineKeyboardMarkup | None = None
    ) -> None:
        """An edit of the keyboard alone."""
        await self._do(Call("strip", chat_id, message_id, "", reply_markup))

    async def delete_message(self, chat_id: int, message_id: int) -> None:
        """A message is deleted."""
        await self._do(Call("delete", chat_id, message_id))

    async def answer_callback_query(self, callback_query_id: str, text: str | None, **options: Any) -> None:
        """A toast. It belongs to no chat."""
        await self._do(Call("toast", 0, html=text or "", options={"id": callback_query_id, "text": text, **options}))


class House:
    """Everything that speaks, wired as `tgbot.application` does it, but for the bot and the time."""

    def __init__(
        self,
        database: Database,
        now: Callable[[], datetime],
        bot: FakeBot,
        group: Pace = UNLIMITED,
        locks: Locks | None = None,
    ) -> None:
        self.database, self.now, self.bot = database, now, bot
        self.tables = Tables(database, now)
        self.boards = Boards(database, now, group, UNLIMITED)
        self.chats = Chats(database, now)
        telegram = cast("ExtBot[None]", bot)
        budget = CallBudget(UNLIMITED, now)
        self.voice = Voice(telegram, self.boards, self.chats, budget)
        self.keeper = BoardKeeper(telegram, self.boards, self.voice, budget, now, locks)
        self.clock = Clock(self.tables, self.boards, self.keeper, self.voice, Reminder(self.boards, self.voice))

    async def put(self, table: Table, place: Place = GROUP) -> int:
        """A table stands there, and its people are known. Its number."""
        async with self.tables.at(place) as sitting:
            for player, name in NAMES.items():
                sitting.remember(Person(player, name, "en"))
        return await put(self.database, place, table, self.now())

    async def play(self, number: int, *commands: c.Command) -> Table:
        """Commands are played; nobody is told."""
        async with self.tables.numbered(number) as sitting:
            for command in commands:
                sitting.play(command)
            assert sitting.table is not None
            return sitting.table

    async def show(self, place: Place = GROUP) -> None:
        """The keeper is told that something has changed, and has done what it can do at once."""
        self.keeper.wake(place.chat)
        await self.settled()

    async def settled(self) -> None:
        """Everything that was begun is over."""
        await self.keeper.finish()
        await self.voice.finish()
        await self.keeper.finish()

    async def behind(self) -> Sequence[int]:
        """The chats whose boards are older than their rows."""
        return [board.chat for board in await self.boards.behind()]


async def until(condition: Callable[[], bool]) -> None:
    """Wait for something that happens by itself; ten seconds are for ever."""
    async with asyncio.timeout(10):
        while not condition():
            await asyncio.sleep(0.005)
