"""The situations that every release must survive, 1 to 26: each is a journey over HTTP, on both databases.

Most stand with their kind in the other files; here are those of the cards and the chips, and the walk that finds one
that nobody tells.
"""

import ast
import asyncio
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from domain.hand import HandClass
from domain.presets import HOME_POT, PRESETS
from domain.table import Phase, Table
from tests.databases import KINDS
from tests.journeys.evening import Evening
from tests.journeys.luck import bet, seed_where

on_both = pytest.mark.parametrize("kind", KINDS)
ONLY_SHARED = {26}
"""Two replicas share a PostgreSQL; an SQLite file is for one process, and a second one is refused."""


def asks(table: Table) -> bool:
    """Whether somebody is asked for his first bet, and nobody has played before him."""
    return table.phase is Phase.DECIDE and not table.played


@on_both
async def test_a_post_that_costs_more_than_he_has(evening: Evening) -> None:
    """Situation 6: one chip is left after the ante, and a post costs three bets: the stack is 0, never below."""
    rules, chips = replace(PRESETS["friendly_pot"], post_pays=3), 2
    evening.seed = seed_where(
        lambda table: asks(table) and bet(table).played[0].hand is HandClass.POST, 3, rules, chips=chips
    )
    people = await evening.friends("Ada", "Bo", "Cem")
    await evening.room.deals(*people, rules=rules, chips=chips)
    player = evening.room.actor
    await evening.room.bets()
    assert evening.room.chips(player) == 0
    assert evening.table.played[0].gain == -1
    assert sum(seat.chips for seat in evening.table.seats) + evening.table.pot == 6


@on_both
async def test_a_pot_that_is_won_to_the_last_chip(evening: Evening) -> None:
    """Situation 7: everybody antes again, the winner too."""
    people = await evening.friends("Ada", "Bo", "Cem")
    evening.seed = seed_where(lambda table: asks(table) and bet(table, table.pot).played[0].pot_emptied, 3)
    await evening.room.deals(*people)
    player, pot = evening.room.actor, evening.table.pot
    await evening.room.bets(pot)
    assert f"{player}: " in evening.board.text
    assert f"won the whole pot: {pot}!" in evening.board.text
    assert "Pot empty: everybody puts in 1 chip." in evening.board.text
    assert sum(seat.chips for seat in evening.table.seats) + evening.table.pot == 150


@on_both
async def test_a_deck_that_runs_out_in_the_middle_of_a_hand(evening: Evening) -> None:
    """Situation 8, S13: the discards come in, the cards on the table stay out, and all 52 are there all the time."""
    people = await evening.friends("Ada", "Bo", "Cem")
    await evening.room.deals(*people, rules=PRESETS["bank"])
    first, seen = evening.table.shuffles, 0

    def shuffled_again(table: Table) -> bool:
        nonlocal seen
        shoe = table.shoe
        assert Counter((*shoe.stock, *shoe.shown, *shoe.discards)).most_common(1)[0][1] == 1
        assert len(shoe.stock) + len(shoe.shown) + len(shoe.discards) == 52
        assert not {*shoe.shown} & {*shoe.stock}
        seen += 1
        return table.shuffles > first

    await evening.room.plays(shuffled_again)
    assert seen > 10


@on_both
async def test_a_first_post_that_is_higher_than_the_second(evening: Evening) -> None:
    """Situation 9, Q35: they lie as they were dealt, and what is between is between."""

    def falls(table: Table) -> bool:
        return asks(table) and table.posts[0].rank > table.posts[1].rank and bet(table).played[0].gain > 0

    people = await evening.friends("Ada", "Bo", "Cem")
    evening.seed = seed_where(falls, 3)
    await evening.room.deals(*people)
    high, low = evening.table.posts
    assert f"{high} ▢ {low}" in re.sub(" +", " ", evening.board.text)
    player = await evening.room.bets()
    assert re.search(rf"{player}: {high} {low} → \S+ +won 1", evening.board.text)


@on_both
async def test_somebody_joins_in_the_second_in_which_the_host_starts(evening: Evening) -> None:
    """Situation 22: he plays at once, or from the next round; he is never lost and never twice there."""
    ada, bo, cem = await evening.friends("Ada", "Bo", "Cem")
    await evening.room.seats(ada, bo)
    board = evening.board
    await asyncio.gather(
        ada.presses(board.button("Start").data, board.id, settle=False),
        cem.presses(board.button("Join").data, board.id, settle=False),
    )
    await evening.settled()
    assert evening.table.phase is not Phase.LOBBY
    seated = [seat.player for seat in evening.table.seats]
    assert (*seated, *evening.table.arrivals).count(cem.id) == 1
    await evening.room.plays(lambda table: cem.id in {seat.player for seat in table.seats})
    assert evening.room.chips(cem) > 0


@on_both
async def test_ids_that_need_more_than_32_bits(evening: Evening) -> None:
    """Situation 24, trap 23: people, groups and their supergroups are numbered so in our days."""
    people = await evening.hand()
    assert all(person.id > 2**32 for person in people)
    assert evening.room.chat < -(2**32)
    player = evening.room.actor
    await evening.room.bets()
    assert evening.table.played[0].player == player.id
    assert evening.table.rules == HOME_POT


def told() -> dict[int, bool]:
    """Every situation that a journey's docstring names, and whether some journey of it is on both databases."""
    found: dict[int, bool] = {}
    for file in Path(__file__).parent.glob("test_*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.AsyncFunctionDef) or not node.name.startswith("test_"):
                continue
            marks = " ".join(map(ast.unparse, node.decorator_list))
            both = "on_both" in marks or "KINDS" in marks
            for number in re.findall(r"[Ss]ituation (\d+)", ast.get_docstring(node) or ""):
                found[int(number)] = found.get(int(number), False) or both
    return found


@pytest.mark.parametrize("number", range(1, 27))
def test_every_situation_is_told_on_both_databases(number: int) -> None:
    assert told()[number] or number in ONLY_SHARED
