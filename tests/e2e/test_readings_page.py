"""Other readings of the rules on the pages, and the rule that ended a match."""

from __future__ import annotations

import pytest
from e2e.browsers import Opens
from e2e.people import click_move, sit_at, wait_for_turn
from playwright.sync_api import expect

import empedocles
from empedocles.games import GAMES

# Air, on k4, has no legal move.
HEMMED_IN = "fire=j4,j5,k5 air=k4 earth=a7,b7,b8,c8,c9,d9 water=h10,h11 moved=FAEW quiet=8"


def test_a_reading_is_chosen_for_a_table_told_to_guests_and_played(opens: Opens) -> None:
    page = opens()
    page.goto("/new?game=ignite-and-flow")
    page.locator(".readings summary").click()
    page.select_option("[data-option=flow]", "bent")
    page.select_option("[data-seat='1'] select", "link")
    page.get_by_role("button", name="Start").click()
    guest = opens(language="de-DE")
    guest.goto(page.locator(".link input").input_value())
    told = "An diesem Tisch anders gelesen: Das Wasser darf beim ersten Feld auch abbiegen."
    expect(guest.locator("#naming")).to_contain_text(told)
    guest.get_by_role("button", name="Platz nehmen").click()
    wait_for_turn(page)
    for target in ("W", "c3"):
        page.locator(f"[data-target={target}]").click()
    wait_for_turn(guest)
    for target in ("F", "a1"):
        guest.locator(f"[data-target={target}]").click()
    wait_for_turn(page)
    for target in ("c3", "d4", "e3"):
        page.locator(f"[data-target={target}]").click()
    expect(page.locator("#moves li")).to_have_count(3)
    expect(page.locator("#moves li").last).to_contain_text("e3")


@pytest.mark.parametrize(
    ("start", "clicks", "move"),
    [
        ("ignite-and-flow flow=split board=6/6/6/2W3/6/6 to-move=0", ("c3", "b2", "d4"), "Wc3>b2+d4"),
        ("ignite-and-flow chain=middle board=6/6/6/6/6/FWF3 to-move=0", ("a1", "b1", "c1", "a1"), "a1+b1+c1=Da1"),
        (f"points-of-power players=4 stuck=passes {HEMMED_IN} to-move=1", ("pass",), "pass"),
    ],
    ids=["split", "chain", "pass"],
)
def test_moves_of_readings_are_clicked(opens: Opens, start: str, clicks: tuple[str, ...], move: str) -> None:
    page = opens()
    sit_at(page, start)
    for target in clicks:
        page.locator(f"[data-layer=targets] [data-target='{target}']").click()
    expect(page.locator("#moves li")).to_have_count(1)
    number = page.url.rsplit("/", 1)[-1].partition("#")[0]
    assert page.request.get(f"/api/matches/{number}").json()["moves"] == [move]


UNUSUAL = [
    (game, entry.option, reading)
    for game in GAMES.values()
    for entry in game.readings
    for reading in entry.readings
    if reading != game.option(entry.option).default
]


def test_every_reading_is_played_on_a_page(opens: Opens) -> None:
    page = opens()
    for game, option, reading in UNUSUAL:
        wanted = {option: reading} | ({"players": 4} if option == "stuck" else {})
        sit_at(page, empedocles.new(game.name, seed=1, **wanted).position.text)
        click_move(page)
        number = page.url.rsplit("/", 1)[-1].partition("#")[0]
        table = page.request.get(f"/api/matches/{number}").json()
        assert len(table["moves"]) >= 1, (game.name, option, reading)
        assert f"{option}={reading}" in table["position"]
    assert len(UNUSUAL) >= 12


def test_the_result_names_the_rule_that_ended_the_match(opens: Opens) -> None:
    page = opens()
    full = "DDDDDD/DDDDDD/DDDDDD/DDDDDD/DDDDDD/DDDDD1"
    sit_at(page, f"ignite-and-flow board={full} to-move=0")
    click_move(page)
    result = page.locator(".result")
    expect(result).to_contain_text("The last empty square was filled. IF-15")
    assert result.get_by_role("link", name="IF-15").get_attribute("href") == "/rules/ignite-and-flow#IF-15"
