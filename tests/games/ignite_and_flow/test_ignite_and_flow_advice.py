"""The hand-made evaluation of Ignite and Flow: its promises, its symmetries, and that it helps."""

from __future__ import annotations

import random

import numpy as np
import pytest

from empedocles import Position
from empedocles.core.kernel import NO_WEIGHTS
from empedocles.core.kernel import evaluate as evaluate_any
from empedocles.games.ignite_and_flow import GAME
from empedocles.games.ignite_and_flow.advice import evaluate
from empedocles.games.ignite_and_flow.lookups import SIZE
from empedocles.testing.samples import random_positions

POSITIONS = [position for position in random_positions(GAME, 120, seed=3) if not position.is_over]
COLOURS = str.maketrans("Tt", "tT")


def worth(position: Position) -> tuple[float, float]:
    out = np.zeros(2, np.float32)
    evaluate(position.state, NO_WEIGHTS, out)
    return float(out[0]), float(out[1])


def fields_of(position: Position) -> dict[str, str]:
    return dict(field.split("=") for field in position.text.split()[1:])


def made_of(fields: dict[str, str]) -> Position:
    return Position(" ".join([GAME.name, *(f"{name}={value}" for name, value in fields.items())]))


def colours_swapped(position: Position) -> Position:
    fields = fields_of(position)
    taken = "/".join(reversed(fields.get("taken", "0/0").split("/")))
    mover = str(1 - int(fields["to-move"]))
    return made_of(fields | {"board": fields["board"].translate(COLOURS), "taken": taken, "to-move": mover})


def at(board: str, mover: int = 0) -> Position:
    return made_of({"reactions": "all", "board": board, "to-move": str(mover)})


def rows_of(position: Position) -> list[str]:
    """The board, row by row, one letter or `.` a square."""
    packed = fields_of(position)["board"]
    for empty in range(1, SIZE + 1):
        packed = packed.replace(str(empty), "." * empty)
    return packed.split("/")


def with_rows(position: Position, rows: list[str]) -> Position:
    board = "/".join(rows)
    for empty in range(SIZE, 0, -1):
        board = board.replace("." * empty, str(empty))
    return made_of(fields_of(position) | {"board": board})


def mirrored(position: Position) -> Position:
    return with_rows(position, [row[::-1] for row in rows_of(position)])


def upside_down(position: Position) -> Position:
    return with_rows(position, rows_of(position)[::-1])


def transposed(position: Position) -> Position:
    return with_rows(position, ["".join(column) for column in zip(*rows_of(position), strict=True)])


def test_worths_are_within_bounds_and_sum_to_zero() -> None:
    for position in POSITIONS:
        white, black = worth(position)
        assert -1 < white < 1
        assert white == -black


def test_other_colours_other_sign() -> None:
    for position in POSITIONS:
        assert worth(colours_swapped(position)) == worth(position)[::-1], position.text


def test_the_board_has_no_preferred_side() -> None:
    for position in POSITIONS:
        assert worth(mirrored(position)) == worth(position), position.text
        assert worth(upside_down(position)) == worth(position), position.text
        if position.options["reactions"] != "literal":
            assert worth(transposed(position)) == worth(position), position.text
            assert worth(colours_swapped(transposed(position))) == worth(position)[::-1], position.text


def test_generic_search_finds_this_evaluation() -> None:
    assert GAME.advice is not None
    assert GAME.advice.evaluate is evaluate
    out = np.zeros(2, np.float32)
    evaluate_any(POSITIONS[0].state, NO_WEIGHTS, out)
    assert out[0] == worth(POSITIONS[0])[0] != 0


SAMPLES = {  # as compiled; interpreted it must be the same
    "TWWtEE/2WEDE/1W1E1W/4Wt/EEEWWF/1WTEEF": 0.4933347,
    "EWWtEF/2WEW1/1W1W1W/4W1/E1E2E/1WTEE1": 0.3066861,
    "TEWtEE/E1DEDE/1EFEFE/EE2EE/tEWDFD/EWTEEF": -0.4870141,
}


@pytest.mark.parametrize("board", SAMPLES)
def test_samples_interpreted_and_compiled(board: str) -> None:
    assert worth(at(board))[0] == pytest.approx(SAMPLES[board], abs=1e-6)


def test_never_as_sure_as_the_end() -> None:
    assert 0.99 < worth(at("EEEEEE/EEEEEE/EEETEE/EEEEEE/EEEEEE/EEEE1W"))[0] < 1


def test_land_and_safe_temples_are_good() -> None:
    ahead, threatened = at("WWWWWW/WTEEWW/WWWWWW/W4W/WWtWWW/WWWWWW"), at("WWWWWW/WTEEWW/WWWWWW/W4W/WFtWWW/WWWWWW")
    assert worth(ahead)[0] > 0.3
    assert worth(threatened)[0] > worth(ahead)[0]


def greedy(position: Position) -> str:
    """The move after which the mover can expect most: temple choices one by one, like any other move."""
    seat = 0 if position.to_move == 0 else 1
    return max(position.legal_moves, key=lambda move: expected(position.play(move), seat))


def expected(position: Position, seat: int) -> float:
    if position.result is None:
        return worth(position)[seat]
    return float(seat in position.result.winners) - float(1 - seat in position.result.winners)


def test_greed_beats_chance() -> None:
    rng, wins = random.Random(5), 0
    for seat in (0, 1, 0, 1):
        position = Position.start(GAME, {"reactions": "all"})
        while not position.is_over:
            position = position.play(greedy(position) if position.to_move == seat else rng.choice(position.legal_moves))
        assert position.result is not None
        wins += position.result.winners == {seat}
    assert wins == 4
