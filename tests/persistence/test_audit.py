"""The audit: it finds nothing after honest play, and whatever is planted."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
import pytest_asyncio
from sqlalchemy import text
from sqlmodel import SQLModel

from domain import commands as c
from persistence.audit import Check, audit
from persistence.database import Database
from persistence.tables import Tables
from tests.persistence.evenings import ANN, BOB, CAT, DAN, PEOPLE, PLACE, TOPIC, open_at, play_at, rows_of, seen

PLAYERS = {"ANN": ANN, "BOB": BOB, "CAT": CAT, "DAN": DAN, "EVE": PEOPLE[4].id}
PLAYED, OVER = 1, 2
"""The numbers of a table in the middle of a game, and of one that is finished."""


@pytest.fixture
def purpose() -> str:
    """Here the checks of the database are switched off."""
    return "fraud"


_evenings: dict[str, dict[str, list[tuple[Any, ...]]]] = {}


@pytest_asyncio.fixture(loop_scope="session")
async def evening(tables: Tables, database: Database, kind: str) -> None:
    """One game under way, with somebody who has left, and a finished one; played once, then copied."""
    if kind not in _evenings:
        await play_evening(tables)
        _evenings[kind] = await rows_of(database)
        return
    with database.engine.begin() as connection:
        for table in SQLModel.metadata.sorted_tables:
            if table.name != "budget" and (rows := _evenings[kind][table.name]):
                names = [column.name for column in table.columns]
                connection.execute(table.insert(), [dict(zip(names, row, strict=True)) for row in rows])


async def play_evening(tables: Tables) -> None:
    assert await open_at(tables, players=4) == PLAYED
    await play_at(tables, c.Leave(DAN))
    for _ in range(6):
        async with tables.at(PLACE) as sitting:
            sitting.play(c.RunOutOfTime(seen(sitting).asked))
    assert await open_at(tables, TOPIC) == OVER
    await play_at(tables, c.End(ANN, now=True), TOPIC)


CHECKS = (("seats", "chips_not_negative"), ("seats", "cashed_not_negative"), ("tables", "pot_not_negative"))


async def plant(database: Database, *statements: str) -> None:
    """Spoil the rows, past every check of the database."""
    with database.engine.connect() as connection:
        if database.kind == "sqlite":
            connection.rollback()
            connection.exec_driver_sql("PRAGMA ignore_check_constraints = ON")
        else:
            for table, check in CHECKS:
                connection.execute(text(f"ALTER TABLE {table} DROP CONSTRAINT IF EXISTS {check}"))
        for statement in statements:
            for name, player in PLAYERS.items():
                statement = statement.replace(name, str(player))
            assert connection.execute(text(statement)).rowcount > 0, statement
        connection.commit()


async def test_of_nothing_there_is_nothing_to_say(database: Database) -> None:
    assert await audit(database) == (0, 0, [])


@pytest.mark.usefixtures("evening")
async def test_honest_play_has_no_fault(database: Database) -> None:
    report = await audit(database)
    assert report.faults == []
    assert (report.tables, report.moves) == (2, 12 + 5)


SUMS, CHIPS, SIGNS = Check.MOVE_SUMS_TO_ZERO, Check.LEDGER_TELLS_CHIPS, Check.NO_CHIPS_BELOW_ZERO
MOVES, REPLAY, RESULTS = Check.MOVES_WITHOUT_GAP, Check.JOURNAL_TELLS_TABLE, Check.RESULTS_OF_FINISHED
FAULTS: Mapping[str, tuple[Sequence[str], set[tuple[int, Check]]]] = {
    "chips out of nowhere": (
        ["UPDATE ledger SET chips = chips + 1 WHERE table_id = 1 AND move = 5 AND account = 'ANN'"],
        {(PLAYED, SUMS), (PLAYED, CHIPS)},
    ),
    "a move paid to somebody else": (
        ["UPDATE ledger SET account = 'EVE' WHERE table_id = 1 AND move = 5 AND account = 'ANN'"],
        {(PLAYED, CHIPS), (PLAYED, SIGNS)},
    ),
    "a lost entry": (
        ["DELETE FROM ledger WHERE table_id = 1 AND move = 5 AND account = 'cage'"],
        {(PLAYED, SUMS)},
    ),
    "a lost movement": (["DELETE FROM ledger WHERE table_id = 1 AND move = 5"], {(PLAYED, CHIPS), (PLAYED, SIGNS)}),
    "a stack that grew by itsel": (
        ["UPDATE seats SET chips = chips + 1 WHERE table_id = 1 AND player = BOB"],
        {(PLAYED, CHIPS), (PLAYED, REPLAY)},
    ),
    "a pot that grew by itsel": (
        ["UPDATE tables SET pot = pot + 1 WHERE id = 1"],
        {(PLAYED, CHIPS), (PLAYED, REPLAY)},
    ),
    "a house that never played": (
        ["UPDATE tables SET house = -4 WHERE id = 1"],
        {(PLAYED, CHIPS), (PLAYED, REPLAY)},
    ),
    "a stack below zero": (
        ["UPDATE seats SET chips = -1 WHERE table_id = 1 AND player = CAT"],
        {(PLAYED, CHIPS), (PLAYED, REPLAY), (PLAYED, SIGNS)},
    ),
    "less than nothing taken along": (
        ["UPDATE seats SET cashed = -1 WHERE table_id = 1 AND player = DAN"],
        {(PLAYED, REPLAY), (PLAYED, SIGNS)},
    ),
    "a pot below zero": (
        ["UPDATE tables SET pot = -1 WHERE id = 1"],
        {(PLAYED, CHIPS), (PLAYED, REPLAY), (PLAYED, SIGNS)},
    ),
    "a debt between two moves": (
        [
            "INSERT INTO ledger (table_id, move, account, chips) VALUES (1, 1, 'pot', -9), (1, 1, 'cage', 9)",
            "INSERT INTO ledger (table_id, move, account, chips) VALUES (1, 2, 'pot', 9), (1, 2, 'cage', -9)",
        ],
        {(PLAYED, SIGNS)},
    ),
    "a lost move": (["DELETE FROM journal WHERE table_id = 1 AND move = 7"], {(PLAYED, MOVES)}),
    "a lost last move": (["DELETE FROM journal WHERE table_id = 1 AND move = 12"], {(PLAYED, MOVES)}),
    "a move too many": (
        [
            "INSERT INTO journal (table_id, move, at, events) "
            "SELECT 1, 13, at, events FROM journal WHERE table_id = 2 AND move = 2"
        ],
        {(PLAYED, MOVES)},
    ),
    "a move that nobody counted": (["UPDATE tables SET move = 11 WHERE id = 1"], {(PLAYED, MOVES)}),
    "another history": (
        ["UPDATE journal SET events = '[]' WHERE table_id = 1 AND move = 12"],
        {(PLAYED, REPLAY)},
    ),
    "an event that nobody knows": (
        ["""UPDATE journal SET events = '[{"event": "Cheated"}]' WHERE table_id = 1 AND move = 12"""],
        {(PLAYED, REPLAY)},
    ),
    "an event that cannot be": (
        ["""UPDATE journal SET events = '[{"event": "PostDealt", "card": 3}]' WHERE table_id = 1 AND move = 12"""],
        {(PLAYED, REPLAY)},
    ),
    "a history without an opening": (
        ["UPDATE journal SET events = '[]' WHERE table_id = 1 AND move = 1"],
        {(PLAYED, REPLAY)},
    ),
    "another table": (["UPDATE tables SET asked = 1 WHERE id = 1"], {(PLAYED, REPLAY)}),
    "rows that are no table": (["UPDATE tables SET phase = 'sleep' WHERE id = 1"], {(PLAYED, REPLAY)}),
    "two who changed places": (
        [
            "UPDATE seats SET place = 9 WHERE table_id = 1 AND player = ANN",
        ],
        {(PLAYED, REPLAY)},
    ),
    "a lost result": (["DELETE FROM results WHERE player = BOB"], {(OVER, RESULTS)}),
    "another winner": (["UPDATE results SET winner = NOT winner WHERE player = BOB"], {(OVER, RESULTS)}),
    "another end": (["UPDATE results SET chips = chips + 1 WHERE player = BOB"], {(OVER, RESULTS)}),
    "another price": (["UPDATE results SET bought = bought + 1 WHERE player = BOB"], {(OVER, RESULTS)}),
    "a result of a game under way": (
        ["UPDATE results SET table_id = 1 WHERE player = BOB"],
        {(PLAYED, RESULTS), (OVER, RESULTS)},
    ),
}


def test_every_check_is_tried() -> None:
    assert {check for _, found in FAULTS.values() for _, check in found} == {*Check}


@pytest.mark.usefixtures("evening")
@pytest.mark.parametrize("what", FAULTS)
async def test_the_audit_finds(database: Database, what: str) -> None:
    statements, wanted = FAULTS[what]
    await plant(database, *statements)
    report = await audit(database)
    assert {(fault.table, fault.check) for fault in report.faults} == wanted
    assert report.tables == 2


@pytest.mark.usefixtures("evening")
async def test_a_fault_says_where_it_is_and_what(database: Database) -> None:
    await plant(database, "DELETE FROM journal WHERE table_id = 1 AND move IN (7, 9)")
    (fault,) = (await audit(database)).faults
    assert str(fault) == (
        "table 1: not so: the journal has every move once, the last one is the table's (I23): "
        "missing or too many: [7, 9]"
    )
