"""`empedocles admin`: what an operator sees and does, while a server runs."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from server.people import House, next_kind
from server.postgresql import programs
from typer.testing import CliRunner

from empedocles.cli import admin
from empedocles.cli.app import app
from empedocles.errors import BadValue
from empedocles.server.limits import bans
from empedocles.server.storage import schema


@pytest.fixture
def run(database: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A command on the database, and what it says."""
    monkeypatch.setenv("COLUMNS", "200")

    def running(*words: str, code: int = 0) -> str:
        done = CliRunner().invoke(app, ["admin", *words, "--database", database])
        if done.exception and not isinstance(done.exception, SystemExit):
            raise done.exception
        assert done.exit_code == code, done.output
        return done.output

    return running


def test_lists_newest_first_with_filters_and_counts(house_on: House, run: Any) -> None:
    ada, bo, match = house_on.pair()
    alone = bo.create("fire-and-water", "me", "level-2")["id"]
    said = run("list", "tables")
    assert re.findall(r"^(\S+) .*-", said, re.MULTILINE) == [alone, match]
    assert "2 of 2" in said
    assert "Bo, level-2" in said
    assert match in (only := run("list", "tables", "--player", ada.id))
    assert alone not in only
    assert "1 of 2" in run("list", "tables", "--limit", "1")
    assert "1 of 1" in run("list", "tables", "--game", "fire-and-water")
    assert "0 of 0" in run("list", "tables", "--status", "over")
    people = run("list", "players", "--name", "AD")
    assert ada.id in people
    assert "1 of 1" in people
    assert "0 of 0" in run("list", "players", "--name", "%")
    assert ada.token not in people


def test_a_deleted_table_is_gone_for_who_looks_at_it(house_on: House, run: Any) -> None:
    ada, bo, match = house_on.pair()
    with bo.live(match) as socket:
        socket.send_json({"kind": "hello"})
        next_kind(socket, "state")
        assert "is deleted" in run("delete", "table", match, "--yes")
        assert next_kind(socket, "problem")["code"] == "no-match"
    assert ada.refused("GET", match) == (404, "no-match")


def test_a_deleted_player_leaves_nothing_but_what_others_played(house_on: House, run: Any) -> None:
    ada, bo, match = house_on.pair()
    alone = ada.create("fire-and-water", "me", "here")["id"]
    three = ada.create("fire-and-water", "me", "open", "open", options={"players": 3})["id"]
    bo.ok("POST", f"{three}/join", {})
    assert "1 tables" in run("delete", "player", ada.id, "--yes")
    assert house_on.client.get("/api/players/me", headers=ada.headers).status_code == 401
    for _ in range(300):  # until the server has heard
        if bo.refused("GET", alone)[0] == 404 and bo.look(match)["status"] == "over":
            break
        time.sleep(0.01)
    left = bo.look(match)
    assert left["winners"] == [1]
    assert "Ada" not in str(left)
    assert "Ada" not in str(bo.look(three))
    assert ada.id not in run("list", "players")


def test_what_cannot_be_loaded_can_be_deleted(house_on: House, run: Any) -> None:
    ada, bo, match = house_on.pair()
    other = bo.create("ignite-and-flow", "me", "here")["id"]
    foreign = sa.update(schema.matches).values(game="of-another-package", start="of-another-package x")
    house_on.client.portal.call(house_on.service.store.commit, (foreign, {}))  # type: ignore[union-attr]
    assert "2 problems" in run("check", code=1)
    run("delete", "player", ada.id, "--yes")
    assert "Ada" not in run("list", "tables")
    for table in (match, other):
        run("delete", "table", table, "--yes")
    assert "0 of 0" in run("list", "tables")
    with pytest.raises(BadValue, match="no table"):
        run("delete", "table", match, "--yes")


def test_nothing_is_deleted_without_a_yes(house_on: House, run: Any) -> None:
    ada, _, match = house_on.pair()
    run("delete", "table", match, code=1)
    run("delete", "player", ada.id, code=1)
    assert ada.look(match)["status"] == "playing"
    with pytest.raises(BadValue, match="no player"):
        run("delete", "player", "nobody", "--yes")


def test_bans(house_on: House, run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    ada, bo, match = house_on.pair()
    assert "until 2" in run("ban", ada.id, "--reason", "spam [b]", "--for", "7d")
    assert "for ever" in run("ban", "192.0.2.7")
    run("ban", "2001:db8::7", "--for", "1h")
    said = run("bans")
    assert all(what in said for what in (ada.id, "192.0.2.7/32", "2001:db8::/64", "spam [b]", "3 of 3"))
    end = time.monotonic() + 5 * bans.LOOK
    while ada.ask("GET", match).status_code == 200 and time.monotonic() < end:
        time.sleep(0.05)
    assert ada.refused("GET", match) == (403, "banned")
    run("ban", ada.id)  # again: the new one counts
    assert "3 of 3" in run("bans")
    for who in (ada.id, "192.0.2.7", "2001:db8::8"):
        run("unban", who)
    assert "0 of 0" in run("bans")
    with pytest.raises(BadValue, match="is not banned"):
        run("unban", bo.id)


@pytest.mark.parametrize("words", [["nobody"], ["127.0.0.1"], ["192.0.2.7", "--for", "soon"], ["a b"]])
def test_bans_that_cannot_be(house_on: House, run: Any, words: list[str]) -> None:
    with pytest.raises(BadValue):
        run("ban", *words)
    assert "0 of 0" in run("bans")


def test_backup_and_check(house_on: House, run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{programs()}{os.pathsep}{os.environ['PATH']}")
    house_on.pair()
    assert "1 tables, 0 problems" in run("check")
    assert "Written to" in run("backup", str(tmp_path / "backup"))
    assert (tmp_path / "backup").stat().st_size > 1000


def test_a_database_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    file = tmp_path / "none.db"
    for words in (["list", "tables"], ["bans"], ["check"], ["backup", str(tmp_path / "b")]):
        with pytest.raises(BadValue, match=r"no (database|file)"):
            CliRunner().invoke(app, ["admin", *words, "--database", str(file)], catch_exceptions=False)
    assert not list(tmp_path.iterdir())


def test_durations() -> None:
    assert admin._seconds("") is None
    assert admin._seconds("2h") == 7200
