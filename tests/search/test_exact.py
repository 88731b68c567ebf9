"""Exact solutions: against plain minimax on the rules, and what they promise."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from empedocles import Position, Unsolvable, new
from empedocles.games import GAMES
from empedocles.search.exact import solve
from empedocles.testing.samples import random_match

GAME = GAMES["elemental-defenders"]
VARIANTS = [
    (mode, answer) for mode in ("basic", "mediators", "challenge", "advanced") for answer in ("element", "either")
]
DEAL = "dealt=MaWeWfWaPfPwKeKfKwNw"  # the example of the rule book


def lead(position: Position) -> int:
    return int(position.state.scores[0]) - int(position.state.scores[1])


def cards(position: Position) -> int:
    """In both hands together; 0 while they are dealt."""
    both = position.state.hands[0] | position.state.hands[1]
    return int(both).bit_count() if position.to_move in (0, 1) else 0


def minimax(position: Position, start: Position) -> int:
    """What seat 0 gains on seat 1 in the rest of the round, tried out move by move."""
    if position.is_over or position.state.second != start.state.second:
        return lead(position) - lead(start)
    best = max if position.to_move == 0 else min
    return best(minimax(position.play(move), start) for move in position.legal_moves)


def check(position: Position) -> None:
    solution = solve(position)
    sign = 1 if position.to_move == 0 else -1
    assert solution.facts["lead in the rest of this round"] == sign * minimax(position, position)
    # What is not of this round is the same after every move.
    rest = solution.points - sign * (lead(position) + minimax(position, position))
    for move, points in solution.moves.items():
        after = position.play(move)
        assert points == sign * (lead(position) + minimax(after, position)) + rest
    if position.state.second:
        assert rest == 0


def check_small_endings(options: dict[str, str], matches: int) -> None:
    checked = 0
    for seed in range(matches):
        positions = random_match(GAME, options, seed).positions()
        small = [p for p in positions if p.to_move in (0, 1) and 0 < cards(p) < 8]
        for position in small[:: max(1, len(small) // 2)]:
            check(position)
            checked += 1
    assert checked > matches


@pytest.mark.parametrize(("mode", "answer"), VARIANTS)
def test_small_endings_equal_minimax_on_the_rules(mode: str, answer: str) -> None:
    check_small_endings({"mode": mode, "answer": answer}, 12)


@pytest.mark.long
@pytest.mark.parametrize(("mode", "answer"), VARIANTS)
def test_many_small_endings_equal_minimax_on_the_rules(mode: str, answer: str) -> None:
    check_small_endings({"mode": mode, "answer": answer}, 200)


@pytest.mark.parametrize(
    "fields",
    [
        "mediators=Pw/- hands=Wf/Na to-move=0",  # tenth exchange, the mediator's player attacks: a righteous victory
        "mediators=Pw/- hands=Wf/Nf to-move=0",
        "mediators=Pw/- hands=Wf/Na to-move=1",  # the other attacks
        "mediators=Pw/- hands=WfKf/NaNfWw to-move=0",  # the ninth is still to come
        "mediators=Pw/- hands=WfKf/NaNfMf to-move=1",
        "mediators=Pw/Mf hands=WfKfKe/NaNfPa to-move=0",  # both have one: no tenth exchange
    ],
)
@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.parametrize("options", ["mode=advanced", "mode=mediators", "mode=advanced answer=either"])
def test_mediators_and_the_tenth_exchange_equal_minimax(fields: str, number: int, options: str) -> None:
    text = f"elemental-defenders {options} {DEAL} round={number} {fields}"
    if number == 2:  # the seats have exchanged their cards
        names = dict(word.split("=") for word in fields.split())
        swapped = {k: "/".join(reversed(v.split("/"))) if "/" in v else str(1 - int(v)) for k, v in names.items()}
        fields = " ".join(f"{name}={value}" for name, value in swapped.items())
        text = f"elemental-defenders {options} {DEAL} round=2 {fields}"
    check(Position(text))


def test_a_righteous_victory_is_worth_22_times_virtue() -> None:
    position = Position(f"elemental-defenders {DEAL} round=2 mediators=-/Pw hands=Na/Wf to-move=1")
    assert solve(position).points == 22 * 10


@settings(max_examples=25)
@given(st.integers(0, 2**32), st.sampled_from(VARIANTS))
def test_every_match_is_a_draw_before_its_first_move(seed: int, variant: tuple[str, str]) -> None:
    mode, answer = variant
    solution = solve(new("elemental-defenders", mode=mode, answer=answer, seed=seed).position)
    assert (solution.points, solution.value) == (0, 0)
    assert solution.best
    assert max(solution.moves.values()) == 0


@settings(max_examples=10)
@given(st.integers(0, 2**32), st.sampled_from(VARIANTS), st.integers(0, 25))
def test_the_best_line_leads_to_the_value(seed: int, variant: tuple[str, str], plies: int) -> None:
    match = random_match(GAME, dict(zip(("mode", "answer"), variant, strict=True)), seed, plies=10 + plies)
    if match.is_over:
        return
    position = match.position
    solution = solve(position)
    end = position
    for move in solution.line:
        end = end.play(move)
    assert end.is_over
    assert lead(end) == solution.points * (1 if position.to_move == 0 else -1)
    assert solution.line[0] in solution.best


def test_what_cannot_be_solved_is_refused() -> None:
    with pytest.raises(Unsolvable, match="Ignite and Flow has no exact solver"):
        solve(new("ignite-and-flow").position)
    with pytest.raises(Unsolvable, match="a chance move is due"):
        solve(new("elemental-defenders", chance="manual").position)
    with pytest.raises(Unsolvable, match="the game is over"):
        solve(random_match(GAME, {"mode": "basic"}, 1).position)
