"""Who pays whom: the one place where an event becomes a movement of chips (I1, I7)."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from enum import StrEnum
from typing import NamedTuple

from domain.events import (
    AntePaid,
    BoughtIn,
    DealerSet,
    Event,
    Left,
    PotShared,
    Rebought,
    Settled,
    StakePut,
    StakeReturned,
)
from domain.rules import Counterparty
from domain.table import Player, Table


class Till(StrEnum):
    """The accounts that are not a player's."""

    POT = "pot"
    HOUSE = "house"
    CAGE = "cage"  # where chips come from and go to when people sit down and leave


Account = Player | Till


class Transfer(NamedTuple):
    """Chips that go from one account to another; never a negative number."""

    payer: Account
    payee: Account
    chips: int


def transfer(table: Table, event: Event) -> Transfer | None:
    """The movement of chips that an event stands for, if any. ``table`` is the table before the event."""
    match event:
        case BoughtIn(player, chips) | Rebought(player, chips):
            return Transfer(Till.CAGE, player, chips)
        case Left(player, chips):
            return Transfer(player, Till.CAGE, chips)
        case AntePaid(player, chips) | StakePut(player, chips):
            return Transfer(player, Till.POT, chips)
        case StakeReturned(player, chips) | PotShared(player, chips):
            return Transfer(Till.POT, player, chips)
        case Settled(player, _, gain):
            other = counterparty(table)
            return Transfer(other, player, gain) if gain >= 0 else Transfer(player, other, -gain)
        case _:
            return None


def transfers(table: Table, events: Iterable[Event]) -> Iterator[Transfer]:
    """The movements of chips in the events of a move, one after the other. ``table`` is the table before them all.

    Of what an event changes, only who deals says who stands against a player.
    """
    for event in events:
        if moved := transfer(table, event):
            yield moved
        if isinstance(event, DealerSet):
            table = replace(table, dealer=event.player)


def counterparty(table: Table) -> Account:
    """The account that stands against the player."""
    match table.rules.counterparty:
        case Counterparty.HOUSE:
            return Till.HOUSE
        case Counterparty.BANKER if table.dealer is not None:
            return table.dealer
        case _:
            return Till.POT
