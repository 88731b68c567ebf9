"""A search of the review page's Worker, in Chromium, beside the server's: simulations per second of wall time.

Both search the first decision of each game for some seconds with one thread and a tree of 2,000,000 nodes, in turn.
Elemental Defenders is missing: it is solved at once.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

from empedocles import networks
from empedocles.core.kernel import CHANCE
from empedocles.games import GAMES
from empedocles.position import Position
from empedocles.search.limits import Limit
from empedocles.search.mcts import Search
from empedocles.server.web.routes.searching import engine_files

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from e2e.browsers import CHROMIUM, Server

NODES = 2_000_000
ASK = """([files, nodes, state, seconds]) => new Promise((resolve, reject) => {
    const worker = new Worker("/static/engine/worker.js", { type: "module" });
    let first = null;
    worker.onerror = (event) => reject(event.message);
    worker.onmessage = ({ data }) => {
        const told = [data.simulations, performance.now()];
        first ??= told;
        if (told[1] - first[1] < 1000 * seconds) return;
        worker.terminate();
        resolve([told[0] - first[0], (told[1] - first[1]) / 1000]);
    };
    worker.postMessage({ kind: "open", files, nodes });
    worker.postMessage({ kind: "search", number: 1, state: Uint8Array.from(state) });
})"""


def native(position: Position, seconds: float) -> float:
    weights = networks.weights(position.game, position.options)
    search = Search(position, nodes=NODES, weights=weights)
    search.run(Limit(simulations=100))
    before, known = time.perf_counter(), visits(search)
    search.run(Limit(seconds=seconds))
    return (visits(search) - known) / (time.perf_counter() - before)


def visits(search: Search) -> int:
    return sum(found.visits for found in search.evaluations())


def in_browser(page: Page, position: Position, seconds: float) -> float:
    told: list[Any] = [engine_files(position.game, position.options), NODES, list(position.state.tobytes()), seconds]
    done, taken = page.evaluate(ASK, told)
    return float(done / taken)


def measure(page: Page, rounds: int, seconds: float) -> None:
    for game in GAMES.values():
        position = Position.start(game)
        while position.to_move == CHANCE:
            position = position.play(position.legal_actions[0])
        if game.solve or not engine_files(game, position.options):
            continue
        found = [(native(position, seconds), in_browser(page, position, seconds)) for _ in range(rounds)]
        one, other = (statistics.median(each) for each in zip(*found, strict=True))
        speeds = f"native {one:10,.0f}  browser {other:10,.0f} simulations/s  × {other / one:.2f}"
        print(f"{game.title:20} {speeds}", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=3.0)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder))
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        opened = browser.new_page()
        opened.goto(f"{server.url}/review")
        measure(opened, given.rounds, given.seconds)
        browser.close()
        server.stop()
