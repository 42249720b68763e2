"""Text and entities as the server makes them."""

from typing import Any

import pytest

from tgbot.playground.entities import Formatted, compose, explicit, width
from tgbot.playground.errors import ApiError
from tgbot.playground.world import Person

ANN = Person(5_000_000_001, "Ann")


def known(number: int) -> Person | None:
    return ANN if number == ANN.id else None


def found(text: str) -> list[tuple[str, str]]:
    """The entities the server finds, as (kind, the piece of text)."""
    composed = compose(Formatted(text))
    units = composed.text.encode("utf-16-le")
    return [
        (entity["type"], units[2 * entity["offset"] :][: 2 * entity["length"]].decode("utf-16-le"))
        for entity in composed.entities
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("/join", [("bot_command", "/join")]),
        ("/JOIN now", [("bot_command", "/JOIN")]),
        ("/join@inbetween_bot 5", [("bot_command", "/join@inbetween_bot")]),
        ("🃏🃏 /bet 7", [("bot_command", "/bet")]),
        ("1/2 and a/b and </x>", []),
        ("hey @ann_player!", [("mention", "@ann_player")]),
        ("ann@example.com", []),
        ("see https://example.com/a?b=c.", [("url", "https://example.com/a?b=c")]),
        ("t.me/inbetween_bot", [("url", "t.me/inbetween_bot")]),
    ],
)
def test_what_is_found_in_plain_text(text: str, expected: list[tuple[str, str]]) -> None:
    assert found(text) == expected


def test_offsets_count_utf16_units() -> None:
    assert width("a🃏é") == 4
    assert compose(Formatted("🃏🃏 /bet")).entities == [{"offset": 5, "length": 4, "type": "bot_command"}]


def test_text_is_trimmed_and_entities_move_with_it() -> None:
    raw = Formatted("  \n x bold \n", [{"offset": 4, "length": 8, "type": "bold"}])
    assert compose(raw) == Formatted("x bold", [{"offset": 0, "length": 6, "type": "bold"}])


def test_an_entity_of_white_space_alone_vanishes() -> None:
    assert compose(Formatted("x  ", [{"offset": 1, "length": 2, "type": "bold"}])).entities == []


def test_controls_and_bidi_overrides_are_dropped_but_isolates_stay() -> None:
    raw = Formatted("a\u202eb\x01c\r\n\u2068d\u2069", [{"offset": 2, "length": 1, "type": "bold"}])
    assert compose(raw) == Formatted("ab c\n\u2068d\u2069", [{"offset": 1, "length": 1, "type": "bold"}])


@pytest.mark.parametrize("text", ["", "  \n ", "\u202e\r"])
def test_empty_text_is_refused(text: str) -> None:
    with pytest.raises(ApiError, match="message text is empty"):
        compose(Formatted(text))


def test_4096_characters_fit_and_one_more_does_not() -> None:
    assert len(compose(Formatted("🃏" * 4096)).text) == 4096
    with pytest.raises(ApiError, match="message is too long"):
        compose(Formatted("x" * 4097))


def test_nothing_is_marked_within_code() -> None:
    raw = Formatted("/join x", [{"offset": 0, "length": 5, "type": "code"}, {"offset": 1, "length": 2, "type": "bold"}])
    assert compose(raw).entities == [{"offset": 0, "length": 5, "type": "code"}]


def test_explicit_entities_keep_what_the_server_does_not_find_itself() -> None:
    given: list[Any] = [
        {"type": "bold", "offset": 0, "length": 1, "url": None},
        {"type": "mention", "offset": 0, "length": 1},
        {"type": "text_mention", "offset": 0, "length": 1, "user": {"id": ANN.id}},
        {"type": "text_mention", "offset": 0, "length": 1, "user": {"id": 1}},
        {"type": "date_time", "offset": 0, "length": 1, "unix_time": 1796074447, "date_time_format": "wDT"},
    ]
    assert explicit(given, known) == [
        {"type": "bold", "offset": 0, "length": 1},
        {
            "type": "text_mention",
            "offset": 0,
            "length": 1,
            "user": {"id": ANN.id, "is_bot": False, "first_name": "Ann"},
        },
        {"type": "date_time", "offset": 0, "length": 1, "unix_time": 1796074447, "date_time_format": "wDT"},
    ]
    with pytest.raises(ApiError, match="can't parse entities"):
        explicit([{"type": "bold"}], known)
