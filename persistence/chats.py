"""What the bot knows about a group besides its tables: its language, whether it may write there, and where it is."""

from collections.abc import Sequence
from datetime import timedelta

from sqlalchemy.ext.asyncio import AsyncEngine, async_sessionmaker
from sqlmodel import col, func, select, update
from sqlmodel.ext.asyncio.session import AsyncSession

from domain.table import WAITING, Phase
from persistence.engine import utc_now
from persistence.rows import ChatRow, TableRow
from persistence.tables import WARNING_AT, Clock, chat_row, meet


class Chats:
    """All groups of the database, by Telegram's id."""

    def __init__(self, engine: AsyncEngine, now: Clock = utc_now) -> None:
        self._sessions = async_sessionmaker(engine, class_=AsyncSession, expire_on_commit=False)
        self._now = now

    async def language(self, chat: int) -> str:
        """The language of a group's boards; empty if nobody has chosen one."""
        async with self._sessions() as session:
            return (await session.exec(select(ChatRow.language).where(ChatRow.telegram_id == chat))).first() or ""

    async def set_language(self, chat: int, language: str) -> None:
        """Choose the language of a group; its boards are drawn anew."""
        async with self._sessions.begin() as session:
            row, tables = await self._locked(session, chat)
            row.language = language
            for table in tables:
                table.shown = 0

    async def silence(self, chat: int) -> None:
        """The bot may no longer write there: tables are frozen, their clocks stand still."""
        async with self._sessions.begin() as session:
            (await chat_row(session, chat, self._now(), lock=True)).active = False

    async def welcome(self, chat: int) -> bool:
        """The bot may write there (again): frozen tables get a new board, and their players their whole time.

        Whether that is news; Telegram may say it twice, and to two processes at once.
        """
        async with self._sessions.begin() as session:
            is_new = await meet(session, chat, self._now())
            row, tables = await self._locked(session, chat)
            if row.active:
                return is_new
            row.active = True
            for table in tables:
                table.board, table.shown = None, 0
                if table.phase in WAITING - {Phase.LOBBY, Phase.REST}:
                    whole = timedelta(seconds=table.settings["clock"])
                    table.due_at, table.warn_at = self._now() + whole, self._now() + whole * WARNING_AT
            return True

    async def _locked(self, session: AsyncSession, chat: int) -> tuple[ChatRow, Sequence[TableRow]]:
        """A group and its open tables, for nobody else until the transaction ends. While we waited for the tables, the
        group may have become one with another: then that one is meant, and its tables."""
        while True:
            seen = (await chat_row(session, chat, self._now())).id
            tables = await _lock_tables(session, seen)
            row = await chat_row(session, chat, self._now(), lock=True)
            if row.id == seen:
                return row, tables

    async def moved(self, old: int, new: int) -> None:
        """A group became a supergroup: its tables go with it, its old messages do not. Harmless if said twice, and if
        somebody is heard in the old group afterwards: what he tapped or wrote there may have been on its way for long.
        """
        async with self._sessions.begin() as session:
            both = select(ChatRow).where(col(ChatRow.telegram_id).in_((old, new))).order_by(col(ChatRow.id))
            for each in (await session.exec(both)).all():
                await _lock_tables(session, each.id)
            locked = (await session.exec(both.with_for_update().execution_options(populate_existing=True))).all()
            rows = {each.telegram_id: each for each in locked}
            if old not in rows:
                return
            row = rows[old]
            of_old_messages = update(TableRow).where(col(TableRow.chat_id) == row.id, col(TableRow.ended_at).is_(None))
            await session.exec(of_old_messages.values(board=None, reminder=None, prompt=None, heard=0, shown=0))
            if new in rows:
                may_write = rows[new].active  # what was heard of the group that is there now
                row = await self._merge(session, row, rows[new])
                row.active = may_write
            row.telegram_id = new

    async def _merge(self, session: AsyncSession, *rows: ChatRow) -> ChatRow:
        """Two rows turn out to be one group: somebody wrote in the new one before we heard that it is the old one, or
        in the old one afterwards. Whatever began first goes on, and keeps what the group has agreed on; a table that
        was opened in its place meanwhile is closed, and nobody has to see it."""
        elder, younger = sorted(rows, key=lambda row: row.id or 0)
        open_now = col(TableRow.ended_at).is_(None)
        first = select(func.min(TableRow.id)).where(col(TableRow.chat_id).in_([elder.id, younger.id]), open_now)
        staying = (await session.exec(first.group_by(col(TableRow.topic)))).all()
        both = update(TableRow).where(col(TableRow.chat_id).in_([elder.id, younger.id]))
        closed = both.where(open_now, col(TableRow.id).not_in(staying))
        gone = {"ended_at": self._now(), "due_at": None, "warn_at": None, "shown": TableRow.move}
        await session.exec(closed.values(gone))
        await session.exec(both.values(chat_id=elder.id))
        elder.language = elder.language or younger.language
        await session.delete(younger)
        await session.flush()
        return elder


async def _lock_tables(session: AsyncSession, chat: int | None) -> Sequence[TableRow]:
    """The open tables of a chat, locked before the chat itself: in the order in which a move takes them."""
    open_now = select(TableRow).where(TableRow.chat_id == chat, col(TableRow.ended_at).is_(None))
    return (await session.exec(open_now.order_by(col(TableRow.id)).with_for_update())).all()
