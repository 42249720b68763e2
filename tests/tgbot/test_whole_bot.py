"""The whole bot under whatever comes: updates go in, calls come out, nothing is there but the database between.

Hypothesis makes up the evening: commands, taps that are valid, stale or forged, people who leave, time that passes, and
JSON of every kind of update that the Bot API knows, whole and broken. No exception reaches the error handler, nothing
moves that should not, and in the end every journal folds to its row.
"""

import asyncio
import json
import logging
import tempfile
import time
from collections.abc import Coroutine
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from pydantic import SecretStr
from telegram import Update
from telegram.request import BaseRequest, RequestData

from domain.table import Table
from persistence.audit import audit
from persistence.mapping import Place
from tests.databases import fresh_url
from tgbot.application import House, build
from tgbot.settings import Settings

Json = dict[str, Any]
GROUP = -1_001_234_567_890
BOT = {"id": 4_000_000_007, "is_bot": True, "first_name": "In-Between", "username": "inbetween_bot"}
PEOPLE = [
    {"id": 5_000_000_001 + n, "is_bot": False, "first_name": name, "language_code": language}
    for n, (name, language) in enumerate([("Ada", "en"), ("<b>Bo", "pl"), ("\u202eCem", "tlh"), ("👩‍👩‍👧", "pl-PL")])
]
STRANGER = {"id": 6_000_000_001, "is_bot": False, "first_name": "Sly"}
COMMANDS = [
    *("/newgame", "/newgame red dog", "/newgame acey deucey", "/newgame staked bank", "/newgame poker"),
    *("/join", "/leave", "/bet 1", "/bet 7", "/bet -5", "/bet １０", "/bet", "/bet 1000000000000000000000"),
    *("/table", "/rules", "/rules bank", "/end", "/kick", "/share", "/passbank", "/max 5", "/max x", "/nudge"),
    *("/help", "/language", "/start", "/join@inbetween_bot", "/join@otherbot", "/JOIN", "hello", "7"),
]


class Offline(BaseRequest):
    """Telegram that takes everything; what it was told last stays on the boards."""

    def __init__(self) -> None:
        self.messages = 100
        self.keyboards: dict[int, Json] = {}
        self.calls: list[str] = []

    async def initialize(self) -> None:
        """Nothing to open."""

    async def shutdown(self) -> None:
        """Nothing to close."""

    @property
    def read_timeout(self) -> float:
        """Nobody waits."""
        return 1.0

    async def do_request(
        self, url: str, method: str, request_data: RequestData | None = None, *_: Any, **__: Any
    ) -> tuple[int, bytes]:
        """An answer of the right shape."""
        name = url.rpartition("/")[2]
        given: Json = dict(request_data.parameters) if request_data else {}
        self.calls.append(name)
        result: Any = True
        if name == "getMe":
            result = {**BOT, "can_join_groups": True, "can_read_all_group_messages": False}
        elif name == "getChatMember":
            result = {"status": "member", "user": {**BOT, "id": given["user_id"], "is_bot": False}}
        elif name in ("sendMessage", "editMessageText", "editMessageReplyMarkup"):
            self.messages += name == "sendMessage"
            number = given.get("message_id", self.messages)
            self.keyboards[number] = given.get("reply_markup") or {}
            chat = {"id": given["chat_id"], "type": "supergroup"}
            result = {"message_id": number, "date": int(time.time()), "chat": chat, "from": BOT, "text": "…"}
        return 200, json.dumps({"ok": True, "result": result}).encode()

    def buttons(self) -> list[tuple[int, str]]:
        """Every button that was ever shown and not taken away."""
        return [
            (number, button["callback_data"])
            for number, keyboard in self.keyboards.items()
            for row in keyboard.get("inline_keyboard", [])
            for button in row
            if "callback_data" in button
        ]


class Errors(logging.Handler):
    """What was logged as an error."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.records: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(logging.Formatter().format(record))


# -- broken JSON of every kind ---------------------------------------------------------------------


CHAT: Json = {"id": GROUP, "type": "supergroup", "title": "Friends", "is_forum": True}
MESSAGE: Json = {"message_id": 7, "date": 1_764_500_000, "chat": CHAT, "from": PEOPLE[0], "text": "/join"}
MEMBER: Json = {"user": PEOPLE[1], "status": "left"}
BASE: Json = {
    **MESSAGE,
    "id": "1",
    "chat_instance": "1",
    "data": "bet:1:2:3",
    "message": MESSAGE,
    "user": PEOPLE[0],
    "query": "x",
    "offset": "",
    "result_id": "1",
    "invoice_payload": "x",
    "currency": "XTR",
    "total_amount": 1,
    "old_chat_member": MEMBER,
    "new_chat_member": {**MEMBER, "status": "kicked", "until_date": 0},
    "options": [],
    "question": "?",
    "total_voter_count": 0,
    "is_closed": False,
    "is_anonymous": True,
    "type": "regular",
    "allows_multiple_answers": False,
    "poll_id": "1",
    "option_ids": [0],
    "user_chat_id": 1,
    "boost": {},
    "boost_id": "1",
    "remove_date": 0,
    "source": {"source": "premium", "user": PEOPLE[0]},
    "old_reaction": [],
    "new_reaction": [],
    "reactions": [],
    "is_enabled": True,
    "message_ids": [1],
    "business_connection_id": "1",
    "paid_media_payload": "x",
    "migrate_to_chat_id": -1_009_999_999_999,
    "left_chat_member": STRANGER,
    "sender_chat": CHAT,
    "reply_to_message": MESSAGE,
    "message_thread_id": 1,
    "is_topic_message": True,
    "entities": [{"type": "bot_command", "offset": 0, "length": 5}],
}
"""Something for nearly every field that some update has."""
JUNK = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63) | st.text(max_size=12) | st.floats(allow_nan=False),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(sorted(BASE)), inner, max_size=2),
    max_leaves=4,
)


@st.composite
def contents(draw: st.DrawFn) -> Json:
    """A content with some fields left out and some replaced by what does not belong there."""
    kept = {key: value for key, value in BASE.items() if draw(st.integers(0, 9)) > 1}
    for key in draw(st.lists(st.sampled_from(sorted(BASE)), max_size=3)):
        kept[key] = draw(JUNK)
    return kept


# -- the evening -----------------------------------------------------------------------------------


class WholeBot(RuleBasedStateMachine):
    """One group, four friends, a stranger, and the bot without a network."""

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.folder = tempfile.TemporaryDirectory(prefix="whole-bot-")
        self.errors, self.telegram = Errors(), Offline()
        self.ahead = timedelta()
        self.number = 0
        self.old: list[tuple[int, str]] = []
        logging.getLogger().addHandler(self.errors)
        self.house: House = self.does(self._build())

    async def _build(self) -> House:
        url = await fresh_url("sqlite", Path(self.folder.name))
        token = SecretStr("4000000007:WHOLE")
        house = build(
            Settings(telegram_bot_token=token, database_url=url, group_calls_a_minute=100_000, calls_a_second=100_000),
            now=lambda: datetime.now(UTC) + self.ahead,
        )
        house.app.bot._request = (self.telegram, self.telegram)
        await house.database.migrate()
        await house.app.initialize()
        return house

    def does(self, what: Coroutine[Any, Any, Any]) -> Any:
        return self.runner.run(what)

    async def _settled(self) -> None:
        while self.house.voice._tasks or self.house.keeper._workers:
            await self.house.voice.finish()
            await self.house.keeper.finish()

    async def _takes(self, content: Json) -> None:
        self.number += 1
        update = Update.de_json({"update_id": self.number, **content}, self.house.app.bot)
        await self.house.app.process_update(update)
        await self._settled()

    async def _table(self) -> Table | None:
        async with self.house.tables.at(Place(GROUP)) as sitting:
            return sitting.table

    def says(self, person: Json, text: str) -> None:
        self.telegram.messages += 1
        entities = [{"type": "bot_command", "offset": 0, "length": len(text.split()[0])}] if text[0] == "/" else []
        chat = {**CHAT, "is_forum": False}
        message = {**MESSAGE, "chat": chat, "message_id": self.telegram.messages, "from": person, "text": text}
        self.does(self._takes({"message": {**message, "entities": entities}}))

    def taps(self, person: Json, message: int, data: str) -> None:
        board = {"message_id": message, "date": 1_764_500_000, "chat": {**CHAT, "is_forum": False}, "from": BOT}
        query = {"id": "1", "chat_instance": "1", "from": person, "message": board, "data": data}
        self.does(self._takes({"callback_query": query}))

    @initialize()
    def sits_down(self) -> None:
        self.says(PEOPLE[0], "/newgame")
        self.says(PEOPLE[1], "/join")
        self.says(PEOPLE[2], "/join")

    @rule(person=st.sampled_from(PEOPLE), text=st.sampled_from(COMMANDS))
    def somebody_writes(self, person: Json, text: str) -> None:
        self.says(person, text)

    @rule(person=st.sampled_from(PEOPLE), choice=st.integers(0, 10**6))
    def somebody_taps(self, person: Json, choice: int) -> None:
        buttons = self.telegram.buttons()
        if buttons:
            message, data = buttons[choice % len(buttons)]
            self.old.append((message, data))
            self.taps(person, message, data)

    @rule(choice=st.integers(0, 10**6))
    def whoever_is_asked_answers(self, choice: int) -> None:
        """So that games get on."""
        table = self.does(self._table())
        player = table.actor if table is not None and table.actor else PEOPLE[0]["id"]
        person = next(person for person in PEOPLE if person["id"] == player)
        answers = [b for b in self.telegram.buttons() if b[1].split(":")[0] in _ANSWERS]
        newest = [b for b in answers if b[0] == max(answers)[0]]
        if newest:
            self.taps(person, *newest[choice % len(newest)])

    @rule(person=st.sampled_from([*PEOPLE, STRANGER]), choice=st.integers(0, 10**6))
    def somebody_taps_an_old_answer(self, person: Json, choice: int) -> None:
        """Stale: it may be refused or mean nothing, but it never plays another hand."""
        stale = [old for old in self.old if old[1].split(":")[0] in _ANSWERS]
        before = self.does(self._table())
        if not stale or before is None:
            return
        message, data = stale[choice % len(stale)]
        if int(data.split(":")[2]) < before.asked:
            self.taps(person, message, data)
            assert self.does(self._table()) == before

    @rule(
        person=st.sampled_from([*PEOPLE, STRANGER]),
        data=st.text(max_size=64) | st.from_regex(r"[a-z]{2,8}:[0-9]{1,4}:[0-9]{1,4}(:[0-9]{1,9})?", fullmatch=True),
    )
    def somebody_forges_a_tap(self, person: Json, data: str) -> None:
        before = self.does(self._table())
        self.taps(person, 101, data)
        after = self.does(self._table())
        if person is STRANGER and before is not None and not data.startswith("join"):
            assert after == before

    @rule(text=st.sampled_from([text for text in COMMANDS if "join" not in text.lower() and "new" not in text]))
    def a_stranger_writes(self, text: str) -> None:
        before = self.does(self._table())
        self.says(STRANGER, text)
        assert self.does(self._table()) == before

    @rule(seconds=st.sampled_from([1, 45, 61, 3_600, 90_000]))
    def time_passes(self, seconds: int) -> None:
        self.ahead += timedelta(seconds=seconds)

        async def sweep() -> None:
            await self.house.clock.sweep()
            await self._settled()

        self.does(sweep())

    @rule(person=st.sampled_from(PEOPLE))
    def somebody_leaves_the_group(self, person: Json) -> None:
        self.does(self._takes({"message": {**MESSAGE, "text": None, "left_chat_member": person}}))

    @rule(kind=st.sampled_from([*map(str, Update.ALL_TYPES)]), content=contents())
    def telegram_brings_something_odd(self, kind: str, content: Json) -> None:
        """What PTB cannot read never gets to us (the webhook drops it, polling logs it); the rest is taken."""
        try:
            update = Update.de_json({"update_id": 1, kind: content}, self.house.app.bot)
        except Exception:
            return

        async def take() -> None:
            await self.house.app.process_update(update)
            await self._settled()

        self.does(take())

    @invariant()
    def no_exception_reached_the_error_handler(self) -> None:
        assert self.errors.records == []

    def teardown(self) -> None:
        logging.getLogger().removeHandler(self.errors)
        try:
            assert self.does(audit(self.house.database)).faults == []
            self.does(self.house.database.close())
        finally:
            self.runner.close()
            self.folder.cleanup()


_ANSWERS = ("cut", "stake", "bet", "pass", "raise", "high", "low", "higher", "lower", "start")

TestWholeBot = WholeBot.TestCase
TestWholeBot.settings = settings(
    max_examples=12, stateful_step_count=40, deadline=None, suppress_health_check=list(HealthCheck)
)
