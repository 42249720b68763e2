"""The keeper of the boards: the message shows the row, whatever Telegram says to it (traps 2-5, 14)."""

import asyncio
from datetime import timedelta

import pytest
from telegram.error import BadRequest, ChatMigrated, Forbidden, NetworkError, RetryAfter, TelegramError, TimedOut

from domain import commands as c
from domain.table import Table
from persistence.engine import utc_now
from persistence.mapping import Place
from persistence.pace import group_pace
from tests.domain.tables import ANN, BOB, CAT, turn
from tests.tgbot.evening import lobby
from tests.tgbot.house import GROUP, OTHER_GROUP, FakeBot, House, StandingClock, until
from tgbot import boardkeeper

TENS = {ANN: 10, BOB: 10, CAT: 10}
TOPIC = Place(GROUP.chat, 3_000_000_007)
NOT_MODIFIED = (
    "Message is not modified: specified new message content and reply markup are exactly the same as a current "
    "content and reply markup of the message"
)


def question(codes: str = "3H TS 5C 4D QH 6S 6C 2S 9H KD", pot: int = 4) -> Table:
    """Ann is asked; whatever she bets, Bob is asked next."""
    return turn(TENS, codes, pot=pot).table


async def shown(house: House, table: Table, place: Place = GROUP) -> int:
    """A table whose first board stands in the group."""
    number = await house.put(table, place)
    await house.show(place)
    house.bot.calls.clear()
    return number


# -- sending and editing ---------------------------------------------------------------------------


async def test_the_first_board_is_sent_without_a_sound_and_kept(house: House, bot: FakeBot) -> None:
    number = await house.put(question())
    await house.show()
    (call,) = bot.calls
    assert (call.method, call.chat) == ("send", GROUP.chat)
    assert call.text.startswith("In-Between · Home pot · round 1\nPot 4\n")
    assert call.keys == ["[1] [2] [Pot 4*]", "[Other…] [Odds] [⋯]"]
    assert call.options["parse_mode"] == "HTML"
    assert call.options["disable_notification"]
    assert call.options["message_thread_id"] is None
    assert (await house.boards.view(number)).board == call.message
    assert await house.behind() == []


async def test_a_move_edits_the_board_that_is_there(house: House, bot: FakeBot) -> None:
    number = await shown(house, question())
    board = (await house.boards.view(number)).board
    await house.play(number, c.Bet(ANN, 1))
    await house.show()
    (call,) = bot.calls
    assert (call.method, call.message) == ("edit", board)
    assert "Ann: 3♥ 10♠ → 5♣  won 1" in call.text
    assert call.keys
    assert await house.behind() == []


async def test_a_board_that_is_up_to_date_is_left_alone(house: House, bot: FakeBot) -> None:
    await shown(house, question())
    await house.show()
    assert bot.calls == []


async def test_several_moves_are_folded_into_one_edit(house: House, bot: FakeBot) -> None:
    number = await shown(house, question())
    await house.play(number, c.Bet(ANN, 1), c.Bet(BOB, 1), c.Join(9))
    await house.show()
    (call,) = bot.calls
    assert call.method == "edit"
    assert "Ann: " in call.text
    assert "Bob: " in call.text
    assert "joins next round" in call.text


async def test_a_move_during_an_edit_is_shown_by_one_more(house: House, bot: FakeBot) -> None:
    number = await shown(house, question())
    await house.play(number, c.Bet(ANN, 1))

    async def two_more(_: object) -> None:
        await house.play(number, c.Bet(BOB, 1), c.Join(9))
        house.keeper.wake(GROUP.chat)
        house.keeper.wake(GROUP.chat)

    bot.meanwhile = two_more
    await house.show()
    assert [call.method for call in bot.calls] == ["edit", "edit"]
    assert "joins next round" in bot.last.text
    assert await house.behind() == []


async def test_a_table_in_a_topic_stays_in_its_topic(house: House, bot: FakeBot) -> None:
    await house.put(question(), TOPIC)
    await house.show(TOPIC)
    assert bot.last.options["message_thread_id"] == TOPIC.topic


async def test_two_tables_of_one_group_have_two_boards(house: House, bot: FakeBot) -> None:
    await house.put(question(), GROUP)
    await house.put(lobby(), TOPIC)
    await house.show()
    assert sorted(str(call.options["message_thread_id"]) for call in bot.calls) == ["3000000007", "None"]


async def test_the_language_of_the_group_redraws_the_same_board(house: House, bot: FakeBot) -> None:
    await shown(house, question())
    await house.chats.set_language(GROUP.chat, "pl")
    await house.show()
    (call,) = bot.calls
    assert call.method == "edit"
    assert "Pula domowa" in call.text


# -- a board at the bottom -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("codes", "news"),
    [
        ("3H TS 5C 4D QH", "Ann: 3♥ 10♠ → 5♣  won the whole pot: 4!"),
        ("3H TS TC 4D QH", "Ann: 3♥ 10♠ → 10♣  hit the post, lost 4"),
    ],
)
async def test_a_memorable_hand_gets_a_new_board_and_the_old_one_retires(
    house: House, bot: FakeBot, codes: str, news: str
) -> None:
    number = await shown(house, question(codes))
    old = (await house.boards.view(number)).board
    await house.play(number, c.Bet(ANN, 4))
    await house.show()
    sent, retired = bot.calls
    assert sent.method == "send"
    assert news in sent.text
    assert sent.keys
    assert sent.options["disable_notification"]
    assert (await house.boards.view(number)).board == sent.message != old
    assert (retired.method, retired.message) == ("edit", old)
    assert news in retired.text
    assert "The game goes on below." in retired.text
    assert retired.keyboard is None
    assert await house.behind() == []


@pytest.mark.parametrize(
    ("codes", "bet"),
    [("3H TS 5C 4D QH", 3), ("3H TS TC 4D QH", 3), ("3H TS 2C 4D QH", 4)],
    ids=["won less than the pot", "a post for less", "lost the pot"],
)
async def test_an_ordinary_hand_does_not(house: House, bot: FakeBot, codes: str, bet: int) -> None:
    number = await shown(house, question(codes))
    await house.play(number, c.Bet(ANN, bet))
    await house.show()
    assert [call.method for call in bot.calls] == ["edit"]


async def test_a_memorable_hand_is_sent_once_and_later_moves_edit_its_board(house: House, bot: FakeBot) -> None:
    number = await shown(house, question())
    await house.play(number, c.Bet(ANN, 4))
    await house.show()
    await house.play(number, c.Join(9))
    await house.show()
    assert [call.method for call in bot.calls] == ["send", "edit", "edit"]
    assert bot.last.message == bot.calls[0].message


async def test_the_end_of_a_game_is_a_message_that_is_heard(house: House, bot: FakeBot) -> None:
    number = await shown(house, question())
    await house.play(number, c.End(ANN, now=True))
    await house.show()
    sent, retired = bot.calls
    assert sent.method == "send"
    assert "🏆" in sent.text
    assert sent.keys == ["[New game]"]
    assert not sent.options["disable_notification"]
    assert (retired.method, retired.keyboard) == ("edit", None)
    assert await house.behind() == []


async def test_a_table_that_is_closed_before_the_start_is_no_news(house: House, bot: FakeBot) -> None:
    number = await shown(house, lobby(BOB))
    await house.play(number, c.End(ANN))
    await house.show()
    (call,) = bot.calls
    assert call.method == "edit"
    assert call.keys == ["[New game]"]


async def test_whoever_asks_for_the_board_gets_it_at_the_bottom(house: House, bot: FakeBot) -> None:
    number = await shown(house, question())
    old = (await house.boards.view(number)).board
    await house.boards.lower(number)
    await house.show()
    sent, retired = bot.calls
    assert (sent.method, retired.method, retired.message) == ("send", "edit", old)
    assert await house.behind() == []


async def test_an_old_board_that_cannot_be_edited_stays_as_it_is(house: House, bot: FakeBot) -> None:
    number = await shown(house, question())
    await house.play(number, c.Bet(ANN, 4))
    bot.fails("edit", BadRequest("Message can't be edited"))
    await house.show()
    assert [call.method for call in bot.calls] == ["send", "edit"]
    assert await house.behind() == []


# -- what Telegram says ----------------------------------------------------------------------------


async def test_not_modified_is_success(house: House, bot: FakeBot) -> None:
    """Trap 3."""
    number = await shown(house, question())
    await house.play(number, c.Bet(ANN, 1))
    bot.fails("edit", BadRequest(NOT_MODIFIED))
    await house.show()
    assert [call.method for call in bot.calls] == ["edit"]
    assert await house.behind() == []


@pytest.mark.parametrize("reason", ["Message to edit not found", "Message can't be edited", "MESSAGE_ID_INVALID"])
async def test_a_board_that_is_gone_is_sent_anew(house: House, bot: FakeBot, reason: str) -> None:
    """Trap 4."""
    number = await shown(house, question())
    await house.play(number, c.Bet(ANN, 1))
    bot.fails("edit", BadRequest(reason))
    await house.show()
    assert [call.method for call in bot.calls] == ["edit", "send"]
    assert (await house.boards.view(number)).board == bot.last.message
    assert await house.behind() == []


@pytest.mark.parametrize("method", ["send", "edit"])
async def test_silence_that_telegram_asks_for_is_kept_in_that_group_alone(
    house: House, bot: FakeBot, now: StandingClock, method: str
) -> None:
    """Situation 14: afterwards one edit, the newest state."""
    number = await (house.put(question()) if method == "send" else shown(house, question()))
    other = await shown(house, question(), OTHER_GROUP)
    await house.play(number, c.Bet(ANN, 1))
    await house.play(other, c.Bet(ANN, 1))
    bot.fails(method, RetryAfter(timedelta(seconds=40)))
    house.keeper.wake(GROUP.chat)
    await until(lambda: bool(bot.called(method)))
    house.keeper.wake(OTHER_GROUP.chat)
    await until(lambda: bool(bot.called("edit", OTHER_GROUP.chat)))
    await house.play(number, c.Bet(BOB, 1))
    await house.keeper.close()  # it waits; what follows is another process, after the time
    assert len(bot.called(method)) == 1
    assert await house.boards.claim(GROUP.chat) > 30
    now.wait(40)
    later = House(house.database, now, bot)
    await later.show()
    assert [call.method for call in bot.calls if call.chat == GROUP.chat] == [method, method]
    assert "Bob: " in bot.last.text
    assert await later.behind() == []


async def test_the_keeper_itself_goes_on_when_the_silence_is_over(house: House, bot: FakeBot) -> None:
    alive = House(house.database, utc_now, bot)
    await house.put(question())
    bot.fails("send", RetryAfter(timedelta(milliseconds=30)))
    await alive.show()
    assert [call.method for call in bot.calls] == ["send", "send"]
    assert await alive.behind() == []


async def test_a_group_that_became_a_supergroup_is_followed(house: House, bot: FakeBot) -> None:
    """Trap 2: also when no update has said so. The old messages stay behind."""
    old, new = Place(-4_123_456_789), Place(-1_003_456_789_012)
    number = await shown(house, question(), old)
    await house.play(number, c.Bet(ANN, 1))
    bot.fails("edit", ChatMigrated(new.chat))
    await house.show(old)  # and the new group at once, without waiting for the next look at all boards
    assert [(call.method, call.chat) for call in bot.calls] == [("edit", old.chat), ("send", new.chat)]
    view = await house.boards.view(number)
    assert (view.board, view.place) == (bot.last.message, new)
    assert await house.behind() == []


@pytest.mark.parametrize(
    "error",
    [
        Forbidden("Forbidden: bot was kicked from the supergroup chat"),
        BadRequest("Bad Request: not enough rights to send text messages to the chat"),
        BadRequest("Bad Request: chat not found"),
    ],
    ids=["kicked", "muted", "deleted"],
)
async def test_where_the_bot_may_not_write_it_is_silent_until_it_may(
    house: House, bot: FakeBot, error: TelegramError
) -> None:
    """Trap 14: nothing is lost."""
    number = await shown(house, question())
    await house.play(number, c.Bet(ANN, 1))
    bot.fails("edit", error)
    await house.show()
    assert await house.behind() == []
    await house.show()
    assert len(bot.calls) == 1
    await house.chats.welcome(GROUP.chat)
    await house.show()
    assert [call.method for call in bot.calls] == ["edit", "send"]
    assert "Ann: " in bot.last.text


@pytest.mark.parametrize("error", [NetworkError("Bad Gateway"), TimedOut()], ids=["502", "no answer"])
async def test_a_network_error_is_tried_again(
    house: House, bot: FakeBot, error: TelegramError, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(boardkeeper, "_PAUSE", 0.01)
    number = await shown(house, question())
    await house.play(number, c.Bet(ANN, 1))
    bot.fails("edit", error, error)
    await house.show()
    assert [call.method for call in bot.calls] == ["edit"] * 3
    assert await house.behind() == []


async def test_a_refusal_that_nobody_knows_is_not_repeated_for_ever(house: House, bot: FakeBot) -> None:
    """Trap 5: a BadRequest is a NetworkError for python-telegram-bot, and never retried."""
    number = await shown(house, question())
    await house.play(number, c.Bet(ANN, 1))
    bot.fails("edit", BadRequest("Button_data_invalid"))
    await house.show()
    await house.show()
    assert len(bot.calls) == 1
    await house.play(number, c.Bet(BOB, 1))
    await house.show()
    assert [call.method for call in bot.calls] == ["edit", "edit"], "the next move is another board"


async def test_a_server_that_knows_no_times_gets_words_from_then_on(house: House, bot: FakeBot) -> None:
    number = await house.put(question())
    await house.play(number, c.Bet(ANN, 1))  # a question that a command has put has a deadline
    bot.fails("send", BadRequest('Can\'t parse entities: unsupported start tag "tg-time" at byte offset 150'))
    await house.show()
    refused, accepted = bot.calls
    assert "<tg-time" in refused.html
    assert "<tg-time" not in accepted.html
    assert "⏳ time: 60 seconds" in accepted.text
    await house.play(number, c.Bet(BOB, 1))
    await house.show()
    assert len(bot.calls) == 3
    assert "<tg-time" not in bot.last.html


# -- budgets and faults ----------------------------------------------------------------------------


async def test_a_group_is_written_to_no_faster_than_telegram_takes_it(
    thrifty_house: House, bot: FakeBot, now: StandingClock
) -> None:
    house = thrifty_house
    number = await house.put(lobby())
    for guest in range(11, 15):
        await house.show()
        await house.play(number, c.Join(guest))
    assert len(bot.calls) == 4
    house.keeper.wake(GROUP.chat)
    for guest in range(15, 18):
        await house.play(number, c.Join(guest))
        house.keeper.wake(GROUP.chat)
    await asyncio.sleep(0.05)
    assert len(bot.calls) == 4, "the fifth waits"
    await house.keeper.close()
    now.wait(3.75)
    await house.show()
    assert len(bot.calls) == 5
    assert "At the table (8)" in bot.last.text, "and shows what has come meanwhile"


async def test_buttons_of_an_old_board_are_taken_off_if_there_is_room(thrifty_house: House, bot: FakeBot) -> None:
    for message in range(4):
        await thrifty_house.keeper.strip(GROUP.chat, message)
    assert [(call.method, call.message, call.keyboard) for call in bot.calls] == [
        ("strip", message, None) for message in range(4)
    ]
    await thrifty_house.keeper.strip(GROUP.chat, 5)
    assert len(bot.calls) == 4, "and left on if there is none"


async def test_an_old_board_that_is_gone_needs_no_stripping(house: House, bot: FakeBot) -> None:
    bot.fails("strip", BadRequest("Message to edit not found"), Forbidden("bot was kicked"))
    await house.keeper.strip(GROUP.chat, 5)
    await house.keeper.strip(GROUP.chat, 6)
    assert len(bot.calls) == 2


async def test_a_fault_in_one_group_leaves_the_others_their_boards(
    house: House, bot: FakeBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tgbot.boardkeeper._PAUSE", 0)
    number = await house.put(question())
    await house.put(question(), OTHER_GROUP)
    bot.fails("send", RuntimeError("something that nobody has thought of"))
    house.keeper.wake(GROUP.chat)
    house.keeper.wake(OTHER_GROUP.chat)
    await house.keeper.finish()
    assert len(bot.called("send", OTHER_GROUP.chat)) == 1
    assert len(bot.called("send", GROUP.chat)) == 2, "and the group is not given up"
    assert (await house.boards.view(number)).shown == question().move


async def test_boards_that_nobody_has_told_of_are_found(
    house: House, bot: FakeBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a start, or another replica's move: the row is its own outbox."""
    monkeypatch.setattr(boardkeeper, "_SWEEP", 0.01)
    number = await house.put(question())
    looking = asyncio.create_task(house.keeper.run())
    await until(lambda: len(bot.calls) == 1)
    await house.settled()
    await house.play(number, c.Bet(ANN, 1))
    await until(lambda: len(bot.calls) == 2)
    await house.settled()
    looking.cancel()
    await asyncio.gather(looking, return_exceptions=True)
    assert [call.method for call in bot.calls] == ["send", "edit"]


async def test_a_keeper_that_is_closed_leaves_the_rest_for_the_next_start(
    thrifty_house: House, bot: FakeBot, now: StandingClock
) -> None:
    await thrifty_house.put(question())
    await thrifty_house.boards.postpone(GROUP.chat, 40)
    thrifty_house.keeper.wake(GROUP.chat)
    await asyncio.sleep(0.02)
    await thrifty_house.keeper.close()
    assert bot.calls == []
    assert await thrifty_house.behind() == [GROUP.chat]
    now.wait(40)
    await House(thrifty_house.database, now, bot, group_pace(20)).show()
    assert len(bot.calls) == 1
