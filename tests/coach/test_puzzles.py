"""Puzzles: what their data promise, and how they are found, solved and rated."""

from __future__ import annotations

import datetime
import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from empedocles.coach import puzzles as puzzling
from empedocles.coach.puzzles import Attempt, Puzzle, Skill, Verdict, identity, puzzles
from empedocles.errors import BadValue, IllegalMove, UnknownName
from empedocles.game import Game
from empedocles.games import GAMES, find
from empedocles.play.mining.checks import rating_of
from empedocles.play.mining.judging import Effort
from empedocles.play.mining.rechecks import rechecked
from empedocles.play.mining.selection import answer_of, fit, places_on_line
from empedocles.position import Position

DEFENDERS = find("elemental-defenders")
SHORT, LONGER = Effort(simulations=20_000, nodes=2_000_000), Effort(simulations=200_000, nodes=6_000_000)
SHIPPED = [game for game in GAMES.values() if puzzles(game)]


def long_one() -> Puzzle:
    """A puzzle with several moves to find."""
    return next(puzzle for puzzle in puzzles(DEFENDERS) if puzzle.own_moves > 1)


# ── The data ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(params=SHIPPED, ids=lambda game: game.name)
def shipped(request: pytest.FixtureRequest) -> Game:
    found: Game = request.param
    return found


def test_ids_are_sorted_and_tell_positions_apart_up_to_symmetry(shipped: Game) -> None:
    names = [puzzle.id for puzzle in puzzles(shipped)]
    assert names == sorted(set(names))
    assert names == [identity(puzzle.start) for puzzle in puzzles(shipped)]


def test_lines_begin_and_end_with_the_solver_and_have_no_chance_moves(shipped: Game) -> None:
    for puzzle in puzzles(shipped):
        place, movers = puzzle.start, []
        for move in puzzle.line:
            movers.append(place.to_move)
            place = place.play(move)
        assert all(mover in range(place.seats) for mover in movers), puzzle.id
        assert movers[0] == movers[-1] == puzzle.start.to_move
        assert 1 <= puzzle.own_moves <= 4
        assert len(puzzle.start.legal_moves) > 1


def test_no_puzzle_begins_on_the_line_of_another(shipped: Game) -> None:
    starts = {identity(puzzle.start) for puzzle in puzzles(shipped)}
    for puzzle in puzzles(shipped):
        assert starts.isdisjoint(places_on_line(puzzle)), puzzle.id


def test_no_two_puzzles_of_a_game_have_the_same_answer(shipped: Game) -> None:
    answers = Counter((str(puzzle.start.options), answer_of(puzzle)) for puzzle in puzzles(shipped))
    assert {answer: number for answer, number in answers.items() if number > 1} == {}


def test_every_way_to_play_has_a_hundred_and_fifty(shipped: Game) -> None:
    numbers = Counter(str(puzzle.start.options) for puzzle in puzzles(shipped))
    assert len(numbers) == (2 if shipped is DEFENDERS else 1)
    assert min(numbers.values()) >= 150


def test_every_puzzle_has_a_concept_a_rating_and_shares_of_all_levels(shipped: Game) -> None:
    for puzzle in puzzles(shipped):
        assert puzzle.game is shipped
        assert puzzle.idea.name == puzzle.theme
        assert len(puzzle.solved) == puzzling.LEVELS
        assert all(0 <= share <= 1 for share in puzzle.solved)
        assert puzzle.rating == rating_of(puzzle.solved)
        assert 1 <= puzzle.stars <= 5
        assert puzzle.best[0] > puzzle.second[0]
        assert puzzle.by in ("proof", "solver", "search")
        assert (puzzle.effort == (0, 0)) == (puzzle.by != "search")
        assert puzzle.effort == (0, 0) or puzzle.effort[0] >= 1_000_000


def test_every_move_of_a_line_is_something_to_find_and_luck_has_no_say(shipped: Game) -> None:
    assert fit(puzzles(shipped)) == list(puzzles(shipped))
    for puzzle in puzzles(shipped):
        assert not puzzle.start.play(puzzle.line[0]).is_over, puzzle.id


def sample(game: Game, number: int) -> list[Puzzle]:
    known = puzzles(game)
    return random.Random(game.name).sample(known, min(number, len(known)))


def test_a_sample_has_one_right_move(shipped: Game) -> None:
    """By the exact solver, by brute force where that is quick, else by a search with another seed, long if need be."""
    for puzzle in sample(shipped, 8):
        if not all(recheck.holds for recheck in rechecked(puzzle, SHORT, nodes=200_000)):
            for recheck in rechecked(puzzle, LONGER, nodes=200_000):
                assert recheck.holds, recheck


@pytest.mark.long
def test_a_hundred_of_each_game_have_one_right_move(shipped: Game) -> None:
    """By the exact solver, by brute force of up to 10⁸ nodes, or by a third search of 10⁶ simulations."""
    for puzzle in sample(shipped, 100):
        for recheck in rechecked(puzzle, Effort()):
            assert recheck.holds, recheck


def test_a_game_without_the_file_has_no_puzzles() -> None:
    bare = replace(DEFENDERS, folder=DEFENDERS.folder / "nowhere")
    assert puzzles(bare) == ()
    assert puzzling.themes(bare) == {}
    assert puzzling.next_for(bare, 1500) is None
    with pytest.raises(UnknownName, match="Elemental Defenders has no puzzles"):
        puzzling.of_the_day(bare, datetime.date(2026, 11, 18))


def test_a_damaged_file_is_refused_with_the_line_at_fault(tmp_path: Path) -> None:
    (tmp_path / "puzzles.jsonl").write_text('{"id": "12345678"}\n', encoding="utf-8")
    with pytest.raises(BadValue, match="line 1 of the puzzles of elemental-defenders"):
        puzzles(replace(DEFENDERS, folder=tmp_path))


def test_mirrored_positions_are_the_same_puzzle() -> None:
    game = find("ignite-and-flow")
    assert game.view is not None
    start = Position.start(game)
    first = start.legal_actions[3]
    for symmetry in game.view.symmetries(start.options):
        assert identity(start.play(first)) == identity(start.play(int(symmetry.actions[first])))
    assert identity(start.play(first)) != identity(start)


# ── Choosing ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_puzzles_are_found_by_id() -> None:
    puzzle = puzzles(DEFENDERS)[-1]
    assert puzzling.find(DEFENDERS, puzzle.id) is puzzle
    with pytest.raises(UnknownName, match="has no puzzle 'nothing'"):
        puzzling.find(DEFENDERS, "nothing")


def test_themes_have_eight_puzzles_or_more(shipped: Game) -> None:
    for name, idea in puzzling.themes(shipped).items():
        assert idea.name == name
        assert sum(puzzle.theme == name for puzzle in puzzles(shipped)) >= 8


def test_the_puzzle_of_the_day_does_not_come_again_before_all_have_come(shipped: Game) -> None:
    day = datetime.date(2026, 11, 18)
    days = [day + datetime.timedelta(days=k) for k in range(len(puzzles(shipped)))]
    assert {puzzling.of_the_day(shipped, day).id for day in days} == {puzzle.id for puzzle in puzzles(shipped)}
    assert puzzling.of_the_day(shipped, day) is puzzling.of_the_day(shipped, datetime.date(2026, 11, 18))


def test_the_next_puzzle_is_near_the_rating_and_new(shipped: Game) -> None:
    first = puzzling.next_for(shipped, 1500)
    assert first is not None
    assert all(abs(first.rating - 1500) <= abs(other.rating - 1500) for other in puzzles(shipped))
    second = puzzling.next_for(shipped, 1500, {first.id})
    assert second is not None
    assert second.id != first.id
    assert puzzling.next_for(shipped, 1500, {puzzle.id for puzzle in puzzles(shipped)}) is None
    with pytest.raises(UnknownName, match="the theme 'romance'"):
        puzzling.next_for(shipped, 1500, theme="romance")


# ── Solving ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_line_solves_a_puzzle_and_the_answers_are_played() -> None:
    puzzle = long_one()
    attempt, verdicts = Attempt(puzzle), []
    while not attempt.is_solved:
        assert attempt.position.to_move == puzzle.start.to_move
        verdicts.append(attempt.answer(attempt.expected))
    assert verdicts == [Verdict.RIGHT] * (puzzle.own_moves - 1) + [Verdict.SOLVED]
    with pytest.raises(BadValue, match="is solved"):
        attempt.answer(puzzle.line[0])


def test_a_wrong_move_changes_nothing() -> None:
    puzzle = long_one()
    attempt = Attempt(puzzle)
    for move in puzzle.start.legal_moves:
        if move != puzzle.line[0]:
            assert attempt.answer(move) is Verdict.WRONG
            assert attempt.position == puzzle.start
    with pytest.raises(IllegalMove):
        attempt.answer("nonsense")
    assert attempt.answer(puzzle.line[0]) is Verdict.RIGHT


# ── Ratings ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_skill_follows_results_and_becomes_surer() -> None:
    puzzle = replace(long_one(), rating=1500)
    new = Skill()
    assert new.rating == 1500
    better, worse = new.after(puzzle, True), new.after(puzzle, False)
    assert better.rating - 1500 == pytest.approx(1500 - worse.rating)
    assert better.rating > 1550
    assert better.sigma < new.sigma
    assert new.after(replace(puzzle, rating=2200), True).rating > better.rating


def test_skill_settles_where_half_of_the_puzzles_are_solved() -> None:
    skill = Skill()
    for _ in range(100):
        skill = skill.after(replace(long_one(), rating=1900), True).after(replace(long_one(), rating=1900), False)
    assert skill.rating == pytest.approx(1900, abs=60)
