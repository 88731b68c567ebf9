"""Whether the values shown to people are true: benchmarks/calibration.py GAME.

A search plays against itself from random openings. Of the positions in which words put a side's chances at 70 %, 70 %
should be won. From each game one position of each class is drawn, so that the games of a class are independent.
First comes the power that makes the odds of values those of results (logistic regression): `Advice.certainty`.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from learned import opened

from empedocles.agents import SearchAgent
from empedocles.game import Options
from empedocles.games import find
from empedocles.play.ratings import wilson
from empedocles.search.limits import Limit

CLASSES = 10

Judged = tuple[float, float]  # what a side's chances were said to be, and its result: 1, ½ or 0


def play(task: tuple[str, Options, int, int]) -> list[Judged]:
    """A game; for each class a position of it in which the mover's chances were in that class."""
    game, options, simulations, number = task
    match, agent, luck = opened(game, options, number), SearchAgent(number), random.Random(number)
    said: dict[int, list[tuple[float, int]]] = {}
    while match.to_move is not None:
        best = agent.analyse(match.position, Limit(simulations=simulations))[0]
        chance = (best.value + 1) / 2
        if not best.proven:
            said.setdefault(min(CLASSES - 1, int(chance * CLASSES)), []).append((chance, match.to_move))
        match.play(best.move)
    drawn = [luck.choice(places) for _, places in sorted(said.items())]
    return [(chance, (match.position.returns[seat] + 1) / 2) for chance, seat in drawn]


def certainty(judged: list[Judged]) -> float:
    """The power of the odds under which the results were likeliest."""
    said, won = np.array(judged).T
    odds = np.log(said / (1 - said))
    powers = np.arange(0.5, 5, 0.05)
    unlikely = [np.logaddexp(0, -power * odds) @ won + np.logaddexp(0, power * odds) @ (1 - won) for power in powers]
    return float(powers[np.argmin(unlikely)])


def stretched(chance: float, power: float) -> float:
    return float(chance**power / (chance**power + (1 - chance) ** power))


def table(judged: list[Judged]) -> Iterator[str]:
    """A row for each class: what was said, what came of it with its interval, and how many games."""
    yield "| judged | on average | won | 95 % interval | positions |"
    yield "|---|---|---|---|---|"
    for number in range(CLASSES):
        those = [one for one in judged if min(CLASSES - 1, int(one[0] * CLASSES)) == number]
        if those:
            said, won = (sum(values) / len(those) for values in zip(*those, strict=True))
            low, high = wilson(won * len(those), len(those))
            name = f"{number * 100 // CLASSES} to {(number + 1) * 100 // CLASSES} %"
            yield f"| {name} | {said:.1%} | {won:.1%} | {low:.1%} – {high:.1%} | {len(those)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", help="with two sides")
    parser.add_argument("options", nargs="*", metavar="OPTION=VALUE")
    parser.add_argument("--simulations", type=int, default=1000)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--out", type=Path, help="a file for all that was judged, as JSON")
    given = parser.parse_args()
    options = find(given.game).complete(dict(word.split("=", 1) for word in given.options))
    tasks = [(given.game, options, given.simulations, number) for number in range(given.games)]
    with multiprocessing.get_context("spawn").Pool(given.processes) as pool:
        judged = [one for some in pool.imap_unordered(play, tasks) for one in some]
    if given.out:
        given.out.write_text(json.dumps(sorted(judged)))
    power = certainty(judged)
    print(f"certainty {power:.2f}; with it:")
    print("\n".join(table([(stretched(chance, power), won) for chance, won in judged])))


if __name__ == "__main__":
    main()
