"""Random playouts on a GPU: checks that the games are the same as on the CPU, and measures plies per second.

python benchmarks/playouts_on_gpu.py [GAMES]
"""

from __future__ import annotations

import sys
import time

import numpy as np
from numba import cuda

from empedocles.engine.cuda import launch_playouts
from empedocles.engine.playout import playouts
from empedocles.game import Game
from empedocles.games import GAMES
from empedocles.position import Position
from empedocles.testing.samples import all_options

COMPARED = 2000  # games of each option
ROUNDS = 5


def same_as_on_the_cpu(start: Position) -> bool:
    cpu, gpu = playouts(start, COMPARED, seed=3), playouts(start, COMPARED, seed=3, device="cuda")
    return np.array_equal(cpu.plies, gpu.plies) and np.array_equal(cpu.states, gpu.states)


def speeds(start: Position, games: int) -> tuple[float, float]:
    """Plies per second on the GPU alone, and with results copied back; the best of some rounds."""
    alone, brought, plies = [], [], 0
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        _, lengths = launch_playouts(start, games, seed=5)
        cuda.synchronize()
        alone.append(time.perf_counter() - begin)
        begin = time.perf_counter()
        playouts(start, games, seed=5, device="cuda")
        brought.append(time.perf_counter() - begin)
        plies = int(lengths.copy_to_host().sum(dtype=np.int64))
    return plies / min(alone), plies / min(brought)


def report(game: Game, games: int) -> None:
    options = all_options(game)
    same = all(same_as_on_the_cpu(Position.start(game, chosen)) for chosen in options)
    there, brought = speeds(Position.start(game), games)
    print(
        f"{game.title}: {'all' if same else 'NOT ALL'} of {COMPARED:,} games of {len(options)} options as on the CPU; "
        f"{there / 1e6:,.0f} M plies/s on the GPU, {brought / 1e6:,.0f} M with all final states brought back",
        flush=True,
    )


if __name__ == "__main__":
    for game in GAMES.values():
        report(game, int(sys.argv[1]) if len(sys.argv) > 1 else 2**19)
