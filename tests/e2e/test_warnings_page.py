"""Warnings before bad moves, as beginners meet them. What they say is tested elsewhere: here, the answer is given."""

from __future__ import annotations

import json

from e2e.browsers import Opens
from playwright.sync_api import Page, Route, expect

START = "ignite-and-flow reactions=all board=6/6/6/6/6/6 taken=0/0 quiet=0 due=action to-move=0"
WORDS = "White can burn your temple on a6."


def beginner_at_a_table(opens: Opens, width: int = 1280, height: int = 800, phone: bool = False) -> Page:
    page = opens(width, height, phone=phone, newcomer=True)
    page.add_init_script("localStorage.setItem('introduced', '[\"all\"]')")
    page.request.post("/api/players", data={"name": "Ada"})
    seats = [{"kind": "me"}, {"kind": "bot", "agent": "level-1"}]
    made = page.request.post("/api/matches", data={"game": "ignite-and-flow", "start": START, "seats": seats}).json()
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
