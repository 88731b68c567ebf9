"""The review page in a real browser: going through a match, the graph, and moves that are tried."""

from __future__ import annotations

import pytest
from e2e.browsers import Opens
from playwright.sync_api import Page, expect

RECORD = '[Game "ignite-and-flow"]\n\n1. Fc3 2. Wd4 3. c3+d4 Tc3\nend\n'
WAIT = 60_000  # milliseconds; the engine may have to be compiled


@pytest.fixture
def page(opens: Opens) -> Page:
    page = opens(1280, 860)
    page.set_default_timeout(WAIT)
    return page


def test_a_record_is_imported_watched_analysed_and_tried(page: Page) -> None:
    page.goto("/review")
    page.fill("#record", RECORD)
    page.click("text=Review it")
    said, number = page.locator("#said"), page.locator("#number")
    expect(said).to_have_text("The start")

    page.keyboard.press("ArrowRight")
    expect(said).to_contain_text("White places fire on c3")
    page.keyboard.press("End")
    expect(number).to_have_text("4 / 4")
    expect(said).to_contain_text("temple on c3")
    page.locator("#slider").fill("2")
    expect(said).to_contain_text("Black places water on d4")
    page.wait_for_url("**#2")

    expect(page.locator("#summary li")).to_have_count(2)  # the analysis is done
    expect(page.locator("#graph polyline")).to_have_count(2)
    expect(page.locator('#moves [data-ply="1"] .value')).not_to_be_empty()

    page.click('[data-target="E"]')
    expect(page.locator(".e-can").first).to_be_attached()
    page.click('[data-target="a1"]')
    expect(said).to_have_text("White places earth on a1")
    expect(page.locator("#lines .from").first).to_be_visible()  # the engine's answer
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
