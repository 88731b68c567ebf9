"""Arrays of batches are shared with other libraries, not copied."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import empedocles
from empedocles.engine import device_array
from empedocles.engine.device_array import DeviceArray
from empedocles.game import Game

Take = Callable[[Any], Any]


# JAX starts threads, which goes badly with other tests that fork: it has a process of its own.
LIBRARIES = os.environ.get("SHARE_WITH", "numpy torch").split()


@pytest.fixture(params=LIBRARIES)
def library(request: pytest.FixtureRequest) -> tuple[Take, Take]:
    """How a library takes an array, and where it then has it."""
    if request.param == "numpy":
        return np.from_dlpack, lambda array: array.ctypes.data
    found = pytest.importorskip(request.param, reason="needs PyTorch, of the extra empedocles[train], or JAX")
    if request.param == "torch":
        return found.from_dlpack, lambda tensor: tensor.data_ptr()
    return found.dlpack.from_dlpack, lambda array: array.unsafe_buffer_pointer()


def test_libraries_share_the_arrays(game: Game, library: tuple[Take, Take]) -> None:
    """No copies: a step is seen by arrays that were shared before it."""
    take, address = library
    batch = empedocles.vector(game.name, 3)
    arrays = [batch.to_move, batch.legal_counts, batch.legal_actions, batch.legal_mask, batch.returns, batch.done]
    arrays += [batch.observe()] if game.view else []
    taken = [take(array) for array in arrays]
    assert [address(array) for array in taken] == [array.ctypes.data for array in arrays]
    for _ in range(5):
        batch.step(take(batch.random_actions().astype(np.int32)))
    assert np.array_equal(np.asarray(taken[1]), batch.legal_counts)


class Shared(DeviceArray):
    """The class that shares arrays of a GPU, here with memory of the CPU."""

    def __dlpack_device__(self) -> tuple[int, int]:
        return device_array.CPU, 0

    def __dlpack__(self, **_: Any) -> Any:
        return device_array.capsule(self.data.ctypes.data, self.shape, self.dtype, (device_array.CPU, 0), self.data)


def test_dlpack_capsules_are_taken_and_given_back(library: tuple[Take, Take]) -> None:
    take, address = library
    batch = empedocles.vector("ignite-and-flow", 3)
    for array in (batch.to_move, batch.legal_actions, batch.legal_mask, batch.returns):
        before = len(device_array._lent)
        taken = take(Shared(array))
        assert address(taken) == array.ctypes.data
        assert np.array_equal(np.asarray(taken), array)
        unused = Shared(array).__dlpack__()
        assert len(device_array._lent) == before + 2
        del unused, taken
        gc.collect()
        assert len(device_array._lent) == before


@pytest.mark.skipif("jax" in LIBRARIES, reason="this is that process")
def test_jax_shares_the_arrays_too() -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", __file__]
    tested = subprocess.run(
        command, capture_output=True, text=True, check=False, env=os.environ | {"SHARE_WITH": "jax"}
    )
    assert tested.returncode == 0, tested.stdout
