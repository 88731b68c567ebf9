"""How long one deal of Elemental Defenders takes to solve from its first move, once everything is compiled.

python benchmarks/exact.py
"""

from __future__ import annotations

import itertools
import statistics
import time

import empedocles
from empedocles.search.exact import solve

DEALS = 100


def seconds(mode: str, answer: str, seed: int) -> float:
    """Solve every first move of a deal, without results from earlier deals; returns the seconds."""
    position = empedocles.new("elemental-defenders", mode=mode, answer=answer, seed=seed).position
    solver = position.game.solve
    assert solver is not None
    start = time.perf_counter()
    solver.values(position.state)
    return time.perf_counter() - start


if __name__ == "__main__":
    solve(empedocles.new("elemental-defenders", seed=0).position)
    for mode, answer in itertools.product(("basic", "mediators", "challenge", "advanced"), ("element", "either")):
        times = sorted(seconds(mode, answer, seed) for seed in range(1, DEALS + 1))
        half, most = statistics.median(times) * 1e3, times[-1] * 1e3
        print(f"mode={mode} answer={answer}: median {half:.0f} ms, slowest of {DEALS} {most:.0f} ms")
