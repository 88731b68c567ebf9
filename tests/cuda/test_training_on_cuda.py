"""Training on a GPU or Numba's simulator of one: the same bits as when each step is done by hand on the CPU."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from learn.tiny import DIGEST, STONES, digest_of_two_rounds
from numba import cuda

from empedocles.core.kernel import NO_WEIGHTS, Table, evaluate, features
from empedocles.learn import gpu
from empedocles.learn.gpu import Sums, correct_together, in_units
from empedocles.learn.players import Threads
from empedocles.learn.selfplay import STEP, Memory, Trace, look_back, new_memory
from empedocles.learn.training import Plan, Training
from empedocles.networks import features_of
from empedocles.position import Position

SIMULATED = os.environ.get("NUMBA_ENABLE_CUDASIM") == "1"
pytestmark = pytest.mark.skipif(not SIMULATED and not cuda.is_available(), reason="needs a GPU or the simulator")

LESSON, GAMES, ROUNDS = 2, 3, 2
START, FEATURES = Position.start(STONES, {"heap": "small"}), features_of(STONES)


def test_rounds_are_those_of_the_cpu_and_a_run_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpu, "LESSON", LESSON)
    plan = Plan(START, seed=4, device="cuda", games=GAMES)
    whole = Training(plan, tmp_path / "whole")
    for _ in range(ROUNDS):
        whole.round()
    whole.learner.fetch()
    table, memory = by_hand(4)
    np.testing.assert_array_equal(whole.table, table)
    for mine, theirs in zip(whole.memory, memory, strict=True):
        np.testing.assert_array_equal(mine, theirs)
    assert table.any()
    assert whole.error > 0

    begun = Training(plan, tmp_path / "parts")
    begun.round()
    begun.save()
    resumed = Training(plan, tmp_path / "parts")
    resumed.round()
    resumed.learner.fetch()
    np.testing.assert_array_equal(resumed.table, whole.table)
    assert (resumed.games, resumed.plies) == (whole.games, whole.plies)


def test_a_run_learns_the_same_bits_interpreted_as_compiled(tmp_path: Path) -> None:
    assert digest_of_two_rounds(tmp_path) == DIGEST


def by_hand(seed: int) -> tuple[Table, Memory]:
    size = FEATURES.size
    table, memory = np.zeros(size, np.int16), new_memory(size)
    sums = Sums(np.zeros(size, np.int64), np.zeros(size, np.int64), np.zeros(size, np.int32))
    for number in range(ROUNDS):
        traces = list(Threads(START, seed).games(table, range(number * GAMES, (number + 1) * GAMES)))
        for first in range(0, GAMES, LESSON):
            for trace in traces[first : first + LESSON]:
                tell(trace, table, sums)
            for place in range(size):
                correct_together(place, table, memory, sums, STEP / FEATURES.most)
    return table, memory


def tell(trace: Trace, table: Table, sums: Sums) -> None:
    goals, expected = np.zeros_like(trace.hopes), np.zeros(START.seats, np.float32)
    look_back(trace, len(goals), goals)
    weights = NO_WEIGHTS._replace(table=table, places=np.zeros(FEATURES.most, np.int32))
    for s, goal in zip(trace.states, goals, strict=True):
        if not s.over:
            evaluate(s, weights, expected)
            for seat in range(START.seats):
                for place in weights.places[: features(s, seat, weights.places)]:
                    share = in_units(goal[seat] - float(expected[seat]))
                    (sums.more if share > 0 else sums.less)[place] += abs(share)
                    sums.counts[place] += 1
