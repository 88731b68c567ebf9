"""The arena: agents play a round robin, as often as it takes to tell them apart.

Every game is a pure function of the contest and its number, so that it does not matter who plays it, when, and after
how many interruptions: with a limit of simulations the results are the same. Games 2k and 2k+1 of a pair have the same
shuffles, with seats exchanged.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import signal
import threading
import time
import warnings
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import cache, cached_property
from importlib.metadata import version
from typing import Any, TypeVar

import numpy as np

from empedocles import agents
from empedocles.cluster import connected, ray
from empedocles.core.rng import random_word
from empedocles.errors import BadValue
from empedocles.extras import Extra
from empedocles.games import find
from empedocles.play.match import Match
from empedocles.play.ratings import Matrix, wilson
from empedocles.position import Position
from empedocles.search.limits import Limit

C = TypeVar("C")
T = TypeVar("T")
R = TypeVar("R")

FORMAT = 1  # of the results file
GLANCE = Limit(simulations=1)
HEARTBEAT = 0.5  # seconds between two looks of a worker at its parent
RAY = "streaming-ray"  # our name of the back-end
PATIENCE = 10  # seconds for Ray to give up games


@dataclass(frozen=True)
class Task:
    """One game to play."""

    number: int
    seats: tuple[str, ...]  # the agent in each seat
    seed: int  # of the chance moves


@dataclass(frozen=True)
class Played:
    """One game that was played."""

    number: int
    seats: tuple[str, ...]
    seed: int
    scores: tuple[int, ...]
    returns: tuple[float, ...]
    plies: int
    moves: str
    ending: str = ""  # the rule that ended it; empty in games that do not say, and in results of older versions

    @property
    def task(self) -> Task:
        return Task(self.number, self.seats, self.seed)

    @property
    def is_draw(self) -> bool:
        return len(set(self.returns)) == 1

    def compare(self, one: str, two: str) -> tuple[float, int]:
        """What the first of two agents won in comparisons of its seats with the other's, and how many there were.

        A draw counts half. Two who both lost to a third are not compared: that is no draw between them, and counted as
        one it would keep even a perfect agent's score at three quarters when two of it meet two others. Without it a
        score is what the Bradley–Terry model expects, whoever sits where, if chances to win go by strength.
        """
        ours, theirs = (
            [value for seat, value in zip(self.seats, self.returns, strict=True) if seat == name] for name in (one, two)
        )
        best = max(self.returns)
        told = [(a, b) for a, b in itertools.product(ours, theirs) if a != b or a == best]
        return sum((a > b) + (a == b) / 2 for a, b in told), len(told)


@dataclass(frozen=True)
class Failed:
    """A game that could not be played to its end."""

    task: Task
    reason: str

    def __str__(self) -> str:
        return f"game {self.task.number} ({' – '.join(self.task.seats)}, seed {self.task.seed}): {self.reason}"


# ── Who plays whom ───────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Contest:
    """Who plays what under which limit: all that the games depend on."""

    game: str
    options: dict[str, Any]  # complete
    agents: tuple[str, ...]
    limit: Limit
    seed: int = 0
    version: str = version("empedocles")  # agents get better: games of two versions are not one contest

    def __post_init__(self) -> None:
        if len(self.agents) < 2:
            raise BadValue(f"an arena needs two agents or more: there are {', '.join(agents.all_agents())}")
        for name in self.agents:
            agents.find(name, game=find(self.game))
            if [other.lower() for other in self.agents].count(name.lower()) > 1:
                raise BadValue(f"the agent {name!r} is named twice: strength is measured against others")
        Match(self.start, seed=self.seed)  # refuses wrong options and seeds

    @cached_property
    def facts(self) -> dict[str, Any]:
        """What the first line of a results file says."""
        limit = {name: value for name, value in asdict(self.limit).items() if value is not None}
        game = find(self.game)
        own = {"options": game.named(self.options), "rules": game.rules_version, "agents": list(self.agents)}
        return {"arena": FORMAT, **asdict(self), **own, "limit": limit}

    @property
    def start(self) -> Position:
        return Position.start(self.game, self.options)

    @cached_property
    def pairs(self) -> list[tuple[str, str]]:
        return list(itertools.combinations(self.agents, 2))

    @cached_property
    def sides(self) -> list[int]:
        """The side of each seat."""
        return find(self.game).sides(self.start.seats)

    def tasks(self, games: int) -> Iterator[Task]:
        """`games` games for every pair, pair after pair and round after round."""
        if games < 1 or games % 2:
            raise BadValue(f"games per pair are an even number above 0, since seats are exchanged, not {games}")
        return map(self.task, range(games * len(self.pairs)))

    def task(self, number: int) -> Task:
        """A game by its number, which does not depend on how many there are."""
        turn, pair = divmod(number, len(self.pairs))
        ways = mixtures(len(set(self.sides)))
        mixture = ways[turn % len(ways)]
        seats = tuple(self.pairs[pair][mixture[side]] for side in self.sides)
        return Task(number, seats, _word(self.seed, pair, turn // 2))


@cache
def mixtures(sides: int) -> list[tuple[int, ...]]:
    """All ways to seat two agents, 0 and 1, on `sides` sides, each followed by the one with the agents exchanged.

    So after every two games each agent has had each seat equally often.
    """
    lone_first = sorted(itertools.product((0, 1), repeat=sides), key=lambda mixture: (-sum(mixture), mixture))
    few = [mixture for mixture in lone_first if 0 < mixture.count(0) <= sides / 2]
    halves = [mixture for mixture in few if 2 * mixture.count(0) < sides or mixture[0] == 0]
    return [each for mixture in halves for each in (mixture, tuple(1 - who for who in mixture))]


def _word(seed: int, *numbers: int) -> int:
    """64 bits that depend on the seed and all numbers."""
    for number in numbers:
        seed = int(random_word(np.uint64(seed), number))
    return seed


# ── Playing ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def play(contest: Contest, task: Task) -> Played:
    prepare(contest)
    match = Match(contest.start, seed=task.seed)
    # Half the range: others' agents may keep their seed in a signed word.
    seeds = [_word(contest.seed, task.number, seat) // 2 for seat in range(len(task.seats))]
    players = [agents.find(name, seed, find(contest.game)) for name, seed in zip(task.seats, seeds, strict=True)]
    while match.to_move is not None:
        match.play(players[match.to_move].choose(match.position, contest.limit))
    assert match.result is not None
    scores, moves = match.result.scores, match.moves
    returns = tuple(round(value, 6) for value in match.position.returns)
    rule = match.ending.rule if match.ending else ""
    return Played(task.number, task.seats, task.seed, scores, returns, len(moves), " ".join(moves), rule)


_prepared: set[str] = set()


def prepare(contest: Contest) -> None:
    """Compile, or load what was compiled, before time is measured; once per process."""
    key = json.dumps(contest.facts)
    if key not in _prepared:
        if contest.version != version("empedocles"):
            raise BadValue(f"version {version('empedocles')} is installed here, not {contest.version}")
        position = Match(contest.start, seed=0).position
        for name in contest.agents:
            agents.find(name, game=position.game).choose(position, GLANCE)
        _prepared.add(key)


def attempt(contest: Contest, task: Task) -> Played | Failed:
    """Play in a worker, where an exception would end all other games too."""
    try:
        return play(contest, task)
    except Exception as error:
        return Failed(task, f"{type(error).__name__}: {error}")


def run(
    contest: Contest, tasks: Iterable[Task], jobs: int | None = None, cluster: str = ""
) -> Generator[Played | Failed, None, None]:
    """Play games on all cores, or on a Ray cluster at an address; they come as they are finished, in any order."""
    check_jobs(jobs)
    prepare(contest)  # before the workers, who would all compile the same
    yield from spread(attempt, contest, tasks, jobs, cluster)


def check_jobs(jobs: int | None) -> None:
    if jobs is not None and jobs < 1:
        raise BadValue(f"jobs are a whole number above 0, not {jobs}")
    Extra("arena").check("joblib")


def spread(
    work: Callable[[C, T], R], common: C, tasks: Iterable[T], jobs: int | None, cluster: str = "", ordered: bool = False
) -> Generator[R, None, None]:
    """Do work on all cores or a cluster. The results are in the order of the tasks, or come as they are ready."""
    with Extra("arena"):
        from joblib import Parallel, delayed
    with _back_end(jobs, cluster) as settings:
        # One game at a time: a batch of games would be lost together.
        parallel = Parallel(**settings, batch_size=1, return_as="generator" if ordered else "generator_unordered")
        results = parallel(delayed(work)(common, task) for task in tasks)
        # joblib warns when games under way are given up; that is what an interruption means.
        warnings.filterwarnings("ignore", r"\d+ tasks (have been successfully|which were still)", UserWarning)
        with contextlib.closing(results):
            yield from results


@contextlib.contextmanager
def _back_end(jobs: int | None, cluster: str) -> Iterator[dict[str, Any]]:
    if not cluster:
        yield {"n_jobs": jobs or -1, "backend": "loky", "initializer": _follow, "initargs": (os.getpid(),)}
        return
    _register_ray()
    with connected(cluster, jobs) as found:
        try:
            yield {"n_jobs": min(jobs or found.cores, found.cores), "backend": RAY}
        finally:
            _wait_for_threads()


def _wait_for_threads() -> None:
    """Ray waits for each game in a thread, which would start Ray again if it were shut down meanwhile."""
    from ray.util.multiprocessing.pool import ResultThread

    for thread in threading.enumerate():
        if isinstance(thread, ResultThread):
            thread.join(PATIENCE)


def _follow(parent: int) -> None:
    """In a worker: leave Ctrl-C to the program that started it, and end when that is gone.

    Without that, the workers of a killed program would wait for minutes.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(HEARTBEAT)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _register_ray() -> None:
    """Make Ray known to joblib as a back-end that hands out results as they come."""
    ray()  # before joblib's part of it
    with Extra("cluster"):
        from joblib import register_parallel_backend
        from ray.util.joblib.ray_backend import RayBackend

    class StreamingRay(RayBackend):  # type: ignore[misc]
        # joblib says no for all process pools, since the standard library's cannot be stopped half-way; Ray's can.
        supports_return_generator = True

    register_parallel_backend(RAY, StreamingRay)


# ── Counting ─────────────────────────────────────────────────────────────────────────────────────────────────────────


class Tally:
    """Games of a contest, counted in matrices with a row and a column per agent."""

    def __init__(self, contest: Contest, played: Iterable[Played] = ()) -> None:
        self.contest = contest
        shape = len(contest.agents), len(contest.agents)
        self.games, self.draws = np.zeros(shape, int), np.zeros(shape, int)
        self.plies = 0
        self.endings: Counter[str] = Counter()  # rules that ended games; not counted where a game does not say
        # Comparisons: those the row's agent won against the column's, and the squares of how many a game had.
        self._won, self._squares = np.zeros(shape), np.zeros(shape)
        for game in played:
            self.add(game)

    def add(self, game: Played) -> None:
        one, two = self.contest.pairs[game.number % len(self.contest.pairs)]
        i, j = self.contest.agents.index(one), self.contest.agents.index(two)
        won, told = game.compare(one, two)
        for row, column, points in ((i, j, won), (j, i, told - won)):
            self._won[row, column] += points
            self._squares[row, column] += told**2
            self.games[row, column] += 1
            self.draws[row, column] += game.is_draw
        self.plies += game.plies
        self.endings.update([game.ending] if game.ending else [])

    @property
    def total(self) -> int:
        return int(self.games.sum()) // 2

    @property
    def points(self) -> Matrix:
        """The points of the row's agent against the column's, in games."""
        return _ratio(self._won, self._won + self._won.T) * self.games

    @property
    def evidence(self) -> Matrix:
        """The points in independent games: fewer (after Kish) where some games have more comparisons than others."""
        return self._won * _ratio(self._won + self._won.T, self._squares)

    def interval(self, i: int, j: int) -> tuple[float, float]:
        """95 % interval of a score."""
        return wilson(self.evidence[i, j], self.evidence[i, j] + self.evidence[j, i])


def _ratio(part: Matrix, whole: Matrix) -> Matrix:
    """Zero where the whole is zero."""
    return np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)
