"""Compile the message catalogues while the package is built, so that only .po files live in the repository."""

from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


def compile_catalogues(root: Path) -> None:
    """Write a .mo file beside every .po file below ``root``."""
    for source in root.glob("tgbot/locales/*/LC_MESSAGES/*.po"):
        with source.open("rb") as text, source.with_suffix(".mo").open("wb") as compiled:
            write_mo(compiled, read_po(text, locale=source.parent.parent.name))


class Catalogues(BuildHookInterface[Any]):
    """hatchling calls this before it collects the files of a wheel (an editable one too)."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        compile_catalogues(Path(self.root))
