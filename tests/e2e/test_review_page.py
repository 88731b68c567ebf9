"""The review page in a real browser: stepping through a match, the graph, and trying moves."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from e2e.browsers import Opens
from e2e.people import no_overflow
from playwright.sync_api import Page, Route, expect

from empedocles.games import find
from empedocles.play import replay
from empedocles.play.match import new
from empedocles.play.records import Record
from empedocles.testing.samples import random_match

RECORD = '[Game "ignite-and-flow"]\n\n1. Fc3 2. Wd4 3. c3+d4 Tc3\nend\n'
WAIT = 60_000  # milliseconds; the engine may have to be compiled
LONG_WAIT = 240_000  # for an analysis, which takes turns with those of other tests


@pytest.fixture
def page(opens: Opens) -> Page:
    page = opens(1280, 860)
    page.set_default_timeout(WAIT)
    return page


def import_record(page: Page, record: str) -> None:
    page.goto("/review")
    page.fill("#record", record)
    page.click("text=Review this match")
    page.wait_for_selector("#board svg[role]")


def test_what_is_done_in_the_first_instant_is_not_lost(page: Page) -> None:
    import_record(page, RECORD)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    for held_up in ("**/static/review/page.js", "**/api/positions"):
        page.route(held_up, hold)
    page.reload(wait_until="commit")
    page.click("#next")
    page.click("#end")
    page.keyboard.press("ArrowLeft")
    assert page.locator("#number").inner_text() == "0 / 4"  # the script is not there yet
    held.pop().continue_()
    expect(page.locator("#number")).to_have_text("3 / 4")
    page.click("#back")
    page.click('[data-target="E"]')  # before the server has said what may be chosen
    page.unroute("**/api/positions")
    for route in held:
        route.continue_()
    expect(page.locator("#chosen")).to_contain_text("arth")
    page.click('[data-target="a1"]')
    expect(page.locator("#said")).to_have_text("White places earth on a1")
    with page.expect_download() as saved:
        page.click("#svg")
    assert "<svg" in saved.value.path().read_text(encoding="utf-8")


def test_a_record_is_imported_watched_analysed_and_tried(page: Page) -> None:
    import_record(page, RECORD)
    said, number = page.locator("#said"), page.locator("#number")
    expect(said).to_have_text("Starting position")

    page.keyboard.press("ArrowRight")
    expect(said).to_contain_text("White places fire on c3")
    page.keyboard.press("End")
    expect(number).to_have_text("4 / 4")
    expect(said).to_contain_text("temple on c3")
    page.locator("#slider").fill("2")
    expect(said).to_contain_text("Black places water on d4")
    page.wait_for_url("**#2")

    # The analysis is done; the first one loads the search, in a process of low priority.
    expect(page.locator("#summary li")).to_have_count(2, timeout=LONG_WAIT)
    expect(page.locator("#graph .curve.e-white-line, #graph .curve.e-black-line")).to_have_count(2)
    expect(page.locator('#moves [data-ply="1"] .value')).not_to_be_empty()

    values = "".join(page.locator("#moves .value").all_inner_texts())
    assert "−" in values
    assert "-" not in values

    page.click('[data-target="E"]')
    expect(page.locator(".e-can").first).to_be_attached()
    page.click('[data-target="a1"]')
    expect(said).to_have_text("White places earth on a1")
    expect(page.locator(":is(#lines, #found) .from:not(.empty)").first).to_be_visible()  # the engine's answer
    page.click("#answer")
    expect(page.locator("#tried-moves button")).to_have_count(2)
    page.keyboard.press("ArrowLeft")
    expect(said).to_have_text("White places earth on a1")
    page.keyboard.press("Escape")
    expect(said).to_contain_text("Black places water on d4")
    expect(page.locator("#tried")).to_be_hidden()

    graph = page.locator("#graph").bounding_box()
    assert graph
    page.click("#graph", position={"x": graph["width"] - 10, "y": 60})
    expect(number).to_have_text("4 / 4")


FAILED = {"id": "a.1", "total": 4, "known": 0, "done": True, "failed": True, "remarks": []}


def test_an_analysis_that_failed_can_be_tried_again(page: Page) -> None:
    page.route("**/api/analyses", lambda route: route.fulfill(json=FAILED), times=1)
    import_record(page, RECORD)
    expect(page.locator("#progress")).to_have_text("The analysis failed.")
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("button", name="Try again")).to_be_hidden()
    expect(page.locator("#progress")).to_contain_text("Values for the player who moved", timeout=LONG_WAIT)


def test_nothing_is_to_be_tried_when_a_game_is_over(page: Page) -> None:
    match = new("ignite-and-flow")
    while not match.is_over:
        match.play(match.legal_moves[len(match.moves) % len(match.legal_moves)])
    import_record(page, str(Record(match)))
    expect(page.locator("#entering")).to_be_visible()
    page.keyboard.press("End")
    expect(page.locator("#now")).to_have_text("The game is over")
    expect(page.locator("#entering")).to_be_hidden()
    expect(page.get_by_text("Try moves for both sides")).to_be_hidden()
    page.keyboard.press("Home")
    expect(page.locator("#entering")).to_be_visible()


def test_moves_are_tried_by_keyboard_and_by_dragging(page: Page) -> None:
    import_record(page, '[Game "points-of-power"]\n\nend\n')
    said, board = page.locator("#said"), page.locator("#board")
    expect(page.locator(".e-can.drag").first).to_be_attached()
    board.focus()
    for key in ("ArrowDown", "Enter"):
        page.keyboard.press(key)
    expect(page.locator("#say")).not_to_be_empty()  # for those who do not see the ring
    expect(page.locator("#chosen")).to_contain_text("chosen")
    page.keyboard.press("Escape")
    expect(page.locator(".e-chosen")).to_have_count(0)
    expect(said).to_have_text("Starting position")

    piece = page.locator(".e-can.drag").first
    piece.hover()
    page.mouse.down()
    page.mouse.move(600, 300, steps=3)
    page.locator(".e-can").first.hover()
    page.mouse.up()
    expect(page.locator("#tried-moves button")).to_have_count(1)
    page.keyboard.press("ArrowLeft")  # a click must not change what the keys do
    expect(said).to_have_text("Starting position")


def test_what_a_choice_would_place_is_seen_before_it_is_tried(page: Page) -> None:
    import_record(page, RECORD)
    ghost = page.locator("[data-layer=ghost]")
    page.locator("[data-target=F].e-can").click()
    page.locator("[data-target=a1].e-can").hover()
    expect(ghost.locator("use, path").first).to_be_attached()
    page.mouse.move(5, 5)
    expect(ghost.locator("*")).to_have_count(0)


def test_a_phone_that_is_turned_keeps_what_is_tried(page: Page) -> None:
    import_record(page, RECORD)
    page.fill("#entry", "Ea1")
    page.keyboard.press("Enter")
    expect(page.locator("#said")).to_have_text("White places earth on a1")
    tall = "() => { const box = document.querySelector('#board svg').viewBox.baseVal; return box.height > box.width; }"
    assert not page.evaluate(tall)
    page.set_viewport_size({"width": 390, "height": 844})
    page.wait_for_function(tall)
    expect(page.locator("[data-layer=pieces] > g[id*=earth]").first).to_be_attached()
    expect(page.locator("#said")).to_have_text("White places earth on a1")


def test_a_page_to_keep_needs_no_server(page: Page, tmp_path: Path) -> None:
    kept = tmp_path / "game.html"
    kept.write_text(replay.page(new("ignite-and-flow").play("Fc3", "Wd4", "c3+d4", "Tc3")), encoding="utf-8")
    page.goto(kept.as_uri())
    pieces = page.locator("[data-layer=pieces]")
    start = pieces.inner_html()
    page.keyboard.press("End")
    expect(page.locator(".words")).to_contain_text("temple on c3")
    assert pieces.inner_html() != start
    page.keyboard.press("Home")
    expect(page.locator(".number")).to_have_text("0 / 4")
    expect(page.locator("[data-layer=pieces] > g")).to_have_count(start.count("<g id"))


BLUNDER = '[Game "ignite-and-flow"]\n\n1. Ec3 Tc3 2. Fc4 3. Wa1 4. Fc4>c3\nend\n'


def test_key_moments_have_reasons_that_can_be_played_through(page: Page) -> None:
    import_record(page, BLUNDER)
    moment = page.locator("#moments .moment", has_text="White places a temple on c3")
    expect(moment).to_contain_text("Better: do without a temple.", timeout=LONG_WAIT)
    moment.click()
    expect(page.locator("#number")).to_have_text("2 / 5")
    why = page.locator("#lines .why")
    expect(why).to_contain_text("Better: do without a temple.")
    why.get_by_role("button", name="Show it").click()
    steps = page.locator("#tried-moves")
    expect(steps).to_contain_text("0 of ")
    expect(page.locator("[data-layer=spots] *, [data-layer=arrows] *").first).to_be_attached()
    while page.locator("#line-next").is_enabled():
        page.click("#line-next")
    expect(steps).to_have_text(re.compile(r"^(\d) of \1 moves"))


# ── What the coach says ──────────────────────────────────────────────────────────────────────────────────────────────


def blunder(page: Page) -> None:
    """Import a match with mistakes, and wait until it is summed up."""
    match = random_match(find("elemental-defenders"), find("elemental-defenders").complete({}), 3)
    import_record(page, str(Record(match)))
    expect(page.locator("#story p").first).to_be_visible(timeout=LONG_WAIT)


def test_key_moments_name_the_turning_point_and_their_lines_are_stepped_through(page: Page) -> None:
    blunder(page)
    expect(page.locator("#moments .turning")).to_have_text("The turning point")
    assert 1 <= page.locator("#story p").count() <= 3
    expect(page.locator("#moments .soft").first).to_contain_text("points")  # and what became of the match
    page.locator("#moments li").filter(has=page.locator(".turning")).locator("button").click()
    number = page.locator("#number").inner_text()
    page.get_by_role("button", name="Show it").press("Enter")
    expect(page.locator("#tried-moves")).to_contain_text("Next: ")
    expect(page.locator("[data-layer=arrows] *").first).to_be_attached()
    while page.locator("#line-next").is_enabled():
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(300)
    expect(page.locator("#tried-moves")).to_contain_text("This is where it leads.")
    expect(page.locator("#said")).not_to_be_empty()
    page.get_by_role("button", name="Back to the match").click()
    expect(page.locator("#number")).to_have_text(number)
    expect(page.locator("#tried")).to_be_hidden()


def test_both_lines_of_a_comparison_are_stepped_through(page: Page) -> None:
    blunder(page)
    page.locator('#moves [data-ply="13"] button').click()
    expect(page.locator("#lines .why")).to_contain_text(
        "After this, Dawn has to worry about seven attacks", timeout=LONG_WAIT
    )
    both = page.locator("#lines .why button", has_text=re.compile("^After th(is|e better) move$"))
    label = both.inner_text()
    both.click()
    steps, compare = page.locator("#tried-moves"), page.locator("#compare")
    expect(steps).to_contain_text("0 of ")
    other = steps.inner_text()
    expect(compare).not_to_have_text(label)  # it leads to the line of "Show it"
    compare.click()
    expect(compare).to_have_text(label)
    expect(steps).to_contain_text("0 of ")
    expect(steps).not_to_have_text(other)
    page.click("#leave")
    expect(page.locator("#tried")).to_be_hidden()


def test_why_not_this_move(page: Page) -> None:
    import_record(page, RECORD)
    page.keyboard.press("End")
    page.click('[data-target="W"]')
    page.click('[data-target="c4"]')  # where fire beside the temple is far better
    expect(page.locator("#lines")).to_contain_text("Why not this move?", timeout=LONG_WAIT)


def test_clicks_are_kept_until_it_is_known_what_may_be_chosen(page: Page) -> None:
    import_record(page, RECORD)
    page.route("**/positions", lambda route: (page.wait_for_timeout(1000), route.continue_()))  # type: ignore[func-returns-value]
    page.keyboard.press("End")
    page.wait_for_timeout(200)
    page.click('[data-target="W"]')
    page.click('[data-target="c4"]')
    expect(page.locator("#tried-moves")).to_contain_text("Black places water on c4")
    page.unroute_all(behavior="ignoreErrors")


def test_moves_are_in_words_and_their_notation_on_demand(page: Page) -> None:
    import_record(page, RECORD)
    code = page.locator('#moves [data-ply="1"] .notation')
    expect(code).to_be_hidden()
    page.get_by_label("Notation").check()
    expect(code).to_have_text("Fc3")
    page.reload()
    expect(code).to_be_visible()


def test_the_coach_speaks_german_on_a_phone(opens: Opens) -> None:
    page = opens(360, 640, phone=True, language="de-DE")
    page.set_default_timeout(WAIT)
    page.goto("/review")
    page.fill(
        "#record", str(Record(random_match(find("elemental-defenders"), find("elemental-defenders").complete({}), 3)))
    )
    page.locator("button[type=submit], form button").last.click()
    expect(page.locator("#number")).to_have_text(re.compile("^10 / "))  # somebody has to decide
    field = page.locator("#entry").bounding_box()
    assert field
    assert field["width"] > 200, "there is room for the words in it"
    expect(page.locator("#moments .turning")).to_have_text("Der Wendepunkt", timeout=LONG_WAIT)
    expect(page.locator("#story")).to_contain_text("hat die Partie gedreht")
    no_overflow(page)
