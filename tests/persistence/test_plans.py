"""Nothing grows with the past: every statement that runs for a tap, a sweep, a start or a command is explained.

On either database none may walk through a table that grows with what has been played. What is still to be done stands
in partial indexes, and those may be walked through.
"""

import inspect
import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import event, text

from domain import commands as c
from domain.refusals import Refusal
from persistence.boards import Boards
from persistence.chats import Chats
from persistence.database import Database
from persistence.mapping import Place
from persistence.tables import Due, Tables
from persistence.views import NoTableError
from tests.persistence.conftest import Clock
from tests.persistence.evenings import ANN, BOB, PEOPLE, PLACE, TOPIC, open_at, play_at, seen

GROUP, NEW = PLACE.chat, -100777
GROWING = frozenset({"tables", "seats", "journal", "ledger", "results", "players", "chats"})
STILL_TO_DO = frozenset({"behind", "due", "late", "one_open_table"})
"""Indexes of those rows alone that something is still to be done about."""

Asked = tuple[str, Any]


@contextmanager
def asked_of(database: Database) -> Iterator[list[Asked]]:
    """Every statement that runs meanwhile, in the driver's words, with its values."""
    found: list[Asked] = []

    def note(_: Any, __: Any, statement: str, values: Any, ___: Any, many: bool) -> None:
        found.append((statement, values[0] if many else values))

    event.listen(database.engine, "before_cursor_execute", note)
    try:
        yield found
    finally:
        event.remove(database.engine, "before_cursor_execute", note)


async def everything(tables: Tables, boards: Boards, chats: Chats, clock: Clock) -> set[str]:
    """One evening in which every question is put that the bot ever puts; the names of the methods that put them."""
    called: set[str] = set()
    for one in (tables, boards, chats):
        for name in _public(one):
            _watch(one, name, called)
    number = await open_at(tables)
    await open_at(tables, TOPIC)
    for look in (tables.overdue, tables.late):
        await look()
        await look(Due(number, 1, clock()))
    await chats.language(GROUP)
    await chats.set_language(GROUP, "pl")
    (behind, *_) = await boards.behind()
    await boards.behind(behind)
    await boards.behind_in(GROUP)
    await boards.waiting()
    await boards.number(PLACE)
    await boards.lower(number)
    view = await boards.view(number)
    for known in (view, None):
        taken = await boards.take(number, known)
        assert taken is not None
        assert not isinstance(taken, float)
        await boards.shown(taken, 77)
        await boards.forget(number)
    boards.wait(view.free_at)
    await boards.claim(GROUP)
    await boards.claim(-100888)
    await boards.postpone(GROUP, 1)
    await boards.prompted(number, 12)
    clock.wait(45)
    await boards.take_reminder(number, view.table.asked)
    await boards.reminded(number, view.table.asked, 13)
    async with tables.numbered(number, patient=False) as sitting:
        sitting.play(c.RunOutOfTime(seen(sitting).asked))
    with pytest.raises(NoTableError):
        async with tables.numbered(4711):
            pass
    async with tables.at(PLACE) as sitting:
        sitting.turn_page(1)
        sitting.hear(5)
        sitting.lower_board()
    for player in (person.id for person in PEOPLE):
        with pytest.raises(Refusal):
            await play_at(tables, c.Bet(player, 10_000))
    await tables.topics(GROUP)
    await tables.grant_grace(3600)
    await chats.silence(GROUP)
    await chats.welcome(GROUP)
    await open_at(tables, Place(NEW))
    await chats.moved(GROUP, NEW)
    await play_at(tables, c.Leave(BOB), Place(NEW))
    await play_at(tables, c.End(ANN, now=True), Place(NEW))
    return called


def _public(kind: object) -> Sequence[str]:
    return [name for name, _ in inspect.getmembers(kind, inspect.ismethod) if not name.startswith("_")]


def _watch(kind: object, name: str, called: set[str]) -> None:
    method = getattr(kind, name)

    def watched(*args: Any, **more: Any) -> Any:
        called.add(f"{type(kind).__name__}.{name}")
        return method(*args, **more)

    setattr(kind, name, watched)


async def test_no_statement_walks_through_what_has_been_played(
    database: Database, kind: str, tables: Tables, boards: Boards, chats: Chats, clock: Clock
) -> None:
    every = {f"{type(one).__name__}.{name}" for one in (tables, boards, chats) for name in _public(one)}
    with asked_of(database) as asked:
        assert await everything(tables, boards, chats, clock) == every
    statements = {said: values for said, values in asked if said.startswith(("SELECT", "UPDATE", "DELETE"))}
    assert len(statements) > 30
    explain = _walks_in_sqlite if kind == "sqlite" else _walks_in_postgresql
    walks = {said: explain(database, said, values) for said, values in statements.items()}
    walks = {said: found for said, found in walks.items() if found}
    assert walks == {}


def _walks_in_sqlite(database: Database, statement: str, values: Any) -> Sequence[str]:
    with database.engine.connect() as connection:
        plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)
        steps = [str(row[3]) for row in plan]
    return [step for step in steps if _is_a_walk(step)]


def _is_a_walk(step: str) -> bool:
    """``SCAN`` is one; and so is a search for all rows above a number, which only seems to be none."""
    found = re.match(r"(SCAN|SEARCH) (\w+)", step)
    if found is None or found[2] not in GROWING:
        return False
    index = re.search(r"USING (?:COVERING )?INDEX (\w+)", step)
    if index and index[1] in STILL_TO_DO:
        return False
    return found[1] == "SCAN" or "rowid>" in step


def _walks_in_postgresql(database: Database, statement: str, values: Any) -> Sequence[str]:
    """Of an empty table PostgreSQL would read every row; so it is told to take an index where there is one."""
    with database.engine.connect() as connection:
        connection.execute(text("SET LOCAL enable_seqscan = off"))
        (plan,) = connection.exec_driver_sql(f"EXPLAIN (FORMAT JSON) {statement}", values).one()
    tree = json.loads(plan) if isinstance(plan, str) else plan
    return [*_walking(tree[0]["Plan"])]


def _walking(node: dict[str, Any]) -> Iterator[str]:
    for child in node.get("Plans", ()):
        yield from _walking(child)
    relation, index, condition = node.get("Relation Name"), node.get("Index Name"), node.get("Index Cond", "")
    if node["Node Type"] == "Seq Scan" and relation in GROWING:
        yield f"every row of {relation}"
    elif index and index not in STILL_TO_DO and "=" not in re.sub("[<>]=", "", condition):
        yield f"all of {index} {condition}"


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * FROM journal WHERE at > '2026-01-01'",
        "SELECT * FROM tables WHERE id > 5 ORDER BY id",
        "SELECT count(*) FROM players",
        "UPDATE seats SET chips = 0 WHERE chips > 5",
        "SELECT * FROM tables WHERE shown < move",
    ],
)
async def test_a_walk_would_be_noticed(database: Database, kind: str, query: str) -> None:
    explain = _walks_in_sqlite if kind == "sqlite" else _walks_in_postgresql
    assert explain(database, query, ())


async def test_what_is_due_is_found_slice_after_slice(
    tables: Tables, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each once, the longest first, also those that are due in the same moment."""
    monkeypatch.setattr("persistence.tables.SLICE", 2)
    numbers = [await open_at(tables, Place(GROUP, topic)) for topic in range(3)]
    clock.wait(1)
    numbers += [await open_at(tables, Place(GROUP, topic)) for topic in range(3, 5)]
    clock.now += timedelta(hours=1)
    for look in (tables.overdue, tables.late):
        found: list[Due] = []
        while slice_ := await look(found[-1] if found else None):
            assert len(slice_) <= 2
            found += slice_
        assert [due.number for due in found] == numbers
