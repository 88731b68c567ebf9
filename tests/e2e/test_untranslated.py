"""All texts of pages are in the catalogues: with every message in brackets, only names and codes are outside."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from typing import Any

import catalogues
import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from e2e.browsers import KNOWS_THE_GAMES, WAITS, Server
from e2e.people import BOT_WAITS, wait_for_turn
from e2e.test_warnings_page import BAD, TEMPLE
from playwright.sync_api import Browser, BrowserContext, Page, expect

from empedocles.game import Game
from empedocles.games import GAMES
from empedocles.play.records import Record
from empedocles.position import Position
from empedocles.server.web.pages.material import lessons
from empedocles.testing.samples import random_match

# All texts of a page in their order, also those of pictures and for screen readers. Left out: descriptions of pictures,
# and how moves and positions are written, which are for programs as well and the same in all languages.
TEXTS = """() => {
  const left = (element) => element.closest("code, pre, datalist, textarea, .notation, desc, script, style, noscript");
  const read = ["aria-label", "title", "placeholder", "alt"];
  const found = [];
  const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode, element = node.nodeType === Node.TEXT_NODE ? node.parentElement : node;
    if (left(element)) continue;
    found.push(...(node === element ? read.map((name) => node.getAttribute(name) ?? "") : [node.textContent]));
  }
  return found.filter((text) => text.trim());
}"""
NAMES = [
    *("Empedocles", "English", "Deutsch", "Ada", "Bo", "Cleo", "Dora", "A4", "Letter"),
    *(game.title for game in GAMES.values()),
    *(opponent.name for game in GAMES.values() for opponent in game.opponents),
]
CODES = (
    r"\b[A-Z]{2}-\d+\b",  # rules
    r"\b(PNG|SVG|PDF|GIF|HTML|QR|not-found)\b",
    r"\b[a-z]\d{1,2}\b",  # cells
    r"^\s*m?[A-Za-z]{1,2}!?\s*$",  # columns, cards and moves with them
    r"\bhttps?://\S+",
    r"\b[0-9a-f]{64}\b",  # promises of chance
)
KNOWN = "|".join([*sorted(map(re.escape, NAMES), key=len, reverse=True), *CODES])


def plain(text: str) -> str:
    """Without what Markdown adds, and with single spaces."""
    return re.sub(r"\s+", " ", re.sub(r"\[([^\]]*)\]\([^)]*\)|[*`|\\]", r"\1", text)).strip()


def written(game: Game) -> Iterator[str]:
    """The rule books and lessons, which are written in each language instead of being translated."""
    yield from (path.read_text(encoding="utf-8") for path in sorted(game.folder.glob("*.de.md")))
    yield from (text for path in sorted(game.folder.glob("*.toml")) for text in german(tomllib.loads(path.read_text())))


def german(found: Any) -> Iterator[str]:
    if isinstance(found, list):
        yield from (text for one in found for text in german(one))
    elif isinstance(found, dict):
        for name, value in found.items():
            yield from [value] if name == "de" else german(value)


WRITTEN = plain(" ".join(text for game in GAMES.values() for text in written(game)))


@pytest.fixture(scope="module")
def bracketed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server whose German is English in brackets."""
    folder = tmp_path_factory.mktemp("bracketed")
    catalogue = folder / "locales" / "de" / "LC_MESSAGES" / "empedocles.mo"
    catalogue.parent.mkdir(parents=True)
    made = Catalog(locale="de", charset="utf-8")
    for message in catalogues.extracted():
        if message.id:
            made.add(message.id, f"⟦{message.id}⟧")
    with catalogue.open("wb") as file:
        write_mo(file, made)
    server = Server(folder, environment={"EMPEDOCLES_LOCALES": str(folder / "locales")})
    yield server
    server.stop()


@pytest.fixture
def person(bracketed: Server, browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(base_url=bracketed.url, locale="de", reduced_motion="reduce")
    context.set_default_timeout(WAITS)
    context.add_init_script(KNOWS_THE_GAMES)
    context.request.post("/api/players", data={"name": "Ada"})
    yield context
    context.close()


def outside(texts: list[str]) -> list[str]:
    """The texts with something outside of brackets, which may be inside of others and go over several elements."""
    found, depth = [], 0
    for text in texts:
        kept = ""
        for letter in text:
            depth += (letter == "⟦") - (letter == "⟧")
            kept += letter if not depth and letter != "⟧" else ""
        if not all(is_known(part) for part in re.split(r" [–·›] ", kept)):
            found.append(text)
    assert not depth, f"a message is cut off: {texts}"
    return found


def is_known(text: str) -> bool:
    unknown = re.sub(KNOWN, "", text)
    return not re.search(r"[^\W\d_]", unknown) or is_written(text) or is_written(unknown)


def is_written(text: str) -> bool:
    words = re.sub(r"^\W+|\W+$", "", plain(text))
    return re.search(rf"\b{re.escape(words)}\b", WRITTEN) is not None


def check(page: Page) -> None:
    assert not (found := outside(page.evaluate(TEXTS))), f"{page.url}: {found}"


def test_what_is_outside_of_brackets() -> None:
    assert outside(["⟦Play⟧", "Ada", "⟦{a} of ", "⟦fire⟧", "⟧ 3", "IF-12"]) == []
    assert outside(["⟦Play⟧ now"]) == ["⟦Play⟧ now"]


def test_pages_show_messages_only(person: BrowserContext) -> None:
    page = person.new_page()
    for kind in ("open", "link", "here"):
        seats = [{"kind": "me"}, {"kind": kind, "name": "Bo"} if kind == "here" else {"kind": kind}]
        person.request.post("/api/matches", data={"game": "fire-and-water", "seats": seats})
    paths = ["/", "/me", "/rules", "/learn", "/review", "/here", "/nowhere"]
    paths += [f"{path}{game}" for game in GAMES for path in ("/new?game=", "/rules/", "/learn/")]
    for path in paths:
        page.goto(path)
        check(page)


@pytest.mark.parametrize("game", GAMES)
def test_tables_and_reviews_show_messages_only(person: BrowserContext, game: str) -> None:
    page, played = person.new_page(), random_match(GAMES[game], {}, seed=1)
    for start in (0, played.plies // 2, played.plies - 4):
        match = table(person, played.at(start).text)
        page.goto(f"/t/{match}")
        wait_for_turn(page)
        check(page)
        if (can := page.locator("[data-layer=targets] .e-can")).count():
            can.first.click(force=True)
            check(page)
    finish(person, match)
    page.wait_for_selector(".result")
    check(page)
    page.goto(f"/review/{match}")
    page.wait_for_selector("#board svg")
    check(page)


@pytest.mark.parametrize(("game", "players"), [("fire-and-water", 3), ("fire-and-water", 4), ("points-of-power", 4)])
def test_tables_of_three_and_four_show_messages_only(person: BrowserContext, game: str, players: int) -> None:
    page, played = person.new_page(), random_match(GAMES[game], GAMES[game].complete({"players": players}), seed=1)
    for start in (0, played.plies // 2):
        page.goto(f"/t/{table(person, played.at(start).text)}")
        wait_for_turn(page)
        page.locator("[data-overlay]").evaluate_all("(boxes) => boxes.forEach((box) => box.checked || box.click())")
        expect(page.locator("#detail")).to_contain_text("Marks")
        check(page)


@pytest.mark.parametrize("game", GAMES)
def test_lessons_puzzles_and_introductions_show_messages_only(person: BrowserContext, game: str) -> None:
    page = person.new_page()
    for number in range(1, len(lessons(GAMES[game])) + 1):
        page.goto(f"/learn/{game}/{number}")
        page.wait_for_selector("svg.e-picture")
        check(page)
    for path in ("/puzzles", f"/puzzles/{game}"):
        page.goto(path)
        page.wait_for_load_state("networkidle")
        check(page)
    page.goto(f"/t/{table(person, Position.start(GAMES[game], GAMES[game].complete({})).text)}")
    page.wait_for_selector("#board svg")
    page.click("#introduce")
    expect(page.locator("#introduction .steps svg")).to_have_count(3)
    check(page)
    page.keyboard.press("Escape")
    page.click("[data-do=resign]")
    expect(page.locator("#asking")).to_be_visible()
    check(page)


def test_a_warning_shows_messages_only(person: BrowserContext) -> None:
    person.add_init_script("localStorage.setItem('warn', 'true'); localStorage.setItem('confirm', 'true')")
    page = person.new_page()
    seats = [{"kind": "bot", "agent": "level-1"}, {"kind": "me"}]
    wanted = {"game": "ignite-and-flow", "start": TEMPLE, "seats": seats}
    made = person.request.post("/api/matches", data=wanted).json()["id"]
    with page.expect_response("**/warning", timeout=BOT_WAITS):  # the engine is awake
        page.goto(f"/t/{made}")
    with page.expect_response("**/warning", timeout=BOT_WAITS):
        for target in BAD:
            page.locator(f"[data-layer=targets] [data-target={target}]").click()
    page.locator("#choices .primary").click()
    expect(page.get_by_role("alertdialog")).to_be_visible()
    check(page)


def test_an_analysis_shows_messages_only(person: BrowserContext) -> None:
    page = person.new_page()
    game = GAMES["elemental-defenders"]
    record = str(Record(random_match(game, game.complete({}), 3)))
    match = person.request.post("/api/imports", data={"record": record}).json()["id"]
    page.goto(f"/review/{match}")
    expect(page.locator("#story p").first).to_be_visible(timeout=BOT_WAITS)
    page.locator("#moments button").first.click()
    check(page)


def table(person: BrowserContext, start: str) -> str:
    seats = [{"kind": "me"}, *({"kind": "here", "name": name} for name in ("Bo", "Cleo", "Dora"))]
    seats = seats[: Position(start).seats]
    wanted = {"game": start.split(maxsplit=1)[0], "start": start, "seats": seats}
    return str(person.request.post("/api/matches", data=wanted).json()["id"])


def finish(person: BrowserContext, match: str) -> None:
    while (state := person.request.get(f"/api/matches/{match}").json())["to_move"] is not None:
        move = Position(state["position"]).legal_moves[0]
        person.request.post(f"/api/matches/{match}/moves", data={"number": state["number"], "move": move})
