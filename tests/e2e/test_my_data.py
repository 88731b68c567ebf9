"""A visitor's data: downloaded, deleted, and private links revoked, with the buttons of one page."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable

from e2e.people import answer
from playwright.sync_api import Page, expect

Opens = Callable[..., Page]
KEPT = (
    "Object.keys(localStorage).filter((key) => !['introduced', 'gentle'].includes(key))"  # these two are the tests' own
)


def test_links_are_made_worthless_and_this_browser_goes_on(opens: Opens) -> None:
    page, other = opens(), opens()
    page.request.post("/api/players", data={"name": "Ada"})
    page.goto("/me")
    page.get_by_role("button", name="Show my private link").click()
    link = page.locator("#elsewhere input").input_value()
    page.click("#revoke")
    answer(page, "Cancel")
    assert page.locator("#elsewhere input").input_value() == link
    page.click("#revoke")
    answer(page, "Revoke")
    expect(page.locator("#notice")).to_have_text("Only this browser is signed in now.")
    expect(page.locator("#elsewhere input")).not_to_have_value(link)
    other.goto(link)
    other.click("#arrive")
    expect(other.locator("#notice")).to_have_text("This link is no longer valid.")
    other.goto(page.locator("#elsewhere input").input_value())
    other.click("#arrive")
    other.wait_for_url("**/me")
    expect(other.locator("#name")).to_have_value("Ada")


def test_ones_data_is_downloaded_and_deleted(opens: Opens) -> None:
    page = opens(390, 844, phone=True)
    page.request.post("/api/players", data={"name": "Ada"})
    seats = [{"kind": "me"}, {"kind": "here", "name": "Bo"}]
    match = page.request.post("/api/matches", data={"game": "ignite-and-flow", "seats": seats}).json()["id"]
    page.goto("/me")
    with page.expect_download() as downloading:
        page.click("#export")
    with zipfile.ZipFile(downloading.value.path()) as pack:
        assert json.loads(pack.read("player.json"))["name"] == "Ada"
        assert f"records/{match}.emp" in pack.namelist()
    page.evaluate("localStorage.setItem('progress', '1')")
    page.click("#forget")
    page.keyboard.press("Escape")
    assert page.request.get("/api/players/me").ok
    page.click("#forget")
    answer(page, "Delete")
    page.wait_for_url(lambda url: url.endswith("/"))
    assert page.request.get("/api/players/me").status == 401
    assert page.request.get(f"/api/matches/{match}").status == 404
    assert page.evaluate(KEPT) == []
