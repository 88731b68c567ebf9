"""Searches on a GPU or Numba's simulator of one: the same as on the CPU, bit for bit."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import empedocles
from empedocles import Batch, BadValue
from empedocles.agents import search_all
from empedocles.game import Game
from empedocles.search.limits import Limit
from empedocles.testing.samples import all_options

SIMULATED = os.environ.get("NUMBA_ENABLE_CUDASIM") == "1"


def has_gpu() -> bool:
    from numba import cuda

    return bool(cuda.is_available())


pytestmark = pytest.mark.skipif(not SIMULATED and not has_gpu(), reason="needs a GPU; `make test` runs it simulated")

N, SIMULATIONS, PLIES = (2, 5, 9) if SIMULATED else (300, 32, 30)


def policy(batch: Batch, columns: int | None = None) -> Any:
    """Logits and values that differ between positions, by whole numbers: so their bits do not depend on who adds."""
    from numba import cuda

    def answer(planes: Any) -> Any:
        given = planes if isinstance(planes, np.ndarray) else planes.numpy()
        seen = (given.reshape(len(given), -1) > 0).astype(np.int64)
        weighed = (seen * (np.arange(seen.shape[1]) % 97 + 1)).sum(1, keepdims=True)
        logits = ((weighed * (np.arange(batch.n_actions) % 31 + 1)) % 61 / 16).astype(np.float32)
        values = ((weighed * (np.arange(columns or 1) + 5)) % 129 / 64 - 1).astype(np.float32)
        if given is planes:
            return logits, values
        return cuda.to_device(logits), cuda.to_device(values)

    return answer


def numbers(found: Any) -> list[npt.NDArray[Any]]:
    return [array if isinstance(array, np.ndarray) else array.numpy() for array in found]


def assert_alike(batch: Batch, f: Any, **how: Any) -> None:
    one = numbers(search_all(batch, f, SIMULATIONS, seed=3, **how))
    two = numbers(search_all(batch, f, SIMULATIONS, seed=3, device="cuda", **how))
    for cpu, gpu in zip(one, two, strict=True):
        assert cpu.dtype == gpu.dtype
        np.testing.assert_array_equal(cpu, gpu)


def played(game: Game, options: dict[str, Any], device: str) -> Batch:
    batch = empedocles.vector(game.name, N, device=device, seed=4, **options)
    for _ in range(PLIES):
        batch.step(batch.random_actions())
    return batch


def test_searches_are_the_same_as_on_the_cpu(game: Game) -> None:
    options = all_options(game)
    for k, chosen in enumerate([options[0], options[-1]]):
        batch = played(game, chosen, ("cuda", "cpu")[k])
        assert_alike(batch, policy(batch, batch.seats if k else None), at_once=1 + k)
        assert_alike(batch, None)
