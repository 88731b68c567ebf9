"""Batches on a GPU: a thread per environment, from the same kernels. Imported only when a GPU is asked for."""

from __future__ import annotations

import functools
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import cuda

from empedocles.engine.cuda import WARP, Launch, clear, gpu_kernel, launch, need_gpu
from empedocles.engine.cuda_views import Views
from empedocles.engine.device_array import DeviceArray, borrowed
from empedocles.engine.environments import (
    COUNTER,
    NO_ACTION,
    NOBODY,
    SET_UP,
    UNSTARTED,
    WAIT,
    Array,
    Environments,
    States,
    advance,
    as_words,
    copy_environment,
    is_allowed,
    mark,
    origins_of,
    random_action,
    word_type,
)
from empedocles.game import Game

REGISTERS = 128  # of a thread that steps: with all that it asks for, Fire & Water is 13 % slower, as fewer threads fit


class CudaBackend:
    """See `Backend`. All work is queued on the default stream; nothing waits for it but what must."""

    def __init__(self, game: Game, n: int, starts: int, seats: int, actions: int, auto_reset: bool) -> None:
        """`starts`: the number of states that matches begin from; `actions`: of action numbers that they use."""
        need_gpu()
        self._game, self._n, self._actions, self._auto_reset = game, n, actions, auto_reset
        state, word = game.rules.state, word_type(game.rules.state)
        self._advance = Launch(_advance_kernel(state, word), n)
        self._choose, self._check = Launch(_choose, n), Launch(_check, n)
        self._scatter, self._pad = Launch(_scatter, WARP * n), Launch(_pad, WARP * n)
        size = state.itemsize // word.itemsize
        self._own = Environments(
            words=cuda.device_array((n, size), word),
            starts=cuda.device_array((starts, size), word),
            origins=cuda.device_array(n, np.int32),
            counters=cuda.to_device(np.zeros(n, COUNTER)),
            legal_actions=cuda.device_array((n, game.max_legal), np.int16),
            legal_counts=cuda.device_array(n, np.int32),
            to_move=cuda.device_array(n, np.int8),
            returns=cuda.device_array((n, seats), np.float32),
            done=cuda.device_array(n, np.bool_),
        )
        self.arrays = Environments(*map(DeviceArray, self._own))
        self._choices = DeviceArray(cuda.device_array(n, np.int64))
        self._waiting = cuda.to_device(np.full(n, WAIT, np.int64))
        self._converted = cuda.device_array(n, np.int64)
        self._worst = cuda.to_device(np.full(1, n, np.int64))

    @cached_property
    def _mask_words(self) -> Array:
        # Cleared eight actions at a time, in a row over the ends of environments.
        return cuda.device_array(-(-self._n * self._actions // 8), np.uint64)

    @cached_property
    def _clear(self) -> Launch:
        return Launch(clear, len(self._mask_words))

    @cached_property
    def _masks(self) -> DeviceArray:
        size = self._n * self._actions
        return DeviceArray(self._mask_words.view(np.bool_)[:size].reshape(self._n, self._actions))

    @cached_property
    def _views(self) -> Views:
        return Views(self._game, self._n)

    # ── Changes ──

    def start_from(self, states: States) -> None:
        self._own.starts.copy_to_device(as_words(states))
        self._own.origins.copy_to_device(origins_of(states, self._n))

    def reseed(self, seeds: npt.NDArray[np.uint64]) -> None:
        launch(_reseed, self._n, self._own.counters, cuda.to_device(seeds))

    def begin(self, seeds: npt.NDArray[np.uint64]) -> None:
        self.reseed(seeds)
        launch(_begin, self._n, self._own.counters)
        self.step(self._waiting)

    def begin_next(self, finished: bool) -> None:
        launch(_begin_next, self._n, self._own.counters, self._own.to_move, finished)
        self.step(self._waiting)

    def set_up(self, indices: npt.NDArray[np.int64], states: States) -> None:
        chosen = cuda.to_device(indices), cuda.to_device(as_words(states))
        launch(_set_up, len(indices), self._own.words, self._own.counters, *chosen)
        self.step(self._waiting)

    def step(self, actions: Array) -> None:
        self._advance(self._own, actions, self._actions, self._auto_reset)

    # ── Facts ──

    def first_illegal(self, actions: Array) -> int | None:
        own = self._own
        self._check(actions, own.legal_actions, own.legal_counts, own.to_move, self._worst)
        found = int(self._worst.copy_to_host()[0])
        if found == self._n:
            return None
        self._worst.copy_to_device(np.full(1, self._n, np.int64))
        return found

    def random_actions(self) -> DeviceArray:
        own = self._own
        self._choose(own.counters, own.legal_actions, own.legal_counts, self._choices.data)
        return self._choices

    def legal_mask(self) -> DeviceArray:
        self._clear(self._mask_words)
        self._scatter(self._own.legal_actions, self._own.legal_counts, self._masks.data)
        return self._masks

    def padded_actions(self) -> DeviceArray:
        self._pad(self._own.legal_actions, self._own.legal_counts)
        padded: DeviceArray = self.arrays.legal_actions
        return padded

    def observe(self, seats: npt.NDArray[np.int8] | None) -> DeviceArray:
        eyes = self._own.to_move if seats is None else cuda.to_device(seats)
        return self._views.observe(self._own.words, eyes)

    def number(self, numbers: Array, i: int) -> int:
        return int(numbers[i : i + 1].copy_to_host()[0])

    def mover(self, i: int) -> int:
        return self.number(self._own.to_move, i)

    def counter(self, i: int) -> tuple[int, int, int]:
        seed, game, ply = self._own.counters[i : i + 1].copy_to_host()[0].tolist()
        return seed, game, ply

    def states(self, first: int, last: int) -> States:
        copied: States = self._own.words[first:last].copy_to_host().view(self._game.rules.state).reshape(-1)
        return copied

    # ── Copies ──

    def gather(self, indices: npt.NDArray[np.int64]) -> CudaBackend:
        starts, seats = self._own.starts, self._own.returns.shape[1]
        twin = CudaBackend(self._game, len(indices), len(starts), seats, self._actions, self._auto_reset)
        twin._own.starts.copy_to_device(starts)
        launch(_gather, WARP * len(indices), self._own, cuda.to_device(indices), twin._own)
        return twin

    def to_host(self) -> Environments:
        return Environments(*(array.copy_to_host() for array in self._own))

    def restore(self, arrays: Environments) -> None:
        for mine, given in zip(self._own, arrays, strict=True):
            mine.view(np.uint8).copy_to_device(given.view(np.uint8))  # the simulator cannot copy counters

    # ── Others' arrays ──

    def borrow(self, array: Any) -> Array:
        return borrowed(array)

    def numbers(self, array: Array) -> Array:
        if array.dtype == np.int64 and array.is_c_contiguous():
            return array
        launch(_convert, self._n, array, self._converted)
        return self._converted


# ── Kernels of one game ──────────────────────────────────────────────────────────────────────────────────────────────
# A thread copies its state into local memory, where the threads of a warp read the same field at one go.


@functools.cache
def _advance_kernel(state: np.dtype[Any], word: np.dtype[Any]) -> Any:
    size = state.itemsize // word.itemsize

    def advance_one(envs: Environments, chosen: Array, actions: int, again: bool) -> None:
        i = cuda.grid(1)
        if i < len(envs.counters):
            mine = cuda.local.array(size, word)
            for w in range(size):
                mine[w] = envs.words[i, w]
            advance(i, mine.view(state)[0], mine, envs, int(chosen[i]), actions, again)
            for w in range(size):
                envs.words[i, w] = mine[w]

    return gpu_kernel(advance_one, REGISTERS)


# ── Kernels of all games ─────────────────────────────────────────────────────────────────────────────────────────────


@gpu_kernel
def _reseed(counters: Array, seeds: Array) -> None:
    i = cuda.grid(1)
    if i < len(counters):
        counters[i].seed = seeds[i]
        counters[i].game = 0


@gpu_kernel
def _begin(counters: Array) -> None:
    i = cuda.grid(1)
    if i < len(counters):
        counters[i].ply = UNSTARTED


@gpu_kernel
def _begin_next(counters: Array, movers: Array, finished: bool) -> None:
    i = cuda.grid(1)
    if i < len(counters) and (not finished or movers[i] == NOBODY):
        counters[i].game += 1
        counters[i].ply = UNSTARTED


@gpu_kernel
def _set_up(words: Array, counters: Array, indices: Array, states: Array) -> None:
    k = cuda.grid(1)
    if k < len(indices):
        i = indices[k]
        for w in range(words.shape[1]):
            words[i, w] = states[k, w]
        counters[i].game += 1
        counters[i].ply = SET_UP


@gpu_kernel
def _gather(source: Environments, indices: Array, target: Environments) -> None:
    """A warp per environment: its rows are read and written in a row."""
    k, lane = cuda.grid(1) // WARP, cuda.grid(1) % WARP
    if k < len(indices):
        copy_environment(source, int(indices[k]), target, k, lane, WARP)


@gpu_kernel
def _check(actions: Array, lists: Array, counts: Array, movers: Array, worst: Array) -> None:
    """`worst` becomes the first environment whose action is illegal."""
    i = cuda.grid(1)
    if i < len(counts) and not is_allowed(int(actions[i]), lists[i], int(counts[i]), int(movers[i])):
        cuda.atomic.min(worst, 0, i)


@gpu_kernel
def _choose(counters: Array, lists: Array, counts: Array, actions: Array) -> None:
    i = cuda.grid(1)
    if i < len(counts):
        actions[i] = random_action(counters[i], lists[i], int(counts[i]))


@gpu_kernel
def _scatter(lists: Array, counts: Array, masks: Array) -> None:
    """A warp per environment: its list is read in a row."""
    i, lane = cuda.grid(1) // WARP, cuda.grid(1) % WARP
    if i < len(counts):
        for k in range(lane, counts[i], WARP):
            mark(masks[i], int(lists[i, k]))


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
