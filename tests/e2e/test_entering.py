"""Entering a move at a table: what the prompt says, and its buttons."""

from __future__ import annotations

import pytest
from e2e.browsers import Opens
from e2e.people import click_move, sit_at
from playwright.sync_api import Page, expect

import empedocles

REACTING = "ignite-and-flow board=6/3F2/2W3/2F3/6/6 to-move=0"
CHALLENGE = (
    "elemental-defenders mode=challenge dealt=MeMfWaWwPwKeNeNfNaNw round=1 "
    "hands=MeMfWaWwPwKeNeNfNaNw/MaMwWeWfPePfPaKfKaKw mediators=-/- led=- scores=0/0 to-move=0"
)
BAR = "() => document.querySelector('#bar').getBoundingClientRect().height"


def asks(page: Page, text: str, primary: int = 0) -> None:
    """Check the prompt and how many buttons play the move; none is there that cannot be used."""
    expect(page.locator("#prompt")).to_have_text(text)
    expect(page.locator("#bar .primary")).to_have_count(primary)
    expect(page.locator("#bar :disabled, #bar [aria-disabled=true]")).to_have_count(0)


def choose(page: Page, target: str) -> None:
    page.locator(f"[data-target='{target}']").click()


def test_the_prompt_says_what_comes_next_and_a_second_click_plays_what_could_go_on(opens: Opens) -> None:
    page = opens()
    sit_at(page, REACTING)
    asks(page, "Choose an element from the supply to place it, or fire or water on the board to use it")
    expect(page.locator("#detail")).to_have_text("Ada")
    height = page.evaluate(BAR)
    page.locator("[data-target=c4]").hover()
    expect(page.locator("#detail")).to_have_text("Click: water on c4 …")
    choose(page, "c3")
    asks(page, "Choose where the fire on c3 burns to, or what it reacts with")
    choose(page, "c4")
    asks(page, "Choose a third square that reacts, or play it: c3 and c4 become earth", primary=1)
    expect(page.locator("#detail")).to_have_text("fire on c3 → water on c4 …")
    assert page.evaluate(BAR) == pytest.approx(height, abs=0.5), "nothing jumps: parts of a pixel are not seen"
    choose(page, "c4")
    expect(page.locator("#moves li")).to_have_text(["White lets c3 and c4 react to earth"])
    asks(page, "Place a temple on a marked square, or choose “no temple”")


def fire_and_water() -> str:
    match = empedocles.new("fire-and-water", seed=1)
    while not match.legal_moves[0].startswith("F"):
        match.play(match.legal_moves[0])
    return match.position.text


@pytest.mark.parametrize(
    ("start", "steps"),
    [
        (REACTING, [("F", "Now choose an empty square for fire", 0), ("a1", "White places fire on a1", 1)]),
        (CHALLENGE, [("Me", "Play it as it is, or choose “challenge”: they must answer with a Mystic if they can", 1)]),
        (
            fire_and_water(),
            [
                ("F2W3", "Now choose the square for the fire half (2)", 0),
                ("a1", "Now choose the square for the water half (3)", 0),
                ("b1", "Green lays fire 2 on a1 and water 3 on b1", 1),
            ],
        ),
        (
            "points-of-power players=2 board=cross fire=i9,h8,mp air=g9,k1 earth=a1,b2,e8 water=d8,e4 "
            "moved=FAEW quiet=37 to-move=0",
            [
                ("h8", "Choose where Fire on h8 goes, or capture Air on g9", 0),
                ("g9", "Fire captures Air on g9 from h8", 1),
            ],
        ),
    ],
    ids=["ignite-and-flow", "elemental-defenders", "fire-and-water", "points-of-power"],
)
def test_a_phone_has_one_button_that_plays_a_move(opens: Opens, start: str, steps: list[tuple[str, str, int]]) -> None:
    page = opens(390, 844, phone=True)
    sit_at(page, start)
    for target, text, primary in steps:
        page.locator(f"[data-target='{target}']").tap()
        asks(page, text, primary)
    page.locator("#bar .primary").tap()
    page.wait_for_selector("#moves li")


def test_what_cannot_be_taken_back_yet_has_no_button(opens: Opens) -> None:
    page = opens()
    sit_at(page, REACTING)
    take_back = page.get_by_role("button", name="Take back")
    expect(take_back).to_be_hidden()
    click_move(page)
    expect(take_back).to_be_visible()
    take_back.click()
    expect(page.locator("#moves li")).to_have_count(0)
    expect(take_back).to_be_hidden()
