"""Put the networks of training runs into their game's folder: python tools/ship_network.py GAME RUN [RUN …].

Runs of other options are one network if their places of the table are apart. Places that were hardly ever corrected are
left out: they are half of the file, and their numbers are mostly chance.

`--also board=chessboard,players=3` adds options that nothing was trained on, if the network wins there as well: measure
that at equal time before, with benchmarks/learned.py; here it is refused with less than half of the points.
"""

from __future__ import annotations

import argparse
import ast
import json
import tempfile
from pathlib import Path

import numpy as np

from empedocles.errors import BadValue
from empedocles.games import find
from empedocles.learn.training import STATE, Plan, Training
from empedocles.networks import FILE, Network
from empedocles.position import Position

HALF = 0.5
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


def extended(network: Network, game: str, given: str, scratch: Path) -> Network:
    """The network for more options."""
    options = find(game).complete(dict(word.split("=", 1) for word in given.split(",")))
    training = Training(Plan(Position.start(game, options)), scratch)
    training.table[:] = network.table
    score = training.measure()
    if score < HALF:
        raise BadValue(f"with {given} the network scores {score:.1%} against {YARDSTICK}, expected at least {HALF:.0%}")
    more = {"options": training.network().card["options"], "runs": [{"games": 0, "score": score}]}
    return Network(network.table, {**network.card, **{name: network.card[name] + more[name] for name in more}})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("runs", nargs="+", type=Path)
    parser.add_argument("--also", action="append", default=[], metavar="OPTION=VALUE,…")
    given = parser.parse_args()
    first, *others = (shipped(resumed(folder, given.game)) for folder in given.runs)
    network = first
    for other in others:
        network = together(network, other)
    for options in given.also:
        with tempfile.TemporaryDirectory() as scratch:
            network = extended(network, given.game, options, Path(scratch))
    file = find(given.game).folder / FILE
    network.save(file)
    print(f"{file.name}: {file.stat().st_size:,} bytes")
    for options, run in zip(network.card["options"], network.card["runs"], strict=True):
        trained = f"trained with {run['games']:,} games" if run["games"] else "not trained"
        print(f"  {options}, {trained}: {run['score']:.1%} against {YARDSTICK}")


if __name__ == "__main__":
    main()
