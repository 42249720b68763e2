"""Groups: their language, whether they may be written to, and where they are."""

import asyncio
from collections.abc import Callable, Coroutine

import pytest
from sqlmodel import Session, select

from domain import commands as c
from domain.choices import LOBBY_PATIENCE
from domain.settings import Settings
from persistence.audit import audit
from persistence.boards import Boards
from persistence.chats import Chats
from persistence.database import Database
from persistence.mapping import Place
from persistence.rows import ChatRow
from persistence.tables import Tables
from tests.persistence.conftest import Clock
from tests.persistence.evenings import (
    BOB,
    DAN,
    PLACE,
    TOPIC,
    behind,
    deadlines,
    in_memory,
    open_at,
    play_at,
    questions,
    remember,
    row_of,
    rows_of,
    seen,
    table_at,
)

GROUP, NEW = PLACE.chat, -1009876543210


# -- language --------------------------------------------------------------------------------------


async def test_a_group_has_no_language_until_one_is_chosen(chats: Chats, tables: Tables) -> None:
    assert await chats.language(GROUP) == ""
    await remember(tables)  # somebody wrote there
    assert await chats.language(GROUP) == ""
    await chats.set_language(GROUP, "pl")
    assert (await chats.language(GROUP), await chats.language(NEW)) == ("pl", "")


async def test_a_new_language_draws_the_boards_of_open_tables_again(
    chats: Chats, boards: Boards, tables: Tables
) -> None:
    over, number, elsewhere = await open_at(tables), 0, await open_at(tables, Place(NEW))
    await play_at(tables, c.End(5_000_000_001, now=True))
    number = await open_at(tables)
    for table in (over, number, elsewhere):
        await boards.shown(await boards.view(table), 9)
    await chats.set_language(GROUP, "pl")
    assert await behind(boards) == [(number, GROUP)]
    assert (await boards.view(number)).board == 9
    assert (await boards.view(number)).language == "pl"


# -- silence ---------------------------------------------------------------------------------------


async def test_whoever_comes_back_has_his_whole_time_and_a_new_board(
    chats: Chats, boards: Boards, tables: Tables, database: Database, clock: Clock
) -> None:
    number = await open_at(tables, settings=Settings(cut=False, clock=90))
    await boards.shown(await boards.view(number), 9)
    await chats.silence(GROUP)
    clock.wait(1000)
    await chats.welcome(GROUP)
    assert await deadlines(database, clock(), number) == (90, 60)
    assert (questions(await tables.overdue()), questions(await tables.late())) == ([], [])
    assert (await boards.view(number)).board is None
    assert await behind(boards) == [(number, GROUP)]
    clock.wait(90)
    assert questions(await tables.overdue()) == [(number, (await table_at(tables)).asked)]


async def test_a_welcome_to_a_group_that_was_never_silent_changes_nothing(
    chats: Chats, tables: Tables, database: Database, clock: Clock
) -> None:
    await open_at(tables)
    before = await rows_of(database)
    clock.wait(30)
    await chats.welcome(GROUP)
    assert await rows_of(database) == before


async def test_a_lobby_does_not_wait_longer_because_the_bot_was_away(
    chats: Chats, tables: Tables, database: Database, clock: Clock
) -> None:
    number = await open_at(tables, start=False)
    await chats.silence(GROUP)
    clock.wait(1000)
    await chats.welcome(GROUP)
    assert await deadlines(database, clock(), number) == (LOBBY_PATIENCE - 1000, None)


async def test_a_group_may_be_silent_before_anything_was_played(chats: Chats, tables: Tables) -> None:
    await chats.silence(GROUP)
    await open_at(tables)
    await chats.welcome(GROUP)
    assert await table_at(tables) == in_memory(3)


async def test_of_two_who_are_welcomed_at_once_one_is_news(
    chats: Chats, other_database: Database, clock: Clock
) -> None:
    """And nobody afterwards: a group is greeted once, however many processes hear that the bot was added."""
    news = await asyncio.gather(chats.welcome(NEW), Chats(other_database, clock).welcome(NEW))
    assert sorted(news) == [False, True]
    assert not await chats.welcome(NEW)


async def test_a_welcome_waits_for_a_move_that_is_being_played(
    chats: Chats, boards: Boards, tables: Tables, other_database: Database, database: Database, clock: Clock
) -> None:
    number = await open_at(tables)
    await boards.shown(await boards.view(number), 9)
    await chats.silence(GROUP)
    clock.wait(30)
    locked = asyncio.Event()

    async def move() -> None:
        async with tables.at(PLACE) as sitting:
            locked.set()
            await asyncio.sleep(0.1)
            sitting.play(c.Join(DAN))

    async def welcome() -> None:
        await locked.wait()
        await Chats(other_database, clock).welcome(GROUP)

    await asyncio.gather(move(), welcome())
    assert DAN in (await table_at(tables)).arrivals
    assert (await row_of(database, number)).shown == 0
    assert await deadlines(database, clock(), number) == (60, 40)
    assert (await audit(database)).faults == []


# -- a group becomes a supergroup ------------------------------------------------------------------


async def test_tables_move_with_their_group(chats: Chats, boards: Boards, tables: Tables, database: Database) -> None:
    await chats.set_language(GROUP, "pl")
    number = await open_at(tables)
    await boards.shown(await boards.view(number), 9)
    await boards.reminded(number, (await table_at(tables)).asked, 10)
    for _ in range(2):  # both of Telegram's messages say so
        await chats.moved(GROUP, NEW)
        view = await boards.view(number)
        assert (view.place, view.language, view.table) == (Place(NEW), "pl", in_memory(3))
        assert (view.board, view.shown, view.reminder) == (None, 0, None)
        assert await behind(boards) == [(number, NEW)]
    await play_at(tables, c.Join(DAN), Place(NEW))
    async with tables.at(PLACE) as sitting:
        assert sitting.table is None
    assert (await audit(database)).faults == []


async def test_a_finished_board_does_not_move(chats: Chats, boards: Boards, tables: Tables) -> None:
    number = await open_at(tables)
    await play_at(tables, c.End(5_000_000_001, now=True))
    await boards.shown(await boards.view(number), 9)
    await chats.moved(GROUP, NEW)
    assert await behind(boards) == []


async def test_an_unknown_group_moves_without_a_trace(chats: Chats, database: Database) -> None:
    before = await rows_of(database)
    await chats.moved(GROUP, NEW)
    assert await rows_of(database) == before


async def test_the_game_under_way_replaces_what_was_opened_in_its_place(
    chats: Chats, tables: Tables, database: Database, clock: Clock
) -> None:
    under_way = await open_at(tables)
    meanwhile = await open_at(tables, Place(NEW), players=2, start=False)
    await chats.moved(GROUP, NEW)
    async with tables.at(Place(NEW)) as sitting:
        assert sitting.id == under_way
    closed = await row_of(database, meanwhile)
    assert (closed.ended_at, closed.due_at, closed.warn_at) == (clock(), None, None)
    assert len((await rows_of(database))["chats"]) == 1
    assert (await audit(database)) == (2, 4 + 2, [])


async def test_what_was_opened_elsewhere_in_the_new_group_stays(
    chats: Chats, tables: Tables, database: Database
) -> None:
    under_way = await open_at(tables)
    topic = Place(NEW, TOPIC.topic)
    meanwhile = await open_at(tables, topic, players=2)
    await chats.moved(GROUP, NEW)
    for place, number in ((Place(NEW), under_way), (topic, meanwhile)):
        async with tables.at(place) as sitting:
            assert sitting.id == number


async def test_a_late_tap_in_the_old_group_does_not_cost_the_game(chats: Chats, tables: Tables) -> None:
    """Between the two messages that tell of the move somebody may still tap a board of the old group."""
    await chats.set_language(GROUP, "pl")
    number = await open_at(tables)
    await chats.moved(GROUP, NEW)
    async with tables.at(PLACE) as sitting:
        assert sitting.table is None
    await chats.moved(GROUP, NEW)
    async with tables.at(Place(NEW)) as sitting:
        assert (sitting.id, seen(sitting)) == (number, in_memory(3))
    assert await chats.language(NEW) == "pl"


async def test_a_table_opened_late_in_the_old_group_does_not_cost_the_game(
    chats: Chats, tables: Tables, boards: Boards, database: Database, clock: Clock
) -> None:
    """What somebody wrote in the old group may be heard after the move, and then the move be told again."""
    under_way = await open_at(tables)
    await chats.moved(GROUP, NEW)
    await boards.shown(await boards.view(under_way), 7)
    late = await open_at(tables, players=2, start=False)
    await chats.moved(GROUP, NEW)
    async with tables.at(Place(NEW)) as sitting:
        assert (sitting.id, seen(sitting), sitting.board) == (under_way, in_memory(3), 7)
    closed = await row_of(database, late)
    assert (closed.ended_at, closed.due_at, closed.warn_at) == (clock(), None, None)
    assert await behind(boards) == []
    assert len((await rows_of(database))["chats"]) == 1
    assert (await audit(database)).faults == []


async def test_a_late_word_in_the_old_group_does_not_change_the_language(chats: Chats, tables: Tables) -> None:
    await chats.set_language(GROUP, "pl")
    await open_at(tables)
    await chats.moved(GROUP, NEW)
    await chats.set_language(GROUP, "en")
    await chats.moved(GROUP, NEW)
    assert await chats.language(NEW) == "pl"


@pytest.mark.parametrize("known", [True, False], ids=["somebody wrote there", "nobody wrote there"])
async def test_both_messages_of_a_move_at_once(
    chats: Chats, tables: Tables, other_database: Database, database: Database, clock: Clock, known: bool
) -> None:
    number = await open_at(tables)
    if known:
        await remember(tables, Place(NEW))
    await asyncio.gather(*((Chats(other_database, clock) if n % 2 else chats).moved(GROUP, NEW) for n in range(6)))
    async with tables.at(Place(NEW)) as sitting:
        assert sitting.id == number
        sitting.play(c.Leave(BOB))
    assert len((await rows_of(database))["chats"]) == 1


@pytest.mark.parametrize("said", ["welcome", "silence", "set_language"])
async def test_a_word_about_a_group_that_is_becoming_one_with_another(
    chats: Chats, tables: Tables, other_database: Database, database: Database, clock: Clock, said: str
) -> None:
    """Both wait for the same table; when they have it, the row that the second one had found is gone."""
    under_way = await open_at(tables)
    await open_at(tables, Place(NEW), players=2, start=False)
    other = Chats(other_database, clock)
    words: dict[str, Callable[[], Coroutine[None, None, object]]] = {
        "welcome": lambda: other.welcome(NEW),
        "silence": lambda: other.silence(NEW),
        "set_language": lambda: other.set_language(NEW, "pl"),
    }
    async with tables.at(Place(NEW)):
        moving = asyncio.create_task(chats.moved(GROUP, NEW))
        await asyncio.sleep(0.05)
        speaking = asyncio.create_task(words[said]())
        await asyncio.sleep(0.05)
    await asyncio.gather(moving, speaking)
    with Session(database.engine) as session:
        chat = session.exec(select(ChatRow)).one()
    language = "pl" if said == "set_language" else ""
    assert (chat.telegram_id, chat.active, chat.language) == (NEW, said != "silence", language)
    async with tables.at(Place(NEW)) as sitting:
        assert sitting.id == under_way
