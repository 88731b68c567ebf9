"""The CUDA back-end: one game per thread, from the same kernels. Imported only when a GPU is asked for."""

from __future__ import annotations

import contextlib
import functools
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numba import config, cuda

from empedocles.core.kernel import Actions, State, is_sound, kernel, legal, play
from empedocles.core.rng import draw
from empedocles.engine.playout import STUCK, Playouts, Plies, States, checked_playouts
from empedocles.errors import BadValue
from empedocles.position import Position

THREADS = 64  # per block: a thread's game and its buffer of legal actions live in local memory

# With few registers a thread, more threads run at once: on an H200, Ignite and Flow is 9 % faster so, Points of Power
# 14 %. Fire & Water, whose state is large, would be 25 % slower.
SMALL, FEW_REGISTERS = 256, 48  # bytes of a state

WARP = 32  # threads that work in step


def playouts_on_gpu(position: Position, games: int, seed: int) -> Playouts:
    """`playouts` on the GPU, with the results copied back."""
    states, plies = launch_playouts(position, games, seed)
    ended = np.zeros(games, position.game.rules.state)
    states.copy_to_host(ended)
    return checked_playouts(position.game, Playouts(ended, plies.copy_to_host()))


def launch_playouts(position: Position, games: int, seed: int) -> tuple[Any, Any]:
    """The final states and the plies, in the GPU's memory; it may still be at work on them."""
    need_gpu()
    start = np.zeros(1, position.game.rules.state)
    start[0] = position.state
    states, plies = cuda.device_array(games, start.dtype), cuda.device_array(games, np.int32)
    if games:
        play_out = _kernel(start.dtype, position.game.max_legal)
        with lookups_in_global_memory():
            play_out[blocks(games), THREADS](cuda.to_device(start), seed, states, plies)
    return states, plies


def need_gpu() -> None:
    if not cuda.is_available():
        raise BadValue("no GPU that Numba can use was found: device='cuda' needs one, and the extra empedocles[cuda]")


def blocks(games: int) -> int:
    return -(-games // THREADS)


def gpu_kernel(function: Callable[..., None], registers: int | None = None) -> Any:
    """Numba's decorator, in words that type checkers understand. The simulator has no `registers` to limit."""
    return cuda.jit(function) if config.ENABLE_CUDASIM else cuda.jit(function, max_registers=registers)


@contextlib.contextmanager
def lookups_in_global_memory() -> Iterator[None]:
    """A context in which the arrays that kernels mention by name are compiled into the GPU's global memory.

    Numba-cuda puts them into constant memory, which has only 64 kB, and serves threads that read different entries one
    after another. The threads of a game do just that: from global memory, Points of Power is seven times as fast.
    """
    from numba.cuda.cudadrv import nvvm

    before = getattr(nvvm, "ADDRSPACE_CONSTANT", None)  # the simulator has none
    nvvm.ADDRSPACE_CONSTANT = getattr(nvvm, "ADDRSPACE_GLOBAL", None)
    try:
        yield
    finally:
        nvvm.ADDRSPACE_CONSTANT = before


@contextlib.contextmanager
def small_grids() -> Iterator[None]:
    """A context in which few threads are not worth a warning. Numba's may begin with codes for colours."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*Grid size")
        yield


class Launch:
    """A kernel on its grid, compiled for the arguments of its first launch.

    Later arguments have the same types, which are not looked at again: of a tuple of arrays, that takes Numba longer
    than a step takes the GPU.
    """

    def __init__(self, kernel: Any, size: int | tuple[int, int], block: int = THREADS) -> None:
        """`size`: the number of threads, or of blocks in two directions."""
        self._kernel = kernel
        self._ready: Any = None  # the compiled kernel on its grid
        self._grid, self._block = blocks(size) if isinstance(size, int) else size, block

    def __call__(self, *arguments: Any) -> None:
        if self._ready is None:
            self._compile(*arguments)
        else:
            self._ready(*arguments)

    def _compile(self, *arguments: Any) -> None:
        with lookups_in_global_memory(), small_grids():
            self._ready = self._kernel.specialize(*arguments)[self._grid, self._block]
            self._ready(*arguments)


def launch(kernel: Any, threads: int, *arguments: Any) -> None:
    """Once, with arguments of any types."""
    with small_grids():
        configured = kernel[blocks(threads), THREADS]
    with lookups_in_global_memory():
        configured(*arguments)


@gpu_kernel
def clear(words: Any) -> None:
    """With any number of threads."""
    for i in range(cuda.grid(1), len(words), cuda.gridsize(1)):
        words[i] = 0


@kernel
def playout_on_gpu(s: State, seed: np.uint64, out: Actions) -> int:
    """`playout` with a single exit from its loop: with two, Fire & Water takes a third longer on a GPU.

    From a list that is too long it draws among what is there, and returns STUCK at the end.
    """
    ply, most, seats = 0, 0, int(s.seats)
    while not s.over:
        n = legal(s, out)
        if not is_sound(s, n, seats):  # which is compiled for guests only
            return STUCK
        most = max(most, n)
        play(s, int(out[draw(seed, ply, min(n, len(out)))]))
        ply += 1
    return ply if most <= len(out) else STUCK


@functools.cache
def _kernel(state: np.dtype[Any], max_legal: int) -> Any:
    # The sizes of local arrays must be constants of the kernel, hence one kernel per game.

    def play_out(start: States, seed: int, states: States, plies: Plies) -> None:
        i = cuda.grid(1)
        if i < len(plies):
            mine = cuda.local.array(1, state)
            out = cuda.local.array(max_legal, np.int16)
            mine[0] = start[0]
            plies[i] = playout_on_gpu(mine[0], np.uint64(seed + i), out)
            states[i] = mine[0]

    return gpu_kernel(play_out, FEW_REGISTERS if state.itemsize <= SMALL else None)
