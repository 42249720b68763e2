"""reply_markup: what is taken, what is refused, and what is reported."""

from typing import Any

import pytest

from tgbot.playground.errors import ApiError
from tgbot.playground.keyboards import parse, parse_inline


def inline(**button: Any) -> dict[str, Any]:
    return {"inline_keyboard": [[{"text": "a", **button}]]}


def parsed(markup: Any) -> Any:
    """The keyboard, and a failure if a field was unknown."""
    reports: list[str] = []
    keyboard = parse(markup, reports.append)
    assert reports == []
    return keyboard


@pytest.mark.parametrize(
    "button",
    [
        {"callback_data": "x" * 64},
        {"callback_data": "é" * 32},
        {"callback_data": "x", "style": "primary"},
        {"callback_data": "x", "style": "success"},
        {"callback_data": "x", "style": "danger"},
        {"url": "https://example.com"},
        {"url": "tg://user?id=5000000001"},
        {"copy_text": {"text": "commitment"}},
        {"switch_inline_query_current_chat": ""},
    ],
)
def test_buttons_that_are_taken(button: dict[str, Any]) -> None:
    assert parsed(inline(**button)) == inline(**button)


@pytest.mark.parametrize(
    ("button", "problem"),
    [
        ({"callback_data": "x" * 65}, "BUTTON_DATA_INVALID"),
        ({"callback_data": "é" * 33}, "BUTTON_DATA_INVALID"),
        ({}, "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard"),
        (
            {"callback_data": ""},
            "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard",
        ),
        ({"text": "", "callback_data": "x"}, "BUTTON_TEXT_INVALID"),
        (
            {"text": 5, "callback_data": "x"},
            'can\'t parse inline keyboard button: Field "text" must be of type String',
        ),
        (
            {"callback_data": "x", "style": "red"},
            "can't parse inline keyboard button: Invalid button style specified",
        ),
        ({"copy_text": "x"}, "can't parse inline keyboard button: CopyTextButton must be an Object"),
        ({"url": "example"}, "inline keyboard button URL 'example' is invalid: Wrong HTTP URL"),
        ({"copy_text": {"text": ""}}, "BUTTON_COPY_TEXT_INVALID"),
        ({"copy_text": {"text": "x" * 257}}, "BUTTON_COPY_TEXT_INVALID"),
        (
            {"url": "ftp://example.com"},
            "inline keyboard button URL 'ftp://example.com' is invalid: Unsupported URL protocol",
        ),
    ],
)
def test_buttons_that_are_refused(button: dict[str, Any], problem: str) -> None:
    with pytest.raises(ApiError) as caught:
        parsed(inline(**button))
    assert caught.value.description == f"Bad Request: {problem}"


def test_sizes() -> None:
    button = {"text": "a", "callback_data": "x"}
    assert parsed({"inline_keyboard": [[button] * 8] * 12})
    for rows in ([[button] * 9], [[button]] * 101):
        with pytest.raises(ApiError, match="REPLY_MARKUP_TOO_LONG"):
            parsed({"inline_keyboard": rows})


def test_an_empty_keyboard_is_none() -> None:
    assert parsed({"inline_keyboard": []}) is None
    assert parsed({"inline_keyboard": [[]]}) is None
    assert parsed({"remove_keyboard": True}) is None


def test_force_reply_and_reply_keyboards_are_kept_for_the_people() -> None:
    force = {"force_reply": True, "input_field_placeholder": "7", "selective": True}
    assert parsed(force) == force
    assert parsed({"keyboard": [["7"]], "resize_keyboard": True})


def test_an_edit_takes_inline_keyboards_only() -> None:
    with pytest.raises(ApiError, match="inline keyboard expected"):
        parse_inline({"force_reply": True}, print)


@pytest.mark.parametrize("markup", [[], "x", 5])
def test_what_is_no_object_is_refused(markup: Any) -> None:
    with pytest.raises(ApiError, match="object expected as reply markup"):
        parsed(markup)


def test_fields_telegram_does_not_know_are_reported() -> None:
    reports: list[str] = []
    kept = parse({**inline(callback_data="x", colour="red"), "resize": True}, reports.append)
    assert kept == inline(callback_data="x")
    assert reports == ["reply_markup: unknown field resize", "inline_keyboard button: unknown field colour"]
