"""Observations inside CUDA kernels, on Numba's simulator (or a GPU): the same numbers as on the CPU."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest
from numba import cuda

from empedocles.core.kernel import Planes, observe
from empedocles.engine.cuda import lookups_in_global_memory
from empedocles.game import Game
from empedocles.testing.samples import random_positions

SIMULATED = os.environ.get("NUMBA_ENABLE_CUDASIM") == "1"
pytestmark = pytest.mark.skipif(not SIMULATED and not cuda.is_available(), reason="needs a GPU or the simulator")


def test_observations_are_the_same_as_on_the_cpu(game: Game) -> None:
    if game.view is None:
        pytest.skip(f"{game.name} has no view")
    positions = list(random_positions(game, 24))
    states = np.zeros(len(positions), game.rules.state)
    for k, position in enumerate(positions):
        states[k] = position.state
    for seat in range(min(game.seats)):
        seen = on_gpu(states, seat, game.view.shape)
        assert all(np.array_equal(planes, one.observe(seat)) for planes, one in zip(seen, positions, strict=True))


def on_gpu(states: Any, seat: int, shape: tuple[int, ...]) -> Planes:
    @cuda.jit  # type: ignore[untyped-decorator]
    def look(states: Any, seat: int, planes: Planes) -> None:
        k = cuda.grid(1)
        if k < len(states):
            observe(states[k], seat, planes[k])

    planes = np.full((len(states), *shape), np.nan, np.float32)
    with lookups_in_global_memory():
        look[1, len(states)](states, seat, planes)
    return planes
