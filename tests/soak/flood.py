"""How much one flooding finger slows others: the answer to a tap in another chat, in a quiet time and in a flood."""

import asyncio
import time
from collections.abc import Sequence
from statistics import median
from typing import NamedTuple

from tests.soak.groups import Button, Member
from tgbot.playground import Playground, membership, talk
from tgbot.playground.taps import Tap
from tgbot.playground.world import Chat, Person

FLOOD = 1_000
_A_SECOND = 100
"""Taps of the flood: ten times what a finger can."""
_TURNS = 2
_MEASURED = 25
_PATIENCE = 60.0


class Slowdown(NamedTuple):
    """Medians in seconds; ``handled``: taps of the flood that were answered."""

    quiet: float
    flooded: float
    handled: int

    def __str__(self) -> str:
        return (
            f"a tap is answered in {1000 * self.quiet:.1f} ms; "
            f"while another chat floods {FLOOD} taps, in {1000 * self.flooded:.1f} ms "
            f"({self.flooded / self.quiet:.2f} times; {self.handled} of the flood answered)"
        )


class Pair:
    """A group with a lobby in it, and one who taps there."""

    def __init__(self, telegram: Playground, title: str) -> None:
        self._telegram = telegram
        world = telegram.world
        person = Person(world.new_person_id(), f"{title} finger", language_code="en")
        world.people[person.id] = person
        self._who = Member(person.id, person.first_name)
        self._chat: Chat = membership.new_group(
            telegram.network, person.id, title, type_="supergroup", members=[], with_bot=True, forum=False
        )

    async def open(self) -> Button:
        """Open a table; a button on its board that tells something and changes nothing."""
        talk.write(self._telegram.network, self._who.id, self._chat, "/newgame")
        async with asyncio.timeout(_PATIENCE):
            while True:
                for message in self._chat.messages.values():
                    for row in (message.markup or {}).get("inline_keyboard", []):
                        for button in row:
                            if button["callback_data"].startswith("start:"):
                                return Button(button["text"], button["callback_data"], message.id)
                await asyncio.sleep(0.01)

    def tap(self, button: Button) -> Tap:
        """Press it."""
        return talk.tap(self._telegram.network, self._who.id, self._chat, button.message, button.data)


async def measure(telegram: Playground) -> Slowdown:
    """Measure both with the same bot, twice in turns, for the machine may have more to do at one time than at another;
    nothing else may be going on in the bot."""
    calm, wild = Pair(telegram, "Calm"), Pair(telegram, "Wild")
    calm_button, wild_button = await calm.open(), await wild.open()
    quiet: list[float] = []
    flooded: list[float] = []
    taps: list[Tap] = []
    await _answers(calm, calm_button, 5)  # warm
    for _ in range(_TURNS):
        quiet += await _answers(calm, calm_button, _MEASURED)
        flood = asyncio.create_task(_flood(wild, wild_button, FLOOD // _TURNS))
        flooded += await _answers(calm, calm_button, _MEASURED)
        taps += await flood
    return Slowdown(median(quiet), median(flooded), sum(tap.answered.is_set() for tap in taps))


async def _answers(pair: Pair, button: Button, times: int) -> Sequence[float]:
    """The seconds until each of so many taps was answered; a finger's pause between them."""
    found = []
    for _ in range(times):
        begun = time.perf_counter()
        async with asyncio.timeout(_PATIENCE):
            await pair.tap(button).answered.wait()
        found.append(time.perf_counter() - begun)
        await asyncio.sleep(0.12)
    return found


async def _flood(pair: Pair, button: Button, number: int) -> Sequence[Tap]:
    loop = asyncio.get_running_loop()
    begun, taps = loop.time(), []
    for n in range(number):
        taps.append(pair.tap(button))
        await asyncio.sleep(max(0.0, begun + (n + 1) / _A_SECOND - loop.time()))
    async with asyncio.timeout(_PATIENCE):
        await taps[-1].answered.wait()
    return taps
