"""Names that cannot hurt: no markup, no control characters, no text that runs backwards through the board."""

import unicodedata
from html import escape

import regex

LONGEST = 16
"""Characters of a name that are shown, as a reader counts them."""
_ISOLATE, _END = "\u2068", "\u2069"
_INVISIBLE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
_BLANKS = "\u115f\u1160\u2800\u3164\uffa0"  # letters and symbols that are drawn as nothing
_MARKS = 2


def safe_name(raw: str, fallback: str) -> str:
    """A name as plain text: visible, short, on one line; ``fallback`` if nothing of it can be seen."""
    normal = unicodedata.normalize("NFC", raw)
    visible = "".join(c for c in normal if unicodedata.category(c) not in _INVISIBLE and c not in _BLANKS)
    graphemes = [_calm(cluster) for cluster in regex.findall(r"\X", " ".join(visible.split()))]
    if not any(cluster.strip() and not unicodedata.combining(cluster[0]) for cluster in graphemes):
        return fallback
    short = "".join(graphemes[:LONGEST]).strip()
    return short if len(graphemes) <= LONGEST else short + "…"


def _calm(cluster: str) -> str:
    """A character without the towers of accents that would reach into the lines around it."""
    return cluster[: 1 + _MARKS] if len(cluster) > 1 and unicodedata.combining(cluster[1]) else cluster


def shown(name: str) -> str:
    """A safe name for an HTML text: escaped, and its direction kept from what stands beside it."""
    return f"{_ISOLATE}{escape(name)}{_END}"
