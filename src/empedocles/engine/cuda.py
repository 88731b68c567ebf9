"""The CUDA back-end: one game per thread, from the same kernels. Imported only when a GPU is asked for."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from numba import cuda

from empedocles.engine.playout import Plies, States, playout
from empedocles.errors import BadValue

THREADS = 64  # per block: a thread's game and its buffer of legal actions live in local memory


def play_out_on_gpu(states: States, seed: int, plies: Plies, max_legal: int) -> None:
    """`play_out` on the GPU: every state to its end, in place."""
    if not len(states):
        return
    if not cuda.is_available():
        raise BadValue("no GPU that Numba can use was found: device='cuda' needs one, and the extra empedocles[cuda]")
    on_device = cuda.to_device(states), cuda.to_device(plies)
    blocks = -(-len(states) // THREADS)
    _kernel(states.dtype, max_legal)[blocks, THREADS](on_device[0], seed, on_device[1])
    on_device[0].copy_to_host(states)
    on_device[1].copy_to_host(plies)


@functools.cache
def _kernel(state: np.dtype[Any], max_legal: int) -> Any:
    # The sizes of local arrays must be constants of the kernel, hence one kernel per game.

    def play_out(states: States, seed: int, plies: Plies) -> None:
        i = cuda.grid(1)
        if i < len(states):
            mine = cuda.local.array(1, state)
            out = cuda.local.array(max_legal, np.int16)
            mine[0] = states[i]
            plies[i] = playout(mine[0], np.uint64(seed + i), out)
            states[i] = mine[0]

    return cuda.jit(play_out)
