"""Warnings before bad moves, as beginners meet them. What they say is tested elsewhere: here, the answer is given."""

from __future__ import annotations

import contextlib
import json

from e2e.browsers import Opens
from e2e.people import BOT_WAITS
from playwright.sync_api import Page, Route, expect

START = "ignite-and-flow reactions=all board=6/6/6/6/6/6 taken=0/0 quiet=0 due=action to-move=0"
WORDS = "White can burn your temple on a6."
TEMPLE = "ignite-and-flow reactions=all board=tW3F/FFF1W1/W1FWW1/F1WtW1/5W/2W2t taken=0/0 quiet=0 due=action to-move=1"
BAD = ("E", "d5")  # leaves a temple of Red's to the flames
BOT = {"kind": "bot", "agent": "level-1"}


def beginner_at_a_table(
    opens: Opens,
    width: int = 1280,
    height: int = 800,
    phone: bool = False,
    start: str = START,
    seats: tuple[dict[str, str], ...] = ({"kind": "me"}, BOT),
    woken: bool = False,
) -> Page:
    """`woken`: wait until the engine has answered the page's first question, for which it may have to compile."""
    page = opens(width, height, phone=phone, newcomer=True)
    page.add_init_script("localStorage.setItem('introduced', '[\"all\"]')")
    page.request.post("/api/players", data={"name": "Ada"})
    wanted = {"game": "ignite-and-flow", "start": start, "seats": list(seats)}
    made = page.request.post("/api/matches", data=wanted).json()
    with page.expect_response("**/warning", timeout=BOT_WAITS) if woken else contextlib.nullcontext():
        page.goto(f"/t/{made['id']}")
        page.wait_for_selector("#table.mine")
    return page


def warn(route: Route) -> None:
    arrow = '<g><path class="arrow" d="M0 0L50 50"/></g>'
    route.fulfill(json={"warning": {"words": WORDS, "arrows": arrow}})


def enter(page: Page, *targets: str) -> None:
    for target in targets:
        page.locator(f"[data-layer=targets] [data-target={target}]").click()


def wait_for_move(page: Page, number: int) -> None:
    page.wait_for_selector(f"#moves li:nth-child({number})", state="attached")  # on a phone the list may be closed


def test_a_beginner_is_warned_once_a_turn_and_may_play_on(opens: Opens) -> None:
    asked: list[str] = []
    page = beginner_at_a_table(opens)
    page.on("request", lambda one: asked.append(str(one.post_data)) if one.url.endswith("/warning") else None)
    page.route("**/warning", warn)
    warning = page.get_by_role("alertdialog", name=WORDS)
    enter(page, "F", "c3")
    expect(warning).to_be_visible()
    expect(page.locator("[data-layer=arrows] .arrow")).to_have_count(1)
    expect(page.get_by_role("button", name="Choose another move")).to_be_focused()
    expect(page.locator("#moves li")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(warning).to_be_hidden()
    expect(page.locator("[data-layer=arrows] .arrow")).to_have_count(0)
    page.wait_for_selector("#table.mine")
    enter(page, "F", "c4")
    expect(page.locator("#moves li").first).to_have_text("White places fire on c4")  # no second warning
    assert [json.loads(one)["move"] for one in asked] == ["Fc3"]
    wait_for_move(page, 2)
    page.wait_for_selector("#table.mine")
    page.locator("[data-layer=targets] .e-can").first.click()
    if not warning.is_visible():
        page.locator("[data-layer=targets] .e-can").first.click()
    page.get_by_role("button", name="Play it all the same").click()
    wait_for_move(page, 3)


def test_the_engine_itself_warns(opens: Opens) -> None:
    """Nothing is pretended here. The page wakes the engine by itself, and asks as soon as a move is chosen."""
    page = beginner_at_a_table(opens, 390, 844, phone=True, start=TEMPLE, seats=(BOT, {"kind": "me"}), woken=True)
    with page.expect_response("**/warning") as answered:
        enter(page, *BAD)
        page.wait_for_selector("#choices .primary")
    assert answered.value.status == 200
    page.locator("#choices .primary").click()
    warning = page.get_by_role("alertdialog")
    expect(warning).to_contain_text("White can burn the temple on a6 (4 points).")
    expect(page.locator("#moves li")).to_have_count(0)


def test_nobody_is_warned_at_a_table_that_people_share(opens: Opens) -> None:
    page = beginner_at_a_table(opens, start=TEMPLE, seats=({"kind": "here", "name": "Bo"}, {"kind": "me"}))
    asked: list[str] = []
    page.on("request", lambda one: asked.append(one.url) if one.url.endswith("/warning") else None)
    page.get_by_text("More", exact=True).click()
    expect(page.get_by_label("warn me before bad moves")).to_be_hidden()
    enter(page, *BAD)
    wait_for_move(page, 1)
    assert asked == []


def test_a_move_waits_only_briefly_for_an_opinion_and_not_at_all_without_the_switch(opens: Opens) -> None:
    page = beginner_at_a_table(opens, 390, 844, phone=True)
    asked: list[Route] = []

    def say_nothing(route: Route) -> None:
        asked.append(route)

    page.route("**/warning", say_nothing)
    page.get_by_text("More", exact=True).click()
    switch = page.get_by_label("warn me before bad moves")
    expect(switch).to_be_checked()
    enter(page, "F", "c3")
    page.get_by_role("button", name="Play it").first.click()
    expect(page.locator("#detail")).to_have_text("Checking the move …")
    wait_for_move(page, 2)
    assert len(asked) == 1
    page.wait_for_selector("#table.mine")
    switch.uncheck()
    page.locator("[data-layer=targets] .e-can").first.click()
    while not page.locator("#choices .primary").count():
        page.locator("[data-layer=targets] .e-can").first.click()
    page.locator("#choices .primary").click()
    wait_for_move(page, 3)
    assert len(asked) == 1
