"""Rows: what the database itself keeps, gives back, and refuses."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
import pytest_asyncio
from sqlalchemy.exc import IntegrityError, StatementError
from sqlalchemy.orm.exc import StaleDataError
from sqlmodel import Session, SQLModel, col, select, update

from persistence.database import Database
from persistence.rows import ChatRow, LedgerRow, MoveRow, PlayerRow, ResultRow, SeatRow, TableRow

CHAT, PLAYER = -1001234567890, 5_000_000_001
NOON = datetime(2026, 11, 30, 12, 0, 0, 123456, tzinfo=timezone(timedelta(hours=2)))
SEAT = dict.fromkeys(("place", "chips", "cashed", "bought", "rebuys", "missed"), 0)
MARKS = dict.fromkeys(("away", "leaving", "gone", "newcomer"), False)


def a_table(**values: Any) -> TableRow:
    plain: Mapping[str, Any] = {
        "chat_id": 1,
        "move": 1,
        "asked": 1,
        "phase": "lobby",
        "host": PLAYER,
        "round": 0,
        "pot": 0,
        "house": 0,
        "seed": "",
        "shuffles": 0,
        "rules": {},
        "settings": {},
        "rest": {},
        "opened_at": NOON,
    }
    return TableRow(**{**plain, **values})


def a_seat(**values: Any) -> SeatRow:
    return SeatRow(**{"table_id": 1, "player": PLAYER, **SEAT, **MARKS, **values})


async def keep(database: Database, *rows: SQLModel) -> None:
    with Session(database.engine) as session, session.begin():
        for row in rows:
            session.add(row)
            session.flush()


@pytest_asyncio.fixture(loop_scope="session")
async def group(database: Database) -> None:
    """A group with one table and one person."""
    await keep(database, ChatRow(telegram_id=CHAT, free_at=NOON), PlayerRow(id=PLAYER, name="Ann"), a_table())


@pytest.mark.usefixtures("group")
async def test_ids_moves_and_chips_of_any_real_size_are_kept(database: Database) -> None:
    large = 2**40
    rows: list[SQLModel] = [
        a_table(id=7, topic=large, move=large, pot=large, house=-large, board=large, shown=large, prompt=large),
        a_seat(table_id=7, player=PLAYER + 1, chips=17_000_000, cashed=large, bought=large),
        LedgerRow(table_id=7, move=large, account=str(2**52), chips=-large),
        MoveRow(table_id=7, move=large, at=NOON, events=[{"event": "♠", "chips": large}]),
        ResultRow(table_id=7, player=PLAYER, chips=large, bought=large, winner=True),
    ]
    wanted = [row.model_dump() for row in rows]
    await keep(database, *rows)
    with Session(database.engine) as session:
        table = session.exec(select(TableRow).where(TableRow.id == 7)).one()
        others = [session.exec(select(kind)).one() for kind in (SeatRow, LedgerRow, MoveRow, ResultRow)]
        assert [row.model_dump() for row in (table, *others)] == wanted
        assert session.exec(select(ChatRow.telegram_id)).one() == CHAT


@pytest.mark.usefixtures("group")
async def test_a_time_of_any_zone_comes_back_aware_and_in_utc(database: Database) -> None:
    with Session(database.engine) as session:
        for column in (ChatRow.free_at, TableRow.opened_at):
            found = session.exec(select(column)).one()
            assert (found, found.tzinfo) == (NOON, UTC)
        late = select(TableRow.id).where(col(TableRow.opened_at) <= NOON.astimezone(UTC))
        early = select(TableRow.id).where(col(TableRow.opened_at) < NOON)
        assert (session.exec(late).all(), session.exec(early).all()) == ([1], [])


@pytest.mark.usefixtures("group")
async def test_a_time_without_a_zone_is_refused(database: Database) -> None:
    with pytest.raises(StatementError, match="timezone"):
        await keep(database, a_table(topic=1, opened_at=NOON.replace(tzinfo=None)))


REFUSED: Mapping[str, SQLModel] = {
    "a pot below zero": a_table(topic=1, pot=-1),
    "a stack below zero": a_seat(chips=-1),
    "less than nothing taken along": a_seat(cashed=-1),
    "a table in no group": a_table(chat_id=99),
    "a seat at no table": a_seat(table_id=99),
    "a ledger of no table": LedgerRow(table_id=99, move=1, account="pot", chips=0),
    "a journal of no table": MoveRow(table_id=99, move=1, at=NOON, events=[]),
    "a result of no table": ResultRow(table_id=99, player=PLAYER, chips=1, bought=1, winner=True),
    "a result of nobody": ResultRow(table_id=1, player=PLAYER + 1, chips=1, bought=1, winner=True),
    "the same group twice": ChatRow(telegram_id=CHAT, free_at=NOON),
    "two open tables at one place": a_table(),
}


@pytest.mark.usefixtures("group")
@pytest.mark.parametrize("what", REFUSED)
async def test_the_database_refuses(database: Database, what: str) -> None:
    row = REFUSED[what]
    copy = type(row)(**row.model_dump())
    with pytest.raises(IntegrityError):
        await keep(database, copy)


@pytest.mark.usefixtures("group")
@pytest.mark.parametrize(
    "row",
    [
        LedgerRow(table_id=1, move=2, account="pot", chips=5),
        MoveRow(table_id=1, move=2, at=NOON, events=[]),
        ResultRow(table_id=1, player=PLAYER, chips=1, bought=1, winner=True),
        a_seat(),
    ],
    ids=lambda row: type(row).__name__,
)
async def test_nothing_is_written_twice(database: Database, row: SQLModel) -> None:
    """A bug cannot pay twice: the key of every row that follows from a move holds what it follows from."""
    await keep(database, type(row)(**row.model_dump()))
    with pytest.raises(IntegrityError):
        await keep(database, type(row)(**row.model_dump()))


@pytest.mark.usefixtures("group")
async def test_a_place_has_one_open_table_and_any_number_of_finished_ones(database: Database) -> None:
    await keep(
        database, a_table(ended_at=NOON), a_table(ended_at=NOON), a_table(topic=1), a_table(topic=1, ended_at=NOON)
    )


@pytest.mark.usefixtures("group")
async def test_a_move_played_by_somebody_else_meanwhile_is_not_written_over(database: Database) -> None:
    with Session(database.engine) as session:
        row = session.exec(select(TableRow)).one()
        elsewhere = update(TableRow).values(move=2, pot=7).execution_options(synchronize_session=False)
        session.exec(elsewhere)
        row.move, row.pot = 2, 3
        with pytest.raises(StaleDataError):
            session.flush()
