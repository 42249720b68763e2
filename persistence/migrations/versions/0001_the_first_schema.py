"""The first schema"""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql import sqltypes

revision: str = "0001"
down_revision: str | None = None
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


_OPEN = sa.text("ended_at IS NULL")
_WHILE_OPEN = {"sqlite_where": _OPEN, "postgresql_where": _OPEN}


def upgrade() -> None:
    op.create_table(
        "chats",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("telegram_id", sa.BigInteger(), nullable=False),
        sa.Column("language", sa.String(length=8), nullable=False),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.Column("free_at", sqltypes.UTCDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("telegram_id"),
    )
    op.create_table(
        "players",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("language", sa.String(length=8), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "tables",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("chat_id", sa.Integer(), nullable=False),
        sa.Column("topic", sa.BigInteger(), nullable=False),
        sa.Column("move", sa.BigInteger(), nullable=False),
        sa.Column("asked", sa.BigInteger(), nullable=False),
        sa.Column("phase", sa.String(length=16), nullable=False),
        sa.Column("host", sa.BigInteger(), nullable=False),
        sa.Column("dealer", sa.BigInteger(), nullable=True),
        sa.Column("actor", sa.BigInteger(), nullable=True),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("pot", sa.BigInteger(), nullable=False),
        sa.Column("house", sa.BigInteger(), nullable=False),
        sa.Column("seed", sa.String(length=64), nullable=False),
        sa.Column("shuffles", sa.Integer(), nullable=False),
        sa.Column("rules", sa.JSON(), nullable=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("rest", sa.JSON(), nullable=False),
        sa.Column("opened_at", sqltypes.UTCDateTime(), nullable=False),
        sa.Column("ended_at", sqltypes.UTCDateTime(), nullable=True),
        sa.Column("due_at", sqltypes.UTCDateTime(), nullable=True),
        sa.Column("warn_at", sqltypes.UTCDateTime(), nullable=True),
        sa.Column("board", sa.BigInteger(), nullable=True),
        sa.Column("shown", sa.BigInteger(), nullable=False),
        sa.Column("reminder", sa.BigInteger(), nullable=True),
        sa.Column("prompt", sa.BigInteger(), nullable=True),
        sa.Column("heard", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("pot >= 0", name="pot_not_negative"),
        sa.ForeignKeyConstraint(
            ["chat_id"],
            ["chats.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
    )
    with op.batch_alter_table("tables", schema=None) as batch_op:
        batch_op.create_index("due", ["due_at"], unique=False)
        batch_op.create_index(batch_op.f("ix_tables_chat_id"), ["chat_id"], unique=False)
        batch_op.create_index(
            "one_open_table",
            ["chat_id", "topic"],
            unique=True,
            sqlite_where=sa.text("ended_at IS NULL"),
            postgresql_where=sa.text("ended_at IS NULL"),
        )

    op.create_table(
        "journal",
        sa.Column("table_id", sa.Integer(), nullable=False),
        sa.Column("move", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("at", sqltypes.UTCDateTime(), nullable=False),
        sa.Column("events", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id"],
            ["tables.id"],
        ),
        sa.PrimaryKeyConstraint("table_id", "move"),
    )
    op.create_table(
        "ledger",
        sa.Column("table_id", sa.Integer(), nullable=False),
        sa.Column("move", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("account", sa.String(length=20), nullable=False),
        sa.Column("chips", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id"],
            ["tables.id"],
        ),
        sa.PrimaryKeyConstraint("table_id", "move", "account"),
    )
    op.create_table(
        "results",
        sa.Column("table_id", sa.Integer(), nullable=False),
        sa.Column("player", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("chips", sa.BigInteger(), nullable=False),
        sa.Column("bought", sa.BigInteger(), nullable=False),
        sa.Column("winner", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["player"],
            ["players.id"],
        ),
        sa.ForeignKeyConstraint(
            ["table_id"],
            ["tables.id"],
        ),
        sa.PrimaryKeyConstraint("table_id", "player"),
    )
    op.create_table(
        "seats",
        sa.Column("table_id", sa.Integer(), nullable=False),
        sa.Column("player", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("chips", sa.BigInteger(), nullable=False),
        sa.Column("cashed", sa.BigInteger(), nullable=False),
        sa.Column("bought", sa.BigInteger(), nullable=False),
        sa.Column("rebuys", sa.Integer(), nullable=False),
        sa.Column("missed", sa.Integer(), nullable=False),
        sa.Column("away", sa.Boolean(), nullable=False),
        sa.Column("leaving", sa.Boolean(), nullable=False),
        sa.Column("gone", sa.Boolean(), nullable=False),
        sa.Column("newcomer", sa.Boolean(), nullable=False),
        sa.CheckConstraint("cashed >= 0", name="cashed_not_negative"),
        sa.CheckConstraint("chips >= 0", name="chips_not_negative"),
        sa.ForeignKeyConstraint(
            ["table_id"],
            ["tables.id"],
        ),
        sa.PrimaryKeyConstraint("table_id", "player"),
    )


def downgrade() -> None:
    op.drop_table("seats")
    op.drop_table("results")
    op.drop_table("ledger")
    op.drop_table("journal")
    with op.batch_alter_table("tables", schema=None) as batch_op:
        batch_op.drop_index("one_open_table", **_WHILE_OPEN)
        batch_op.drop_index(batch_op.f("ix_tables_chat_id"))
        batch_op.drop_index("due")

    op.drop_table("tables")
    op.drop_table("players")
    op.drop_table("chats")
