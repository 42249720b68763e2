"""parse_mode HTML: the tags Telegram knows, with its own words for what it cannot parse.

Offsets in the errors count bytes of UTF-8, as Telegram's do, so the text is read as bytes.
"""

import re
from dataclasses import dataclass

from tgbot.playground.entities import Formatted, Users, date_time, mention, width
from tgbot.playground.errors import ApiError, bad_request
from tgbot.playground.world import Json

_STYLES = {
    "b": "bold",
    "strong": "bold",
    "i": "italic",
    "em": "italic",
    "u": "underline",
    "ins": "underline",
    "s": "strikethrough",
    "strike": "strikethrough",
    "del": "strikethrough",
    "tg-spoiler": "spoiler",
    "span": "spoiler",
    "blockquote": "blockquote",
    "pre": "pre",
    "code": "code",
}
_OTHER = ("a", "tg-emoji", "tg-time")
_REFERENCE = re.compile(rb"&(#x?[0-9a-fA-F]+|lt|gt|amp|quot);?")
_NAMED = {b"lt": "<", b"gt": ">", b"amp": "&", b"quot": '"'}
_SPACE = b" \t\n\r\x0b\x0c"


@dataclass
class _Tag:
    """A start tag that waits for its end."""

    name: str
    attributes: dict[str, str]
    offset: int


def parse(text: str, users: Users) -> Formatted:
    """Read the HTML; raise Telegram's error for what it does not take."""
    return _Parser(text, users).run()


def _unparsable(text: str) -> ApiError:
    return bad_request(f"can't parse entities: {text}")


class _Parser:
    """One pass over the bytes; a zero byte at the end stands for "nothing more"."""

    def __init__(self, text: str, users: Users) -> None:
        self._raw = text.encode("utf-8").replace(b"\0", b"") + b"\0"
        self._users = users
        self._at = 0
        self._out = bytearray()
        self._open: list[_Tag] = []
        self._entities: list[Json] = []

    def run(self) -> Formatted:
        while (byte := self._raw[self._at : self._at + 1]) != b"\0":
            if byte == b"&" and (letter := self._reference()):
                self._out += letter.encode("utf-8")
            elif byte != b"<":
                self._out += byte
                self._at += 1
            elif self._raw[self._at + 1 : self._at + 2] == b"/":
                self._end_tag()
            else:
                self._start_tag()
        if self._open:
            raise _unparsable(f'Can\'t find end tag corresponding to start tag "{self._open[-1].name}"')
        return Formatted(self._out.decode("utf-8"), self._entities)

    def _offset(self) -> int:
        return width(self._out.decode("utf-8"))

    def _reference(self) -> str:
        """A character reference here, stepped over; nothing if the ampersand stands for itself."""
        match = _REFERENCE.match(self._raw, self._at)
        if match is None:
            return ""
        name = match.group(1)
        if name.startswith(b"#"):
            digits = name[1:]
            hexadecimal = digits[:1] == b"x"
            try:
                code = int(digits[1:] if hexadecimal else digits, 16 if hexadecimal else 10)
            except ValueError:
                return ""
            if not 0 < code < 0x10FFFF or 0xD800 <= code <= 0xDFFF:
                return ""
            letter = chr(code)
        else:
            letter = _NAMED[name]
        self._at = match.end()
        return letter

    def _until(self, stops: bytes) -> str:
        start = self._at
        while self._raw[self._at] not in stops + b"\0":
            self._at += 1
        return self._raw[start : self._at].decode("utf-8", "replace")

    def _skip_space(self) -> None:
        while self._raw[self._at] in _SPACE:
            self._at += 1

    def _here(self) -> bytes:
        return self._raw[self._at : self._at + 1]

    def _start_tag(self) -> None:
        begin = self._at
        self._at += 1
        name = self._until(_SPACE + b">").lower()
        if self._here() == b"\0":
            raise _unparsable(f"Unclosed start tag at byte offset {begin}")
        if name not in _STYLES and name not in _OTHER:
            raise _unparsable(f'Unsupported start tag "{name}" at byte offset {begin}')
        attributes: dict[str, str] = {}
        while True:
            self._skip_space()
            if self._here() == b">":
                break
            key = self._until(_SPACE + b"=>/\"'")
            if not key:
                raise _unparsable(f'Empty attribute name in the tag "{name}" at byte offset {begin}')
            self._skip_space()
            attributes[key] = ""
            if self._here() == b"=":
                self._at += 1
                self._skip_space()
                attributes[key] = self._value(name, begin)
            elif self._here() == b"\0":
                raise _unparsable(f'Unclosed start tag "{name}" at byte offset {begin}')
        self._at += 1
        if name == "span" and attributes.get("class") != "tg-spoiler":
            raise _unparsable(f'Tag "span" must have class "tg-spoiler" at byte offset {begin}')
        self._open.append(_Tag(name, attributes, self._offset()))

    def _value(self, tag: str, begin: int) -> str:
        quote = self._here()
        if quote == b"\0":
            raise _unparsable(f'Unclosed start tag "{tag}" at byte offset {begin}')
        if quote not in (b'"', b"'"):
            token = self._at
            while re.match(rb"[0-9A-Za-z.-]", self._here()):
                self._at += 1
            if self._raw[self._at] not in _SPACE + b">":
                raise _unparsable(f"Unexpected end of name token at byte offset {token}")
            return self._raw[token : self._at].decode("utf-8").lower()
        self._at += 1
        value = bytearray()
        while self._here() not in (quote, b"\0"):
            if self._here() == b"&" and (letter := self._reference()):
                value += letter.encode("utf-8")
                continue
            value += self._here()
            self._at += 1
        if self._here() == quote:
            self._at += 1
        if self._here() == b"\0":
            raise _unparsable(f"Unclosed start tag at byte offset {begin}")
        return value.decode("utf-8", "replace")

    def _end_tag(self) -> None:
        begin = self._at
        if not self._open:
            raise _unparsable(f"Unexpected end tag at byte offset {begin}")
        self._at += 2
        name = self._until(_SPACE + b">")
        self._skip_space()
        if self._here() != b">":
            raise _unparsable(f"Unclosed end tag at byte offset {begin}")
        self._at += 1
        tag = self._open.pop()
        if name and name != tag.name:
            raise _unparsable(f'Unmatched end tag at byte offset {begin}, expected "</{tag.name}>", found "</{name}>"')
        if (length := self._offset() - tag.offset) > 0 and (entity := self._entity(tag, length)):
            self._entities.append(entity)

    def _entity(self, tag: _Tag, length: int) -> Json | None:
        place: Json = {"offset": tag.offset, "length": length}
        if tag.name == "a":
            return self._link(tag, length)
        if tag.name == "tg-time":
            attributes = tag.attributes
            return date_time(tag.offset, length, attributes.get("unix", ""), attributes.get("format", ""))
        if tag.name == "tg-emoji":
            emoji = tag.attributes.get("emoji-id", "")
            if not emoji.isdigit():
                raise _unparsable("Invalid custom emoji identifier specified")
            return place | {"type": "custom_emoji", "custom_emoji_id": emoji}
        if tag.name == "blockquote" and "expandable" in tag.attributes:
            return place | {"type": "expandable_blockquote"}
        language = tag.attributes.get("class", "").removeprefix("language-")
        if tag.name == "code" and language and self._open and self._open[-1].name == "pre":
            # Telegram has no code inside pre: the pair is one pre with a language.
            self._open[-1].attributes["language"] = language
            return None
        if tag.name == "pre" and "language" in tag.attributes:
            return place | {"type": "pre", "language": tag.attributes["language"]}
        return place | {"type": _STYLES[tag.name]}

    def _link(self, tag: _Tag, length: int) -> Json | None:
        url = tag.attributes.get("href", "") or self._out.decode("utf-8")[-length:]
        if person := re.fullmatch(r"tg://user\?id=(\d+)", url):
            return mention(tag.offset, length, int(person.group(1)), self._users)
        if re.fullmatch(r"(https?|tg|tonsite)://\S+", url, re.IGNORECASE) is None:
            if re.fullmatch(r"[\w-]+(\.[\w-]+)+(/\S*)?", url) is None:
                return None
            url = f"http://{url}"
        if re.fullmatch(r"https?://[^/?#]+", url):
            url += "/"
        return {"offset": tag.offset, "length": length, "type": "text_link", "url": url}
