"""Look at every page in every size, theme and language: takes screenshots, and checks them.

python tools/looks.py build/looks
python tools/looks.py build/looks --only points-of-power --only 390x844 --only de

Text has enough contrast, nothing overlaps, nothing is cut off, nothing sticks out sideways. Prints what is wrong and
exits with 1 if anything is. The folder gets a screenshot of each view, and contact sheets to look at them all.
Several processes share the scenes, each with a server and a browser of its own.
"""

from __future__ import annotations

import argparse
import functools
import multiprocessing
import os
import random
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from findings import Finding, seen
from PIL import Image, ImageDraw
from playwright.sync_api import APIRequestContext, Browser, BrowserContext, Page, sync_playwright
from playwright.sync_api import Error as PlaywrightError
from screenshots import CHROMIUM, ask, look, served

from empedocles.coach.puzzles import Attempt, Puzzle, Verdict, puzzles
from empedocles.games import GAMES
from empedocles.play.records import Record
from empedocles.position import Position
from empedocles.testing.samples import random_match

SIZES = {"1280x800": (1280, 800), "390x844": (390, 844), "360x640": (360, 640)}
THEMES = ("light", "dark")
LANGUAGES = ("en", "de")
PROPERTIES = (*SIZES, *THEMES, *LANGUAGES)
NAMES = ("Ada", "Bo", "Cleo", "Maximilian")
PATIENCE = 20_000  # milliseconds for anything in a page
KNOWS_THE_GAMES = 'localStorage.setItem("introduced", \'["all"]\'); localStorage.setItem("gentle", "false");'
LIMITS = dict.fromkeys(
    ("rate", "burst", "messages", "processor", "processor_burst", "tables_burst", "connections"), 100_000
)
REVIEWED = 4  # the seed of a match that is short in every game: each move waits for its analysis
SHEET = 2400  # pixels across a contact sheet

BOARD = "#board svg"

Act = Callable[[Page], None]


class Scene(NamedTuple):
    """A page in one state."""

    name: str
    address: Callable[[], str]  # makes what is there to be seen
    ready: str = "main"  # what is there as soon as the page is complete
    act: Act | None = None
    newcomer: bool = False


# ── Tables ───────────────────────────────────────────────────────────────────────────────────────────────────────────


class House:
    """One person's tables on a server."""

    def __init__(self, person: APIRequestContext) -> None:
        self.person = person
        self.chooses = random.Random(1)

    def table(self, game: str, seats: int, start: str = "") -> str:
        here = [{"kind": "here", "name": name} for name in NAMES[1:seats]]
        wanted: dict[str, Any] = {"game": game, "seats": [{"kind": "me"}, *here]}
        wanted |= {"start": start} if start else {"options": _options(game, seats)}
        return str(ask(self.person, "matches", wanted)["id"])

    def at(self, game: str, seats: int, moment: float = 0, decisions: int = 0) -> str:
        """A table in a random match: after a part of it, or that many decisions before its end, and then some more."""
        if not moment:
            return f"/t/{self.table(game, seats)}"
        known = _decisions(game, seats)
        start = list(known)[int(moment * len(known)) if moment > 0 else int(moment)]
        match = self.table(game, seats, start)
        self.play(match, decisions, known)
        return f"/t/{match}"

    def waiting(self, kind: str) -> str:
        seats = [{"kind": "me"}, {"kind": kind}]
        return f"/t/{ask(self.person, 'matches', {'game': 'fire-and-water', 'seats': seats})['id']}"

    def review(self, game: str) -> str:
        match = random_match(GAMES[game], {}, seed=REVIEWED)
        made = ask(self.person, "imports", {"record": str(Record(match, names=dict(enumerate(NAMES[:2]))))})
        return f"/review/{made['id']}#{match.plies // 2}"

    def play(self, match: str, decisions: int, known: dict[str, str]) -> None:
        """Play some moves, the known ones as long as chance allows; fewer if the match is over before."""
        for _ in range(decisions):
            state = look(self.person, match)
            if state["to_move"] is None:
                return
            position = Position(state["position"])
            move = known.get(position.text) or self.chooses.choice(position.legal_moves)
            ask(self.person, f"matches/{match}/moves", {"number": state["number"], "move": move})


def _options(game: str, seats: int) -> dict[str, Any]:
    return {"players": seats} if "players" in GAMES[game].complete({}) else {}


def seatings() -> Iterator[tuple[str, int]]:
    for game in GAMES.values():
        for seats in game.seats:
            yield game.name, seats


def tables(house: House) -> Iterator[Scene]:
    """Each game with each number of players: at the start, in the middle, near the end, and after it."""
    for game, seats in seatings():
        name = f"{game}-{seats}"
        yield Scene(f"{name}-start", partial(house.at, game, seats), BOARD)
        yield Scene(f"{name}-middle", partial(house.at, game, seats, 0.5, 3), BOARD)
        yield Scene(f"{name}-end", partial(house.at, game, seats, -5, 1), BOARD)
        yield Scene(f"{name}-result", partial(house.at, game, seats, -4, 200), ".result", _wait)
        if seats == min(GAMES[game].seats):
            middle = partial(house.at, game, seats, 0.3, 3)
            yield Scene(f"{name}-chosen", middle, BOARD, choose)
            yield Scene(f"{name}-more", middle, BOARD, _open_more)
            yield Scene(f"{name}-introduction", middle, "dialog[open]", newcomer=True)


@functools.cache
def _decisions(game: str, seats: int) -> dict[str, str]:
    """The moves of a random match that somebody decided, by the positions before them."""
    match = random_match(GAMES[game], _options(game, seats), seed=1)
    plies = ((match.at(ply), match.moves[ply]) for ply in range(match.plies))
    return {position.text: move for position, move in plies if position.to_move is not None and position.to_move >= 0}


def _wait(page: Page) -> None:
    page.wait_for_timeout(1500)  # for the turning point


def choose(page: Page) -> None:
    first = page.locator("[data-layer=targets] .e-can").first
    if page.evaluate("matchMedia('(pointer: coarse)').matches"):
        first.tap(force=True)
    else:
        first.click(force=True)
    page.wait_for_timeout(500)  # for what is placed


def _open_more(page: Page) -> None:
    page.locator("details.more > summary").first.click()


# ── Other pages ──────────────────────────────────────────────────────────────────────────────────────────────────────


def pages(house: House) -> Iterator[Scene]:
    addresses = {
        "front": "/",
        "my-games": "/me",
        "rules": "/rules",
        "learn": "/learn",
        "puzzles": "/puzzles",
        "review": "/review",
    }
    addresses |= {"not-found": "/nowhere", "table-not-found": "/t/unknown_1234"}
    for game in GAMES:
        addresses |= {f"new-{game}": f"/new?game={game}", f"rules-{game}": f"/rules/{game}"}
    for name, address in addresses.items():
        yield Scene(name, partial(str, address))
    for game in GAMES:
        yield Scene(f"lesson-{game}", partial(str, f"/learn/{game}"), "svg.e-picture")
        yield Scene(f"review-{game}", partial(house.review, game), BOARD)
    yield from puzzle_scenes()
    yield Scene("waiting-for-a-friend", partial(house.waiting, "link"), BOARD)
    yield Scene("waiting-for-anyone", partial(house.waiting, "open"), BOARD)


def puzzle_scenes() -> Iterator[Scene]:
    """A puzzle of each game: as it begins, refuted, and solved."""
    for game in GAMES.values():
        for puzzle in puzzles(game)[:1]:
            address = partial(str, f"/puzzles/{game.name}/{puzzle.id}")
            yield Scene(f"puzzle-{game.name}", address, "svg.e-picture")
            yield Scene(f"puzzle-{game.name}-wrong", address, "svg.e-picture", partial(_answer_wrongly, puzzle))
            yield Scene(f"puzzle-{game.name}-solution", address, "svg.e-picture", _give_up)


def _answer_wrongly(puzzle: Puzzle, page: Page) -> None:
    moves = puzzle.start.legal_moves
    page.fill("#typed", next(move for move in moves if Attempt(puzzle).answer(move) is Verdict.WRONG))
    with page.expect_response("**/refutations"):
        page.keyboard.press("Enter")
    page.wait_for_timeout(250)  # for the arrow


def _give_up(page: Page) -> None:
    page.click(".show")
    page.wait_for_selector(".about .line li:last-child [aria-current]")
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(1000)  # for the pieces


# ── Looking ──────────────────────────────────────────────────────────────────────────────────────────────────────────


class View(NamedTuple):
    scene: str
    size: str
    theme: str
    language: str

    def __str__(self) -> str:
        return "-".join(self)

    def wanted(self, only: Iterable[str]) -> bool:
        """Whether each filter is a size, theme or language of the view, or part of its scene's name."""
        return all(one in self[1:] if one in PROPERTIES else one in self.scene for one in only)


class Studio:
    def __init__(self, browser: Browser, address: str) -> None:
        self.browser, self.address = browser, address
        self.contexts: dict[tuple[str, bool, bool], BrowserContext] = {}

    def context(self, language: str, phone: bool, newcomer: bool) -> BrowserContext:
        key = language, phone, newcomer
        if key not in self.contexts:
            made = self.browser.new_context(
                base_url=self.address, locale=language, reduced_motion="reduce", has_touch=phone, is_mobile=phone
            )
            made.set_default_timeout(PATIENCE)
            if not newcomer:
                made.add_init_script(KNOWS_THE_GAMES)
            if len(self.contexts):  # the same person everywhere
                made.add_cookies(next(iter(self.contexts.values())).cookies())  # type: ignore[arg-type]
            self.contexts[key] = made
        return self.contexts[key]

    def views(self, scene: Scene, only: list[str]) -> Iterator[tuple[View, Page]]:
        """A scene in all sizes, themes and languages. It is loaded once for each language and kind of device."""
        address = functools.cache(scene.address)
        for language in LANGUAGES:
            for phone in (False, True):
                sizes = [size for size, (width, _) in SIZES.items() if (width < 600) == phone]
                wanted = [View(scene.name, size, theme, language) for size in sizes for theme in THEMES]
                wanted = [view for view in wanted if view.wanted(only)]
                if wanted:
                    page = self.context(language, phone, scene.newcomer).new_page()
                    yield from self._shown(page, scene, address, wanted)
                    page.close()

    def _shown(
        self, page: Page, scene: Scene, address: Callable[[], str], views: list[View]
    ) -> Iterator[tuple[View, Page]]:
        size = ""
        for number, view in enumerate(views):
            width, height = SIZES[view.size]
            page.set_viewport_size({"width": width, "height": height})
            page.emulate_media(color_scheme=view.theme)  # type: ignore[arg-type]
            if not number:
                page.goto(address())
                page.wait_for_selector(scene.ready, state="attached")
                page.evaluate("() => document.fonts.ready")
                if scene.act:
                    scene.act(page)
            if view.size != size:
                page.wait_for_timeout(250)  # for another layout from the server
            size = view.size
            page.mouse.move(1, 1)  # nothing is pointed at
            page.evaluate("scrollTo(0, 0)")  # what sticks to an edge would not be where pictures of whole pages show it
            yield view, page


def contact_sheets(folder: Path, files_of: dict[str, list[Path]]) -> None:
    """All pictures of one size and theme on one sheet, small."""
    for name, files in files_of.items():
        width = 400 if name.startswith("1280") else 200
        small, across = [_small(file, width) for file in files], SHEET // width
        rows = [small[start : start + across] for start in range(0, len(small), across)]
        sheet = Image.new("RGB", (SHEET, sum(max(one.height for one in row) for row in rows)), "#888888")
        top = 0
        for row in rows:
            for column, one in enumerate(row):
                sheet.paste(one, (column * width, top))
            top += max(one.height for one in row)
        sheet.save(folder / f"sheet-{name}.png")


def _small(file: Path, width: int) -> Image.Image:
    """A picture with its name above, without the lower part of a long page."""
    picture = Image.open(file)
    height = min(picture.height, picture.width * 5 // 2)
    part = picture.crop((0, 0, picture.width, height)).resize((width - 8, height * (width - 8) // picture.width))
    framed = Image.new("RGB", (width, part.height + 20), "#888888")
    framed.paste(part, (4, 16))
    ImageDraw.Draw(framed).text((4, 2), file.stem, fill="white")
    return framed


class Shot(NamedTuple):
    """What was seen of a view; without a size if a scene could not be shown."""

    view: View
    findings: list[Finding]
    smallest: float  # text of a picture, in pixels; 0 if there is none


def shots(folder: Path, only: list[str], part: int, parts: int) -> list[Shot]:
    """Look at one of several equal parts of the scenes."""
    found = []
    with served(**LIMITS) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        studio = Studio(browser, address)
        person = studio.context("en", phone=False, newcomer=False).request
        ask(person, "players", {"name": NAMES[0]})
        house = House(person)
        for scene in [*tables(house), *pages(house)][part::parts]:
            try:
                for view, page in studio.views(scene, only):
                    picture, findings, smallest = seen(page)
                    (folder / f"{view}.png").write_bytes(picture)
                    found.append(Shot(view, findings, smallest))
            except PlaywrightError as error:  # the other scenes are still looked at
                unseen = Finding("unseen", scene.name, error.message.splitlines()[0])
                found.append(Shot(View(scene.name, "", "", ""), [unseen], 0))
        browser.close()
    return found


def report(taken: list[Shot]) -> int:
    """Print what is wrong. Returns the number of findings."""
    found: dict[Finding, list[View]] = defaultdict(list)
    smallest: dict[str, tuple[float, str]] = {}
    for view, findings, pixels in taken:
        for finding in findings:
            found[finding].append(view)
        if pixels:
            smallest[view.size] = min(smallest.get(view.size, (99.0, "")), (pixels, str(view)))
    for finding, views in sorted(found.items(), key=lambda item: (item[0].check, -len(item[1]))):
        print(f"{finding.check:9} {len(views):3} × {finding.where}: {finding.what}  [{views[0]}]")
    for size, (pixels, where) in smallest.items():
        print(f"smallest text of a picture at {size}: {pixels:.1f} px ({where})")
    return len(found)


def main(folder: Path, only: list[str], processes: int) -> int:
    start = time.perf_counter()
    folder.mkdir(parents=True, exist_ok=True)
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        parts = pool.starmap(shots, [(folder, only, part, processes) for part in range(processes)], chunksize=1)
    taken = sorted(shot for part in parts for shot in part)
    pictures = [shot.view for shot in taken if shot.view.size]
    sheets: dict[str, list[Path]] = defaultdict(list)
    for view in pictures:
        sheets["-".join(view[1:])].append(folder / f"{view}.png")
    contact_sheets(folder, sheets)
    findings = report(taken)
    print(f"{len(pictures)} views, {findings} findings, {time.perf_counter() - start:.0f} s")
    return 1 if findings else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", action="append", default=[], help="views with this in their name; all of several")
    parser.add_argument("--processes", type=int, default=os.cpu_count(), help="as many as there are cores unless given")
    given = parser.parse_args()
    sys.exit(main(given.folder, given.only, given.processes))
