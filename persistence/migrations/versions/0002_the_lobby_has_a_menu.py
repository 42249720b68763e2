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
    with op.batch_alter_table("tables") as tables:
        tables.drop_column("page")
    with op.batch_alter_table("chats") as chats:
        chats.drop_column("settings")
        chats.drop_column("rules")
