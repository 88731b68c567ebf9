"""Every page passes axe, the usual accessibility checker, in the light and the dark theme."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from e2e.browsers import Opens
from playwright.sync_api import Page

PAGES = ("/", "/new?game=fire-and-water", "/rules/fire-and-water", "/learn", "/learn/ignite-and-flow", "/me", "/review")


def barriers(page: Page) -> list[tuple[str, str]]:
    return [(one["id"], one["nodes"][0]["html"][:200]) for one in Axe().run(page).response["violations"]]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_have_no_barriers(opens: Opens, scheme: str) -> None:
    page = opens(color_scheme=scheme, bypass_csp=True)  # our own policy would refuse the checker's script
    for path in PAGES:
        page.goto(path)
        page.wait_for_load_state("networkidle")
        assert not barriers(page), path


@pytest.mark.parametrize("game", ["points-of-power", "elemental-defenders"])
def test_a_table_has_no_barriers(opens: Opens, game: str) -> None:
    page = opens(bypass_csp=True)
    page.goto("/")
    page.locator(f"form[action*='{game}'] button").first.click()
    page.wait_for_selector("[data-target]")
    assert not barriers(page)


def test_a_review_has_no_barriers(opens: Opens) -> None:
    page = opens(bypass_csp=True)
    page.goto("/review")
    page.fill("#record", '[Game "ignite-and-flow"]\n\n1. Fc3\nend\n')
    page.click("text=Review this match")
    page.wait_for_selector(".e-can")
    assert not barriers(page)
