"""Games of other packages: one that cannot be used says why, and leaves the others alone."""

from __future__ import annotations

import dataclasses
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from stones import GAME as STONES

from empedocles import BadValue, UnknownName, agents
from empedocles.game import Option
from empedocles.games import GAMES, add, all_games, broken, find, leave_out
from empedocles.games.announcements import checked_game


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Leaves behind what `pip install` would: a module, and metadata that announces something in it."""
    known = dict(all_games())
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])

    def install(name: str, source: str, group: str = "empedocles.games", what: str = "GAME") -> None:
        sys.modules.pop(name, None)
        (tmp_path / f"{name}.py").write_text(source, encoding="utf-8")
        metadata = tmp_path / f"{name}_games-1.5.dist-info"
        metadata.mkdir()
        (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}-games\nVersion: 1.5\n")
        (metadata / "entry_points.txt").write_text(f"[{group}]\n{name} = {name}:{what}\n")

    _forget()
    yield install
    monkeypatch.undo()
    _forget()
    all_games().update(known)  # as other tests have it
    broken.clear()


def _forget() -> None:
    all_games.cache_clear()
    agents.all_agents.cache_clear()
    agents.ladder.cache_clear()


RENAMED = "import dataclasses, stones\nGAME = dataclasses.replace(stones.GAME, name='pebbles')\n"


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("import nothing_of_the_kind\n", "ModuleNotFoundError: No module named 'nothing_of_the_kind'"),
        ("GAME = (\n", "SyntaxError"),
        ("import sys\nsys.exit('no graphics here')\n", "SystemExit: no graphics here"),
        ("GAMES = []\n", "AttributeError"),
        ("GAME = 'chess'\n", "'chess' is no Game but a str"),
        (RENAMED + "GAME = dataclasses.replace(GAME, max_legal=0)\n", "max_legal of the game 'pebbles'"),
        (RENAMED + "GAME = dataclasses.replace(GAME, options=7)\n", "options of the game 'pebbles'"),
        (RENAMED + "GAME = dataclasses.replace(GAME, name='ignite-and-flow')\n", "already a game 'ignite-and-flow'"),
    ],
)
def test_a_game_that_cannot_be_used_leaves_the_others_alone(installed: Any, source: str, why: str) -> None:
    installed("broken", source)
    installed("pebbles", RENAMED)
    with pytest.warns(RuntimeWarning, match="the game 'broken' is left out"):
        known = all_games()
    assert set(known) >= {*GAMES, "pebbles"}
    assert known["ignite-and-flow"] is GAMES["ignite-and-flow"]
    assert list(broken) == ["broken"]
    with pytest.raises(UnknownName, match="the game 'broken' cannot be used") as caught:
        find("broken")
    assert why in str(caught.value)
    if "already" not in why:
        assert "the package broken-games 1.5 announces it as 'broken:GAME'" in str(caught.value)


def test_an_agent_that_cannot_be_imported_leaves_the_others_alone(installed: Any) -> None:
    installed("wise", "import nothing_of_the_kind\n", "empedocles.agents", "make")
    with pytest.warns(RuntimeWarning, match="the agent 'wise' is left out: the package wise-games 1.5 announces"):
        known = agents.all_agents()
    assert "random" in known
    assert "wise" not in known


def test_the_command_lists_what_cannot_be_used(tmp_path: Path) -> None:
    metadata = tmp_path / "odd-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: odd\nVersion: 1\n")
    (metadata / "entry_points.txt").write_text("[empedocles.games]\nodd = odd:GAME\n")
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    listed = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "empedocles", "games"],
        check=True,
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": path, "COLUMNS": "200"},
    )
    assert "ignite-and-flow" in listed.stdout
    assert "odd cannot be used: the package odd 1 announces it as 'odd:GAME'" in listed.stdout


def test_a_game_can_be_left_out_later(installed: Any) -> None:
    installed("pebbles", RENAMED)
    assert find("pebbles")
    leave_out("pebbles", "its rules cannot be compiled")
    with pytest.raises(UnknownName, match="cannot be used: its rules cannot be compiled"):
        find("pebbles")


@pytest.mark.parametrize("name", list(GAMES))
def test_our_records_can_be(name: str) -> None:
    assert checked_game(GAMES[name]) is GAMES[name]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("title", " "),
        ("summary", None),
        ("rules_version", 0),
        ("rules_version", "1"),
        ("seats", ()),
        ("seats", (2, 2)),
        ("seats", (9,)),
        ("seats", [2]),
        ("max_legal", 0),
        ("max_legal", 4),  # of 3 moves
        ("max_legal", True),
        ("max_legal", 3.0),
        ("max_plies", 0),
        ("max_plies", 10**6),
        ("moves", ()),
        ("moves", ("1", "2", "1")),
        ("moves", ("1", "2", "two stones")),
        ("moves", ("1", "2", "{3}")),
        ("moves", ("1", "2", "")),
        ("moves", ("1", "2", "end")),
        ("moves", ("1", "2", "3.x")),
        ("moves", ("1", "2", "x" * 61)),
        ("moves", tuple(map(str, range(2**15 + 1)))),
        ("options", (Option("a heap", ("x",), "x"),)),
        ("options", (Option("heap", ("x",), "y"),)),
        ("options", (Option("heap", ((),), ()),)),
        ("options", (Option("heap", ("x",), "x"), Option("heap", ("x",), "x"))),
        ("rules", None),
    ],
)
def test_records_that_cannot_be_are_refused(field: str, value: Any) -> None:
    game = dataclasses.replace(STONES, name="pebbles", **{field: value})
    with pytest.raises(BadValue, match=f"{field} of the game 'pebbles' "):
        add(game)
    assert "pebbles" not in all_games()


@pytest.mark.parametrize("name", ["", "Two Words", "a=b", "x" * 61, "../up", 7])
def test_names_that_cannot_be_are_refused(name: Any) -> None:
    with pytest.raises(BadValue, match="the name of a game is of the form 'ignite-and-flow'"):
        add(dataclasses.replace(STONES, name=name))


def test_only_games_are_added() -> None:
    with pytest.raises(BadValue, match="'chess' is no Game but a str"):
        add("chess")  # type: ignore[arg-type]
