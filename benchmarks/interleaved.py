"""Two versions of the rules, round by round in turns: is the new one as fast as the old one?

    python benchmarks/interleaved.py OLD/src NEW/src [--rounds 40] [--games ignite-and-flow …]

Each version plays random games in a process of its own. A round of one is followed by a round of the other, so that a
machine whose speed changes within minutes is as kind to both. Printed are the median of new / old and its 95 %
interval, by resampling the rounds.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np

SECONDS = 0.2  # of one round
VARIANTS: dict[str, list[dict[str, int]]] = {
    "fire-and-water": [{}, {"players": 4}],
    "elemental-defenders": [{}],
    "ignite-and-flow": [{}],
    "points-of-power": [{}, {"players": 4}],
}


def work() -> None:
    """In the process of one version: a line says game, options, games and seed; the answer is plies per second."""
    import time

    import empedocles
    from empedocles.engine.playout import playouts

    for line in sys.stdin:
        game, options, games, seed = json.loads(line)
        start = empedocles.new(game, chance="manual", **options).position
        before = time.thread_time()
        plies = int(playouts(start, games, seed).plies.sum())
        print(plies / (time.thread_time() - before), plies, flush=True)


class Version:
    def __init__(self, source: Path) -> None:
        environment = {**os.environ, "PYTHONPATH": str(source)}
        command = [sys.executable, __file__, "--work"]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )

    def play(self, *asked: object) -> tuple[float, int]:
        """Plies per second of processor time, and how many plies that were."""
        assert self.process.stdin
        assert self.process.stdout
        print(json.dumps(asked), file=self.process.stdin, flush=True)
        speed, plies = self.process.stdout.readline().split()
        return float(speed), int(plies)


def compare(old: Version, new: Version, game: str, options: dict[str, int], rounds: int) -> str:
    new.play(game, options, 10, 0)  # loads
    speed, plies = old.play(game, options, 1000, 0)
    games = max(1, round(SECONDS * speed * 1000 / plies))
    speeds = np.empty((rounds, 2))
    for number in range(rounds):
        turns = ((old, 0), (new, 1)) if number % 2 else ((new, 1), (old, 0))
        for version, column in turns:
            speeds[number, column], _ = version.play(game, options, games, number)
    ratios = speeds[:, 1] / speeds[:, 0]
    resampled = np.median(np.random.default_rng(1).choice(ratios, (10_000, rounds)), axis=1)
    low, high = np.quantile(resampled, [0.025, 0.975])
    name = " ".join([game, *(f"{option}={value}" for option, value in options.items())])
    million = np.median(speeds, axis=0) / 1e6
    return (
        f"{name:32} {million[0]:8.2f} {million[1]:8.2f} M plies/s   {np.median(ratios):.3f} ({low:.3f} to {high:.3f})"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--games", nargs="*", default=list(VARIANTS))
    asked = parser.parse_args()
    for source in (asked.old, asked.new):  # what a process has compiled itself is slower than what it finds on disk
        warm = Version(source)
        for game in asked.games:
            warm.play(game, {}, 1, 0)
        warm.process.kill()
    old, new = Version(asked.old), Version(asked.new)
    for game in asked.games:
        for options in VARIANTS[game]:
            print(compare(old, new, game, options, asked.rounds), flush=True)


if __name__ == "__main__":
    work() if sys.argv[1:] == ["--work"] else main()
