"""Everything that goes wrong in a soak: processes killed, Telegram overloaded, the network torn, groups turned over.

What is drawn, and when it is due, depends on the seed alone.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from random import Random

from tests.soak.bots import Door, Replica
from tests.soak.groups import Group
from tgbot.playground import Playground, membership, talk
from tgbot.playground.errors import PeopleError
from tgbot.playground.faults import Fault

KILLS_A_SECOND = 1.8
_PAUSE = 0.35
"""Seconds between two other faults, on average."""
_CALLS = ("sendMessage", "editMessageText", "editMessageText", "answerCallbackQuery", "deleteMessage", "*")
_PATIENCE_OF_PTB = 5.0


class Trouble:
    """The fault injector. ``door``: the proxy in front of the replicas, if updates come through one."""

    def __init__(
        self, telegram: Playground, groups: Sequence[Group], replicas: Sequence[Replica], door: Door | None, seed: int
    ) -> None:
        self._telegram = telegram
        self._groups = groups
        self._replicas = replicas
        self._door = door
        self._dice = Random(f"{seed} trouble")
        self._killer = Random(f"{seed} kills")
        self._healing: set[asyncio.Task[None]] = set()
        self.counts: Counter[str] = Counter()
        self.deleted: set[tuple[int, int]] = set()
        """Boards that somebody has deleted: chat and message."""
        self._kinds: dict[Callable[[], Awaitable[None]], int] = {
            self._flood: 12,
            self._server_error: 14,
            self._hang: 6,
            self._slow: 8,
            self._cut: 14,
            self._trouble_with_delivery: 12,
            self._duplicates: 14,
            self._late: 10,
            self._migrate: 3,
            self._delete_board: 6,
            self._remove_bot: 3,
            self._mute_bot: 3,
        }

    async def run(self, seconds: float) -> None:
        """Make trouble for so long; afterwards everything that was taken is given back."""
        async with asyncio.TaskGroup() as both:
            both.create_task(self._kill(seconds))
            both.create_task(self._disturb(seconds))
        await asyncio.gather(*self._healing)
        self._telegram.faults.clear()
        updates = self._telegram.network.updates
        updates.duplicates = updates.late = 0
        if self._door:
            self._door.trouble.clear()

    async def _kill(self, seconds: float) -> None:
        """As many as there have to be, at any time: shortly after each other, too, in the middle of a start."""
        times = sorted(self._killer.uniform(0, seconds) for _ in range(round(KILLS_A_SECOND * seconds)))
        begun = asyncio.get_running_loop().time()
        for due in times:
            victim = self._killer.choice(self._replicas)
            await asyncio.sleep(begun + due - asyncio.get_running_loop().time())
            await victim.kill()
            self.counts["kill -9"] += 1

    async def _disturb(self, seconds: float) -> None:
        begun, due = asyncio.get_running_loop().time(), 0.0
        while (due := due + self._dice.expovariate(1 / _PAUSE)) < seconds:
            await asyncio.sleep(begun + due - asyncio.get_running_loop().time())
            [kind] = self._dice.choices([*self._kinds], [*self._kinds.values()])
            try:
                await kind()
            except PeopleError:
                self.counts["(not possible at that moment)"] += 1

    # -- Telegram and the network ------------------------------------------------------------------

    async def _flood(self) -> None:
        self._befall("429", Fault("flood", retry_after=self._dice.choice((1, 1, 2, 3)), times=self._dice.randint(1, 3)))

    async def _server_error(self) -> None:
        status, description = self._dice.choice(((500, "Internal Server Error"), (504, "Gateway Timeout")))
        times = self._dice.randint(1, 3)
        if self._dice.random() < 0.6:
            self._befall("5xx", Fault("bad_gateway", times=times))
        else:
            self._befall("5xx", Fault("error", status=status, description=description, times=times))

    async def _hang(self) -> None:
        executed = self._dice.random() < 0.5
        self._befall("time-out", Fault("hang", seconds=_PATIENCE_OF_PTB + 1, executed=executed))

    async def _slow(self) -> None:
        self._befall("slow call", Fault("slow", seconds=self._dice.uniform(0.2, 2)))

    async def _cut(self) -> None:
        executed = self._dice.random() < 0.5
        self._befall("cut connection", Fault("drop", times=self._dice.randint(1, 2), executed=executed))

    def _befall(self, what: str, fault: Fault) -> None:
        fault.method = self._dice.choice(_CALLS)
        self._telegram.faults.add(fault)
        self.counts[what] += fault.times

    async def _trouble_with_delivery(self) -> None:
        """On the way of updates to the bot: while they are fetched, or at the door."""
        kind = self._dice.choice(("bad_gateway", "drop", "flood"))
        if self._door is None:
            self._telegram.faults.add(Fault(kind, "getUpdates", executed=True))
            self.counts["getUpdates disturbed"] += 1
        else:
            self._door.trouble.append("refuse" if kind == "bad_gateway" else "cut")
            self.counts["delivery disturbed"] += 1

    async def _duplicates(self) -> None:
        times = self._dice.randint(1, 6)
        self._telegram.network.updates.duplicates += times
        self.counts["update delivered twice"] += times

    async def _late(self) -> None:
        updates = self._telegram.network.updates
        updates.late += 1
        updates.late_by = self._dice.uniform(0.3, 5)
        self.counts["update delivered late"] += 1

    # -- the groups --------------------------------------------------------------------------------

    async def _migrate(self) -> None:
        group = self._dice.choice(self._groups)
        membership.migrate(self._telegram.network, group.founder.id, group.chat)
        self.counts["group upgraded"] += 1

    async def _delete_board(self) -> None:
        group = self._dice.choice(self._groups)
        if board := group.board(self._dice.choice(group.topics)):
            talk.delete(self._telegram.network, group.founder.id, group.chat, board.id)
            self.deleted.add((group.chat.id, board.id))
            self.counts["board deleted"] += 1

    async def _remove_bot(self) -> None:
        group, pause = self._dice.choice(self._groups), self._dice.uniform(0.5, 5)
        bot = self._telegram.world.bot.id
        membership.remove(self._telegram.network, group.founder.id, group.chat, bot)
        self.counts["bot removed and added again"] += 1
        self._later(pause, lambda: membership.add(self._telegram.network, group.founder.id, group.chat, bot))

    async def _mute_bot(self) -> None:
        """In a basic group that upgrades it: only a supergroup knows silence."""
        group, pause = self._dice.choice(self._groups), self._dice.uniform(0.5, 5)
        if group.chat.type != "supergroup":
            return
        self._set_mute(group, can_send=False)
        self.counts["bot muted for a while"] += 1
        self._later(pause, lambda: self._set_mute(group, can_send=True))

    def _set_mute(self, group: Group, *, can_send: bool) -> None:
        bot = self._telegram.world.bot.id
        if group.chat.member(bot).present:
            membership.restrict(self._telegram.network, group.founder.id, group.chat, bot, can_send=can_send)

    def _later(self, pause: float, heal: Callable[[], object]) -> None:
        async def healing() -> None:
            await asyncio.sleep(pause)
            heal()

        task = asyncio.create_task(healing())
        self._healing.add(task)
