"""Who is stronger: `python benchmarks/strength.py GAME [GAMES [threads]]`.

The strongest level's method at 0.1 s a move against plain UCT at 1 s; or two threads against one at equal time. Each
pair of games shares its shuffles, with seats exchanged.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import NamedTuple, Protocol

from joblib import Parallel, delayed
from plain_uct import PlainUCT

import empedocles
from empedocles.agents import SearchAgent
from empedocles.search.limits import Limit


class Player(Protocol):
    def choose(self, position: empedocles.Position, limit: Limit) -> str: ...


class Contestant(NamedTuple):
    name: str
    agent: Callable[[int], Player]  # by its seed
    limit: Limit


def two_threads(seed: int) -> Player:
    return SearchAgent(seed, threads=2)


OURS = Contestant("our search, 0.1 s", SearchAgent, Limit(seconds=0.1))
PLAIN = Contestant("plain UCT, 1 s", PlainUCT, Limit(seconds=1.0))
TWO_THREADS = Contestant("two threads, 0.1 s", two_threads, Limit(seconds=0.1))


def play(game: str, number: int, one: Contestant, other: Contestant) -> float:
    """The score of the first contestant in one game: 1, ½ or 0."""
    match = empedocles.new(game, seed=number // 2)
    seats = (one, other) if number % 2 == 0 else (other, one)
    agents = [contestant.agent(number) for contestant in seats]
    while match.to_move is not None:
        match.play(agents[match.to_move].choose(match.position, seats[match.to_move].limit))
    assert match.result is not None
    return float(number % 2 in match.result.winners) if match.result.winners else 0.5


def main(game: str, games: int = 60, what: str = "plain") -> None:
    one, other, jobs = (TWO_THREADS, OURS, 1) if what == "threads" else (OURS, PLAIN, -1)
    position = empedocles.new(game, seed=0).position
    for contestant in (one, other):  # compile before the clocks run
        contestant.agent(0).choose(position, Limit(simulations=2))
    begin = time.perf_counter()
    scores = Parallel(n_jobs=jobs)(delayed(play)(game, number, one, other) for number in range(games))
    won, drawn = scores.count(1.0), scores.count(0.5)
    print(
        f"{game}, {one.name} against {other.name}: {sum(scores) / games:.1%} of {games} games "
        f"({won} won, {drawn} drawn, {games - won - drawn} lost) in {time.perf_counter() - begin:.0f} s"
    )


if __name__ == "__main__":
    game, games, what = [*sys.argv[1:], *("", "60", "plain")[len(sys.argv) - 1 :]]
    main(game, int(games), what)
