"""`empedocles serve` and `empedocles bots`, as far as they need no server; servers are started in tests/server."""

from __future__ import annotations

import socket
import sys
from pathlib import Path

import pytest
from cli.test_cli import run

from empedocles import compilation
from empedocles.cli import server, warmup
from empedocles.errors import BadValue, MissingExtra
from empedocles.server.settings import Settings, from_environment


def test_help_says_what_can_be_said() -> None:
    said = run("serve", "--help").stdout
    assert all(option in said for option in ("--host", "--port", "--workers", "--database", "--bots", "--no-open"))
    assert "serve" in run("--help").stdout
    assert "play" in run("--help").stdout  # the terminal is still there


def test_a_taken_port_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        found = run("serve", "--no-open", "--port", str(port))
    assert found.returncode == 2
    assert f"port {port}" in found.stderr
    assert "--port" in found.stderr


@pytest.mark.parametrize("command", ["serve", "bots"])
def test_a_database_that_cannot_be_opened_is_named_without_its_password(command: str, tmp_path: Path) -> None:
    more = ["--port", "0", "--no-open"] if command == "serve" else []
    for database in ("postgresql://me:hu@sh@127.0.0.1:1/games", "mysql://host/games", str(tmp_path), "://"):
        found = run(command, "--database", database, *more)
        assert found.returncode == 2
        assert "cannot open the database" in found.stderr
        assert "sh@" not in found.stderr
        assert "Traceback" not in found.stderr


@pytest.mark.parametrize(
    ("library", "database", "extra"), [("alembic", "", "server"), ("asyncpg", "postgresql://host/name", "postgresql")]
)
def test_a_missing_extra_is_named(library: str, database: str, extra: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(MissingExtra, match=rf"{library}.*'empedocles\[{extra}\]'"):
        server.settings_from(database, 1)


def test_sqlite_needs_no_driver_for_postgresql(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "asyncpg", None)
    assert server.settings_from("/tmp/a.db", 1).database == "/tmp/a.db"


@pytest.mark.parametrize(
    ("given", "used"),
    [
        ("postgresql://a:b@host/name", "postgresql+asyncpg://a:b@host/name"),
        ("postgres://host/name", "postgresql+asyncpg://host/name"),
        ("sqlite:////tmp/a.db", "sqlite+aiosqlite:////tmp/a.db"),
        ("/tmp/a.db", "sqlite+aiosqlite:////tmp/a.db"),
    ],
)
def test_databases(given: str, used: str) -> None:
    assert Settings(given).url == used


def test_settings_travel_through_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings("/tmp/a.db", bots=3, bot_seconds=0.5, secure=True, rate=7)
    for name, value in settings.environment.items():
        monkeypatch.setenv(name, value)
    assert from_environment() == settings
    monkeypatch.setenv("EMPEDOCLES_BOTS", "many")
    with pytest.raises(BadValue, match="many"):
        from_environment()


@pytest.mark.parametrize(
    ("name", "value"), [("HOSTS", "a*b"), ("METRICS", "short"), ("LOG", "loud")], ids=["hosts", "metrics", "log"]
)
def test_a_setting_that_means_nothing_is_named(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(f"EMPEDOCLES_{name}", value)
    with pytest.raises(BadValue, match=f"EMPEDOCLES_{name}"):
        server.serve(server.settings_from("", 0), "127.0.0.1", 0, 1, show=False)


def test_addresses() -> None:
    assert server._address("0.0.0.0", 80) == "http://localhost:80"
    assert server._address("::1", 80) == "http://[::1]:80"


def test_what_was_compiled_is_not_compiled_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    compiled: list[str] = []
    monkeypatch.setattr(warmup, "USES", {"the rules": lambda game: compiled.append(game.name)})
    monkeypatch.setattr(compilation, "cache_folder", lambda _folder: tmp_path)
    monkeypatch.setattr(warmup, "compile_apart", warmup.compile_all)
    warmup.compile_once()
    assert len(compiled) == 4
    warmup.compile_once()
    assert len(compiled) == 4


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there always is one")
def test_a_browser_is_opened_only_where_there_is_a_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert not server._has_browser()
    monkeypatch.setenv("DISPLAY", ":0")
    assert server._has_browser()


def test_agents_of_the_operator_are_tried_out_before_anybody_comes(tmp_path: Path) -> None:
    for command in ("serve", "bots"):
        for given, said in (
            ("mine", "does not say which opponent to add: NAME=MODULE:CLASS"),
            ("My Bot=net:run", "with a name in lower case"),
            ("mine=net:run", "run/network.npz is not a network"),
            ("mine=nowhere:Class", "there is no module 'nowhere'"),
            ("random=empedocles.agents.simple:RandomAgent", "there is already an agent 'random'"),
        ):
            found = run(command, "--agent", given, "--database", str(tmp_path / "a.db"))
            assert found.returncode == 2
            assert said in found.stderr
