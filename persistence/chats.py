"""What the bot knows about a group besides its tables: its language, whether it may write there, and where it is."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import Update
from sqlmodel import Session, col, func, select, update

from domain.table import WAITING, Phase
from persistence.database import Database
from persistence.engine import Clock, utc_now
from persistence.rows import ChatRow, TableRow
from persistence.sitting import WARNING_AT, insert_into


class Chats:
    """All groups of the database, by Telegram's id."""

    def __init__(self, database: Database, now: Clock = utc_now) -> None:
        self._database = database
        self._now = now

    async def language(self, chat: int) -> str:
        """The language of a group's boards; empty if nobody has chosen one."""
        chosen = select(ChatRow.language).where(ChatRow.telegram_id == chat)
        return await self._database.read(lambda session: session.exec(chosen).first() or "")

    async def set_language(self, chat: int, language: str) -> None:
        """Choose the language of a group; its boards are drawn anew."""

        def choose(session: Session) -> None:
            row, tables = self._locked(session, chat)
            row.language = language
            for table in tables:
                table.shown = 0

        await self._database.write(choose)

    async def silence(self, chat: int) -> None:
        """The bot may no longer write there: tables are frozen, their clocks stand still."""

        def freeze(session: Session) -> None:
            row, tables = self._locked(session, chat)
            row.active = False
            for table in tables:
                table.frozen = True

        await self._database.write(freeze)

    async def welcome(self, chat: int) -> bool:
        """The bot may write there (again): frozen tables get a new board, and their players their whole time.

        Whether that is news; Telegram may say it twice, and to two processes at once.
        """

        def thaw(session: Session) -> bool:
            is_new = meet(session, chat, self._now())
            row, tables = self._locked(session, chat)
            if row.active:
                return is_new
            row.active = True
            for table in tables:
                table.board, table.shown, table.frozen = None, 0, False
                if table.phase in WAITING - {Phase.LOBBY, Phase.REST}:
                    whole = timedelta(seconds=table.settings["clock"])
                    table.due_at, table.warn_at = self._now() + whole, self._now() + whole * WARNING_AT
            return True

        return await self._database.write(thaw)

    def _locked(self, session: Session, chat: int) -> tuple[ChatRow, Sequence[TableRow]]:
        """A group and its open tables, for nobody else until the transaction ends. While we waited for the tables, the
        group may have become one with another: then that one is meant, and its tables."""
        while True:
            seen = chat_row(session, chat, self._now()).id
            tables = _lock_tables(session, seen)
            row = chat_row(session, chat, self._now(), lock=True)
            if row.id == seen:
                return row, tables

    async def moved(self, old: int, new: int) -> None:
        """A group became a supergroup: its tables go with it, its old messages do not. Harmless if said twice, and if
        somebody is heard in the old group afterwards: what he tapped or wrote there may have been on its way for long.
        """
        await self._database.write(lambda session: self._move(session, old, new))

    def _move(self, session: Session, old: int, new: int) -> None:
        both = select(ChatRow).where(col(ChatRow.telegram_id).in_((old, new))).order_by(col(ChatRow.id))
        for each in session.exec(both).all():
            _lock_tables(session, each.id)
        locked = session.exec(both.with_for_update().execution_options(populate_existing=True)).all()
        rows = {each.telegram_id: each for each in locked}
        if old not in rows:
            return
        row = rows[old]
        session.exec(_open_tables(row).values(board=None, reminder=None, prompt=None, heard=0, shown=0))
        if new in rows:
            may_write = rows[new].active  # what was heard of the group that is there now
            row = self._merge(session, row, rows[new])
            row.active = may_write
            session.exec(_open_tables(row).values(frozen=not may_write))
        row.telegram_id = new

    def _merge(self, session: Session, *rows: ChatRow) -> ChatRow:
        """Two rows turn out to be one group: somebody wrote in the new one before we heard that it is the old one, or
        in the old one afterwards. Whatever began first goes on, and keeps what the group has agreed on; a table that
        was opened in its place meanwhile is closed, and nobody has to see it."""
        elder, younger = sorted(rows, key=lambda row: row.id or 0)
        open_now = col(TableRow.ended_at).is_(None)
        first = select(func.min(TableRow.id)).where(col(TableRow.chat_id).in_([elder.id, younger.id]), open_now)
        staying = session.exec(first.group_by(col(TableRow.topic))).all()
        both = update(TableRow).where(col(TableRow.chat_id).in_([elder.id, younger.id]))
        closed = both.where(open_now, col(TableRow.id).not_in(staying))
        gone = {"ended_at": self._now(), "due_at": None, "warn_at": None, "shown": TableRow.move}
        session.exec(closed.values(gone))
        session.exec(update(TableRow).where(col(TableRow.chat_id) == younger.id).values(chat_id=elder.id))
        elder.language = elder.language or younger.language
        session.delete(younger)
        session.flush()
        return elder


def chat_row(session: Session, telegram_id: int, now: datetime, lock: bool = False) -> ChatRow:
    """The row of a chat, made when it is first seen."""
    statement = select(ChatRow).where(ChatRow.telegram_id == telegram_id)
    if lock:  # and what was read of it before may have changed by now
        statement = statement.with_for_update().execution_options(populate_existing=True)
    row = session.exec(statement).first()
    if row is None:
        meet(session, telegram_id, now)
        row = session.exec(statement).one()
    return row


def meet(session: Session, telegram_id: int, now: datetime) -> bool:
    """Make the row of a chat; false if it is there already. Of two who meet it at once, one makes it."""
    values = {"telegram_id": telegram_id, "language": "", "active": True, "free_at": now}
    upsert = insert_into(session.connection(), ChatRow).on_conflict_do_nothing(index_elements=["telegram_id"])
    return session.connection().execute(upsert.returning(col(ChatRow.id)), values).first() is not None


def _open_tables(chat: ChatRow) -> Update:
    return update(TableRow).where(col(TableRow.chat_id) == chat.id, col(TableRow.ended_at).is_(None))


def _lock_tables(session: Session, chat: int | None) -> Sequence[TableRow]:
    """The open tables of a chat, locked before the chat itself: in the order in which a move takes them."""
    open_now = select(TableRow).where(TableRow.chat_id == chat, col(TableRow.ended_at).is_(None))
    return session.exec(open_now.order_by(col(TableRow.id)).with_for_update()).all()
