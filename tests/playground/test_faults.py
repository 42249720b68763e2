"""Trouble on request."""

from typing import Any

import pytest

from tgbot.playground.faults import Fault, Faults, parse


def test_a_fault_is_used_up() -> None:
    faults = Faults()
    faults.add(Fault("flood", "sendMessage", times=2))
    assert faults.take("editMessageText") is None
    assert faults.take("SENDMESSAGE")
    assert faults.take("sendMessage")
    assert faults.take("sendMessage") is None


def test_the_star_leaves_the_long_poll_alone() -> None:
    faults = Faults()
    faults.add(Fault("bad_gateway"))
    assert faults.take("getUpdates") is None
    assert faults.take("getMe")
    faults.add(Fault("bad_gateway", "getUpdates"))
    assert faults.take("getUpdates")


def test_clearing() -> None:
    faults = Faults()
    faults.add(Fault("drop"))
    faults.clear()
    assert faults.take("getMe") is None


@pytest.mark.parametrize(
    ("fault", "status", "description"),
    [
        ({"kind": "flood", "retry_after": 40}, 429, "Too Many Requests: retry after 40"),
        ({"kind": "bad_gateway"}, 502, "Bad Gateway"),
        ({"kind": "error", "status": 403, "description": "Forbidden: x"}, 403, "Forbidden: x"),
    ],
)
def test_what_is_answered(fault: dict[str, Any], status: int, description: str) -> None:
    error = parse(fault).error()
    assert error is not None
    assert (error.status, error.description) == (status, description)


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(ValueError, match="kind must be one of"):
        parse({"kind": "earthquake"})
    with pytest.raises(TypeError):
        parse({"kind": "drop", "times_": 2})
