"""Boards as whole texts, in every phase and language; and what must hold for every board."""

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.cards import Card
from domain.hand import HandClass
from domain.presets import HOME_POT
from domain.settings import Settings
from domain.table import HANDS_OF_A_MOVE, Phase, PlayedHand, Seat, Table
from tests.domain.tables import ANN, BOB, CAT, NAMES, cards, turn
from tests.tgbot.boards import drawn, recorded
from tests.tgbot.drawing import IN_A_MINUTE, NOW, board, keys, parsed, picture, read, scene
from tests.tgbot.evening import PLAYED, SCENES, lobby
from tests.tgbot.test_names import HOSTILE
from tgbot.board import draw, draw_past
from tgbot.sheet import Scene, display_name
from tgbot.words import LANGUAGES, words

LONGEST_MESSAGE = 4096
A_PHONE_IS_WIDE = 40
_SENTENCES = {
    *(name for name in SCENES if "lobby" in name),
    *("joint winners", "closed before the start", "everybody left"),
}
"""Boards that are read like a letter: their lines may break."""
EVERY = pytest.mark.parametrize("language", LANGUAGES)


# -- as whole texts --------------------------------------------------------------------------------


@EVERY
@pytest.mark.parametrize("name", recorded("en"))
def test_a_board_is_as_it_was_recorded(name: str, language: str) -> None:
    """``python -m tests.tgbot.boards`` records them anew."""
    assert dict(drawn(language))[name] == recorded(language)[name]


@EVERY
def test_nothing_is_recorded_that_is_not_looked_at(language: str) -> None:
    assert [*recorded(language)] == [name for name, _ in drawn(language)]


@pytest.mark.parametrize("name", SCENES)
def test_the_same_table_has_the_same_board(name: str) -> None:
    assert board(SCENES[name]()) == board(SCENES[name]())


@pytest.mark.parametrize("name", SCENES)
def test_every_language_has_its_own_words(name: str) -> None:
    english, polish = (picture(SCENES[name](), language).split("\n") for language in LANGUAGES)
    assert len(english) == len(polish), "but the same lines"
    names = [line for line in english if line in polish and line.strip("🏆 ")]
    assert not [line for line in names if any(word in line for word in ("turn", "pot", "chips", "card", "round"))]


# -- what a reader needs ---------------------------------------------------------------------------


@EVERY
def test_no_line_of_a_game_is_wider_than_a_phone(language: str) -> None:
    """Lines that break where they like cannot be taken in at a glance; only letters and lobbies may."""
    lines = {
        line
        for name in SCENES.keys() - _SENTENCES
        for line in read(board(SCENES[name](), language).text).split("\n")
        if len(line) > A_PHONE_IS_WIDE and not line.startswith("In-Between")
    }
    assert not lines


@EVERY
def test_a_sentence_of_a_lobby_fits_into_two_lines_and_a_title_into_one(language: str) -> None:
    for name in _SENTENCES:
        title, *lines = read(board(SCENES[name](), language).text).split("\n")
        assert len(title) <= A_PHONE_IS_WIDE
        assert max(map(len, lines)) <= 2 * A_PHONE_IS_WIDE


@EVERY
@pytest.mark.parametrize("name", PLAYED)
def test_the_question_stands_last_and_names_who_is_asked(name: str, language: str) -> None:
    table = SCENES[name]()
    if table.phase is Phase.REST:
        return
    paragraphs = read(board(table, language).text).split("\n\n")
    assert paragraphs[-1].startswith(NAMES[table.actor or 0])
    assert all(str(card) in paragraphs[-1] for card in table.posts)


@pytest.mark.parametrize("name", SCENES)
def test_a_board_has_no_gaps(name: str) -> None:
    for text in (picture(SCENES[name]()), read(draw_past(SCENES[name](), scene(), words("en")).text)):
        assert text == text.strip()
        assert "\n\n\n" not in text
        assert not [line for line in text.split("\n") if line != line.rstrip()]


@pytest.mark.parametrize("name", SCENES)
def test_a_past_board_has_nothing_to_tap_and_no_question(name: str) -> None:
    past = draw_past(SCENES[name](), scene(), words("en"))
    assert past.keyboard is None
    assert "your turn" not in past.text
    assert "tg-time" not in past.text


def test_a_name_and_its_chips_are_never_broken_apart() -> None:
    text = parsed(board(SCENES["a question"]()).text).text
    assert "Ann\u2069\u00a010" in text
    assert "Cat\u2069\u00a010\u00a0(deals)" in text


def test_a_table_without_its_draw_shows_three_hands() -> None:
    table = SCENES["a question after two hands"]()
    older = tuple(replace(hand, move=n) for n, hand in enumerate(table.played * 3))
    hands = [line for line in picture(replace(table, played=older)).split("\n") if "→" in line]
    assert len(hands) == 3


def test_the_time_is_counted_down_by_the_readers_client() -> None:
    table = SCENES["a question"]()
    entity = parsed(draw(table, scene(), words("en")).text).entities[-1]
    assert entity["type"] == "date_time"
    assert entity["unix_time"] == int(IN_A_MINUTE.timestamp())
    assert entity["date_time_format"] == "r"


def test_a_server_that_knows_no_times_gets_words() -> None:
    text = draw(SCENES["a question"](), scene(countdown=False), words("en")).text
    assert "tg-time" not in text
    assert "⏳ time: 60 seconds" in read(text)


def test_a_deadline_that_has_passed_is_no_negative_time() -> None:
    table = SCENES["a question"]()
    late = Scene(7, NAMES, NOW - timedelta(seconds=5), NOW)
    assert "0 seconds" in read(draw(table, late, words("en")).text)


def test_a_table_without_a_deadline_shows_none() -> None:
    assert "⏳" not in draw(SCENES["a question"](), scene(due=False), words("en")).text


def test_somebody_without_a_readable_name_is_called_by_his_place() -> None:
    names = {ANN: "\u200b", BOB: "", CAT: "Cat"}
    assert "Player 1 10 · Player 2 10\nCat 10" in picture(SCENES["a question"](), names=names)
    assert "Gracz 1 10 · Gracz 2 10" in picture(SCENES["a question"](), "pl", names)
    assert display_name(Scene(7, {}), ANN, 3, words("en")) == "Player 3"


def test_a_pot_that_nobody_could_fill_is_not_said_to_be_filled() -> None:
    text = picture(SCENES["a rest of the broke"]())
    assert "won the whole pot" in text
    assert "puts in" not in text


def test_the_stars_of_a_long_list_stand_side_by_side() -> None:
    few, many = (_ended_with(players) for players in (8, 9))
    assert "Player 1\u00a0100" in _visible(few).split("\n")
    assert "Player 1\u00a0100 · Player 2\u00a0100 · Player 3\u00a0100" not in _visible(few)
    assert "Player 1\u00a0100 · Player 2\u00a0100" in _visible(many)


def _ended_with(players: int) -> Table:
    seats = tuple(Seat(player=n, chips=100) for n in range(1, players + 1))
    return Table(rules=HOME_POT, settings=Settings(), host=1, phase=Phase.ENDED, seats=seats, round=3, move=9, asked=9)


def _visible(table: Table) -> str:
    return parsed(draw(table, Scene(7, {}), words("en")).text).text.translate({0x2068: None, 0x2069: None})


# -- the longest board -----------------------------------------------------------------------------

_MANY = tuple(range(5_000_000_001, 5_000_000_018))
_MOST_CHIPS = 1_000_000


def _full_table(**more: object) -> Table:
    """Seventeen players, forty hands in one move, numbers as large as they get, and everything said at once."""
    hand = PlayedHand(
        move=50,
        player=0,
        cards=cards("TH TS TC"),
        hand=HandClass.GUESS_MATCH,
        bet=_MOST_CHIPS,
        gain=-_MOST_CHIPS,
        pot=_MOST_CHIPS,
        pot_emptied=False,
        by_clock=True,
    )
    hands = [replace(hand, player=_MANY[n % 17], hand=list(HandClass)[n % 12]) for n in range(HANDS_OF_A_MOVE)]
    seats = [Seat(player=player, chips=_MOST_CHIPS, away=n % 2 == 0) for n, player in enumerate(_MANY)]
    values = {
        "phase": Phase.DECIDE,
        "seats": tuple(seats),
        "played": tuple(hands),
        "dealer": _MANY[0],
        "actor": _MANY[1],
        "votes": _MANY[:8],
        "pot": 17 * _MOST_CHIPS,
        "round": 1000,
        "shoe": turn({ANN: 10, BOB: 10}, "TH 2S", dealer=BOB, pot=4).table.shoe,
        **more,
    }
    return Table(
        rules=HOME_POT,
        settings=Settings(chips=_MOST_CHIPS, rebuys=None),
        host=_MANY[0],
        move=50,
        asked=50,
        **values,  # type: ignore[arg-type]
    )


_DRAWS = tuple((player, Card.parse("TH")) for player in _MANY * 2)
_LONGEST_BOARDS = {
    "a question": _full_table(),
    "a cut after a long draw": _full_table(phase=Phase.CUT, draws=_DRAWS, round=0),
    "a rest": _full_table(phase=Phase.REST, actor=None),
    "the last round": _full_table(ending=True),
    "a lobby": _full_table(phase=Phase.LOBBY, round=0),
    "the end": _full_table(phase=Phase.ENDED, actor=None),
    "the end for those who left": _full_table(
        phase=Phase.ENDED, seats=tuple(Seat(player=player, cashed=_MOST_CHIPS, gone=True) for player in _MANY)
    ),
}


@EVERY
@pytest.mark.parametrize("raw", HOSTILE, ids=range(len(HOSTILE)))
def test_the_board_of_a_full_table_fits_into_one_message(raw: str, language: str) -> None:
    names = dict.fromkeys(_MANY, raw)
    for what, table in _LONGEST_BOARDS.items():
        for drawing in (draw(table, scene(names), words(language)), draw_past(table, scene(names), words(language))):
            assert 0 < len(parsed(drawing.text).text) <= LONGEST_MESSAGE, what


@given(st.lists(st.text(max_size=129), min_size=17, max_size=17))
def test_seventeen_of_any_names_fit_and_can_be_parsed(raw: list[str]) -> None:
    names = dict(zip(_MANY, raw, strict=True))
    text = parsed(draw(_full_table(), scene(names), words("pl")).text)
    assert len(text.text) <= LONGEST_MESSAGE
    assert {entity["type"] for entity in text.entities} <= {"bold", "date_time"}
    assert text.text.count("\u2068") == text.text.count("\u2069"), "no name turns the direction of what follows"


@pytest.mark.parametrize("raw", HOSTILE, ids=range(len(HOSTILE)))
def test_a_hostile_name_adds_nothing_to_a_board_but_itself(raw: str) -> None:
    """The lines, the buttons and what is marked are those of a table of Anns."""
    for name in ("a lobby of four", "a cut, with the draw", "a question after two hands", "one winner"):
        table = SCENES[name]()
        plain, hostile = board(table), board(table, names=dict.fromkeys(NAMES, raw))
        kinds = [[entity["type"] for entity in parsed(html).entities] for html in (plain.text, hostile.text)]
        assert kinds[0] == kinds[1]
        assert keys(plain.keyboard) == keys(hostile.keyboard)
        more = len(parsed(hostile.text).text.split("\n")) - len(parsed(plain.text).text.split("\n"))
        assert abs(more) < len(table.present) + len(table.draws), "rows of names break elsewhere, nothing else"


def test_the_lobby_names_the_one_who_may_start() -> None:
    assert "Everybody here? Ann starts the game." in picture(lobby(BOB))
