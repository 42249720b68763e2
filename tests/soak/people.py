"""The people of a soak: they tap, hesitate, vanish, tap twice, type, come late, leave and come back.

Each has dice of his own, so what he is like depends on the seed alone; what he finds on his phone does not.
"""

import asyncio
from random import Random

from tests.soak.groups import ANSWERS, Button, Group, Member, Seen
from tests.soak.witness import Witness
from tgbot.playground import membership, talk
from tgbot.playground.errors import PeopleError

_CLOCK = ":1"
"""How the data end of the menu's button for the time of a turn."""
_TALK = ("/join", "/join", "/leave", "/table", "/table", "/rules", "/share", "/passbank", "/end", "/help", "/max 20")
_AMOUNTS = ("1", "1", "2", "3", "5", "0", "-5", "1e3", "１０", "10000000000000000000", "½", "")


class Guest:
    """One person at one table's place."""

    def __init__(self, group: Group, topic: int, member: Member, seed: int, witness: Witness) -> None:
        self._group = group
        self._topic = topic
        self._me = member
        self._is_founder = member == group.founder
        self._dice = Random(f"{seed} person {member.name} {group.number} {topic}")
        self._witness = witness
        self._network = group.telegram.network
        self._old: list[Button] = []

    async def live(self) -> None:
        """Look at the phone now and then, for ever."""
        await asyncio.sleep(self._dice.uniform(0, 4))
        while True:
            try:
                await self._look()
            except PeopleError:
                self._witness.counts["things that Telegram does not let people do"] += 1
            await asyncio.sleep(0.15 + self._dice.expovariate(3))

    async def _look(self) -> None:
        if self._dice.random() < 0.004:
            await self._go_and_come_back()
        board = self._group.board(self._topic)
        if board is None or "new" in board.words:
            if self._dice.random() < (0.3 if self._is_founder else 0.03):
                await self._open(board)
        elif board.is_lobby:
            await self._gather(board)
        elif board.asks(self._me.name):
            await self._answer(board)
        else:
            await self._watch(board)

    # -- before the game ---------------------------------------------------------------------------

    async def _open(self, board: Seen | None) -> None:
        buttons = board.saying("new") if board else []
        if buttons and self._dice.random() < 0.5:
            await self._tap(buttons[0])
        else:
            self._write(f"/newgame {self._group.preset if self._dice.random() < 0.9 else 'no such game'}")

    async def _gather(self, board: Seen) -> None:
        if self._me.name not in board.text and "join" in board.words:
            if self._dice.random() < 0.7:
                await self._tap(board.saying("join")[0])
        elif "start" not in board.words:
            await self._leaf(board)
        elif self._is_founder and self._dice.random() < 0.4:
            await self._tap(board.saying("start")[0])
        elif self._dice.random() < 0.03:
            await self._tap(self._dice.choice(board.buttons))

    async def _leaf(self, board: Seen) -> None:
        """Somebody has opened the menu. The founder looks around in it, and comes to an end."""
        if not self._is_founder and self._dice.random() < 0.8:
            return
        changes = board.saying("setting", "switch", "preset")
        if changes and self._dice.random() < 0.3:
            # Not the clock: a game of hours per turn would stand still here.
            await self._tap(self._dice.choice([b for b in changes if not _is_clock(b)]))
        else:
            await self._tap(board.saying("page")[-1])

    # -- the game ----------------------------------------------------------------------------------

    async def _answer(self, board: Seen) -> None:
        buttons = board.saying(*ANSWERS)
        self._old = [*self._old[-10:], *buttons]
        match self._dice.choices(("tap", "twice", "two", "bet", "other", "vanish", "odds"), (70, 9, 3, 7, 6, 2, 3))[0]:
            case "tap":
                await self._tap(self._dice.choice(buttons))
            case "twice":
                self._witness.counts["double taps"] += 1
                await self._tap(*[self._dice.choice(buttons)] * 2)
            case "two":
                await self._tap(*self._dice.sample(buttons, min(2, len(buttons))))
            case "bet":
                self._write(f"/bet {self._dice.choice(_AMOUNTS)}")
            case "other":
                await self._type(board)
            case "vanish":
                self._witness.counts["players who vanished"] += 1
                await asyncio.sleep(self._dice.uniform(8, 25))
            case _:
                for button in board.saying("odds"):
                    await self._tap(button)

    async def _type(self, board: Seen) -> None:
        for button in board.saying("other"):
            await self._tap(button)
            await asyncio.sleep(self._dice.uniform(0.2, 1))
            question = self._group.question(self._topic, self._me.name)
            if question is not None:
                self._write(self._dice.choice(_AMOUNTS) or "x", question)

    async def _watch(self, board: Seen) -> None:
        """Somebody else is asked; most people wait."""
        if board.saying("back", "rebuy") and self._dice.random() < 0.25:
            await self._tap(self._dice.choice(board.saying("back", "rebuy")))
            return
        if self._me.name not in board.text and self._dice.random() < 0.1:
            self._write("/join")
            return
        match self._dice.choices(("wait", "impatient", "talk", "old", "any"), (920, 30, 20, 15, 15))[0]:
            case "impatient":
                if buttons := board.saying(*ANSWERS):
                    await self._tap(self._dice.choice(buttons))
            case "talk":
                self._write(self._dice.choice(_TALK))
            case "old":
                if self._old:
                    await self._tap(self._dice.choice(self._old))
            case "any":
                await self._tap(self._dice.choice(board.buttons))
            case _:
                pass

    async def _go_and_come_back(self) -> None:
        """The founder stays: somebody has to be able to bring the bot back."""
        if self._is_founder:
            return
        membership.leave(self._network, self._me.id, self._group.chat)
        self._witness.counts["people who left the group"] += 1
        await asyncio.sleep(self._dice.uniform(1, 10))
        membership.join(self._network, self._me.id, self._group.chat)

    # -- the phone ---------------------------------------------------------------------------------

    async def _tap(self, *buttons: Button) -> None:
        """Press them and wait until the last one stops spinning, for a while."""
        for button in buttons:
            tap = talk.tap(self._network, self._me.id, self._group.chat, button.message, button.data)
            self._witness.tapped(tap, f"{button.data} by {self._me.name} in {self._group.chat.id}")
            await asyncio.sleep(self._dice.uniform(0, 0.05))
        await self._network.taps.wait(tap, self._dice.uniform(1, 5))

    def _write(self, text: str, reply_to: int | None = None) -> None:
        topic = self._topic or None
        talk.write(self._network, self._me.id, self._group.chat, text, reply_to=reply_to, topic=topic)
        self._witness.counts["messages"] += 1


def _is_clock(button: Button) -> bool:
    return button.word == "setting" and button.data.endswith(_CLOCK)
