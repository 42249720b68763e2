"""Whatever happens to the bot in a group, and to what it sends: the table is not lost."""

import logging
from collections.abc import Awaitable, Callable
from functools import partial

import pytest

from domain.table import Phase
from tests.databases import KINDS
from tests.journeys.evening import Evening, Person, Room
from tgbot.logs import set_up_logging

on_both = pytest.mark.parametrize("kind", KINDS)


async def throws_out(evening: Evening, admin: Person) -> None:
    await admin.does("remove", chat=evening.room.chat, who=evening.telegram.world.bot.id)


async def brings_back(evening: Evening, admin: Person) -> None:
    await admin.does("add", chat=evening.room.chat, who=evening.telegram.world.bot.id)


# -- the bot comes and goes --------------------------------------------------------------------------


@on_both
async def test_the_bot_is_thrown_out_in_the_middle_of_a_hand(evening: Evening) -> None:
    """Trap 14, situation 19: frozen as it stands; thawed with all its chips, and a whole turn for whoever is asked."""
    people = await evening.hand()
    asked, table, board = evening.room.actor, evening.table, evening.board
    before = evening.now
    await throws_out(evening, people[0])
    await evening.passes(10_000)
    assert evening.table == table
    assert evening.calls(since=before) == []
    await brings_back(evening, people[0])
    assert evening.table == table
    assert evening.board.id > board.id
    assert evening.board.captions == board.captions
    await evening.passes(59)
    assert evening.table == table
    await evening.passes(2)
    assert evening.table.played[0].by_clock
    assert evening.table.played[0].player == asked.id
    assert evening.table.chips == 200


async def test_the_bot_is_thrown_out_while_it_does_not_run(evening: Evening) -> None:
    """No update says so; the first call does (403)."""
    people = await evening.hand()
    table = evening.table
    await evening.closes()
    await people[0].does("remove", chat=evening.room.chat, who=evening.telegram.world.bot.id)
    evening.telegram.network.updates.drop()
    await evening.opens()
    await evening.passes(61)
    move = evening.table.move
    assert move == table.move + 1
    await evening.passes(10_000)
    assert evening.table.move == move
    await brings_back(evening, people[0])
    assert evening.table.chips == 200
    await evening.room.bets()


async def test_the_bot_comes_back_and_no_update_says_so(evening: Evening) -> None:
    """Whoever was handling it was killed. The first word that somebody says to the bot thaws the table."""
    people = await evening.hand()
    table = evening.table
    await throws_out(evening, people[0])
    await evening.closes()
    await people[0].does("add", chat=evening.room.chat, who=evening.telegram.world.bot.id)
    evening.telegram.network.updates.drop()
    await evening.opens()
    await evening.passes(10_000)
    assert evening.table == table
    await people[1].writes("/table")
    assert evening.table == table
    assert evening.board.captions[0] == "1"
    await evening.passes(61)
    assert evening.table.played[0].by_clock


async def test_a_muted_bot_is_spoken_to(evening: Evening) -> None:
    """It asks whether it may write again, and stays frozen as long as it may not."""
    people = await evening.hand()
    bot = evening.telegram.world.bot.id
    await people[0].does("restrict", chat=evening.room.chat, who=bot, can_send=False)
    before, table = evening.now, evening.table
    await people[1].writes("/table")
    await evening.passes(10_000)
    assert evening.table == table
    assert evening.calls(since=before) == []
    assert [entry["method"] for entry in evening.telegram.exchanges if entry["n"] > before].count("getChatMember") == 1


@on_both
async def test_the_bot_is_muted(evening: Evening) -> None:
    """It may not write: the clock stands still, and what was played meanwhile is shown afterwards."""
    people = await evening.hand()
    bot = evening.telegram.world.bot.id
    board = evening.board
    await people[0].does("restrict", chat=evening.room.chat, who=bot, can_send=False)
    before, move = evening.now, evening.table.move
    await evening.passes(1_000)
    assert evening.table.move == move
    toast = await evening.room.actor.presses(board.buttons[0].data, board.id)
    assert toast.startswith("You bet 1 and ")
    assert {call["method"] for call in evening.calls(since=before)} == {"answerCallbackQuery"}
    assert evening.table.move == move + 1
    await people[0].does("restrict", chat=evening.room.chat, who=bot, can_send=True)
    assert evening.board.id > board.id
    await evening.room.bets()


async def test_a_deleted_group_disturbs_nobody(evening: Evening) -> None:
    people = await evening.hand()
    elsewhere = await evening.group(people[1], people[2], title="Elsewhere")
    await people[0].does("delete-group", chat=evening.room.chat)
    await evening.passes(61)
    await elsewhere.deals(people[1], people[2])
    assert elsewhere.table.phase in (Phase.DECIDE, Phase.CUT)


# -- the group gets a new id ---------------------------------------------------------------------------


@pytest.fixture
async def basic(evening: Evening) -> list[Person]:
    """A hand in a basic group."""
    people = await evening.friends("Ada", "Bo", "Cem")
    await evening.room.deals(*people)
    assert evening.table.phase is Phase.DECIDE
    return people


@on_both
async def test_the_group_becomes_a_supergroup_in_the_middle_of_a_hand(evening: Evening, basic: list[Person]) -> None:
    """Trap 2, situation 12: a new board in the new chat, and the hand goes on."""
    table, number, captions = evening.table, evening.room.view.number, evening.board.captions
    new = Room(evening, (await basic[0].does("migrate", chat=evening.room.chat))["chat"])
    assert new.view.number == number
    assert new.table == table
    assert new.board.captions == captions
    await new.bets()
    assert new.table.move == table.move + 1
    assert evening.room.place not in evening.views
    await basic[1].writes("/table", room=new)
    assert new.board.id == new.messages[-1].id


async def test_the_group_becomes_a_supergroup_and_no_update_says_so(evening: Evening, basic: list[Person]) -> None:
    """While the bot was down: the first call that is refused tells the new id."""
    table, number = evening.table, evening.room.view.number
    await evening.closes()
    chat = (await basic[0].does("migrate", chat=evening.room.chat))["chat"]
    evening.telegram.network.updates.drop()
    await evening.opens()
    new = Room(evening, chat)
    await evening.passes(61)
    assert new.view.number == number
    assert new.table.move == table.move + 1
    assert new.table.played[-1].by_clock
    await new.plays(lambda table: table.phase is Phase.CUT)


async def test_somebody_writes_in_the_supergroup_first(evening: Evening, basic: list[Person]) -> None:
    """A table opened there by mistake gives way to the game under way."""
    number = evening.room.view.number
    await evening.closes()
    chat = (await basic[0].does("migrate", chat=evening.room.chat))["chat"]
    evening.telegram.network.updates.drop()
    await evening.opens()
    new = Room(evening, chat)
    await basic[1].writes("/newgame", room=new)
    assert new.view.number == number + 1
    await evening.passes(61)  # the clock answers at the old table, and its board is refused
    async with evening.house.tables.at(new.place) as sitting:
        assert sitting.id == number
    asked = next(row for row in (await evening.rows())["tables"] if row["id"] == number)["actor"]
    assert asked in [person.id for person in basic]


# -- boards and people that are gone -----------------------------------------------------------------


@on_both
async def test_the_board_is_deleted(evening: Evening) -> None:
    """Trap 4, situation 13: the next move, or /table, sends a new one."""
    people = await evening.hand()
    old = evening.board
    await people[0].does("delete", chat=evening.room.chat, message=old.id)
    await evening.room.actor.writes("/bet 1")
    assert evening.board.id > old.id
    await people[0].does("delete", chat=evening.room.chat, message=evening.board.id)
    await people[1].writes("/table")
    assert evening.board.id == evening.room.messages[-1].id
    await people[0].does("delete", chat=evening.room.chat, message=evening.board.id)
    await evening.passes(61)
    assert evening.board.buttons


@on_both
@pytest.mark.parametrize("verb", ["leave", "remove"])
async def test_somebody_leaves_the_group_on_his_turn(evening: Evening, verb: str) -> None:
    """Trap 15: the least is bet for him, and he takes his chips."""
    people = await evening.hand()
    if evening.room.actor is people[0]:
        await evening.room.bets()
    leaver = evening.room.actor
    if verb == "leave":
        await leaver.does("leave", chat=evening.room.chat)
    else:
        await people[0].does("remove", chat=evening.room.chat, who=leaver.id)
    assert evening.table.seat(leaver.id) is None
    assert next(hand for hand in evening.table.played if hand.player == leaver.id).bet == 1
    assert evening.room.actor is not leaver
    await evening.room.bets()


async def test_somebody_leaves_a_group_where_the_bot_is_an_admin(evening: Evening) -> None:
    """Both signs come then, the service message and the chat_member update: he leaves once."""
    people = await evening.hand()
    await people[0].does("promote", chat=evening.room.chat, who=evening.telegram.world.bot.id)
    stranger = await evening.person("Sly")
    await stranger.does("join", chat=evening.room.chat)
    move = evening.table.move
    await stranger.does("leave", chat=evening.room.chat)
    assert evening.table.move == move
    leaver = next(person for person in people[1:] if person is not evening.room.actor)
    await leaver.does("leave", chat=evening.room.chat)
    assert evening.table.move == move + 1
    assert evening.table.seat(leaver.id) is None


# -- what Telegram answers -----------------------------------------------------------------------------


@on_both
async def test_telegram_asks_for_silence(evening: Evening) -> None:
    """Situation 14: forty seconds without a call to that group, then one edit with the newest state."""
    people = await evening.hand()
    elsewhere = await evening.group(*people[:2], title="Elsewhere")
    await elsewhere.deals(*people[:2])
    board = evening.board
    await evening.trouble("flood", method="editMessageText", retry_after=40)
    before = evening.now
    await evening.room.actor.presses(board.buttons[0].data, board.id, settle=False)
    await evening.until(lambda: evening.calls("editMessageText", before), "the edit is refused")
    refused = evening.now
    for _ in range(2):
        await evening.look()
        data = f"bet:{evening.room.view.number}:{evening.table.move}:1"
        assert (await evening.room.actor.presses(data, board.id, settle=False)).startswith("You bet 1 and ")
    evening.clock.move(30)
    other = elsewhere.board
    await elsewhere.actor.presses(other.buttons[0].data, other.id, elsewhere, settle=False)
    await evening.until(lambda: evening.calls("editMessageText", refused, elsewhere.chat), "the others play on")
    assert evening.calls("editMessageText", refused, evening.room.chat) == []
    evening.clock.move(11)
    await evening.settled()
    assert len(evening.calls("editMessageText", refused, evening.room.chat)) == 1


async def test_silence_asked_for_a_reply(evening: Evening) -> None:
    """A word that may not be said now is not said; nothing is repeated."""
    people = await evening.hand()
    await evening.trouble("flood", method="sendMessage", retry_after=40)
    before = evening.now
    await people[0].writes("/help", settle=False)
    await evening.until(lambda: evening.calls("sendMessage", before), "the help is refused")
    await evening.settled()
    evening.clock.move(41)
    await evening.room.bets()
    assert len(evening.calls("sendMessage", before)) == 1


def _tried(evening: Evening, before: int, tries: int) -> bool:
    return len(evening.calls("editMessageText", before)) >= tries


@pytest.mark.parametrize(
    "trouble",
    [
        {"kind": "bad_gateway"},
        {"kind": "drop"},
        {"kind": "drop", "executed": True},
        {"kind": "error", "status": 500, "description": "Internal Server Error"},
    ],
    ids=["502", "lost on the way there", "lost on the way back", "500"],
)
async def test_the_network_fails(evening: Evening, trouble: dict[str, object]) -> None:
    """Tried again until it is shown; what was carried out already is "not modified" then, and that is success."""
    await evening.hand()
    await evening.trouble(**trouble, method="editMessageText", times=2)  # type: ignore[arg-type]
    before, board = evening.now, evening.board
    await evening.room.actor.presses(board.buttons[0].data, board.id, settle=False)
    for tries in (1, 2):
        await evening.until(partial(_tried, evening, before, tries), f"try {tries}")
        evening.clock.move(3)
    await evening.settled()
    assert len(evening.calls("editMessageText", before)) == 3
    assert evening.board.id == board.id
    assert evening.board.text != board.text


async def test_message_not_modified(evening: Evening) -> None:
    """Trap 3: the language that the group has already."""
    ada, _ = await evening.friends("Ada", "Bo")
    await ada.writes("/newgame")
    before = evening.now
    await ada.writes("/language")
    await ada.taps("English")
    (edit,) = evening.calls("editMessageText", before)
    assert "message is not modified" in edit["response"]["description"]
    assert evening.log(logging.WARNING) == []


@on_both
async def test_a_query_too_old(begin: Callable[..., Awaitable[Evening]]) -> None:
    """Situation 15: the finger has given up waiting; the move counts."""
    evening = await begin(tap_life=10)
    await evening.hand()
    asked, button, move = evening.room.actor, evening.board.buttons[0], evening.table.move
    await evening.closes()
    await asked.does("tap", settle=False, chat=evening.room.chat, message=button.message, data=button.data)
    evening.clock.move(20)
    await evening.opens()
    assert evening.table.move == move + 1
    assert "query is too old" in evening.calls("answerCallbackQuery")[-1]["response"]["description"]
    assert evening.log(logging.WARNING) == []


async def test_a_server_without_time_entities(evening: Evening) -> None:
    """Bot API below 9.5: the tag is refused once, and the time stands there in words from then on."""
    people = await evening.friends("Ada", "Bo")
    await evening.room.seats(*people)
    await evening.trouble(
        "error",
        method="editMessageText",
        description='Bad Request: can\'t parse entities: Unsupported start tag "tg-time" at byte offset 99',
    )
    await people[0].taps("Start")
    assert "⏳ time: 60 seconds" in evening.board.text
    await evening.room.cuts()
    assert "⏳ time: 60 seconds" in evening.board.text
    assert "tg-time" not in evening.calls("editMessageText")[-1]["request"]["text"]
    await people[0].writes("/end")
    await people[0].taps("Stop at once")  # a board without a deadline is the same on both


async def test_an_error_of_ours_leaves_no_button_spinning(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    """Trap 20: something goes wrong in the bot itself; the tap is answered, and nothing is half done."""
    await evening.hand()
    before, board = await evening.rows(), evening.board

    def broken(*_: object) -> None:
        raise RuntimeError("boom")

    with monkeypatch.context() as patched:
        patched.setattr("persistence.tables.Sitting.play", broken)
        toast = await evening.room.actor.presses(board.buttons[0].data, board.id)
    assert toast == "Something went wrong. Try again in a moment."
    assert await evening.rows() == before
    (error,) = evening.log(logging.ERROR)
    assert "RuntimeError: boom" in error
    evening.log.records.clear()
    assert (await evening.room.actor.presses(board.buttons[0].data, board.id)).startswith("You bet 1 and ")


# -- the token ---------------------------------------------------------------------------------------


async def test_the_token_is_in_no_line_of_the_log(
    begin: Callable[..., Awaitable[Evening]], capsys: pytest.CaptureFixture[str]
) -> None:
    """Trap 1: at the level that tells most, with calls that fail in every way."""
    root = logging.getLogger()
    handlers, level = [*root.handlers], root.level
    levels = {name: logging.getLogger(name).level for name in ("httpx", "httpcore")}
    token = "7654321098:local-telegram-token"
    try:
        set_up_logging("DEBUG", token)
        evening = await begin()
        assert evening.telegram.token == token
        people = await evening.hand()
        for kind in ("bad_gateway", "drop", "error"):
            await evening.trouble(kind, method="sendMessage")
            await people[0].writes("/help")
        await evening.trouble("drop", method="getUpdates")
        await evening.room.bets()
        await evening.closes()
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
        for name, before in levels.items():
            logging.getLogger(name).setLevel(before)
    evening.log.records.clear()  # the host is told of the lost call, as he should be
    lines = capsys.readouterr().err
    assert token not in lines
    assert "local-telegram-token" not in lines
    assert len(lines.splitlines()) > 50
