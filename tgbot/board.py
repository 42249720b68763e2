"""The board: a table as one message. Pure: the same table gives the same text and the same buttons."""

from typing import NamedTuple

from telegram import InlineKeyboardMarkup

from domain.table import Phase, Table
from tgbot.ending import Ending
from tgbot.game import Game
from tgbot.keyboard import keyboard
from tgbot.lobby import Lobby
from tgbot.menu import Page
from tgbot.sheet import Scene
from tgbot.words import Words


class Board(NamedTuple):
    """A message: HTML text and its keyboard, if it has one."""

    text: str
    keyboard: InlineKeyboardMarkup | None


def draw(table: Table, scene: Scene, tr: Words) -> Board:
    """The board of a table in the group's language."""
    sheet = {Phase.LOBBY: Lobby, Phase.ENDED: Ending}.get(table.phase, Game)(table, scene, tr)
    return Board(sheet.text(), keyboard(table, scene.number, tr, Page(scene.page)))


def draw_past(table: Table, scene: Scene, tr: Words) -> Board:
    """What stays of a board when a newer one stands below it: what has happened, and nothing to tap."""
    return Board(Game(table, scene, tr).past(), None)
