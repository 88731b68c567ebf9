"""Batches on the CPU: kernels over a range of environments, and a range for each thread."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from empedocles.core.kernel import Planes, kernel, observe
from empedocles.engine.environments import (
    COUNTER,
    NO_ACTION,
    NOBODY,
    SET_UP,
    UNSTARTED,
    WAIT,
    Environments,
    States,
    advance,
    as_words,
    copy_environment,
    is_allowed,
    mark,
    origins_of,
    random_action,
)
from empedocles.game import Game

ALIGNMENT = 64  # bytes: other libraries share arrays aligned to this, and copy others
FEWEST = 256  # environments that are worth a thread

Array = npt.NDArray[Any]
Loop = Callable[..., Any]  # a kernel over a range of environments: first, last, and what it needs


class CpuBackend:
    """See `Backend`."""

    def __init__(
        self, game: Game, n: int, starts: int, seats: int, actions: int, auto_reset: bool, threads: int | None
    ) -> None:
        """`starts`: the number of states that matches begin from; `actions`: of action numbers that they use."""
        self._game, self._n, self._actions, self._auto_reset, self._wanted = game, n, actions, auto_reset, threads
        self._threads = min(threads or os.cpu_count() or 1, -(-n // FEWEST))
        self._states = np.zeros(n, game.rules.state)
        words = as_words(self._states)
        self.arrays = Environments(
            words=words,
            starts=np.zeros((starts, words.shape[1]), words.dtype),
            origins=np.zeros(n, np.int32),
            counters=np.zeros(n, COUNTER),
            legal_actions=aligned((n, game.max_legal), np.int16),
            legal_counts=aligned((n,), np.int32),
            to_move=aligned((n,), np.int8),
            returns=aligned((n, seats), np.float32),
            done=aligned((n,), np.bool_),
        )
        self._choices = aligned((n,), np.int64)

    @cached_property
    def _masks(self) -> Array:
        return aligned((self._n, self._actions), np.bool_)

    @cached_property
    def _planes(self) -> Planes:
        assert self._game.view is not None
        return aligned((self._n, *self._game.view.shape), np.float32)

    # ── Changes ──

    def start_from(self, states: States) -> None:
        self.arrays.starts[:] = as_words(states)
        self.arrays.origins[:] = origins_of(states, self._n)

    def reseed(self, seeds: npt.NDArray[np.uint64]) -> None:
        self.arrays.counters["seed"] = seeds
        self.arrays.counters["game"] = 0

    def begin(self, seeds: npt.NDArray[np.uint64]) -> None:
        self.reseed(seeds)
        self.arrays.counters["ply"] = UNSTARTED
        self._begin_matches()

    def begin_next(self, finished: bool) -> None:
        chosen = self.arrays.to_move == NOBODY if finished else np.ones(self._n, np.bool_)
        self.arrays.counters["game"] += chosen
        self.arrays.counters["ply"][chosen] = UNSTARTED
        self._begin_matches()

    def set_up(self, indices: npt.NDArray[np.int64], states: States) -> None:
        self.arrays.words[indices] = as_words(states)
        self.arrays.counters["game"][indices] += 1
        self.arrays.counters["ply"][indices] = SET_UP
        self._begin_matches()

    def _begin_matches(self) -> None:
        self.step(np.full(self._n, WAIT, np.int64))

    def step(self, actions: npt.NDArray[np.int64]) -> None:
        self._loop(advance_all, self._states, self.arrays, actions, self._actions, self._auto_reset)

    # ── Facts ──

    def first_illegal(self, actions: npt.NDArray[np.int64]) -> int | None:
        found = self._loop(check_all, self.arrays, actions)
        return next((i for i in found if i >= 0), None)

    def random_actions(self) -> npt.NDArray[np.int64]:
        self._loop(choose_all, self.arrays, self._choices)
        return self._choices

    def legal_mask(self) -> npt.NDArray[np.bool_]:
        self._loop(mask_all, self.arrays, self._masks)
        return self._masks

    def padded_actions(self) -> npt.NDArray[np.int16]:
        self._loop(pad_all, self.arrays)
        padded: npt.NDArray[np.int16] = self.arrays.legal_actions
        return padded

    def observe(self, seats: npt.NDArray[np.int8] | None) -> Planes:
        self._loop(observe_all, self._states, self.arrays.to_move if seats is None else seats, self._planes)
        return self._planes

    def number(self, numbers: npt.NDArray[np.int64], i: int) -> int:
        return int(numbers[i])

    def mover(self, i: int) -> int:
        return int(self.arrays.to_move[i])

    def counter(self, i: int) -> tuple[int, int, int]:
        seed, game, ply = self.arrays.counters[i].tolist()
        return seed, game, ply

    def states(self, first: int, last: int) -> States:
        copied: States = self.arrays.words[first:last].copy().view(self._states.dtype).reshape(-1)
        return copied

    # ── Copies ──

    def gather(self, indices: npt.NDArray[np.int64]) -> CpuBackend:
        starts, seats = self.arrays.starts, self.arrays.returns.shape[1]
        twin = CpuBackend(self._game, len(indices), len(starts), seats, self._actions, self._auto_reset, self._wanted)
        twin.arrays.starts[:] = starts
        twin._loop(gather_all, self.arrays, indices, twin.arrays)
        return twin

    def to_host(self) -> Environments:
        return self.arrays

    def restore(self, arrays: Environments) -> None:
        for mine, given in zip(self.arrays, arrays, strict=True):
            mine[:] = given

    # ── Others' arrays ──

    def borrow(self, array: Any) -> Array:
        return np.asarray(array)

    def numbers(self, array: Array) -> npt.NDArray[np.int64]:
        return np.ascontiguousarray(array, np.int64)

    # ── Threads ──

    @cached_property
    def _helpers(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(self._threads - 1)

    def _loop(self, loop: Loop, *arguments: Any) -> list[Any]:
        """Run a kernel over all environments, a range per thread: kernels let go of Python's lock."""
        ends = [self._n * k // self._threads for k in range(self._threads + 1)]
        mine, *others = itertools.pairwise(ends)
        work = [self._helpers.submit(loop, *part, *arguments) for part in others]
        with self._game.blamed():
            return [loop(*mine, *arguments), *(part.result() for part in work)]


def aligned(shape: tuple[int, ...], dtype: Any) -> Array:
    """Zeros, aligned so that other libraries can share them."""
    memory = np.zeros(int(np.prod(shape)) * np.dtype(dtype).itemsize + ALIGNMENT, np.uint8)
    begin = -memory.ctypes.data % ALIGNMENT
    return np.frombuffer(memory.data, dtype, int(np.prod(shape)), begin).reshape(shape)


# ── Kernels ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@kernel
def advance_all(
    first: int, last: int, states: States, envs: Environments, chosen: Array, actions: int, again: bool
) -> None:
    for i in range(first, last):
        advance(i, states[i], envs.words[i], envs, int(chosen[i]), actions, again)


@kernel
def gather_all(first: int, last: int, source: Environments, indices: Array, target: Environments) -> None:
    for k in range(first, last):
        copy_environment(source, int(indices[k]), target, k, 0, 1)


@kernel
def check_all(first: int, last: int, envs: Environments, chosen: Array) -> int:
    """The first environment whose action is illegal, or −1."""
    for i in range(first, last):
        if not is_allowed(int(chosen[i]), envs.legal_actions[i], int(envs.legal_counts[i]), int(envs.to_move[i])):
            return i
    return -1


@kernel
def choose_all(first: int, last: int, envs: Environments, choices: Array) -> None:
    for i in range(first, last):
        choices[i] = random_action(envs.counters[i], envs.legal_actions[i], int(envs.legal_counts[i]))


@kernel
def pad_all(first: int, last: int, envs: Environments) -> None:
    for i in range(first, last):
        envs.legal_actions[i, envs.legal_counts[i] :] = NO_ACTION


@kernel
def mask_all(first: int, last: int, envs: Environments, masks: Array) -> None:
    for i in range(first, last):
        masks[i] = False
        for k in range(envs.legal_counts[i]):
            mark(masks[i], int(envs.legal_actions[i, k]))


@kernel
def observe_all(first: int, last: int, states: States, seats: Array, planes: Planes) -> None:
    for i in range(first, last):
        observe(states[i], max(int(seats[i]), 0), planes[i])
