"""The methods about the bot, chats and webhooks."""

from typing import Any

import pytest

from tests.judges import judge
from tests.playground.stage import Stage

COMMANDS = [{"command": "join", "description": "take a seat"}]
GERMAN = [{"command": "join", "description": "mitspielen"}]


async def test_get_me(stage: Stage) -> None:
    me = await stage.call("getMe")
    assert (me["id"], me["is_bot"], me["can_read_all_group_messages"]) == (stage.bot, True, False)


async def test_commands_are_kept_for_each_scope_and_language(stage: Stage) -> None:
    groups = {"type": "all_group_chats"}
    await stage.call("setMyCommands", commands=COMMANDS)
    await stage.call("setMyCommands", commands=COMMANDS, scope=groups)
    await stage.call("setMyCommands", commands=GERMAN, scope=groups, language_code="de")
    await stage.call("setMyCommands", commands=GERMAN, scope={"type": "chat", "chat_id": 7})
    assert await stage.call("getMyCommands", scope=groups, language_code="de") == GERMAN
    assert await stage.call("getMyCommands", language_code="de") == []
    state = (await stage.client.get("/people/state")).json()["bot"]["commands"]
    assert state["all_group_chats"] == {"": COMMANDS, "de": GERMAN}
    await stage.call("deleteMyCommands", scope=groups, language_code="de")
    assert await stage.call("getMyCommands", scope=groups, language_code="de") == []


@pytest.mark.parametrize(
    ("parameters", "problem"),
    [
        ({"commands": [{"command": "BAD-Name", "description": "x"}]}, "BOT_COMMAND_INVALID"),
        ({"commands": [{"command": "x", "description": ""}]}, "BOT_COMMAND_DESCRIPTION_INVALID"),
        ({"commands": COMMANDS * 101}, "BOT_COMMANDS_TOO_MUCH"),
        ({"commands": "x"}, "can't parse commands JSON object"),
        ({"commands": [5]}, "can't parse BotCommand: expected an Object"),
        ({"commands": {}}, "expected an Array of BotCommand"),
        (
            {"commands": COMMANDS, "scope": {"type": "moon"}},
            "can't parse BotCommandScope: Unsupported type specified",
        ),
        ({"commands": COMMANDS, "language_code": "german"}, "invalid language code specified"),
    ],
)
async def test_commands_that_are_refused(stage: Stage, parameters: Any, problem: str) -> None:
    assert await stage.refusal("setMyCommands", **parameters) == f"Bad Request: {problem}"


@pytest.mark.parametrize(
    ("suffix", "kind"), [("Name", "name"), ("Description", "description"), ("ShortDescription", "short_description")]
)
async def test_texts_are_kept_for_each_language(stage: Stage, suffix: str, kind: str) -> None:
    await stage.call(f"setMy{suffix}", **{kind: "In-Between!"})
    await stage.call(f"setMy{suffix}", **{kind: "Dazwischen"}, language_code="de")
    assert await stage.call(f"getMy{suffix}", language_code="de") == {kind: "Dazwischen"}
    assert await stage.call(f"getMy{suffix}", language_code="fr") == {kind: "In-Between!"}
    await stage.call(f"setMy{suffix}", language_code="de")
    assert await stage.call(f"getMy{suffix}", language_code="de") == {kind: "In-Between!"}
    assert "TOO_LONG" in await stage.refusal(f"setMy{suffix}", **{kind: "x" * 513})
    name = (await stage.call("getMe"))["first_name"]
    assert name == ("In-Between!" if kind == "name" else "In-Between")


async def test_chats_and_members(stage: Stage) -> None:
    ann, bob = await stage.person("Ann"), await stage.person("Bob")
    chat = await stage.group(ann, type="supergroup")
    assert (await stage.call("getChat", chat_id=chat))["permissions"]["can_send_messages"]
    assert await stage.call("getChatMemberCount", chat_id=chat) == 2
    assert (await stage.call("getChatMember", chat_id=chat, user_id=ann))["status"] == "creator"
    assert (await stage.call("getChatMember", chat_id=chat, user_id=bob))["status"] == "left"
    assert await stage.refusal("getChatMember", chat_id=chat, user_id=1) == "Bad Request: user not found"
    await stage.do(ann, "start")
    assert (await stage.call("getChat", chat_id=ann))["first_name"] == "Ann"
    assert (await stage.call("getChatMember", chat_id=ann, user_id=ann))["status"] == "member"
    assert await stage.call("getChatMemberCount", chat_id=ann) == 2
    assert "no administrators" in await stage.refusal("getChatAdministrators", chat_id=ann)
    assert await stage.refusal("leaveChat", chat_id=ann) == "Bad Request: chat not found"
    judge(stage.playground.exchanges)


async def test_other_bots_are_listed_as_administrators_on_request(stage: Stage) -> None:
    ann, other = await stage.person("Ann"), await stage.person("Other", is_bot=True)
    chat = await stage.group(ann, other)
    await stage.do(ann, "promote", chat=chat, who=other)
    await stage.do(ann, "promote", chat=chat, who=stage.bot)
    assert len(await stage.call("getChatAdministrators", chat_id=chat)) == 2
    assert len(await stage.call("getChatAdministrators", chat_id=chat, return_bots=True)) == 3


async def test_log_out_and_close(stage: Stage) -> None:
    assert await stage.call("logOut")
    assert await stage.call("close")


async def test_dropping_pending_updates(stage: Stage) -> None:
    await stage.group(await stage.person("Ann"))
    await stage.call("deleteWebhook", drop_pending_updates=True)
    assert await stage.updates() == []
