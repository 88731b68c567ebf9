"""Puzzles in a browser: right and wrong, by mouse, finger and keyboard, in English and German."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable

import pytest
from e2e.browsers import Opens
from e2e.people import answer, no_overflow, says
from e2e.test_learning import go
from playwright.sync_api import Page, expect

from empedocles.coach.puzzles import Attempt, Puzzle, Verdict, puzzles, themes
from empedocles.games import GAMES
from empedocles.position import Position

ALL = [puzzle for game in GAMES.values() for puzzle in puzzles(game)]
EVERY = [next(iter(puzzles(game))) for game in GAMES.values() if puzzles(game)]
ENGINE = 60_000  # milliseconds for a worker to start and to think


def own_moves(puzzle: Puzzle) -> list[tuple[Position, str]]:
    """The moves to find, each with its position."""
    attempt, moves = Attempt(puzzle), []
    while not attempt.is_solved:
        moves.append((attempt.position, attempt.expected))
        attempt.answer(attempt.expected)
    return moves


def wrong_moves(puzzle: Puzzle) -> list[str]:
    """Wrong moves that are entered at once, and that an opponent answers."""
    start = puzzle.start
    wrong = (move for move in start.legal_moves if Attempt(puzzle).answer(move) is Verdict.WRONG)
    return [move for move in wrong if is_plain(start, move) and start.play(move).to_move in {0, 1} - {start.to_move}]


def targets(position: Position, move: str) -> list[str]:
    return [target for group in position.game.paths[position.action(move)] for target in sorted(group)]


def is_plain(position: Position, move: str) -> bool:
    """Whether a move is entered by one choice, with nothing to confirm."""
    first = targets(position, move)[0]
    return [other for other in position.legal_moves if first in targets(position, other)] == [move]


def is_long(puzzle: Puzzle) -> bool:
    """Whether there are several moves to find, with answers in between, each entered by one choice."""
    moves = own_moves(puzzle)
    return 1 < len(moves) < len(puzzle.line) and bool(wrong_moves(puzzle)) and all(is_plain(*one) for one in moves)


LONG = next(filter(is_long, ALL))


def wrong(puzzle: Puzzle) -> str:
    return wrong_moves(puzzle)[0]


def enter(page: Page, position: Position, move: str) -> None:
    """Enter a move by clicks; some could go on, and are confirmed."""
    page.wait_for_selector(".board .e-can")
    for target in targets(position, move):
        page.locator(f".board [data-target='{target}']").click()
    page.wait_for_timeout(50)
    if (button := page.locator(".confirm")).is_visible():
        button.click()


def solve(page: Page, puzzle: Puzzle) -> None:
    for number, (position, move) in enumerate(own_moves(puzzle), start=1):
        if puzzle.own_moves > 1:
            expect(page.locator("#step")).to_have_text(re.compile(rf"\b{number}\b.+\b{puzzle.own_moves}\b"))
        enter(page, position, move)
    expect(page.locator(".answer")).to_have_attribute("data-verdict", "solved")


def play(position: Position, moves: Iterable[str]) -> Position:
    return functools.reduce(Position.play, moves, position)


def rating(page: Page) -> int:
    found = re.search(r"\d+", page.locator(".rating").inner_text())
    assert found
    return int(found[0])


def visit(page: Page, puzzle: Puzzle) -> None:
    page.goto(f"/puzzles/{puzzle.game.name}/{puzzle.id}")
    expect(page.locator("svg.e-picture")).to_be_visible()


@pytest.mark.parametrize("puzzle", EVERY, ids=lambda puzzle: puzzle.game.name)
def test_a_puzzle_is_solved(opens: Opens, puzzle: Puzzle) -> None:
    page = opens()
    visit(page, puzzle)
    seat = puzzle.game.seat_names(puzzle.start.seats)[puzzle.start.to_move or 0]
    expect(page.locator("h1")).to_have_text(f"{seat} to move: find the best move.")
    assert page.locator(".about").is_hidden()
    assert rating(page) == 1500
    solve(page, puzzle)
    expect(page.locator(".rating")).to_contain_text("(+")
    assert rating(page) > 1500
    about = page.locator(".about")
    expect(about.locator("h2")).to_have_text(puzzle.idea.title)
    expect(about.locator(".value")).to_have_text(str(puzzle.rating))
    expect(about.locator(".dots .on")).to_have_count(sum(share >= 0.5 for share in puzzle.solved))
    expect(about.locator(".line button")).to_have_count(len(puzzle.line))
    expect(page.get_by_role("link", name="Next puzzle")).to_be_focused()


def test_the_answer_glides_in_and_the_line_can_be_stepped_through(opens: Opens) -> None:
    page = opens(reduced_motion="no-preference")
    visit(page, LONG)
    position, move = own_moves(LONG)[0]
    enter(page, position, move)
    expect(page.locator(".verdict")).to_have_text("Right!")
    ply = next(ply for ply, _ in enumerate(LONG.line) if play(LONG.start, LONG.line[:ply]) == own_moves(LONG)[1][0])
    reply = play(LONG.start, LONG.line[: ply - 1]).words(LONG.line[ply - 1]).say()
    expect(page.locator(".words")).to_have_text(f"{reply}. Now find the next move.")
    page.get_by_role("button", name="Show the solution").click()
    line = page.locator(".about .line button")
    expect(line.last).to_have_attribute("aria-current", "step")
    line.first.click()
    expect(line.first).to_have_attribute("aria-current", "step")
    expect(page.locator(".words")).to_have_text(f"{position.words(move).say()}.")


def test_a_wrong_move_is_refuted_in_words_and_by_an_arrow(opens: Opens) -> None:
    page = opens()
    visit(page, LONG)
    bad = wrong(LONG)
    enter(page, LONG.start, bad)
    expect(page.locator(".verdict")).to_have_text("Not the best move.")
    expect(page.locator(".words")).to_contain_text("The strongest answer:", timeout=ENGINE)
    assert page.locator("[data-layer=arrows] > *").count()
    assert LONG.start.words(LONG.line[0]).say() not in page.locator(".lesson").inner_text()
    lower = rating(page)
    assert lower < 1500
    page.get_by_role("button", name="Try again").click()
    assert page.locator("[data-layer=arrows] > *").count() == 0
    solve(page, LONG)
    assert rating(page) == lower, "only the first answer counts"
    page.reload()
    solve(page, LONG)
    assert rating(page) == lower


def test_the_solution_is_shown_to_whoever_gives_up(opens: Opens) -> None:
    page = opens()
    visit(page, LONG)
    page.get_by_role("button", name="Show the solution").click()
    expect(page.locator(".verdict")).to_have_text("This is the solution.")
    expect(page.locator(".about .line button").last).to_have_attribute("aria-current", "step")
    assert rating(page) < 1500


def test_what_cannot_be_chosen_is_explained_by_its_rule(opens: Opens) -> None:
    page = opens()
    visit(page, LONG)
    page.wait_for_selector(".board .e-can")
    page.locator("[data-layer=targets] :not(.e-can)").first.click()
    expect(page.locator(".verdict")).to_have_text("Not allowed:")
    page.fill("#typed", "nonsense")
    page.keyboard.press("Enter")
    expect(page.locator(".words")).to_contain_text("legal moves here are")
    page.fill("#typed", LONG.line[0])
    page.keyboard.press("Enter")
    expect(page.locator(".verdict")).to_have_text("Right!")


def test_one_after_another_at_ones_own_level(opens: Opens) -> None:
    page = opens()
    known, seen = {puzzle.position: puzzle for puzzle in puzzles(LONG.game)}, []
    page.goto(f"/puzzles/{LONG.game.name}")
    for _ in range(3):
        with page.expect_response("**/solution") as answered:
            page.get_by_role("button", name="Show the solution").click()
        record = answered.value.json()["about"]["record"]
        seen.append(next(puzzle for text, puzzle in known.items() if f'"{text}"' in record))
        page.get_by_role("link", name="Next puzzle").click()
        expect(page.locator(".about")).to_be_hidden()
    assert len({puzzle.id for puzzle in seen}) == 3
    assert rating(page) < 1400
    assert abs(seen[2].rating - rating(page)) <= abs(seen[0].rating - rating(page)), "puzzles follow the rating"


def test_when_all_are_seen_one_may_start_over(opens: Opens) -> None:
    page = opens()
    page.goto("/puzzles")
    seen = {LONG.game.name: [puzzle.id for puzzle in puzzles(LONG.game)]}
    page.evaluate("(seen) => localStorage.setItem('puzzles', JSON.stringify({seen, round: seen}))", seen)
    page.goto(f"/puzzles/{LONG.game.name}")
    answer(page, "Start again")
    expect(page.locator("svg.e-picture")).to_be_visible()
    page.get_by_role("button", name="Show the solution").click()
    expect(page.locator(".about")).to_be_visible()
    assert rating(page) == 1500, "what was seen before does not count"


def daily(page: Page) -> Puzzle:
    """The puzzle on the page of the day."""
    with page.expect_response(re.compile(rf"/api/puzzles/{LONG.game.name}/[0-9a-f]{{8}}\?")) as told:
        page.goto(f"/puzzles/{LONG.game.name}/day")
    return next(puzzle for puzzle in puzzles(LONG.game) if puzzle.id == told.value.json()["id"])


def test_the_puzzle_of_the_day_is_the_same_for_everybody_and_makes_a_streak(opens: Opens) -> None:
    ada, bo = opens(), opens(390, 844, phone=True, language="de-DE")
    puzzle = daily(ada)
    assert daily(bo) == puzzle
    solve(ada, puzzle)
    expect(ada.locator(".days")).to_have_text("1 day in a row")
    ada.goto("/puzzles")
    expect(ada.locator(".streaks")).to_have_text("1 day in a row")
    expect(ada.locator(f"[data-game='{LONG.game.name}'] .daily")).to_contain_text("Puzzle of the day, solved")
    expect(ada.locator(f"[data-game='{LONG.game.name}'] .own")).to_contain_text("Rating")
    yesterday = """(game) => {
      const memory = JSON.parse(localStorage.getItem("puzzles"));
      const last = new Date(Date.parse(memory.days.last) - 864e5).toISOString().slice(0, 10);
      localStorage.setItem("puzzles", JSON.stringify({ ...memory, days: { last, number: 4 }, daily: {} }));
    }"""
    ada.evaluate(yesterday)
    solve(ada, daily(ada))
    expect(ada.locator(".days")).to_have_text("5 days in a row")


def test_ratings_and_streaks_can_be_forgotten(opens: Opens) -> None:
    page = opens()
    visit(page, LONG)
    page.get_by_role("button", name="Show the solution").click()
    expect(page.locator(".about")).to_be_visible()
    page.goto("/puzzles")
    page.get_by_role("button", name="Forget them").click()
    answer(page, "Forget them")
    expect(page.get_by_role("button", name="Forget them")).to_be_hidden()
    visit(page, LONG)
    assert rating(page) == 1500


def test_german(opens: Opens) -> None:
    page = opens(language="de-DE")
    visit(page, LONG)
    expect(page.locator("h1")).to_contain_text("am Zug: Finde den besten Zug.")
    enter(page, LONG.start, wrong(LONG))
    expect(page.locator(".verdict")).to_have_text("Nicht der beste Zug.")
    expect(page.locator(".words")).to_contain_text("Die stärkste Antwort:", timeout=ENGINE)
    page.get_by_role("button", name="Lösung zeigen").click()
    expect(page.locator(".verdict")).to_have_text("Das ist die Lösung.")
    page.goto("/puzzles")
    expect(page.locator("h1")).to_have_text("Rätsel")


@pytest.mark.parametrize("size", [(390, 844), (360, 640)])
def test_a_phone(opens: Opens, size: tuple[int, int]) -> None:
    page = opens(*size, phone=True)
    for address in ("/puzzles", f"/puzzles/{LONG.game.name}"):
        page.goto(address)
        page.wait_for_load_state("networkidle")
        no_overflow(page)
    visit(page, LONG)
    for position, move in own_moves(LONG):
        page.wait_for_selector(".board .e-can")
        for target in targets(position, move):
            page.locator(f".board [data-target='{target}']").tap()
    expect(page.locator(".answer")).to_have_attribute("data-verdict", "solved")
    expect(page.get_by_role("link", name="Next puzzle")).to_be_in_viewport()
    no_overflow(page)


def test_only_the_keyboard(opens: Opens) -> None:
    page = opens()
    visit(page, LONG)
    page.wait_for_selector(".board .e-can")
    page.locator("#typed").focus()
    while not page.locator(".board:focus").count():
        page.keyboard.press("Shift+Tab")
    for target in targets(LONG.start, wrong(LONG)):
        go(page, target)
    expect(page.locator(".verdict")).to_have_text("Not the best move.")
    page.keyboard.press("Escape")
    expect(page.locator(".answer")).to_have_attribute("data-verdict", "")
    for position, move in own_moves(LONG):
        page.wait_for_selector(".board .e-can")
        for target in targets(position, move):
            go(page, target)
    expect(page.locator(".verdict")).to_have_text("Solved!")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/puzzles/{LONG.game.name}")


def test_a_puzzle_is_reported(opens: Opens) -> None:
    page = opens()
    visit(page, LONG)
    page.get_by_role("button", name="Show the solution").click()
    page.get_by_role("button", name="Report this puzzle").click()
    dialog = page.locator("dialog")
    dialog.get_by_label("The solution is wrong").check()
    dialog.get_by_role("textbox").fill("Look at the last move.")
    with page.expect_response("**/reports") as sent:
        dialog.get_by_role("button", name="Send").click()
    assert sent.value.status == 204
    assert sent.value.request.post_data_json == {"reason": "wrong", "note": "Look at the last move."}
    says(page, "Thank you.")
    page.get_by_role("button", name="Report this puzzle").click()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


def test_the_solution_is_analysed_in_the_review(opens: Opens) -> None:
    page = opens()
    visit(page, LONG)
    page.get_by_role("button", name="Show the solution").click()
    page.get_by_role("button", name="Analyse").click()
    page.wait_for_url("**/review/*")
    expect(page.locator("#moves li")).to_have_count(len(LONG.line))


def test_another_layout_keeps_what_was_found(opens: Opens) -> None:
    page = opens()
    visit(page, LONG)
    moves = own_moves(LONG)
    enter(page, *moves[0])
    expect(page.locator(".words")).to_contain_text("Now find the next move.")
    page.set_viewport_size({"width": 700, "height": 900})
    expect(page.locator(".words")).to_contain_text("Now find the next move.")
    expect(page.locator("#step")).to_have_text(f"Move 2 of {LONG.own_moves}")
    for position, move in moves[1:]:
        enter(page, position, move)
    expect(page.locator(".verdict")).to_have_text("Solved!")
    assert rating(page) > 1500


def test_themes_are_offered_and_kept_to(opens: Opens) -> None:
    page = opens()
    page.goto("/puzzles")
    for game in GAMES.values():
        assert page.locator(f".themes a[href^='/puzzles/{game.name}?theme=']").count() == len(themes(game))
    for game in GAMES.values():
        for name, idea in list(themes(game).items())[:1]:
            page.goto(f"/puzzles/{game.name}?theme={name}")
            expect(page.locator(".path")).to_contain_text(idea.title)
            page.get_by_role("button", name="Show the solution").click()
            expect(page.locator("#about-title")).to_have_text(idea.title)
