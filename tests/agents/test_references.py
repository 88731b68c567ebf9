"""Anybody's class as an agent: by the name of its module, wherever agents are named, and never on a visitor's word."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from empedocles import BadValue, UnknownName, agents, new
from empedocles.games import GAMES
from empedocles.networks import FILE, Network, features_of, new_card
from empedocles.search.limits import Limit

LIMIT = Limit(simulations=1)
THEIRS = ("their_players", "needy", "faulty", "leaving")
MODULE = """
import empedocles

class Last:
    def __init__(self, seed):
        self.seed = seed

    def choose(self, position, limit):
        return position.legal_moves[-1]

class Mute:
    def __init__(self, seed):
        pass

class Nested:
    Inner = Last

class Picky:
    def __init__(self):
        pass

class Limited(Last):
    def __init__(self, seed):
        raise empedocles.BadValue("not today")

number = 7
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    (tmp_path / "their_players.py").write_text(MODULE)
    (tmp_path / "needy.py").write_text("import a_library_that_is_missing")
    (tmp_path / "faulty.py").write_text("1 // 0")
    (tmp_path / "leaving.py").write_text("import sys; sys.exit(3)")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    for module in THEIRS:
        sys.modules.pop(module, None)


def command(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The command as it is installed: Python itself does not look for modules in the folder."""
    return subprocess.run(
        [sys.executable, "-P", "-m", "empedocles", *arguments],
        check=False,
        capture_output=True,
        text=True,
        cwd=folder,
        env=os.environ | {"COLUMNS": "100", "TERM": "dumb", "XDG_STATE_HOME": str(folder)},
    )


def test_a_class_is_found_by_its_module_and_gets_the_seed(folder: Path) -> None:
    position = new("ignite-and-flow").position
    for name in ("their_players:Last", "their_players:Nested.Inner"):
        agent = agents.find(name, 5, GAMES["ignite-and-flow"])
        assert vars(agent) == {"seed": 5}
        assert agent.choose(position, LIMIT) == position.legal_moves[-1]


@pytest.mark.parametrize(
    ("name", "kind", "said"),
    [
        ("nowhere:Last", UnknownName, "unknown agent 'nowhere:Last': there is no module 'nowhere' in this folder or"),
        ("their_players.deeper:Last", UnknownName, "there is no module 'their_players.deeper'"),
        ("their_players:First", UnknownName, "there is no 'First' in their_players, which has Last, Mute, Nested"),
        ("their_players:Nested.Outer", UnknownName, "there is no 'Outer' in Nested, which has Inner"),
        ("their_players:Mute", BadValue, r"'their_players:Mute' has no method choose\(position, limit\)"),
        ("their_players:number", BadValue, "is a int: a class is needed, or a function of a seed"),
        ("their_players:Picky", BadValue, "cannot be made from a seed: TypeError"),
        ("their_players:Limited", BadValue, "^not today$"),
        (
            "needy:Last",
            BadValue,
            "cannot be imported: ModuleNotFoundError: No module named 'a_library_that_is_missing'",
        ),
        ("faulty:Last", BadValue, "cannot be imported: ZeroDivisionError"),
        ("leaving:Last", BadValue, "cannot be imported: SystemExit"),
        ("their_players:", UnknownName, "there are random, search"),
        (":Last", UnknownName, "there are random, search"),
        ("their players:Last", UnknownName, "there are random, search"),
    ],
)
def test_what_cannot_be_an_agent_is_refused_with_the_reason(
    folder: Path, name: str, kind: type[Exception], said: str
) -> None:
    with pytest.raises(kind, match=said):
        agents.find(name)


def test_names_from_strangers_import_nothing(folder: Path) -> None:
    flow = GAMES["ignite-and-flow"]
    agents.need("pebble", flow)
    for name in ("their_players:Last", f"net:{folder}", "gnome", "hal"):
        with pytest.raises(UnknownName, match=r"unknown agent .* in Ignite and Flow: there are random"):
            agents.need(name, flow)
    assert "their_players" not in sys.modules


def test_a_class_under_a_name_of_its_own(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known = dict(agents.all_agents())
    monkeypatch.setattr(agents, "all_agents", lambda: known)
    agents.rename("their_players:Last", "mine")
    agents.rename("their_players:Last", "mine")  # the same again does no harm
    with pytest.raises(UnknownName, match="there is already an agent 'mine'"):
        agents.rename("their_players:Mute", "mine")
    agents.need("mine", GAMES["points-of-power"])
    assert "their_players" not in sys.modules
    assert vars(agents.find("Mine", 3)) == {"seed": 3}
    assert agents.origin("mine") == "their_players:Last"
    assert agents.origin("pebble") == "pebble"


# ── On the command line ──


def test_the_arena_plays_others_classes_in_two_processes(folder: Path) -> None:
    asked = ["arena", "ignite-and-flow", "their_players:Last", "random", "--games", "4", "--simulations", "1"]
    found = command(folder, *asked, "--jobs", "2")
    assert found.returncode == 0, found.stderr
    assert "4 games played now" in found.stdout
    assert "failed" not in found.stderr


def test_the_arena_plays_networks_in_two_processes(folder: Path) -> None:
    game = GAMES["ignite-and-flow"]  # its network has learnt nothing yet
    (folder / "run").mkdir()
    table = np.zeros(features_of(game).size, np.int16)
    Network(table, new_card(game, game.complete({}), games=0)).save(folder / "run" / FILE)
    asked = ["arena", "ignite-and-flow", "net:run", "random", "--games", "2", "--simulations", "20"]
    found = command(folder, *asked, "--jobs", "2")
    assert found.returncode == 0, found.stderr
    assert "2 games played now" in found.stdout
    assert "failed" not in found.stderr


def test_somebody_plays_against_a_class_in_the_terminal(folder: Path) -> None:
    asked = ["play", "ignite-and-flow", "--plain", "--people", "0", "--opponent", "random", "--seed", "1"]
    found = command(folder, *asked, "--seat", "1=their_players:Last")
    assert found.returncode == 0, found.stderr
    assert "The game is over" in found.stdout


def test_who_does_not_analyse_is_not_asked_to(folder: Path) -> None:
    command(folder, "play", "ignite-and-flow", "--plain", "--people", "0", "--opponent", "random", "--seed", "1")
    (record,) = folder.rglob("*.emp")
    found = command(folder, "analyse", str(record), "--agent", "their_players:Last")
    assert found.returncode == 2
    assert "has no method analyse" in found.stderr
