"""Three or four people at a table, each with a browser of their own."""

from __future__ import annotations

from e2e.browsers import Opens
from e2e.people import click_move, join, no_overflow, players, wait_for_turn
from playwright.sync_api import Page, Route, expect


def _gather(opens: Opens, game: str, seats: int) -> list[Page]:
    """Gather people at one table: the first opens it, the others come by link, every other one on a phone."""
    people = [opens() if seat % 2 == 0 else opens(390, 844, phone=True) for seat in range(seats)]
    host = people[0]
    host.goto(f"/new?game={game}")
    players(host, seats)
    for seat in range(1, seats):
        host.select_option(f"[data-seat='{seat}'] select", "link")
    host.get_by_role("button", name="Start").click()
    host.wait_for_url("**/t/*")
    expect(host.locator(".link")).to_have_count(seats - 1)
    links = [link.input_value() for link in host.locator(".link input").all()]
    for person, link, name in zip(people[1:], links, ("Bert", "Clara", "Dora"), strict=False):
        join(person, link, name)
    return people


def test_who_plays_together_is_what_the_game_says(opens: Opens) -> None:
    page = opens()
    page.goto("/new?game=points-of-power")
    expect(page.locator("#teams")).to_be_hidden()
    players(page, 4)
    expect(page.locator("#teams")).to_have_text("Playing together: Fire + Earth, Air + Water.")

    def other_game(route: Route) -> None:
        text = route.fetch().text()
        body = text.replace('"4": [0, 1, 0, 1]', '"4": [0, 1, 2, 2]').replace('"players"', '"crowd"')
        body = body.replace('"option-players"', '"option-crowd"')
        route.fulfill(body=body, content_type="text/html")

    page.route("**/new?game=points-of-power", other_game)
    page.reload()
    players(page, 4, "crowd")
    expect(page.locator("#teams")).to_have_text("Playing together: Earth + Water.")
    expect(page.locator(".seat:visible")).to_have_count(4)


def _resign(page: Page) -> None:
    page.get_by_role("button", name="Resign").click()
    page.locator("#asking").get_by_role("button", name="Resign").click()


def test_partners_win_and_lose_together(opens: Opens) -> None:
    anna, bert, clara, dora = people = _gather(opens, "points-of-power", 4)
    for person in people:
        click_move(person)
    for person in people:
        expect(person.locator("#moves li")).to_have_count(4)
        expect(person.locator("#seats .seat")).to_have_count(4)
        no_overflow(person)
    _resign(clara)  # Anna sits opposite
    for person, result in ((anna, "loses"), (bert, "wins"), (clara, "loses"), (dora, "wins")):
        expect(person.locator(".result")).to_contain_text(f"Your team {result} by resignation")
        expect(person.locator(".tally thead th")).to_have_text(
            ["Your team", "Air, Water" if person in (anna, clara) else "Fire, Earth"]
        )
        expect(person.locator(".turn, .e-plate-active")).to_have_count(0)


def test_when_one_of_three_resigns_a_bot_plays_on(opens: Opens) -> None:
    anna, bert, clara = people = _gather(opens, "fire-and-water", 3)
    for person in people:
        wait_for_turn(person)
        while person.locator("#table.mine").count():  # the elementals are placed first
            click_move(person)
    _resign(bert)
    wait_for_turn(anna)
    expect(anna.locator("#seats")).to_contain_text("level 3")
    expect(bert.locator("#prompt")).to_contain_text("You are watching")
    click_move(anna)
    wait_for_turn(clara)  # the bot has moved
    no_overflow(clara)
