"""Around the table: the lobby, invitations, and the app's own questions."""

from __future__ import annotations

import io
import re

import zxingcpp
from e2e.browsers import Opens
from e2e.people import answer, no_overflow, players, sit
from PIL import Image
from playwright.sync_api import Page, expect


def read_code(page: Page) -> str:
    """What a camera reads from the QR code on the screen."""
    page.wait_for_function("() => document.querySelector('.code')?.naturalWidth")
    (code,) = zxingcpp.read_barcodes(Image.open(io.BytesIO(page.screenshot())))
    return str(code.text)


def test_a_table_comes_to_the_lobby_by_itself_and_somebody_joins(opens: Opens) -> None:
    bert, anna = opens(390, 844, phone=True, color_scheme="dark"), opens()
    bert.goto("/")
    sit(anna, "ignite-and-flow", other="open", clock="minutes")
    line = bert.locator(f"#lobby [data-table='{anna.url.rpartition('/')[2]}']")
    expect(line).to_contain_text("15 min + 10 s per move")
    assert line.locator("img").evaluate("async (image) => (await image.decode(), image.currentSrc)").endswith("dark")
    no_overflow(bert)
    line.get_by_role("link", name="Join the table").click()
    bert.fill("#naming input", "Bert")
    bert.locator("#naming").get_by_role("button", name="Sit down").click()
    expect(anna.locator("#seats")).to_contain_text("Bert")
    expect(anna.locator("#table.mine")).to_be_visible()
    expect(bert).to_have_url(anna.url)


def test_the_front_page_says_that_a_match_has_begun(opens: Opens) -> None:
    anna, bert = opens(), opens()
    sit(anna, "ignite-and-flow", other="open")
    table = anna.url
    anna.goto("/")
    line = anna.locator(".going [data-table]")
    expect(line).to_contain_text("waiting for players")
    bert.goto(f"{table}#sit")
    bert.locator("#naming").get_by_role("button", name="Sit down").click()
    expect(line).to_contain_text("your move")


def test_a_waiting_table_is_shared_by_a_code_and_cancelled(opens: Opens) -> None:
    page = opens(360, 640, phone=True)
    sit(page, "ignite-and-flow", other="link")
    link = page.locator(".link input").input_value()
    page.get_by_role("button", name="QR code").click()
    assert read_code(page) == link
    page.get_by_role("button", name="Close").click()
    page.goto("/")
    page.get_by_role("button", name="Invite", exact=True).click()
    expect(page.locator("dialog .link input")).to_have_value(link)
    page.keyboard.press("Escape")
    for said, left in (("Keep waiting", 1), ("Cancel the table", 0)):
        page.locator("[data-cancel]").click()
        answer(page, said)
        expect(page.locator("[data-cancel]")).to_have_count(left)
    page.goto(link)
    expect(page.get_by_text("does not exist")).to_be_visible()


def test_the_form_proposes_a_name_for_each_person_here_and_shows_the_board(opens: Opens) -> None:
    for width, height, language in ((390, 844, "de-DE"), (360, 640, "de-DE"), (1280, 800, "en-GB")):
        page = opens(width, height, phone=width < 500, language=language)
        page.goto("/new?game=points-of-power&seat=here")
        no_overflow(page)
    players(page, 4)
    page.get_by_label("wheel").check()
    shown = page.locator(".shown img")
    expect(shown).to_have_attribute("src", re.compile(r"board=wheel.*theme=light"))
    assert shown.evaluate("async (image) => (await image.decode(), image.naturalWidth)") > 0
    names = [page.locator(f"[data-seat='{seat}'] .name input") for seat in (1, 2, 3)]
    assert [name.input_value() for name in names] == ["Air", "Earth", "Water"]
    names[0].fill("Zoë")
    page.get_by_label("the computer").check()
    expect(page.locator("[data-seat='1'] .about")).not_to_be_empty()
    page.get_by_label("a friend, on this device").focus()
    page.keyboard.press("Space")
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector("#table.mine")
    for name in ("Zoë", "Earth", "Water"):
        expect(page.locator("#seats")).to_contain_text(name)
    assert page.locator("#seats small").all_inner_texts()[1:] == ["Air", "", ""], "no seat is told twice"
    expect(page).to_have_title(re.compile("^Points of Power"))  # it calls none of them in particular
