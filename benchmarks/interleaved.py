"""Two versions of the engine, round by round in turn: is the new one as fast as the old one?

    python benchmarks/interleaved.py OLD/src NEW/src [--what batch|search] [--rounds 40] [--games ignite-and-flow …]

Each version plays random games in a process of its own, one after another or, with `--what batch`, as checked steps of
a batch on one thread; with `--what search` it searches, and simulations count instead of plies. A round of one is
followed by a round of the other, so that a machine whose speed changes within minutes treats both alike; and both get a
new process every few rounds, since the memory that a process happens to get makes it faster or slower for good. Prints
the median of new / old and its 95 % interval, by resampling the rounds.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

SECONDS = 0.2  # of one round
ROUNDS_OF_A_PROCESS = 4
ENVIRONMENTS = 1024  # of a batch
SIMULATIONS, NODES = 1000, 100_000  # of a search: how fast large trees are depends on the memory a process gets
VARIANTS: dict[str, list[dict[str, Any]]] = {
    "fire-and-water": [{}, {"players": 4}],
    "elemental-defenders": [{}],
    "ignite-and-flow": [{}],
    "points-of-power": [{}, {"players": 4}],
}


def work() -> None:
    """Run in one version's process: a line gives what, game, options, size and seed; the answer is plies per second."""
    for line in sys.stdin:
        what, *asked = json.loads(line)
        plies, seconds = WORK[what](*asked)
        print(plies / seconds, plies, flush=True)


def random_games(game: str, options: dict[str, Any], games: int, seed: int) -> tuple[int, float]:
    """Play `games` games; returns their plies and the processor time."""
    import empedocles
    from empedocles.engine.playout import playouts

    start = empedocles.new(game, chance="manual", **options).position
    before = time.thread_time()
    plies = int(playouts(start, games, seed).plies.sum())
    return plies, time.thread_time() - before


def random_steps(game: str, options: dict[str, Any], steps: int, seed: int) -> tuple[int, float]:
    """Play `steps` steps of a new batch with this seed; returns the decisions and the processor time."""
    import empedocles

    batch = empedocles.vector(game, ENVIRONMENTS, seed=seed, threads=1, **options)
    before = time.thread_time()
    for _ in range(steps):
        batch.step(batch.random_actions())
    return steps * ENVIRONMENTS, time.thread_time() - before


def searches(game: str, options: dict[str, Any], size: int, seed: int) -> tuple[int, float]:
    """Search a match's first position `size` times; returns the simulations and the processor time."""
    import empedocles
    from empedocles.search.limits import Limit
    from empedocles.search.mcts import Search

    start = empedocles.new(game, seed=seed, **options).position
    todo = [Search(start, seed + k, nodes=NODES) for k in range(size)]
    before = time.thread_time()
    for search in todo:
        search.run(Limit(simulations=SIMULATIONS))
    return sum(search.done for search in todo), time.thread_time() - before


WORK = {"playouts": random_games, "batch": random_steps, "search": searches}


class Version:
    def __init__(self, source: Path) -> None:
        environment = {**os.environ, "PYTHONPATH": str(source)}
        command = [sys.executable, __file__, "--work"]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )

    def __enter__(self) -> Version:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()

    def play(self, *asked: object) -> tuple[float, int]:
        """Returns plies per second of processor time, and the number of plies."""
        assert self.process.stdin
        assert self.process.stdout
        print(json.dumps(asked), file=self.process.stdin, flush=True)
        speed, plies = self.process.stdout.readline().split()
        return float(speed), int(plies)


def compare(sources: tuple[Path, Path], what: str, game: str, options: dict[str, Any], rounds: int) -> str:
    """A line about two versions, the old one first."""
    size, speeds = 0, np.empty((rounds, 2))
    for first in range(0, rounds, ROUNDS_OF_A_PROCESS):
        with Version(sources[0]) as old, Version(sources[1]) as new:
            versions = old, new
            for version in versions:
                version.play(what, game, options, 1, 0)  # loads
            size = size or size_of_a_round(old, what, game, options)
            for number in range(first, min(rounds, first + ROUNDS_OF_A_PROCESS)):
                for column in (0, 1) if number % 2 else (1, 0):
                    speeds[number, column], _ = versions[column].play(what, game, options, size, number)
    name = " ".join([game, *(f"{option}={value}" for option, value in options.items())])
    million = np.median(speeds, axis=0) / 1e6
    return f"{name:32} {million[0]:8.2f} {million[1]:8.2f} M/s   {median_of(speeds[:, 1] / speeds[:, 0])}"


def median_of(ratios: npt.NDArray[np.float64]) -> str:
    """With its 95 % interval, by resampling."""
    resampled = np.median(np.random.default_rng(1).choice(ratios, (10_000, len(ratios))), axis=1)
    low, high = np.quantile(resampled, [0.025, 0.975])
    return f"{np.median(ratios):.3f} ({low:.3f} to {high:.3f})"


def size_of_a_round(version: Version, what: str, game: str, options: dict[str, Any]) -> int:
    """The size of a job that fills a round."""
    speed, plies = version.play(what, game, options, 100, 0)
    return max(1, round(SECONDS * speed * 100 / plies))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--what", choices=list(WORK), default="playouts")
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--games", nargs="*", default=list(VARIANTS))
    asked = parser.parse_args()
    for source in (asked.old, asked.new):  # code that a process compiles itself is slower than code it loads
        with Version(source) as warm:
            for game in asked.games:
                warm.play(asked.what, game, {}, 1, 0)
    for game in asked.games:
        for options in VARIANTS[game]:
            print(compare((asked.old, asked.new), asked.what, game, options, asked.rounds), flush=True)


if __name__ == "__main__":
    work() if sys.argv[1:] == ["--work"] else main()
