"""Coming and going, ranks, migration: what the bot is told, and what it can do afterwards."""

from typing import Any

import pytest

from tests.playground.stage import Stage


async def told(stage: Stage) -> list[tuple[str, Any]]:
    """The bot's news in short."""
    news: list[tuple[str, Any]] = []
    for update in await stage.updates():
        kind = list(update)[1]
        if kind == "message":
            service = set(update[kind]) - {"message_id", "chat", "date", "from", "text", "entities"}
            news.append((kind, *service))
        else:
            change = update[kind]
            news.append((kind, (change["old_chat_member"]["status"], change["new_chat_member"]["status"])))
    return news


async def test_a_new_group_with_the_bot(stage: Stage) -> None:
    ann = await stage.person("Ann")
    await stage.group(ann)
    assert await told(stage) == [("message", "group_chat_created"), ("my_chat_member", ("left", "member"))]
    await stage.group(ann, type="supergroup")
    assert await told(stage) == [("message", "new_chat_members"), ("my_chat_member", ("left", "member"))]


async def test_a_group_without_the_bot_does_not_exist_for_it(stage: Stage) -> None:
    ann = await stage.person("Ann")
    chat = await stage.group(ann, with_bot=False)
    await stage.do(ann, "write", chat=chat, text="/join")
    assert await told(stage) == []
    assert await stage.refusal("sendMessage", chat_id=chat, text="x") == "Bad Request: chat not found"
    await stage.do(ann, "add", chat=chat, who=stage.bot)
    await stage.call("sendMessage", chat_id=chat, text="x")


@pytest.mark.parametrize(("kind", "status"), [("group", "left"), ("supergroup", "kicked")])
async def test_the_bot_is_removed_and_comes_back(stage: Stage, kind: str, status: str) -> None:
    ann, bob = await stage.person("Ann"), await stage.person("Bob")
    chat = await stage.group(ann, bob, type=kind)
    board = (await stage.call("sendMessage", chat_id=chat, text="board"))["message_id"]
    await told(stage)
    assert await stage.refused(bob, "remove", chat=chat, who=stage.bot) == 403
    await stage.do(ann, "remove", chat=chat, who=stage.bot)
    assert await told(stage) == [("message", "left_chat_member"), ("my_chat_member", ("member", status))]
    kicked = f"Forbidden: bot was kicked from the {kind} chat"
    assert await stage.refusal("sendMessage", chat_id=chat, text="x") == kicked
    assert await stage.refusal("editMessageText", chat_id=chat, message_id=board, text="x") == kicked
    await stage.do(ann, "write", chat=chat, text="/join")
    assert await told(stage) == []
    await stage.do(ann, "add", chat=chat, who=stage.bot)
    assert await told(stage) == [("message", "new_chat_members"), ("my_chat_member", (status, "member"))]
    await stage.call("editMessageText", chat_id=chat, message_id=board, text="x")


@pytest.mark.parametrize("kind", ["group", "supergroup"])
async def test_the_bot_leaves(stage: Stage, kind: str) -> None:
    ann = await stage.person("Ann")
    chat = await stage.group(ann, type=kind)
    await told(stage)
    await stage.call("leaveChat", chat_id=chat)
    assert await told(stage) == [("my_chat_member", ("member", "left"))]
    refusal = await stage.refusal("sendMessage", chat_id=chat, text="x")
    assert refusal == f"Forbidden: bot is not a member of the {kind} chat"


async def test_others_come_and_go(stage: Stage) -> None:
    ann, bob = await stage.person("Ann"), await stage.person("Bob")
    chat = await stage.group(ann)
    await stage.call("getUpdates", allowed_updates=["message", "chat_member"])
    await told(stage)
    await stage.do(bob, "join", chat=chat)
    assert await stage.refused(bob, "join", chat=chat) == 400
    await stage.do(ann, "remove", chat=chat, who=bob)
    assert await stage.refused(bob, "join", chat=chat) == 403
    assert await told(stage) == [("message", "new_chat_members"), ("message", "left_chat_member")]
    await stage.do(ann, "promote", chat=chat, who=stage.bot)
    await stage.do(ann, "add", chat=chat, who=bob)
    await stage.do(bob, "leave", chat=chat)
    assert await told(stage) == [
        ("message", "new_chat_members"),
        ("chat_member", ("left", "member")),
        ("message", "left_chat_member"),
        ("chat_member", ("member", "left")),
    ]
    assert await stage.refused(bob, "write", chat=chat, text="x") == 403


async def test_ranks(stage: Stage) -> None:
    ann, bob = await stage.person("Ann"), await stage.person("Bob")
    chat = await stage.group(ann, bob, type="supergroup")
    assert await stage.refused(bob, "promote", chat=chat, who=bob) == 403
    await stage.do(ann, "promote", chat=chat, who=bob, is_anonymous=True)
    heads = await stage.call("getChatAdministrators", chat_id=chat)
    assert [(head["user"]["id"], head["status"], head["is_anonymous"]) for head in heads] == [
        (ann, "creator", False),
        (bob, "administrator", True),
    ]
    assert await stage.refused(bob, "remove", chat=chat, who=ann) == 403
    await stage.do(ann, "demote", chat=chat, who=bob)
    assert (await stage.call("getChatMember", chat_id=chat, user_id=bob))["status"] == "member"


async def test_the_bot_is_promoted_and_muted(stage: Stage) -> None:
    ann = await stage.person("Ann")
    chat = await stage.group(ann, type="supergroup")
    board = (await stage.call("sendMessage", chat_id=chat, text="board"))["message_id"]
    await told(stage)
    await stage.do(ann, "promote", chat=chat, who=stage.bot)
    await stage.do(ann, "restrict", chat=chat, who=stage.bot, can_send=False)
    assert await told(stage) == [
        ("my_chat_member", ("member", "administrator")),
        ("my_chat_member", ("administrator", "restricted")),
    ]
    muted = "Bad Request: not enough rights to send text messages to the chat"
    assert await stage.refusal("sendMessage", chat_id=chat, text="x") == muted
    assert await stage.refusal("editMessageText", chat_id=chat, message_id=board, text="x") == muted
    await stage.do(ann, "restrict", chat=chat, who=stage.bot, can_send=True)
    await stage.call("sendMessage", chat_id=chat, text="x")


async def test_migration(stage: Stage) -> None:
    ann, bob = await stage.person("Ann"), await stage.person("Bob")
    chat = await stage.group(ann, bob)
    board = (await stage.call("sendMessage", chat_id=chat, text="board"))["message_id"]
    await stage.updates()
    new = (await stage.do(ann, "migrate", chat=chat))["chat"]
    arrived, departed = [update["message"] for update in await stage.updates()]
    assert (arrived["chat"]["id"], arrived["migrate_from_chat_id"], arrived["message_id"]) == (new, chat, 1)
    assert (departed["chat"]["id"], departed["migrate_to_chat_id"]) == (chat, new)
    for method in ("sendMessage", "editMessageText"):
        answer = await stage.answer(method, chat_id=chat, message_id=board, text="x")
        assert answer["description"] == "Bad Request: group chat was upgraded to a supergroup chat"
        assert answer["parameters"] == {"migrate_to_chat_id": new}
    assert (await stage.call("getChat", chat_id=chat))["type"] == "group"
    assert await stage.call("getChatMemberCount", chat_id=new) == 3
    assert await stage.refused(bob, "write", chat=chat, text="x") == 400
    await stage.do(bob, "write", chat=new, text="/join")
    assert "migrated" in [event["kind"] for event in await stage.events()]
    assert await stage.refused(ann, "migrate", chat=new) == 400


async def test_muting_somebody_in_a_basic_group_migrates_it(stage: Stage) -> None:
    ann, bob = await stage.person("Ann"), await stage.person("Bob")
    chat = await stage.group(ann, bob)
    new = (await stage.do(ann, "restrict", chat=chat, who=bob, can_send=False))["chat"]
    assert new != chat
    assert await stage.refused(bob, "write", chat=new, text="x") == 403
    assert (await stage.call("getChatMember", chat_id=new, user_id=bob))["can_send_messages"] is False


async def test_a_deleted_group(stage: Stage) -> None:
    ann, bob = await stage.person("Ann"), await stage.person("Bob")
    chat = await stage.group(ann, bob)
    await told(stage)
    assert await stage.refused(bob, "delete-group", chat=chat) == 403
    await stage.do(ann, "delete-group", chat=chat)
    assert await told(stage) == [("my_chat_member", ("member", "left"))]
    refusal = await stage.refusal("sendMessage", chat_id=chat, text="x")
    assert refusal == "Forbidden: the group chat was deleted"
    assert await stage.refused(bob, "write", chat=chat, text="x") == 404


@pytest.mark.parametrize(
    ("verb", "body", "status"),
    [
        ("groups", {"title": " "}, 400),
        ("groups", {"title": "x", "type": "channel"}, 400),
        ("groups", {"title": "x", "members": [1]}, 404),
        ("groups", {"title": "x", "members": "x"}, 400),
        ("topic", {"name": "x"}, 400),
        ("promote", {"is_anonymous": True}, 400),
        ("demote", {}, 400),
        ("add", {}, 400),
        ("write", {"text": ""}, 400),
        ("write", {"text": "x", "reply_to": 99}, 404),
        ("write", {"text": 5}, 400),
        ("write", {"text": "x", "chat": 1}, 404),
        ("dance", {}, 404),
    ],
)
async def test_what_a_client_does_not_offer(stage: Stage, verb: str, body: dict[str, Any], status: int) -> None:
    ann, bob = await stage.person("Ann"), await stage.person("Bob")
    chat = await stage.group(ann, bob)
    assert await stage.refused(ann, verb, **{"chat": chat, "who": bob, **body}) == status
