"""reply_markup: what Telegram takes as a keyboard, and its words for what it does not."""

from collections.abc import Callable
from typing import Any

from tgbot.playground.errors import ApiError, bad_request
from tgbot.playground.world import Json

_ACTIONS = {
    "callback_data",
    "url",
    "copy_text",
    "web_app",
    "login_url",
    "switch_inline_query",
    "switch_inline_query_current_chat",
    "switch_inline_query_chosen_chat",
    "callback_game",
    "pay",
}
_BUTTON = _ACTIONS | {"text", "style", "icon_custom_emoji_id"}
_STYLES = ("primary", "success", "danger")
_FORCE_REPLY = {"force_reply", "input_field_placeholder", "selective"}
_REPLY_KEYBOARD = {
    "keyboard",
    "is_persistent",
    "resize_keyboard",
    "one_time_keyboard",
    "input_field_placeholder",
    "selective",
}
_REMOVE = {"remove_keyboard", "selective"}
_MOST_BUTTONS = 100
_WIDEST_ROW = 8
_LONGEST_COPY = 256

Report = Callable[[str], None]
"""Told of every field that Telegram does not know."""


def parse(markup: Any, report: Report) -> Json | None:
    """The keyboard to keep; None when there is none. Raises as Telegram refuses."""
    if not isinstance(markup, dict):
        raise bad_request("object expected as reply markup")
    if "inline_keyboard" in markup:
        return parse_inline(markup, report)
    for key, known in (
        ("keyboard", _REPLY_KEYBOARD),
        ("remove_keyboard", _REMOVE),
        ("force_reply", _FORCE_REPLY),
    ):
        if key in markup:
            _report_unknown("reply_markup", markup, known, report)
            return markup if key != "remove_keyboard" else None
    _report_unknown("reply_markup", markup, set(), report)
    return None


def parse_inline(markup: Any, report: Report) -> Json | None:
    """An inline keyboard, the only kind an edit may bring; an empty one is none."""
    if not isinstance(markup, dict):
        raise bad_request("object expected as reply markup")
    if markup and "inline_keyboard" not in markup:
        raise bad_request("inline keyboard expected")
    _report_unknown("reply_markup", markup, {"inline_keyboard"}, report)
    rows = markup.get("inline_keyboard", [])
    if not isinstance(rows, list):
        raise bad_request('field "inline_keyboard" of the InlineKeyboardMarkup must be an Array of Arrays')
    kept = [[_button(button, report) for button in _row(row)] for row in rows]
    kept = [row for row in kept if row]
    if sum(map(len, kept)) > _MOST_BUTTONS or any(len(row) > _WIDEST_ROW for row in kept):
        raise bad_request("REPLY_MARKUP_TOO_LONG")
    return {"inline_keyboard": kept} if kept else None


def _row(row: Any) -> list[Any]:
    if not isinstance(row, list):
        raise bad_request('field "inline_keyboard" of the InlineKeyboardMarkup must be an Array of Arrays')
    return row


def _button(button: Any, report: Report) -> Json:
    if not isinstance(button, dict):
        raise _unparsable("InlineKeyboardButton must be an Object")
    if "text" not in button:
        raise _unparsable('Can\'t find field "text"')
    if not isinstance(button["text"], str):
        raise _unparsable('Field "text" must be of type String')
    if not button["text"].strip():
        raise bad_request("BUTTON_TEXT_INVALID")
    _report_unknown("inline_keyboard button", button, _BUTTON, report)
    actions = [name for name in _ACTIONS if button.get(name) not in (None, "")]
    # An empty query for the current chat is an action, an empty callback_data is not.
    actions += [name for name in _ACTIONS if name.startswith("switch") and button.get(name) == ""]
    if not actions:
        raise _unparsable("Text buttons are unallowed in the inline keyboard")
    if button.get("style") is not None and button["style"] not in _STYLES:
        raise _unparsable("Invalid button style specified")
    if (data := button.get("callback_data")) is not None and len(str(data).encode("utf-8")) > 64:
        raise bad_request("BUTTON_DATA_INVALID")
    if (url := button.get("url")) is not None and not str(url).startswith(("http://", "https://", "tg://")):
        problem = "Unsupported URL protocol" if "://" in str(url) else "Wrong HTTP URL"
        raise bad_request(f"inline keyboard button URL '{url}' is invalid: {problem}")
    if (copied := button.get("copy_text")) is not None:
        if not isinstance(copied, dict):
            raise _unparsable("CopyTextButton must be an Object")
        _report_unknown("copy_text", copied, {"text"}, report)
        if not 1 <= len(copied.get("text", "")) <= _LONGEST_COPY:
            raise bad_request("BUTTON_COPY_TEXT_INVALID")
    return {key: value for key, value in button.items() if value is not None and key in _BUTTON}


def _unparsable(text: str) -> ApiError:
    return bad_request(f"can't parse inline keyboard button: {text}")


def _report_unknown(what: str, given: Json, known: set[str], report: Report) -> None:
    for name in given.keys() - known:
        report(f"{what}: unknown field {name}")
