"""Everybody can play: small screens, keyboards, other languages, slow connections."""

from __future__ import annotations

import re

import pytest
from e2e.browsers import Opens
from e2e.people import answer, click_move, join, moves, no_overflow, says, sit, wait_for_turn
from playwright.sync_api import Page, expect

LARGEST_FRONT = 100_000  # bytes over the network, with nothing cached


def test_the_front_page_is_small(opens: Opens) -> None:
    page = opens()
    network, sizes = page.context.new_cdp_session(page), []
    network.send("Network.enable")
    network.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    page.goto("/", wait_until="networkidle")
    assert len(sizes) >= 5
    assert sum(sizes) <= LARGEST_FRONT
    assert page.locator(".game svg").count() == page.locator(".game").count() >= 4


def test_the_phone_asks_before_it_plays(opens: Opens) -> None:
    page = opens(360, 740, phone=True)
    for address in ("/", "/new?game=points-of-power", "/me", "/here", "/nothing"):
        page.goto(address)
        no_overflow(page)
    sit(page, "elemental-defenders")
    no_overflow(page)
    wait_for_turn(page)
    before = moves(page)
    page.locator("[data-layer=targets] .e-can").first.tap()
    expect(page.get_by_role("button", name="Play it")).to_be_visible()
    assert moves(page) == before
    page.get_by_role("button", name="Cancel").tap()
    click_move(page)


def test_the_keyboard_alone(opens: Opens) -> None:
    page = opens()
    page.goto("/")
    _tab_to(page, "[action='/play/points-of-power'] button")
    page.keyboard.press("Enter")
    page.wait_for_url("**/t/*")
    wait_for_turn(page)
    _tab_to(page, "#board")
    for key in ("ArrowDown", "Enter", "Escape"):
        page.keyboard.press(key)
    assert page.locator(".e-chosen").count() == 0
    page.keyboard.press("Enter")
    expect(page.locator("#prompt")).to_contain_text("Choose where")
    for key in ("ArrowDown", "ArrowUp", "ArrowLeft", "ArrowRight"):
        page.keyboard.press(key)
        if page.locator(".cursor.e-can").count():
            break
    expect(page.locator("#say")).to_contain_text("steps")
    page.keyboard.press("Enter")
    page.wait_for_selector("#moves li")


def _tab_to(page: Page, selector: str) -> None:
    for _ in range(60):
        if page.locator(f"{selector}:focus").count():
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"no key leads to {selector}")


def test_a_typed_move(opens: Opens) -> None:
    page = opens()
    sit(page, "ignite-and-flow", other="here")
    page.get_by_text("More", exact=True).click()
    page.fill("#typed input", "Fc9")
    page.keyboard.press("Enter")
    says(page, "this is not a move of Ignite and Flow")
    page.fill("#typed input", "Fc3")
    page.keyboard.press("Enter")
    expect(page.locator("#moves li").first).to_have_text("White places fire on c3")
    page.get_by_label("list the moves in notation").check()
    expect(page.locator("#moves li").first).to_have_text("Fc3")


def test_german(opens: Opens) -> None:
    page = opens(language="de-DE")
    page.goto("/")
    assert page.locator("html").get_attribute("lang") == "de"
    page.locator("[action='/play/ignite-and-flow'] button").click()
    page.wait_for_url("**/t/*")
    page.wait_for_selector("#table.mine")
    page.locator("[data-target=F]").click()
    page.locator("[data-target=c3]").click()
    expect(page.locator("#moves li").first).to_have_text("Weiß legt Feuer auf c3")
    page.select_option("[data-setting=language]", "en")
    expect(page.locator("#moves li").first).to_have_text("White places fire on c3")


def test_another_device_of_my_own(opens: Opens) -> None:
    here, there = opens(), opens(390, 844, phone=True)
    sit(here, "ignite-and-flow")
    here.goto("/me")
    expect(here.locator(".tables time")).to_have_text(re.compile(r"^\d+ \w+ \d{4}, \d\d:\d\d$"))
    here.fill("#name", "Zoë")
    here.get_by_role("button", name="Save").click()
    says(here, "Saved")
    there.goto("/here")
    expect(there.get_by_text("you need your private link")).to_be_visible()
    expect(there.get_by_role("button", name="Yes, continue here")).to_be_hidden()
    here.get_by_role("button", name="Show my private link").click()
    there.goto(here.locator(".link input").input_value())
    there.get_by_role("button", name="Yes, continue here").click()
    there.wait_for_url("**/me")
    expect(there.locator("#name")).to_have_value("Zoë")
    there.locator("[data-delete]").click()
    answer(there, "Delete")
    expect(there.locator(".tables li")).to_have_count(0)


def test_a_used_link_lets_nobody_sit_down(opens: Opens) -> None:
    anna, bert, third = opens(), opens(), opens()
    sit(anna, "ignite-and-flow", other="link")
    link = anna.locator(".link input").input_value()
    join(bert, link, "Bert")
    third.goto(link)
    third.get_by_role("button", name="Sit down").click()
    says(third, "This link has already been used")


def test_an_open_seat_is_found_on_the_front_page(opens: Opens) -> None:
    anna, bert = opens(), opens()
    sit(anna, "ignite-and-flow", other="open")
    bert.goto("/")
    bert.locator(f"[data-table='{anna.url.rsplit('/', 1)[1]}'] a").first.click()
    bert.get_by_role("button", name="Sit down").click()
    expect(bert.locator("#invitation")).to_have_text("A game of Ignite and Flow. Your seat: Black.")
    bert.locator("#naming").get_by_role("button", name="Sit down").click()
    wait_for_turn(anna)


FORGETFUL = """
Object.defineProperty(window, "localStorage", { get() { throw new DOMException("blocked", "SecurityError"); } });
"""


def test_a_browser_that_remembers_nothing(opens: Opens) -> None:
    anna, bert = opens(), opens()
    for page in (anna, bert):
        page.context.add_init_script(FORGETFUL)
    sit(anna, "fire-and-water", other="link")
    join(bert, anna.locator(".link input").input_value(), "Bert")
    wait_for_turn(anna)
    anna.get_by_text("More", exact=True).click()
    anna.get_by_label("ask before playing a move").check()
    anna.locator("[data-layer=targets] .e-can").first.click()
    expect(anna.locator("#choices").get_by_role("button", name="Play it")).to_be_visible()
    click_move(anna)
    expect(bert.locator("#moves li")).to_have_count(moves(anna))
    for address in ("/new", "/learn", "/learn/ignite-and-flow", "/me"):
        bert.goto(address)


@pytest.mark.parametrize("address", ["/t/nothing", "/nothing"])
def test_what_is_not_there_is_said_kindly(opens: Opens, address: str) -> None:
    page = opens()
    answer = page.goto(address)
    assert answer
    assert answer.status == 404
    expect(page.get_by_role("heading")).to_have_text("Page not found")


NO_CLIPBOARD = "Object.defineProperty(Navigator.prototype, 'clipboard', { value: undefined })"


def test_links_are_copied_where_browsers_lend_no_clipboard(opens: Opens) -> None:
    """As at an address without HTTPS, such as another machine in the same house."""
    page = opens()
    page.add_init_script(NO_CLIPBOARD)
    sit(page, "ignite-and-flow", other="link")
    link = page.locator(".link input").input_value()
    page.get_by_role("button", name="Copy").click()
    says(page, "Copied.")
    page.goto("/review")
    page.locator("#record").press("Control+V")
    expect(page.locator("#record")).to_have_value(link)
    page.fill("#record", "ignite-and-flow board=6/6/6/1WEF2/2W2W/1W4 to-move=0")
    page.click("text=Review this match")
    expect(page.locator("#entry")).to_be_enabled()  # the page's script is ready
    page.click("#share")
    says(page, "Link copied.")
    page.locator("#entry").press("Control+V")
    expect(page.locator("#entry")).to_have_value(page.url)


def test_only_what_reaches_nobody_is_said_to_reach_nobody(opens: Opens) -> None:
    page = opens()
    page.goto("/review")
    page.fill("#record", "ignite-and-flow")
    page.context.set_offline(True)
    page.click("text=Review this match")
    expect(page.locator("#problem")).to_have_text("The server cannot be reached. Please try again in a moment.")
    page.context.set_offline(False)
    page.evaluate("() => { fetch = async () => ({ text: async () => '' }); }")  # a bug in the page: no headers
    page.click("text=Review this match")
    expect(page.locator("#problem")).to_have_text("That did not work. Please try again.")
