"""The bot's messages: sent, edited, deleted, pinned."""

from typing import Any

import pytest

from tests.playground.stage import Stage

BUTTON = {"inline_keyboard": [[{"text": "a", "callback_data": "x"}]]}
OTHER = {"inline_keyboard": [[{"text": "b", "callback_data": "x"}]]}


@pytest.fixture
async def chat(stage: Stage) -> int:
    ann = await stage.person("Ann")
    group: int = await stage.group(ann)
    return group


async def test_a_message_as_telegram_gives_it_back(stage: Stage, chat: int) -> None:
    sent = await stage.call(
        "sendMessage",
        chat_id=chat,
        text=" <b>In</b> ",
        parse_mode="HTML",
        reply_markup=BUTTON,
        reply_parameters={"message_id": 1},
        protect_content=True,
        link_preview_options={"is_disabled": True},
        disable_notification=True,
    )
    assert sent["reply_to_message"]["group_chat_created"]
    assert sent | {"reply_to_message": None} == {
        "message_id": 2,
        "from": {"id": stage.bot, "is_bot": True, "first_name": "In-Between", "username": "inbetween_bot"},
        "chat": {"id": chat, "type": "group", "title": "Game night"},
        "date": int(stage.clock.now),
        "text": "In",
        "entities": [{"offset": 0, "length": 2, "type": "bold"}],
        "reply_markup": BUTTON,
        "reply_to_message": None,
        "has_protected_content": True,
        "link_preview_options": {"is_disabled": True},
    }
    assert await stage.updates()
    assert stage.playground.mistakes == []


async def test_force_reply_is_shown_to_people_only(stage: Stage, chat: int) -> None:
    force = {"force_reply": True, "selective": True}
    sent = await stage.call("sendMessage", chat_id=chat, text="How much?", reply_markup=force)
    assert "reply_markup" not in sent
    assert (await stage.events())[-1]["message"]["reply_markup"] == force


async def test_not_modified_compares_text_entities_and_keyboard(stage: Stage, chat: int) -> None:
    where = {"chat_id": chat}
    where |= {"message_id": (await stage.call("sendMessage", **where, text="x", reply_markup=BUTTON))["message_id"]}
    same = await stage.refusal("editMessageText", **where, text="x", reply_markup=BUTTON)
    assert same.startswith("Bad Request: message is not modified")
    await stage.call("editMessageText", **where, text="x", reply_markup=OTHER)
    await stage.call("editMessageText", **where, text="<b>x</b>", parse_mode="HTML", reply_markup=OTHER)
    edited = await stage.call("editMessageText", **where, text="<b>x</b>", parse_mode="HTML")
    assert "reply_markup" not in edited
    assert edited["edit_date"]
    await stage.call("editMessageReplyMarkup", **where, reply_markup=BUTTON)
    same = await stage.refusal("editMessageReplyMarkup", **where, reply_markup=BUTTON)
    assert same.startswith("Bad Request: message is not modified")


async def test_what_cannot_be_edited(stage: Stage, chat: int) -> None:
    assert await stage.refusal("editMessageText", chat_id=chat, message_id=1, text="x") == (
        "Bad Request: message can't be edited"
    )
    assert await stage.refusal("editMessageText", chat_id=chat, text="x") == (
        "Bad Request: message identifier is not specified"
    )
    assert await stage.refusal("editMessageText", inline_message_id="x", text="x") == (
        "Bad Request: MESSAGE_ID_INVALID"
    )
    assert await stage.refusal("editMessageText", chat_id=chat, message_id=2, text="x", reply_markup="{") == (
        "Bad Request: can't parse inline keyboard markup JSON object"
    )


async def test_sends_and_edits_share_the_flood_limit(stage: Stage, chat: int) -> None:
    stage.playground.flood.on = True
    where = {"chat_id": chat}
    where |= {"message_id": (await stage.call("sendMessage", **where, text="board"))["message_id"]}
    for turn in range(19):
        stage.clock.now += 1
        await stage.call("editMessageText", **where, text=f"turn {turn}")
    stage.clock.now += 1
    answer = await stage.answer("editMessageText", **where, text="one more")
    assert answer == {
        "ok": False,
        "error_code": 429,
        "description": "Too Many Requests: retry after 40",
        "parameters": {"retry_after": 40},
    }
    assert (await stage.answer("sendMessage", **where, text="one more"))["error_code"] == 429
    stage.clock.now += 40
    await stage.call("editMessageText", **where, text="one more")


async def test_deleting_and_pinning_others_messages_needs_an_administrator(stage: Stage, chat: int) -> None:
    assert await stage.refusal("deleteMessage", chat_id=chat, message_id=1) == (
        "Bad Request: message can't be deleted for everyone"
    )
    ann = next(iter(stage.playground.world.people))
    await stage.do(ann, "promote", chat=chat, who=stage.bot)
    board = (await stage.call("sendMessage", chat_id=chat, text="board"))["message_id"]
    await stage.updates()
    await stage.call("pinChatMessage", chat_id=chat, message_id=board)
    await stage.call("pinChatMessage", chat_id=chat, message_id=board)
    [update] = await stage.updates()
    assert update["message"]["pinned_message"]["text"] == "board"
    assert (await stage.call("getChat", chat_id=chat))["pinned_message"]["message_id"] == board
    assert await stage.refusal("unpinChatMessage", chat_id=chat, message_id=99) == (
        "Bad Request: message to unpin not found"
    )
    await stage.call("unpinChatMessage", chat_id=chat, message_id=board)
    await stage.call("deleteMessage", chat_id=chat, message_id=1)


@pytest.mark.parametrize(
    ("parameters", "problem"),
    [
        ({"parse_mode": "HTML", "text": "<b>"}, "can't parse entities: Can't find end tag"),
        ({"parse_mode": "rtf"}, "unsupported parse_mode"),
        ({"entities": "x"}, "can't parse entities"),
        ({"reply_parameters": []}, "object expected as reply parameters"),
        ({"reply_parameters": {"message_id": "1"}}, "message to be replied not found"),
        ({"reply_parameters": {"message_id": 99}}, "message to be replied not found"),
        ({"link_preview_options": []}, "object expected as link preview options"),
        ({"message_thread_id": 1}, "message thread not found"),
        ({"reply_markup": []}, "object expected as reply markup"),
    ],
)
async def test_what_is_refused(stage: Stage, chat: int, parameters: dict[str, Any], problem: str) -> None:
    refusal = await stage.refusal("sendMessage", **{"chat_id": chat, "text": "x", **parameters})
    assert refusal.startswith(f"Bad Request: {problem}")


async def test_chat_actions(stage: Stage, chat: int) -> None:
    await stage.call("sendChatAction", chat_id=chat, action="typing")
    assert await stage.refusal("sendChatAction", chat_id=chat, action="juggling") == (
        "Bad Request: wrong parameter action in request"
    )


async def test_fields_telegram_does_not_have_are_mistakes(stage: Stage, chat: int) -> None:
    await stage.call("sendMessage", chat_id=chat, text="x", link_preview_options={"off": True}, reply_to=1)
    await stage.call("sendMessage", chat_id=chat, text="x", reply_parameters={"message": 1})
    await stage.answer("sendMessage", chat_id=chat, text="*x*", parse_mode="MarkdownV2")
    assert stage.playground.mistakes == [
        ("sendMessage", "unknown parameter reply_to"),
        ("sendMessage", "link_preview_options: unknown field off"),
        ("sendMessage", "reply_parameters: unknown field message"),
        ("sendMessage", "parse_mode MarkdownV2: the local Telegram reads HTML only"),
    ]
