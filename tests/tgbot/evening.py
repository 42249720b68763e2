"""Tables worth looking at: one for every phase, and for everything that a board has to tell."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from domain import commands as c
from domain.hand import Side
from domain.play import open_table, play
from domain.presets import HOME_POT, PRESETS
from domain.rules import Rules
from domain.settings import Settings
from domain.table import Phase, Seat, Table
from tests.domain.tables import ANN, BOB, CAT, DAN, EVE, Game, started, turn

_TENS = {ANN: 10, BOB: 10, CAT: 10}
_REBUYS = Settings(cut=False, rebuys=None)


def lobby(*others: int, rules: Rules = HOME_POT) -> Table:
    """A table that Ann has opened, and who has joined it."""
    table = open_table(ANN, rules, Settings().fitted(rules))[1]
    for other in others:
        table = play(table, c.Join(other))[1]
    return table


def _changed(table: Table, player: int, **values: object) -> Table:
    seats = [replace(seat, **values) if seat.player == player else seat for seat in table.seats]  # type: ignore[arg-type]
    return replace(table, seats=tuple(seats))


def _cut() -> Table:
    return started([ANN, BOB, CAT, DAN], settings=Settings()).table


def _second_cut() -> Table:
    game = Game(_cut())
    while game.table.round < 1 or game.table.phase is not Phase.CUT:
        asked = game.table.actor or 0
        game.do(c.Cut(asked, 20) if game.table.phase is Phase.CUT else c.Bet(asked, 1))
    return game.table


def _tied_draw() -> Table:
    """The seed makes two kings in the draw (Q13)."""
    seeds = (f"{luck:064x}" for luck in range(1000))
    tables = (started([ANN, BOB, CAT], settings=Settings(), seed=seed).table for seed in seeds)
    return next(table for table in tables if len(table.draws) > 3)


def _decide() -> Table:
    return turn(_TENS, "3H TS 5C", pot=4).table


def _after_two_hands() -> Table:
    return turn(_TENS, "3H TS 5C 2D QH QS 4C 9C", pot=5).do(c.Bet(ANN, 1), c.Bet(BOB, 4)).table


def _emptied() -> Table:
    return turn(_TENS, "3H TS 5C 4D QH", pot=4).do(c.Bet(ANN, 4)).table


def _post_for_the_pot() -> Table:
    return turn(_TENS, "3H TS TC 4D QH", pot=4).do(c.Bet(ANN, 4)).table


def _by_the_clock() -> Table:
    return turn(_TENS, "3H TS 2C 4D QH", pot=4).time_out().table


def _chain() -> Table:
    """Ann bets, and four hands follow that ask nobody (I24); one of them empties the pot."""
    five = {**_TENS, DAN: 10, EVE: 10}
    return turn(five, "3H TS 5C  7H 7S  8H 9S  KH KS  4C 5H", dealer=EVE, pot=4).do(c.Bet(ANN, 1)).table


def _away() -> Table:
    return _changed(turn({**_TENS, DAN: 4}, "3H TS", pot=4).table, DAN, away=True, missed=3)


def _away_dealer() -> Table:
    return _changed(turn({ANN: 12, BOB: 9, CAT: 10}, "3H TS", pot=4).table, CAT, away=True, missed=3)


def _broke() -> Table:
    return turn({ANN: 12, BOB: 0, CAT: 10}, "3H TS", pot=4, settings=_REBUYS).table


def _arrivals() -> Table:
    return turn(_TENS, "3H TS", pot=4).do(c.Join(DAN), c.Join(EVE)).table


def _last_round() -> Table:
    return turn(_TENS, "3H TS", pot=4).do(c.End(ANN)).table


def _votes(*voters: int) -> Table:
    return turn({**_TENS, DAN: 10, EVE: 10}, "3H TS", pot=4).do(*map(c.End, voters)).table


def _all_in() -> Table:
    return turn({ANN: 3, BOB: 20, CAT: 10}, "3H TS", pot=14).table


def _one_chip() -> Table:
    return turn({ANN: 3, BOB: 20, CAT: 10}, "3H 5S", pot=1).table


def _pass() -> Table:
    return turn(_TENS, "3H TS", pot=4, rules=PRESETS["friendly_pot"]).table


def _costly_pass() -> Table:
    return turn(_TENS, "3H TS", pot=4, rules=replace(HOME_POT, pass_cost=1)).table


def _rest() -> Table:
    table = turn({ANN: 12, BOB: 9}, "3H TS 2C", dealer=ANN, actor=ANN, pot=4).table
    return Game(_changed(table, BOB, away=True, missed=3)).do(c.Bet(ANN, 1)).table


def _broke_rest() -> Table:
    table = turn({ANN: 12, BOB: 0}, "3H TS 5C", dealer=ANN, actor=ANN, pot=4, settings=_REBUYS).table
    return Game(table).do(c.Bet(ANN, 4)).table


# -- the other games -----------------------------------------------------------------------------------

_RICH = {ANN: 60, BOB: 60, CAT: 60}
BANK, BLIND, RED_DOG = PRESETS["bank"], PRESETS["blind_bank"], PRESETS["red_dog"]
ACEY, DRAGON, STAKED = PRESETS["acey_deucey"], PRESETS["dragon_gate"], PRESETS["staked_bank"]


def _bank() -> Table:
    return turn(_RICH, "3H TS 5C 4D QH", rules=BANK).do(c.Bet(ANN, 5)).table


def _bank_broken() -> Table:
    return turn({**_RICH, CAT: 7}, "3H TS 5C 4D QH", rules=BANK).do(c.Bet(ANN, 7)).table


def _folded() -> Table:
    return turn(_RICH, "3H TS 4D QH", rules=BANK).do(c.Pass(ANN)).table


def _folded_for_him() -> Table:
    """S19, Q23: neighbours and a pair in the open bank game, and then somebody is asked."""
    everybody = {**_RICH, DAN: 60, EVE: 60}
    return turn(everybody, "3H 7S  3C 4S  9H 9S  5C QD", rules=BANK, dealer=EVE).do(c.Pass(ANN)).table


def _blind() -> Table:
    return turn(_RICH, rules=BLIND).table


def _blind_lost() -> Table:
    return turn(_RICH, "9H 9S", rules=BLIND).do(c.Bet(ANN, 10)).table


def _stake() -> Table:
    return turn(_RICH, "4D QH 7C", rules=STAKED, pot=9, actor=BOB).do(c.Bet(BOB, 9)).table


def _staked() -> Table:
    return turn({**_RICH, CAT: 40}, "3H TS", rules=STAKED, pot=20).table


def _ace() -> Table:
    return turn(_RICH, "AH TS", rules=ACEY, pot=9).table


def _called() -> Table:
    return turn(_RICH, "AH TS", rules=ACEY, pot=9).do(c.CallAce(ANN, low=True)).table


def _first_turns() -> Table:
    return turn(_RICH, "3H TS", rules=ACEY, pot=9, first_time=True).table


def _pair() -> Table:
    return turn(_RICH, "9H 9S", rules=ACEY, pot=9).table


def _guessed() -> Table:
    return turn(_RICH, "9H 9S", rules=ACEY, pot=9).do(c.Guess(ANN, Side.LOWER)).table


def _guess_matched() -> Table:
    game = turn(_RICH, "9H 9S 9C 4D QH", rules=ACEY, pot=9)
    return game.do(c.Guess(ANN, Side.HIGHER), c.Bet(ANN, 2)).table


def _gate() -> Table:
    return turn(_RICH, "AH KS", rules=DRAGON, pot=9).table


def _house() -> Table:
    return turn({ANN: 1000, BOB: 60}, rules=RED_DOG, dealer=None, house=-11).table


def _raise() -> Table:
    game = turn({ANN: 1000, BOB: 60}, "3H TS", rules=RED_DOG, dealer=None)
    return game.do(c.Bet(ANN, 40)).table


def _trips() -> Table:
    return turn({ANN: 1000, BOB: 60}, "9H 9S 9C", rules=RED_DOG, dealer=None).do(c.Bet(ANN, 40)).table


def _ladder() -> Table:
    game = turn({ANN: 1000, BOB: 60}, "3H 5S 4C", rules=RED_DOG, dealer=None)
    return game.do(c.Bet(ANN, 40), c.Raise(ANN, 40)).table


def _house_rests() -> Table:
    game = turn({ANN: 1}, "9H TS", rules=replace(RED_DOG, consecutive=BLIND.consecutive), dealer=None, settings=_REBUYS)
    return game.do(c.Bet(ANN, 1)).table


# -- what people agree on ------------------------------------------------------------------------------


def _share_voted() -> Table:
    return turn(_TENS, "3H TS", pot=40).do(c.SharePot(BOB), c.SharePot(CAT)).table


def _shared() -> Table:
    game = turn(_TENS, "3H TS 2C 4D QH", pot=40).do(*map(c.SharePot, (ANN, BOB, CAT)))
    return game.do(c.Bet(ANN, 1)).table


def _another_dealer() -> Table:
    return turn(_RICH, "3H TS", rules=BANK).do(c.PassBank(ANN), c.SetMaxBet(ANN, 5)).table


def _handed_over() -> Table:
    return turn(_RICH, "3H TS", rules=BANK).do(c.PassBank(CAT)).table


# -- the end -------------------------------------------------------------------------------------------


def _ended(chips: Mapping[int, int], **more: object) -> Table:
    seats = tuple(Seat(player=player, chips=stack) for player, stack in chips.items())
    settings = Settings()
    return replace(
        Table(rules=HOME_POT, settings=settings, host=ANN, phase=Phase.ENDED, move=30, asked=30, seats=seats, round=5),
        **more,  # type: ignore[arg-type]
    )


def _winner() -> Table:
    game = turn(_TENS, "3H TS 5C", pot=4, actor=CAT).do(c.End(ANN))
    return game.do(c.Bet(CAT, 2)).table


def _joint_winners() -> Table:
    return _ended({ANN: 60, BOB: 60, CAT: 20, DAN: 60}, round=1)


def _people_left() -> Table:
    gone = (Seat(player=DAN, cashed=70, gone=True), Seat(player=EVE, cashed=1, gone=True))
    return _ended({ANN: 60, BOB: 40}, departed=gone)


def _everybody_left() -> Table:
    game = turn(_TENS, "3H TS 2C", pot=4)
    return game.do(c.Leave(ANN), c.Leave(BOB), c.Leave(CAT)).table


def _closed_before_the_start() -> Table:
    return play(lobby(BOB), c.End(ANN))[1]


SCENES: Mapping[str, Callable[[], Table]] = {
    "a lobby of one": lobby,
    "a lobby of four": lambda: lobby(BOB, CAT, DAN),
    "a cut, with the draw": _cut,
    "a cut after a tied draw": _tied_draw,
    "a cut in a later round": _second_cut,
    "a question": _decide,
    "a question after two hands": _after_two_hands,
    "the pot won whole": _emptied,
    "the post hit for the pot": _post_for_the_pot,
    "a hand by the clock": _by_the_clock,
    "a chain of hands in one move": _chain,
    "somebody is away": _away,
    "the dealer is away": _away_dealer,
    "somebody is broke": _broke,
    "arrivals": _arrivals,
    "the last round": _last_round,
    "one vote": lambda: _votes(BOB),
    "two votes": lambda: _votes(BOB, CAT),
    "a stack below the pot": _all_in,
    "one chip in the pot": _one_chip,
    "a free pass": _pass,
    "a pass that costs": _costly_pass,
    "a lobby of Red Dog": lambda: lobby(rules=RED_DOG),
    "a lobby of changed rules": lambda: lobby(BOB, rules=replace(HOME_POT, ante=2, post_pays=2, ace=ACEY.ace)),
    "a bank": _bank,
    "a bank that is broken": _bank_broken,
    "a hand that was folded": _folded,
    "hands that were folded for people": _folded_for_him,
    "a blind bet": _blind,
    "a blind bet lost on a pair": _blind_lost,
    "a stake to put up": _stake,
    "a stake": _staked,
    "an ace": _ace,
    "an ace called low": _called,
    "half the pot": _first_turns,
    "a pair": _pair,
    "a pair guessed lower": _guessed,
    "a pair matched": _guess_matched,
    "the widest gate": _gate,
    "the house": _house,
    "a raise": _raise,
    "three of a kind": _trips,
    "a raise on one rank": _ladder,
    "a rest at the house": _house_rests,
    "votes to share": _share_voted,
    "a pot shared": _shared,
    "another dealer and another most bet": _another_dealer,
    "a bank handed over": _handed_over,
    "a rest": _rest,
    "a rest of the broke": _broke_rest,
    "one winner": _winner,
    "joint winners": _joint_winners,
    "people who left": _people_left,
    "everybody left": _everybody_left,
    "closed before the start": _closed_before_the_start,
}
"""What each table shows, and how it came to it."""
PLAYED = [name for name in SCENES if "lobby" not in name and "winner" not in name and "left" not in name][:-1]
"""The scenes in the middle of a game."""
PAST = ("a lobby of four", "the pot won whole", "a chain of hands in one move", "a rest of the broke", "one winner")
"""The scenes that are also looked at as a board further up."""
