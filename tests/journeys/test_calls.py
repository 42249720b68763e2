"""What a tap costs: Telegram takes some twenty messages and edits a minute in a group, and no more."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager

import pytest
from sqlalchemy import event

from domain.table import Phase
from tests.databases import KINDS
from tests.journeys.evening import Evening
from tgbot.keyboard import keyboard
from tgbot.playground.world import Json
from tgbot.words import words

PAID = ("sendMessage", "editMessageText", "editMessageReplyMarkup")
"""The methods that share a group's budget."""


def methods(calls: Sequence[Json]) -> list[str]:
    return sorted(call["method"] for call in calls)


async def test_a_legal_tap_costs_an_answer_and_an_edit(evening: Evening) -> None:
    """From the lobby to the third round: never more. A board worth a message of its own is sent, and the old one
    retired; that is the one exception, and it is counted."""
    people = await evening.friends("Ada", "Bo", "Cem")
    await people[0].writes("/newgame")
    extra = 0
    for person in people[1:]:
        before = evening.now
        await person.taps("Join")
        assert methods(evening.calls(since=before)) == ["answerCallbackQuery", "editMessageText"]
    before = evening.now
    await people[0].taps("Start")
    assert methods(evening.calls(since=before)) == ["answerCallbackQuery", "editMessageText"]
    while evening.table.round < 3:
        before, board = evening.now, evening.board.id
        button = evening.board.buttons[0]
        await evening.room.actor.presses(button.data, button.message)
        made = methods(evening.calls(since=before))
        if evening.board.id == board:
            assert made == ["answerCallbackQuery", "editMessageText"]
        else:
            extra += 1
            assert made == ["answerCallbackQuery", "editMessageText", "sendMessage"]
    assert extra <= 1


async def test_an_illegal_tap_costs_its_answer(evening: Evening) -> None:
    people = await evening.hand()
    board, asked = evening.board, evening.room.actor
    taps = [(person, board.buttons[0].data) for person in people if person is not asked]
    number, move = evening.room.view.number, evening.table.move
    taps += [(asked, f"bet:{number}:{move}:99"), (asked, f"bet:{number}:1:1"), (asked, "nonsense")]
    for person, data in taps:
        before = evening.now
        await person.presses(data, board.id)
        assert methods(evening.calls(since=before)) == ["answerCallbackQuery"]


@contextmanager
def transactions_of(evening: Evening) -> Iterator[list[int]]:
    """The transactions that begin meanwhile, each as the number of its statements."""
    engine, found = evening.house.database.engine, [0][:0]

    def begins(_: object) -> None:
        found.append(0)

    def asks(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        if not statement.startswith(("BEGIN", "PRAGMA", "SET LOCAL")):
            found[-1] += 1

    event.listen(engine, "begin", begins)
    event.listen(engine, "before_cursor_execute", asks)
    try:
        yield found
    finally:
        event.remove(engine, "begin", begins)
        event.remove(engine, "before_cursor_execute", asks)


@pytest.mark.parametrize("kind", KINDS)
async def test_a_tap_costs_three_transactions_and_an_illegal_one_costs_one(evening: Evening) -> None:
    """The move; the call it is shown with, paid for; what the message shows now. What the move knows is not read again
    to draw the board, and nobody's row is written who is called as he was."""
    people = await evening.hand()
    for _ in range(6):
        board, asked = evening.board, evening.room.actor
        other = next(person for person in people if person is not asked)
        with transactions_of(evening) as transactions:
            await other.presses(board.buttons[0].data, board.id, settle=False)
            await evening.house.fetching.finished()
            await evening.house.voice.finish()
            assert len(transactions) == 1
            assert sum(transactions) <= 2
            transactions.clear()
            await asked.presses(board.buttons[0].data, board.id, settle=False)
            await evening.until(lambda: not evening.house.keeper._workers, "the board is up to its row")
            retired = (
                evening.calls()[-1]["method"] == "editMessageText" and evening.calls()[-2]["method"] == "sendMessage"
            )
            assert len(transactions) == 3 + retired
            assert sum(transactions) <= 12
        await evening.settled()
        if evening.table.phase is not Phase.DECIDE:
            break


async def test_what_only_one_person_wants_to_know_costs_its_answer(evening: Evening) -> None:
    people = await evening.hand()
    before = evening.now
    await people[0].taps("⋯")
    assert methods(evening.calls(since=before)) == ["answerCallbackQuery"]


async def test_a_typed_bet_costs_a_board_below_it(evening: Evening) -> None:
    """What was typed has pushed the board up; the new one stands below, the old one retires."""
    await evening.hand()
    before = evening.now
    await evening.room.actor.writes("/bet 1")
    assert methods(evening.calls(since=before)) == ["editMessageText", "sendMessage"]
    assert evening.board.id == evening.room.messages[-1].id


async def test_talk_costs_nothing(evening: Evening) -> None:
    people = await evening.hand()
    before = evening.now
    for person in people:
        await person.writes("nice one!")
        await person.replies(evening.board, "look at that")
    assert evening.calls(since=before) == []


async def test_moves_that_come_too_fast_are_folded(begin: Callable[..., Awaitable[Evening]]) -> None:
    """Not queued: when the group's next slot is free, one edit shows the newest state."""
    evening = await begin(calls_a_minute=20, speed=60)
    people = await evening.friends("Ada", "Bo", "Cem", "Ola")
    await evening.room.deals(*people, chips=1_000)
    evening.clock.move(60)
    evening.clock.runs(0.01)  # all of it happens before the next slot is free
    before, moves = evening.now, evening.table.move
    await play_fast(evening, moves=12)
    assert evening.table.move == moves + 12
    edits = evening.calls("editMessageText", since=before)
    assert 1 <= len(edits) <= 4
    before = evening.now
    evening.clock.runs(60)
    await evening.settled()
    assert len([call for call in evening.calls(since=before) if call["method"] in PAID]) <= 2
    await evening.check_boards()


@pytest.mark.parametrize("kind", KINDS)
async def test_six_players_at_full_speed_stay_within_the_budget(begin: Callable[..., Awaitable[Evening]]) -> None:
    """Telegram's limits on, the bot's budget as it is shipped, and a table that never waits: for more than a
    minute of the evening nobody is told to wait, and no minute sees more than 20 calls."""
    evening = await begin(flood=True, calls_a_minute=20, speed=40)
    people = await evening.friends("Ada", "Bo", "Cem", "Ola", "Eve", "Fay")
    await evening.room.deals(*people, chips=1_000, clock=3_600)
    begun, moves = evening.clock.seconds(), evening.table.move
    while evening.clock.seconds() < begun + 100 or evening.table.move - moves < 40:
        await play_fast(evening, moves=1)
    await evening.settled()
    calls = [entry for entry in evening.telegram.exchanges if entry["method"] in PAID]
    assert {entry["status"] for entry in calls} == {200}
    times = [entry["at"] for entry in calls]
    assert max(sum(at <= other < at + 60 for other in times) for at in times) <= 20
    assert len([at for at in times if at >= begun]) >= 20  # what may be said is said
    await evening.check_boards()


async def play_fast(evening: Evening, moves: int) -> None:
    """Whoever is asked taps the moment he can, whether his board is shown already or not."""
    room = evening.room
    while moves > 0:
        await evening.look()
        table = room.table
        if table.actor is None:
            raise AssertionError(f"nobody is asked in {table.phase}")
        markup = keyboard(table, room.view.number, words("en"))
        wanted = markup.inline_keyboard[0][0 if table.phase is Phase.DECIDE else 2]
        await room.actor.presses(str(wanted.callback_data), room.view.board or 0, settle=False)
        moves -= 1
        await asyncio.sleep(0)
    await evening.look()
