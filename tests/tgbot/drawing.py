"""Boards as a reader sees them: plain text, the buttons as rows of brackets below it."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from types import MappingProxyType

from telegram import InlineKeyboardMarkup

from domain.table import Player, Table
from tests.domain.tables import NAMES
from tgbot.board import Board, draw, draw_past
from tgbot.buttons import Tap, read_tap
from tgbot.menu import Page
from tgbot.playground.entities import Formatted
from tgbot.playground.markup import parse
from tgbot.sheet import Scene
from tgbot.words import words

NOW = datetime(2026, 11, 30, 20, 15, tzinfo=UTC)
IN_A_MINUTE = NOW + timedelta(seconds=60)
NUMBER = 7
_MARKS = str.maketrans({"\u2068": "", "\u2069": "", "\u00a0": " "})


def _nobody(_: int) -> None:
    """The people that the local Telegram knows: none, so that a mention is plain text."""


def parsed(html: str) -> Formatted:
    """A message as Telegram keeps it: the text without tags, and its entities."""
    return parse(html, _nobody)


def read(html: str) -> str:
    """The text of a message as it is read: no tags, no marks that nobody sees."""
    return parsed(html).text.translate(_MARKS)


def scene(names: Mapping[Player, str] = MappingProxyType(NAMES), *, due: bool = True, countdown: bool = True) -> Scene:
    """What a board shows besides the table: names, and a minute of time."""
    return Scene(NUMBER, names, IN_A_MINUTE if due else None, NOW, countdown)


def board(
    table: Table,
    language: str = "en",
    names: Mapping[Player, str] = MappingProxyType(NAMES),
    page: Page = Page.CARD,
) -> Board:
    """The board of a table; in the lobby, with this page of its menu."""
    return draw(table, scene(names)._replace(page=page), words(language))


def picture(
    table: Table,
    language: str = "en",
    names: Mapping[Player, str] = MappingProxyType(NAMES),
    page: Page = Page.CARD,
) -> str:
    """The board of a table as text, its keyboard below; the main buttons have an asterisk."""
    text, keyboard = board(table, language, names, page)
    return "\n".join([read(text), *keys(keyboard)])


def past_picture(table: Table, language: str = "en") -> str:
    """What is left of a board further up."""
    text, keyboard = draw_past(table, scene(), words(language))
    return "\n".join([read(text), *keys(keyboard)])


def keys(keyboard: InlineKeyboardMarkup | None) -> list[str]:
    """A keyboard, one line a row."""
    rows = keyboard.inline_keyboard if keyboard else ()
    return [" ".join(f"[{button.text}{'*' if button.style else ''}]" for button in row) for row in rows]


def taps(keyboard: InlineKeyboardMarkup | None) -> list[Tap]:
    """What the buttons of a keyboard say."""
    found = [read_tap(key.callback_data) for row in (keyboard.inline_keyboard if keyboard else ()) for key in row]
    return [tap for tap in found if tap is not None]
