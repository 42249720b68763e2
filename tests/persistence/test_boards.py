"""Boards: which are behind, what they show, and how often a group may be written to."""

import asyncio
from collections.abc import Sequence
from datetime import timedelta
from random import Random

import pytest

from domain import commands as c
from persistence.boards import GROUP as PACE
from persistence.boards import ON_ITS_WAY, Boards
from persistence.chats import Chats
from persistence.database import Database
from persistence.sitting import AT_THE_BOTTOM
from persistence.tables import Tables
from persistence.views import NoTableError
from tests.persistence.conftest import UNLIMITED, Clock
from tests.persistence.evenings import (
    ANN,
    BOB,
    CAT,
    DAN,
    PEOPLE,
    PLACE,
    TOPIC,
    behind,
    open_at,
    play_at,
    questions,
    row_of,
    table_at,
)

TELEGRAMS_LIMIT, MINUTE = 20, 60
GROUP = PLACE.chat


# -- the budget of a group -------------------------------------------------------------------------


async def test_after_a_quiet_time_four_calls_may_follow_each_other(boards: Boards, clock: Clock) -> None:
    assert [await boards.claim(GROUP) for _ in range(PACE.burst)] == [0] * 4
    assert await boards.claim(GROUP) == PACE.interval.total_seconds() == 3.75
    clock.wait(3.7)
    assert await boards.claim(GROUP) == pytest.approx(0.05)
    clock.wait(0.05)
    assert await boards.claim(GROUP) == 0
    assert await boards.claim(GROUP) == 3.75
    clock.wait(4 * 3.75)
    assert [await boards.claim(GROUP) for _ in range(PACE.burst + 1)] == [0, 0, 0, 0, 3.75]


async def test_what_is_refused_costs_nothing(boards: Boards, clock: Clock) -> None:
    for _ in range(PACE.burst):
        await boards.claim(GROUP)
    assert {await boards.claim(GROUP) for _ in range(9)} == {3.75}


async def test_what_is_not_urgent_leaves_calls_to_what_is(boards: Boards, clock: Clock) -> None:
    assert [await boards.claim(GROUP, spare=2) for _ in range(3)] == [0, 0, 3.75]
    assert [await boards.claim(GROUP) for _ in range(3)] == [0, 0, 3.75]
    clock.wait(2 * 3.75)
    assert await boards.claim(GROUP, spare=2) == 3.75
    assert await boards.claim(GROUP) == 0


async def test_every_group_has_a_budget_of_its_own(boards: Boards) -> None:
    for _ in range(PACE.burst):
        await boards.claim(GROUP)
    assert await boards.claim(GROUP + 1) == 0


def most_in_a_minute(granted: Sequence[float]) -> int:
    """The most calls in any 60 seconds, both ends counted."""
    return max(sum(1 for other in granted if 0 <= other - first <= MINUTE) for first in granted)


async def test_no_minute_ever_sees_more_calls_than_telegram_allows(boards: Boards, clock: Clock) -> None:
    """Whatever people do, and whatever Telegram asks for meanwhile."""
    luck, began = Random(20), clock.now
    granted: list[float] = []
    for step in range(100):
        if luck.random() < 0.08:
            await boards.postpone(GROUP, luck.choice([0, 0.5, 1, 3]))
        while not await boards.claim(GROUP):
            granted.append((clock.now - began).total_seconds())
        clock.wait(luck.choice([0, 0.25, 3.75, 3.75, 1, 20 if step % 40 == 0 else 2]))
    assert 15 < most_in_a_minute(granted) <= TELEGRAMS_LIMIT


async def test_the_limit_is_used_to_the_full(boards: Boards, clock: Clock) -> None:
    granted = []
    for step in range(MINUTE * 4 // 5 + 1):
        while not await boards.claim(GROUP):
            granted.append(step * 1.25)
        clock.wait(1.25)
    assert len(granted) == most_in_a_minute(granted) == TELEGRAMS_LIMIT


async def test_processes_share_one_budget(boards: Boards, other_database: Database, clock: Clock) -> None:
    others = Boards(other_database, clock, everybody=UNLIMITED)
    waits = await asyncio.gather(*((others if n % 2 else boards).claim(GROUP) for n in range(12)))
    assert sorted(waits) == [0] * PACE.burst + [3.75] * 8


async def test_telegrams_wish_for_silence_is_kept_to_the_second(boards: Boards, clock: Clock) -> None:
    await boards.postpone(GROUP, 17)
    assert await boards.claim(GROUP) == 17
    clock.wait(16.9)
    assert await boards.claim(GROUP) == pytest.approx(0.1)
    clock.wait(0.1)
    assert await boards.claim(GROUP) == 0
    assert await boards.claim(GROUP) == 3.75  # no burst after that


async def test_a_shorter_silence_does_not_end_a_longer_one(boards: Boards) -> None:
    await boards.postpone(GROUP, 40)
    await boards.postpone(GROUP, 3)
    assert await boards.claim(GROUP) == 40


# -- what the boards show --------------------------------------------------------------------------


async def test_a_board_is_behind_until_it_shows_the_newest_move(boards: Boards, tables: Tables) -> None:
    number = await open_at(tables)
    assert await behind(boards) == [(number, GROUP)]
    before = await boards.view(number)
    await boards.shown(before, 5_000_000_900)
    assert await behind(boards) == []
    await play_at(tables, c.Join(DAN))
    assert await behind(boards) == [(number, GROUP)]
    after = await boards.view(number)
    assert (after.board, after.shown, after.table.move) == (5_000_000_900, before.table.move, before.table.move + 1)


async def test_a_view_has_all_that_a_board_needs(boards: Boards, tables: Tables, chats: Chats, clock: Clock) -> None:
    await chats.set_language(GROUP, "pl")
    number = await open_at(tables, TOPIC)
    async with tables.at(TOPIC) as sitting:
        sitting.remember(PEOPLE[3])
        sitting.remember(PEOPLE[7])  # who only looks on
        sitting.play(c.Join(DAN))
    view = await boards.view(number)
    assert view.table == await table_at(tables, TOPIC)
    assert DAN in view.table.arrivals
    assert view.names == {person.id: person.name for person in PEOPLE[:4]}
    assert (view.number, view.place, view.language) == (number, TOPIC, "pl")
    assert (view.board, view.shown, view.reminder) == (None, 0, None)
    assert view.due_at == clock() + timedelta(seconds=60)


async def test_a_view_of_no_table(boards: Boards) -> None:
    with pytest.raises(NoTableError):
        await boards.view(404)


async def test_a_host_who_has_left_the_seats_keeps_his_name(boards: Boards, tables: Tables) -> None:
    number = await open_at(tables)
    await play_at(tables, c.Leave(BOB))
    assert set((await boards.view(number)).names) == {ANN, BOB, CAT}


async def test_the_last_board_of_a_game_is_still_shown(boards: Boards, tables: Tables) -> None:
    number = await open_at(tables)
    await play_at(tables, c.End(ANN, now=True))
    assert await behind(boards) == [(number, GROUP)]
    await boards.shown(await boards.view(number), 9)
    assert await behind(boards) == []


async def test_a_silent_group_is_not_written_to(boards: Boards, tables: Tables, chats: Chats) -> None:
    number = await open_at(tables)
    await chats.silence(GROUP)
    assert await behind(boards) == []
    await chats.welcome(GROUP)
    assert await behind(boards) == [(number, GROUP)]


async def test_a_board_is_sent_again_when_it_is_wanted_further_down_or_gone(boards: Boards, tables: Tables) -> None:
    number = await open_at(tables)
    await boards.shown(await boards.view(number), 9)
    await boards.lower(number)
    view = await boards.view(number)
    assert (view.board, view.shown) == (9, AT_THE_BOTTOM)
    assert await behind(boards) == [(number, GROUP)]
    await boards.shown(view, 10)
    assert await behind(boards) == []
    await boards.forget(number)
    assert (await boards.view(number)).board is None
    assert await behind(boards) == [(number, GROUP)]


@pytest.mark.parametrize("meanwhile", ["forgotten", "lowered", "moved", "translated"])
async def test_what_was_drawn_before_a_change_does_not_count_as_shown(
    boards: Boards, tables: Tables, chats: Chats, meanwhile: str
) -> None:
    number = await open_at(tables)
    await boards.shown(await boards.view(number), 9)
    await play_at(tables, c.Join(DAN))
    drawn = await boards.view(number)
    if meanwhile == "forgotten":
        await boards.forget(number)
    elif meanwhile == "lowered":
        await boards.lower(number)
    elif meanwhile == "translated":
        await chats.set_language(GROUP, "pl")
    else:
        await chats.moved(GROUP, GROUP - 1)
    await boards.shown(drawn, 9)
    assert [board.number for board in await boards.behind()] == [number]
    assert (await boards.view(number)).board == (9 if meanwhile in ("lowered", "translated") else None)


async def test_a_place_tells_its_open_table(boards: Boards, tables: Tables) -> None:
    assert await boards.number(PLACE) == (0, 0)
    number = await open_at(tables)
    assert await boards.number(PLACE) == (number, (await table_at(tables)).move)
    assert await boards.number(TOPIC) == (0, 0)
    await play_at(tables, c.End(ANN, now=True))
    assert await boards.number(PLACE) == (0, 0)


# -- reminders -------------------------------------------------------------------------------------


async def test_of_many_who_want_to_remind_one_does(
    boards: Boards, tables: Tables, other_database: Database, clock: Clock
) -> None:
    number = await open_at(tables)
    clock.wait(45)
    ((_, asked),) = questions(await tables.late())
    others = Boards(other_database, clock, everybody=UNLIMITED)
    taken = await asyncio.gather(*((others if n % 2 else boards).take_reminder(number, asked) for n in range(8)))
    assert sorted(taken) == [False] * 7 + [True]
    assert questions(await tables.late()) == []


async def test_a_reminder_that_nobody_has_sent_is_on_its_way_for_a_while(
    boards: Boards, tables: Tables, clock: Clock
) -> None:
    """Whoever had claimed it was killed over it."""
    number = await open_at(tables)
    asked = (await table_at(tables)).asked
    assert await boards.take_reminder(number, asked)
    assert (await boards.view(number)).reminder is None
    clock.wait(ON_ITS_WAY.total_seconds() - 1)
    assert not await boards.take_reminder(number, asked)
    clock.wait(1)
    assert questions(await tables.late()) == [(number, asked)]
    assert await boards.take_reminder(number, asked)
    assert await boards.reminded(number, asked, 71)
    clock.wait(ON_ITS_WAY.total_seconds())
    assert questions(await tables.late()) == []
    assert not await boards.take_reminder(number, asked)


async def test_nothing_is_removed_when_the_reminder_was_not_sent_in_time(
    boards: Boards, tables: Tables, database: Database
) -> None:
    number = await open_at(tables)
    asked = (await table_at(tables)).asked
    assert await boards.take_reminder(number, asked)
    async with tables.numbered(number) as sitting:
        sitting.play(c.RunOutOfTime(asked))
    assert sitting.litter == []
    assert (await row_of(database, number)).reminder is None


async def test_nobody_is_reminded_of_an_old_question(boards: Boards, tables: Tables, database: Database) -> None:
    number = await open_at(tables)
    asked = (await table_at(tables)).asked
    await play_at(tables, c.RunOutOfTime(asked))
    assert not await boards.take_reminder(number, asked)
    assert (await row_of(database, number)).warn_at is not None  # the new question keeps its own


async def test_a_reminder_is_kept_while_its_question_stands(boards: Boards, tables: Tables) -> None:
    number = await open_at(tables)
    asked = (await table_at(tables)).asked
    assert await boards.reminded(number, asked, 71)
    assert (await boards.view(number)).reminder == 71
    await play_at(tables, c.RunOutOfTime(asked))
    assert not await boards.reminded(number, asked, 72)
    assert (await boards.view(number)).reminder is None
