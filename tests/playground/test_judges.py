"""The judges themselves: they find what is wrong."""

from typing import Any

import pytest

from tests.judges import judge, judge_update

USER = {"id": 1, "is_bot": True, "first_name": "B"}
MESSAGE = {"message_id": 1, "date": 1, "chat": {"id": 1, "type": "private"}, "text": "x"}


def exchange(method: str, request: dict[str, Any], result: Any) -> dict[str, Any]:
    return {
        "n": 1,
        "method": method,
        "request": request,
        "status": 200,
        "response": {"ok": True, "result": result},
    }


@pytest.mark.parametrize(
    ("method", "request_", "result", "complaint"),
    [
        ("getMoon", {}, True, "no such method"),
        ("sendMessage", {"chat_id": 1, "text": "x", "txt": "y"}, MESSAGE, "unknown parameter txt"),
        ("sendMessage", {"text": "x"}, MESSAGE, "request, says aiogram"),
        ("sendMessage", {"chat_id": 1, "text": "x"}, MESSAGE | {"date": "soon"}, "result, says aiogram"),
        ("sendMessage", {"chat_id": 1, "text": "x"}, MESSAGE | {"mood": 1}, "Message.mood"),
        ("getMe", {}, {"id": 1, "is_bot": True}, "python-telegram-bot cannot read it"),
        ("getMe", {}, USER | {"mood": 1}, "unknown to python-telegram-bot: User.mood"),
        ("sendMessage", {"chat_id": 1, "text": "x"}, MESSAGE | {"from": USER | {"mood": 1}}, "User.mood"),
        ("getUpdates", {}, [{"update_id": 1, "mood": 1}], "Update.mood"),
    ],
)
def test_complaints(method: str, request_: dict[str, Any], result: Any, complaint: str) -> None:
    with pytest.raises(AssertionError, match=complaint):
        judge([exchange(method, request_, result)])


def test_a_refusal_needs_its_code() -> None:
    refused = exchange("getMe", {}, None) | {"status": 400}
    refused["response"] = {"ok": False, "error_code": 401, "description": "x"}
    with pytest.raises(AssertionError, match="a refusal without its code"):
        judge([refused])


def test_what_is_right_passes() -> None:
    judge([exchange("sendMessage", {"chat_id": 1, "text": "x"}, MESSAGE), exchange("getMe", {}, USER)])
    judge([exchange("getMe", {}, None) | {"status": 0, "response": None}])
    judge_update({"update_id": 1, "message": MESSAGE})
