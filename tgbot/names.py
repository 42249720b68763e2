"""Names that cannot hurt: no markup, no control characters, no text that runs backwards through the board."""

import unicodedata
from functools import lru_cache
from html import escape

import regex

LONGEST = 16
"""Characters of a name that are shown, as a reader counts them."""
_CODE_POINTS = 2 * LONGEST
"""What Telegram may count for them; a reader's character can be made of any number."""
_ISOLATE, _END = "\u2068", "\u2069"
_UNSEEN = regex.compile(r"[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]")
_SEEN = regex.compile(r"[^\p{M}\p{Z}]")
_TOWER = regex.compile(r"([\p{Me}\p{ccc=1}\p{ccc=220}\p{ccc=230}]{2})[\p{Me}\p{ccc=1}\p{ccc=220}\p{ccc=230}]+")
"""More accents than any language puts on a letter: they would reach into the lines around it."""


@lru_cache(maxsize=4096)  # each board tells the same few names again
def safe_name(raw: str, fallback: str) -> str:
    """A name as plain text: visible, short, on one line; ``fallback`` if nothing of it can be seen."""
    normal = unicodedata.normalize("NFC", " ".join(raw.split()))
    whole = _TOWER.sub(r"\1", " ".join(_UNSEEN.sub("", normal).split()))
    short = ""
    for grapheme in regex.findall(r"\X", whole)[:LONGEST]:
        if len(short + grapheme) > _CODE_POINTS:
            break
        short += grapheme
    if not _SEEN.search(short):
        return fallback
    return short if short == whole else short.strip() + "…"


def shown(name: str) -> str:
    """A safe name for an HTML text: escaped, and its direction kept from what stands beside it."""
    return f"{_ISOLATE}{escape(name)}{_END}"
