"""The page of a table: what is in view, and what is said where."""

from __future__ import annotations

import pytest
from e2e.browsers import Opens
from e2e.people import click_move, join, no_overflow, players, says, sit, sit_at, wait_for_turn
from playwright.sync_api import FloatRect, Page, expect

from empedocles.play.match import new
from empedocles.play.records import Record

LAST_IN_VIEW = """() => {
  const list = document.querySelector("#moves").getBoundingClientRect();
  const last = document.querySelector("#moves li:last-child").getBoundingClientRect();
  return last.top >= list.top - 1 && last.bottom <= list.bottom + 1;
}"""


def _long_match(page: Page, moves: int = 40) -> None:
    """Open a table in the middle of a game."""
    match = new("points-of-power")
    for turn in range(moves):
        match.play(match.legal_moves[7 * turn % len(match.legal_moves)])
    page.request.post("/api/players", data={"name": "Ada"})
    made = page.request.post("/api/imports", data={"record": str(Record(match))}).json()
    page.goto(f"/t/{made['id']}")
    expect(page.locator("#moves li")).to_have_count(len(match.moves))


@pytest.mark.parametrize("phone", [False, True])
def test_the_last_move_is_in_view(opens: Opens, phone: bool) -> None:
    width = 390 if phone else 1280
    page = opens(width, 800, phone=phone)
    _long_match(page)
    page.wait_for_function(LAST_IN_VIEW)
    page.set_viewport_size({"width": width, "height": 640})
    page.wait_for_function(LAST_IN_VIEW)
    page.get_by_role("button", name="Resign").click()
    page.locator("#asking").get_by_role("button", name="Resign").click()
    expect(page.locator(".result")).to_be_visible()
    page.wait_for_function(LAST_IN_VIEW)


def test_what_cannot_be_done_without_a_connection_is_said(opens: Opens) -> None:
    page = opens()
    sit(page, "elemental-defenders")
    page.get_by_role("button", name="Resign").click()
    page.locator("#asking").get_by_role("button", name="Resign").click()
    expect(page.locator(".result")).to_be_visible()
    page.locator(".more > summary").click()
    page.context.set_offline(True)
    for name in ("Rematch", "Check the shuffles"):
        page.get_by_role("button", name=name).click()
        says(page, "The server cannot be reached.")
        page.evaluate("() => { document.querySelector('#notice').textContent = ''; }")


def test_buttons_of_the_board_are_absent_until_they_can_be_used(opens: Opens) -> None:
    page = opens()
    sit_at(
        page,
        "elemental-defenders mode=challenge dealt=MeMfWaWwPwKeNeNfNaNw round=1 "
        "hands=MeMfWaWwPwKeNeNfNaNw/MaMwWeWfPePfPaKfKaKw mediators=-/- led=- scores=0/0 to-move=0",
    )
    challenge = page.locator("[data-layer=panels] .e-faded", has_text="challenge")
    expect(challenge).to_be_hidden()
    page.locator("[data-target=Mf]").click()
    expect(challenge).to_be_visible()
    expect(challenge).to_have_css("opacity", "1")
    page.locator("[data-target=challenge]").click()
    expect(page.locator("#moves li")).to_have_count(1)
    expect(challenge).to_be_hidden()


def test_players_with_one_name_are_told_apart_by_their_seats(opens: Opens) -> None:
    page = opens()
    page.goto("/new?game=points-of-power")
    players(page, 4)
    for seat in range(1, 4):
        page.select_option(f"[data-seat='{seat}'] select", "link")
    page.get_by_role("button", name="Start").click()
    expect(page.locator(".link")).to_have_count(3)
    links = [link.input_value() for link in page.locator(".link input").all()]
    elsewhere = page.locator(".waiting", has_text="Personal links are known only to the browser")
    expect(elsewhere).to_have_count(0)
    kept = page.evaluate("(name) => localStorage.getItem(name)", invites := f"invites:{page.url.rpartition('/')[2]}")
    for invited, seen in ((None, 1), (kept, 0)):  # as on another device, and back again
        page.evaluate("([name, links]) => localStorage.setItem(name, links)", [invites, invited or "{}"])
        page.reload()
        page.wait_for_selector(".waiting")
        expect(elsewhere).to_have_count(seen)
    for link, name in zip(links, ("", "", "Ada"), strict=True):
        join(opens(), link, name)
    click_move(page)
    expect(page.locator("#prompt")).to_have_text("It is Guest · Air's turn")


def test_a_refusal_knows_whether_something_was_chosen_before(opens: Opens) -> None:
    page = opens()
    sit(page, "points-of-power", other="here")
    wait_for_turn(page)
    page.locator("[data-target=f8]").click()
    says(page, "there is no piece on f8")
    page.locator("[data-target=c1]").click()
    page.locator("[data-target=f8]").click()
    says(page, "That does not go with what you have chosen.")


def _box(page: Page, selector: str) -> FloatRect:
    box = page.locator(selector).bounding_box()
    assert box
    return box


def _apart(one: FloatRect, two: FloatRect) -> bool:
    return any(
        one[at] + one[size] <= two[at] or two[at] + two[size] <= one[at]  # type: ignore[literal-required]
        for at, size in (("x", "width"), ("y", "height"))
    )


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844), (360, 640)])
def test_a_refusal_covers_nothing_that_is_needed_and_goes_with_the_next_move(
    opens: Opens, width: int, height: int
) -> None:
    page = opens(width, height, phone=width < 1000)
    sit(page, "points-of-power", other="here")
    wait_for_turn(page)
    page.locator("[data-target=f11]").click()
    says(page, "PP-7")
    notice = _box(page, "#notice")
    assert _apart(notice, _box(page, "#bar"))
    assert notice["y"] + notice["height"] <= height
    click_move(page)
    expect(page.locator("#notice")).to_be_empty()


def test_on_a_small_phone_the_board_is_as_wide_as_the_page_and_the_prompt_in_reach(opens: Opens) -> None:
    page = opens(360, 640, phone=True)
    sit(page, "fire-and-water", other="here")
    wait_for_turn(page)
    assert _box(page, "#board svg")["width"] > 340
    bar = _box(page, "#bar")
    assert bar["y"] + bar["height"] <= 640
    page.locator("[data-target=b2]").click()
    expect(page.get_by_role("button", name="Play it")).to_be_in_viewport()
    no_overflow(page)
