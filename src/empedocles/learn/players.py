"""Who plays the games of a round: threads of this process, or workers on a Ray cluster.

A game depends on its table, the run's seed and its number alone, so it does not matter who plays it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from empedocles.cluster import Cluster, connected
from empedocles.core.kernel import NO_WEIGHTS, Actions, Table, Weights, Worths
from empedocles.core.rng import checked_seed, random_word
from empedocles.engine.playout import States
from empedocles.errors import BadValue
from empedocles.learn.selfplay import Floats, Trace, duel, new_trace, self_play
from empedocles.networks import features_of
from empedocles.position import Position

MEASURING = 2**62  # the numbers of games that measure begin here
PARTS = 4  # of a round, for each worker: who is done early gets another one


class Player(Protocol):
    def games(self, table: Table, numbers: range) -> Iterator[Trace]:
        """Play games with a table. They come in the order of their numbers."""
        ...


class Desk(NamedTuple):
    """What one thread needs for itself."""

    states: States
    weights: Weights
    out: Actions
    expected: Worths
    hopes: Floats
    trace: Trace


def new_desk(start: Position) -> Desk:
    game, seats = start.game, start.seats
    return Desk(
        np.zeros(2, game.rules.state),
        NO_WEIGHTS._replace(places=np.empty(features_of(game).most, np.int32)),
        np.empty(game.max_legal, np.int16),
        np.zeros(seats, np.float32),
        np.zeros(seats),
        new_trace(game.rules.state, seats),
    )


class Threads:
    """Plays on the cores of this machine."""

    def __init__(self, start: Position, seed: int, threads: int = 1) -> None:
        if threads < 1:
            raise BadValue(f"training needs at least 1 thread, not {threads}")
        self.start, self.seed = start, np.uint64(checked_seed(seed))
        self.desks = [new_desk(start) for _ in range(threads)]

    def games(self, table: Table, numbers: range) -> Iterator[Trace]:
        def play(desk: Desk, number: int) -> Trace:
            desk.states[0] = self.start.state
            luck = np.uint64(random_word(self.seed, number))
            weights = desk.weights._replace(table=table)
            return desk.trace.cut(self_play(desk.states, weights, luck, desk.out, desk.expected, desk.trace))

        yield from self._each(play, numbers)

    def score(self, table: Table, games: int) -> float:
        """Against the hand-made evaluation, one ply each, seats exchanged on the same openings."""

        def play(desk: Desk, number: int) -> float:
            desk.states[0], side = self.start.state, number % 2
            luck = np.uint64(random_word(self.seed, MEASURING + number // 2))
            ours = desk.weights._replace(table=table)
            ended = duel(desk.states, ours, NO_WEIGHTS, side, luck, desk.out, desk.expected, desk.hopes)
            return share(desk.expected, np.arange(self.start.seats) % 2 == side) if ended else 0.5

        return float(np.mean(self._each(play, range(games))))

    def _each(self, work: Callable[[Desk, int], Any], numbers: range) -> list[Any]:
        """Do it for all numbers, some in each thread; the results are in their order."""
        found: list[Any] = [None] * len(numbers)

        def some(first: int, desk: Desk) -> None:
            for k in range(first, len(numbers), len(self.desks)):
                found[k] = work(desk, numbers[k])

        with self.start.game.blamed(), ThreadPoolExecutor(len(self.desks)) as pool:
            list(pool.map(some, range(len(self.desks)), self.desks))  # raises what they raise
        return found


def share(returns: Worths, ours: npt.NDArray[np.bool_]) -> float:
    """The part of a game's winners who are ours: 0 to 1, and half if two sides of any size draw."""
    best = returns == returns.max()
    return 0.5 if best.all() else float((best & ours).sum() / best.sum())


# ── On a cluster ─────────────────────────────────────────────────────────────────────────────────────────────────────

Packed = tuple[bytes, Floats, Any, Worths]  # a trace: NumPy's type of its states is that of one process


class Worker:
    """Plays some games in a process of its own, perhaps on another machine."""

    def __init__(self, start: Position, seed: int, release: str) -> None:
        if release != version("empedocles"):
            raise BadValue(f"version {version('empedocles')} is installed on a machine of the cluster, not {release}")
        self.threads = Threads(start, seed)

    def games(self, table: Table, numbers: range) -> list[Packed]:
        return [_packed(trace) for trace in self.threads.games(table, numbers)]


def _packed(trace: Trace) -> Packed:
    return trace.states.tobytes(), trace.hopes, trace.random, trace.result


def _unpacked(packed: Packed, start: Position) -> Trace:
    memory, hopes, random, result = packed
    states = np.zeros(len(random), start.game.rules.state)
    states.view(np.uint8)[:] = np.frombuffer(memory, np.uint8)
    return Trace(states, hopes, random, result)


class OnCluster:
    """Plays on a Ray cluster, a worker on each core. One that is lost is replaced, and its games are repeated."""

    def __init__(self, start: Position, seed: int, cluster: Cluster, workers: int | None = None) -> None:
        from ray.util import ActorPool

        next(Threads(start, seed).games(np.zeros(0, np.int16), range(1)))  # compiles, before all workers do the same
        self.start, self.ray = start, cluster.ray
        self.workers = min(workers or cluster.cores, cluster.cores)
        maker = cluster.ray.remote(num_cpus=1, max_restarts=-1, max_task_retries=-1)(Worker)
        self.pool = ActorPool([maker.remote(start, seed, version("empedocles")) for _ in range(self.workers)])

    def games(self, table: Table, numbers: range) -> Iterator[Trace]:
        shared = self.ray.put(table)  # once for all parts
        parts = _parts(numbers, self.workers * PARTS)
        played: Iterable[list[Packed]] = self.pool.map(lambda worker, part: worker.games.remote(shared, part), parts)
        for part in played:
            yield from (_unpacked(packed, self.start) for packed in part)


def _parts(numbers: range, most: int) -> list[range]:
    size = -(-len(numbers) // most)
    return [numbers[k : k + size] for k in range(0, len(numbers), size)]


@contextlib.contextmanager
def player(start: Position, seed: int, threads: int | None = None, cluster: str = "") -> Iterator[Player]:
    """Threads, 1 unless more are asked for; or, with an address, the cores of a Ray cluster, all unless fewer are."""
    if not cluster:
        yield Threads(start, seed, threads or 1)
        return
    with connected(cluster, threads) as found:
        yield OnCluster(start, seed, found, threads)
