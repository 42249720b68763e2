"""People who tap as fast as they may, and a watch that says how long the bot let each of them wait."""

import asyncio
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from tests.soak.groups import ANSWERS, Button, Group, Member, Seen
from tgbot.playground import Playground, talk
from tgbot.playground.world import Chat, Message, Person
from tgbot.playground.world import Member as Membership

_LONGEST = 120.0
"""Seconds after which a board that has not come does not come."""
_NAMES = ("Ada", "Bo", "Cem", "Ola")


@dataclass
class Waits:
    """What people have seen: seconds from a tap to its toast and to the new board, and who had how many moves."""

    toasts: list[float] = field(default_factory=list)
    boards: list[float] = field(default_factory=list)
    by_group: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))

    @property
    def moves(self) -> int:
        """Boards that have changed after a tap."""
        return len(self.boards)


class Crowd:
    """Groups of four on one local Telegram."""

    def __init__(self, telegram: Playground, groups: int) -> None:
        self.telegram = telegram
        self._news: dict[int, asyncio.Event] = defaultdict(asyncio.Event)
        self._watch()
        self.groups = [self._found(n) for n in range(groups)]
        self._opened: set[int] = set()

    def _found(self, number: int) -> Group:
        """A group that has been there for long: nobody is told of it."""
        world = self.telegram.world
        chat = world.new_chat("supergroup", f"Bench {number}")
        members: list[Member] = []
        for name in _NAMES:
            person = Person(world.new_person_id(), f"{name}-{number:04}", language_code="en")
            world.people[person.id] = person
            chat.members[person.id] = Membership(person.id, "creator" if not members else "member")
            members.append(Member(person.id, person.first_name))
        chat.members[world.bot.id] = Membership(world.bot.id)
        founder, *others = members
        return Group(self.telegram, number, chat.id, "home_pot", "en", founder, others, [0])

    def _watch(self) -> None:
        network = self.telegram.network
        publish, edited = network.publish, network.edited

        def published(chat: Chat, sender: int, **content: Any) -> Message:
            message = publish(chat, sender, **content)
            self._tell(chat.id)
            return message

        def changed(chat: Chat, message: Message) -> None:
            edited(chat, message)
            self._tell(chat.id)

        network.publish, network.edited = published, changed  # type: ignore[method-assign]

    def _tell(self, chat: int) -> None:
        self._news.pop(chat, asyncio.Event()).set()

    async def gathers(self) -> None:
        """Every group opens a table, sits down and begins."""
        await asyncio.gather(*(self._until_it_plays(group) for group in self.groups))

    async def plays(self, seconds: float, pause: float = 0.0, groups: Sequence[Group] | None = None) -> Waits:
        """Whoever is asked taps, at once or after about ``pause`` seconds."""
        waits, over = Waits(), time.monotonic() + seconds
        await asyncio.gather(*(self._play(group, over, pause, waits) for group in groups or self.groups))
        return waits

    async def _play(self, group: Group, over: float, pause: float, waits: Waits) -> None:
        dice = Random(group.number)
        await asyncio.sleep(pause * dice.random())
        while time.monotonic() < over:
            board = group.board(0)
            if board is None or not board.words & ANSWERS:
                await self._until_it_plays(group)
                continue
            tapper = _asked(group, board)
            await self._tap(group, board, tapper, board.saying(*ANSWERS)[0], waits if time.monotonic() < over else None)
            if pause:
                await asyncio.sleep(pause * dice.uniform(0.5, 1.5))

    async def _until_it_plays(self, group: Group) -> None:
        """Through the lobby, and through what comes before the first turn."""
        while True:
            board = group.board(0)
            if board is None:
                if group.number not in self._opened:
                    self._opened.add(group.number)
                    talk.write(self.telegram.network, group.founder.id, group.chat, "/newgame")
                await self._changed(group, None)
            elif board.words & ANSWERS:
                return
            elif "new" in board.words:
                await self._tap(group, board, group.founder, board.saying("new")[0])
            else:
                waiting = [member for member in group.others if member.name not in board.text]
                who, word = (waiting[0], "join") if waiting else (group.founder, "start")
                await self._tap(group, board, who, board.saying(word)[0])

    async def _tap(self, group: Group, board: Seen, member: Member, button: Button, waits: Waits | None = None) -> None:
        begun = time.monotonic()
        tap = talk.tap(self.telegram.network, member.id, group.chat, button.message, button.data)
        toast = asyncio.create_task(self._toast(tap.answered, begun))
        came = await self._changed(group, board)
        if waits is not None and came:
            waits.boards.append(time.monotonic() - begun)
            waits.by_group[group.number].append(waits.boards[-1])
            waits.toasts.append(await toast)
        elif waits is not None:
            raise AssertionError(f"group {group.number} waits for ever for {button} on\n{board.text}")

    async def _toast(self, answered: asyncio.Event, begun: float) -> float:
        async with asyncio.timeout(_LONGEST):
            await answered.wait()
        return time.monotonic() - begun

    async def _changed(self, group: Group, before: Seen | None) -> bool:
        """Whether the board reads differently, in time."""
        try:
            async with asyncio.timeout(_LONGEST):
                while group.board(0) == before:
                    await self._news[group.first_chat].wait()
        except TimeoutError:
            return False
        return True


def _asked(group: Group, board: Seen) -> Member:
    return next(member for member in (group.founder, *group.others) if board.asks(member.name))
