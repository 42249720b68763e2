"""Reading over people's shoulders: what the bot has said in an evening, and whether it is in their language."""

import re
from collections.abc import Iterator
from functools import cache
from html import unescape
from pathlib import Path

from babel.messages.pofile import read_po

from tests.journeys.evening import Evening
from tgbot.playground.world import Json

_CATALOGUE = Path(__file__).parents[2] / "tgbot" / "locales" / "pl" / "LC_MESSAGES" / "inbetween.po"


def said(evening: Evening) -> Iterator[str]:
    """Every text that somebody has seen: boards, captions of buttons, toasts, replies and their placeholders."""
    for call in evening.calls():
        request: Json = call["request"]
        markup = request.get("reply_markup") or {}
        yield unescape(re.sub("<[^>]*>", "", request.get("text") or ""))
        yield from (button["text"] for row in markup.get("inline_keyboard", ()) for button in row)
        yield markup.get("input_field_placeholder") or ""


def check_reading(evening: Evening, language: str) -> None:
    """Nothing is left to be filled in, and nothing is in the other language (``en`` or ``pl``)."""
    names = {word for person in evening.people.values() for word in _words(person.name)}
    foreign = _words_of("pl" if language == "en" else "en") - _words_of(language) - names
    texts = {*said(evening)}
    assert [text for text in texts if "{" in text or "}" in text or "None" in text] == []
    assert {word: text for text in texts for word in _words(text) if word in foreign} == {}


def _words(text: str) -> set[str]:
    """The words of a text in small letters; commands, tags and what stands in braces are none."""
    return {*re.findall(r"[^\W\d_]{2,}", re.sub(r"/\w+|<[^>]*>|\{\w*\}", "", text).lower())}


@cache
def _words_of(language: str) -> frozenset[str]:
    """Every word that the bot can say in a language."""
    with _CATALOGUE.open("rb") as file:
        messages = [message for message in read_po(file, locale="pl") if message.id]
    texts = [(message.string or "") if language == "pl" else message.id for message in messages]
    single = [text for found in texts for text in ((found,) if isinstance(found, str) else found)]
    return frozenset(word for text in single for word in _words(text))
