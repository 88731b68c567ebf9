"""`empedocles train` as users call it; what is learnt is tested in tests/learn."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from cli.test_cli import run
from learn.tiny import STONES

from empedocles import new
from empedocles.agents import find
from empedocles.cli import training
from empedocles.cli.console import console
from empedocles.core.kernel import Table
from empedocles.learn.players import Threads
from empedocles.learn.report import REPORT
from empedocles.learn.selfplay import Trace
from empedocles.learn.training import Plan, Training
from empedocles.networks import FILE
from empedocles.position import Position
from empedocles.search.limits import Limit

PLAN = Plan(Position.start(STONES, {"heap": "large"}), seed=2)


def test_a_run_shows_how_it_goes_and_teaches_another(tmp_path: Path) -> None:
    asked = ("train", "ignite-and-flow", "--round", "8", "--minutes", "0.01")
    first = run(*asked, folder=tmp_path)
    assert first.returncode == 0, first.stderr
    head, row = first.stdout.splitlines()[2:4]
    assert head.split() == ["minutes", "games", "plies", "plies/s", "loss", "score", "Elo"]
    assert len(row.split()) == 7
    assert (tmp_path / "run" / REPORT).exists()
    taught = run(*asked, "--distil", "net:run", "--out", "taught", folder=tmp_path)
    assert taught.returncode == 0, taught.stderr
    assert "taught by net:run" in taught.stdout
    position = new("ignite-and-flow").position
    assert find(f"net:{tmp_path / 'taught'}").choose(position, Limit(simulations=20)) in position.legal_moves


def test_wrong_requests_are_refused(tmp_path: Path) -> None:
    for arguments, said in (
        (["elemental-defenders"], "Elemental Defenders names no features, which a network needs"),
        (["ignite-and-flow", "--device", "cuda", "--cluster", "local"], "give --cluster or --device cuda, not both"),
    ):
        found = run("train", *arguments, folder=tmp_path)
        assert found.returncode == 2
        assert said in found.stderr
        assert "Traceback" not in found.stderr


def test_without_a_gpu_the_extra_is_named(tmp_path: Path) -> None:
    from numba import cuda

    if cuda.is_available():
        pytest.skip("this machine has a GPU")
    found = run("train", "ignite-and-flow", "--device", "cuda", folder=tmp_path)
    assert found.returncode == 2
    assert "device='cuda' needs one, and the extra empedocles[cuda]" in found.stderr


def test_ctrl_c_ends_a_run_after_a_round_and_keeps_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before, play = signal.getsignal(signal.SIGINT), Threads.games

    def interrupted(players: Threads, table: Table, numbers: range) -> Iterator[Trace]:
        if numbers.start == PLAN.round:
            os.kill(os.getpid(), signal.SIGINT)
        return play(players, table, numbers)

    monkeypatch.setattr(Threads, "games", interrupted)
    with console.capture() as said, pytest.raises(typer.Exit):
        training.run(PLAN, tmp_path, 5.0, None, "")
    assert "Interrupted. All is kept; the same command goes on." in said.get()
    assert signal.getsignal(signal.SIGINT) is before
    resumed = Training(PLAN, tmp_path)
    assert resumed.games == 2 * PLAN.round
    assert (tmp_path / FILE).exists()
    with console.capture() as said:
        training.run(PLAN, tmp_path, resumed.seconds / 60, None, "")
    assert f"Going on after {resumed.games:,} games." in said.get()
