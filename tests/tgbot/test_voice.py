"""The voice: toasts, replies and questions; and what it learns from what Telegram says."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any, cast

import pytest
from telegram import CallbackQuery, Chat, ForceReply, Message, Update, User
from telegram.error import BadRequest, ChatMigrated, Forbidden, NetworkError, RetryAfter, TelegramError
from telegram.ext import ExtBot

from persistence.mapping import Place
from tests.persistence.evenings import open_at
from tests.tgbot.house import GROUP, OTHER_GROUP, FakeBot, House, StandingClock

ANN = User(5_000_000_001, "Ann", is_bot=False)
PRIVATE = Place(ANN.id)


def message_in(chat: int, **more: Any) -> Message:
    kind = Chat.PRIVATE if chat > 0 else Chat.SUPERGROUP
    return Message(42, datetime(2026, 11, 30, tzinfo=UTC), Chat(chat, kind), from_user=ANN, text="/table", **more)


def tap(bot: FakeBot) -> CallbackQuery:
    query = CallbackQuery("q1", ANN, "instance", message=message_in(GROUP.chat), data="bet:7:10:5")
    query.set_bot(cast("ExtBot[None]", bot))
    return query


# -- toasts ----------------------------------------------------------------------------------------


async def test_a_tap_is_answered(house: House, bot: FakeBot) -> None:
    await house.voice.toast(tap(bot), "You bet 5 chips.")
    await house.voice.finish()
    (call,) = bot.calls
    assert call.options["id"] == "q1"
    assert call.options["text"] == "You bet 5 chips."
    assert call.options["show_alert"] is False


async def test_an_empty_answer_only_stops_the_button_from_spinning(house: House, bot: FakeBot) -> None:
    await house.voice.toast(tap(bot))
    await house.voice.finish()
    assert bot.last.options["text"] is None


async def test_an_alert_waits_to_be_closed(house: House, bot: FakeBot) -> None:
    await house.voice.toast(tap(bot), "A list of commands", alert=True)
    await house.voice.finish()
    assert bot.last.options["show_alert"] is True


async def test_a_toast_is_never_longer_than_telegram_takes(house: House, bot: FakeBot) -> None:
    await house.voice.toast(tap(bot), "x" * 300)
    await house.voice.finish()
    assert bot.last.options["text"] == "x" * 200


@pytest.mark.parametrize(
    "error",
    [
        BadRequest("Query is too old and response timeout expired or query id is invalid"),
        NetworkError("Bad Gateway"),
        Forbidden("bot was kicked"),
    ],
)
async def test_a_tap_that_cannot_be_answered_is_no_fault(house: House, bot: FakeBot, error: TelegramError) -> None:
    """Situation 15; and no group is given up for it."""
    await open_at(house.tables)
    bot.fails("toast", error)
    await house.voice.toast(tap(bot), "You bet 5 chips.")
    await house.voice.finish()
    assert await house.behind() == [GROUP.chat]


async def test_a_toast_costs_the_group_nothing(thrifty_house: House, bot: FakeBot) -> None:
    for _ in range(20):
        await thrifty_house.voice.toast(tap(bot), "Not your turn")
        await thrifty_house.voice.finish()
    assert await thrifty_house.boards.claim(GROUP.chat) == 0


async def test_whoever_taps_gets_a_toast_and_whoever_writes_gets_a_reply(house: House, bot: FakeBot) -> None:
    await house.voice.answer(Update(1, callback_query=tap(bot)), "It's not your turn yet.")
    await house.voice.answer(Update(2, message=message_in(GROUP.chat)), "It's not your turn yet.")
    await house.settled()
    assert [call.method for call in bot.calls] == ["toast", "send"]
    assert bot.last.options["reply_parameters"].message_id == 42


async def test_a_message_without_an_answer_is_left_alone(house: House, bot: FakeBot) -> None:
    await house.voice.answer(Update(2, message=message_in(GROUP.chat)), "")
    await house.voice.answer(Update(3), "nobody has said anything")
    await house.settled()
    assert bot.calls == []


# -- messages --------------------------------------------------------------------------------------


async def test_a_reply_quotes_what_it_answers_if_that_is_still_there(house: House, bot: FakeBot) -> None:
    form = ForceReply(selective=True)
    sent = await house.voice.reply(message_in(GROUP.chat), "<b>Which</b> number?", form)
    assert sent is not None
    keyboard: object = bot.last.keyboard
    assert (bot.last.chat, bot.last.html) == (GROUP.chat, "<b>Which</b> number?")
    assert keyboard is form
    assert bot.last.options["parse_mode"] == "HTML"
    assert bot.last.options["reply_parameters"].allow_sending_without_reply
    assert bot.last.options["message_thread_id"] is None


async def test_a_reply_in_a_topic_stays_there(house: House, bot: FakeBot) -> None:
    await house.voice.reply(message_in(GROUP.chat, message_thread_id=77, is_topic_message=True), "Rules")
    assert bot.last.options["message_thread_id"] == 77


async def test_a_thread_of_replies_is_no_topic(house: House, bot: FakeBot) -> None:
    """Trap 11: a plain group's replies carry a thread id too, and nothing can be sent to it."""
    await house.voice.reply(message_in(GROUP.chat, message_thread_id=77), "Rules")
    assert bot.last.options["message_thread_id"] is None


async def test_the_fifth_message_at_once_waits_and_a_long_wait_is_not_worth_it(
    thrifty_house: House, bot: FakeBot
) -> None:
    for _ in range(4):
        assert await thrifty_house.voice.say(GROUP, "Rules")
    await thrifty_house.boards.postpone(GROUP.chat, 30)
    assert await thrifty_house.voice.say(GROUP, "Rules") is None
    assert len(bot.calls) == 4
    assert await thrifty_house.voice.say(OTHER_GROUP, "Rules"), "another group has a budget of its own"


async def test_a_reply_that_has_to_wait_a_moment_is_said_then(
    thrifty_house: House, bot: FakeBot, now: StandingClock
) -> None:
    for _ in range(4):
        await thrifty_house.voice.say(GROUP, "Rules")
    now.wait(3.74)
    reply = asyncio.create_task(thrifty_house.voice.say(GROUP, "Rules"))
    await asyncio.sleep(0)
    now.wait(0.01)
    assert await reply
    assert len(bot.calls) == 5


async def test_a_private_chat_is_answered_at_once(thrifty_house: House, bot: FakeBot) -> None:
    for _ in range(10):
        await thrifty_house.voice.say(PRIVATE, "Hello")
    assert len(bot.calls) == 10


@pytest.mark.parametrize(
    "error",
    [
        NetworkError("Bad Gateway"),
        BadRequest("Message thread not found"),
        Forbidden("Forbidden: bot was kicked from the supergroup chat"),
        RetryAfter(timedelta(seconds=40)),
        ChatMigrated(-1_003_456_789_012),
    ],
    ids=lambda error: type(error).__name__,
)
async def test_what_cannot_be_said_is_none_and_no_fault(house: House, bot: FakeBot, error: TelegramError) -> None:
    bot.fails("send", error)
    assert await house.voice.say(GROUP, "Rules") is None
    assert len(bot.calls) == 1


async def test_what_is_said_later_holds_nobody_up_and_its_fault_is_its_own(house: House, bot: FakeBot) -> None:
    gate = asyncio.Event()

    async def slow() -> None:
        await gate.wait()
        await house.voice.say(GROUP, "Rules")

    async def broken() -> None:
        raise RuntimeError("broken")

    house.voice.later(slow())
    house.voice.later(broken())
    await asyncio.sleep(0)
    assert bot.calls == []
    gate.set()
    await house.voice.finish()
    assert len(bot.calls) == 1


async def test_messages_that_have_done_their_work_go_and_one_that_is_gone_already_stops_none(
    house: House, bot: FakeBot
) -> None:
    bot.fails("delete", BadRequest("Message to delete not found"))
    await house.voice.remove(GROUP.chat, [7, 8, 9])
    assert [call.message for call in bot.called("delete")] == [7, 8, 9]


# -- what Telegram says ----------------------------------------------------------------------------


@pytest.mark.parametrize("after", [timedelta(seconds=40), 40], ids=["timedelta", "seconds"])
async def test_retry_after_postpones_this_group_and_no_other(
    house: House, now: StandingClock, after: timedelta | int
) -> None:
    await house.voice.heed(GROUP.chat, RetryAfter(after))
    assert await house.boards.claim(GROUP.chat) == pytest.approx(40)
    assert await house.boards.claim(OTHER_GROUP.chat) == 0
    now.wait(40)
    assert await house.boards.claim(GROUP.chat) == 0


async def test_the_longer_of_two_silences_counts(house: House) -> None:
    await house.voice.heed(GROUP.chat, RetryAfter(timedelta(seconds=40)))
    await house.voice.heed(GROUP.chat, RetryAfter(timedelta(seconds=5)))
    assert await house.boards.claim(GROUP.chat) == pytest.approx(40)


async def test_a_migrated_group_takes_its_tables_along(house: House) -> None:
    """Trap 2; said twice, it is harmless."""
    old, new = Place(-4_123_456_789), Place(-1_003_456_789_012)
    number = await open_at(house.tables, old)
    for _ in range(2):
        await house.voice.heed(old.chat, ChatMigrated(new.chat))
    assert (await house.boards.view(number)).place == new


@pytest.mark.parametrize(
    "error",
    [
        Forbidden("Forbidden: bot is not a member of the supergroup chat"),
        BadRequest("Bad Request: not enough rights to send text messages to the chat"),
        BadRequest("not enough rights to send text messages to the chat"),
        BadRequest("Bad Request: chat not found"),
    ],
    ids=["kicked", "muted", "muted, as others write it", "deleted"],
)
async def test_a_group_that_does_not_want_the_bot_is_left_in_peace(house: House, error: TelegramError) -> None:
    await open_at(house.tables)
    await open_at(house.tables, OTHER_GROUP)
    await house.voice.heed(GROUP.chat, error)
    assert await house.behind() == [OTHER_GROUP.chat]


@pytest.mark.parametrize("error", [NetworkError("Bad Gateway"), BadRequest("Message text is empty")])
async def test_other_errors_change_nothing(house: House, error: TelegramError) -> None:
    await open_at(house.tables)
    await house.voice.heed(GROUP.chat, error)
    assert await house.behind() == [GROUP.chat]
    assert await house.boards.claim(GROUP.chat) == 0


async def test_somebody_who_blocks_the_bot_is_no_group(house: House) -> None:
    """His private chat has no table to freeze, and the groups he plays in are others."""
    await open_at(house.tables)
    await house.voice.heed(PRIVATE.chat, Forbidden("Forbidden: bot was blocked by the user"))
    assert await house.behind() == [GROUP.chat]
