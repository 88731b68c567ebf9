"""The examples for researchers run."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).parents[2] / "examples"


def run(name: str, *arguments: str, fails: bool = False) -> str:
    done = subprocess.run([sys.executable, EXAMPLES / name, *arguments], check=False, capture_output=True, text=True)
    assert bool(done.returncode) == fails, done.stderr
    return done.stderr if fails else done.stdout


def test_the_loop_of_pettingzoo() -> None:
    first, second = map(
        ast.literal_eval, run("pettingzoo_loop.py", "empedocles/fire_and_water_players_3-v1", "2").splitlines()
    )
    for rewards in (first, second):
        assert sorted(rewards.values()) == [-0.5, -0.5, 1]
    assert "empedocles/elemental_defenders-v1" in run("pettingzoo_loop.py", fails=True)


def test_the_search_of_openspiel_against_an_opponent() -> None:
    moves, returns = run(
        "openspiel_mcts.py", "empedocles_elemental_defenders(mode=basic)", "level-1", "20"
    ).splitlines()
    assert moves.startswith("+")
    assert sum(ast.literal_eval(returns)) == 0
    assert "empedocles_points_of_power" in run("openspiel_mcts.py", fails=True)
