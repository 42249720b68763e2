"""People writing, tapping, starting and blocking; and what of it the bot is shown."""

from typing import Any

import pytest

from tests.playground.stage import Stage


def texts(updates: list[Any]) -> list[str]:
    return [update["message"]["text"] for update in updates if "text" in update.get("message", {})]


async def test_ids_are_larger_than_32_bits(stage: Stage) -> None:
    ann = await stage.person("Ann")
    assert ann > 2**32
    assert await stage.group(ann) < -(2**31)
    assert await stage.group(ann, type="supergroup") < -1_000_000_000_000


async def test_privacy_mode_shows_commands_replies_mentions_and_service_messages(stage: Stage) -> None:
    ann, bob = await stage.person("Ann"), await stage.person("Bob")
    chat = await stage.group(ann, bob)
    board = await stage.call("sendMessage", chat_id=chat, text="board")
    await stage.updates()
    seen = ["/join", "/join@inbetween_bot", "hey @inbetween_bot", "see /bet@inbetween_bot"]
    for text in [*seen, "hello", "/join@other_bot", "hey @other_bot", "or /bet"]:
        await stage.do(ann, "write", chat=chat, text=text)
    await stage.do(bob, "write", chat=chat, text="7", reply_to=board["message_id"])
    assert texts(await stage.updates()) == [*seen, "7"]
    await stage.do(bob, "leave", chat=chat)
    assert [update["message"]["left_chat_member"]["id"] for update in await stage.updates()] == [bob]


async def test_an_administrator_bot_sees_everything(stage: Stage) -> None:
    ann = await stage.person("Ann")
    chat = await stage.group(ann)
    await stage.do(ann, "promote", chat=chat, who=stage.bot)
    await stage.do(ann, "write", chat=chat, text="hello")
    assert texts(await stage.updates()) == ["hello"]


async def test_a_bare_command_goes_to_the_bot_that_spoke_last(stage: Stage) -> None:
    ann, other = await stage.person("Ann"), await stage.person("Other", username="other_bot", is_bot=True)
    chat = await stage.group(ann, other)
    await stage.do(other, "write", chat=chat, text="/beep")
    await stage.do(ann, "write", chat=chat, text="/join")
    assert texts(await stage.updates()) == []
    await stage.call("sendMessage", chat_id=chat, text="board")
    await stage.do(ann, "write", chat=chat, text="/join")
    assert texts(await stage.updates()) == ["/join"]


async def test_an_edited_command_is_an_edited_message(stage: Stage) -> None:
    ann, bob = await stage.person("Ann"), await stage.person("Bob")
    chat = await stage.group(ann, bob)
    written = await stage.do(ann, "write", chat=chat, text="/join")
    await stage.updates()
    await stage.do(ann, "edit", chat=chat, message=written["message_id"], text="/leave")
    [update] = await stage.updates()
    assert update["edited_message"]["text"] == "/leave"
    assert update["edited_message"]["edit_date"]
    assert await stage.refused(bob, "edit", chat=chat, message=written["message_id"], text="x") == 403


async def test_deleting(stage: Stage) -> None:
    ann, bob = await stage.person("Ann"), await stage.person("Bob")
    chat = await stage.group(ann, bob)
    board = (await stage.call("sendMessage", chat_id=chat, text="board"))["message_id"]
    assert await stage.refused(bob, "delete", chat=chat, message=board) == 403
    await stage.do(ann, "delete", chat=chat, message=board)
    assert (await stage.events())[-1] | {"seq": 0} == {
        "seq": 0,
        "kind": "deleted",
        "chat": chat,
        "message_id": board,
    }
    assert "message to edit not found" in await stage.refusal(
        "editMessageText", chat_id=chat, message_id=board, text="x"
    )
    await stage.updates()
    await stage.do(bob, "tap", chat=chat, message=board, data="late")
    [update] = await stage.updates()
    assert update["callback_query"]["message"]["date"] == 0


async def test_an_anonymous_administrator_writes_as_the_group_and_taps_as_himself(stage: Stage) -> None:
    ann = await stage.person("Ann")
    chat = await stage.group(ann, type="supergroup")
    await stage.do(ann, "promote", chat=chat, who=ann, is_anonymous=True)
    board = await stage.call("sendMessage", chat_id=chat, text="board")
    await stage.updates()
    await stage.do(ann, "write", chat=chat, text="/join")
    await stage.do(ann, "tap", chat=chat, message=board["message_id"], data="join")
    written, tap = await stage.updates()
    assert written["message"]["from"]["id"] == 1087968824
    assert written["message"]["sender_chat"]["id"] == chat
    assert tap["callback_query"]["from"]["id"] == ann


async def test_writing_as_a_channel(stage: Stage) -> None:
    ann = await stage.person("Ann")
    chat = await stage.group(ann, type="supergroup")
    await stage.updates()
    await stage.do(ann, "write", chat=chat, text="/join", as_chat=True)
    [update] = await stage.updates()
    assert update["message"]["from"]["username"] == "Channel_Bot"
    assert update["message"]["sender_chat"]["type"] == "channel"


async def test_taps_are_answered_once_and_in_time(stage: Stage) -> None:
    ann, bob, eve = await stage.person("Ann"), await stage.person("Bob"), await stage.person("Eve")
    chat = await stage.group(ann, bob)
    board = (await stage.call("sendMessage", chat_id=chat, text="board"))["message_id"]
    await stage.updates()
    tapped = [await stage.do(bob, "tap", chat=chat, message=board, data="old") for _ in range(2)]
    taps = [update["callback_query"] for update in await stage.updates()]
    assert [tap["id"] for tap in taps] == [tap["query_id"] for tap in tapped]
    assert taps[0]["chat_instance"] == taps[1]["chat_instance"]
    for tap in taps:
        await stage.call("answerCallbackQuery", callback_query_id=tap["id"], text="no", show_alert=True)
    answer = (await stage.events())[-1]
    assert (answer["kind"], answer["person"], answer["text"], answer["show_alert"]) == ("answer", bob, "no", True)
    again = await stage.refusal("answerCallbackQuery", callback_query_id=taps[0]["id"])
    assert "query is too old" in again
    late = await stage.do(bob, "tap", chat=chat, message=board, data="x")
    stage.clock.now += 16
    assert "query is too old" in await stage.refusal("answerCallbackQuery", callback_query_id=late["query_id"])
    assert await stage.refused(eve, "tap", chat=chat, message=board, data="x") == 403
    for wrong in ("", "x" * 65):
        assert await stage.refused(bob, "tap", chat=chat, message=board, data=wrong) == 400
    assert await stage.refused(bob, "tap", chat=chat, message=99, data="x") == 404
    assert await stage.refused(bob, "tap", chat=chat, message=1, data="x") == 400


async def test_an_answer_has_at_most_200_characters(stage: Stage) -> None:
    refusal = await stage.refusal("answerCallbackQuery", callback_query_id="1", text="x" * 201)
    assert refusal == "Bad Request: MESSAGE_TOO_LONG"


async def test_a_private_chat_opens_with_start(stage: Stage) -> None:
    ann = await stage.person("Ann", last_name="Lee", username="ann_lee")
    refusal = await stage.refusal("sendMessage", chat_id=ann, text="hi")
    assert refusal == "Forbidden: bot can't initiate conversation with a user"
    assert await stage.refused(ann, "write", chat=ann, text="hi") == 404
    await stage.do(ann, "start", payload="join-7")
    [update] = await stage.updates()
    assert update["message"]["text"] == "/start join-7"
    assert update["message"]["chat"] == {
        "id": ann,
        "type": "private",
        "first_name": "Ann",
        "last_name": "Lee",
        "username": "ann_lee",
    }
    sent = await stage.call("sendMessage", chat_id=ann, text="welcome")
    bob = await stage.person("Bob")
    assert await stage.refused(bob, "tap", chat=ann, message=sent["message_id"], data="x") == 403
    assert await stage.refused(bob, "write", chat=ann, text="x") == 403
    await stage.do(ann, "tap", chat=ann, message=sent["message_id"], data="x")
    assert "callback_query" in (await stage.updates())[0]
    await stage.do(ann, "write", chat=stage.bot, text="plain text")
    assert texts(await stage.updates()) == ["plain text"]
    assert await stage.refused(ann, "start", payload="no spaces") == 400


async def test_blocking(stage: Stage) -> None:
    ann = await stage.person("Ann")
    await stage.do(ann, "start")
    await stage.updates()
    await stage.do(ann, "block")
    [update] = await stage.updates()
    assert update["my_chat_member"]["new_chat_member"]["status"] == "kicked"
    assert await stage.refusal("sendMessage", chat_id=ann, text="x") == "Forbidden: bot was blocked by the user"
    assert await stage.refused(ann, "write", chat=ann, text="x") == 403
    await stage.do(ann, "unblock")
    [update] = await stage.updates()
    assert update["my_chat_member"]["new_chat_member"]["status"] == "member"
    await stage.call("sendMessage", chat_id=ann, text="x")
    assert await stage.refused(ann, "unblock") == 400


async def test_topics(stage: Stage) -> None:
    ann = await stage.person("Ann")
    chat = await stage.group(ann, forum=True)
    topic = (await stage.do(ann, "topic", chat=chat, name="Cards"))["id"]
    await stage.updates()
    await stage.do(ann, "write", chat=chat, text="/join", topic=topic)
    await stage.do(ann, "write", chat=chat, text="/join", topic=1)
    in_topic, general = [update["message"] for update in await stage.updates()]
    assert (in_topic["message_thread_id"], in_topic["is_topic_message"]) == (topic, True)
    assert in_topic["reply_to_message"]["forum_topic_created"]["name"] == "Cards"
    assert not {"message_thread_id", "is_topic_message"} & general.keys()
    sent = await stage.call("sendMessage", chat_id=chat, text="x", message_thread_id=topic)
    assert sent["is_topic_message"]
    for wrong in (1, 99):
        refusal = await stage.refusal("sendMessage", chat_id=chat, text="x", message_thread_id=wrong)
        assert refusal == "Bad Request: message thread not found"
    reply = {"message_id": in_topic["message_id"]}
    sent = await stage.call("sendMessage", chat_id=chat, text="x", reply_parameters=reply)
    assert sent["message_thread_id"] == topic
    assert await stage.refused(ann, "write", chat=chat, text="x", topic=99) == 404


@pytest.mark.parametrize(("kind", "threaded"), [("group", False), ("supergroup", True)])
async def test_a_reply_in_a_plain_supergroup_carries_a_thread_that_is_no_topic(
    stage: Stage, kind: str, threaded: bool
) -> None:
    ann = await stage.person("Ann")
    chat = await stage.group(ann, type=kind)
    board = await stage.call("sendMessage", chat_id=chat, text="board")
    await stage.updates()
    await stage.do(ann, "write", chat=chat, text="7", reply_to=board["message_id"])
    [update] = await stage.updates()
    assert update["message"].get("message_thread_id") == (board["message_id"] if threaded else None)
    assert "is_topic_message" not in update["message"]
