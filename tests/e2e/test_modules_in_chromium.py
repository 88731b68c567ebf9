"""A game's module in a Worker of a browser answers as the CPU does, to the last bit."""

from __future__ import annotations

import functools
import http.server
import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from modules.questions import answer, questions
from modules.test_modules import SOURCES, built
from playwright.sync_api import Browser

from empedocles.games import find
from empedocles.networks import FILE

TESTS = Path(__file__).parents[1] / "modules"
GAMES = ("ignite-and-flow", "elemental-defenders")  # the largest network; the solver
ASK = """(told) => new Promise((resolve, reject) => {
    const worker = new Worker("/tests/worker.mjs", { type: "module" });
    worker.onerror = (event) => reject(event.message);
    worker.onmessage = ({ data }) => resolve(JSON.stringify(data));
    worker.postMessage(told);
})"""


class Files(http.server.SimpleHTTPRequestHandler):
    """Serves some folders, each by a name of its own."""

    def __init__(self, folders: dict[str, Path], *given: object) -> None:
        self.folders = folders
        super().__init__(*given)  # type: ignore[arg-type]

    extensions_map = http.server.SimpleHTTPRequestHandler.extensions_map | {".mjs": "text/javascript"}

    def translate_path(self, path: str) -> str:
        name, _slash, rest = path.removeprefix("/").partition("/")
        return str(self.folders.get(name, Path("nowhere")) / rest)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def files() -> Iterator[str]:
    """The address of what a page needs."""
    folders = {"tests": TESTS, "engine": SOURCES} | {name: find(name).folder for name in GAMES}
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Files, folders)) as server:
        threading.Thread(target=server.serve_forever).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.parametrize("name", GAMES)
def test_a_module_in_a_worker_answers_as_the_cpu_does(name: str, browser: Browser, files: str) -> None:
    game = find(name)
    built(game)
    asked = questions(game, transcripts=6)
    network = f"/{name}/{FILE}" if (game.folder / FILE).exists() else ""
    page = browser.new_page()
    page.goto(f"{files}/engine/engine.js")  # any address of this server
    told = {"sources": f"{files}/engine", "module": f"/{name}", "network": network, "questions": asked}
    answers = json.loads(page.evaluate(ASK, told))
    page.close()
    for question, found in zip(asked, answers, strict=True):
        assert found == answer(game, question), question
