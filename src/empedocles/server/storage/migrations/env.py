"""Run by Alembic, on the connection from `migrate`."""

from __future__ import annotations

from alembic import context

from empedocles.server.storage.schema import metadata

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()
