"""Simulations per second of tree searches with plain rollouts: ours, with 1 and 2 threads, and OpenSpiel's, in turn.

`make bench-search`. Every search starts at the start of its game, with a new tree; OpenSpiel's game is `breakthrough`.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import pyspiel

import empedocles
from empedocles.game import Style
from empedocles.games import GAMES
from empedocles.search.limits import Limit
from empedocles.search.mcts import Search

ROUNDS = 10
SIMULATIONS = 10_000  # of one search


def ours(game: str, threads: int = 1) -> Callable[[], None]:
    position = empedocles.new(game, seed=0).position

    def run() -> None:
        Search(position, style=Style(rollouts=True), threads=threads).run(Limit(simulations=SIMULATIONS))

    return run


def theirs() -> Callable[[], None]:
    game = pyspiel.load_game("breakthrough")
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)  # the bot does not keep it alive

    def run() -> None:
        pyspiel.MCTSBot(game, evaluator, 2.0, SIMULATIONS, 1000, False, 1, False).mcts_search(game.new_initial_state())

    return run


def main() -> None:
    runners = {"OpenSpiel C++ MCTS, breakthrough": theirs()}
    runners |= {f"{name}, 1 thread": ours(name) for name in GAMES}
    runners |= {f"{name}, 2 threads": ours(name, 2) for name in GAMES}
    for run in runners.values():  # compile first
        run()
    spent = dict.fromkeys(runners, 0.0)
    for _ in range(ROUNDS):
        for name, run in runners.items():
            begin = time.perf_counter()
            run()
            spent[name] += time.perf_counter() - begin
    reference = spent["OpenSpiel C++ MCTS, breakthrough"]
    for name, seconds in spent.items():
        print(f"{name:40} {ROUNDS * SIMULATIONS / seconds:9,.0f} simulations/s  × {reference / seconds:.2f}")


if __name__ == "__main__":
    main()
