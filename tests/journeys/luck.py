"""Luck that is wanted: seeds with which a game takes the course that a journey is about."""

from collections.abc import Callable
from hashlib import sha256
from itertools import count

from domain import commands as c
from domain.choices import choices
from domain.play import open_table, play
from domain.presets import HOME_POT
from domain.rules import Rules
from domain.settings import Settings
from domain.table import Phase, Table
from tgbot.keyboard import cut_places

FIRST_PERSON = 5_000_000_001
"""The local Telegram numbers its people from here on, in the order in which a journey introduces them."""


def seed_where(
    wanted: Callable[[Table], object], players: int = 4, rules: Rules = HOME_POT, **agreement: int | bool | None
) -> str:
    """A seed that makes this so of the table after the first cut, in the middle, if the first people sit there."""
    people = range(FIRST_PERSON, FIRST_PERSON + players)
    _, lobby = open_table(people[0], rules, Settings(**agreement))  # type: ignore[arg-type]
    for player in people[1:]:
        _, lobby = play(lobby, c.Join(player))
    for number in count():
        seed = sha256(str(number).encode()).hexdigest()
        if wanted(cut(play(lobby, c.Start(people[0], seed))[1])):
            return seed
    raise AssertionError


def cut(table: Table) -> Table:
    """The table after every cut that it asks for, made as `Room.cuts` makes it."""
    while table.phase is Phase.CUT and table.actor is not None and (bounds := choices(table).cut):
        _, table = play(table, c.Cut(table.actor, cut_places(bounds)[2]))
    return table


def bet(table: Table, amount: int | None = None) -> Table:
    """The table after a bet of this, or the least, by whoever has the turn; cut where that is asked then."""
    bounds = choices(table).bet
    if table.actor is None or bounds is None:
        return table
    return cut(play(table, c.Bet(table.actor, bounds.least if amount is None else amount))[1])
