"""Batches on a GPU: a thread per environment, from the same kernels. Imported only when a GPU is asked for."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import cuda

from empedocles.engine.batch import (
    CLOCK,
    KEPT,
    NO_ACTION,
    NOBODY,
    UNSTARTED,
    WAIT,
    advance,
    as_words,
    is_allowed,
    mark,
    random_action,
)
from empedocles.engine.cuda import THREADS, blocks, need_gpu, tables_in_global_memory
from empedocles.kernel import State, observe
from empedocles.position import Position

WARP = 32  # threads that work in step
PART = 32_768  # environments that are observed at a time
TILES = 8  # that a block turns
TILE = WARP, WARP + 1  # a column more: so no two lanes meet in a memory bank

Array = Any  # in the GPU's memory


class GpuBatch:
    """What `HostBatch` is on the CPU. All work is queued on the default stream; nothing waits for it but what must."""

    def __init__(self, start: Position, n: int, again: bool) -> None:
        need_gpu()
        game, state = start.game, start.game.rules.state
        words = as_words(start.state)
        self.n, self.again, self._game = n, again, game
        self._advance, self._observe = _advance_kernel(state, words.dtype), _observe_kernel(state, words.dtype)
        self.start = cuda.to_device(words)
        self.words = cuda.device_array((n, len(words)), words.dtype)
        self.clocks = cuda.to_device(np.zeros(n, CLOCK))
        self.lists = cuda.device_array((n, game.max_legal), np.int16)
        self.counts = cuda.device_array(n, np.int32)
        self.movers = cuda.device_array(n, np.int8)
        self.gains = cuda.device_array((n, start.seats), np.float32)
        self.done = cuda.device_array(n, np.bool_)
        self.choices = cuda.device_array(n, np.int64)
        self._none = cuda.to_device(np.full(n, WAIT, np.int64))
        self._converted = cuda.device_array(n, np.int64)
        self._worst = cuda.to_device(np.full(1, n, np.int64))

    @cached_property
    def _mask_words(self) -> Array:
        # Cleared eight actions at a time, in a row over the ends of environments.
        return cuda.device_array(-(-self.n * self._game.n_actions // 8), np.uint64)

    @cached_property
    def masks(self) -> Array:
        size = self.n * self._game.n_actions
        return self._mask_words.view(np.bool_)[:size].reshape(self.n, self._game.n_actions)

    @cached_property
    def planes(self) -> Array:
        assert self._game.view is not None
        return cuda.device_array((self.n, *self._game.view.shape), np.float32)

    @cached_property
    def _side_by_side(self) -> Array:
        assert self._game.view is not None
        return cuda.device_array((*self._game.view.shape, min(self.n, PART)), np.float32)

    def seed(self, seeds: npt.NDArray[np.uint64]) -> None:
        launch(_seed, self.n, self.clocks, cuda.to_device(seeds))
        self.step(self._none)

    def next_game(self, finished: bool) -> None:
        launch(_next_game, self.n, self.clocks, self.movers, finished)
        self.step(self._none)

    def kept(self) -> dict[str, Array]:
        return {name: getattr(self, name) for name in KEPT}

    def take(self, kept: dict[str, Array]) -> None:
        """Arrays in the GPU's memory, or NumPy's."""
        for name, array in kept.items():
            getattr(self, name).view(np.uint8).copy_to_device(array.view(np.uint8))  # simulators copy no records

    def step(self, actions: Array) -> None:
        arrays = (self.lists, self.counts, self.movers, self.gains, self.done)
        known = self._game.n_actions
        launch(self._advance, self.n, self.words, self.start, self.clocks, actions, known, self.again, *arrays)

    def first_illegal(self, actions: Array) -> int | None:
        launch(_check, self.n, actions, self.lists, self.counts, self.movers, self._worst)
        found = int(self._worst.copy_to_host()[0])
        if found == self.n:
            return None
        self._worst.copy_to_device(np.full(1, self.n, np.int64))
        return found

    def choose(self) -> None:
        launch(_choose, self.n, self.clocks, self.lists, self.counts, self.choices)

    def mask(self) -> None:
        _ = self.masks
        launch(_clear, len(self._mask_words), self._mask_words)
        launch(_scatter, WARP * self.n, self.lists, self.counts, self.masks)

    def observe(self, seats: Array, seat: int) -> None:
        # Each thread writes the planes of one environment: fast only where those of all are side by side.
        part = min(self.n, PART)
        flat, planes = self._side_by_side.reshape(-1, part), self.planes.reshape(self.n, -1)
        grid = -(-part // WARP), -(-flat.shape[0] // (WARP * TILES))
        for first in range(0, self.n, part):
            launch(self._observe, part, self.words, seats, seat, first, self._side_by_side)
            launch_blocks(_turn, grid, WARP, flat, planes, first)

    def pad(self) -> None:
        launch(_pad, WARP * self.n, self.lists, self.counts)

    def borrow(self, array: Any) -> Array:
        """Another library's array in the GPU's memory as one of Numba's."""
        return array if hasattr(array, "__cuda_ndarray__") else cuda.as_cuda_array(array)

    def as_numbers(self, array: Array) -> Array:
        """Whole numbers of any kind as those that the kernels are compiled for."""
        if array.dtype == np.int64 and array.is_c_contiguous():
            return array
        launch(_convert, self.n, array, self._converted)
        return self._converted

    def number(self, array: Array, i: int) -> int:
        return int(array[i : i + 1].copy_to_host()[0])

    def state(self, i: int) -> State:
        state: State = self.words[i].copy_to_host().view(self._game.rules.state)[0]
        return state

    def clock(self, i: int) -> tuple[int, int, int]:
        seed, game, ply = self.clocks[i : i + 1].copy_to_host()[0].tolist()
        return seed, game, ply


def launch(kernel: Any, threads: int, *arguments: Any) -> None:
    launch_blocks(kernel, blocks(threads), THREADS, *arguments)


def launch_blocks(kernel: Any, grid: int | tuple[int, int], threads: int, *arguments: Any) -> None:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Grid size")  # a small batch is not worth a warning
        configured = kernel[grid, threads]
    with tables_in_global_memory():  # for the first launch, which compiles
        configured(*arguments)


def gpu_kernel(function: Callable[..., None]) -> Any:
    """Numba's decorator, in words that type checkers understand."""
    return cuda.jit(function)


# ── Kernels of one game ──────────────────────────────────────────────────────────────────────────────────────────────
# A thread copies its state into local memory, where the threads of a warp read the same field at one go.


@functools.cache
def _advance_kernel(state: np.dtype[Any], word: np.dtype[Any]) -> Any:
    size = state.itemsize // word.itemsize

    def advance_one(
        words: Array,
        start: Array,
        clocks: Array,
        chosen: Array,
        actions: int,
        again: bool,
        lists: Array,
        counts: Array,
        movers: Array,
        gains: Array,
        done: Array,
    ) -> None:
        i = cuda.grid(1)
        if i < len(clocks):
            mine = cuda.local.array(size, word)
            for w in range(size):
                mine[w] = words[i, w]
            s = mine.view(state)[0]
            advance(i, s, mine, start, clocks[i], int(chosen[i]), actions, again, lists, counts, movers, gains, done)
            for w in range(size):
                words[i, w] = mine[w]

    return gpu_kernel(advance_one)


@functools.cache
def _observe_kernel(state: np.dtype[Any], word: np.dtype[Any]) -> Any:
    size = state.itemsize // word.itemsize

    def observe_one(words: Array, seats: Array, seat: int, first: int, planes: Array) -> None:
        k = cuda.grid(1)
        i = first + k
        if k < planes.shape[3] and i < len(words):
            mine = cuda.local.array(size, word)
            for w in range(size):
                mine[w] = words[i, w]
            observe(mine.view(state)[0], max(int(seats[i]) if seat < 0 else seat, 0), planes[:, :, :, k])

    return gpu_kernel(observe_one)


# ── Kernels of all games ─────────────────────────────────────────────────────────────────────────────────────────────


@gpu_kernel
def _seed(clocks: Array, seeds: Array) -> None:
    i = cuda.grid(1)
    if i < len(clocks):
        clocks[i].seed = seeds[i]
        clocks[i].game = 0
        clocks[i].ply = UNSTARTED


@gpu_kernel
def _next_game(clocks: Array, movers: Array, finished: bool) -> None:
    i = cuda.grid(1)
    if i < len(clocks) and (not finished or movers[i] == NOBODY):
        clocks[i].game += 1
        clocks[i].ply = UNSTARTED


@gpu_kernel
def _check(actions: Array, lists: Array, counts: Array, movers: Array, worst: Array) -> None:
    """`worst` becomes the first environment whose action is illegal."""
    i = cuda.grid(1)
    if i < len(counts) and not is_allowed(int(actions[i]), lists[i], int(counts[i]), int(movers[i])):
        cuda.atomic.min(worst, 0, i)


@gpu_kernel
def _choose(clocks: Array, lists: Array, counts: Array, actions: Array) -> None:
    i = cuda.grid(1)
    if i < len(counts):
        actions[i] = random_action(clocks[i], lists[i], int(counts[i]))


@gpu_kernel
def _clear(words: Array) -> None:
    i = cuda.grid(1)
    if i < len(words):
        words[i] = 0


@gpu_kernel
def _scatter(lists: Array, counts: Array, masks: Array) -> None:
    """A warp per environment: its list is read in a row."""
    i, lane = cuda.grid(1) // WARP, cuda.grid(1) % WARP
    if i < len(counts):
        for k in range(lane, counts[i], WARP):
            mark(masks[i], int(lists[i, k]))


@gpu_kernel
def _turn(side_by_side: Array, planes: Array, first: int) -> None:
    """Lay a part's environments one after another, tile by tile: so the memory is read and written in rows."""
    tile = cuda.shared.array(TILE, np.float32)
    lane, i, k = cuda.threadIdx.x, cuda.blockIdx.x * WARP, cuda.blockIdx.y * WARP * TILES
    squares, n = len(side_by_side), min(side_by_side.shape[1], len(planes) - first)
    for corner in range(k, min(k + WARP * TILES, squares), WARP):
        for row in range(WARP):
            if corner + row < squares and i + lane < n:
                tile[row, lane] = side_by_side[corner + row, i + lane]
        cuda.syncthreads()
        for row in range(WARP):
            if corner + lane < squares and i + row < n:
                planes[first + i + row, corner + lane] = tile[lane, row]
        cuda.syncthreads()


@gpu_kernel
def _pad(lists: Array, counts: Array) -> None:
    i, lane = cuda.grid(1) // WARP, cuda.grid(1) % WARP
    if i < len(counts):
        for k in range(counts[i] + lane, lists.shape[1], WARP):
            lists[i, k] = NO_ACTION


@gpu_kernel
def _convert(actions: Array, converted: Array) -> None:
    i = cuda.grid(1)
    if i < len(converted):
        converted[i] = actions[i]
