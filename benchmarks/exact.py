"""How long one deal of Elemental Defenders takes to solve from its first move, once everything is compiled.

python benchmarks/exact.py
"""

from __future__ import annotations

import statistics
import time

import empedocles
from empedocles.search.exact import solve

DEALS = 100


def seconds(mode: str, seed: int) -> float:
    """Solve every first move of a deal, without results from earlier deals; returns the seconds."""
    position = empedocles.new("elemental-defenders", mode=mode, seed=seed).position
    solver = position.game.solve
    assert solver is not None
    start = time.perf_counter()
    solver.values(position.state)
    return time.perf_counter() - start


if __name__ == "__main__":
    solve(empedocles.new("elemental-defenders", seed=0).position)
    for mode in ("basic", "advanced"):
        times = sorted(seconds(mode, seed) for seed in range(1, DEALS + 1))
        print(f"{mode}: median {statistics.median(times) * 1e3:.0f} ms, slowest of {DEALS} {times[-1] * 1e3:.0f} ms")
