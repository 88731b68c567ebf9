"""Bring a database up to date, whatever version wrote it."""

from __future__ import annotations

import functools
from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy.engine import Connection
from sqlalchemy.ext.asyncio import AsyncEngine

from empedocles.errors import BadValue
from empedocles.server.settings import Settings
from empedocles.server.storage import database_file
from empedocles.server.storage.database import connect

LOCK = 20261115  # several servers may start at the same time, and one migrates


async def prepare(settings: Settings) -> None:
    """Prepare a database before anything uses it; a damaged one is refused and left alone."""
    if settings.file:
        database_file.check(settings.file)
    database_file.prepare(settings.file)
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
            await connection.exec_driver_sql("BEGIN IMMEDIATE")  # otherwise two that start together would both migrate
        await connection.run_sync(_upgrade)


def _upgrade(connection: Connection) -> None:
    if sa.inspect(connection).has_table("alembic_version"):
        check_version(connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar())
    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def check_version(found: str | None) -> None:
    """Refuse a database that a newer version of this program has written."""
    if found and found not in versions():
        raise BadValue(f"the database has version {found}, which is newer than this program: it knows {versions()[0]}")


@functools.cache
def versions() -> list[str]:
    """The database versions that this program knows, the newest first."""
    return [script.revision for script in ScriptDirectory.from_config(_config()).walk_revisions()]


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    return config
