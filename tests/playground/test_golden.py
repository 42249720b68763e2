"""Replays the recordings of Telegram's own Bot API server against the local one.

A conductor makes the people do what the recorded updates tell of and repeats the bot's calls. Ids differ, so
they are translated; what is compared is status, error text, and the keys and types of every object.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.judges import judge
from tests.playground.stage import Clock
from tgbot.playground import Playground

GOLDEN = Path(__file__).parents[1] / "data" / "golden"
PEOPLE = {777006: "Alice", 777007: "Bob", 777008: "Carol", 777009: "Dave"}
TOKEN = "777010:recorded"

NOT_IMPLEMENTED = {
    "sendPhoto": "the bot sends text only",
    "sendPoll": "the bot sends text only",
    "sendDice": "the bot sends text only",
    "editMessageMedia": "the bot sends text only",
    "editMessageCaption": "the bot sends text only",
    "getFile": "the bot has no files",
}

# Telegram's server adds what it no longer documents; the people of the recording had Premium; the patched
# server behind it told a bot's language and the parts of commands, and left out the message replied to.
RECORDED_ONLY = {
    "all_members_are_administrators",
    "accepted_gift_types",
    "new_chat_participant",
    "new_chat_member",
    "left_chat_participant",
    "can_manage_voice_chats",
    "can_send_media_messages",
    "is_premium",
    "language_code",
    "last_error_date",
    "last_error_message",
    "description",
    "invite_link",
    "available_reactions",
}
OURS_ONLY = {
    "reply_to_message",
    "can_react_to_messages",
    "can_edit_tag",
    "can_send_welcome_messages",
    "has_topics_enabled",
    "allows_users_to_create_topics",
    "can_manage_bots",
    "pinned_message",
}

# What the patched server behind the recording did and Telegram does not (see telegram.md).
FLAWS = {
    ("editMessageReplyMarkup", "Bad Request: MESSAGE_EMPTY"),
    ("getChatMember", "Bad Request: PARTICIPANT_ID_INVALID"),
}
FLAWED_PROBES = {
    '[[{"text": "", "callback_data": "x"}]]': "an empty button text was accepted",
    "BAD-Name": "a bad command name was accepted",
    "tg://user?id=777007": "the mention was lost, and /start@bot cut in two entities",
}
KEPT_KEYBOARD = ["editMessageText.result: reply_markup is missing"]
"""One recorded edit without a keyboard kept the old one; a later one, like Telegram, removed it."""

TAPS_ON_PHOTOS = ("2", "6")
"""The recorded ids of taps that cannot happen here, because photos are not sent."""

OTHER_PARSE_MODE = "MarkdownV2"


class Conductor:
    """Plays a recording: translates its ids, moves the clock with it, compares the answers."""

    def __init__(self, playground: Playground, client: httpx.AsyncClient) -> None:
        self.playground = playground
        self.client = client
        self.chats: dict[int, int] = {}
        self.messages: dict[tuple[int, int], int] = {}
        self.queries: dict[str, str] = {}
        self.skipped: set[tuple[int, int]] = set()
        self.offset = 0

    async def do(self, who: int, verb: str, /, **body: Any) -> Any:
        response = await self.client.post(f"/people/{who}/{verb}", json=body)
        assert response.status_code == 200, (verb, body, response.text)
        return response.json()

    async def set_up(self) -> None:
        for number, name in PEOPLE.items():
            body = {"id": number, "first_name": name, "username": f"{name.lower()}_player"}
            await self.client.post("/people", json=body | {"language_code": "en"})
        others = list(PEOPLE)[1:]
        for recorded, kind, title in (
            (-2, "group", "Game night"),
            (-1000000000005, "supergroup", "Super table"),
        ):
            chat = await self.do(777006, "groups", title=title, type=kind, members=others)
            self.chats[recorded] = chat["id"]
        await self.skip_updates()

    async def skip_updates(self) -> None:
        """Confirm what the preparation caused."""
        self.offset = (await self.call("getUpdates", {})).json()["result"][-1]["update_id"] + 1

    async def call(self, method: str, request: dict[str, Any], token: str = TOKEN) -> httpx.Response:
        return await self.client.post(f"/bot{token}/{method}", data=request)

    def translated(self, request: dict[str, Any]) -> dict[str, Any]:
        """The request with this world's ids; unknown ones stay and are unknown here too."""
        ours = dict(request)
        chat = int(request.get("chat_id", 0))
        if chat in self.chats:
            ours["chat_id"] = self.chats[chat]
        if "message_id" in request:
            ours["message_id"] = self.messages.get((chat, int(request["message_id"])), request["message_id"])
        if "reply_parameters" in request:
            reply = json.loads(request["reply_parameters"])
            reply["message_id"] = self.messages.get((chat, reply["message_id"]), reply["message_id"])
            ours["reply_parameters"] = json.dumps(reply)
        if "callback_query_id" in request:
            ours["callback_query_id"] = self.queries.get(request["callback_query_id"], request["callback_query_id"])
        return ours

    def learn(self, recorded: Any, ours: Any) -> None:
        """Keep which message of ours stands for a recorded one."""
        if isinstance(recorded, dict) and "message_id" in recorded:
            self.messages[recorded["chat"]["id"], recorded["message_id"]] = ours["message_id"]

    async def act(self, update: dict[str, Any]) -> None:
        """Make the people do what a recorded update tells of."""
        message = update.get("message", {})
        who = message.get("from", {}).get("id", 0)
        chat = self.chats.get(message.get("chat", {}).get("id", 0), 0)
        if "callback_query" in update:
            query = update["callback_query"]
            recorded = query["message"]["chat"]["id"], query["message"]["message_id"]
            body = {"chat": self.chats[recorded[0]], "message": self.messages[recorded], "data": query["data"]}
            self.queries[query["id"]] = (await self.do(query["from"]["id"], "tap", **body))["query_id"]
        elif "text" in message:
            await self.do(who, "write", chat=chat, text=message["text"])
        elif "migrate_from_chat_id" in message:
            old = message["migrate_from_chat_id"]
            new = await self.do(who, "migrate", chat=self.chats[old])
            self.chats[message["chat"]["id"]] = new["chat"]
        elif "group_chat_created" in message:
            made = await self.do(who, "groups", title=message["chat"]["title"], members=list(PEOPLE)[1:])
            self.chats[message["chat"]["id"]] = made["id"]
        elif "left_chat_member" in message:
            await self.do(who, "remove", chat=chat, who=777010)
        elif "new_chat_members" in message:
            await self.do(who, "add", chat=chat, who=777010)

    async def play_updates(self, recorded: list[dict[str, Any]]) -> None:
        for update in recorded:
            if self.unplayable(update):
                continue
            await self.act(update)
            response = await self.call("getUpdates", {"offset": self.offset, "limit": 1})
            [ours] = response.json()["result"]
            self.offset = ours["update_id"] + 1
            assert list(compared(update, ours, "update")) == []
            self.learn(update.get("message"), ours.get("message"))

    def unplayable(self, update: dict[str, Any]) -> bool:
        """Taps on photos, which are not sent here, and chat_member, for which the bot must administrate."""
        query = update.get("callback_query", {})
        return "photo" in query.get("message", {}) or "chat_member" in update


def exchanges(name: str) -> Iterator[dict[str, Any]]:
    for line in (GOLDEN / name).read_text().splitlines():
        yield json.loads(line)


def compared(recorded: Any, ours: Any, where: str) -> Iterator[str]:
    """Every difference in keys and types."""
    if type(recorded) is not type(ours):
        yield f"{where}: {type(recorded).__name__} recorded, {type(ours).__name__} here"
    elif isinstance(recorded, dict):
        for key in recorded.keys() - ours.keys() - RECORDED_ONLY:
            yield f"{where}: {key} is missing"
        for key in ours.keys() - recorded.keys() - OURS_ONLY:
            yield f"{where}: {key} was not recorded"
        for key in recorded.keys() & ours.keys():
            yield from compared(recorded[key], ours[key], f"{where}.{key}")
    elif isinstance(recorded, list):
        for one, other in zip(recorded, ours, strict=False):
            yield from compared(one, other, f"{where}[]")


async def conductor(clock: Clock) -> Conductor:
    playground = Playground(token=TOKEN, username="game74341_bot", first_name="Game Bot", flood=False, clock=clock)
    transport = httpx.ASGITransport(app=playground.app)
    played = Conductor(playground, httpx.AsyncClient(transport=transport, base_url="http://golden"))
    await played.set_up()
    return played


@pytest.mark.parametrize("missing", NOT_IMPLEMENTED)
async def test_what_is_skipped_is_really_not_there(missing: str, clock: Clock) -> None:
    played = await conductor(clock)
    assert (await played.call(missing, {})).status_code == 404
    assert played.playground.mistakes == [(missing, "unknown method")]


async def test_exchanges_have_the_recorded_shape(clock: Clock) -> None:
    played = await conductor(clock)
    count = 0
    for exchange in sorted(exchanges("exchanges.jsonl"), key=lambda one: one["t"] + one["ms"] / 1000):
        clock.now = exchange["t"]
        method, recorded = exchange["method"], exchange["response"]
        if method in NOT_IMPLEMENTED or exchange["request"].get("callback_query_id") in TAPS_ON_PHOTOS:
            continue
        if method == "getUpdates":
            await played.play_updates(recorded["result"])
            continue
        if method == "pinChatMessage" and exchange["status"] == 200:
            await played.do(777006, "promote", chat=played.chats[-1000000000005], who=777010)
            await played.skip_updates()
        response = await played.call(method, played.translated(exchange["request"]))
        ours = response.json()
        assert response.status_code == exchange["status"], (exchange, ours)
        assert ours.get("description") == recorded.get("description")
        assert list(compared(recorded, ours, method)) == []
        played.learn(recorded.get("result"), ours.get("result"))
        count += 1
    assert count > 60
    assert played.playground.mistakes == []
    judge(played.playground.exchanges)


async def test_errors_have_the_recorded_text(clock: Clock) -> None:
    played = await conductor(clock)
    await played.do(777006, "promote", chat=played.chats[-1000000000005], who=777010)
    moved = await played.do(777006, "migrate", chat=played.chats[-2])
    played.chats[-1000000000003] = moved["chat"]
    await played.call("getUpdates", {"allowed_updates": '["message"]'})
    count = 0
    for exchange in exchanges("errors.jsonl"):
        clock.now = exchange["t"]
        method, recorded = exchange["method"], exchange["response"]
        if method in NOT_IMPLEMENTED or (method, recorded.get("description")) in FLAWS:
            continue
        if exchange["request"].get("parse_mode") == OTHER_PARSE_MODE:
            continue  # The local Telegram reads HTML only, and says so.
        if any(probe in str(exchange["request"]) for probe in FLAWED_PROBES):
            continue
        played.playground.flood.on = method == "setWebhook"
        token = "777010:wrong" if exchange["status"] == 401 else TOKEN
        response = await played.call(method, played.translated(exchange["request"]), token)
        ours = response.json()
        assert response.status_code == exchange["status"], (exchange, ours)
        assert ours.get("description") == recorded.get("description")
        flaw = KEPT_KEYBOARD if exchange["request"].get("text") == "edited" else []
        assert list(compared(recorded, ours, method)) == (flaw if exchange["status"] == 200 else [])
        played.learn(recorded.get("result"), ours.get("result"))
        count += 1
    assert count > 45
    assert played.playground.mistakes == [("noSuchMethod", "unknown method")]
