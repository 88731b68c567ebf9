"""Every game from the first click to the result, against a bot: what the page offers is what the rules allow."""

from __future__ import annotations

import io
from typing import Any

import pytest
from e2e.browsers import Opens
from e2e.people import sit, wait_for_turn
from playwright.sync_api import Page, expect

from empedocles.agents import find
from empedocles.game import Game
from empedocles.games import GAMES
from empedocles.play.partial import CONFIRM, Partial
from empedocles.play.records import read_records
from empedocles.position import Position
from empedocles.search.limits import Limit

ALWAYS = "ignite-and-flow"  # a minute each: the others are for `make long`
MOST_TURNS = 200
LIMIT = Limit(simulations=100)  # enough to beat a game's first opponent, so that games end
OFFERED = """() => [
    ...[...document.querySelectorAll('[data-layer=targets] .e-can')].map((one) => one.dataset.target),
    ...[...document.querySelectorAll('#choices button')].map((one) => `button ${one.textContent}`),
]"""


@pytest.mark.parametrize("name", [pytest.param(one, marks=[pytest.mark.long] * (one != ALWAYS)) for one in GAMES])
def test_a_whole_game_by_clicking(opens: Opens, name: str) -> None:
    page, person, game = opens(), find("search", seed=1), GAMES[name]
    sit(page, game.name)
    for turn in range(MOST_TURNS):
        wait_for_turn(page)
        if page.locator(".result").count():
            break
        position = Position(_table(page)["position"])
        asked = turn % 2 == 0  # every other move must be confirmed
        page.evaluate("(asked) => localStorage.setItem('confirm', asked)", asked)
        _enter(page, position, person.choose(position, LIMIT), asked)
    _check_the_end(page, game)


def _table(page: Page) -> dict[str, Any]:
    answer = page.request.get(f"/api/matches/{page.url.rsplit('/', 1)[1]}")
    assert answer.ok
    found: dict[str, Any] = answer.json()
    return found


def _enter(page: Page, position: Position, move: str, asked: bool) -> None:
    """Click one target after another; at each step the page must offer exactly what can follow."""
    before, entry = page.locator("#moves li").count(), Partial(position)
    while entry.move is None:
        assert _offered(page) == set(entry.targets), f"{entry.chosen} of {move} in {position!r}"
        target = next(one for one in entry.targets if move in entry.choose(one).moves)
        entry = entry.choose(target)
        _click(page, target)
    assert entry.move == move
    if asked and CONFIRM not in entry.chosen:
        page.get_by_role("button", name="Play it").click()
    page.wait_for_selector(f"#moves li:nth-child({before + 1})")


def _offered(page: Page) -> set[str]:
    marked = set(page.evaluate(OFFERED)) - {"button Cancel"}
    return {CONFIRM if one == "button Play it" else one.removeprefix("button ") for one in marked}


def _click(page: Page, target: str) -> None:
    """Click a target with the mouse, where it is visible."""
    if target == CONFIRM:
        page.get_by_role("button", name="Play it").click()
    elif page.locator(f"[data-target='{target}']").count():
        page.locator(f"[data-target='{target}']").click()
    else:
        page.locator("#choices").get_by_role("button", name=target, exact=True).click()


def _check_the_end(page: Page, game: Game) -> None:
    """The page shows the result, and the saved record replays to it."""
    table = _table(page)
    assert table["status"] == "over"
    won = {True: "You win", False: "You lose"}[0 in table["winners"]] if table["winners"] else "A draw"
    assert game.interface
    assert game.interface.tally
    by_points = any(count.worth for count in game.interface.tally(Position(table["position"]).state).counts)
    score = " : ".join(map(str, table["scores"])).replace("-", "−") if by_points else ""
    expect(page.locator(".result")).to_contain_text(f"{won} {score}".strip())
    record = page.request.get(f"/api/matches/{table['id']}/record").text()
    (kept,) = read_records(io.StringIO(record))
    assert (kept.match.game.name, kept.match.position.text) == (game.name, table["position"])
    assert kept.match.is_over
    expect(page.locator("#moves li")).to_have_count(len(kept.match.moves))
    assert page.locator(".e-can").count() == 0
