"""The lobby has a menu, and a group's choice is remembered."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0002"
down_revision: str | None = "0001"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None


def upgrade() -> None:
    with op.batch_alter_table("chats") as chats:
        chats.add_column(sa.Column("rules", sa.JSON(), nullable=True))
        chats.add_column(sa.Column("settings", sa.JSON(), nullable=True))
    with op.batch_alter_table("tables") as tables:
        tables.add_column(sa.Column("page", sa.Integer(), nullable=False, server_default="0"))


def downgrade() -> None:
    op.drop_column("tables", "page")
    op.drop_column("chats", "settings")
    op.drop_column("chats", "rules")
