"""How much stronger a trained network is than a hand-made evaluation at equal time: benchmarks/learned.py GAME.

First both search one position after another for some seconds on one core, in turns, and count their simulations. Then
they play at these numbers, so that it does not matter where: seats exchanged, and shuffles and openings shared.
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import random
import statistics
import time
from pathlib import Path

import numpy as np

from empedocles import networks
from empedocles.agents import SearchAgent
from empedocles.core.kernel import NO_WEIGHTS, Weights
from empedocles.errors import BadValue
from empedocles.game import Options
from empedocles.games import find
from empedocles.learn.players import share
from empedocles.play.match import Match
from empedocles.position import Position
from empedocles.search.limits import Limit
from empedocles.search.mcts import Search

OPENING = 4  # random decisions
ROUNDS = 40  # positions on which speed is measured,
UNSEEN = 1_000_000  # from games with numbers from here on


def opened(game: str, options: Options, number: int) -> Match:
    """A match after a few random moves, the same for both games of a pair."""
    luck, match = random.Random(number), Match(Position.start(game, options), seed=number)
    while match.to_move is not None and len(match.moves) < OPENING:
        match.play(luck.choice(match.legal_moves))
    return match


def simulations(game: str, options: Options, kinds: list[Weights], seconds: float) -> list[int]:
    """The median of how many each makes in some seconds, in positions of a game between them."""
    counts: list[list[int]] = [[] for _ in kinds]
    match = opened(game, options, UNSEEN)
    for kind in kinds:
        Search(match.position, weights=kind).run(Limit(simulations=100))  # compiled, or loaded
    for number in range(ROUNDS):
        if match.to_move is None:
            match = opened(game, options, UNSEEN + 1 + number)
        for k in range(len(kinds)):
            search = Search(match.position, weights=kinds[(k + number) % len(kinds)])
            search.run(Limit(seconds=seconds))
            counts[(k + number) % len(kinds)].append(search.done)
        match.play(search.evaluations()[0].move)
    return [round(statistics.median(count)) for count in counts]


def play(task: tuple[str, Options, str, list[int], int]) -> float:
    """The score of the network's side in one game."""
    game, options, folder, limits, number = task
    match, ours = opened(game, options, number // 2), number % 2
    agents = [SearchAgent(number, weights=kind) for kind in weights_of(game, options, folder)]
    sides = match.position.game.sides(match.position.seats)
    while match.to_move is not None:
        which = int(sides[match.to_move] % 2 != ours)
        match.play(agents[which].choose(match.position, Limit(simulations=limits[which])))
    assert match.result
    return share(np.array(match.position.returns), np.array(sides) % 2 == ours)


def weights_of(game: str, options: Options, folder: str) -> list[Weights]:
    """Those of the network, and those of the hand-made evaluation."""
    if folder:
        return [networks.read(Path(folder) / networks.FILE, find(game)).weights(), NO_WEIGHTS]
    return [networks.weights(find(game), options), NO_WEIGHTS]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("options", nargs="*", metavar="OPTION=VALUE")
    parser.add_argument("--seconds", type=float, default=0.1)
    parser.add_argument("--simulations", type=int, nargs=2, help="of network and hand-made, instead of measuring them")
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--network", default="", help="the folder of a training run, instead of the game's network")
    given = parser.parse_args()
    options = find(given.game).complete(dict(word.split("=", 1) for word in given.options))
    kinds = weights_of(given.game, options, given.network)
    if not len(kinds[0].table):
        raise BadValue(f"{given.game} has no network for {options}")
    limits = given.simulations or simulations(given.game, options, kinds, given.seconds)
    print(f"simulations in {given.seconds} s: network {limits[0]}, hand-made {limits[1]}", flush=True)
    tasks = [(given.game, options, given.network, limits, number) for number in range(given.games)]
    scores: list[float] = []
    begun = time.perf_counter()
    with multiprocessing.get_context("spawn").Pool(given.processes) as pool:
        for score in pool.imap_unordered(play, tasks):
            scores.append(score)
            if len(scores) % 20 == 0 or len(scores) == len(tasks):
                margin = 1.96 * statistics.pstdev(scores) / math.sqrt(len(scores))
                minutes = (time.perf_counter() - begun) / 60
                print(
                    f"{len(scores)} games, {minutes:.1f} min: {statistics.mean(scores):.1%} ± {margin:.1%}", flush=True
                )


if __name__ == "__main__":
    main()
