"""Networks inside CUDA kernels, on Numba's simulator (or a GPU): the same bits as on the CPU."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest
from games.worths import DIGESTS, digest, positions, random_weights
from numba import cuda

from empedocles.core.kernel import Places, Table, Weights, Worths, evaluate
from empedocles.engine.cuda import lookups_in_global_memory
from empedocles.games import GAMES
from empedocles.learn.gpu import products_rounded

SIMULATED = os.environ.get("NUMBA_ENABLE_CUDASIM") == "1"
pytestmark = pytest.mark.skipif(not SIMULATED and not cuda.is_available(), reason="needs a GPU or the simulator")


@pytest.mark.parametrize("name", DIGESTS)
def test_a_network_says_the_same_as_on_the_cpu(name: str) -> None:
    @cuda.jit  # type: ignore[untyped-decorator]
    def look(states: Any, numbers: Any, table: Table, places: Places, worths: Worths) -> None:
        k = cuda.grid(1)
        if k < len(states):
            evaluate(states[k], Weights(numbers, table, places[k]), worths[k])

    states, weights = positions(GAMES[name]), random_weights(GAMES[name])
    worths = np.zeros((len(states), 2), np.float32)
    places = np.zeros((len(states), len(weights.places)), np.int32)
    with lookups_in_global_memory(), products_rounded():
        look[1, len(states)](states, np.ones(0), weights.table, places, worths)
    assert digest(worths) == DIGESTS[name]
