"""Mining: what makes a position a puzzle, how difficult it is, and which puzzles are shipped."""

from __future__ import annotations

import json
import threading
from contextlib import suppress
from dataclasses import replace
from functools import reduce
from pathlib import Path

import pytest

from empedocles.agents import LadderAgent
from empedocles.coach.puzzles import Puzzle, identity, own_plies, puzzles
from empedocles.errors import BadValue, Unsolvable
from empedocles.games import find
from empedocles.play.mining import candidates as mining
from empedocles.play.mining import selection
from empedocles.play.mining.candidates import Candidate, Source, candidates, goes_on, is_trivial
from empedocles.play.mining.checks import checked, expected, rating_of
from empedocles.play.mining.glances import does_most, is_idle, looks_best
from empedocles.play.mining.judging import Effort, searched, solved
from empedocles.play.mining.rechecks import is_too_large, rechecked
from empedocles.play.mining.selection import by_deeds, done_in, enough, fit, selected, spread, trimmed
from empedocles.play.mining.work import Work, step
from empedocles.position import Position
from empedocles.search import brute, exact
from empedocles.search.limits import Limit
from empedocles.search.mcts import Search

DEFENDERS = Source("elemental-defenders", {"mode": "basic"})
EFFORT = Effort(simulations=2000, nodes=200_000)
EXCHANGE = (  # of the piece on the material plane
    "points-of-power players=2 board=cross fire=f4,j8,k9,i10,j10,k10,i11,j11,k11 air=i1,j1,k1,i2,j2,k2,j3,k4,mp"
    " earth=a1,b1,d1,a2,b2,c2,a3,b3,d4 water=d8,a9,b9,a10,b10,c10,a11,b11,c11 moved=FAEW quiet=12 to-move=0"
)


def some(number: int) -> list[Puzzle]:
    pattern = puzzles(find("elemental-defenders"))[0]
    return [replace(pattern, id=f"{k:08}", source=f"a game {k}, move 1") for k in range(number)]


# ── What is a puzzle ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_game_and_its_candidates_follow_from_its_number() -> None:
    one, again = (candidates(DEFENDERS, 3, EFFORT) for _ in range(2))
    assert one == again
    assert all("seed 1000003" in candidate.source for candidate in one)


def test_a_solved_position_is_a_puzzle_if_one_move_keeps_the_result() -> None:
    for number in range(4):
        for candidate in candidates(DEFENDERS, number, EFFORT):
            position = Position(candidate.position)
            judgement = solved(position)
            assert judgement is not None
            worth = exact.values(position)
            others = [points for move, points in worth.items() if move != judgement.best.move]
            best = worth[judgement.best.move]
            assert all((points > 0) - (points < 0) < (best > 0) - (best < 0) for points in others)


def test_a_move_that_looks_best_at_a_glance_is_trivial() -> None:
    capture = Position(EXCHANGE)
    assert [move for move in capture.legal_moves if looks_best(capture, move)] == ["f4xmp"]
    assert is_trivial(capture, "f4xmp")
    start = Position.start("points-of-power")
    assert not any(looks_best(start, move) for move in start.legal_moves)


def test_a_move_that_does_the_most_at_once_is_trivial_if_the_weakest_see_it(monkeypatch: pytest.MonkeyPatch) -> None:
    capture = Position(EXCHANGE)
    assert [move for move in capture.legal_moves if does_most(capture, move)] == ["f4xmp"]
    monkeypatch.setattr(mining, "looks_best", lambda *_: False)
    for found, trivial in ((4, True), (2, True), (1, False)):
        answers = iter(["f4xmp"] * found + ["f4-e5"] * 8)
        monkeypatch.setattr(LadderAgent, "choose", lambda *_, answers=answers: next(answers))
        assert is_trivial(capture, "f4xmp") == trivial


def test_to_decline_a_temple_is_nothing_to_find() -> None:
    choice = Position(
        "ignite-and-flow reactions=all board=EE1FFF/FED2E/FE1EEF/2DDFF/DDEtED/WWDDtD taken=0/0 quiet=0 due=temple"
        " to-move=1"
    )
    assert [move for move in choice.legal_moves if is_idle(choice, move)] == ["-"]
    assert is_trivial(choice, "-")


def test_to_decline_a_mediator_is_a_decision() -> None:
    declined = [one for one in puzzles(find("elemental-defenders")) if one.theme == "mediators-declined"]
    assert declined
    assert not any(is_idle(one.start, one.line[0]) for one in declined)


def test_a_candidate_becomes_a_puzzle_with_shares_of_all_levels() -> None:
    candidate = next(each for number in range(9) for each in candidates(DEFENDERS, number, EFFORT))
    puzzle = checked(candidate, EFFORT)
    assert puzzle is not None
    assert puzzle.by == "solver"
    assert len(puzzle.solved) == 8
    assert puzzle.solved[-1] == 1  # sees exact values
    assert not is_trivial(puzzle.start, puzzle.line[0])


def test_the_right_move_and_all_others_are_searched_as_long(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[tuple[str | None, int | None]] = []

    class Counted(Search):
        def run(self, limit: Limit, stop: threading.Event | None = None) -> None:
            begun.append((self.without, limit.simulations))
            super().run(limit, stop)

        def __init__(self, position: Position, seed: int = 0, without: str | None = None, nodes: int = 0) -> None:
            self.without = without
            super().__init__(position, seed, without=without, nodes=nodes)

    monkeypatch.setattr("empedocles.play.mining.judging.Search", Counted)
    puzzle = next(one for one in puzzles(find("points-of-power")) if one.by == "search")
    assert searched(puzzle.start, EFFORT, seed=1) is not None
    assert begun == [(None, EFFORT.simulations), (puzzle.line[0], EFFORT.simulations)]


def test_a_start_has_no_single_right_move() -> None:
    assert searched(Position.start("ignite-and-flow"), EFFORT, seed=1) is None


def test_ratings_are_where_as_many_levels_are_expected_to_solve_as_do() -> None:
    assert rating_of([0.0] * 4 + [1.0] * 4) == pytest.approx(1500, abs=1)
    assert rating_of([0.0] * 8) == 2600
    assert rating_of([1.0] * 8) == 400
    assert expected(1500, 8) == pytest.approx(4)
    assert rating_of([0.0] * 5 + [1.0] * 3) > rating_of([0.0] * 3 + [1.0] * 5)


# ── Work that is interrupted ─────────────────────────────────────────────────────────────────────────────────────────


def test_work_goes_on_where_it_ended(tmp_path: Path) -> None:
    work = Work(tmp_path, DEFENDERS, EFFORT, target=2)
    while not work.puzzles:
        _name, line = step(*work.next())
        work.add(line)
    with work.path.open("a", encoding="utf-8") as file:
        file.write('{"number": 77, "cand')  # the program was killed while it wrote
    again = Work(tmp_path, DEFENDERS, EFFORT, target=2)
    assert (again.games, again.seen, again.puzzles) == (work.games, work.seen, work.puzzles)
    assert json.loads(again.path.read_text(encoding="utf-8").splitlines()[-1])


def test_candidates_with_several_moves_to_find_are_checked_first(tmp_path: Path) -> None:
    found = [
        Candidate(one.id, one.position, one.theme, one.source, goes_on(one.start, judgement))
        for one in puzzles(find("elemental-defenders"))[:40]
        if (judgement := solved(one.start))
    ]
    assert {candidate.goes_on for candidate in found} == {False, True}
    work = Work(tmp_path, DEFENDERS, EFFORT, target=2)
    work.add({"number": 0, "candidates": [candidate.facts for candidate in found]})
    order = [work.next()[1].goes_on for _ in range(len(found) - 1)]
    assert order == sorted(order, reverse=True)


def test_work_of_another_effort_is_refused(tmp_path: Path) -> None:
    Work(tmp_path, DEFENDERS, EFFORT, target=2)
    with pytest.raises(BadValue, match="is of other work"):
        Work(tmp_path, DEFENDERS, Effort(), target=2)


def test_a_failure_is_kept_and_ends_nothing_else() -> None:
    name, line = step(replace(DEFENDERS, game="chess"), 5, EFFORT)
    assert name == "chess-basic"
    assert line["number"] == 5
    assert "unknown game 'chess'" in line["failed"]


# ── What is shipped ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_selection_spreads_difficulty_and_leaves_out_rare_themes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selection, "is_obvious", lambda *_: False)
    many = [replace(one, rating=1000 + 10 * k) for k, one in enumerate(some(40))]
    assert [one.rating for one in spread(many, 4)] == [1050, 1150, 1250, 1350]
    rare = replace(many[0], id="ffffffff", source="another game, move 1", theme="free-virtue")
    chosen = selected([*many, rare], most=30, least=20)
    assert len(chosen) == 20  # no more, as nearly all have one theme
    assert rare.theme not in {one.theme for one in chosen}


def test_of_the_same_answer_in_one_game_the_most_difficult_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selection, "is_obvious", lambda *_: False)
    one, two = some(2)
    two = replace(two, rating=one.rating + 100, source=one.source.replace("move 1", "move 3"))
    assert enough([one, two], least=1) == [two]
    assert enough([one, two], least=2) == [two, one]


def test_obvious_puzzles_only_fill_up_the_most_difficult_first(monkeypatch: pytest.MonkeyPatch) -> None:
    easy, hard, fine, again = (replace(one, rating=1000 + 10 * k) for k, one in enumerate(some(4)))
    fine, again = (replace(one, line=("deep",), source="a game") for one in (fine, again))
    monkeypatch.setattr(selection, "is_obvious", lambda _start, move: move != "deep")
    for least, kept in enumerate(([again], [again], [again, hard], [again, hard, easy], [again, hard, easy, fine])):
        assert enough([easy, hard, fine, again], least) == kept
    found = replace(hard, solved=(0.5, *hard.solved[1:]))  # by the weakest, every other time
    assert enough([easy, found, again], 2) == [again, easy]


def test_what_does_the_most_at_once_fills_up_last(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selection, "is_obvious", lambda *_: True)
    often = [replace(one, line=(str(k),), solved=(0.5,) * 8, rating=1000 + k) for k, one in enumerate(some(3))]
    monkeypatch.setattr(selection, "does_most", lambda _start, move: move == "2")
    assert enough(often, least=3) == [often[1], often[0], often[2]]


def test_of_two_on_one_line_the_longer_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selection, "is_obvious", lambda *_: False)
    whole = next(one for one in puzzles(find("elemental-defenders")) if one.own_moves == 2)
    ply = own_plies(whole.start, whole.line)[1]
    place = reduce(Position.play, whole.line[:ply], whole.start)
    rest = replace(whole, id=identity(place), position=place.text, line=whole.line[ply:], source="a game, move 1")
    after = place.play(whole.line[-1])
    assert enough([rest, whole], least=2) == [whole]
    assert enough([replace(rest, rating=whole.rating + 1), whole], least=2) == [replace(rest, rating=whole.rating + 1)]
    beyond = replace(rest, id=identity(after), position=after.text, line=("any",))
    assert sorted(one.id for one in enough([beyond, whole], least=2)) == sorted([beyond.id, whole.id])


def test_lines_end_before_what_is_nothing_to_find(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = next(one for one in puzzles(find("elemental-defenders")) if one.own_moves == 2)
    monkeypatch.setattr(selection, "rated", lambda one: replace(one, solved=()))  # the shares may stay the same
    for idle, line in (("none", puzzle.line), (puzzle.line[-1], puzzle.line[:1]), (puzzle.line[0], None)):
        monkeypatch.setattr(selection, "is_idle", lambda _place, move, idle=idle: move == idle)
        left = trimmed(puzzle)
        assert (left and left.line) == line
        assert [one.solved == puzzle.solved for one in fit([puzzle])] == ([] if line is None else [line == puzzle.line])


def test_no_chance_move_can_come_up() -> None:
    late = puzzles(find("fire-and-water"))[0]
    early = replace(late, position=Position.start("fire-and-water", {"players": 2}).text)
    assert fit([late, early]) == [late]


def test_a_puzzle_is_about_what_its_moves_do_rather_than_a_lesser_measure() -> None:
    pattern = next(one for one in puzzles(find("points-of-power")) if one.own_moves == 1)
    capture = replace(pattern, position=EXCHANGE, line=("f4xmp",))
    assert done_in(capture) == {"exchange": 0.6, "saved": 0.7}
    themes = {"points-near": "saved", "last-at-risk": "last-at-risk", "saved-last": "saved-last"}
    for theme, better in themes.items():
        assert by_deeds(replace(capture, theme=theme)).theme == better


# ── Searches for it ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_brute_force_agrees_with_the_solver() -> None:
    late = (one.start for one in puzzles(find("elemental-defenders")) if "round=2" in one.position)
    position = next(position for position in late if len(position.legal_actions) == 4)
    results = brute.results(position)
    assert results == {move: (points > 0) - (points < 0) for move, points in exact.values(position).items()}
    assert len(set(results.values())) > 1
    with pytest.raises(Unsolvable, match="more than 1 nodes"):
        brute.results(position, nodes=1)


def test_brute_force_is_tried_however_a_puzzle_was_found() -> None:
    proven = next(one for one in puzzles(find("fire-and-water")) if one.by == "proof" and one.own_moves == 1)
    for by in ("proof", "search"):
        (recheck,) = rechecked(replace(proven, by=by), EFFORT, nodes=10**6)
        assert (recheck.how, recheck.holds) == ("brute force", True)
    (recheck,) = rechecked(proven, EFFORT, nodes=10)
    assert recheck.how == "search"


def test_brute_force_is_not_tried_where_every_random_game_shows_that_it_is_hopeless() -> None:
    assert is_too_large(Position.start("ignite-and-flow"), 10**8)
    solvable = []
    for puzzle in puzzles(find("fire-and-water"))[:40]:
        with suppress(Unsolvable):
            brute.results(puzzle.start, nodes=10**5)
            solvable.append(puzzle.start)
    assert solvable
    assert not any(is_too_large(position, 10**5) for position in solvable)


def test_a_search_can_leave_one_move_out() -> None:
    position = Position.start("ignite-and-flow")
    every = Search(position, nodes=200_000)
    every.run(Limit(simulations=500))
    best = every.evaluations()[0].move
    others = Search(position, without=best, nodes=200_000)
    others.run(Limit(simulations=500))
    assert {one.move for one in others.evaluations()} == set(position.legal_moves) - {best}
    for one in others.evaluations():
        assert position.play(one.move).text  # each child kept its own action
