"""parse_mode HTML: what becomes of the tags, and Telegram's words for what does not parse."""

from typing import Any

import pytest

from tgbot.playground.entities import Formatted, compose
from tgbot.playground.errors import ApiError
from tgbot.playground.markup import parse
from tgbot.playground.world import Person

ANN = Person(5_000_000_001, "Ann", username="ann")


def known(number: int) -> Person | None:
    return ANN if number == ANN.id else None


def parsed(html: str) -> Formatted:
    return compose(parse(html, known))


@pytest.mark.parametrize(
    ("html", "kind"),
    [
        ("<b>x</b>", "bold"),
        ("<STRONG>x</strong>", "bold"),
        ("<i>x</i>", "italic"),
        ("<em>x</em>", "italic"),
        ("<u>x</u>", "underline"),
        ("<ins>x</ins>", "underline"),
        ("<s>x</s>", "strikethrough"),
        ("<del>x</del>", "strikethrough"),
        ("<code>x</code>", "code"),
        ("<pre>x</pre>", "pre"),
        ("<tg-spoiler>x</tg-spoiler>", "spoiler"),
        ('<span class="tg-spoiler">x</span>', "spoiler"),
        ("<blockquote>x</blockquote>", "blockquote"),
        ("<blockquote expandable>x</blockquote>", "expandable_blockquote"),
    ],
)
def test_every_style(html: str, kind: str) -> None:
    assert parsed(html) == Formatted("x", [{"offset": 0, "length": 1, "type": kind}])


@pytest.mark.parametrize(
    ("html", "text", "entity"),
    [
        (
            '<a href="https://example.com">🃏</a>',
            "🃏",
            {"length": 2, "type": "text_link", "url": "https://example.com/"},
        ),
        ("<a href='example.com/x'>y</a>", "y", {"length": 1, "type": "text_link", "url": "http://example.com/x"}),
        (
            f'<a href="tg://user?id={ANN.id}">A</a>',
            "A",
            {
                "length": 1,
                "type": "text_mention",
                "user": {"id": ANN.id, "is_bot": False, "first_name": "Ann", "username": "ann"},
            },
        ),
        (
            '<pre><code class="language-python">x</code></pre>',
            "x",
            {"length": 1, "type": "pre", "language": "python"},
        ),
        (
            '<tg-time unix="1796074447" format="r">soon</tg-time>',
            "soon",
            {"length": 4, "type": "date_time", "unix_time": 1796074447, "date_time_format": "r"},
        ),
        (
            "<tg-time unix=1796074447>soon</tg-time>",
            "soon",
            {"length": 4, "type": "date_time", "unix_time": 1796074447},
        ),
        (
            '<tg-emoji emoji-id="5368324170671202286">👍</tg-emoji>',
            "👍",
            {"length": 2, "type": "custom_emoji", "custom_emoji_id": "5368324170671202286"},
        ),
    ],
)
def test_tags_with_arguments(html: str, text: str, entity: dict[str, Any]) -> None:
    assert parsed(html) == Formatted(text, [{"offset": 0, **entity}])


@pytest.mark.parametrize("html", ['<a href="tg://user?id=1">x</a>', '<a href="no link">x</a>', "<b></b>x"])
def test_what_means_nothing_leaves_plain_text(html: str) -> None:
    assert parsed(html) == Formatted("x")


def test_nested_tags_and_offsets_in_utf16_units() -> None:
    assert parsed("🃏 <b>a<i>b</i></b> /bet") == Formatted(
        "🃏 ab /bet",
        [
            {"offset": 3, "length": 2, "type": "bold"},
            {"offset": 4, "length": 1, "type": "italic"},
            {"offset": 6, "length": 4, "type": "bot_command"},
        ],
    )


def test_references() -> None:
    assert parsed("&lt;b&gt; &amp;amp; &quot;&#129;&#x1F0CF; &nbsp; &#xD800; &") == Formatted(
        '<b> &amp; "\x81🃏 &nbsp; &#xD800; &'
    )


@pytest.mark.parametrize(
    ("html", "problem"),
    [
        ("<b>oops", 'Can\'t find end tag corresponding to start tag "b"'),
        ("é <br>", 'Unsupported start tag "br" at byte offset 3'),
        ("a < b", 'Unsupported start tag "" at byte offset 2'),
        ("x <b", "Unclosed start tag at byte offset 2"),
        ("<a href", 'Unclosed start tag "a" at byte offset 0'),
        ("<a href=", 'Unclosed start tag "a" at byte offset 0'),
        ('<a href="x', "Unclosed start tag at byte offset 0"),
        ('<a href="x"', "Unclosed start tag at byte offset 0"),
        ('<a ="x">y</a>', 'Empty attribute name in the tag "a" at byte offset 0'),
        ("<a href=x/>y</a>", "Unexpected end of name token at byte offset 8"),
        ("<span>x</span>", 'Tag "span" must have class "tg-spoiler" at byte offset 0'),
        ("x</b>", "Unexpected end tag at byte offset 1"),
        ("<b>x</b", "Unclosed end tag at byte offset 4"),
        ("<b>x</i>", 'Unmatched end tag at byte offset 4, expected "</b>", found "</i>"'),
        ('<tg-emoji emoji-id="x">y</tg-emoji>', "Invalid custom emoji identifier specified"),
        ('<tg-time unix="soon">y</tg-time>', "Invalid date specified"),
        ('<tg-time unix="1" format="x">y</tg-time>', "Invalid date format specified"),
    ],
)
def test_what_does_not_parse(html: str, problem: str) -> None:
    with pytest.raises(ApiError) as caught:
        parsed(html)
    assert caught.value.description == f"Bad Request: can't parse entities: {problem}"
