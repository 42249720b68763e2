"""Each chat stands in a line of its own."""

import asyncio
import gc
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from telegram import CallbackQuery, Chat, Message, Update, User

from persistence.engine import utc_now
from tgbot import lines as lines_module
from tgbot.lines import BURST, ChatLines

ANN = User(5_000_000_001, "Ann", is_bot=False)
BO = User(5_000_000_002, "Bo", is_bot=False)


def update_in(chat: int, person: User = ANN, **content: Any) -> Update:
    """By default somebody writes."""
    said = content or {"text": "/join"}
    group = Chat(chat, Chat.SUPERGROUP, title="Friends")
    return Update(1, message=Message(1, utc_now(), group, from_user=person, **said))


def tap_in(chat: int, person: User = ANN) -> Update:
    board = Message(1, utc_now(), Chat(chat, Chat.SUPERGROUP, title="Friends"))
    return Update(1, callback_query=CallbackQuery("1", person, "1", message=board, data="bet:1:1:1"))


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


# -- too fast ------------------------------------------------------------------------------------


@pytest.fixture
def _unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pace that even a machine that stumbles keeps up with."""
    monkeypatch.setattr(lines_module, "PACE", 0.3)


def _done(diary: Diary) -> list[str]:
    return [line.removesuffix(" ends") for line in diary.lines if line.endswith(" ends")]


async def _until_done(diary: Diary, name: str) -> None:
    async with asyncio.timeout(10):
        while name not in _done(diary):
            await asyncio.sleep(0.01)


@pytest.mark.usefixtures("_unhurried")
@pytest.mark.parametrize("does", [tap_in, update_in], ids=["taps", "writes"])
async def test_of_a_storm_the_beginning_and_the_newest_are_kept(does: Callable[[int], Update]) -> None:
    lines, diary = ChatLines(), Diary()
    diary.let_go(*map(str, range(1_000)))
    await asyncio.gather(*start(*(lines.process_update(does(-100), diary.work(str(n))) for n in range(1_000))))
    await _until_done(diary, "999")
    assert _done(diary) == [*map(str, range(BURST)), "999"]


@pytest.mark.usefixtures("_unhurried")
async def test_nobody_waits_for_surplus() -> None:
    """Neither the one who fetches updates nor Telegram, who delivers one person's taps one after the other."""
    lines, diary = ChatLines(), Diary()
    storm = start(*(lines.process_update(tap_in(-100), diary.work(str(n))) for n in range(1_000)))
    await breathe()
    assert [n for n, task in enumerate(storm) if not task.done()] == [*range(BURST)]
    assert diary.lines == ["0 begins"]
    diary.let_go(*map(str, range(1_000)))
    await asyncio.gather(*storm)
    await lines.shutdown()


@pytest.mark.usefixtures("_unhurried")
async def test_a_stop_waits_for_the_newest() -> None:
    lines, diary = ChatLines(), Diary()
    diary.let_go(*map(str, range(100)))
    await asyncio.gather(*start(*(lines.process_update(tap_in(-100), diary.work(str(n))) for n in range(100))))
    await lines.finish()
    assert _done(diary) == [*map(str, range(BURST)), "99"]
    await lines.finish()


@pytest.mark.usefixtures("_unhurried")
async def test_a_stop_in_a_hurry_gives_it_up() -> None:
    lines, diary = ChatLines(), Diary()
    diary.let_go(*map(str, range(100)))
    await asyncio.gather(*start(*(lines.process_update(tap_in(-100), diary.work(str(n))) for n in range(100))))
    await lines.shutdown()
    assert _done(diary) == [*map(str, range(BURST))]


@pytest.mark.usefixtures("_unhurried")
async def test_a_storm_costs_nobody_else_a_tap() -> None:
    lines, diary = ChatLines(), Diary()
    names = [str(n) for n in range(100)]
    diary.let_go(*names, "Bo", "Ann elsewhere")
    await asyncio.gather(
        *start(
            *(lines.process_update(tap_in(-100), diary.work(name)) for name in names),
            lines.process_update(tap_in(-100, BO), diary.work("Bo")),
            lines.process_update(tap_in(-200), diary.work("Ann elsewhere")),
        )
    )
    assert {"Bo", "Ann elsewhere"} <= {*_done(diary)}
    await lines.shutdown()


@pytest.mark.usefixtures("_unhurried")
async def test_what_telegram_itself_says_is_never_too_much() -> None:
    lines, diary = ChatLines(), Diary()
    names = [str(n) for n in range(100)]
    diary.let_go(*names)
    left = [lines.process_update(update_in(-100, left_chat_member=BO), diary.work(name)) for name in names]
    await asyncio.gather(*start(*left))
    assert _done(diary) == names


@pytest.mark.usefixtures("_unhurried")
async def test_after_a_storm_somebody_is_served_as_before() -> None:
    lines, diary = ChatLines(), Diary()
    names = [str(n) for n in range(BURST + 2)]
    diary.let_go(*names)
    *storm, last = names
    await asyncio.gather(*start(*(lines.process_update(tap_in(-100), diary.work(name)) for name in storm)))
    await _until_done(diary, storm[-1])
    await lines.process_update(tap_in(-100), diary.work(last))
    await _until_done(diary, last)
    assert _done(diary) == names


async def test_people_are_forgotten_when_they_are_rested(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines_module, "_REMEMBERED", 10)
    monkeypatch.setattr(lines_module, "PACE", 1e-9)
    lines, diary = ChatLines(), Diary()
    diary.let_go(*map(str, range(1_000)))
    for n in range(1_000):
        await lines.process_update(tap_in(-n - 1), diary.work(str(n)))
    assert len(lines._fingers) <= 10
    assert len(_done(diary)) == 1_000
