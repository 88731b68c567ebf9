"""Back a database up to one file, and restore it: SQLite by itself, PostgreSQL with its own programs."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from sqlalchemy.engine import URL, make_url

from empedocles.errors import BadValue
from empedocles.server.settings import Settings
from empedocles.server.storage import database_file, migrate, schema

HELP = "Where it is: pg_dump --format=custom --no-owner --file=FILE {0}, and pg_restore --no-owner --dbname={0} FILE"


def back_up(settings: Settings, target: Path, force: bool = False) -> None:
    """Write the database, as it is at one moment, to a file that only its owner can read. Servers may keep running."""
    if target.exists() and not force:
        raise BadValue(f"{target} already exists: choose another name, or use --force")
    if settings.file:
        database_file.copy(settings.file, target)
    else:
        _dump(settings, target)


def restore(settings: Settings, source: Path, force: bool = False) -> Path | None:
    """Replace the database by a backup; returns where the old one is kept, if it is."""
    if not source.is_file():
        raise BadValue(f"there is no file {source}")
    if settings.file:
        return _restore_file(settings.file, source, force)
    _load(settings, source, force)
    return None


# ── SQLite ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def _restore_file(file: Path, source: Path, force: bool) -> Path | None:
    if file.exists() and source.samefile(file):
        raise BadValue(f"{source} is the database itself")
    if damage := database_file.damage_in(source):
        raise BadValue(f"the backup is damaged ({damage}): nothing was changed")
    version = database_file.version(source)
    if version is None:
        raise BadValue(f"{source} is not a database of this program: nothing was changed")
    migrate.check_version(version)
    aside = None
    if file.exists():
        if not force:
            raise BadValue(f"there is already a database at {file}: --force moves it aside")
        if database_file.in_use(file):
            raise BadValue(f"a server is using {file}: stop it first")
        aside = database_file.put_aside(file)
    file.parent.mkdir(database_file.OWNER, parents=True, exist_ok=True)
    database_file.copy(source, file)
    return aside


# ── PostgreSQL ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _dump(settings: Settings, target: Path) -> None:
    part = target.with_name(f"{target.name}.part-{os.getpid()}")
    database_file.make(part)
    try:
        _run(settings, "pg_dump", "--format=custom", "--no-owner", f"--file={part}")
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def _load(settings: Settings, source: Path, force: bool) -> None:
    """Restore in one transaction. Tables that only a newer version has are dropped too: they will be created again."""
    migrate.check_version(_dumped_version(settings, source))
    others, tables = asyncio.run(_look(settings))
    if others:
        raise BadValue(f"{others} others are connected to the database: stop the servers first")
    if tables and not force:
        raise BadValue("the database is not empty: --force replaces what is in it")
    drop = f"DROP TABLE IF EXISTS {', '.join([*schema.metadata.tables, 'alembic_version'])} CASCADE"
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "restore.sql"
        _run(settings, "pg_restore", "--no-owner", f"--file={script}", str(source))
        once = ("--no-psqlrc", "--quiet", "--single-transaction", "--set=ON_ERROR_STOP=1")
        _run(settings, "psql", *once, f"--command={drop}", f"--file={script}")


def _dumped_version(settings: Settings, source: Path) -> str:
    said = _run(settings, "pg_restore", "--data-only", "--table=alembic_version", "--file=-", str(source))
    found = re.search(r"^COPY .*alembic_version .*\n(\S+)$", said, re.MULTILINE)
    if not found:
        raise BadValue(f"{source} is not a backup made by this program: nothing was changed")
    return found[1]


async def _look(settings: Settings) -> tuple[int, int]:
    """The number of other connections, and of tables in the database."""
    import asyncpg

    connection = await asyncpg.connect(_url(settings).render_as_string(hide_password=False))
    try:
        others = await connection.fetchval(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
            " AND backend_type = 'client backend'"
        )
        tables = await connection.fetchval("SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()")
    finally:
        await connection.close()
    return int(others), int(tables)


def _url(settings: Settings) -> URL:
    return make_url(settings.url).set(drivername="postgresql")


def _run(settings: Settings, program: str, *arguments: str) -> str:
    """Run one of PostgreSQL's programs; returns its output. Its environment hides the password from others."""
    url = _url(settings)
    if not shutil.which(program):
        shown = url._replace(password=None).render_as_string()
        raise BadValue(f"{program}, which comes with PostgreSQL, is not installed here. {HELP.format(shown)}")
    given = {"PGHOST": url.host, "PGPORT": url.port, "PGUSER": url.username, "PGPASSWORD": url.password}
    given |= {"PGDATABASE": url.database}
    environment = os.environ | {name: str(value) for name, value in given.items() if value is not None}
    done = subprocess.run([program, *arguments], check=False, capture_output=True, text=True, env=environment)
    if done.returncode:
        raise BadValue(f"{program} failed: {done.stderr.strip()}")
    return done.stdout
