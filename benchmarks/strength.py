"""The strongest level's method at 0.1 s a move against plain UCT at 1 s: `python benchmarks/strength.py GAME [GAMES]`.

Every two games share their shuffles, with the seats exchanged. One process per core; each search has one thread.
"""

from __future__ import annotations

import sys
import time

from joblib import Parallel, delayed
from plain_uct import PlainUCT

import empedocles
from empedocles.agents import SearchAgent
from empedocles.search.limits import Limit

OURS, THEIRS = Limit(seconds=0.1), Limit(seconds=1.0)


def play(game: str, number: int, ours: Limit = OURS, theirs: Limit = THEIRS) -> float:
    """Our score in one game: 1, ½ or 0."""
    match = empedocles.new(game, seed=number // 2)
    mine, yours = SearchAgent(number), PlainUCT(number)
    while not match.is_over:
        here = match.position
        match.play(mine.choose(here, ours) if match.to_move == number % 2 else yours.choose(here, theirs))
    assert match.result is not None
    return float(number % 2 in match.result.winners) if match.result.winners else 0.5


def main(game: str, games: int = 60) -> None:
    position = empedocles.new(game, seed=0).position
    for agent in (SearchAgent(), PlainUCT()):  # compile before the clocks run
        agent.choose(position, Limit(simulations=2))
    begin = time.perf_counter()
    scores = Parallel(n_jobs=-1)(delayed(play)(game, number) for number in range(games))
    won, drawn = scores.count(1.0), scores.count(0.5)
    print(
        f"{game}: {sum(scores) / games:.1%} of {games} games "
        f"({won} won, {drawn} drawn, {games - won - drawn} lost) in {time.perf_counter() - begin:.0f} s"
    )


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
