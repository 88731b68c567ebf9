"""Waiting for others: absent players, clocks, and signals that call a player back."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from e2e.browsers import Opens, Server
from e2e.people import click_move, join, sit, wait_for_turn
from playwright.sync_api import Page, expect

GONE = "Bert has been away for a while."
SPIES = """
window.heard = [];
window.Notification = class extends Notification {
  constructor(title, options) { super(title, options); heard.push(options.body); }
};
Object.defineProperty(document, "hidden", { get: () => true });
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server where nobody waits for long."""
    running = Server(tmp_path_factory.mktemp("impatient"), abandoned=2.0)
    yield running
    running.stop()


def _left_alone(opens: Opens) -> Page:
    """It is Bert's turn, but he has closed the page."""
    anna, bert = opens(390, 844, phone=True), opens()
    sit(anna, "ignite-and-flow", other="link")
    join(bert, anna.locator(".link input").input_value(), "Bert")
    click_move(anna)
    expect(anna.locator("#banner")).not_to_contain_text(GONE)
    bert.close()
    expect(anna.locator("#banner")).to_contain_text(GONE)
    return anna


def test_the_win_is_claimed_when_the_other_does_not_come_back(opens: Opens) -> None:
    anna = _left_alone(opens)
    anna.get_by_role("button", name="Claim the win").click()
    expect(anna.locator(".result")).to_contain_text("You win because the other side left")


def test_a_bot_plays_on_for_who_does_not_come_back(opens: Opens) -> None:
    anna = _left_alone(opens)
    anna.get_by_role("button", name="Let a bot take over").click()
    wait_for_turn(anna)
    expect(anna.locator("#seats")).to_contain_text("level 3")
    expect(anna.locator("#banner")).not_to_contain_text(GONE)


def test_who_comes_back_is_not_gone(opens: Opens) -> None:
    anna, bert = opens(), opens()
    sit(anna, "ignite-and-flow", other="link")
    join(bert, anna.locator(".link input").input_value(), "Bert")
    click_move(anna)
    address = bert.url
    bert.goto("/rules")
    expect(anna.locator("#banner")).to_contain_text(GONE)
    bert.goto(address)
    expect(anna.locator("#banner")).not_to_contain_text(GONE)
    click_move(bert)


def _sit_with_clock(page: Page, **clock: object) -> None:
    """Open a table with less time than the form allows."""
    page.request.post("/api/players", data={"name": "Ada"})
    seats = [{"kind": "me"}, {"kind": "bot", "agent": "level-1"}]
    made = page.request.post("/api/matches", data={"game": "points-of-power", "seats": seats, "clock": clock}).json()
    page.goto(f"/t/{made['id']}")


FALLS = "(before) => Number(document.querySelector('.clock').textContent.replace(':', '')) < before"


def test_a_clock_falls(opens: Opens) -> None:
    page = opens()
    _sit_with_clock(page, kind="minutes", base=3600)
    mine, other = page.locator(".clock").first, page.locator(".clock").last
    page.wait_for_function(FALLS, arg=int(mine.inner_text().replace(":", "")))
    expect(other).to_have_text("1:00:00")


def test_a_clock_runs_out(opens: Opens) -> None:
    page = opens()
    _sit_with_clock(page, kind="minutes", base=6, increment=1)
    expect(page.locator(".clock.short")).to_have_count(2)
    expect(page.locator(".result")).to_contain_text("You lose on time")
    expect(page.locator(".clock").first).to_have_text("0:00")


def test_days_are_shown_in_days_and_hours(opens: Opens) -> None:
    page = opens()
    sit(page, "ignite-and-flow", clock="days")
    expect(page.locator(".clock").first).to_have_text("3 d")
    _sit_with_clock(page, kind="days", base=86400 + 2.5 * 3600)
    expect(page.locator(".clock").first).to_have_text("1 d 3 h")


@pytest.mark.parametrize("wanted", [True, False])
def test_a_player_is_called_back_as_wanted(opens: Opens, wanted: bool) -> None:
    page = opens(permissions=["notifications"])
    page.add_init_script(SPIES)
    sit(page, "points-of-power")
    wait_for_turn(page)
    expect(page).to_have_title(re.compile("^● Your move – Points of Power"))
    page.get_by_text("More", exact=True).click()
    box = page.get_by_label("notify me when it is my move", exact=True)
    expect(box).not_to_be_checked()  # quiet, unless asked
    if wanted:
        box.check()
    page.evaluate("() => { heard.length = 0; }")
    click_move(page)
    expect(page.locator("#moves li")).to_have_count(2)
    wait_for_turn(page)
    assert page.evaluate("() => heard") == (["Your move"] if wanted else [])
