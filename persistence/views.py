"""What a board shows: a table, and whatever its board needs besides."""

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import bindparam
from sqlmodel import Session, col, select

from domain.table import Player, Table
from persistence.mapping import Place, to_table
from persistence.rows import ChatRow, PlayerRow, SeatRow, TableRow


class NoTableError(Exception):
    """There is no such table, or none is open at this place."""


class View(NamedTuple):
    """A table and what its board needs besides."""

    number: int
    table: Table
    names: Mapping[Player, str]
    language: str
    place: Place
    board: int | None
    shown: int
    due_at: datetime | None
    reminder: int | None
    page: int
    """The open page of the lobby's menu."""
    free_at: datetime
    """When the group's budget of calls is whole again (see `persistence.boards`)."""


_NUMBERED = (
    select(ChatRow, TableRow).join(TableRow, col(TableRow.chat_id) == ChatRow.id).where(TableRow.id == bindparam("id"))
)


def read_view(session: Session, number: int) -> View:
    """A table as it is now, whether it is still open or not.

    Raises:
        NoTableError: there is none with this number.
    """
    found = session.exec(_NUMBERED, params={"id": number}).first()
    if found is None:
        raise NoTableError
    chat, row = found
    seats = session.exec(select(SeatRow).where(SeatRow.table_id == number)).all()
    table = to_table(row, seats)
    names = session.exec(select(PlayerRow.id, PlayerRow.name).where(col(PlayerRow.id).in_(people_of(table))))
    return View(
        number=number,
        table=table,
        names=dict(names.all()),
        language=chat.language,
        place=Place(chat.telegram_id, row.topic),
        board=row.board,
        shown=row.shown,
        due_at=row.due_at,
        reminder=row.reminder or None,
        page=row.page,
        free_at=chat.free_at,
    )


def people_of(table: Table) -> set[Player]:
    """Everybody whose name a board may show."""
    return {*(seat.player for seat in (*table.seats, *table.departed)), *table.arrivals, table.host}
