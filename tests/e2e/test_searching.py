"""The review page searches in a Worker of the browser; where it cannot, the server does."""

from __future__ import annotations

import re

from e2e.browsers import Opens
from e2e.test_review_page import RECORD, WAIT, import_record
from modules.test_modules import built
from playwright.sync_api import Page, Route, expect

from empedocles.games import find

COUNTED = re.compile(r"simulations, \d+ moves? deep$")
MEGABYTES = 96  # of memory at most, on a phone


def page_of(opens: Opens, **more: bool) -> Page:
    built(find("ignite-and-flow"))
    page = opens(390 if more else 1280, 860, **more)
    page.set_default_timeout(WAIT)
    return page


def count(page: Page) -> str:
    """What the page says once it counts."""
    expect(page.locator("#counted")).to_have_text(COUNTED)
    return page.locator("#counted").inner_text()


def test_numbers_move_until_it_is_stopped_and_other_positions_are_searched(opens: Opens) -> None:
    page = page_of(opens, phone=True)
    import_record(page, RECORD)
    numbers, best = page.locator("#counted"), page.locator("#found .move").first
    expect(numbers).not_to_have_text(count(page))
    megabytes = re.search(r"(\d+) MB", numbers.get_attribute("title") or "")
    assert megabytes
    assert int(megabytes[1]) <= MEGABYTES

    page.get_by_role("button", name="Stop thinking").press("Enter")
    stopped = numbers.inner_text()
    page.wait_for_timeout(700)
    assert numbers.inner_text() == stopped
    expect(page.locator("#best")).to_contain_text(re.compile(r"Best so far: White .+, [+−]0\.\d\d"))
    page.get_by_role("button", name="Think on").press("Enter")
    expect(numbers).not_to_have_text(stopped)

    expect(best).to_contain_text("White")
    page.keyboard.press("ArrowRight")
    expect(best).to_contain_text("Black")
    page.fill("#entry", "Wd4")
    page.keyboard.press("Enter")
    expect(best).to_contain_text("White")
    count(page)
    page.get_by_role("button", name="Stop thinking").press("Enter")
    expect(best).to_be_visible()  # its words have arrived
    tried = best.get_attribute("aria-label") or ""
    best.click()
    expect(page.locator("#tried-moves button").last).to_contain_text(tried)


FAULT = "setTimeout(() => { throw new WebAssembly.RuntimeError('unreachable') })"


def test_a_worker_that_dies_is_replaced(opens: Opens) -> None:
    page = page_of(opens)
    import_record(page, RECORD)
    for end in (FAULT, "close()"):
        count(page)
        with page.expect_worker() as started:
            page.workers[0].evaluate(end)
        page.evaluate("document.getElementById('counted').textContent = ''")
        count(page)
        assert page.workers == [started.value]


def test_without_a_module_the_server_thinks(opens: Opens) -> None:
    page = page_of(opens)

    def strip(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=re.sub(r'"engine": \{.*?\}', '"engine": null', answer.text()))

    page.route(re.compile(r"/review/[\w-]+$"), strip)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    import_record(page, RECORD)
    page.keyboard.press("End")
    expect(page.locator("#lines .from").first).to_be_visible()
    expect(page.locator("#searching")).to_be_hidden()
    assert any(url.endswith("/api/evaluations") for url in asked)
    assert not [url for url in asked if "/modules/" in url or "worker" in url]


def test_where_the_module_does_not_arrive_the_server_thinks(opens: Opens) -> None:
    page = page_of(opens)
    page.route("**/modules/**", lambda route: route.abort())
    import_record(page, RECORD)
    page.keyboard.press("End")
    expect(page.locator("#lines .from").first).to_be_visible()
    expect(page.locator("#searching")).to_be_hidden()
