"""Whatever should not count: it is refused in the reader's own words, and nothing moves."""

from collections.abc import Mapping, Sequence

import pytest

from domain.table import Phase
from tests.databases import KINDS
from tests.journeys.evening import Button, Evening, Person, Room, Shown
from tgbot.playground.world import Json

on_both = pytest.mark.parametrize("kind", KINDS)

OLD = "That was an earlier hand. The newest board counts."
NOT_YET = "It's not your turn yet."
UNREADABLE = "Write a whole number of chips, like /bet 5"


async def stranger(evening: Evening, language: str = "pl") -> Person:
    """Somebody of the group who does not sit at the table."""
    person = await evening.person("Sly", language)
    await person.does("join", chat=evening.room.chat)
    return person


# -- taps --------------------------------------------------------------------------------------------


def answers_of(board: Shown) -> list[Button]:
    """The buttons that answer the question; the others only ask something of the bot."""
    return [b for b in board.buttons if b.data.partition(":")[0] not in ("other", "odds", "more")]


@on_both
async def test_taps_of_those_who_have_no_say(evening: Evening) -> None:
    """Situation 3: a stranger's tap, and a player's who is not asked; each reads it in his own language."""
    people = await evening.hand()
    sly = await stranger(evening)
    before, board = await evening.rows(), evening.board
    for person in people:
        if person is not evening.room.actor:
            for button in answers_of(board):
                assert await person.presses(button.data, board.id) == NOT_YET
    for button in answers_of(board):
        assert await sly.presses(button.data, board.id) == "Nie siedzisz przy tym stole. Wyślij /join, żeby zagrać."
    assert await evening.rows() == before
    assert evening.board == board


@on_both
async def test_taps_on_the_button_of_an_earlier_hand(evening: Evening) -> None:
    """Situation 2. The question counts, not the move: a seat taken meanwhile makes no button old."""
    await evening.hand()
    old, first = evening.board, evening.room.actor
    sly = await stranger(evening, "en")
    await sly.writes("/join")
    assert await first.presses(old.buttons[0].data, old.id) != OLD
    assert evening.room.actor is not first
    before = await evening.rows()
    for person in evening.people.values():
        for button in answers_of(old):
            assert await person.presses(button.data, old.id) == OLD
    assert await evening.rows() == before


async def test_an_old_board_loses_its_buttons_when_it_is_tapped(evening: Evening) -> None:
    """Trap 4: a board that could not be retired has buttons that can only be refused."""
    people = await evening.hand()
    old = evening.board
    await evening.trouble("error", method="editMessageText", description="Bad Request: something is wrong")
    await people[0].writes("/table")
    assert next(message for message in evening.room.messages if message.id == old.id).buttons
    await evening.room.bets()
    assert await people[0].presses(old.buttons[0].data, old.id) == OLD
    assert not next(message for message in evening.room.messages if message.id == old.id).buttons
    assert evening.board.buttons


async def test_taps_after_the_end(evening: Evening) -> None:
    people = await evening.hand()
    board = evening.board
    await people[0].writes("/end")
    now = evening.said
    await people[0].taps("Stop at once")
    before = await evening.rows()
    for data in (board.buttons[0].data, now.buttons[0].data, "join:1:1", "kick:1:1:5000000002"):
        assert await people[1].presses(data, now.id) == "No game is on. Send /newgame to open a table."
    assert await evening.rows() == before
    assert not next(message for message in evening.room.messages if message.id == now.id).buttons


FORGED = {
    "bet": OLD,
    "bet:1": OLD,
    "bet:1:2:3:4": OLD,
    "bet:x:1:1": OLD,
    "bet:{table}:{move}:-5": OLD,
    "bet:{table}:{move}:１": OLD,
    "bet:{table}:{move}:1e0": OLD,
    " bet:{table}:{move}:1": OLD,
    "BET:{table}:{move}:1": OLD,
    "gift:{table}:{move}:100": OLD,
    "💥": OLD,
    "a" * 64: OLD,
    "bet:9999:{move}:1": OLD,
    "bet:0:0:1": OLD,
    "cut:{table}:{move}:20": OLD,
    "start:{table}:{move}": OLD,
    "bet:{table}:{move}:0": "The least bet is 1 chip.",
    "bet:{table}:{move}": "The least bet is 1 chip.",
    "bet:{table}:{move}:5": "The pot holds 4 chips; that's the most.",
    "bet:{table}:{move}:50": "You have 49 chips.",
    "bet:{table}:{move}:999999999999999999": "You have 49 chips.",
    "pass:{table}:{move}": "There is no passing at this table: bet at least the least.",
    "rebuy:{table}:{move}": "You can buy chips when you have none.",
    "back:{table}:{move}": "You are in the game.",
    "kick:{table}:{move}:5000000001": "Only the host or a group admin can do that.",
}


async def test_forged_data(evening: Evening) -> None:
    """Whatever a tap carries, the table decides: by whoever's turn it is, who is neither host nor admin."""
    people = await evening.hand()
    if evening.room.actor is people[0]:
        await evening.room.bets()
    assert evening.table.pot == 4
    assert evening.room.chips(evening.room.actor) == 49
    before, board = await evening.rows(), evening.board
    for data, toast in FORGED.items():
        data = data.format(table=evening.room.view.number, move=evening.table.move)
        assert await evening.room.actor.presses(data, board.id) == toast, data
        assert await evening.rows() == before, data
    assert evening.board == board


async def test_a_language_that_is_none(evening: Evening) -> None:
    ada, _ = await evening.friends("Ada", "Bo")
    await ada.writes("/newgame")
    before = await evening.rows()
    for data in ("lang:0:0:99", "lang:0:0"):
        await ada.presses(data, evening.board.id)
    assert await evening.rows() == before


@on_both
async def test_buttons_of_another_groups_table(evening: Evening) -> None:
    """I28: the data of a board elsewhere, on a message here."""
    ada, bo, cem, ola = await evening.hand()
    there = await evening.group(ada, bo, cem, ola, title="Elsewhere")
    await there.starts(cem, ada, bo, ola)
    before = await evening.rows()
    for person in (ada, bo, cem, ola):
        for button in there.board.buttons[:-1]:
            assert await person.presses(button.data, evening.board.id) == OLD
        for button in evening.board.buttons[:-1]:
            assert await person.presses(button.data, there.board.id, there) == OLD
    assert await evening.rows() == before


# -- typed amounts -----------------------------------------------------------------------------------

TYPED: Mapping[str, tuple[str, str]] = {
    "-5": ("The least bet is 1 chip.", "Najmniejsza stawka to 1 żeton."),
    "0": ("The least bet is 1 chip.", "Najmniejsza stawka to 1 żeton."),
    "5": ("The pot holds 4 chips; that's the most.", "W puli: 4 żetony; więcej postawić nie można."),
    "100": ("You have 49 chips.", "Masz 49 żetonów."),
    "999999999999999999": ("You have 49 chips.", "Masz 49 żetonów."),
    **dict.fromkeys(
        ("1000000000000000000", "１０", "٣", "1e3", "½", "", "pot", "2 3", "2.0", "+2", "0x2", "--2", "2chips"),
        (UNREADABLE, "Napisz całą liczbę żetonów, na przykład /bet 5"),
    ),
}


def _moves(rows: Mapping[str, Sequence[Json]]) -> Mapping[str, Sequence[Json]]:
    """All rows but for the question that stands: it is asked again with every answer."""
    tables = [{name: value for name, value in row.items() if name != "prompt"} for row in rows["tables"]]
    return {**rows, "tables": tables}


@on_both
@pytest.mark.parametrize("language", ["en", "pl"])
async def test_amounts_that_are_none(evening: Evening, language: str) -> None:
    """Situation 10: typed by the one whose turn it is, as a command and as a reply to the bot's question."""
    await evening.hand(language=language)
    asked = evening.room.actor
    await asked.taps_word("other")
    question = evening.said
    before, board = await evening.rows(), evening.board
    for amount, answers in TYPED.items():
        answer = answers[language == "pl"]
        await asked.writes(f"/bet {amount}")
        assert evening.said.text == answer, amount
        if amount:
            await asked.replies(question, amount)
            assert evening.said.text == answer, amount
            question = evening.said  # the answer asks again
        assert _moves(await evening.rows()) == _moves(before), amount
    assert evening.board == board


async def test_cuts_that_are_none(evening: Evening) -> None:
    """Q14: at least three cards in each packet."""
    people = await evening.friends("Ada", "Bo")
    await evening.room.starts(*people)
    before = await evening.rows()
    cutter = evening.room.actor
    for place, nearest in (("2", 3), ("0", 3), ("-5", 3), ("50", 49), ("52", 49)):
        await cutter.writes(f"/bet {place}")
        assert evening.said.text == f"The cut must leave at least 3 cards on each side. Nearest: {nearest}."
    other = next(person for person in people if person is not cutter)
    await other.writes("/bet 20")
    assert evening.said.text == NOT_YET
    assert await evening.rows() == before


async def test_commands_where_no_table_stands(evening: Evening) -> None:
    ada, _ = await evening.friends("Ada", "Bo")
    for command in ("/leave", "/bet 5", "/table", "/end", "/kick"):
        sent = len(evening.calls("sendMessage"))
        await ada.writes(command)
        assert evening.said.text == "No game is on. Send /newgame to open a table.", command
        assert len(evening.calls("sendMessage")) == sent + 1
    assert (await evening.rows())["tables"] == []


# -- what is not for the bot -------------------------------------------------------------------------


async def test_talk_is_none_of_the_bots_business(evening: Evening) -> None:
    """Trap 17, trap 25: talk, replies to a board, commands of other bots, commands that do not exist."""
    people = await evening.hand()
    asked = evening.room.actor
    before, calls = await evening.rows(), evening.now
    await asked.writes("2")
    await asked.replies(evening.board, "2")
    await asked.writes("/bet@other_bot 2")
    await people[0].writes("/fold")
    await people[0].writes("I bet 2 that @inbetween_bot cheats")
    assert evening.calls(since=calls) == []
    assert await evening.rows() == before


@on_both
@pytest.mark.parametrize(
    ("kind_of_update", "change"),
    [
        ("edited_message", {"edit_date": 1_796_074_001}),
        ("message", {"from": {"id": 4_000_000_001, "is_bot": True, "first_name": "Other bot", "username": "o_bot"}}),
        (
            "message",
            {
                "from": {"id": 777000, "is_bot": False, "first_name": "Telegram"},
                "sender_chat": {"id": -1001234567890, "type": "channel", "title": "News"},
                "is_automatic_forward": True,
            },
        ),
        ("channel_post", {"from": None, "chat": {"id": -1001234567890, "type": "channel", "title": "News"}}),
        ("edited_channel_post", {"from": None, "chat": {"id": -1001234567890, "type": "channel", "title": "News"}}),
        ("message", {"from": None}),
    ],
    ids=["edited", "bot", "linked channel", "channel post", "edited channel post", "no sender"],
)
async def test_commands_that_nobody_gives(evening: Evening, kind_of_update: str, change: Json) -> None:
    """Trap 10, situation 18: ignored, without a word and without a crash."""
    await evening.hand()
    asked = evening.room.actor
    chat = {"id": evening.room.chat, "type": "supergroup", "title": "Friday night"}
    sender = {"id": asked.id, "is_bot": False, "first_name": asked.name, "language_code": "en"}
    before, calls = await evening.rows(), evening.now
    for text in ("/bet 1", "/join", "/newgame", "/leave", "/end"):
        entity = {"type": "bot_command", "offset": 0, "length": len(text.split()[0])}
        message = {"message_id": 9_000, "date": 1_796_074_000, "chat": chat, "from": sender, "text": text}
        content = {**message, "entities": [entity], **change}
        await evening.delivers(kind_of_update, {key: value for key, value in content.items() if value is not None})
    assert evening.calls(since=calls) == []
    assert await evening.rows() == before


async def test_an_edited_command_and_a_post_as_a_channel(evening: Evening) -> None:
    """The same as people do it: an edit makes no second bet, a channel has no seat."""
    await evening.hand()
    asked = evening.room.actor
    message = await asked.writes("hm")
    before, calls = await evening.rows(), evening.now
    await asked.does("edit", chat=evening.room.chat, message=message, text="/bet 1")
    await asked.does("write", chat=evening.room.chat, text="/bet@inbetween_bot 1", as_chat=True)
    assert evening.calls(since=calls) == []
    assert await evening.rows() == before


async def test_inline_queries_and_other_updates(evening: Evening) -> None:
    ada, _ = await evening.friends("Ada", "Bo")
    sender = {"id": ada.id, "is_bot": False, "first_name": "Ada"}
    calls = evening.now
    await evening.delivers("inline_query", {"id": "1", "from": sender, "query": "deal", "offset": ""})
    tap = {"id": "2", "from": sender, "chat_instance": "1", "inline_message_id": "x", "data": "bet:1:1:1"}
    await evening.delivers("callback_query", tap)
    await evening.delivers("callback_query", {"id": "3", "from": sender, "chat_instance": "1", "data": "new:0:0"})
    assert [call["method"] for call in evening.calls(since=calls) if call["method"] != "answerCallbackQuery"] == []
    assert (await evening.rows())["tables"] == []


async def test_a_tap_on_a_message_that_is_gone(evening: Evening) -> None:
    """Trap 12: Telegram names the message and nothing else; the table is found all the same."""
    people = await evening.hand()
    board = evening.board
    await people[0].does("delete", chat=evening.room.chat, message=board.id)
    toast = await evening.room.actor.presses(board.buttons[0].data, board.id)
    assert toast.startswith("You bet 1 and ")
    assert evening.board.id > board.id


# -- whoever writes as the group ---------------------------------------------------------------------


@pytest.fixture
async def ghost(evening: Evening) -> Person:
    """Ada founded the group, and writes as the group itself; Bo and Cem do not."""
    ada, *_ = await evening.friends("Ada", "Bo", "Cem", type="supergroup")
    await ada.does("promote", chat=evening.room.chat, who=ada.id, is_anonymous=True)
    return ada


def everybody(room: Room) -> list[int]:
    return [*(seat.player for seat in room.table.seats), *room.table.arrivals]


async def test_an_anonymous_admin_opens_a_table_and_joins(evening: Evening, ghost: Person) -> None:
    """Trap 9: his command has no name, his tap has one."""
    ada, bo, _ = evening.people.values()
    await ghost.writes("/newgame")
    assert evening.said.text == "You write as the group. Tap, so that I see who you are."
    assert (await evening.rows())["tables"] == []
    await ghost.taps("It's me")
    assert everybody(evening.room) == [ada.id]
    await bo.taps("Join")
    await ghost.writes("/leave")
    await ghost.taps("It's me")
    assert everybody(evening.room) == [bo.id]
    await ghost.writes("/join")
    await ghost.taps("It's me")
    assert everybody(evening.room) == [bo.id, ada.id]


async def test_an_anonymous_admin_joins_and_leaves_a_game_under_way(evening: Evening, ghost: Person) -> None:
    _, bo, cem = evening.people.values()
    await evening.room.deals(bo, cem)
    await ghost.writes("/join")
    assert await ghost.taps("It's me") == "Welcome! You play from the next round."
    assert ghost.id in everybody(evening.room)
    await ghost.writes("/leave")
    assert await ghost.taps("It's me") == "You left."
    assert ghost.id not in everybody(evening.room)


@on_both
async def test_an_anonymous_admin_ends_the_game(evening: Evening, ghost: Person) -> None:
    """Situation 16. The same button under a finger that has no say is a vote or nothing."""
    _, bo, cem = evening.people.values()
    await evening.room.deals(bo, cem)
    sly = await stranger(evening, "en")
    await ghost.writes("/end")
    assert await sly.taps("It's me") == "Only the host or a group admin can do that."
    assert not evening.table.ending
    assert await ghost.taps("It's me") == "The game ends after this round."
    assert evening.table.ending
    assert evening.table.phase is not Phase.ENDED


async def test_an_anonymous_admin_has_no_hand_of_his_own(evening: Evening, ghost: Person) -> None:
    """Nobody plays as the group: GroupAnonymousBot never gets a seat."""
    _, bo, cem = evening.people.values()
    await evening.room.deals(bo, cem)
    for command in ("/join", "/leave", "/bet 1", "/end", "/kick", "/newgame"):
        before = await evening.rows()
        await ghost.writes(command)
        assert await evening.rows() == before
    assert 1087968824 not in everybody(evening.room)
