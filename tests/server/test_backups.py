"""Backups, made while people play, and restored: on SQLite and on PostgreSQL."""

from __future__ import annotations

import asyncio
import os
import re
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from server.fixtures import opened
from server.people import House, Person
from server.postgresql import programs

from empedocles.errors import BadValue
from empedocles.server.operations import administration
from empedocles.server.settings import Settings
from empedocles.server.storage import backups, database_file, schema


@pytest.fixture(autouse=True)
def postgresql_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{programs()}{os.pathsep}{os.environ['PATH']}")


def checked(database: str) -> tuple[int, list[str]]:
    return asyncio.run(administration.check(Settings(database)))


def test_what_was_backed_up_comes_back(database: str, tmp_path: Path) -> None:
    file, settings = tmp_path / "backup", Settings(database)
    with opened(database) as house:
        ada, bo, match = house.pair()
        ada.play(match)
        backups.back_up(settings, file)  # while it runs
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        _move(match, ada, bo)
        later = bo.create("ignite-and-flow", "me", "here")["id"]
        assert re.search(r"others are connected|a server is using", _refused_restore(database, file))
    with pytest.raises(BadValue, match="--force"):
        backups.restore(settings, file)
    aside = backups.restore(settings, file, force=True)
    assert (aside is not None) == (settings.file is not None)
    with opened(database) as house:
        ada, bo = Person(house.client, ada.token), Person(house.client, bo.token)
        assert ada.look(match)["number"] == 3
        assert bo.refused("GET", later) == (404, "no-match")
        _move(match, ada, bo)  # and play goes on
    assert checked(database) == (1, [])
    if aside:
        assert checked(str(aside)) == (2, [])


def _move(match: str, *people: Person) -> None:
    next(person for person in people if person.look(match)["your_turn"]).play(match)


def _refused_restore(database: str, file: Path) -> str:
    """In another process, like the command: SQLite's locks are between processes."""
    code = "import sys; from empedocles.cli import main; sys.argv[0] = 'empedocles'; main()"
    arguments = ["admin", "restore", str(file), "--force", "--database", database]
    done = subprocess.run([sys.executable, "-c", code, *arguments], check=False, capture_output=True, text=True)
    assert done.returncode == 2, done
    return done.stderr


def test_a_backup_takes_no_others_place(database: str, tmp_path: Path) -> None:
    with opened(database):
        file = tmp_path / "backup"
        file.write_text("a letter")
        with pytest.raises(BadValue, match="--force"):
            backups.back_up(Settings(database), file)
        assert file.read_text() == "a letter"
        backups.back_up(Settings(database), file, force=True)
    assert {path.name for path in tmp_path.iterdir()} <= {"backup", "empedocles.db"}  # no temporary files are left


def test_an_empty_place_needs_no_force(tmp_path: Path, postgresql: Any) -> None:
    for first, second in (
        (str(tmp_path / "a.db"), str(tmp_path / "new" / "b.db")),
        (postgresql.create("backup_from"), postgresql.create("backup_to")),
    ):
        with opened(first) as house:
            match = house.pair()[2]
        file = tmp_path / "backup"
        backups.back_up(Settings(first), file, force=True)
        backups.restore(Settings(second), file)
        with opened(second) as house:
            assert house.client.get(f"/api/matches/{match}").status_code == 200


@pytest.fixture
def damaged(tmp_path: Path) -> Path:
    file = tmp_path / "damaged"
    with opened(str(tmp_path / "was.db")) as house:
        house.pair()
        backups.back_up(Settings(str(tmp_path / "was.db")), file)
    content = bytearray(file.read_bytes())
    content[4096:12288] = os.urandom(8192)
    file.write_bytes(content)
    return file


def test_what_is_damaged_foreign_or_newer_is_not_restored(damaged: Path, tmp_path: Path) -> None:
    database = tmp_path / "empedocles.db"
    with opened(str(database)):
        pass
    before = database.read_bytes()
    foreign, newer, text = tmp_path / "foreign", tmp_path / "newer", tmp_path / "text"
    with closing(sqlite3.connect(foreign)) as connection:
        connection.execute("CREATE TABLE t (a)")
    database_file.copy(database, newer)
    with closing(sqlite3.connect(newer)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()
    text.write_text("a letter")
    for file, words in ((damaged, "damaged"), (foreign, "not a database of"), (newer, "9999"), (text, "damaged")):
        with pytest.raises(BadValue, match=words):
            backups.restore(Settings(str(database)), file, force=True)
    for file in (tmp_path / "none", database):
        with pytest.raises(BadValue, match=r"there is no file|the database itself"):
            backups.restore(Settings(str(database)), file, force=True)
    assert database.read_bytes() == before


def test_what_is_no_dump_is_not_restored(postgresql: Any, tmp_path: Path) -> None:
    database, text = postgresql.create("no_dump"), tmp_path / "text"
    text.write_text("a letter")
    with pytest.raises(BadValue, match="pg_restore failed"):
        backups.restore(Settings(database), text)


def test_a_damaged_database_is_replaced_and_kept(tmp_path: Path) -> None:
    database, file = tmp_path / "empedocles.db", tmp_path / "backup"
    with opened(str(database)) as house:
        match = house.pair()[2]
        backups.back_up(Settings(str(database)), file)
    database.write_bytes(b"\xff" * 20_000)
    aside = backups.restore(Settings(str(database)), file, force=True)
    assert aside
    assert aside.read_bytes() == b"\xff" * 20_000
    with opened(str(database)) as house:
        assert house.client.get(f"/api/matches/{match}").status_code == 200


def test_the_command_is_said_where_a_program_is_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BadValue, match=r"pg_dump .*--file=FILE postgresql://me@host/games") as refused:
        backups.back_up(Settings("postgresql://me:hush@host/games"), tmp_path / "backup")
    assert "hush" not in str(refused.value)
    assert not list(tmp_path.iterdir())


def test_passwords_are_not_in_the_command_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    ran: list[Any] = []

    def run(command: list[str], **more: Any) -> Any:
        ran.append((command, more["env"]))
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr(subprocess, "run", run)
    backups.back_up(Settings("postgresql://me:hu%40sh@host:5433/games"), tmp_path / "backup")
    command, environment = ran[0]
    assert "sh" not in " ".join(command[2:]).replace(str(tmp_path), "")
    assert {environment[f"PG{name}"] for name in ("HOST", "PORT", "USER", "PASSWORD", "DATABASE")} == {
        "host", "5433", "me", "hu@sh", "games",
    }  # fmt: skip


def test_check_finds_what_cannot_be_played_again(house_on: House, database: str) -> None:
    ada, _, match = house_on.pair()
    ada.play(match)
    good = ada.create("ignite-and-flow", "me", "here")["id"]
    assert checked(database) == (2, [])
    c, commit = schema.log.c, house_on.service.store.commit
    wrong = sa.update(schema.log).where(c.match == match, c.kind == "move").values(body='{"seat": 0, "move": "Zz9"}')
    house_on.client.portal.call(commit, (wrong, {}))  # type: ignore[union-attr]
    total, problems = checked(database)
    assert total == 2
    assert [problem.split(":")[0] for problem in problems] == [match]
    gone = sa.delete(schema.log).where(c.match == good, c.number == 0)
    house_on.client.portal.call(commit, (gone, {}))  # type: ignore[union-attr]
    assert len(checked(database)[1]) == 2
