"""Opponents with a face: portraits in the form, at the table and after a match, and remarks that can be silenced."""

from __future__ import annotations

import random

import pytest
from e2e.browsers import Opens
from e2e.people import no_overflow, players, sit_against, wait_for_turn
from playwright.sync_api import Page, expect

from empedocles.opponents import characters
from empedocles.position import Position

GAME = "ignite-and-flow"
MOST = 150  # moves until somebody has said something
SPOKEN = ".remark:not([data-said=''])"
LOST = "ignite-and-flow board=DDDDDD/DDDDDD/DDDDDD/DDDDDD/DDDDDD/tEEDD1 taken=1/1 to-move=0"


def _sit(page: Page, level: int) -> str:
    page.request.post("/api/players", data={"name": "Ada"})
    seats = [{"kind": "me"}, {"kind": "bot", "agent": f"level-{level}"}]
    match = str(page.request.post("/api/matches", data={"game": GAME, "seats": seats}).json()["id"])
    page.goto(f"/t/{match}")
    wait_for_turn(page)
    return match


def _play_until_somebody_speaks(page: Page, match: str) -> None:
    luck = random.Random(1)
    for _ in range(MOST):
        wait_for_turn(page)
        if page.locator(SPOKEN).count():
            return
        if page.locator(".result").count():
            match = _sit(page, 3)
            continue
        state = page.request.get(f"/api/matches/{match}").json()
        if state["your_turn"]:
            move = luck.choice(Position(state["position"]).legal_moves)
            page.request.post(f"/api/matches/{match}/moves", data={"number": state["number"], "move": move})
        page.wait_for_timeout(50)
    raise AssertionError(f"nobody has said anything in {MOST} moves")


@pytest.mark.parametrize(
    ("size", "language", "ends"),
    [((1280, 800), "en-GB", ".!"), ((390, 844), "de-DE", ".!"), ((360, 640), "en-GB", ".!")],
)
def test_an_opponent_shows_its_face_and_talks_until_it_is_silenced(
    opens: Opens, size: tuple[int, int], language: str, ends: str
) -> None:
    page = opens(*size, phone=size[0] < 500, language=language)
    match = _sit(page, 3)
    face = page.locator(".seat.bot .face img")
    assert face.evaluate("async (image) => (await image.decode(), image.naturalWidth)") > 0
    expect(page.locator(".seat:not(.bot) .face")).to_have_count(0)

    _play_until_somebody_speaks(page, match)
    said = page.locator("#remark p")
    words = said.inner_text()
    assert words[-1] in ends
    expect(said).to_have_attribute("aria-live", "polite")
    _covers_nothing(page)
    no_overflow(page)

    page.reload()
    page.wait_for_selector("#board svg")
    expect(page.locator("#remark p")).to_have_text(words)
    page.locator("#remark button").click()
    expect(page.locator(SPOKEN)).to_have_count(0)
    page.reload()
    page.wait_for_selector("#board svg")
    page.locator(".more > summary").click()
    switch = page.get_by_label("Gegner reden lassen" if language == "de-DE" else "let opponents talk")
    expect(switch).not_to_be_checked()
    expect(page.locator(SPOKEN)).to_have_count(0)
    switch.check()
    expect(page.locator("#remark p")).to_have_text(words)


def _covers_nothing(page: Page) -> None:
    """What is said is below the prompt, as a whole; aim and score stay in view, and so does what can be played."""
    covered = page.evaluate(
        """() => {
          const said = document.getElementById("remark"), over = said.getBoundingClientRect();
          const meets = ({ left, top, right, bottom }) =>
            left < over.right && right > over.left && top < over.bottom - 0.5 && bottom > over.top;
          const places = "[data-target], #prompt, #choices button, #hint, #actions button, .seat, #goal, .result";
          const met = [...document.querySelectorAll(places)].filter((one) => meets(one.getBoundingClientRect()));
          return met.map((one) => one.outerHTML.slice(0, 80));
        }"""
    )
    assert covered == []
    words, aim, bar = (page.locator(name) for name in ("#remark p", "#goal .aim", "#bar"))
    assert words.evaluate("({ scrollHeight, clientHeight }) => scrollHeight <= clientHeight")
    assert aim.evaluate(
        """(place) => {
          const { left, top, right, bottom } = place.getBoundingClientRect();
          return place.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
        }"""
    )
    assert bar.evaluate("(place) => place.contains(document.getElementById('remark'))")


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_form_shows_who_is_chosen(opens: Opens, language: str) -> None:
    page = opens(390, 844, phone=True, language=language)
    page.goto(f"/new?game={GAME}")
    about = page.locator("[data-seat='1'] .about")
    for one in (characters(GAME)[0], characters(GAME)[7]):
        page.select_option("[data-seat='1'] select", f"level-{one.level}")
        expect(about).to_contain_text(one.line(language))
        expect(about).to_contain_text(one.beaten(language))
        image = about.locator("img")
        assert f"/opponents/{GAME}/{one.level}.svg" in (image.get_attribute("src") or "")
        assert image.evaluate("async (image) => (await image.decode(), image.naturalWidth)") > 0
    page.select_option("[data-seat='1'] select", "here")
    expect(about).to_be_empty()
    no_overflow(page)


def test_alike_opponents_are_described_once_and_called_by_their_seats(opens: Opens) -> None:
    page = opens(360, 640, phone=True)
    page.goto("/new?game=fire-and-water")
    players(page, 4)
    expect(page.locator(".about:visible:not(:empty)")).to_have_count(1)
    box, picture = page.locator(".go .small-board").bounding_box(), page.locator(".go .small-board img")
    assert box
    assert box["width"] == box["height"]
    assert picture.evaluate("(image) => getComputedStyle(image).objectFit") == "contain"  # a board of 12 by 8
    page.select_option("[data-seat='2'] select", "level-2")
    expect(page.locator(".about:visible:not(:empty)")).to_have_count(2)
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/t/*")
    first, second = characters("fire-and-water")[:2]
    expect(page.locator(".seat b")).to_have_text(["Guest (you)", "Green", second.name, "Violet"])
    expect(page.locator(".seat.bot small").first).to_have_text(f"{first.name} level 1")


def test_whoever_lost_sees_who_won_and_how_to_beat_it(opens: Opens) -> None:
    page = opens()
    sit_against(page, LOST)
    wait_for_turn(page)
    page.locator("[data-target=F]").click()
    page.locator("[data-target=f1]").click()
    result = page.locator(".result.lost")
    expect(result.locator(".faces img")).to_be_visible()
    name = page.locator(".seat.bot b").inner_text()
    beaten = next(one.beaten() for one in characters(GAME) if one.name == name)
    expect(result).to_contain_text(f"How to beat {name}: {beaten}")
