"""The clock: one reminder, then the answer that the rules give for a silent player (Q18, I25)."""

import asyncio
from collections.abc import Sequence

import pytest
from sqlalchemy import text
from telegram.error import BadRequest, Forbidden, NetworkError

from domain import commands as c
from domain.settings import Settings
from domain.table import Phase
from persistence.database import Database
from persistence.mapping import Place
from persistence.sitting import WARNING_AT
from persistence.tables import Due
from tests.persistence.evenings import PEOPLE, open_at, seen
from tests.tgbot.house import GROUP, OTHER_GROUP, Call, FakeBot, House, StandingClock, until
from tgbot import clock as clock_module
from tgbot.clock import Clock
from tgbot.reminder import Reminder

WARNING, OVER = 40, 60
"""Seconds of a turn's minute: the reminder, and the end."""
NAMES = {person.id: person.name for person in PEOPLE}


async def opened(house: House, place: Place = GROUP, *, cut: bool = False) -> int:
    """A game of three that has just begun, its board shown. The tables' clocks start now."""
    number = await open_at(house.tables, place, settings=Settings(cut=cut))
    await house.show(place)
    house.bot.calls.clear()
    return number


async def sweep(house: House) -> None:
    """One look at all tables, and everything that follows from it."""
    await house.clock.sweep()
    await house.settled()


async def actor(house: House, number: int) -> int:
    """Who is asked."""
    found = (await house.boards.view(number)).table.actor
    assert found is not None
    return found


def reminders(bot: FakeBot, place: Place = GROUP) -> list[Call]:
    """The messages that remind somebody."""
    return [call for call in bot.called("send", place.chat) if "tg://user" in call.html]


# -- the reminder ----------------------------------------------------------------------------------


async def test_nobody_is_hurried_too_early(house: House, bot: FakeBot, now: StandingClock) -> None:
    await opened(house)
    now.wait(WARNING - 1)
    await sweep(house)
    assert bot.calls == []


async def test_a_late_player_is_reminded_once_by_a_mention_that_quotes_the_board(
    house: House, bot: FakeBot, now: StandingClock
) -> None:
    number = await opened(house)
    late = await actor(house, number)
    view = await house.boards.view(number)
    now.wait(WARNING)
    await sweep(house)
    await sweep(house)
    now.wait(5)
    await sweep(house)
    (call,) = bot.calls
    assert call.method == "send"
    assert call.text == f"{_safe(late)}, it's your turn!"
    assert f'<a href="tg://user?id={late}">' in call.html
    assert call.options["reply_parameters"].message_id == view.board
    assert call.options["reply_parameters"].allow_sending_without_reply
    assert not call.options["disable_notification"], "an edit notifies nobody; this does"


def _safe(player: int) -> str:
    return NAMES[player] if len(NAMES[player]) <= 16 else NAMES[player][:16].strip() + "…"


async def test_the_reminder_speaks_the_language_of_the_group(house: House, bot: FakeBot, now: StandingClock) -> None:
    await house.chats.set_language(GROUP.chat, "pl")
    await opened(house)
    now.wait(WARNING)
    await sweep(house)
    assert bot.last.text.endswith(", twoja kolej!")


async def test_who_has_to_cut_is_reminded_of_the_cut(house: House, bot: FakeBot, now: StandingClock) -> None:
    await opened(house, cut=True)
    now.wait(WARNING)
    await sweep(house)
    assert bot.last.text.endswith(", the deck waits for your cut.")


async def test_a_topic_is_reminded_in_its_topic(house: House, bot: FakeBot, now: StandingClock) -> None:
    await opened(house, Place(GROUP.chat, 77))
    now.wait(WARNING)
    await sweep(house)
    assert bot.last.options["message_thread_id"] == 77


async def test_the_reminder_is_litter_as_soon_as_he_has_acted(house: House, bot: FakeBot, now: StandingClock) -> None:
    number = await opened(house)
    now.wait(WARNING)
    await sweep(house)
    (call,) = reminders(bot)
    async with house.tables.numbered(number) as sitting:
        sitting.play(c.Bet(seen(sitting).actor or 0, 1))
    assert sitting.litter == [call.message]


async def test_the_reminder_goes_when_the_clock_has_answered(house: House, bot: FakeBot, now: StandingClock) -> None:
    await opened(house)
    now.wait(WARNING)
    await sweep(house)
    (call,) = reminders(bot)
    now.wait(OVER - WARNING)
    await sweep(house)
    assert [gone.message for gone in bot.called("delete")] == [call.message]
    await sweep(house)
    assert len(bot.called("delete")) == 1


async def test_a_reminder_that_comes_too_late_is_taken_back_at_once(
    house: House, bot: FakeBot, now: StandingClock
) -> None:
    """He acts while the message is under way."""
    number = await opened(house)
    late = await actor(house, number)
    now.wait(WARNING)

    async def he_acts(_: Call) -> None:
        await house.play(number, c.Bet(late, 1))

    bot.meanwhile = he_acts
    await sweep(house)
    assert [(call.method, call.message) for call in bot.calls] == [
        ("send", bot.calls[0].message),
        ("delete", bot.calls[0].message),
    ]
    async with house.tables.numbered(number) as sitting:
        sitting.play(c.Bet(seen(sitting).actor or 0, 1))
    assert sitting.litter == [], "and is not deleted twice"


@pytest.mark.parametrize("error", [NetworkError("Bad Gateway"), BadRequest("Too many entities")])
async def test_a_reminder_that_could_not_be_sent_is_sent_a_minute_later(
    house: House, bot: FakeBot, now: StandingClock, error: Exception
) -> None:
    """In a game of a day a turn it is the only word of it that anybody hears."""
    day = 86_400
    await open_at(house.tables, GROUP, settings=Settings(cut=False, clock=day))
    await house.show(GROUP)
    bot.calls.clear()
    now.wait(day * WARNING_AT)
    bot.fails("send", error)
    await sweep(house)
    await sweep(house)
    assert len(reminders(bot)) == 1
    now.wait(60)
    await sweep(house)
    now.wait(60)
    await sweep(house)
    assert len(reminders(bot)) == 2


async def test_two_processes_remind_once(house: House, bot: FakeBot, now: StandingClock, database: Database) -> None:
    await opened(house)
    other = House(database, now, bot)
    now.wait(WARNING)
    await asyncio.gather(sweep(house), sweep(other))
    assert len(reminders(bot)) == 1


# -- the answer ------------------------------------------------------------------------------------


async def test_the_least_is_bet_for_a_silent_player(house: House, bot: FakeBot, now: StandingClock) -> None:
    number = await opened(house)
    late = await actor(house, number)
    now.wait(OVER)
    await sweep(house)
    hand = next(hand for hand in (await house.boards.view(number)).table.played if hand.player == late)
    assert (hand.bet, hand.by_clock) == (1, True)
    (board,) = [call for call in bot.calls if call.method in ("edit", "send") and "⏰" in call.text]
    assert f"{_safe(late)}: " in board.text


async def test_the_deck_is_cut_for_a_silent_player(house: House, now: StandingClock) -> None:
    number = await opened(house, cut=True)
    now.wait(OVER)
    await sweep(house)
    assert (await house.boards.view(number)).table.phase is Phase.DECIDE


async def test_a_question_is_answered_once_and_the_next_one_has_its_whole_time(
    house: House, now: StandingClock
) -> None:
    number = await opened(house)
    now.wait(OVER)
    await sweep(house)
    move = (await house.boards.view(number)).table.move
    await sweep(house)
    now.wait(OVER - 1)
    await sweep(house)
    assert (await house.boards.view(number)).table.move == move


async def test_two_processes_answer_once(house: House, bot: FakeBot, now: StandingClock, database: Database) -> None:
    number = await opened(house)
    move = (await house.boards.view(number)).table.move
    other = House(database, now, bot)
    now.wait(OVER)
    await asyncio.gather(sweep(house), sweep(other))
    assert (await house.boards.view(number)).table.move == move + 1


class _Hesitating(Clock):
    """A clock whose hand is stayed between looking and answering."""

    async def look_and_answer(self, found: Sequence[Due]) -> None:
        for due in found:
            await self._answer(due.number, due.asked)


def _hesitating(house: House) -> _Hesitating:
    reminder = Reminder(house.boards, house.voice)
    return _Hesitating(house.tables, house.boards, house.keeper, house.voice, reminder)


async def test_an_answer_of_the_clock_that_comes_late_loses(house: House, bot: FakeBot, now: StandingClock) -> None:
    """Situation 4: the player answers after the clock has looked and before it has answered."""
    number = await opened(house)
    late = await actor(house, number)
    now.wait(OVER)
    found = await house.tables.overdue()
    after = await house.play(number, c.Bet(late, 1))
    await _hesitating(house).look_and_answer(found)
    await house.settled()
    assert (await house.boards.view(number)).table == after
    assert not any(hand.by_clock for hand in after.played)
    assert bot.calls == []


async def test_a_table_that_is_gone_is_nobodys_business(house: House, bot: FakeBot) -> None:
    await _hesitating(house).look_and_answer([Due(4711, 1, house.now())])
    assert bot.calls == []


async def test_after_three_misses_he_sits_out_and_the_game_does_not_wait(house: House, now: StandingClock) -> None:
    """Two play on; when both others sleep, the game rests, and the clock lets it."""
    number = await opened(house)
    for _ in range(12):
        now.wait(OVER)
        await sweep(house)
    table = (await house.boards.view(number)).table
    assert table.phase is Phase.REST
    move = table.move
    now.wait(3600)
    await sweep(house)
    assert (await house.boards.view(number)).table.move == move


async def test_a_lobby_that_nobody_starts_is_closed(house: House, bot: FakeBot, now: StandingClock) -> None:
    await open_at(house.tables, start=False)
    await house.show()
    now.wait(2 * 3600)
    await sweep(house)
    assert bot.last.text.endswith("Closed before the first card.")
    assert reminders(bot) == []


async def test_where_the_bot_may_not_write_the_clock_stands_still(
    house: House, bot: FakeBot, now: StandingClock
) -> None:
    number = await opened(house)
    move = (await house.boards.view(number)).table.move
    await house.voice.heed(GROUP.chat, Forbidden("Forbidden: bot was kicked from the group chat"))
    now.wait(1000)
    await sweep(house)
    assert (await house.boards.view(number)).table.move == move
    assert bot.calls == []


# -- faults ----------------------------------------------------------------------------------------


async def test_a_broken_table_does_not_stop_the_clocks_of_the_others(
    house: House, now: StandingClock, database: Database
) -> None:
    broken = await opened(house)
    sound = await opened(house, OTHER_GROUP)
    move = (await house.boards.view(sound)).table.move
    with database.engine.begin() as connection:
        connection.execute(text("UPDATE tables SET phase = 'nonsense' WHERE id = :id"), {"id": broken})
    now.wait(WARNING)
    await _sweep_whatever_happens(house)
    assert len(reminders(house.bot, OTHER_GROUP)) == 1
    now.wait(OVER - WARNING)
    await _sweep_whatever_happens(house)
    assert (await house.boards.view(sound)).table.move == move + 1


async def _sweep_whatever_happens(house: House) -> None:
    """As `Clock.run` does it."""
    await asyncio.gather(house.clock.sweep(), return_exceptions=True)
    await house.settled()


async def test_the_clock_goes_on_after_a_fault(
    house: House, bot: FakeBot, now: StandingClock, monkeypatch: pytest.MonkeyPatch, database: Database
) -> None:
    monkeypatch.setattr(clock_module, "_TICK", 0.01)
    await opened(house)
    with database.engine.begin() as connection:
        connection.execute(text("ALTER TABLE tables RENAME TO lost"))
    running = asyncio.create_task(house.clock.run())
    await asyncio.sleep(0.05)
    assert not running.done()
    with database.engine.begin() as connection:
        connection.execute(text("ALTER TABLE lost RENAME TO tables"))
    now.wait(WARNING)
    await until(lambda: bool(reminders(bot)))
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
