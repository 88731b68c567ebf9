"""Other readings of the rules on the pages, and the rule that ended a match."""

from __future__ import annotations

import itertools

from e2e.browsers import Opens
from e2e.people import click_move, sit_at, wait_for_turn
from playwright.sync_api import expect

from empedocles.differences import differences
from empedocles.games import GAMES


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


def test_every_reading_is_played_on_a_page(opens: Opens) -> None:
    page = opens()
    for found in itertools.chain.from_iterable(map(differences, GAMES.values())):
        sit_at(page, found.position.text)
        for target in found.targets:
            spot = page.locator(f"[data-layer=targets] [data-target='{target}']")
            if found.allowed or spot.count():  # without the challenge, there is no button for it
                spot.first.click(force=not found.allowed)
        if found.allowed:
            expect(page.locator("#moves li")).to_have_count(1)
        number = page.url.rsplit("/", 1)[-1].partition("#")[0]
        table = page.request.get(f"/api/matches/{number}").json()
        assert (table["moves"] == [found.move]) == found.allowed, (table["position"], found.move)


def test_the_result_names_the_rule_that_ended_the_match(opens: Opens) -> None:
    page = opens()
    full = "DDDDDD/DDDDDD/DDDDDD/DDDDDD/DDDDDD/DDDDD1"
    sit_at(page, f"ignite-and-flow board={full} to-move=0")
    click_move(page)
    result = page.locator(".result")
    expect(result).to_contain_text("The last empty square was filled. IF-15")
    assert result.get_by_role("link", name="IF-15").get_attribute("href") == "/rules/ignite-and-flow#IF-15"
