"""Take the README's screenshots of the browser app: a server, some people, some moves, and a browser.

python tools/screenshots.py docs
"""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import APIRequestContext, Browser, BrowserContext, Page, sync_playwright

import empedocles
from empedocles.agents import find
from empedocles.games import GAMES
from empedocles.play.records import Record
from empedocles.position import Position
from empedocles.search.limits import Limit
from empedocles.server.settings import PREFIX
from empedocles.server.web.pages.material import showcase

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or "/usr/bin/chromium"
PATIENCE = 300.0  # seconds: rules may have to be compiled, and a match analysed
LARGEST = 200_000  # bytes of a picture
THINKS = Limit(simulations=300)
DESKTOP = {"viewport": {"width": 1280, "height": 800}, "device_scale_factor": 1.5, "color_scheme": "light"}
PHONE = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 2,
    "color_scheme": "dark",
    "has_touch": True,
    "is_mobile": True,
}


@contextlib.contextmanager
def served(**settings: float) -> Iterator[str]:
    """A server of its own, with an empty database."""
    environment = os.environ | {f"{PREFIX}{name.upper()}": str(value) for name, value in settings.items()}
    with socket.socket() as free, tempfile.TemporaryDirectory() as folder:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
        free.close()
        command = [sys.executable, "-m", "empedocles", "serve", "--no-open", "--port", port]
        server = subprocess.Popen([*command, "--database", str(Path(folder) / "pictures.db")], env=environment)
        try:
            wait_for(f"http://127.0.0.1:{port}")
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()
            server.wait()


def wait_for(address: str) -> None:
    for _ in range(int(PATIENCE)):
        with contextlib.suppress(OSError), urllib.request.urlopen(address):
            return
        time.sleep(1)
    raise TimeoutError(f"no server at {address} after {PATIENCE:g} s")


class Studio:
    """A browser at a server, and a folder for its screenshots."""

    def __init__(self, browser: Browser, address: str, folder: Path) -> None:
        self.browser, self.address, self.folder = browser, address, folder

    def person(self, name: str, looks: dict[str, Any] = DESKTOP) -> BrowserContext:
        context = self.browser.new_context(base_url=self.address, locale="en-GB", reduced_motion="reduce", **looks)
        context.set_default_timeout(1000 * PATIENCE)
        context.add_init_script("localStorage.setItem('introduced', '[\"all\"]')")
        ask(context.request, "players", {"name": name})
        return context

    def take(self, page: Page, name: str) -> None:
        page.wait_for_timeout(600)  # for fonts and messages from the server
        shown = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
        file = self.folder / f"{name}.webp"
        shown.save(file, quality=85, method=6)
        size = file.stat().st_size
        assert size <= LARGEST, f"{file} has {size} bytes, more than {LARGEST}"
        print(f"{file}: {shown.width} × {shown.height}, {size // 1000} kB")


def ask(person: APIRequestContext, path: str, wanted: dict[str, Any]) -> dict[str, Any]:
    answer = person.post(f"/api/{path}", data=wanted)
    assert answer.ok, answer.text()
    found: dict[str, Any] = answer.json()
    return found


def look(person: APIRequestContext, match: str) -> dict[str, Any]:
    found: dict[str, Any] = person.get(f"/api/matches/{match}").json()
    return found


def front(studio: Studio) -> None:
    page = studio.person("Ada").new_page()
    page.set_viewport_size({"width": 1280, "height": 660})
    page.goto("/")
    studio.take(page, "browser-front")


def table(studio: Studio) -> None:
    """Two people in the middle of a match, one of them about to move a piece."""
    people = [studio.person("Ada"), studio.person("Bo")]
    ada, bo = (person.request for person in people)
    seats = [{"kind": "me"}, {"kind": "open"}]
    state = ask(ada, "matches", {"game": "points-of-power", "seats": seats})
    state = ask(bo, f"matches/{state['id']}/join", {})
    for move in showcase(GAMES["points-of-power"]):
        mover = (ada, bo)[state["to_move"]]
        state = ask(mover, f"matches/{state['id']}/moves", {"number": state["number"], "move": move})
    for person in people:
        person.new_page().goto(f"/t/{state['id']}")
    page = people[state["to_move"]].pages[0]
    page.locator("[data-target=mp].e-can").click()  # the fire in the middle, which may go to any square around it
    page.mouse.move(5, 5)
    studio.take(page, "browser-table")


def phone(studio: Studio) -> None:
    """Against a bot, after a dozen turns."""
    context, player = studio.person("Ada", PHONE), find("level-6", seed=2)
    seats = [{"kind": "me"}, {"kind": "bot", "agent": "level-5"}]
    match = ask(context.request, "matches", {"game": "fire-and-water", "seats": seats})["id"]
    for _ in range(12):
        state = my_turn(context.request, match)
        move = player.choose(Position(state["position"]), THINKS)
        ask(context.request, f"matches/{match}/moves", {"number": state["number"], "move": move})
    my_turn(context.request, match)
    page = context.new_page()
    page.goto(f"/t/{match}")
    page.wait_for_selector("#table.mine")
    studio.take(page, "browser-phone")


def my_turn(person: APIRequestContext, match: str) -> dict[str, Any]:
    while not (state := look(person, match))["your_turn"]:
        time.sleep(0.1)
    return state


def review(studio: Studio) -> None:
    """An analysed match of two bots, at the move that decided it."""
    match, players = empedocles.new("ignite-and-flow"), [find("level-6", seed=1), find("level-4", seed=1)]
    while match.to_move is not None:
        match.play(players[match.to_move].choose(match.position, THINKS))
    context = studio.person("Ada")
    record = str(Record(match, names={0: "Ada", 1: "Bo"}))
    made = ask(context.request, "imports", {"record": record})
    page = context.new_page()
    page.goto(f"/review/{made['id']}#{len(match.moves) * 3 // 5}")
    page.wait_for_selector("#summary li")  # the analysis is done
    page.wait_for_selector("#lines .from, #lines li")
    studio.take(page, "browser-review")


def main(folder: Path) -> None:
    with served() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        studio = Studio(browser, address, folder)
        for picture in (front, table, phone, review):
            picture(studio)
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
