"""The first minute: what the game is about, said once, and a gentle start."""

from __future__ import annotations

import pytest
from e2e.browsers import Opens
from e2e.people import answer, click_move, no_overflow, wait_for_turn
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


def test_the_first_matches_begin_gently(opens: Opens) -> None:
    page = opens(newcomer=True)
    begin(page, "elemental-defenders")
    expect(page.locator(DIALOG)).to_contain_text("Opponents adapt to you")
    page.locator(DIALOG).get_by_role("button", name="Play", exact=True).click()
    expect(page.locator(".seats")).to_contain_text("level 1")
    expect(page.locator("[data-overlay=answers]")).to_be_checked()
    expect(page.locator("#marks")).to_contain_text("number of answers to each attack; a star wins")
    wait_for_turn(page)
    page.mouse.move(1, 1)
    expect(page.locator("#detail")).to_have_text("Marks: number of answers to each attack; a star wins")
    assert "mode=basic" in page.request.get(f"/api/matches/{page.url.rpartition('/')[2]}").json()["position"]


def of_table(page: Page) -> str:
    found: str = page.request.get(f"/api/matches/{page.url.rpartition('/')[2]}").json()["position"]
    return found


def test_whoever_knows_the_games_gets_a_usual_match_at_once(opens: Opens) -> None:
    page = opens(newcomer=True)
    begin(page, "elemental-defenders")
    expect(page.locator(DIALOG)).to_be_visible()
    gentle = page.url
    with page.expect_navigation(url="**/t/*"):
        page.get_by_role("button", name="I know these games").click()
    assert page.url != gentle
    assert page.request.get(f"/api/matches/{gentle.rpartition('/')[2]}").status == 404, "the first one is gone"
    expect(page.locator(".seats")).to_contain_text("level 2")
    expect(page.locator(DIALOG)).to_be_hidden()
    assert "mode=advanced" in of_table(page)
    for switch in ("[data-overlay=answers]", "[data-keep=warn]"):
        expect(page.locator(switch)).not_to_be_checked()
    page.goto("/new?game=elemental-defenders")
    expect(page.locator("[name=option-mode]:checked")).to_have_value("advanced")


def test_a_match_that_was_begun_stays_and_only_the_help_goes(opens: Opens) -> None:
    page = opens(newcomer=True)
    begin(page, "ignite-and-flow")
    page.locator(DIALOG).get_by_role("button", name="Play", exact=True).click()
    expect(page.locator("[data-overlay=landmasses]")).to_be_checked()
    click_move(page)
    wait_for_turn(page)
    before = page.url
    page.get_by_role("button", name="How to play").click()
    page.get_by_role("button", name="I know these games").click()
    for switch in ("[data-overlay=landmasses]", "[data-keep=warn]"):
        expect(page.locator(switch)).not_to_be_checked()
    assert page.evaluate("async () => (await import('/static/table/state.js')).now.overlays") == []
    assert page.url == before


def test_the_form_for_a_table_proposes_a_gentle_start_and_explains_before_the_clock_runs(opens: Opens) -> None:
    page = opens(newcomer=True)
    page.goto("/new?game=elemental-defenders")
    expect(page.locator("[name=option-mode]:checked")).to_have_value("basic")
    expect(page.locator("[data-seat='1'] select")).to_have_value("level-1")
    page.check("[name=option-mode][value=advanced]")
    page.get_by_label("5 min + 3 s per move", exact=True).check()
    page.get_by_role("button", name="Start").click()
    expect(page.locator(f"{DIALOG}[open] .steps svg")).to_have_count(3)
    expect(page.locator(".also:visible")).to_have_count(1)
    expect(page.locator(".also:visible")).to_contain_text("mediator")
    seats = [seat for match in page.request.get("/api/matches?status=playing").json() for seat in match["seats"]]
    assert not any(seat["mine"] for seat in seats), "no clock runs yet"
    page.locator(DIALOG).get_by_role("button", name="Play", exact=True).click()
    page.wait_for_url("**/t/*")
    page.wait_for_selector("#board svg")
    expect(page.locator(DIALOG)).to_be_hidden()
    page.get_by_role("button", name="How to play").click()
    expect(page.locator(".also")).to_have_count(1)


def test_after_three_matches_the_page_asks_whether_to_go_on_gently(opens: Opens) -> None:
    page = opens(newcomer=True)
    page.add_init_script("""
        localStorage.setItem("introduced", '["all"]');
        if (!localStorage.getItem("played:ignite-and-flow")) localStorage.setItem("played:ignite-and-flow", '["one"]');
    """)
    for asks in (False, True):
        begin(page, "ignite-and-flow")
        page.get_by_role("button", name="Resign").click()
        answer(page, "Resign")
        expect(page.locator(".result")).to_be_visible()
        expect(page.locator(".gentle")).to_have_count(int(asks))
    page.get_by_role("button", name="Without them from now on").click()
    expect(page.locator(".gentle")).to_have_count(0)
    begin(page, "ignite-and-flow")
    expect(page.locator("[data-overlay=landmasses]")).not_to_be_checked()
    expect(page.locator("[data-keep=warn]")).not_to_be_checked()
    begin(page, "fire-and-water")  # another game begins gently
    expect(page.locator("[data-overlay=influence]")).to_be_checked()
