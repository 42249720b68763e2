"""Text as Telegram keeps it: cleaned, trimmed, with entities whose offsets count UTF-16 units.

Entities come from three sides: the bot's HTML (see `markup`), the bot's own list, and what the server finds
in plain text (commands, mentions, links).
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from tgbot.playground.errors import bad_request
from tgbot.playground.world import Json, Person

LONGEST = 4096
Users = Callable[[int], Person | None]

_COMMAND = re.compile(r"(?<![\w/<>])/([a-zA-Z0-9_]{1,64})(?:@([a-zA-Z0-9_]{3,32}))?(?![\w/<>])")
_MENTION = re.compile(r"(?<![\w/])@([a-zA-Z0-9_]{3,32})(?!\w)")
_URL = re.compile(r"(?<![\w/])(?:https?://|t\.me/)[^\s<>\"]+", re.IGNORECASE)
_FOUND = (("url", _URL), ("bot_command", _COMMAND), ("mention", _MENTION))

# Within these nothing else is marked: a link is one thing, code is shown as it is.
_CLOSED = ("pre", "code", "text_link", "text_mention", "url")
_ORDER = ("blockquote", "expandable_blockquote", "pre", "code", "text_link", "text_mention", "date_time")

_FORMATS = re.compile(r"r|w?[dD]?[tT]?")
_KINDS = {
    "bold",
    "italic",
    "underline",
    "strikethrough",
    "spoiler",
    "blockquote",
    "expandable_blockquote",
    "code",
    "pre",
    "text_link",
    "text_mention",
    "date_time",
    "custom_emoji",
}


@dataclass
class Formatted:
    """A text and what is marked in it."""

    text: str
    entities: list[Json] = field(default_factory=list)


def width(text: str) -> int:
    """Length in UTF-16 units, as Telegram's offsets count."""
    return len(text.encode("utf-16-le")) // 2


def compose(raw: Formatted) -> Formatted:
    """Make of a parsed text what Telegram would keep, or refuse it as empty or too long."""
    cleaned = _trim(_clean(raw))
    if not cleaned.text:
        raise bad_request("message text is empty")
    if len(cleaned.text) > LONGEST:
        raise bad_request("message is too long")
    return Formatted(cleaned.text, _sorted(cleaned.entities + _found(cleaned)))


def explicit(entities: list[Json], users: Users) -> list[Json]:
    """The bot's own `entities`: kinds the server finds by itself are left to it."""
    kept = []
    for entity in entities:
        if not isinstance(entity, dict) or not {"type", "offset", "length"} <= entity.keys():
            raise bad_request("can't parse entities: Can't find field \"type\"")
        if entity["type"] not in _KINDS:
            continue
        marked: Json | None = {key: value for key, value in entity.items() if value is not None}
        if entity["type"] == "text_mention":
            marked = mention(entity["offset"], entity["length"], entity.get("user", {}).get("id", 0), users)
        if entity["type"] == "date_time":
            marked = date_time(
                entity["offset"],
                entity["length"],
                str(entity.get("unix_time", "")),
                entity.get("date_time_format", ""),
            )
        if marked is not None:
            kept.append(marked)
    return kept


def mention(offset: int, length: int, user_id: int, users: Users) -> Json | None:
    """A mention by id. Telegram drops one of somebody the bot has never met."""
    person = users(user_id)
    if person is None:
        return None
    user: Json = {"id": person.id, "is_bot": person.is_bot, "first_name": person.first_name}
    user |= {key: value for key in ("last_name", "username") if (value := getattr(person, key))}
    return {"offset": offset, "length": length, "type": "text_mention", "user": user}


def date_time(offset: int, length: int, unix: str, format_: str) -> Json:
    """A moment that each reader's client shows in its own way."""
    if not re.fullmatch(r"\d{1,10}", unix) or int(unix) == 0 or int(unix) >= 2**31:
        raise bad_request("can't parse entities: Invalid date specified")
    if not _FORMATS.fullmatch(format_):
        raise bad_request("can't parse entities: Invalid date format specified")
    entity: Json = {"offset": offset, "length": length, "type": "date_time", "unix_time": int(unix)}
    if format_:
        entity["date_time_format"] = format_
    return entity


def _clean(raw: Formatted) -> Formatted:
    """Drop what Telegram drops: control characters, line separators and bidi overrides (U+2028-U+202E)."""
    pieces: list[str] = []
    moved = [0]
    for letter in raw.text:
        kept = letter
        if letter == "\r" or "\u2028" <= letter <= "\u202e":
            kept = ""
        elif letter < " " and letter != "\n":
            kept = " "
        pieces.append(kept)
        # One entry for each unit of the letter, so that any old offset finds its new one.
        start = moved[-1]
        moved += [start + min(unit, width(kept)) for unit in range(1, width(letter) + 1)]
    last = len(moved) - 1
    entities = []
    for entity in raw.entities:
        start = moved[min(entity["offset"], last)]
        end = moved[min(entity["offset"] + entity["length"], last)]
        entities.append(entity | {"offset": start, "length": end - start})
    return Formatted("".join(pieces), entities)


def _trim(raw: Formatted) -> Formatted:
    """Cut white space at both ends, and the entities with it; an entity of nothing vanishes."""
    text = raw.text.rstrip()
    cut = width(text) - width(text.lstrip())
    text = text.lstrip()
    entities = []
    for entity in raw.entities:
        start = max(entity["offset"] - cut, 0)
        end = min(entity["offset"] + entity["length"] - cut, width(text))
        if end > start:
            entities.append(entity | {"offset": start, "length": end - start})
    return Formatted(text, entities)


def _found(formatted: Formatted) -> list[Json]:
    """Commands, mentions and links in plain text, none within or across one that is closed."""
    taken = [_span(entity) for entity in formatted.entities if entity["type"] in _CLOSED]
    found = []
    for kind, pattern in _FOUND:
        for match in pattern.finditer(formatted.text):
            piece = match.group()
            if kind == "url":
                piece = piece.rstrip(".,:;!?)]}'")
            start = width(formatted.text[: match.start()])
            end = start + width(piece)
            if all(end <= left or start >= right for left, right in taken):
                found.append({"offset": start, "length": end - start, "type": kind})
                taken.append((start, end))
    return found


def _span(entity: Json) -> tuple[int, int]:
    return entity["offset"], entity["offset"] + entity["length"]


def _sorted(entities: list[Json]) -> list[Json]:
    """By offset, the longer first; nothing inside code."""
    code = [_span(entity) for entity in entities if entity["type"] in ("pre", "code")]

    def inside_code(entity: Json) -> bool:
        left, right = _span(entity)
        return entity["type"] not in ("pre", "code") and any(start <= left and right <= end for start, end in code)

    def order(entity: Json) -> tuple[int, int, int]:
        kind = entity["type"]
        return entity["offset"], -entity["length"], _ORDER.index(kind) if kind in _ORDER else len(_ORDER)

    return sorted((entity for entity in entities if not inside_code(entity)), key=order)
