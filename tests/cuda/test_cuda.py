"""The CUDA back-end, on Numba's simulator (or a GPU): the same games as on the CPU, move for move."""

from __future__ import annotations

import os

import numpy as np
import pytest
from engine.unruly import GAME as GUEST

from empedocles import Batch
from empedocles.engine.playout import playouts
from empedocles.errors import BrokenGame
from empedocles.game import Game
from empedocles.position import Position
from empedocles.testing.samples import all_options

SIMULATED = os.environ.get("NUMBA_ENABLE_CUDASIM") == "1"


def has_gpu() -> bool:
    from numba import cuda

    return bool(cuda.is_available())


pytestmark = pytest.mark.skipif(not SIMULATED and not has_gpu(), reason="needs a GPU; `make test` runs it simulated")


def test_playouts_of_a_guest_are_the_same_and_a_list_too_long_is_told() -> None:
    start = Position.start(GUEST)
    cpu, gpu = playouts(start, 5, seed=2), playouts(start, 5, seed=2, device="cuda")
    assert np.array_equal(cpu.states, gpu.states)
    with pytest.raises(BrokenGame, match="unruly"):
        playouts(Position.start(GUEST, {"fault": "listed"}), 5, device="cuda")
    batch = Batch(Position.start(GUEST, {"fault": "listed"}), 5, device="cuda", seed=1)
    for _ in range(2):
        batch.step(batch.random_actions())
    with pytest.raises(BrokenGame, match="unruly"):
        batch.step(batch.random_actions())


def test_playouts_are_the_same_as_on_the_cpu(game: Game) -> None:
    for options in all_options(game):
        start = Position.start(game, options)
        cpu = playouts(start, 2, seed=11)
        gpu = playouts(start, 2, seed=11, device="cuda")
        assert np.array_equal(cpu.plies, gpu.plies)
        assert np.array_equal(cpu.states, gpu.states)
        assert np.all(gpu.states["over"] == 1)
