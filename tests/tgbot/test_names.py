"""Names that cannot hurt (trap 13)."""

import unicodedata
from html import unescape

import pytest
import regex
from hypothesis import example, given
from hypothesis import strategies as st

from tests.tgbot.drawing import parsed
from tgbot.names import LONGEST, safe_name, shown

_FALLBACK = "Player 3"
_TRICKY = "aZ \u0301\ufe0f\u200d\u202e👨👩🏻🇵\u1100\u0915\u094d\u093e\u0488<&\n"
_MOST_CHARACTERS = 2 * LONGEST
"""Code points: what keeps a full table within one message."""
INVISIBLE = [
    "",
    " ",
    "\n",
    "\t\r\n",
    "\u200b",
    "\u200b\u200c\u200d\u2060\ufeff",
    "\u202e",
    "\u2066\u2069",
    "\u00a0\u2003\u3000",
    "\u115f\u1160",
    "\u3164",
    "\uffa0",
    "\u2800\u2800",
    "\u0301",
    "\u0301\u0302\u0303",
    "\ufe0f",
    "\ufe0f \ufe0f",
    "\u034f",
    "\u180b",
    "\u17b5",
    "\U000e0100",
    "\U000e0041\U000e0042",
    "\x00\x1b\x7f\x9f",
    "\u2028\u2029",
    "\ue000\U000f0000",
]
HOSTILE = [
    "<3",
    "_",
    "]",
    "*",
    "`",
    "&lt;b&gt;",
    "<b>Ann",
    "</b></a>",
    '"><a href="tg://user?id=1">',
    "'; DROP TABLE tables; --",
    "{chips}",
    "{0.__class__}",
    "%s%n",
    "\u202eannA",
    "Ann\u202e\u2066",
    "شيماء",
    "עברית",
    "Ann\nDealer: Bob",
    "Ann\u2028Bob",
    "🎲" * 64,
    "👨‍👩‍👧‍👦" * 10,
    "🇵🇱" * 20,
    "👍" + "🏻" * 63,
    "Z\u0301\u0302\u0303\u0304" * 30,
    "Z" + "\u0336" * 63,
    "a" + "\u0488" * 63,
    "\u1100" * 64 + " " + "\u1100" * 64,
    "\u0915" + "\u093e" * 63,
    "\u0915\u094d" * 32,
    "W" * 129,
    "\ufdfd" * 64,
    "Ａｎｎ",
    "x" + "\u2800" * 40 + "y",
    *INVISIBLE,
]


@pytest.mark.parametrize("raw", INVISIBLE, ids=ascii)
def test_a_name_that_nobody_can_see_becomes_the_place_at_the_table(raw: str) -> None:
    assert safe_name(raw, _FALLBACK) == _FALLBACK


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        ("Ann", "Ann"),
        ("  Ann   Lee ", "Ann Lee"),
        ("<3", "<3"),
        ("_", "_"),
        ("]", "]"),
        ("7", "7"),
        ("Zoë", "Zoë"),
        ("Zoe\u0308", "Zoë"),
        ("Łukasz Żółć", "Łukasz Żółć"),
        ("\u202eAnn\u202c", "Ann"),
        ("A\u200bn\u200dn", "Ann"),
        ("शिवानी", "शिवानी"),
        ("श्रीनिवास", "श्रीनिवास"),
        ("มั่นคง", "มั่นคง"),
        ("မြို့", "မြို့"),
        ("مُحَمَّد", "مُحَمَّد"),
        ("Nguyễn", "Nguyễn"),
        ("🎲", "🎲"),
        ("🇵🇱🇬🇧", "🇵🇱🇬🇧"),
        ("Sixteen letters!", "Sixteen letters!"),
        ("Seventeen letters", "Seventeen letter…"),
        ("Bartholomew Fitzgerald", "Bartholomew Fitz…"),
        ("A sixteen letter and more", "A sixteen letter…"),
        ("Fifteen letters and more", "Fifteen letters…"),
        ("🎲" * 64, "🎲" * 16 + "…"),
        ("🇵🇱" * 17, "🇵🇱" * 16 + "…"),
        ("H\u0301\u0302\u0303\u0304\u0305e", "H\u0301\u0302e"),
    ],
)
def test_what_is_left_of_a_name(raw: str, name: str) -> None:
    assert safe_name(raw, _FALLBACK) == name


def test_a_family_is_shown_as_its_people() -> None:
    assert safe_name("👨‍👩‍👧", _FALLBACK) == "👨👩👧"


def test_a_line_break_does_not_glue_two_words_together() -> None:
    assert safe_name("Ann\nLee", _FALLBACK) == "Ann Lee"


@given(st.text(max_size=129) | st.text(st.sampled_from(_TRICKY), max_size=129))
@example("\ufe0f ")
def test_any_name_is_safe(raw: str) -> None:
    _is_safe(raw)


@pytest.mark.parametrize("raw", HOSTILE, ids=range(len(HOSTILE)))
def test_a_hostile_name_is_safe(raw: str) -> None:
    _is_safe(raw)


def _is_safe(raw: str) -> None:
    name = safe_name(raw, _FALLBACK)
    graphemes = regex.findall(r"\X", name.removesuffix("…"))
    assert regex.search(r"[^\p{M}\p{Z}\p{C}\p{Default_Ignorable_Code_Point}]", name), "there is something to see"
    assert not {unicodedata.category(letter) for letter in name} & {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}
    assert len(name.splitlines()) == 1
    assert len(graphemes) <= LONGEST
    assert len(name) <= _MOST_CHARACTERS + 1
    assert name == name.strip()
    html = parsed(shown(name))
    assert html.text == f"\u2068{name}\u2069", "Telegram reads the very name"
    assert html.entities == []
    assert unescape(shown(name)) == html.text


@given(st.text(max_size=129))
def test_a_safe_name_stays_as_it_is(raw: str) -> None:
    name = safe_name(raw, _FALLBACK)
    assert name.endswith("…") or safe_name(name, "?") == name
