"""The rows. They are not the domain: `persistence.tables` maps one to the other, field by field.

Ids of Telegram's go beyond 32 bits, so every id is a BigInteger. Chips are whole; amounts that must not fall below
zero say so to the database, too (I2). Times are aware and in UTC.
"""

from datetime import datetime
from typing import Any, ClassVar

from sqlalchemy import JSON, BigInteger, CheckConstraint, Column, ForeignKey, Index, false, text
from sqlmodel import Field, SQLModel

NOT_SENT = 0
"""As the number of a message: it is about to be sent."""


class ChatRow(SQLModel, table=True):
    """A group. Its own id never changes; Telegram's does when the group becomes a supergroup."""

    __tablename__: ClassVar[Any] = "chats"

    id: int | None = Field(default=None, primary_key=True)
    telegram_id: int = Field(sa_type=BigInteger, unique=True)
    language: str = Field(default="", max_length=8)
    """The language of its boards; empty until somebody has chosen one, or opened a table in his."""
    active: bool = True
    """Whether the bot may write there."""
    rules: dict[str, Any] | None = Field(default=None, sa_type=JSON)
    """The game the group chose last."""
    settings: dict[str, Any] | None = Field(default=None, sa_type=JSON)
    """What its table agreed on then."""
    free_at: datetime
    """When the group's budget of messages is whole again (see `persistence.boards`)."""


class BudgetRow(SQLModel, table=True):
    """The one row from which all processes on this database take their calls to Telegram."""

    __tablename__: ClassVar[Any] = "budget"

    id: int | None = Field(default=None, primary_key=True)
    free_at: datetime
    """When the budget of all groups together is whole again (see `persistence.boards`)."""


class PlayerRow(SQLModel, table=True):
    """A person, under the id that Telegram gives people (it does not change)."""

    __tablename__: ClassVar[Any] = "players"

    id: int = Field(sa_column=Column(BigInteger, primary_key=True, autoincrement=False))
    name: str
    """As Telegram has it; whoever shows it makes it safe first."""
    language: str = Field(default="en", max_length=8)


_MOVE = Column("move", BigInteger, nullable=False)


def _partial(name: str, column: str, condition: str) -> Index:
    """An index of those rows alone for which something is so, in the words of either database."""
    return Index(
        name,
        column,
        sqlite_where=text(condition.format(not_frozen="frozen = 0")),
        postgresql_where=text(condition.format(not_frozen="NOT frozen")),
    )


class TableRow(SQLModel, table=True):
    """One game, from its lobby on. What is asked for by queries has a column; the rest is in ``rest``."""

    __tablename__: ClassVar[Any] = "tables"
    __table_args__ = (
        CheckConstraint("pot >= 0", name="pot_not_negative"),
        Index(
            "one_open_table",
            "chat_id",
            "topic",
            unique=True,
            sqlite_where=text("ended_at IS NULL"),
            postgresql_where=text("ended_at IS NULL"),
        ),
        # Only what is still to be done stands in these: they do not grow with what has been played.
        _partial("behind", "chat_id", "shown < move AND {not_frozen}"),
        _partial("due", "due_at", "due_at IS NOT NULL AND {not_frozen}"),
        _partial("late", "warn_at", "warn_at IS NOT NULL AND {not_frozen}"),
    )
    # The move number is in the button, is the idempotency key and guards the row against a lost update.
    __mapper_args__: ClassVar[Any] = {"version_id_col": _MOVE, "version_id_generator": False}

    id: int | None = Field(default=None, primary_key=True)
    chat_id: int = Field(foreign_key="chats.id", index=True)
    topic: int = Field(default=0, sa_type=BigInteger)
    """The forum topic, 0 for none."""
    move: int = Field(sa_column=_MOVE)
    asked: int = Field(sa_type=BigInteger)
    phase: str = Field(max_length=16)
    host: int = Field(sa_type=BigInteger)
    dealer: int | None = Field(default=None, sa_type=BigInteger)
    actor: int | None = Field(default=None, sa_type=BigInteger)
    round: int
    pot: int = Field(sa_type=BigInteger)
    house: int = Field(sa_type=BigInteger)
    seed: str = Field(max_length=64)
    shuffles: int
    rules: dict[str, Any] = Field(sa_type=JSON)
    settings: dict[str, Any] = Field(sa_type=JSON)
    rest: dict[str, Any] = Field(sa_type=JSON)
    opened_at: datetime
    ended_at: datetime | None = None
    due_at: datetime | None = None
    """When the clock answers the open question."""
    warn_at: datetime | None = None
    """When the player who is asked is to be reminded, once; ``None``: that is done, or nobody is asked."""
    frozen: bool = Field(default=False, sa_column_kwargs={"server_default": false()})
    """Whether the bot may not write to its group: nothing is due here, and no board is behind. The same as the chat's
    ``active``, turned round; an index cannot look there."""
    page: int = Field(default=0, sa_column_kwargs={"server_default": "0"})
    """The page of the lobby's menu that the board shows."""
    board: int | None = Field(default=None, sa_type=BigInteger)
    """The message that shows this table."""
    shown: int = Field(default=0, sa_type=BigInteger)
    """The newest move the message shows; the row is its own outbox."""
    reminder: int | None = Field(default=None, sa_type=BigInteger)
    """The message that reminds the late player, or `NOT_SENT`: it is on its way."""
    prompt: int | None = Field(default=None, sa_type=BigInteger)
    """The message whose reply is the player's amount."""
    heard: int = Field(default=0, sa_type=BigInteger)
    """The newest message that was played as an amount: the idempotency key of what is typed."""


class SeatRow(SQLModel, table=True):
    """A player at a table; ``place`` counts clockwise from 0, and is below zero for those who have left."""

    __tablename__: ClassVar[Any] = "seats"
    __table_args__ = (
        CheckConstraint("chips >= 0", name="chips_not_negative"),
        CheckConstraint("cashed >= 0", name="cashed_not_negative"),
    )

    table_id: int = Field(foreign_key="tables.id", primary_key=True)
    player: int = Field(sa_column=Column(BigInteger, primary_key=True, autoincrement=False))
    place: int
    chips: int = Field(sa_type=BigInteger)
    cashed: int = Field(sa_type=BigInteger)
    bought: int = Field(sa_type=BigInteger)
    rebuys: int
    missed: int
    away: bool
    leaving: bool
    gone: bool
    newcomer: bool


class LedgerRow(SQLModel, table=True):
    """What one move did to one account. The rows of a move sum to zero; a move can be written only once."""

    __tablename__: ClassVar[Any] = "ledger"

    table_id: int = Field(foreign_key="tables.id", primary_key=True)
    move: int = Field(sa_column=Column(BigInteger, primary_key=True, autoincrement=False))
    account: str = Field(primary_key=True, max_length=20)
    """A player's id, ``pot``, ``house``, or ``cage``: where chips come from and go to."""
    chips: int = Field(sa_type=BigInteger)


class MoveRow(SQLModel, table=True):
    """The journal: the events of one move, enough to replay the game (I22)."""

    __tablename__: ClassVar[Any] = "journal"

    table_id: int = Field(foreign_key="tables.id", primary_key=True)
    move: int = Field(sa_column=Column(BigInteger, primary_key=True, autoincrement=False))
    at: datetime
    events: list[dict[str, Any]] = Field(sa_type=JSON)


class ResultRow(SQLModel, table=True):
    """How a finished game ended for one player."""

    __tablename__: ClassVar[Any] = "results"

    table_id: int = Field(foreign_key="tables.id", primary_key=True)
    player: int = Field(sa_column=Column(BigInteger, ForeignKey("players.id"), primary_key=True, autoincrement=False))
    chips: int = Field(sa_type=BigInteger)
    """What he had when the game ended, or took with him before."""
    bought: int = Field(sa_type=BigInteger)
    """What he had bought in all."""
    winner: bool
