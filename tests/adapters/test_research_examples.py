"""The examples for researchers run."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"


def run(name: str, *arguments: str, fails: bool = False, path: str = "") -> str:
    command = [sys.executable, str(EXAMPLES / name), *arguments]
    paths = os.pathsep.join(filter(None, [path, os.environ.get("PYTHONPATH")]))
    done = subprocess.run(command, check=False, capture_output=True, text=True, env=os.environ | {"PYTHONPATH": paths})
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


SHORT = ("learn.py", "--rounds", "2", "--matches", "16")


def test_learning_repeats_itself_and_changes_the_network(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="needs PyTorch, of the extra empedocles[train]")
    file = tmp_path / "network.pt"
    first, second = (scores(run(*SHORT, "--save", str(file), "--seed", "3")) for _ in range(2))
    assert first == second
    assert first[0] != first[1]
    saved = torch.load(file, weights_only=True)
    assert saved["game"] == "elemental-defenders"
    assert saved["weights"]["policy.weight"].shape == (65, 256)
    arena = ["arena", saved["game"], "learn:Learnt", "random", "--games", "2", "--simulations", "4", "--jobs", "1"]
    played = subprocess.run(
        [sys.executable, "-m", "empedocles", *arena],
        check=False,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(EXAMPLES), os.environ.get("PYTHONPATH", "")])},
    )
    assert played.returncode == 0, played.stderr
    assert "2 games played now" in played.stdout


def scores(said: str) -> tuple[str, str]:
    """What was said before and after learning, and that it adds up."""
    lines = [line for line in said.splitlines() if "against random" in line]
    for line in lines:
        score, won, drawn, lost = map(float, re.findall(r"([\d.]+)(?:% against| won| drawn| lost)", line))
        assert won + drawn + lost == 500
        assert score == pytest.approx((won + drawn / 2) / 5, abs=0.06)
    before, after = lines
    assert re.search(r"round 2: 32 matches, \d+ s, score \d+%", said)
    return before.removeprefix("before:"), after.removeprefix("after:")


def test_learning_ends_in_time() -> None:
    pytest.importorskip("torch", reason="needs PyTorch, of the extra empedocles[train]")
    said = run(*SHORT, "--seconds", "0")
    assert "round 1:" in said
    assert "round 2:" not in said


def test_without_pytorch_learning_names_the_extra(tmp_path: Path) -> None:
    (tmp_path / "torch.py").write_text("raise ImportError")
    assert "empedocles[train]" in run("learn.py", fails=True, path=str(tmp_path))
