"""The recorded boards: ``boards.en.txt`` and ``boards.pl.txt``, every scene of `tests.tgbot.evening` as it is read.

After a change of words: ``python -m tests.tgbot.boards``, and then read what ``git diff`` shows as a player would.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.domain.tables import BOB
from tests.tgbot.drawing import past_picture, picture
from tests.tgbot.evening import ACEY, PAST, SCENES, lobby
from tgbot.menu import Page
from tgbot.words import LANGUAGES

_RULE = "=" * 8


def recorded(language: str) -> Mapping[str, str]:
    """The recorded boards of a language by the name of their scene."""
    _, *parts = _file(language).read_text().split(f"{_RULE} ")
    return {name: text.strip("\n") for name, _, text in (part.partition("\n") for part in parts)}


def drawn(language: str) -> Iterator[tuple[str, str]]:
    """Every scene with its board as it is drawn now."""
    for name, scene in SCENES.items():
        yield name, picture(scene(), language)
    for page in (Page.GAMES, Page.RULES, Page.TABLE):
        yield f"the menu: {page.name.lower()}", picture(lobby(BOB, rules=ACEY), language, page=page)
    for name in PAST:
        yield f"further up: {name}", past_picture(SCENES[name](), language)


def _file(language: str) -> Path:
    return Path(__file__).with_name(f"boards.{language}.txt")


if __name__ == "__main__":
    for spoken in LANGUAGES:
        _file(spoken).write_text("".join(f"{_RULE} {name}\n{text}\n\n" for name, text in drawn(spoken)))
