"""Tables in the middle of a game, the game that goes on from there, and a table drawn as text."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from types import MappingProxyType
from typing import Any, NamedTuple, Self, TypeVar

import pytest

from domain.cards import Card, deck
from domain.commands import Back, Command, Join, RunOutOfTime, Start
from domain.course import Course
from domain.events import Event, TurnStarted
from domain.evolve import evolve
from domain.play import open_table, play
from domain.presets import HOME_POT
from domain.refusals import Reason, Refusal
from domain.rules import BetWhen, Rules
from domain.settings import Settings
from domain.shoe import Shoe
from domain.table import Phase, Player, Seat, Table

ANN, BOB, CAT, DAN, EVE = range(1, 6)
STRANGER = 99
NAMES = {ANN: "Ann", BOB: "Bob", CAT: "Cat", DAN: "Dan", EVE: "Eve"}

SEED = "5eed" * 16
E = TypeVar("E")
UNCUT = Settings(cut=False)
"""Nobody is asked for a cut, so that a round begins with its first turn."""


# -- cards -----------------------------------------------------------------------------------------


def cards(codes: str) -> tuple[Card, ...]:
    """Cards by their codes: ``cards("3H TS 5C")``."""
    return tuple(Card.parse(code) for code in codes.split())


def apart(one: Card, other: Card) -> bool:
    """Whether at least one rank lies between two posts, wherever the ace stands."""
    distance = (one.rank - other.rank) % 13
    return 2 <= distance <= 11


def stock(first: Sequence[Card], pack: Sequence[Card] = deck()) -> tuple[Card, ...]:
    """The given cards on top of the rest of the pack; every hand from the rest asks its player.

    No two neighbours in the rest are a pair or consecutive (except at the very bottom).
    """
    rest = sorted(pack)
    for card in first:
        rest.remove(card)
    ordered = list(first)
    while rest:
        following = next((card for card in rest if not ordered or apart(ordered[-1], card)), rest[0])
        rest.remove(following)
        ordered.append(following)
    return tuple(ordered)


@contextmanager
def shuffles(*tops: str) -> Iterator[None]:
    """Luck with open eyes: each shuffle puts the cards of the next codes on top, later ones only let hands ask."""
    following = iter(tops)
    known: dict[bytes, str] = {}

    def order(pack: Sequence[Card], key: bytes) -> tuple[Card, ...]:
        if key not in known:  # a shuffle is told more than once: when it is decided and when it is folded
            known[key] = next(following, "")
        return stock(cards(known[key]), pack)

    with pytest.MonkeyPatch.context() as luck:
        luck.setattr("domain.shoe.order", order)
        yield


@contextmanager
def bounded(most: int = 2_000) -> Iterator[None]:
    """I24: fail a move that does not come to an end."""
    tell = Course.__call__

    def tell_if_it_ends(course: Course, event: Event) -> None:
        assert len(course.events) < most, "a move without an end"
        tell(course, event)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Course, "__call__", tell_if_it_ends)
        yield


# -- a game that goes on ---------------------------------------------------------------------------


class Step(NamedTuple):
    """One event, with the table before and after it."""

    before: Table
    event: Event
    after: Table


class Game:
    """A table, and everything that has happened at it since it was set up."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.steps: list[Step] = []

    def do(self, *commands: Command) -> Self:
        """Play commands that the table takes."""
        for command in commands:
            before = self.table
            with bounded():
                events, self.table = play(before, command)
            for event in events:
                after = evolve(before, event)
                self.steps.append(Step(before, event, after))
                before = after
        return self

    def time_out(self, times: int = 1) -> Self:
        """Let the clock answer the open question."""
        for _ in range(times):
            self.do(RunOutOfTime(self.table.asked))
        return self

    def refuses(self, command: Command) -> tuple[Reason, int | None]:
        """Why the table does not take a command, and the limit that it names."""
        with bounded(), pytest.raises(Refusal) as refused:
            play(self.table, command)
        return refused.value.reason, refused.value.limit

    def all(self, kind: type[E]) -> list[E]:
        """The events of one kind so far."""
        return [step.event for step in self.steps if isinstance(step.event, kind)]

    def last(self, kind: type[E]) -> E:
        """The latest event of one kind."""
        return self.all(kind)[-1]

    @property
    def turns(self) -> list[Player]:
        """Whose turns have begun."""
        return [event.player for event in self.all(TurnStarted)]

    @property
    def stacks(self) -> dict[Player, int]:
        """The chips of everybody at the table."""
        return stacks(self.table)


def stacks(table: Table) -> dict[Player, int]:
    """The chips of everybody who has not left."""
    return {seat.player: seat.chips for seat in table.present}


# -- setting up ------------------------------------------------------------------------------------


def set_up(
    chips: Mapping[Player, int],
    *,
    rules: Rules = HOME_POT,
    dealer: Player | None,
    phase: Phase,
    pot: int = 0,
    first: Sequence[Card] = (),
    settings: Settings = UNCUT,
    about: Mapping[Player, Mapping[str, Any]] = MappingProxyType({}),
    **more: Any,
) -> Table:
    """A table that has played for a while, in any phase; the game goes on with the cards ``first``.

    ``about`` tells more of some players, ``more`` of the table.
    """
    return Table(
        rules=rules,
        settings=settings,
        host=next(iter(chips)),
        phase=phase,
        move=10,
        asked=10,
        seats=tuple(Seat(player=player, chips=stack, **about.get(player, {})) for player, stack in chips.items()),
        dealer=dealer,
        pot=pot,
        **{"seed": SEED, "shoe": Shoe(stock(first, deck(rules.decks))), "round": 1, "shuffles": 2, **more},
    )


def goes_on(table: Table) -> Game:
    """Let a table that waits for nobody run on to its next question.

    A move needs a command, and the return of a player who had missed a question is the one that does nothing else.
    """
    player = next(seat.player for seat in table.present if not seat.away)
    seats = tuple(replace(seat, missed=1) if seat.player == player else seat for seat in table.seats)
    return Game(replace(table, seats=seats)).do(Back(player))


def turn(
    chips: Mapping[Player, int],
    codes: str = "",
    *,
    rules: Rules = HOME_POT,
    dealer: Player | None = CAT,
    actor: Player = ANN,
    pot: int = 0,
    first_time: bool = False,
    **more: Any,
) -> Game:
    """The turn of ``actor``, who gets the cards of these codes; the open question is his unless they ask nobody."""
    table = set_up(chips, rules=rules, dealer=dealer, phase=Phase.DEAL, pot=pot, first=cards(codes), **more)
    order = [seat.player for seat in table.left_of_dealer if not (rules.has_bank and seat.player == dealer)]
    table = replace(
        table,
        actor=actor,
        queue=tuple(order[order.index(actor) + 1 :]),
        opening=tuple(seat.player for seat in table.in_play) if first_time else (),
    )
    if rules.bet_when is BetWhen.BEFORE:
        return Game(replace(table, phase=Phase.BLIND_BET))
    return goes_on(table)


def started(players: Iterable[Player], rules: Rules = HOME_POT, settings: Settings = UNCUT, seed: str = SEED) -> Game:
    """A game from its very start; the first player is the host."""
    host, *others = players
    _, table = open_table(host, rules, settings)
    return Game(table).do(*(Join(player) for player in others), Start(host, seed))


# -- drawing ---------------------------------------------------------------------------------------


def drawn(table: Table) -> str:
    """A table as text: the question, the cards, the pot, and a line for every seat."""
    return "\n".join(_lines(table))


def _lines(table: Table) -> Iterator[str]:
    shown = " ".join(str(card) for card in table.shoe.shown) or "no cards"
    yield f"{table.phase}: {shown}, pot {table.pot}"
    for seat in table.seats:
        marks = [
            *(["deals"] if seat.player == table.dealer else []),
            *(["is asked"] if seat.player == table.actor else []),
            *(["away"] if seat.away else []),
            *(["gone"] if seat.gone else []),
        ]
        yield f"  {NAMES[seat.player]} {seat.chips}" + (f" ({', '.join(marks)})" if marks else "")
