"""The books, checked: whether the rows of every table agree with each other.

A table is kept three times over: as it stands (its row and its seats), as movements of chips (the ledger) and as what
has happened (the journal). A fault in any of them shows as a disagreement with the others.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import groupby
from typing import Any, NamedTuple

from sqlmodel import Session, SQLModel, col, select

from domain.ledger import Till
from domain.table import Phase, Table
from persistence.database import Database
from persistence.journal import load_event, replay
from persistence.mapping import to_table
from persistence.rows import LedgerRow, MoveRow, ResultRow, SeatRow, TableRow


class Check(StrEnum):
    """What has to be true of every table."""

    MOVE_SUMS_TO_ZERO = "the chips of a move come from somewhere (I1, I7)"
    LEDGER_TELLS_CHIPS = "the ledger adds up to the chips that the table holds (I1)"
    NO_CHIPS_BELOW_ZERO = "nobody has fewer chips than none, at any move (I2)"
    MOVES_WITHOUT_GAP = "the journal has every move once, the last one is the table's (I23)"
    JOURNAL_TELLS_TABLE = "the journal, replayed, gives the table (I22)"
    RESULTS_OF_FINISHED = "a finished game has a result for whoever bought chips, any other has none (P2)"


class Fault(NamedTuple):
    """One disagreement."""

    table: int
    check: Check
    found: str

    def __str__(self) -> str:
        return f"table {self.table}: not so: {self.check}: {self.found}"


class Report(NamedTuple):
    """What an audit has seen, and what it has found wrong."""

    tables: int
    moves: int
    faults: Sequence[Fault]


class _Books(NamedTuple):
    """Everything that is written about one table."""

    row: TableRow
    seats: Sequence[SeatRow]
    ledger: Sequence[LedgerRow]
    journal: Sequence[MoveRow]
    results: Sequence[ResultRow]


async def audit(database: Database) -> Report:
    """Check every table of a database, finished ones too; games may go on meanwhile."""
    every = select(TableRow.id).order_by(col(TableRow.id))
    numbers = await database.read(lambda session: session.exec(every).all())
    moves, faults = 0, []
    for number in numbers:
        books = await database.read(lambda session, number=number: _open_books(session, number))  # type: ignore[misc]
        moves += len(books.journal)
        faults += [Fault(number or 0, check, found) for check, found in _disagreements(books)]
    return Report(len(numbers), moves, faults)


def _open_books(session: Session, number: int | None) -> _Books:
    """Read one table as it is between two moves: a move in progress is waited for, the next one waits."""
    row = session.exec(select(TableRow).where(TableRow.id == number).with_for_update(read=True))

    def rows(kind: type[SQLModel], *order: Any) -> Sequence[Any]:
        return session.exec(select(kind).filter_by(table_id=number).order_by(*order)).all()

    return _Books(
        row.one(),
        rows(SeatRow, SeatRow.player),
        rows(LedgerRow, LedgerRow.move, LedgerRow.account),
        rows(MoveRow, MoveRow.move),
        rows(ResultRow, ResultRow.player),
    )


def _disagreements(books: _Books) -> Iterator[tuple[Check, str]]:
    yield from _check_ledger(books)
    yield from _check_signs(books)
    try:
        held = to_table(books.row, books.seats)
    except ValueError as error:
        yield Check.JOURNAL_TELLS_TABLE, f"the rows are no table: {error}"
    else:
        yield from _check_journal(books, held)
        yield from _check_results(books, held)


def _check_ledger(books: _Books) -> Iterator[tuple[Check, str]]:
    sums: Counter[str] = Counter()
    for move, entries in groupby(books.ledger, key=lambda entry: entry.move):
        total = 0
        for entry in entries:
            total += entry.chips
            sums[entry.account] += entry.chips
            if sums[entry.account] < 0 and entry.account not in (Till.HOUSE, Till.CAGE):
                yield Check.NO_CHIPS_BELOW_ZERO, f"{entry.account} has {sums[entry.account]} after move {move}"
        if total:
            yield Check.MOVE_SUMS_TO_ZERO, f"move {move} sums to {total}"
    held = {str(seat.player): seat.chips for seat in books.seats}
    held |= {Till.POT.value: books.row.pot, Till.HOUSE.value: books.row.house}
    for account in sorted({*sums, *held} - {Till.CAGE.value}):
        if sums[account] != held.get(account, 0):
            yield Check.LEDGER_TELLS_CHIPS, f"{account}: {sums[account]} by the ledger, {held.get(account, 0)} held"


def _check_signs(books: _Books) -> Iterator[tuple[Check, str]]:
    for seat in books.seats:
        if min(seat.chips, seat.cashed) < 0:
            yield Check.NO_CHIPS_BELOW_ZERO, f"{seat.player} has {seat.chips} and took {seat.cashed} along"
    if books.row.pot < 0:
        yield Check.NO_CHIPS_BELOW_ZERO, f"the pot holds {books.row.pot}"


def _check_journal(books: _Books, held: Table) -> Iterator[tuple[Check, str]]:
    found, wanted = [entry.move for entry in books.journal], [*range(1, held.move + 1)]
    if found != wanted:
        yield Check.MOVES_WITHOUT_GAP, f"missing or too many: {sorted({*found} ^ {*wanted})}"
        return
    try:
        told = replay([[*map(load_event, entry.events)] for entry in books.journal])
    except Exception as error:  # whatever is wrong with an event, the other tables are still to be checked
        yield Check.JOURNAL_TELLS_TABLE, f"cannot be replayed: {error!r}"
        return
    for name in Table.__dataclass_fields__:
        if getattr(told, name) != getattr(held, name):
            yield Check.JOURNAL_TELLS_TABLE, f"{name}: {getattr(told, name)} told, {getattr(held, name)} held"


def _check_results(books: _Books, held: Table) -> Iterator[tuple[Check, str]]:
    found = {result.player: (result.chips, result.bought, result.winner) for result in books.results}
    seats = (*held.seats, *held.departed) if held.phase is Phase.ENDED else ()
    wanted = {
        seat.player: (seat.chips + seat.cashed, seat.bought, seat.player in held.winners)
        for seat in seats
        if seat.bought
    }
    for player in sorted({*found, *wanted}):
        if found.get(player) != wanted.get(player):
            yield Check.RESULTS_OF_FINISHED, f"{player}: {found.get(player)} written, {wanted.get(player)} held"
