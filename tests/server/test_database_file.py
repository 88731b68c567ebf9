"""A SQLite file: readable by its owner alone, refused when damaged, copied while in use."""

from __future__ import annotations

import asyncio
import gc
import os
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from cli.test_cli import run
from server.fixtures import opened

from empedocles.server.storage import database_file
from empedocles.server.storage.database import connect
from empedocles.server.storage.migrate import migrate
from empedocles.server.storage.news import listen

needs_permissions = pytest.mark.skipif(os.name != "posix", reason="permissions are kept otherwise there")
USES = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
connection.execute("SELECT 1 FROM t")
print("open", flush=True)
input()
"""


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@needs_permissions
def test_only_the_owner_can_read_it(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        file = tmp_path / "new" / "empedocles.db"
        with opened(str(file)) as house:
            house.person("Ada")
            found = {part.name: mode(part) for part in file.parent.iterdir()}
        assert found == dict.fromkeys(("empedocles.db", "empedocles.db-wal", "empedocles.db-shm"), 0o600)
        assert mode(file.parent) == 0o700
    finally:
        os.umask(before)


@needs_permissions
def test_a_file_that_others_could_read_is_closed_to_them(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    file = tmp_path / "a.db"
    file.touch(0o644)
    file.chmod(0o664)
    database_file.prepare(file)
    assert mode(file) == 0o600
    assert "could read" in caplog.text


def _damage(file: Path) -> bytes:
    """Overwrite pages in the middle, as a bad disk does."""
    content = bytearray(file.read_bytes())
    content[4096 * 2 : 4096 * 6] = os.urandom(4096 * 4)
    file.write_bytes(content)
    return bytes(content)


def _filled(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE t (a)")
        connection.executemany("INSERT INTO t VALUES (?)", [("x" * 500,) for _ in range(100)])
        connection.commit()


@pytest.mark.parametrize("command", ["serve", "bots"])
def test_a_damaged_file_is_refused_and_left_alone(command: str, tmp_path: Path) -> None:
    file = tmp_path / "a.db"
    _filled(file)
    content = _damage(file)
    more = ["--port", "0", "--no-open"] if command == "serve" else []
    found = run(command, "--database", str(file), *more)
    assert found.returncode == 2
    assert all(words in found.stderr for words in ("damaged", "admin restore", ".recover", str(file)))
    assert "Traceback" not in found.stderr
    assert file.read_bytes() == content


@pytest.mark.parametrize("content", [b"no database at all" * 500, b"SQLite format 3\x00" + b"\xff" * 5000])
def test_what_is_no_database_is_refused(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "a.db"
    file.write_bytes(content)
    assert database_file.damage_in(file)


def test_a_newer_database_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "a.db"
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE alembic_version (version_num)")
        connection.execute("INSERT INTO alembic_version VALUES ('9999')")
        connection.commit()
    found = run("bots", "--database", str(file))
    assert found.returncode == 2
    assert "9999" in found.stderr
    assert "newer" in found.stderr


@pytest.mark.parametrize("damaged", [False, True])
def test_whether_another_process_has_it_open(damaged: bool, tmp_path: Path) -> None:
    file = tmp_path / "a.db"
    _filled(file)
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
    assert not database_file.in_use(file)
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
    with subprocess.Popen(
        [sys.executable, "-c", USES, str(file)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout
        assert other.stdout.readline() == b"open\n"
        if damaged:
            with file.open("r+b") as opened_file:
                opened_file.write(b"\xff" * 50)
        assert database_file.in_use(file)
        other.communicate(b"\n")
    assert not database_file.in_use(file)


@pytest.mark.filterwarnings("error")
def test_whoever_watches_it_can_end_at_any_moment(tmp_path: Path) -> None:
    """The pool complains, when memory is collected, of each connection that was lost in the middle."""

    async def heard(*_news: object) -> None: ...

    async def scene() -> None:
        engine = connect(f"sqlite+aiosqlite:///{tmp_path / 'a.db'}")
        await migrate(engine)
        for moment in range(40):
            watching = asyncio.create_task(listen(engine, heard, lambda: None, tuple))
            for _ in range(moment):
                await asyncio.sleep(0)
            await asyncio.sleep(moment * 0.0002)
            watching.cancel()
            await asyncio.gather(watching, return_exceptions=True)
        await engine.dispose()

    asyncio.run(scene())
    gc.collect()
