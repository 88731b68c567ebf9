"""People play in real browsers."""

from __future__ import annotations

import re

import pytest
from e2e.browsers import Opens, Server
from e2e.people import check_shuffles, click_move, join, moves, play_to_the_end, says, sit, sit_at, wait_for_turn
from playwright.sync_api import expect


def test_a_whole_game_of_cards_by_clicking(opens: Opens) -> None:
    page = opens()
    sit(page, "elemental-defenders")
    play_to_the_end(page)
    result = page.locator(".result")
    expect(result).to_contain_text(re.compile("You win|You lose|A draw"))
    won = "You win" in result.inner_text()
    check_shuffles(page)
    says(page, "All 10 draws follow from what the server and the players promised before the deal.")
    page.get_by_role("button", name="Play again").click()
    page.wait_for_url("**/t/*")
    expect(page.locator("#seats")).to_contain_text(f"level {2 if won else 1}")


def test_one_click_leads_from_the_front_page_to_a_game(opens: Opens) -> None:
    page = opens()
    page.goto("/")
    page.get_by_role("button", name="Play Ignite and Flow").click()
    page.wait_for_url("**/t/*")
    expect(page.locator("#seats")).to_contain_text("level 1")
    for turn in range(3):
        click_move(page, pick=turn)
    page.get_by_role("button", name="Resign").click()
    page.locator("#asking").get_by_role("button", name="Resign").click()
    expect(page.locator(".result")).to_contain_text("You lose by resignation")
    page.get_by_role("button", name="Play again").click()
    expect(page.locator("#seats")).to_contain_text("level 1")
    page.goto("/me")
    expect(page.locator(".tables li")).to_have_count(2)


def test_two_people_by_link_and_one_who_watches(opens: Opens) -> None:
    anna, bert, watcher = opens(), opens(390, 844, phone=True), opens()
    sit(anna, "ignite-and-flow", other="link", clock="minutes")
    link = anna.locator(".link input").input_value()
    assert "#join=" in link
    bert.goto(link)
    invitation = "Guest invites you to a game of Ignite and Flow. Your seat: Black."
    expect(bert.locator("#invitation")).to_have_text(invitation)
    join(bert, link, "Bert")
    expect(anna.locator("#seats")).to_contain_text("Bert")
    watcher.goto(anna.url)
    for page in (anna, bert, anna):
        click_move(page)
        while page.locator("#table.mine").count():  # a temple may be placed too
            click_move(page)
    wait_for_turn(bert)
    expect(watcher.locator("#moves li")).to_have_count(moves(bert))
    expect(watcher.locator("#prompt")).to_contain_text("You are watching")
    assert watcher.locator(".e-can").count() == 0
    expect(bert.locator("#seats .clock").first).to_contain_text(":")
    anna.get_by_role("button", name="Offer a draw").click()
    bert.get_by_role("button", name="Decline").click()
    expect(anna.locator("#notice")).to_have_text("Your draw offer was declined.")
    anna.get_by_role("button", name="Offer a draw").click()
    bert.get_by_role("button", name="Accept").click()
    expect(anna.locator(".result")).to_contain_text("A draw by agreement")
    anna.get_by_role("button", name="Rematch").click()
    expect(anna.locator("#prompt")).to_have_text("Waiting for players")
    expect(anna.locator("#seats")).to_contain_text("Bert")
    bert.get_by_role("button", name="Go to the rematch").click()
    wait_for_turn(bert)  # seats are exchanged


def test_a_table_is_shown_to_strangers_where_one_can_sit_down(opens: Opens) -> None:
    page = opens()
    page.goto("/new?game=ignite-and-flow")
    for other, shown in (("link", False), ("open", True), ("level-1", False)):
        page.select_option("[data-seat='1'] select", other)
        expect(page.locator("#listed")).to_be_checked(checked=shown)
    page.check("#listed")
    page.select_option("[data-seat='1'] select", "link")
    expect(page.locator("#listed")).to_be_checked()


def test_one_seat_in_two_tabs(opens: Opens) -> None:
    one = opens()
    sit(one, "ignite-and-flow", other="here")
    two = one.context.new_page()
    two.goto(one.url)
    click_move(one)
    expect(two.locator("#moves li")).to_have_count(1)
    click_move(two)
    expect(one.locator("#moves li")).to_have_count(2)


def test_two_tabs_of_a_stranger_are_one_player(opens: Opens) -> None:
    anna, first = opens(), opens()
    links = []
    for _ in range(2):
        sit(anna, "ignite-and-flow", other="link")
        links.append(anna.locator(".link input").input_value())
    second = first.context.new_page()
    for tab, link in zip((first, second), links, strict=True):
        tab.goto(link)  # both before this browser has a player
    for tab in (first, second):
        tab.get_by_role("button", name="Sit down").click()
        expect(tab.locator("#seats .mine")).to_have_count(1)
    first.reload()
    expect(first.locator("#seats .mine")).to_have_count(1)


UNANSWERED = "WebSocket.prototype.close = () => undefined"  # like closing when no packet gets through


@pytest.mark.parametrize("cause", ["network", "dead network", "server"])
def test_nothing_is_missed_when_the_connection_breaks(opens: Opens, server: Server, cause: str) -> None:
    anna, bert = opens(), opens()
    if cause == "dead network":
        bert.add_init_script(UNANSWERED)
    sit(anna, "points-of-power", other="link")
    join(bert, anna.locator(".link input").input_value(), "Bert")
    if "network" in cause:
        bert.context.set_offline(True)
        expect(bert.locator("#prompt")).to_contain_text("Connection lost.")
        click_move(anna)
        bert.context.set_offline(False)
    else:
        server.stop()
        expect(anna.locator("#prompt")).to_contain_text("Connection lost.")
        server.start()
        click_move(anna)
    expect(bert.locator("#moves li")).to_have_count(1)
    click_move(bert)
    expect(anna.locator("#moves li")).to_have_count(2)


@pytest.mark.parametrize("meanwhile", ["a draw was offered", "the other resigned", "it was played elsewhere"])
def test_a_move_entered_while_disconnected_is_played_or_said_to_be_late(opens: Opens, meanwhile: str) -> None:
    anna, bert = opens(), opens()
    sit(anna, "ignite-and-flow", other="link")
    join(bert, anna.locator(".link input").input_value(), "Bert")
    wait_for_turn(anna)
    anna.context.set_offline(True)
    expect(anna.locator("#prompt")).to_contain_text("Connection lost.")
    for target in ("F", "c3"):
        anna.locator(f"[data-target={target}]").click()
    if meanwhile == "a draw was offered":
        bert.get_by_role("button", name="Offer a draw").click()
        expect(bert.locator("#banner")).to_contain_text("You have offered a draw.")
    elif meanwhile == "the other resigned":
        bert.get_by_role("button", name="Resign").click()
        bert.locator("#asking").get_by_role("button", name="Resign").click()
        expect(bert.locator(".result")).to_be_visible()
    else:
        address = f"/api/matches/{anna.url.rpartition('/')[2]}/moves"
        assert anna.request.post(address, data={"number": 2, "move": "Fc3"}).ok
    anna.context.set_offline(False)
    if meanwhile == "the other resigned":
        says(anna, "The game has moved on in the meantime.")
    else:
        expect(bert.locator("#moves li")).to_have_count(1)
        expect(anna.locator("#moves li")).to_have_count(1)
        expect(anna.locator("#notice")).to_be_empty()


def test_taking_back_and_looking_back(opens: Opens) -> None:
    page = opens()
    sit(page, "points-of-power")
    click_move(page)
    wait_for_turn(page)
    expect(page.locator("#moves li")).to_have_count(2)
    page.focus("#moves")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#prompt")).to_have_text("An earlier position")
    assert page.locator(".e-can").count() == 0
    page.get_by_role("button", name="Back to the game").click()
    page.get_by_role("button", name="Take back").click()
    expect(page.locator("#moves li")).to_have_count(0)
    wait_for_turn(page)


def test_an_earlier_position_wanted_while_disconnected_comes_later(opens: Opens) -> None:
    page = opens()
    sit(page, "points-of-power", other="here")
    for _ in range(2):
        click_move(page)
    page.context.set_offline(True)
    expect(page.locator("#prompt")).to_contain_text("Connection lost.")
    page.get_by_role("button", name="first position").click()
    page.context.set_offline(False)
    expect(page.locator("#prompt")).to_have_text("An earlier position")
    expect(page.locator("#moves [aria-current]")).to_have_count(0)  # no move led to the position shown


def test_targets_are_where_they_were_after_looking_back(opens: Opens) -> None:
    page = opens()
    sit(page, "fire-and-water", other="here")
    for _ in range(2):
        click_move(page)
    places = "() => [...document.querySelectorAll('[data-target]')].map((rect) => rect.outerHTML)"
    tab = page.context.new_page()
    tab.goto(page.url)
    expect(tab.locator("#moves li")).not_to_have_count(0)  # and the first tab was told who is there
    expect(page.locator("#moves li")).to_have_count(moves(tab))
    now = page.evaluate(places)
    page.get_by_role("button", name="first position").click()
    expect(page.locator("#prompt")).to_have_text("An earlier position")
    page.wait_for_function(f"(now) => String(({places})()) !== String(now)", arg=now)
    page.get_by_role("button", name="Back to the game").click()
    wait_for_turn(page)
    assert page.evaluate(places) == now


def test_people_ask_each_other_before_a_move_is_taken_back(opens: Opens) -> None:
    anna, bert = opens(), opens()
    sit(anna, "points-of-power", other="link")
    join(bert, anna.locator(".link input").input_value(), "Bert")
    for page in (anna, bert):
        click_move(page)
    wait_for_turn(anna)
    last = anna.locator("#moves li").last.inner_text()
    anna.get_by_role("button", name="Take back").click()
    asked = bert.locator("#banner p")
    expect(asked).to_contain_text("Guest would like to take back their last move. That would undo 2 moves: ")
    expect(asked).to_contain_text(last)
    bert.get_by_role("button", name="Accept").click()
    expect(anna.locator("#moves li")).to_have_count(0)


def test_a_refused_choice_names_the_rule(opens: Opens) -> None:
    page = opens()
    sit(page, "points-of-power")
    wait_for_turn(page)
    page.locator("[data-target=f11]").click()
    says(page, "PP-7")
    rule = page.locator("#notice a")
    assert rule.get_attribute("href") == "/rules/points-of-power#PP-7"
    for link in (rule, *page.get_by_role("link", name="Rules").all()):
        with page.context.expect_page() as read:  # and nobody leaves the game by reading
            link.click()
        expect(read.value).to_have_url(re.compile("/rules/points-of-power"))


def test_what_was_chosen_is_offered_again_where_it_can_be_chosen_twice(opens: Opens) -> None:
    page = opens()
    sit_at(page, "ignite-and-flow board=6/6/6/1WEF2/2W2W/1W4 to-move=0")
    for target in ("b1", "c2", "d3"):  # three elements react: one of the two waters becomes a desert
        page.locator(f"[data-target={target}]").click()
    offered = page.locator("[data-layer=targets] .e-can")
    assert [one.get_attribute("data-target") for one in offered.all()] == ["b1", "c2"]
    page.locator("[data-target=c2]").click()
    expect(page.locator("#moves li")).to_have_count(1)


def test_dragging_a_piece(opens: Opens) -> None:
    page = opens()
    sit(page, "points-of-power")
    wait_for_turn(page)
    start = page.locator("[data-layer=targets] .drag").first
    start.hover()
    page.mouse.down()
    box = start.bounding_box()
    assert box
    page.mouse.move(box["x"] + 60, box["y"] + 60, steps=3)
    page.locator("[data-layer=targets] .e-can").first.hover()
    page.mouse.up()
    page.wait_for_selector("#moves li")


@pytest.mark.parametrize(
    ("game", "size", "language"),
    [
        ("elemental-defenders", (1280, 800), "en"),
        ("elemental-defenders", (360, 640), "de"),
        ("points-of-power", (390, 844), "en"),
    ],
)
def test_a_hint_points_at_a_legal_move(opens: Opens, game: str, size: tuple[int, int], language: str) -> None:
    looks = {"de": "(Schau hierhin|Denk über diese Möglichkeit nach): ", "en": "(Look here|Think about this choice): "}
    could, why = ("Du könntest ", "Warum") if language == "de" else ("You could ", "Why")
    page = opens(*size, phone=size[0] < 500, language=language)
    page.request.post("/api/players", data={"name": "Ada"})
    seats = [{"kind": "me"}, {"kind": "bot", "agent": "level-1"}]
    page.goto(f"/t/{page.request.post('/api/matches', data={'game': game, 'seats': seats}).json()['id']}")
    wait_for_turn(page)
    hint, told = page.locator("[data-do=hint]"), page.locator("#hint")
    hint.click()
    expect(told).to_contain_text(re.compile(looks[language]))
    expect(page.locator("[data-layer=spots] *").first).to_be_in_viewport()
    hint.press("Enter")
    page.wait_for_selector("[data-layer=arrows] *")
    expect(told).to_contain_text(could)
    expect(page.locator("[data-layer=spots] *")).to_have_count(0)
    move = told.locator("p").inner_text()
    told.get_by_role("button", name=why).click()
    expect(told.locator("button")).to_have_count(0)
    assert re.fullmatch(rf"{re.escape(move)} \S.{{20,}}", told.locator("p").inner_text())
    board, words = page.locator("#board svg").bounding_box(), told.bounding_box()
    assert board
    assert words
    assert words["y"] > board["y"] + board["height"] or words["x"] > board["x"] + board["width"]
    click_move(page)
    expect(told).to_be_hidden()
