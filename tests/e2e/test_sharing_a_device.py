"""Two people at one device: each finds their own hand in front of them when it is their turn."""

from __future__ import annotations

from typing import Any

from e2e.browsers import Opens
from e2e.people import MOST_LOOKS, click_move
from playwright.sync_api import Page

SIDE = "async () => (await import('/static/table/state.js')).now.side"
HEIGHTS = """() => [...document.querySelectorAll("#board [data-layer=targets] .e-can")].map((target) => {
  const { top, height } = target.getBoundingClientRect();
  const board = document.querySelector("#board svg").getBoundingClientRect();
  return [(top + height / 2 - board.top) / board.height, height];
})"""
TURNED = """async (seat) => {
  const { now } = await import("/static/table/state.js");
  return (now.side ?? 0) === seat && !now.redraw;
}"""


def share(page: Page, game: str, **options: Any) -> None:
    page.request.post("/api/players", data={"name": "Ada"})
    wanted = {"game": game, "options": options, "seats": [{"kind": "me"}, {"kind": "here", "name": "Bo"}]}
    page.goto(f"/t/{page.request.post('/api/matches', data=wanted).json()['id']}")
    page.wait_for_selector("#table.mine")


def wait_for_side(page: Page, seat: int) -> None:
    """Wait until the board has turned to a seat."""
    for _ in range(MOST_LOOKS):
        if page.evaluate(TURNED, seat):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"the board does not turn to seat {seat}")


def to_move(page: Page) -> int:
    seat: int = page.evaluate("async () => (await import('/static/table/state.js')).now.state.to_move")
    return seat


def test_on_a_phone_both_hold_elemental_defenders_in_their_hands(opens: Opens) -> None:
    page = opens(360, 640, phone=True)
    share(page, "elemental-defenders", mode="basic")
    seen = set()
    for _ in range(6):
        seat = to_move(page)
        wait_for_side(page, seat)
        places = page.evaluate(HEIGHTS)
        assert all(height > 0.55 for height, _ in places), "all cards that can be played lie below the middle"
        assert all(size >= 44 for _, size in places), "and are large enough for a thumb"
        seen.add(seat)
        click_move(page)
        if page.locator(".result, .milestone").count():
            break
    assert seen == {0, 1}


def test_the_board_stays_where_it_is_without_the_switch(opens: Opens) -> None:
    page = opens()
    share(page, "points-of-power")
    click_move(page)
    wait_for_side(page, 1)
    page.get_by_text("More", exact=True).click()
    page.get_by_label("turn the board to whoever is to move").uncheck()
    wait_for_side(page, 0)
    for _ in range(2):
        click_move(page)
        page.wait_for_timeout(1500)
        assert page.evaluate(SIDE) is None
    page.reload()
    page.wait_for_selector("#table.mine")
    page.get_by_text("More", exact=True).click()
    assert not page.get_by_label("turn the board to whoever is to move").is_checked()


def test_whoever_plays_alone_is_not_asked_about_turning(opens: Opens) -> None:
    page = opens()
    page.request.post("/api/players", data={"name": "Ada"})
    wanted = {"game": "points-of-power", "seats": [{"kind": "bot", "agent": "level-1"}, {"kind": "me"}]}
    page.goto(f"/t/{page.request.post('/api/matches', data=wanted).json()['id']}")
    page.wait_for_selector("#table.mine")
    page.get_by_text("More", exact=True).click()
    assert not page.get_by_label("turn the board to whoever is to move").is_visible()
