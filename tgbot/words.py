"""The bot's words in the reader's language: gettext catalogues, English being the source."""

from collections.abc import Sequence
from functools import cache
from gettext import NullTranslations, translation
from pathlib import Path

_LOCALES = Path(__file__).parent / "locales"
SOURCE = "en"
LANGUAGES: Sequence[str] = (SOURCE, *sorted(path.name for path in _LOCALES.iterdir() if path.is_dir()))
"""Every language the bot speaks, the source first."""


class Words:
    """One language. Call it with an English text (and what stands in its braces) to get the reader's text."""

    def __init__(self, language: str, catalogue: NullTranslations) -> None:
        self.language = language
        self._catalogue = catalogue

    def __call__(self, text: str, **values: object) -> str:
        """A text in this language."""
        return self._catalogue.gettext(text).format(**values)

    def count(self, one: str, many: str, n: int, **values: object) -> str:
        """A text with a number in it, in the right plural; ``{n}`` is the number."""
        return self._catalogue.ngettext(one, many, n).format(n=n, **values)

    def chips(self, n: int) -> str:
        """``1 chip``, ``5 chips``; ``1 żeton``, ``2 żetony``, ``5 żetonów``."""
        return self.count("{n} chip", "{n} chips", n)

    def time(self, seconds: int) -> str:
        """A length of time in its largest whole unit."""
        if seconds < 120:
            return self.count("{n} second", "{n} seconds", seconds)
        if seconds < 2 * 3600:
            return self.count("{n} minute", "{n} minutes", round(seconds / 60))
        return self.count("{n} hour", "{n} hours", round(seconds / 3600))


@cache
def words(language: str) -> Words:
    """The words of a language the bot speaks, or English."""
    if language not in LANGUAGES or language == SOURCE:
        return Words(SOURCE, NullTranslations())
    return Words(language, translation("inbetween", _LOCALES, [language]))


def closest(language_code: str | None) -> str:
    """The language to speak to somebody whose client says ``pl-PL``, ``en``, or nothing."""
    language = (language_code or SOURCE).partition("-")[0].lower()
    return language if language in LANGUAGES else SOURCE
