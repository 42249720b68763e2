"""A whole game of every preset, set up and played by buttons alone: each button that the game can show is tapped."""

from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from itertools import count

import pytest

from domain import commands as c
from domain.choices import choices
from domain.hand import Side
from domain.play import open_table, play
from domain.presets import PRESETS
from domain.rules import Ace, Counterparty, PairKind, Rules
from domain.settings import Settings
from domain.table import Phase, Player, Table
from tests.journeys.evening import Evening, Person, Shown
from tests.journeys.luck import FIRST_PERSON
from tgbot.buttons import Tap, Word, read_tap
from tgbot.keyboard import keyboard
from tgbot.menu import GAMES, SETTINGS, Page
from tgbot.words import words

PLAYERS = ("Ada", "Bo", "Cem")
ROUNDS = 3
ASIDE = (Word.OTHER, Word.ODDS, Word.MORE)
"""Buttons that ask something of the bot and move nothing."""


# -- what can be tapped ----------------------------------------------------------------------------


def expected(rules: Rules, settings: Settings) -> set[str]:
    """Every kind of button that a game with these rules shows sooner or later."""
    found = {"bet", "bet most", "other", "more"}
    found |= {"cut"} if settings.cut else set()
    found |= {"stake"} if rules.counterparty is Counterparty.STAKE else set()
    found |= {"pass"} if rules.pass_cost is not None else set()
    found |= {"high", "low"} if rules.ace is Ace.FIRST else set()
    found |= {"higher", "lower"} if rules.pair.kind is PairKind.GUESS else set()
    found |= {"raise", "stay"} if rules.raises else set()
    found |= {"odds"} if rules.raises or not rules.blind else set()
    return found


def kind_of(tap: Tap, all_taps: Sequence[Tap]) -> str:
    """What a button is for: the greatest bet is another thing than a smaller one."""
    bets = [other for other in all_taps if other.word is Word.BET]
    if tap.word is Word.BET and len(bets) > 1 and tap == bets[-1]:
        return "bet most"
    return "stay" if tap.word is Word.RAISE and tap.amount == 0 else tap.word.value


def wanted(taps: Sequence[Tap], done: set[str], named: set[str]) -> Tap:
    """The first button that has not been tapped in this game, or else the first answer."""
    new = (tap for tap in taps if kind_of(tap, taps) in named - done)
    return next(new, next(tap for tap in taps if tap.word not in ASIDE))


# -- luck ------------------------------------------------------------------------------------------


def seed_that_shows_all(rules: Rules, settings: Settings) -> str:
    """A seed with which every kind of button is tapped in an evening of a few rounds."""
    people, named = range(FIRST_PERSON, FIRST_PERSON + len(PLAYERS)), expected(rules, settings)
    _, lobby = open_table(people[0], rules, settings)
    for player in people[1:]:
        _, lobby = play(lobby, c.Join(player))
    for number in count():
        seed, done = sha256(str(number).encode()).hexdigest(), set[str]()
        table = play(lobby, c.Start(people[0], seed))[1]
        while table.phase is not Phase.ENDED:
            rows = keyboard(table, 1, words("en")).inline_keyboard
            taps = [tap for row in rows for key in row if (tap := read_tap(key.callback_data))]
            tap = wanted(taps, done, named)
            done.add(kind_of(tap, taps))
            if tap.word not in (Word.ODDS, Word.MORE):
                assert table.actor is not None
                table = play(table, answer(tap, table, table.actor))[1]
        if named <= done:
            return seed
    raise AssertionError


def answer(tap: Tap, table: Table, player: Player) -> c.Command:
    """The command behind a button; whoever is asked for another amount writes the least."""
    commands: Mapping[Word, Callable[[], c.Command]] = {
        Word.CUT: lambda: c.Cut(player, tap.amount or 0),
        Word.STAKE: lambda: c.PutUp(player, tap.amount or 0),
        Word.BET: lambda: c.Bet(player, tap.amount or 0),
        Word.PASS: lambda: c.Pass(player),
        Word.HIGH: lambda: c.CallAce(player, low=False),
        Word.LOW: lambda: c.CallAce(player, low=True),
        Word.HIGHER: lambda: c.Guess(player, Side.HIGHER),
        Word.LOWER: lambda: c.Guess(player, Side.LOWER),
        Word.RAISE: lambda: c.Raise(player, tap.amount or 0),
        Word.OTHER: lambda: _typed(table, player),
    }
    return commands[tap.word]()


def _typed(table: Table, player: Player) -> c.Command:
    amount, asked = least(table), choices(table)
    kind = c.Cut if asked.cut else c.PutUp if asked.stake else c.Raise if asked.more else c.Bet
    return kind(player, amount)


def least(table: Table) -> int:
    """The least number that answers the open question."""
    asked = choices(table)
    bounds = asked.cut or asked.stake or asked.more or asked.bet
    assert bounds is not None
    return bounds.least


# -- the evening -----------------------------------------------------------------------------------


async def press(person: Person, evening: Evening, word: Word, amount: int | None = None) -> str:
    """Tap the button with this meaning on the board."""
    for button in evening.board.buttons:
        tap = read_tap(button.data)
        if tap and tap.word is word and tap.amount == amount:
            return await person.presses(button.data, button.message)
    raise AssertionError(f"no button {word} {amount} on\n{evening.board.text}\n{evening.board.captions}")


async def set_up(evening: Evening, host: Person, preset: str) -> None:
    """The game and the number of rounds, by the lobby's menu."""
    await host.writes("/newgame")
    await press(host, evening, Word.PAGE, Page.GAMES)
    await press(host, evening, Word.PRESET, GAMES.index(preset))
    await press(host, evening, Word.PAGE, Page.TABLE)
    while evening.table.settings.rounds != ROUNDS:
        await press(host, evening, Word.SETTING, [*SETTINGS].index("rounds"))
    await press(host, evening, Word.PAGE, Page.CARD)


async def tap_all(evening: Evening, named: set[str]) -> set[str]:
    """Play until the game is over, always by a button not yet tapped if there is one; which ones they were."""
    done: set[str] = set()
    while evening.table.phase is not Phase.ENDED:
        board, actor = evening.board, evening.room.actor
        buttons = {tap: button for button in board.buttons if (tap := read_tap(button.data))}
        tap = wanted([*buttons], done, named)
        done.add(kind_of(tap, [*buttons]))
        toast = await actor.presses(buttons[tap].data, board.id)
        assert toast or tap.word not in ASIDE, f"{tap.word} says nothing"
        if tap.word is Word.OTHER:
            await actor.replies(evening.said, str(least(evening.table)))
        _reads_well(evening.board, evening.table)
    return done


def _reads_well(board: Shown, table: Table) -> None:
    """The head names what stands against the players, and nothing that was to be filled in is left."""
    assert not {"{", "}", "None"} & {*board.text.split(), *board.text}
    if table.phase in (Phase.STAKE, Phase.ENDED, Phase.LOBBY) or not table.round:
        return
    heads = {
        Counterparty.POT: ("Pot ", "Pula "),
        Counterparty.STAKE: ("Stake ", "W banku "),
        Counterparty.BANKER: ("Bank ", "Bank "),
        Counterparty.HOUSE: ("The house ", "Kasyno: "),
    }
    assert board.text.split("\n")[1].startswith(heads[table.rules.counterparty])


@pytest.mark.parametrize(("language", "kind"), [("en", "sqlite"), ("pl", "postgresql")])
@pytest.mark.parametrize("preset", PRESETS)
async def test_a_whole_game_with_every_button(evening: Evening, preset: str, language: str) -> None:
    """S1-S24 and the house rules: no typed command but /newgame, every button, from the lobby to the winner."""
    host, *guests = await evening.friends(*PLAYERS, language=language)
    await set_up(evening, host, preset)
    assert evening.table.rules == PRESETS[preset]
    evening.seed = seed_that_shows_all(evening.table.rules, evening.table.settings)
    for guest in guests:
        await press(guest, evening, Word.JOIN)
    await press(host, evening, Word.START)
    chips = len(PLAYERS) * evening.table.settings.chips
    named = expected(evening.table.rules, evening.table.settings)

    assert await tap_all(evening, named) >= named

    assert evening.table.round == ROUNDS
    assert sum(seat.chips for seat in evening.table.seats) + evening.table.house == chips
    assert evening.board.captions == [{"en": "New game", "pl": "Nowa gra"}[language]]
    assert "🏆" in evening.board.text
