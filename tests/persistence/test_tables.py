"""Tables between two messages: what is written, what is locked, and what it costs."""

import asyncio
from collections.abc import Callable
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlmodel import SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from domain import commands as c
from domain.choices import LOBBY_PATIENCE, REST_PATIENCE
from domain.play import open_table, play
from domain.presets import HOME_POT, PRESETS
from domain.refusals import Reason, Refusal
from domain.rules import Rules
from domain.settings import Settings
from domain.table import Phase, Table
from persistence.audit import audit
from persistence.rows import ChatRow, LedgerRow, MoveRow, PlayerRow, ResultRow, SeatRow, TableRow
from persistence.tables import WARNING_AT, NoTableError, Person, Place, Tables
from tests.persistence.conftest import Clock
from tests.persistence.evenings import (
    ANN,
    BOB,
    CAT,
    DAN,
    PEOPLE,
    PLACE,
    SEED,
    TOPIC,
    in_memory,
    open_at,
    remember,
    seen,
    some_answer,
    some_command,
    some_settings,
    statements_of,
    table_at,
)

MOST_STATEMENTS = 8


# -- a table is what the domain says ---------------------------------------------------------------


@pytest.mark.parametrize("preset", PRESETS)
async def test_an_evening_by_luck_is_the_same_in_rows_and_in_memory(
    tables: Tables, engine: AsyncEngine, preset: str
) -> None:
    luck, rules = Random(preset), PRESETS[preset]
    await remember(tables)
    table: Table | None = None
    moves = 0
    for _ in range(100):
        async with tables.at(PLACE) as sitting:
            assert sitting.table == table
            if table is None:
                opener, settings = PEOPLE[luck.randrange(8)].id, some_settings(luck, rules)
                await sitting.open(PLACE, opener, rules, settings)
                table = open_table(opener, rules, settings)[1]
                continue
            command = some_command(luck, table)
            try:
                wanted, table = play(table, command)
            except Refusal:
                with pytest.raises(Refusal):
                    await sitting.play(command)
            else:
                with statements_of(engine) as statements:
                    assert await sitting.play(command) == wanted
                assert len(statements) <= MOST_STATEMENTS - 2  # two have read the table
                moves += 1
        if table.phase is Phase.ENDED:
            table = None
    assert moves > 40
    report = await audit(engine)
    assert report.faults == []
    assert report.moves == moves + report.tables
