"""Who saw what: every tap, where it was delivered, and whether it was answered; and how often everything happened."""

import asyncio
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.soak.bots import Life
from tgbot.playground import Playground
from tgbot.playground.taps import Tap
from tgbot.playground.world import Json

_LOOK = 0.25
"""Seconds between two looks at the record of the bot's calls."""
WAITING = 15.0
"""Seconds for which somebody's client waits for an answer; a bot that is killed later had its time."""


@dataclass
class Delivery:
    """An update given to a process."""

    at: float
    life: Life | None

    @property
    def was_cut_short(self) -> bool:
        """Whether the process was killed while somebody still waited for its answer."""
        life = self.life
        return life is not None and life.killed and life.ended is not None and life.ended - self.at < WAITING


@dataclass
class Pressed:
    """A tap, and what became of it."""

    tap: Tap
    what: str
    deliveries: list[Delivery] = field(default_factory=list)
    answered: bool = False
    """Whether the bot has called answerCallbackQuery; what Telegram made of it is another matter."""


class Witness:
    """Keeps count."""

    def __init__(self, telegram: Playground) -> None:
        self._telegram = telegram
        self.counts: Counter[str] = Counter()
        self.calls: Counter[str] = Counter()
        self.answers: Counter[int] = Counter()
        self._pressed: dict[str, Pressed] = {}
        self._open: list[Json] = []
        self._last = 0

    def tapped(self, tap: Tap, what: str) -> None:
        """Somebody pressed a button."""
        self.counts["taps"] += 1
        self._pressed[tap.id] = Pressed(tap, what)

    def delivered(self, updates: Sequence[Json], life: Life | None) -> None:
        """Updates were handed to a process."""
        for update in updates:
            query = update.get("callback_query")
            if query and (pressed := self._pressed.get(query["id"])):
                pressed.deliveries.append(Delivery(time.time(), life))

    async def watch(self) -> None:
        """Read the record of the bot's calls, for ever: it is kept for a while only."""
        while True:
            self.look()
            await asyncio.sleep(_LOOK)

    def look(self) -> None:
        """Read what is new in the record of the bot's calls."""
        new = [entry for entry in self._telegram.exchanges if entry["n"] > self._last]
        for entry in new:
            self._last = entry["n"]
            self.calls[entry["method"]] += 1
            query = str(entry["request"].get("callback_query_id"))
            if entry["method"] == "answerCallbackQuery" and query in self._pressed:
                self._pressed[query].answered = True
        self._open += new
        for entry in self._open:
            if entry["status"] is not None:
                self.answers[entry["status"]] += 1
        self._open = [entry for entry in self._open if entry["status"] is None]

    def unanswered(self) -> list[Pressed]:
        """The taps that nobody has answered, but for those whose bot was killed over them."""
        return [pressed for pressed in self._without_answer() if not _was_cut_short(pressed)]

    @property
    def cut_short(self) -> int:
        """How many taps have no answer because their bot was killed."""
        return sum(map(_was_cut_short, self._without_answer()))

    def _without_answer(self) -> list[Pressed]:
        self.look()
        return [pressed for pressed in self._pressed.values() if not pressed.answered]


def _was_cut_short(pressed: Pressed) -> bool:
    return bool(pressed.deliveries) and pressed.deliveries[-1].was_cut_short
