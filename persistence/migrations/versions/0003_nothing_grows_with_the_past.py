"""What is still to be done is found without a look at what is done; all groups together have a budget."""

from collections.abc import Sequence
from datetime import UTC, datetime

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql import sqltypes

revision: str = "0003"
down_revision: str | None = "0002"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None

_PARTIAL = {
    "behind": ("chat_id", "shown < move AND {not_frozen}"),
    "due": ("due_at", "due_at IS NOT NULL AND {not_frozen}"),
    "late": ("warn_at", "warn_at IS NOT NULL AND {not_frozen}"),
}


def upgrade() -> None:
    op.add_column("tables", sa.Column("frozen", sa.Boolean(), nullable=False, server_default=sa.false()))
    silent = sa.table("chats", sa.column("id"), sa.column("active", sa.Boolean()))
    tables_now = sa.table("tables", sa.column("chat_id"), sa.column("frozen", sa.Boolean()), sa.column("ended_at"))
    is_silent = tables_now.c.chat_id.in_(sa.select(silent.c.id).where(sa.not_(silent.c.active)))
    op.execute(tables_now.update().where(is_silent, tables_now.c.ended_at.is_(None)).values(frozen=sa.true()))
    op.drop_index("due", "tables")
    for name, (column, condition) in _PARTIAL.items():
        op.create_index(
            name,
            "tables",
            [column],
            sqlite_where=sa.text(condition.format(not_frozen="frozen = 0")),
            postgresql_where=sa.text(condition.format(not_frozen="NOT frozen")),
        )
    budget = op.create_table(
        "budget",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("free_at", sqltypes.UTCDateTime(), nullable=False),
    )
    op.bulk_insert(budget, [{"id": 1, "free_at": datetime(1970, 1, 1, tzinfo=UTC)}])
    _forget_old_hands()


def _forget_old_hands() -> None:
    """Each move wrote the last 40 hands again; now a table remembers six, and all of the newest move."""
    connection, tables = op.get_bind(), sa.table("tables", sa.column("id", sa.Integer), sa.column("rest", sa.JSON))
    number = 0
    while found := connection.execute(tables.select().where(tables.c.id > number).order_by("id").limit(500)).all():
        number = found[-1].id
        for row in found:
            played = row.rest["played"]
            if len(played) > 6:
                newest = sum(1 for hand in played if hand["move"] == played[-1]["move"])
                rest = {**row.rest, "played": played[-max(newest, 6) :]}
                connection.execute(tables.update().where(tables.c.id == row.id).values(rest=rest))


def downgrade() -> None:
    op.drop_table("budget")
    for name in _PARTIAL:
        op.drop_index(name, "tables")
    op.create_index("due", "tables", ["due_at"])
    op.drop_column("tables", "frozen")
