"""A whole game of every preset, set up and played by buttons alone: each button that the game can show is tapped."""

from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from itertools import count

import pytest

from domain import commands as c
from domain.choices import choices
from domain.hand import HandClass, Side
from domain.play import open_table, play
from domain.presets import PRESETS
from domain.rules import Ace, Consecutive, Counterparty, PairKind, Rules, Shuffle
from domain.settings import Settings
from domain.table import Phase, Player, Table
from tests.journeys.evening import Evening, Person, Shown, press
from tests.journeys.luck import FIRST_PERSON
from tests.journeys.reading import check_reading
from tgbot.buttons import Tap, Word, read_tap
from tgbot.keyboard import keyboard
from tgbot.menu import GAMES, SETTINGS, SWITCHES, Page
from tgbot.words import words

PLAYERS = ("Ada", "Bo", "Cem")
ROUNDS = 5
ASIDE = (Word.OTHER, Word.ODDS, Word.MORE)
"""Buttons that ask something of the bot and move nothing."""


# -- what can be tapped ----------------------------------------------------------------------------


def expected(rules: Rules, settings: Settings) -> set[str]:
    """Every kind of button that a game with these rules shows sooner or later."""
    found = {"bet", "bet most", "other bet", "more"}
    found |= {"cut", "other cut"} if settings.cut else set()
    found |= {"stake", "stake most", "other stake"} if rules.counterparty is Counterparty.STAKE else set()
    found |= {"pass"} if rules.pass_cost is not None else set()
    found |= {"high", "low"} if rules.ace is Ace.FIRST else set()
    found |= {"higher", "lower"} if rules.pair.kind is PairKind.GUESS else set()
    found |= {"raise", "stay", "other raise"} if rules.raises else set()
    found |= {"odds"} if rules.raises or not rules.blind else set()
    return found


def situations(rules: Rules) -> set[HandClass]:
    """Every way in which a hand ends sooner or later (three of a kind takes too long to wait for)."""
    found = {HandClass.WIN, HandClass.POST, HandClass.OUTSIDE}
    found |= {HandClass.PASS} if rules.pass_cost is not None else set()
    found |= {
        PairKind.WIN: {HandClass.PAIR},
        PairKind.LOSE_BET: {HandClass.PAIR},
        PairKind.PUSH: {HandClass.PUSH},
        PairKind.REDEAL: set[HandClass](),
        PairKind.GUESS: {HandClass.GUESS_WIN, HandClass.GUESS_LOSE},
        PairKind.TRIPS: {HandClass.PAIR_MISS},
    }[rules.pair.kind]
    found |= {
        Consecutive.LOSE_MIN: {HandClass.CONSECUTIVE},
        Consecutive.LOSE_BET: {HandClass.CONSECUTIVE},
        Consecutive.PUSH: {HandClass.PUSH},
        Consecutive.REDEAL: set[HandClass](),
    }[rules.consecutive]
    return found


def kind_of(tap: Tap, all_taps: Sequence[Tap]) -> str:
    """What a button is for: the greatest bet is another thing than a smaller one, and so is another amount."""
    like_it = [other for other in all_taps if other.word is tap.word]
    if tap.word in (Word.BET, Word.STAKE) and len(like_it) > 1 and tap == like_it[-1]:
        return f"{tap.word} most"
    if tap.word is Word.OTHER:
        return f"other {all_taps[0].word}"
    return "stay" if tap.word is Word.RAISE and tap.amount == 0 else tap.word.value


def wanted(taps: Sequence[Tap], done: set[str], named: set[str]) -> Tap:
    """A button that has not been tapped in this game, or else the first answer."""
    aside, answers = ([tap for tap in taps if (tap.word in ASIDE) is side] for side in (True, False))
    new = (tap for tap in (*aside, *answers) if kind_of(tap, taps) in named - done)
    return next(new, answers[0])


def thinks_better_of_it(table: Table) -> bool:
    """Whether whoever has asked for another number taps a button after all: what is asked only once in some games
    is to be answered both ways."""
    return table.phase is Phase.STAKE or (table.phase is Phase.CUT and table.rules.shuffle is Shuffle.EMPTY)


LOBBY = {
    *(Word.NEW, Word.JOIN, Word.LEAVE, Word.START, Word.RULES),
    *(Word.PAGE, Word.PRESET, Word.SWITCH, Word.SETTING),
}
PEOPLE = {Word.BACK, Word.REBUY, Word.KICK, Word.END, Word.NOW, Word.LANGUAGE}
"""Buttons that come with what people do and not with the rules: they have journeys of their own."""


def test_no_button_is_forgotten() -> None:
    """Whatever a button can say is said in one of the games, in their lobbies, or when people come and go."""
    kinds = {kind for rules in PRESETS.values() for kind in expected(rules, Settings().fitted(rules))}
    of_games = {Word(word) for kind in kinds for word in kind.split() if word in set(Word)}
    assert of_games.isdisjoint(LOBBY | PEOPLE)
    assert of_games | LOBBY | PEOPLE == set(Word)


# -- luck ------------------------------------------------------------------------------------------


def seed_that_shows_all(rules: Rules, settings: Settings) -> str:
    """A seed with which every kind of button is tapped in an evening of a few rounds."""
    people, named = range(FIRST_PERSON, FIRST_PERSON + len(PLAYERS)), expected(rules, settings)
    _, lobby = open_table(people[0], rules, settings)
    for player in people[1:]:
        _, lobby = play(lobby, c.Join(player))
    for number in count():
        seed, done, hands = sha256(str(number).encode()).hexdigest(), set[str](), set[HandClass]()
        table = play(lobby, c.Start(people[0], seed))[1]
        while table.phase is not Phase.ENDED:
            rows = keyboard(table, 1, words("en")).inline_keyboard
            taps = [tap for row in rows for key in row if (tap := read_tap(key.callback_data))]
            tap = wanted(taps, done, named)
            done.add(kind_of(tap, taps))
            moves = tap.word not in ASIDE or (tap.word is Word.OTHER and not thinks_better_of_it(table))
            if moves:
                assert table.actor is not None
                table = play(table, answer(tap, table, table.actor))[1]
                hands |= {hand.hand for hand in table.played}
        if named <= done and situations(rules) <= hands:
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


async def set_up(evening: Evening, host: Person, preset: str) -> None:
    """The game and the number of rounds, by the lobby's menu; and a look at the single rules, all of them."""
    await host.writes("/newgame")
    await press(host, evening, Word.PAGE, Page.GAMES)
    await press(host, evening, Word.PRESET, GAMES.index(preset))
    await press(host, evening, Word.PAGE, Page.RULES)
    assert [button.data.split(":")[0] for button in evening.board.buttons].count(Word.SWITCH) == len(SWITCHES)
    assert not any(caption.startswith("✎") for caption in evening.board.captions)
    await press(host, evening, Word.PAGE, Page.TABLE)
    while evening.table.settings.rounds != ROUNDS:
        await press(host, evening, Word.SETTING, [*SETTINGS].index("rounds"))
    await press(host, evening, Word.PAGE, Page.CARD)


async def tap_all(evening: Evening, language: str) -> set[HandClass]:
    """Play until the game is over, always by a button not yet tapped if there is one; how the hands ended."""
    named, chips = expected(evening.table.rules, evening.table.settings), evening.table.chips
    shown, done, questions, hands = set[str](), set[str](), set[int](), set[HandClass]()
    while evening.table.phase is not Phase.ENDED:
        board, actor = evening.board, evening.room.actor
        buttons = {tap: button for button in board.buttons if (tap := read_tap(button.data))}
        tap = wanted([*buttons], done, named)
        shown |= {kind_of(each, [*buttons]) for each in buttons}
        done.add(kind_of(tap, [*buttons]))
        toast = await actor.presses(buttons[tap].data, board.id)
        assert toast or tap.word not in ASIDE, f"{tap.word} says nothing"
        assert " 0 " not in toast, "a bet that comes back is neither won nor lost"
        if tap.word is Word.OTHER:
            assert evening.said.mentions == [actor.id]
            questions.add(evening.said.id)
            if not thinks_better_of_it(evening.table):
                await actor.replies(evening.said, str(least(evening.table)))
        hands |= {hand.hand for hand in evening.table.played}
        _check_head(evening.board, evening.table, language)
        assert evening.table.chips == chips
    assert done == named == shown
    assert not questions & {message.id for message in evening.room.messages}  # answered or not, they are gone
    return hands


def _check_head(board: Shown, table: Table, language: str) -> None:
    """The head names what stands against the players, and how much of it there is."""
    if table.phase in (Phase.STAKE, Phase.ENDED) or not table.round:
        return
    heads = {
        Counterparty.POT: {"en": "Pot {pot}", "pl": "Pula {pot}"},
        Counterparty.STAKE: {"en": "Stake {pot}", "pl": "W banku {pot}"},
        Counterparty.BANKER: {"en": "Bank {bank}", "pl": "Bank {bank}"},
        Counterparty.HOUSE: {"en": "The house {} {house}", "pl": "Kasyno: {} {house}"},
    }
    verb = {"en": ("won", "lost"), "pl": ("wygrana", "strata")}[language][table.house < 0]
    head = heads[table.rules.counterparty][language]
    line = head.format(verb, pot=table.pot, bank=table.bank, house=abs(table.house))
    assert board.text.split("\n")[1].partition(" · ")[0] == line


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

    assert await tap_all(evening, language) >= situations(evening.table.rules)

    assert evening.table.round == ROUNDS
    assert sum(seat.chips for seat in evening.table.seats) + evening.table.house == chips
    assert evening.board.captions == [{"en": "New game", "pl": "Nowa gra"}[language]]
    assert "🏆" in evening.board.text
    check_reading(evening, language)
    await press(guests[0], evening, Word.NEW)
    assert evening.table.rules == PRESETS[preset]
