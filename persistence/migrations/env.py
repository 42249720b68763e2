"""Alembic's entry: the connection is handed in by `persistence.engine.migrate`, never opened here."""

from alembic import context
from sqlmodel import SQLModel

import persistence.rows  # noqa: F401 - the rows are the schema

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=SQLModel.metadata,
    render_as_batch=True,  # SQLite cannot alter a column in place
)
with context.begin_transaction():
    context.run_migrations()
