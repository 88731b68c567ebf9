"""The end of a round and of a match: what readers see, from their own side, and how they go on."""

from __future__ import annotations

import pytest
from e2e.browsers import Opens
from e2e.people import click_move, no_overflow, sit_against, sit_at, wait_for_turn
from e2e.test_accessibility import barriers
from playwright.sync_api import FloatRect, Page, Route, expect

LAST_SQUARE = "ignite-and-flow board=DDDDDD/DDDDDD/DDDDDD/DDDDDD/DDDDDD/{} taken=1/1 to-move=0"
# Dawn attacks with the Warden of Fire, which Dusk cannot answer: the first round ends.
ROUND = (
    "elemental-defenders mode=basic dealt=MwWeWfWaPfKfKwNeNfNa round=1 hands=WeWfPfKwNeNfNa/MeMaPePwKeKaNw"
    " mediators=-/- led=- scores=0/0 to-move=0"
)
# Dusk attacks with the Warden of Fire, which Dawn cannot answer: the match ends.
LAST_ATTACK = (
    "elemental-defenders mode=basic dealt=MeMfWeWfWaWwPePfKfNf round=2 hands=Ma/Wf"
    " mediators=-/- led=- scores=0/0 to-move=1"
)
# Water takes the last Fire that is not on its own plane.
LAST_EXPOSED = (
    "points-of-power players=4 board=cross fire=h8,k11 air=g3,g2 earth=d4,d5 water=h7,a7 moved=FAEW quiet=3 to-move=3"
)

AT_ONCE = "localStorage.setItem('confirm', 'false')"  # on phones, moves are confirmed otherwise


def _box(page: Page, selector: str) -> FloatRect:
    box = page.locator(selector).bounding_box()
    assert box
    return box


def _fill_the_board(page: Page) -> None:
    wait_for_turn(page)
    page.locator("[data-target=F]").click()
    page.locator("[data-target=f1]").click()
    if "TE" in page.request.get(f"/api/matches/{page.url.rpartition('/')[2]}").json()["position"]:
        page.locator("[data-target='-']").click()  # no second temple


@pytest.mark.parametrize(
    ("row", "size", "looks", "headline", "land", "total"),
    [
        ("TEEDD1", (390, 844), "won", "You win 7 : 4", ["3", "0"], ["7", "4"]),
        ("tEEDD1", (360, 640), "lost", "You lose 4 : 7", ["0", "3"], ["4", "7"]),
        ("DDDDD1", (1280, 800), "drawn", "A draw 4 : 4", ["0", "0"], ["4", "4"]),
    ],
)
def test_a_result_is_told_from_the_readers_side_and_taken_apart(
    opens: Opens, row: str, size: tuple[int, int], looks: str, headline: str, land: list[str], total: list[str]
) -> None:
    page = opens(*size, phone=size[0] < 500)
    page.add_init_script(AT_ONCE)
    sit_against(page, LAST_SQUARE.format(row))
    for phrase in ("Aim: most points", "temples taken (4 each): 1 : 1", f"land: {' : '.join(land)}"):
        expect(page.locator(".phrases")).to_contain_text(phrase)
    _fill_the_board(page)
    result = page.locator(f".result.{looks}")
    expect(result.get_by_role("heading")).to_have_text(headline)
    expect(result.locator(".tally tbody tr").first.locator("td")).to_have_text(land)
    expect(result.locator(".tally tfoot td")).to_have_text(total)
    expect(result).to_contain_text("The last empty square was filled. IF-15")
    assert headline in page.title().replace("\u00a0", " ")
    expect(page.locator("#prompt")).to_have_text("The last empty square was filled.")
    expect(page.locator(".turn, .e-plate-active, .sparks")).to_have_count(0)
    no_overflow(page)
    for way in ("Play again", "Review the match"):
        expect(result.get_by_text(way)).to_be_in_viewport(ratio=1)
    if size[0] < 500:  # the board stays in view above the sheet
        assert _box(page, ".result")["y"] > _box(page, "#board svg")["y"] + 0.15 * size[1]
    result.get_by_role("button", name="Close").click()
    expect(result).to_be_hidden()
    page.get_by_role("button", name="Result").click()
    expect(result).to_be_visible()
    page.keyboard.press("Escape")
    expect(result).to_be_hidden()


@pytest.mark.parametrize("size", [(360, 640), (390, 844), (1280, 800)], ids=str)
def test_the_deciding_card_is_in_view_beside_a_result_that_fits(opens: Opens, size: tuple[int, int]) -> None:
    page = opens(*size, phone=size[0] < 500, language="de")
    words = "Morgen antwortet mit der Priesterin des Feuers und behält zwei Mystikerinnen und eine Ritterin"
    found = {"ply": 0, "seat": 0, "turned": True, "words": words, "before": 0.9, "after": -1, "chances": [95, 0]}
    page.route("**/turning-point*", lambda route: route.fulfill(json=found))
    sit_against(page, LAST_ATTACK)
    expect(page.locator(".result.lost")).to_contain_text("So besiegst du")
    expect(page.locator("#turning")).to_contain_text(words)
    card, sheet = _box(page, "[data-target=Wf]"), _box(page, ".result")
    if size[0] < 500:
        assert card["y"] > 0
        assert card["y"] + card["height"] <= sheet["y"]
    else:
        assert page.locator(".result").evaluate("(sheet) => sheet.scrollHeight <= sheet.clientHeight")
        assert sheet["y"] + sheet["height"] <= size[1]
        assert card["x"] + card["width"] <= sheet["x"]


def test_of_two_people_on_one_device_the_winner_comes_first(opens: Opens) -> None:
    page = opens()
    sit_at(page, LAST_SQUARE.format("tEEDD1"))
    _fill_the_board(page)
    result = page.locator(".result")
    expect(result.get_by_role("heading")).to_have_text("Bo wins 7 : 4")
    expect(result.locator(".tally tfoot td")).to_have_text(["7", "4"])  # in the same order
    expect(result.locator(".tally thead th")).to_have_text(["Bo", "Ada"])


def test_from_the_second_seat_the_readers_own_score_comes_first(opens: Opens) -> None:
    page = opens()
    sit_against(page, LAST_SQUARE.format("TEEDD1").replace("to-move=0", "to-move=1"), seat=1)
    expect(page.locator("#goal summary b")).to_have_text("4 : 7")
    expect(page.locator(".phrases")).to_contain_text("land: 0 : 3")
    wait_for_turn(page)
    for target in ("F", "f1"):
        page.locator(f"[data-target={target}]").click()
    result = page.locator(".result.lost")
    expect(result.get_by_role("heading")).to_have_text("You lose 4 : 7")
    expect(result.locator(".tally thead th").first).to_have_text("You")
    expect(result.locator(".tally tfoot td")).to_have_text(["4", "7"])


def test_of_four_people_on_one_device_the_winning_side_comes_first(opens: Opens) -> None:
    """There is a column for each side, not for each winner, and what ended the match is named."""
    page = opens()
    sit_at(page, LAST_EXPOSED)
    for square in ("h7", "h8"):
        page.locator(f"[data-target={square}]").click()
    result = page.locator(".result")
    expect(result.get_by_role("heading")).to_have_text("Bo, Di win")
    expect(result.locator(".tally thead th")).to_have_text(["Air, Water", "Fire, Earth"])
    expect(result.locator(".tally tbody tr").nth(1).locator("td")).to_have_text(["2", "1"])
    expect(result).to_contain_text("Fire has no exposed piece left: Fire and Earth lose. PP-16")
    expect(page.locator("#prompt")).to_have_text("Fire has no exposed piece left: Fire and Earth lose.")
    watcher = opens()
    watcher.goto(page.url)
    expect(watcher.locator(".result .tally thead th")).to_have_text(["Air, Water", "Fire, Earth"])


@pytest.mark.parametrize("size", [(390, 844), (360, 640), (1280, 800)], ids=str)
def test_buttons_stay_where_they_are_when_the_turning_point_is_found(opens: Opens, size: tuple[int, int]) -> None:
    page, held = opens(*size, phone=size[0] < 500), list[Route]()

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/turning-point*", hold)
    page.add_init_script(AT_ONCE)
    sit_against(page, LAST_SQUARE.format("tEEDD1"))
    _fill_the_board(page)
    turning = page.locator("#turning")
    expect(turning).to_have_text("Looking for the turning point …")
    assert _box(page, "#turning")["height"] < 30, "one quiet line"
    before = _box(page, ".result .buttons .primary")
    found = {
        "ply": 0,
        "seat": 0,
        "turned": size[0] > 360,
        "words": "White places earth on f1, where the temple was",
        "before": 0.6,
        "after": -0.7,
        "chances": [80, 15],
    }
    held[0].fulfill(json=found)
    expect(turning).to_contain_text("The turning point:" if size[0] > 360 else "The costliest move:")
    expect(turning).to_contain_text("Your chances fell from 80 % to 15 %.")
    assert _box(page, ".result .buttons .primary") == before


def test_the_last_move_is_looked_at_first_and_a_win_is_a_joy(opens: Opens) -> None:
    page = opens(bypass_csp=True)
    page.emulate_media(reduced_motion="no-preference")
    sit_against(page, LAST_SQUARE.format("TEEDD1"))
    _fill_the_board(page)
    expect(page.locator("#prompt")).to_have_text("The last empty square was filled.")
    assert not page.locator(".result").count()
    page.wait_for_selector(".sparks i", state="attached")
    expect(page.locator(".sparks")).to_have_count(0)  # soon over
    assert not barriers(page)
    page.get_by_role("button", name="Play again").click()
    page.wait_for_url("**/t/*")
    expect(page.locator("#seats")).to_contain_text("level")


def _attack(page: Page) -> None:
    wait_for_turn(page)
    page.locator("[data-target=Wf]").click()


def test_the_end_of_a_round_stays_in_view_until_the_reader_goes_on(opens: Opens) -> None:
    page = opens(390, 844, phone=True)
    page.add_init_script(AT_ONCE)
    sit_against(page, ROUND)
    _attack(page)
    end = page.locator(".milestone")
    expect(end).to_contain_text("Dusk cannot answer the Warden of Fire: Dawn wins round 1.")
    expect(end).to_contain_text("(10 − 6 left in hand) × virtue 10 = 40 points. ED-13")
    expect(page.locator("#board")).to_contain_text("Dawn wins round 1")
    expect(page.locator("#goal summary b")).to_have_text("40 : 0")
    assert not page.locator("#table.mine").count()
    no_overflow(page)
    end.get_by_role("button", name="Go on").click()
    expect(end).to_have_count(0)
    wait_for_turn(page)
    expect(page.locator("#board")).not_to_contain_text("Dawn wins round 1")
    page.reload()
    wait_for_turn(page)
    expect(end).to_have_count(0)


def test_nobody_waits_for_a_reader_who_looks_at_the_end_of_a_round(opens: Opens) -> None:
    anna, bert = opens(), opens()
    sit_against(anna, ROUND, "open")
    bert.request.post("/api/players", data={"name": "Bert"})
    assert bert.request.post(f"/api/matches/{anna.url.rpartition('/')[2]}/join", data={}).ok
    bert.goto(anna.url)
    _attack(anna)
    for person in (anna, bert):
        expect(person.locator(".milestone")).to_be_visible()
    click_move(anna)  # goes on, and attacks first in the second round
    expect(bert.locator(".milestone")).to_have_count(0)
    wait_for_turn(bert)
