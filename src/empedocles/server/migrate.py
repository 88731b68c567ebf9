"""Bring a database up to date, whatever version wrote it."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from sqlalchemy.engine import Connection
from sqlalchemy.ext.asyncio import AsyncEngine

from empedocles.server.settings import Settings
from empedocles.server.store import connect

LOCK = 20261115  # several servers may start at the same time, and one migrates


async def prepare(settings: Settings) -> None:
    """Make a database ready, before anything uses it."""
    settings.prepare()
    engine = connect(settings.url)
    try:
        await migrate(engine)
    finally:
        await engine.dispose()


async def migrate(engine: AsyncEngine) -> None:
    async with engine.begin() as connection:
        if connection.dialect.name == "postgresql":
            await connection.execute(sa.text(f"SELECT pg_advisory_xact_lock({LOCK})"))
        else:
            await connection.exec_driver_sql("BEGIN IMMEDIATE")  # or two that start together would both migrate
        await connection.run_sync(_upgrade)


def _upgrade(connection: Connection) -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
