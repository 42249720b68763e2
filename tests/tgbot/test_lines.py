"""Each chat stands in a line of its own."""

import asyncio
import gc
from collections.abc import Coroutine
from typing import Any

import pytest
from telegram import Chat, Message, Update, User

from persistence.engine import utc_now
from tgbot.lines import ChatLines

ANN = User(5_000_000_001, "Ann", is_bot=False)


def update_in(chat: int) -> Update:
    message = Message(1, utc_now(), Chat(chat, Chat.SUPERGROUP, title="Friends"), from_user=ANN, text="/join")
    return Update(1, message=message)


class Diary:
    """What begins and ends, in order; each entry can be held up until it is released."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.gates: dict[str, asyncio.Event] = {}

    async def work(self, name: str) -> None:
        self.lines.append(f"{name} begins")
        await self.gates.setdefault(name, asyncio.Event()).wait()
        self.lines.append(f"{name} ends")

    def let_go(self, *names: str) -> None:
        for name in names:
            self.gates.setdefault(name, asyncio.Event()).set()


async def breathe() -> None:
    """Let everything run that can."""
    for _ in range(10):
        await asyncio.sleep(0)


def start(*coroutines: Coroutine[Any, Any, None]) -> list[asyncio.Task[None]]:
    return [asyncio.ensure_future(coroutine) for coroutine in coroutines]


async def test_the_updates_of_a_chat_are_done_one_after_the_other_in_order() -> None:
    lines, diary = ChatLines(), Diary()
    tasks = start(*(lines.process_update(update_in(-100), diary.work(name)) for name in "abc"))
    diary.let_go("b", "c")
    await breathe()
    assert diary.lines == ["a begins"]
    diary.let_go("a")
    await asyncio.gather(*tasks)
    assert diary.lines == [f"{name} {what}" for name in "abc" for what in ("begins", "ends")]


async def test_two_chats_are_served_side_by_side() -> None:
    lines, diary = ChatLines(), Diary()
    tasks = start(
        lines.process_update(update_in(-100), diary.work("slow")),
        lines.process_update(update_in(-200), diary.work("quick")),
    )
    diary.let_go("quick")
    await breathe()
    assert diary.lines == ["slow begins", "quick begins", "quick ends"]
    diary.let_go("slow")
    await asyncio.gather(*tasks)


async def test_one_flooding_chat_does_not_starve_the_others() -> None:
    lines, diary = ChatLines(), Diary()
    flood = start(*(lines.process_update(update_in(-100), diary.work(f"flood {n}")) for n in range(200)))
    await breathe()
    quiet = start(lines.process_update(update_in(-200), diary.work("quiet")))
    diary.let_go("quiet")
    await breathe()
    assert "quiet ends" in diary.lines
    diary.let_go(*(f"flood {n}" for n in range(200)))
    await asyncio.gather(*flood, *quiet)


async def test_a_failure_lets_the_next_one_in() -> None:
    lines, diary = ChatLines(), Diary()

    async def fail() -> None:
        raise RuntimeError("broken")

    tasks = start(lines.process_update(update_in(-100), fail()), lines.process_update(update_in(-100), diary.work("b")))
    diary.let_go("b")
    with pytest.raises(RuntimeError):
        await tasks[0]
    await tasks[1]
    assert diary.lines == ["b begins", "b ends"]


@pytest.mark.parametrize("update", [Update(1), "no update of Telegram's", None])
async def test_what_belongs_to_no_chat_waits_for_nobody(update: object) -> None:
    lines, diary = ChatLines(), Diary()
    tasks = start(*(lines.process_update(update, diary.work(name)) for name in "ab"))
    await breathe()
    assert diary.lines == ["a begins", "b begins"]
    diary.let_go("a", "b")
    await asyncio.gather(*tasks)


async def test_locks_vanish_with_their_last_update() -> None:
    lines, diary = ChatLines(), Diary()
    diary.let_go(*map(str, range(100)))
    tasks = start(*(lines.process_update(update_in(-n - 1), diary.work(str(n))) for n in range(100)))
    await asyncio.gather(*tasks)
    tasks.clear()
    gc.collect()
    assert len(lines._locks) == 0
