"""The evaluation of Fire & Water: its scale, its symmetries, and that it knows what wins."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest
from conftest import INTERPRETED

from empedocles.core.kernel import NO_WEIGHTS
from empedocles.core.kernel import evaluate as generic
from empedocles.games.fire_and_water import GAME
from empedocles.games.fire_and_water.advice import evaluate
from empedocles.games.fire_and_water.lookups import BOARD, CELLS, NEAR, OUTSIDE
from empedocles.games.fire_and_water.patterns import by_empty_neighbours
from empedocles.position import Position
from empedocles.testing.samples import random_match, random_positions

BOARD_OF_2 = "fire-and-water board=chessboard elementals=b2,b7,g2"


def worths(position: Position) -> list[float]:
    out = np.zeros(position.seats, np.float32)
    evaluate(position.state, NO_WEIGHTS, out)
    return [float(worth) for worth in out]


def going_on(count: int) -> list[Position]:
    return [position for position in random_positions(GAME, count) if not position.is_over]


def test_the_expectations_are_on_the_scale_of_results_and_add_up_to_nothing() -> None:
    for position in going_on(20 if INTERPRETED else 400):
        found = worths(position)
        assert all(-1 < worth < 1 for worth in found), position.text
        assert sum(found) == pytest.approx(0, abs=1e-6), position.text
        if position.seats == 2:
            assert found[1] == -found[0]


# Players, plies of a random match, and what a position then is worth to each seat
KNOWN: list[tuple[int, int, list[float]]] = [
    (2, 20, [-0.0729, 0.0729]),
    (2, 50, [-0.6501, 0.6501]),
    (3, 20, [-0.1349, 0.2857, -0.1508]),
    (3, 50, [0.0525, 0.1884, -0.2409]),
    (3, 75, [-0.0353, 0.3533, -0.318]),
    (4, 20, [-0.1, 0.0779, -0.0488, 0.0709]),
    (4, 50, [-0.064, 0.257, -0.1436, -0.0494]),
    (4, 75, [-0.0859, 0.5817, -0.2972, -0.1987]),
]


@pytest.mark.parametrize(("players", "plies", "known"), KNOWN)
def test_known_worths_interpreted_and_compiled(players: int, plies: int, known: list[float]) -> None:
    position = random_match(GAME, {"players": players, "board": "medallion"}, seed=1, plies=plies).position
    assert worths(position) == pytest.approx(known, abs=1e-4)


def test_the_generic_function_finds_the_evaluation() -> None:
    position = Position(f"{BOARD_OF_2} markers=F2d4W3d5/- to-move=1")
    out = np.zeros(2, np.float32)
    generic(position.state, NO_WEIGHTS, out)
    assert out.tolist() == worths(position) == [-out[1], out[1]]
    assert out.any()


def test_exchanged_seats_exchange_expectations() -> None:
    halves = "F2d4W3d5,F1e4W4f4", "F3c6W2c7,F4g6W1g7"
    hands, leaders = ("F1W1,F2W4,F3W3", "F4W4,F1W2,F2W2"), ("h4", "d7")

    def both(order: int, to_move: int) -> list[float]:
        fields = (
            f"{name}={parts[order]}/{parts[1 - order]}"
            for name, parts in (("markers", halves), ("hands", hands), ("leaders", leaders), ("tokens", ("-", "-")))
        )
        return worths(Position(f"{BOARD_OF_2} {' '.join(fields)} to-move={to_move}"))

    assert both(0, 0) == pytest.approx(both(1, 1)[::-1])
    assert both(0, 1) == pytest.approx(both(1, 0)[::-1])


def test_empty_neighbours_are_counted() -> None:
    for position in going_on(30):
        s, players = position.state, position.seats
        for cell in range(CELLS):
            if int(BOARD[players, cell >> 6]) >> (cell & 63) & 1:
                near = [int(c) for c in NEAR[players, cell] if c != OUTSIDE]
                empty = sum(int(s.empty[c >> 6]) >> (c & 63) & 1 for c in near)
                sets = [int(cells) >> (cell & 63) & 1 for cells in by_empty_neighbours(s, cell >> 6)]
                assert sets == [int(min(empty, 3) == k) for k in range(4)], (position.text, cell)


def test_fw20_in_the_last_turn_of_two_the_winner_is_known() -> None:
    for finale, seed in itertools.product(("tokens", "claims"), range(2 if INTERPRETED else 60)):
        *_, turn, _ = random_match(GAME, {"players": 2, "board": "medallion", "finale": finale}, seed).positions()
        if "last=-" not in turn.text:
            mover = turn.to_move or 0
            best = max(after(turn, action)[mover] for action in turn.legal_actions)
            assert worths(turn)[mover] * best > 0.8, turn.text


@pytest.mark.skipif(INTERPRETED, reason="thousands of positions")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_greedy_player_beats_chance(players: int) -> None:
    assert sum(greedy_wins(players, seed) for seed in range(8)) >= 7


def greedy_wins(players: int, seed: int) -> bool:
    """Whether a player who takes what looks best wins against players who take anything."""
    rng, greedy = random.Random(seed), seed % players
    position = Position.start(GAME, {"players": players})
    while not position.is_over:
        actions = position.legal_actions
        action = rng.choice(actions)
        if position.to_move == greedy:
            action = max(actions, key=lambda action: after(position, action)[greedy])
        position = position.play(action)
    return position.result is not None and greedy in position.result.winners


def after(position: Position, action: int) -> list[float]:
    then = position.state
    GAME.rules.play(then, action)
    out = np.zeros(position.seats, np.float32)
    if then.over:
        GAME.rules.returns(then, out)
    else:
        evaluate(then, NO_WEIGHTS, out)
    return [float(worth) for worth in out]
