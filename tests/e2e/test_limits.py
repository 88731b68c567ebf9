"""A page whose connection the server's limits have closed says why, and resumes by itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import pytest
from e2e.browsers import Opens, Server
from e2e.people import click_move, sit
from playwright.sync_api import Page, expect
from playwright.sync_api import TimeoutError as TimeoutException

MOST_TRIES, PATIENCE = 6, 5_000  # milliseconds for each
STOPPED, CROWDED = "this one has paused", "Too many people are watching"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that allows one window per player, and one spectator."""
    running = Server(tmp_path_factory.mktemp("narrow"), windows=1, spectators=1)
    yield running
    running.stop()


def test_the_older_window_stops_until_its_player_comes_back(opens: Opens) -> None:
    first = opens()
    sit(first, "ignite-and-flow", other="here")
    second = first.context.new_page()
    second.goto(first.url)
    second.wait_for_selector("#board svg")
    expect(first.locator("#prompt")).to_contain_text(STOPPED)
    click_move(second)
    first.evaluate("dispatchEvent(new Event('focus'))")
    expect(second.locator("#prompt")).to_contain_text(STOPPED)
    expect(first.locator("#moves li")).to_have_count(1)


def come_in(page: Page) -> None:
    """Try until there is room: the server may notice a moment later that somebody has left."""
    for _ in range(MOST_TRIES):
        page.evaluate("dispatchEvent(new Event('online'))")  # otherwise the page tries after half a minute
        with suppress(TimeoutException):
            page.wait_for_selector("#board svg", timeout=PATIENCE)
            return


def test_who_finds_no_room_is_told_and_comes_in_later(opens: Opens) -> None:
    player, watcher, late = opens(), opens(), opens()
    sit(player, "ignite-and-flow", other="here")
    watcher.goto(player.url)
    watcher.wait_for_selector("#board svg")
    late.goto(player.url)
    expect(late.locator("#prompt")).to_contain_text(CROWDED)
    watcher.close()
    come_in(late)
    expect(late.locator("#board svg")).to_be_visible()
    expect(late.locator("#prompt")).not_to_contain_text(CROWDED)
