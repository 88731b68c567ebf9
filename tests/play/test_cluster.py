"""The arena and training on a cluster: a real Ray, started here, gives the same games."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from empedocles import MissingExtra, Position
from empedocles.games import GAMES
from empedocles.learn.players import OnCluster, player
from empedocles.learn.training import Plan, Training
from empedocles.play import arena
from empedocles.play.arena import Contest, Failed, Played, run
from empedocles.play.results import Results
from empedocles.search.limits import Limit

CONTEST = Contest("ignite-and-flow", GAMES["ignite-and-flow"].complete({}), ("random", "search"), Limit(simulations=20))


@pytest.fixture(scope="module", autouse=True)
def ray() -> Iterator[None]:
    """One for all tests: it takes its time to start."""
    with arena._back_end(2, "local"):
        yield


def lines(path: Path, cluster: str) -> set[str]:
    with Results(path, CONTEST) as results:
        for game in run(CONTEST, CONTEST.tasks(6), jobs=2, cluster=cluster):
            assert not isinstance(game, Failed), game
            results.add(game)
    return set(path.read_text().splitlines())


def test_ray_gives_the_same_games_as_joblib(tmp_path: Path) -> None:
    assert lines(tmp_path / "ray.jsonl", "local") == lines(tmp_path / "here.jsonl", "")


def test_games_come_as_they_are_finished_and_can_be_left() -> None:
    with contextlib.closing(run(CONTEST, CONTEST.tasks(1000), jobs=2, cluster="local")) as games:
        assert all(isinstance(next(games), Played) for _ in range(3))


def test_training_learns_the_same_bits_from_games_of_the_cluster(tmp_path: Path) -> None:
    plan = Plan(Position.start("ignite-and-flow", {}), seed=3, games=8)
    here = Training(plan, tmp_path / "here")
    with player(plan.start, plan.seed, 2, "local") as players:
        assert isinstance(players, OnCluster)
        assert players.workers == 2
        there = Training(plan, tmp_path / "there", player=players)
        for training in (here, there):
            training.round()
            training.round()
    assert (there.plies, there.error) == (here.plies, here.error)
    np.testing.assert_array_equal(there.table, here.table)
    for mine, theirs in zip(there.memory, here.memory, strict=True):
        np.testing.assert_array_equal(mine, theirs)
    assert here.table.any()


def test_without_ray_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtra, match=r"empedocles\[cluster\]"):
        next(run(CONTEST, CONTEST.tasks(2), cluster="local"))
    with pytest.raises(MissingExtra, match=r"empedocles\[cluster\]"), player(CONTEST.start, 1, cluster="local"):
        pass
