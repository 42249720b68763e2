"""The buttons of a board: each is an answer that the table takes, in every position that play can reach (I6, I19)."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain import commands as c
from domain.choices import Bounds, choices
from domain.hand import Side
from domain.play import decide, open_table, play
from domain.refusals import Reason, Refusal
from domain.rules import Rules
from domain.settings import Settings
from domain.table import Phase, Player, Table
from tests.domain.strategies import legal_rules, legal_settings
from tests.tgbot.drawing import NUMBER, keys, taps
from tests.tgbot.evening import PLAYED, SCENES, lobby
from tgbot.buttons import Tap, Word
from tgbot.keyboard import cut_places, keyboard, shares
from tgbot.phases import ALWAYS, PHASES
from tgbot.words import LANGUAGES, words

PEOPLE = tuple(range(5_000_000_001, 5_000_000_009))
STRANGER = 5_000_000_099
"""Somebody who has not joined yet, however many have."""
_COMMANDS: dict[Word, Callable[[Player, int], c.Command]] = {
    Word.JOIN: lambda who, _: c.Join(who),
    Word.START: lambda who, _: c.Start(who, "5eed" * 16),
    Word.LEAVE: lambda who, _: c.Leave(who),
    Word.CUT: c.Cut,
    Word.STAKE: c.PutUp,
    Word.BET: c.Bet,
    Word.HIGH: lambda who, _: c.CallAce(who, low=False),
    Word.LOW: lambda who, _: c.CallAce(who, low=True),
    Word.HIGHER: lambda who, _: c.Guess(who, Side.HIGHER),
    Word.LOWER: lambda who, _: c.Guess(who, Side.LOWER),
    Word.RAISE: c.Raise,
    Word.PASS: lambda who, _: c.Pass(who),
    Word.BACK: lambda who, _: c.Back(who),
    Word.REBUY: lambda who, _: c.Rebuy(who),
    Word.END: lambda who, _: c.End(who),
}
_ANSWERS = frozenset(word for word in _COMMANDS if word.answers)


# -- random evenings -------------------------------------------------------------------------------


@st.composite
def games(draw: st.DrawFn) -> tuple[Rules, Settings, int]:
    """Any legal game, and how many sit down."""
    rules = draw(legal_rules())
    return rules, draw(legal_settings(rules)), draw(st.integers(2, 6))


def evening(rules: Rules, settings: Settings, players: int, luck: Random) -> Iterator[Table]:
    """The positions of an evening in which people tap what they see, leave, join, sleep and end."""
    host, *others = PEOPLE[:players]
    table = open_table(host, rules, settings)[1]
    yield table
    for other in others[: settings.seats - 1]:
        table = play(table, c.Join(other))[1]
        yield table
    for _ in range(40):
        if table.phase is Phase.ENDED:
            return
        try:
            table = play(table, _something(table, luck))[1]
        except Refusal:
            continue
        yield table


def _something(table: Table, luck: Random) -> c.Command:
    anybody = luck.choice(PEOPLE)
    if luck.random() < 0.15:
        said: list[c.Command] = [c.Join(anybody), c.Leave(anybody), c.Back(anybody), c.Rebuy(anybody), c.End(anybody)]
        return luck.choice(said)
    if luck.random() < 0.2 and table.phase is not Phase.LOBBY:
        return c.RunOutOfTime(table.asked)
    tap = luck.choice([tap for tap in _taps(table) if tap.word in _COMMANDS] or [Tap(Word.JOIN)])
    who = table.actor if tap.word in _ANSWERS else table.host if tap.word is Word.START else anybody
    return _COMMANDS[tap.word](who or anybody, tap.amount or 0)


def _taps(table: Table) -> list[Tap]:
    return taps(keyboard(table, NUMBER, words("en")))


@given(games(), st.integers(0, 2**32))
def test_every_button_is_accepted_by_the_table(game: tuple[Rules, Settings, int], luck: int) -> None:
    for table in evening(*game, Random(luck)):
        for tap in _taps(table):
            if tap.word in _ANSWERS:
                assert table.actor is not None
                decide(table, _COMMANDS[tap.word](table.actor, tap.amount or 0))
            else:
                assert _somebody_may(table, tap), f"{tap} is on the board and nobody may tap it"


def _somebody_may(table: Table, tap: Tap) -> bool:
    if tap.word not in _COMMANDS:
        return True  # a question to the bot, not a move
    if tap.word is Word.START and len(table.seats) < table.rules.fewest_players:
        return _refusal(table, c.Start(table.host, "5eed" * 16)) is Reason.TOO_FEW  # it says what is missing
    if tap.word is Word.JOIN and len(table.present) + len(table.arrivals) >= table.settings.seats:
        return True
    return any(_refusal(table, _COMMANDS[tap.word](who, 0)) is None for who in (*PEOPLE, STRANGER))


def _refusal(table: Table, command: c.Command) -> Reason | None:
    try:
        decide(table, command)
    except Refusal as refused:
        return refused.reason
    return None


@given(games(), st.integers(0, 2**32))
def test_the_keyboard_of_every_position_is_well_made(game: tuple[Rules, Settings, int], luck: int) -> None:
    for table in evening(*game, Random(luck)):
        for language in LANGUAGES:
            markup = keyboard(table, 10**18 - 1, words(language))
            rows = markup.inline_keyboard
            expected = 1 if table.phase is Phase.ENDED else 2
            assert len(rows) == expected, "two rows throughout (trap 24)"
            assert all(1 <= len(row) <= 5 for row in rows)
            assert all(isinstance(key.callback_data, str) for row in rows for key in row)
            assert all(len(str(key.callback_data).encode()) <= 64 for row in rows for key in row)
            assert all(key.text.strip() for row in rows for key in row)
            assert all(tap.table == 10**18 - 1 and tap.move == table.move for tap in taps(markup))
            assert len(set(taps(markup))) == sum(map(len, rows)), "no button twice, none that cannot be read"


@given(games(), st.integers(0, 2**32))
def test_amounts_rise_and_reach_from_the_least_to_the_most(game: tuple[Rules, Settings, int], luck: int) -> None:
    for table in evening(*game, Random(luck)):
        question = choices(table)
        places = [tap.amount or 0 for tap in _taps(table) if tap.word is Word.CUT]
        assert bool(places) is (question.cut is not None)
        assert places == sorted(set(places))
        for word, bounds in ((Word.BET, question.bet), (Word.STAKE, question.stake)):
            amounts = [tap.amount or 0 for tap in _taps(table) if tap.word is word]
            assert amounts == sorted(set(amounts))
            assert not amounts if bounds is None else (amounts[0], amounts[-1]) == (bounds.least, bounds.most)
        raises = [tap.amount or 0 for tap in _taps(table) if tap.word is Word.RAISE]
        assert not raises if question.more is None else {0, question.more.most} <= {*raises}
        passes = [tap for tap in _taps(table) if tap.word is Word.PASS]
        assert bool(passes) is (question.pass_cost is not None)


@given(games(), st.integers(0, 2**32))
def test_every_button_has_a_handler_in_its_phase(game: tuple[Rules, Settings, int], luck: int) -> None:
    """Otherwise it would be called the button of an earlier hand."""
    for table in evening(*game, Random(luck)):
        if table.phase is Phase.ENDED:
            continue
        patterns = [getattr(handler, "pattern", None) for handler in (*PHASES[table.phase], *ALWAYS)]
        for tap in _taps(table):
            assert any(callable(pattern) and pattern(tap.pack()) for pattern in patterns), tap


# -- whole keyboards -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("a lobby of one", ["[Join*] [Start]", "[Game…] [Rules] [Leave]"]),
        ("a lobby of four", ["[Join] [Start*]", "[Game…] [Rules] [Leave]"]),
        ("a cut, with the draw", ["[✂ 7] [✂ 16] [✂ 26] [✂ 35] [✂ 44]", "[Elsewhere…] [⋯]"]),
        ("a question", ["[1] [2] [Pot 4*]", "[Other…] [Odds] [⋯]"]),
        ("a stack below the pot", ["[1] [All 3*]", "[Other…] [Odds] [⋯]"]),
        ("one chip in the pot", ["[Pot 1*]", "[Odds] [⋯]"]),
        ("a free pass", ["[1] [2] [Pot 4*] [Pass]", "[Other…] [Odds] [⋯]"]),
        ("a pass that costs", ["[1] [2] [Pot 4*] [Pass (1)]", "[Other…] [Odds] [⋯]"]),
        ("somebody is away", ["[1] [2] [Pot 4*]", "[Other…] [Odds] [I'm back] [⋯]"]),
        ("somebody is broke", ["[1] [2] [Pot 4*]", "[Other…] [Odds] [Buy chips] [⋯]"]),
        ("a bank", ["[1] [2] [5] [10*] [Fold]", "[Other…] [Odds] [⋯]"]),
        ("a blind bet", ["[1] [2] [5] [10*] [Sit out]", "[Other…] [⋯]"]),
        ("a stake to put up", ["[1] [15] [30] [60*]", "[Other…] [⋯]"]),
        ("an ace", ["[High] [Low]", "[⋯]"]),
        ("a pair", ["[Higher] [Lower] [Pass]", "[Odds] [⋯]"]),
        ("a pair guessed lower", ["[1] [2] [4] [Pot 9*] [Pass]", "[Other…] [Odds] [⋯]"]),
        ("a raise", ["[+20] [+40*] [Stay]", "[Other…] [Odds] [⋯]"]),
        ("a rest", ["[Stop the game]", "[I'm back] [⋯]"]),
        ("one winner", ["[New game]"]),
        ("closed before the start", ["[New game]"]),
    ],
)
def test_the_keyboard_of_a_scene(name: str, rows: list[str]) -> None:
    assert keys(keyboard(SCENES[name](), NUMBER, words("en"))) == rows


@pytest.mark.parametrize("name", PLAYED)
def test_one_answer_at_most_stands_out(name: str) -> None:
    rows = keyboard(SCENES[name](), NUMBER, words("en")).inline_keyboard
    assert len([key for row in rows for key in row if key.style]) <= 1


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", SCENES)
def test_a_row_fits_on_a_phone(name: str, language: str) -> None:
    """About 36 characters a row, and each button needs some three for its frame."""
    for row in keyboard(SCENES[name](), NUMBER, words(language)).inline_keyboard:
        assert sum(len(key.text) + 2 for key in row) <= 40


def test_the_lobby_offers_the_start_from_the_second_player_on() -> None:
    assert "[Start*]" not in keys(keyboard(lobby(), NUMBER, words("en")))[0]
    assert "[Start*]" in keys(keyboard(lobby(2), NUMBER, words("en")))[0]


# -- amounts ---------------------------------------------------------------------------------------


def _bounds(least: int, most: int) -> Bounds:
    return Bounds(least, ((Reason.BET_ABOVE_STACK, most),))


@pytest.mark.parametrize(
    ("least", "most", "pot", "amounts"),
    [
        (1, 100, 100, [1, 25, 50, 100]),
        (1, 8, 8, [1, 2, 4, 8]),
        (1, 5, 5, [1, 2, 5]),
        (1, 3, 3, [1, 3]),
        (1, 2, 2, [1, 2]),
        (1, 1, 1, [1]),
        (1, 3, 100, [1, 3]),
        (1, 30, 100, [1, 25, 30]),
        (5, 100, 100, [5, 25, 50, 100]),
        (5, 8, 8, [5, 8]),
        (2, 2, 2, [2]),
        (1, 50, 100, [1, 25, 50]),
        (1, 10, 0, [1, 2, 5, 10]),
        (1, 17_000_000, 17_000_000, [1, 4_250_000, 8_500_000, 17_000_000]),
    ],
)
def test_ready_made_bets_are_the_least_a_quarter_half_and_the_most(
    least: int, most: int, pot: int, amounts: list[int]
) -> None:
    assert shares(_bounds(least, most), pot) == [(amount, amount == most) for amount in amounts]


@given(st.integers(1, 400), st.integers(3, 20))
def test_five_places_to_cut_lie_spread_over_the_deck(most: int, least: int) -> None:
    bounds = _bounds(least, least + most + 10)
    places = cut_places(bounds)
    assert len(set(places)) == 5
    assert places == sorted(places)
    assert bounds.least <= places[0]
    assert places[-1] <= bounds.most


def test_a_move_later_the_same_buttons_belong_to_another_question() -> None:
    table = SCENES["a question"]()
    later = replace(table, move=table.move + 1)
    assert {tap.move for tap in _taps(table)} != {tap.move for tap in _taps(later)}
