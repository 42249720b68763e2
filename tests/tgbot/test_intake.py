"""Only updates that Telegram could have sent get to the handlers."""

from typing import Any

import pytest
from telegram import Update

from tests.tgbot.test_whole_bot import BASE, CHAT, MEMBER, MESSAGE, PEOPLE, STRANGER
from tgbot.intake import is_ours

Json = dict[str, Any]
COMMAND = {"type": "bot_command", "offset": 0, "length": 5}
TAP: Json = {"id": "1", "chat_instance": "1", "from": PEOPLE[0], "message": MESSAGE, "data": "bet:1:2:3"}
CHANGE: Json = {"chat": CHAT, "from": PEOPLE[0], "date": 1, "old_chat_member": MEMBER, "new_chat_member": MEMBER}


def ours(**content: Any) -> bool:
    return is_ours(Update.de_json({"update_id": 1, **content}, None))


@pytest.mark.parametrize(
    "content",
    [
        {"message": MESSAGE},
        {"message": {**MESSAGE, "entities": [COMMAND], "reply_to_message": MESSAGE}},
        {"message": {**MESSAGE, "from": None, "sender_chat": CHAT}},
        {"message": {**MESSAGE, "text": None, "left_chat_member": STRANGER}},
        {"message": {**MESSAGE, "text": None, "migrate_to_chat_id": -1_009_999_999_999}},
        {"callback_query": TAP},
        {"callback_query": {**TAP, "message": None}},
        {"callback_query": {**TAP, "message": {**MESSAGE, "date": 0}}},
        {"my_chat_member": CHANGE},
        {"chat_member": CHANGE},
    ],
)
def test_what_telegram_sends_is_let_in(content: Json) -> None:
    assert ours(**content)


@pytest.mark.parametrize("field", ["message_id", "chat"])
@pytest.mark.parametrize("junk", [None, "7", 2**63, [], 1.5, True])
def test_a_message_without_what_a_message_has(field: str, junk: Any) -> None:
    try:
        assert not ours(message={**MESSAGE, field: junk})
    except (TypeError, AttributeError):
        assert field == "chat", "PTB itself cannot read it"


@pytest.mark.parametrize(
    "entity",
    [
        {**COMMAND, "offset": -1},
        {**COMMAND, "length": 6},
        {**COMMAND, "length": 0},
        {**COMMAND, "offset": "0"},
        {**COMMAND, "offset": 2**70},
    ],
)
def test_an_entity_that_is_not_in_its_text(entity: Json) -> None:
    assert not ours(message={**MESSAGE, "entities": [entity]})


def test_entities_are_counted_as_telegram_counts() -> None:
    """In UTF-16 units: an emoji is two."""
    text = "👍/join"
    assert ours(message={**MESSAGE, "text": text, "entities": [{**COMMAND, "offset": 2}]})
    assert not ours(message={**MESSAGE, "text": text, "entities": [{**COMMAND, "offset": 3}]})


@pytest.mark.parametrize("broken", [{"from": None}, {"data": 7}, {"id": 7}, {"message": {**MESSAGE, "chat": None}}])
def test_a_tap_that_is_none(broken: Json) -> None:
    assert not ours(callback_query={**TAP, **broken})


@pytest.mark.parametrize("broken", [{"chat": None}, {"from": None}, {"new_chat_member": None}])
def test_a_change_of_a_member_that_is_none(broken: Json) -> None:
    assert not ours(my_chat_member={**CHANGE, **broken})


@pytest.mark.parametrize("kind", [str(kind) for kind in Update.ALL_TYPES])
def test_kinds_that_nobody_asked_for_stay_outside(kind: str) -> None:
    asked_for = {"message", "callback_query", "my_chat_member", "chat_member"}
    if kind not in asked_for:
        try:
            assert not ours(**{kind: BASE})
        except (TypeError, AttributeError, KeyError, ValueError):
            return  # PTB itself cannot read it
