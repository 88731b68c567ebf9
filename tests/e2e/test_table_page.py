"""The page of a table: what is in view, and what is said where."""

from __future__ import annotations

import pytest
from e2e.browsers import Opens
from playwright.sync_api import Page, expect

from empedocles.play.match import new
from empedocles.play.records import Record

LAST_IN_VIEW = """() => {
  const list = document.querySelector("#moves").getBoundingClientRect();
  const last = document.querySelector("#moves li:last-child").getBoundingClientRect();
  return last.top >= list.top - 1 && last.bottom <= list.bottom + 1;
}"""


def _long_match(page: Page, moves: int = 40) -> None:
    """A table of one's own in the middle of a game."""
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
