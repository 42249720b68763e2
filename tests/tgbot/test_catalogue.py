"""The catalogues: complete, without leftovers, with the same placeholders and tags as the source."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from gettext import c2py  # the standard library keeps it to itself
from pathlib import Path
from typing import NamedTuple

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import read_mo
from babel.messages.plurals import get_plural
from babel.messages.pofile import read_po

import tgbot
from domain.presets import PRESETS
from domain.refusals import Reason, Refusal
from tests.tgbot.drawing import parsed
from tgbot import answers
from tgbot.playground.errors import ApiError
from tgbot.replies import more
from tgbot.talk import commands, private_commands
from tgbot.words import LANGUAGES, SOURCE, words

ROOM = Path(tgbot.__file__).parent
LARGEST = 10**18 - 1
_PLACEHOLDER = re.compile(r"\{[^}]*\}")
_TAG = re.compile(r"</?[a-z-]+[^>]*>")
TRANSLATED = [language for language in LANGUAGES if language != SOURCE]


class Said(NamedTuple):
    """A text of the program: the singular, and the plural where it is counted."""

    one: str
    many: str | None
    where: str


# -- what the program says -------------------------------------------------------------------------


@cache
def said() -> tuple[Said, ...]:
    """Every text given to `Words`, wherever it stands: f-strings are parsed like all other code."""
    modules = [path for path in ROOM.rglob("*.py") if "playground" not in path.parts]
    return tuple(text for path in sorted(modules) for text in _said_in(path.name, path.read_text()))


def _said_in(module: str, source: str) -> Iterator[Said]:
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        where = f"{module}:{node.lineno}"
        if isinstance(node.func, ast.Attribute) and node.func.attr == "count" and len(node.args) > 2:
            yield Said(_literal(node.args[0], where), _literal(node.args[1], where), where)
        elif _are_words(node.func) and not isinstance(node.args[0], ast.Starred):
            yield Said(_literal(node.args[0], where), None, where)


def _are_words(what: ast.expr) -> bool:
    """``tr``, ``self.tr``, ``self._tr``, ``words(language)``, ``words_of(update)``, ``await self._words(update)``."""
    match what:
        case ast.Name(name) | ast.Attribute(attr=name):
            return name.lstrip("_") in ("tr", "group")
        case ast.Call(ast.Name(name) | ast.Attribute(attr=name)) | ast.Await(
            ast.Call(ast.Name(name) | ast.Attribute(attr=name))
        ):
            return name.lstrip("_") in ("words", "words_of")
        case _:
            return False


def _literal(node: ast.expr, where: str) -> str:
    assert isinstance(node, ast.Constant), f"{where}: what is translated must be a literal, or no catalogue has it"
    assert isinstance(node.value, str), where
    return node.value


def test_the_texts_of_the_program_are_found_in_f_strings_too() -> None:
    source = """
x = f"<b>{self.tr('in f-strings')}</b>" + tr.count("{n} a", "{n} b", 2) + words_of(u)("by" " " "call")
"""
    found = {text[:2] for text in _said_in("m.py", source)}
    assert found == {("{n} a", "{n} b"), ("by call", None), ("in f-strings", None)}
    with pytest.raises(AssertionError, match="must be a literal"):
        [*_said_in("m.py", 'tr(f"no {name}")')]
    assert len(said()) > 100


def test_no_text_is_said_both_counted_and_plainly() -> None:
    counted = {text.one for text in said() if text.many}
    assert not counted & {text.one for text in said() if not text.many}


# -- catalogues ------------------------------------------------------------------------------------


@cache
def catalogue(language: str) -> Catalog:
    """The catalogue of a language, as its translator writes it."""
    path = ROOM / "locales" / language / "LC_MESSAGES" / "inbetween.po"
    with path.open("rb") as file:
        return read_po(file, locale=language, abort_invalid=True)


def _messages(language: str) -> list[Message]:
    return [message for message in catalogue(language) if message.id]


def _forms(what: str | tuple[str, ...] | list[str] | None) -> tuple[str, ...]:
    return (what,) if isinstance(what, str) else tuple(what or ())


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_text_of_the_program_is_translated(language: str) -> None:
    known = {_forms(message.id) for message in _messages(language)}
    missing = [text for text in said() if ((text.one, text.many) if text.many else (text.one,)) not in known]
    assert not missing, "\n".join(map(str, missing))


@pytest.mark.parametrize("language", TRANSLATED)
def test_nothing_is_translated_that_nobody_says(language: str) -> None:
    used = {(text.one, text.many) if text.many else (text.one,) for text in said()}
    assert not [message.id for message in _messages(language) if _forms(message.id) not in used]
    assert not catalogue(language).obsolete


@pytest.mark.parametrize("language", TRANSLATED)
def test_no_translation_is_empty_or_unsure(language: str) -> None:
    assert not [message.id for message in _messages(language) if message.fuzzy]
    assert not [message.id for message in _messages(language) if not all(map(str.strip, _forms(message.string)))]


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_number_has_its_form(language: str) -> None:
    plural = get_plural(language)
    assert catalogue(language).num_plurals == plural.num_plurals
    ours, theirs = c2py(catalogue(language).plural_expr), c2py(plural.plural_expr)
    assert [ours(n) for n in range(1000)] == [theirs(n) for n in range(1000)]
    counted = [message for message in _messages(language) if message.pluralizable]
    assert not [message.id for message in counted if len(_forms(message.string)) != plural.num_plurals]


@pytest.mark.parametrize("pattern", [_PLACEHOLDER, _TAG], ids=["placeholders", "tags"])
@pytest.mark.parametrize("language", TRANSLATED)
def test_a_translation_has_the_placeholders_and_the_tags_of_its_source(language: str, pattern: re.Pattern[str]) -> None:
    for message in _messages(language):
        singular, *others = [sorted(pattern.findall(form)) for form in _forms(message.id)]
        one, *many = [sorted(pattern.findall(form)) for form in _forms(message.string)]
        assert one in (singular, *others), message.id
        assert all(form == (others or [singular])[0] for form in many), message.id


@pytest.mark.parametrize("language", TRANSLATED)
def test_white_space_at_the_ends_and_line_breaks_are_those_of_the_source(language: str) -> None:
    for message in _messages(language):
        for source, text in zip(_forms(message.id), _forms(message.string), strict=False):
            assert text == text.strip() or source != source.strip()
            assert text.count("\n") == source.count("\n"), message.id


@pytest.mark.parametrize("language", TRANSLATED)
def test_telegram_can_parse_every_translation(language: str) -> None:
    for message in _messages(language):
        for text in _forms(message.string):
            try:
                parsed(text)
            except ApiError as error:
                pytest.fail(f"{text!r}: {error}")


@pytest.mark.parametrize("language", TRANSLATED)
def test_the_compiled_catalogue_is_that_of_the_translator(language: str) -> None:
    """Compiled by ``hatch_build.compile_catalogues`` when the package is installed, or by ``make``."""
    path = ROOM / "locales" / language / "LC_MESSAGES" / "inbetween.mo"
    with path.open("rb") as file:
        compiled = {_forms(message.id): _forms(message.string) for message in read_mo(file) if message.id}
    assert compiled == {_forms(message.id): _forms(message.string) for message in _messages(language)}


# -- lengths ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("reason", Reason)
def test_a_reason_fits_into_a_toast(reason: Reason, language: str) -> None:
    assert 0 < len(answers.refusal(Refusal(reason, LARGEST), words(language))) <= answers.TOAST


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_of_the_answers_fits_into_a_toast_with_the_largest_numbers(language: str) -> None:
    """All that `answers` can say, whatever has happened: the placeholders are chips or numbers."""
    tr = words(language)
    texts = [text for text in said() if text.where.startswith("answers.py")]
    assert len(texts) > 40
    for text in texts:
        chips = {"chips": tr.chips(LARGEST), "bet": LARGEST}
        full = tr.count(text.one, text.many, LARGEST) if text.many else tr(text.one, n=LARGEST, **chips)
        assert 0 < len(full) <= answers.TOAST, full


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_list_of_commands_fits_into_a_toast(language: str) -> None:
    assert all(len(more(rules, words(language))) <= answers.TOAST for rules in PRESETS.values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_descriptions_of_commands_are_as_telegram_takes_them(language: str) -> None:
    tr = words(language)
    for name, what in [*commands(tr), *private_commands(tr)]:
        assert re.fullmatch(r"[a-z0-9_]{1,32}", name)
        assert 1 <= len(what) <= 256
        assert len(f"/{name} – {what}") <= 60, "two lines of a phone"
    about = tr("In-Between (Acey-Deucey) for your group: I deal, keep the pot and never lose a chip.")
    assert len(about) <= 120, "a short description"


MOST = 17 * 1_000_000
"""All chips that seventeen players can bring."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_buttons_of_the_amounts_are_short(language: str) -> None:
    """Four stand side by side; a stack that cannot pay the pot is at most half of all chips."""
    tr = words(language)
    texts = [tr("Pot {n}", n=MOST), tr("All {n}", n=MOST // 2), tr("Pass"), tr("Pass ({cost})", cost=1000)]
    assert not [text for text in texts if len(text) > 14]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_other_buttons_are_short(language: str) -> None:
    tr = words(language)
    in_threes = [tr("Other…"), tr("I'm back"), tr("Buy chips")]
    in_pairs = [tr("Join"), tr("Start"), tr("Leave"), tr("Rules"), tr("New game"), tr("Stop the game")]
    assert not [text for text in in_threes if len(text) > 14]
    assert not [text for text in in_pairs if len(text) > 16]
