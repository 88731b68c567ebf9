"""Put the networks of training runs into their game's folder: python tools/ship_network.py GAME RUN [RUN …].

Runs of other options are one network if their places of the table are apart. Places that were hardly ever corrected are
left out: they are half of the file, and their numbers are mostly chance.
"""

from __future__ import annotations

import argparse
import ast
import json
from pathlib import Path

import numpy as np

from empedocles.errors import BadValue
from empedocles.games import find
from empedocles.learn.training import STATE, Plan, Training
from empedocles.networks import FILE, Network
from empedocles.position import Position

LEAST = 4.0  # the sum of a place's corrections, below which it is left out
YARDSTICK = "the hand-made evaluation, one ply each, 2,000 games"


def resumed(folder: Path, game: str) -> Training:
    """A run as it was left, by what its file says of it."""
    with np.load(folder / STATE) as content:
        plan = json.loads(str(content["plan"]))
    if plan["game"] != game:
        raise BadValue(f"{folder} is a run of {plan['game']}, not of {game}")
    start = Position.start(game, ast.literal_eval(plan["options"]))
    how = plan.get("teacher", ""), plan.get("device", "cpu"), plan["round"]
    return Training(Plan(start, plan["seed"], *how), folder)


def shipped(training: Training) -> Network:
    """What a run has learnt, with its strength on the card."""
    network = training.network(LEAST)
    training.table[:] = network.table
    run = {name: network.card[name] for name in ("games", "plies", "seconds", "seed")}
    card = {name: value for name, value in network.card.items() if name not in run}
    return Network(network.table, {**card, "runs": [{**run, "score": training.measure()}], "yardstick": YARDSTICK})


def together(one: Network, other: Network) -> Network:
    if np.any((one.table != 0) & (other.table != 0)):
        raise BadValue(f"runs of {one.card['options']} and {other.card['options']} have learnt the same places")
    both = {name: one.card[name] + other.card[name] for name in ("options", "runs")}
    return Network(one.table + other.table, {**one.card, **both})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("runs", nargs="+", type=Path)
    given = parser.parse_args()
    first, *others = (shipped(resumed(folder, given.game)) for folder in given.runs)
    network = first
    for other in others:
        network = together(network, other)
    file = find(given.game).folder / FILE
    network.save(file)
    print(f"{file.name}: {file.stat().st_size:,} bytes")
    for options, run in zip(network.card["options"], network.card["runs"], strict=True):
        print(f"  {options}: {run['score']:.1%} against {YARDSTICK}")


if __name__ == "__main__":
    main()
