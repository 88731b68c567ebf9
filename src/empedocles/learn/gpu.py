"""Training on a GPU: a thread plays each game of a round, and all positions of a lesson are learnt from at once.

What the positions say of each place of the table is added up in whole numbers, so it does not matter in which order the
threads do that: a run is the same every time. A place that was met many times in a lesson is corrected as if it had
been met TOGETHER times: corrections that do not know of each other must not add up to more than what they correct.
With a step of STEP × TOGETHER logits in all for an error of 1, and at most 1/2 of worth for a logit, they do not as
long as that product is below 4.
"""

from __future__ import annotations

import contextlib
import functools
import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import cuda

from empedocles.core.kernel import NO_WEIGHTS, Table, Weights, evaluate, features, kernel
from empedocles.core.rng import random_word
from empedocles.engine.cuda import Launch, gpu_kernel, need_gpu
from empedocles.engine.playout import States
from empedocles.learn.learners import Taught
from empedocles.learn.selfplay import LONGEST, STEP, Floats, Memory, Trace, as_entry, look_back, self_play
from empedocles.networks import features_of
from empedocles.position import Position

LESSON = 128  # games that are learnt from at once
TOGETHER = 4
GRAIN = 1 << 20  # errors are counted in units of 1 / GRAIN

Array = Any  # on the GPU


class Logs(NamedTuple):
    """The games of a round: a row for each, and in most a row for each decision."""

    states: Array
    hopes: Array
    random: Array
    results: Array
    goals: Array  # what the positions should have been worth
    lengths: Array  # how many decisions


class Sums(NamedTuple):
    """What the positions of a lesson say of each place, in units."""

    more: npt.NDArray[np.int64]  # by how much its number should be larger
    less: npt.NDArray[np.int64]
    counts: npt.NDArray[np.int32]  # how often it was met


class AtOnce:
    """Plays and learns on the GPU, where table and memory stay until they are fetched."""

    def __init__(self, start: Position, seed: int, table: Table, memory: Memory, games: int) -> None:
        need_gpu()
        game, seats, most = start.game, start.seats, features_of(start.game).most
        state, plies = game.rules.state, min(LONGEST, game.max_plies)
        self._table, self._memory, self._seed, self._games = table, memory, np.uint64(seed), games
        self._start = cuda.to_device(_only(start))
        self._numbers = cuda.to_device(NO_WEIGHTS.numbers)
        self._own: tuple[Array, Any] = cuda.to_device(table), Memory(*map(cuda.to_device, memory))
        self._logs = Logs(
            cuda.device_array((games, plies), state),
            cuda.device_array((games, plies, seats), np.float64),
            cuda.device_array((games, plies), np.int8),
            cuda.device_array((games, seats), np.float32),
            cuda.device_array((games, plies, seats), np.float64),
            cuda.device_array(games, np.int64),
        )
        size, self._step = len(table), STEP / most
        self._sums = Sums(*(cuda.to_device(np.zeros(size, kind)) for kind in (np.int64, np.int64, np.int32)))
        self._errors = cuda.to_device(np.zeros(2, np.int64))  # the sum of their squares, in units; how many
        self._play = Launch(_play_kernel(state, game.max_legal, most, seats), games)
        self._tell = Launch(_tell_kernel(state, most, seats), min(games, LESSON) * plies)
        self._correct = Launch(_correct, size)
        with products_rounded():  # compiles, with games that nobody learns from
            self._play_games(0)
            self._learn(0, 0)

    def round(self, numbers: range) -> Taught:
        self._play_games(numbers.start)
        for first in range(0, self._games, LESSON):
            self._learn(first, min(first + LESSON, self._games))
        wrong, errors = self._errors.copy_to_host().tolist()
        self._errors.copy_to_device(np.zeros(2, np.int64))
        return Taught(int(self._logs.lengths.copy_to_host().sum()), wrong / GRAIN, errors)

    def _play_games(self, first: int) -> None:
        self._play(self._start, self._seed, first, self._own[0], self._numbers, self._logs)

    def _learn(self, first: int, last: int) -> None:
        table, memory = self._own
        self._tell(first, last, self._logs, table, self._numbers, self._sums, self._errors)
        self._correct(table, memory, self._sums, self._step)

    def fetch(self) -> None:
        table, memory = self._own
        table.copy_to_host(self._table)
        for mine, theirs in zip(self._memory, memory, strict=True):
            theirs.copy_to_host(mine)


def _only(start: Position) -> States:
    states = np.zeros(1, start.game.rules.state)
    states[0] = start.state
    return states


@contextlib.contextmanager
def products_rounded() -> Iterator[None]:
    """A context in which kernels are compiled to round a product before something is added to it, as CPUs do.

    So a game is the same on every device: NVIDIA's compiler would join the two, and numba-cuda has no option for that.
    """
    from numba.cuda.cudadrv import nvvm

    before = getattr(nvvm, "compile_ir", None)  # the simulator has none
    nvvm.compile_ir = functools.partial(before, fma=False) if before else None
    try:
        yield
    finally:
        nvvm.compile_ir = before


# ── What each thread does ────────────────────────────────────────────────────────────────────────────────────────────


@kernel
def in_units(error: float) -> int:
    return math.floor(error * GRAIN + 0.5)


@kernel
def correct_together(place: int, table: Table, memory: Memory, sums: Sums, step: float) -> None:
    """Apply what a lesson says of a place, and clear its sums."""
    count = int(sums.counts[place])
    if count:
        more, less, size = sums.more[place] / GRAIN, sums.less[place] / GRAIN, np.float64(memory.sizes[place])
        rate = abs(np.float64(memory.sums[place])) / size if size > 0 else 1.0
        logit = np.float64(memory.logits[place]) + step * rate * (more - less) * min(1.0, TOGETHER / count)
        memory.logits[place] = logit
        memory.sums[place] = np.float64(memory.sums[place]) + (more - less)
        memory.sizes[place] = size + (more + less)
        table[place] = as_entry(logit)
        sums.more[place], sums.less[place], sums.counts[place] = 0, 0, 0


@functools.cache
def _play_kernel(state: np.dtype[Any], max_legal: int, most: int, seats: int) -> Any:
    # The sizes of local arrays must be constants of the kernel, hence one kernel per game.

    def play_one(start: States, seed: np.uint64, first: int, table: Table, numbers: Floats, logs: Logs) -> None:
        i = cuda.grid(1)
        if i < len(logs.lengths):
            mine = cuda.local.array(2, state)
            out = cuda.local.array(max_legal, np.int16)
            places = cuda.local.array(most, np.int32)
            expected = cuda.local.array(seats, np.float32)
            mine[0] = start[0]
            trace = Trace(logs.states[i], logs.hopes[i], logs.random[i], logs.results[i])
            weights = Weights(numbers, table, places)
            plies = self_play(mine, weights, random_word(seed, first + i), out, expected, trace)
            look_back(trace, plies, logs.goals[i])
            logs.lengths[i] = plies

    return gpu_kernel(play_one)


@functools.cache
def _tell_kernel(state: np.dtype[Any], most: int, seats: int) -> Any:
    def tell(first: int, last: int, logs: Logs, table: Table, numbers: Floats, sums: Sums, errors: Array) -> None:
        plies = logs.states.shape[1]
        game, ply = first + cuda.grid(1) // plies, cuda.grid(1) % plies
        if game < last and ply < logs.lengths[game]:
            mine = cuda.local.array(1, state)
            places = cuda.local.array(most, np.int32)
            expected = cuda.local.array(seats, np.float32)
            mine[0] = logs.states[game, ply]
            s = mine[0]
            if not s.over:
                evaluate(s, Weights(numbers, table, places), expected)
                for seat in range(seats):
                    n = features(s, seat, places)
                    if n:
                        error = logs.goals[game, ply, seat] - float(expected[seat])
                        cuda.atomic.add(errors, 0, in_units(error * error))
                        cuda.atomic.add(errors, 1, 1)
                        share = in_units(error * most / n)  # positions with fewer places have more to say of each
                        side = sums.more if share > 0 else sums.less
                        for k in range(n):
                            cuda.atomic.add(side, places[k], abs(share))
                            cuda.atomic.add(sums.counts, places[k], np.int32(1))

    return gpu_kernel(tell)


@gpu_kernel
def _correct(table: Table, memory: Memory, sums: Sums, step: float) -> None:
    place = cuda.grid(1)
    if place < len(table):
        correct_together(place, table, memory, sums, step)
