"""Topics: a table lives in its chat and its topic, and everything about it is said there (trap 11, situation 17)."""

import pytest

from domain.table import Phase
from tests.databases import KINDS
from tests.journeys.evening import Evening, Person, Room

on_both = pytest.mark.parametrize("kind", KINDS)


async def topic(person: Person, room: Room, name: str) -> Room:
    """A new topic of a forum."""
    return Room(person.evening, room.chat, (await person.does("topic", chat=room.chat, name=name))["id"])


@on_both
async def test_the_general_topic(evening: Evening) -> None:
    """Situation 17: General has the thread id 1, which nothing can be sent to: it is named by no number at all."""
    ada, bo = await evening.friends("Ada", "Bo", forum=True)
    await evening.room.deals(ada, bo)
    await ada.writes("/help")
    await evening.passes(41)
    assert all(message.thread is None for message in evening.room.messages)
    assert all("message_thread_id" not in call["request"] for call in evening.calls("sendMessage"))
    assert {call["status"] for call in evening.calls()} == {200}


@on_both
async def test_two_topics_with_a_table_each(evening: Evening) -> None:
    """Situation 17. The same people, two games: what happens here changes nothing there."""
    ada, bo, cem = await evening.friends("Ada", "Bo", "Cem", forum=True)
    cards, late = await topic(ada, evening.room, "Cards"), await topic(ada, evening.room, "Late night")
    await cards.deals(ada, bo, cem)
    await late.deals(bo, ada)
    assert cards.view.number != late.view.number
    assert (cards.board.thread, late.board.thread) == (cards.topic, late.topic)
    assert evening.room.place not in evening.views
    before, board = late.view, late.board
    await cards.bets()
    await cards.actor.writes("/bet 1", room=cards)
    assert late.view == before
    assert late.board == board
    # A button of one table on a board of the other.
    assert await late.actor.presses(cards.board.buttons[0].data, late.board.id, late) == (
        "That was an earlier hand. The newest board counts."
    )
    assert late.view == before


async def test_everything_about_a_table_is_said_in_its_topic(evening: Evening) -> None:
    """Replies, questions, reminders, the board again."""
    ada, bo = await evening.friends("Ada", "Bo", forum=True)
    cards = await topic(ada, evening.room, "Cards")
    await cards.deals(ada, bo)
    await cards.actor.taps("Other…", room=cards)
    await cards.actor.replies(cards.said, "1e3", room=cards)
    await ada.writes("/rules", room=cards)
    await ada.writes("/help", room=cards)
    await ada.writes("/kick", room=cards)
    await ada.writes("/table", room=cards)
    await ada.writes("/language", room=cards)
    await evening.passes(41)
    await ada.writes("/end", room=cards)
    sent = [call["request"].get("message_thread_id") for call in evening.calls("sendMessage")]
    assert sent[0] is None  # the greeting
    assert set(sent[1:]) == {cards.topic}
    assert len(sent) > 9
    await ada.taps("Stop at once", room=cards)
    assert cards.table.phase is Phase.ENDED
    assert cards.board.thread == cards.topic


@on_both
async def test_a_reply_thread_in_a_group_without_topics(evening: Evening) -> None:
    """Situation 17. A reply there carries a thread id, too: the table is the group's all the same, for everybody."""
    ada, bo = await evening.friends("Ada", "Bo", type="supergroup")
    message = await ada.writes("who is for cards?")
    await bo.writes("/newgame", reply_to=message)
    assert evening.room.place in evening.views
    assert evening.board.thread is None
    await ada.writes("/join", reply_to=evening.board.id)
    assert len(evening.table.seats) == 2
    await ada.writes("/help", reply_to=message)
    assert all("message_thread_id" not in call["request"] for call in evening.calls("sendMessage"))
    assert {call["status"] for call in evening.calls()} == {200}


async def test_somebody_leaves_the_forum(evening: Evening) -> None:
    """He leaves every table of the group."""
    ada, bo, cem = await evening.friends("Ada", "Bo", "Cem", forum=True)
    rooms = [await topic(ada, evening.room, name) for name in ("Cards", "Late night")]
    for room in rooms:
        await room.seats(ada, bo, cem)
    await rooms[0].agrees(rounds=3)
    await ada.taps("Start", room=rooms[0])
    await cem.does("leave", chat=evening.room.chat)
    assert [room.table.seat(cem.id) for room in rooms] == [None, None]
    assert [len(room.table.present) for room in rooms] == [2, 2]


async def test_the_groups_language_is_every_topics(evening: Evening) -> None:
    ada, bo = await evening.friends("Ada", "Bo", forum=True)
    rooms = [await topic(ada, evening.room, name) for name in ("Cards", "Late night")]
    for room in rooms:
        await room.seats(ada, bo)
    await ada.writes("/language", room=rooms[0])
    await ada.taps("Polski", room=rooms[0])
    assert [room.board.captions[0] for room in rooms] == ["Dołącz", "Dołącz"]
