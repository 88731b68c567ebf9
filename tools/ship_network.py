"""Put the network of a training run into its game's folder: python tools/ship_network.py RUN GAME.

Places that were hardly ever corrected are left out: they are half of the file, and their numbers are mostly chance.
"""

from __future__ import annotations

import argparse
import dataclasses
from pathlib import Path

from empedocles.learn.training import Training
from empedocles.networks import FILE
from empedocles.position import Position

LEAST = 4.0  # the sum of a place's corrections, below which it is left out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("run", type=Path)
    parser.add_argument("game")
    parser.add_argument("options", nargs="*", metavar="OPTION=VALUE")
    parser.add_argument("--seed", type=int, default=0, help="that of the run")
    given = parser.parse_args()
    start = Position.start(given.game, dict(word.split("=", 1) for word in given.options))
    training = Training(start, given.run, given.seed)
    network = training.network(LEAST)
    training.table[:] = network.table
    score = training.measure()
    told = {"yardstick": "the hand-made evaluation, one ply each, 2,000 games", "score": score}
    file = start.game.folder / FILE
    dataclasses.replace(network, card={**network.card, **told}).save(file)
    print(f"{file.name}: {file.stat().st_size:,} bytes, {score:.1%} against {told['yardstick']}")


if __name__ == "__main__":
    main()
