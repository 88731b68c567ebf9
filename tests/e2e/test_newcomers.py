"""The first minute: what the game is about, said once, and a gentle start."""

from __future__ import annotations

import pytest
from e2e.browsers import Opens
from e2e.people import no_overflow, wait_for_turn
from playwright.sync_api import Page, expect

from empedocles.games import GAMES

DIALOG = "#introduction"
SIZES = [(1280, 800), (390, 844), (360, 640), (1024, 768)]


def begin(page: Page, game: str) -> None:
    page.goto("/")
    page.get_by_role("button", name=f"Play {GAMES[game].title}").click()
    page.wait_for_url("**/t/*")


@pytest.mark.parametrize(("name", "size"), list(zip(GAMES, SIZES, strict=True)))
def test_a_game_is_introduced_once_in_three_pictures(opens: Opens, name: str, size: tuple[int, int]) -> None:
    page = opens(*size, newcomer=True)
    begin(page, name)
    expect(page.locator(f"{DIALOG}[open] .steps svg")).to_have_count(3)
    no_overflow(page)
    page.locator(DIALOG).get_by_role("button", name="Play", exact=True).click()
    expect(page.locator(DIALOG)).to_be_hidden()
    expect(page.locator("#goal")).to_be_visible()
    page.reload()
    page.wait_for_selector("#board svg")
    expect(page.locator(DIALOG)).to_be_hidden()
    page.get_by_role("button", name="How to play").click()
    expect(page.locator(DIALOG)).to_be_visible()


def test_on_a_small_phone_pictures_are_large_and_the_way_on_is_in_view(opens: Opens) -> None:
    page = opens(360, 640, newcomer=True, phone=True)
    begin(page, "points-of-power")
    pictures = page.locator(f"{DIALOG} .steps svg")
    expect(pictures).to_have_count(3)
    boxes = [pictures.nth(number).bounding_box() for number in range(3)]
    assert all(box and box["width"] >= 240 for box in boxes)
    assert boxes[1]
    assert boxes[1]["x"] < 350, "a part of the next one shows that it is there"
    expect(page.locator(DIALOG).get_by_role("button", name="Play", exact=True)).to_be_in_viewport(ratio=1)
    pictures.last.scroll_into_view_if_needed()
    expect(pictures.last).to_be_in_viewport(ratio=0.9)


def test_whoever_comes_by_a_link_is_introduced_before_they_sit_down(opens: Opens) -> None:
    host, guest = opens(), opens(newcomer=True)
    host.goto("/new?game=ignite-and-flow")
    host.select_option("[data-seat='1'] select", "link")
    host.get_by_role("button", name="Start").click()
    guest.goto(host.locator(".link input").input_value())
    expect(guest.locator(DIALOG)).to_be_visible()
    expect(guest.locator("#naming")).to_be_hidden()
    guest.locator(DIALOG).get_by_role("button", name="Play", exact=True).click()
    expect(guest.locator("#naming")).to_be_visible()


def test_the_first_matches_begin_gently_and_whoever_knows_the_games_skips_that(opens: Opens) -> None:
    page = opens(newcomer=True)
    begin(page, "elemental-defenders")
    page.locator(DIALOG).get_by_role("button", name="Play", exact=True).click()
    expect(page.locator(".seats")).to_contain_text("level 1")
    expect(page.locator("[data-overlay=answers]")).to_be_checked()
    expect(page.locator("#marks")).to_contain_text("what could answer each attack, and which would win")
    wait_for_turn(page)
    assert "mode=basic" in page.request.get(f"/api/matches/{page.url.rpartition('/')[2]}").json()["position"]
    other = opens(newcomer=True)
    begin(other, "elemental-defenders")
    other.get_by_role("button", name="I know these games").click()
    begin(other, "elemental-defenders")
    expect(other.locator(".seats")).to_contain_text("level 2")
    expect(other.locator("[data-overlay=answers]")).not_to_be_checked()
    expect(other.locator("#marks")).to_have_attribute("hidden", "")
    assert "mode=advanced" in other.request.get(f"/api/matches/{other.url.rpartition('/')[2]}").json()["position"]
