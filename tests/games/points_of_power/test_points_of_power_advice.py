"""The evaluation of Points of Power."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import pytest
from conftest import INTERPRETED

from empedocles import Position, new
from empedocles.core.bits import two_words
from empedocles.core.kernel import NO_WEIGHTS, State, offered
from empedocles.games.points_of_power import GAME
from empedocles.games.points_of_power.advice import evaluate
from empedocles.games.points_of_power.lookups import CELLS, SIZE

SEATS = (2, 4)
ELSEWHERE = "WWW.EEE..../WWW.EEE..../WWW.EEE..../.........../FFF.....mmm/FFF.....mmm/FFF.....mmm/.........../"
ELSEWHERE += ".....*.*AAA/...*.*.*AAA/...*.*.*AAA"  # with the material plane at the edge


def worths(s: State) -> npt.NDArray[np.float32]:
    out = np.full(int(s.seats), 9, np.float32)
    evaluate(s, NO_WEIGHTS, out)
    return out


def walk(seed: int, players: int, board: str = "cross", plies: int = 120) -> Iterator[Position]:
    """The positions of a random game that is not over."""
    rng, position = random.Random(seed), new("points-of-power", players=players, board=board).position
    while not position.is_over and plies:
        yield position
        position, plies = position.play(rng.choice(position.legal_actions)), plies - 1


def turned(s: State) -> State:
    """The same position with the sides exchanged: the board turned by 90°, each element in place of its prey."""
    other = GAME.start({"players": int(s.seats)})
    for e in range(4):
        cells = (c for c in range(CELLS) if int(s.pieces[e, c >> 6]) >> (c & 63) & 1)
        other.pieces[(e + 1) % 4] = two_words((SIZE - 1 - c % SIZE) * SIZE + c // SIZE for c in cells)
    moved = int(s.moved) << 1
    other.moved, other.quiet = moved & 15 | moved >> 4, s.quiet
    other.mover = (int(s.mover) + 1) % int(s.seats)
    return other


def test_the_game_offers_it() -> None:
    assert GAME.advice is not None
    assert GAME.advice.evaluate is evaluate is offered("evaluate", GAME.rules.state)


@pytest.mark.parametrize("players", SEATS)
@pytest.mark.parametrize("board", ["cross", ELSEWHERE])
def test_worths_are_in_range_and_sides_sum_to_zero(players: int, board: str) -> None:
    for position in walk(1, players, board):
        found = worths(position.state)
        assert np.all(np.abs(found) < 1)
        assert found[0] == -found[1]
        assert np.array_equal(found[2:], found[:2][: players - 2])  # team-mates share


@pytest.mark.parametrize("players", SEATS)
def test_sides_exchanged_are_worth_the_opposite(players: int) -> None:
    start = GAME.start({"players": players})
    assert np.array_equal(turned(start).pieces, start.pieces)  # the board itself is symmetrical
    for position in walk(2, players):
        s = position.state
        assert worths(turned(s))[1] == pytest.approx(worths(s)[0], abs=1e-6)


# One list for all back-ends.
@pytest.mark.parametrize(
    ("players", "expected"), [(2, [0.0359485, 0.1012792, -0.2235641]), (4, [0.0528975, 0.3461840, 0.3130764])]
)
def test_worths_are_the_same_interpreted_and_compiled(players: int, expected: list[float]) -> None:
    found = [worths(position.state)[0] for position in list(walk(5, players))[:81:40]]
    assert found == pytest.approx(expected, abs=1e-6)


def test_the_last_exposed_piece_of_an_element_is_all() -> None:
    quiet = "fire=h8,i9,j9,k9,i10 air=i3,j4,k1 earth=c4,d4,a1,b1 water=c9,d9,a9,b9,c10"
    caught = quiet.replace("c9,d9", "g8,d9")  # Water touches the only exposed Fire
    before, after = (worths(Position(f"points-of-power {text} to-move=1").state)[1] for text in (quiet, caught))
    assert after > 0.9 > before


def test_what_is_not_won_soon_is_drawn() -> None:
    text = "points-of-power fire=h8,g8,i9 air=i3,j4 earth=c4,d4,a1,b1 water=c8 quiet={} to-move=0"
    worth = [worths(Position(text.format(quiet)).state)[0] for quiet in (0, 100, 199)]
    assert worth[0] > worth[1] > worth[2] > 0
    assert worth[2] < 0.02


def greedy(position: Position) -> Position:
    """After the move that leads to the best position for the mover."""

    def gain(after: Position) -> float:
        seat = position.to_move or 0
        if after.result:
            return 2.0 * (seat in after.result.winners) - 1
        return float(worths(after.state)[seat])

    return max((position.play(action) for action in position.legal_actions), key=gain)


@pytest.mark.parametrize("players", SEATS)
def test_greedy_beats_random(players: int) -> None:
    for seed in range(1 if INTERPRETED else 6):
        rng, position = random.Random(seed), new("points-of-power", players=players).position
        while not position.is_over:
            mine = (position.to_move or 0) % 2 == seed % 2
            position = greedy(position) if mine else position.play(rng.choice(position.legal_actions))
        assert position.result is not None
        assert seed % 2 in position.result.winners
