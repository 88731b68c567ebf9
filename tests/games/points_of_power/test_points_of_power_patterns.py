"""What a trained network sees: the same of positions that turn into each other."""

from __future__ import annotations

import numpy as np
import pytest

from empedocles.core.kernel import NO_WEIGHTS, Weights, evaluate, features
from empedocles.games import find
from empedocles.games.points_of_power.patterns import MOST, PART, SIZE_OF_TABLE
from empedocles.games.points_of_power.text import ELEMENTS
from empedocles.position import Position
from empedocles.testing.samples import random_match

GAME = find("points-of-power")
COLUMNS = "abcdefghijk"


def places(position: Position, seat: int) -> list[int]:
    room = np.zeros(MOST, np.int32)
    n = features(position.state, seat, room)
    return sorted(int(place) for place in room[:n])


def worths(position: Position, weights: Weights) -> list[float]:
    out = np.zeros(position.seats, np.float32)
    evaluate(position.state, weights, out)
    return [float(worth) for worth in out]


def table(seed: int) -> Weights:
    """A table of random numbers, the same on every back-end."""
    numbers = np.random.default_rng(seed).integers(-200, 200, SIZE_OF_TABLE).astype(np.int16)
    return NO_WEIGHTS._replace(table=numbers, places=np.zeros(MOST, np.int32))


def positions(players: int, match: int = 3) -> list[Position]:
    played = random_match(GAME, GAME.complete({"players": players}), match)
    found = [played.at(ply) for ply in range(4, min(len(played.moves), 400), 13)]
    return [position for position in found if not position.is_over]


def turned(position: Position) -> Position:
    """A quarter turn of the board: each element takes the place of the next, and the next player moves."""
    fields = dict(word.split("=") for word in position.text.split()[1:])
    pieces = [fields[element] for element in ELEMENTS]
    moved = [",".join(map(quarter, word.split(","))) for word in pieces]
    fields |= dict(zip(ELEMENTS, moved[-1:] + moved[:-1], strict=True))
    fields["to-move"] = str((int(fields["to-move"]) + 1) % position.seats)
    return Position(" ".join([GAME.name, *(f"{name}={value}" for name, value in fields.items())]))


def quarter(square: str) -> str:
    if square in ("mp", "-"):
        return square
    column, row = COLUMNS.index(square[0]), int(square[1:])
    return f"{COLUMNS[row - 1]}{len(COLUMNS) - column}"


@pytest.mark.parametrize("players", [2, 4])
def test_only_who_moves_is_looked_at(players: int) -> None:
    for position in positions(players):
        mover, part = int(position.state.mover), PART * (players // 4)
        assert all(places(position, seat) == [] for seat in range(players) if seat != mover)
        assert all(part <= place < part + PART for place in places(position, mover))


@pytest.mark.parametrize("players", [2, 4])
def test_turned_positions_share_their_places(players: int) -> None:
    seen = set()
    for position in positions(players):
        image = turned(position)
        assert places(position, int(position.state.mover)) == places(image, int(image.state.mover))
        seen.add(tuple(places(position, int(position.state.mover))))
    assert len(seen) > 12, "others have other places"


@pytest.mark.parametrize("players", [2, 4])
def test_a_table_changes_worths_by_the_sum_of_its_places(players: int) -> None:
    for position in positions(players):
        weights, mover = table(1), int(position.state.mover)
        plain, judged = worths(position, NO_WEIGHTS)[mover], worths(position, weights)[mover]
        total = sum(int(weights.table[place]) for place in places(position, mover))
        assert np.sign(judged - plain) == np.sign(total)
        assert worths(position, weights)[1 - mover % 2] == -judged


def test_worths_have_the_same_bits_on_every_back_end() -> None:
    """These were computed by compiled code."""
    found = np.array([worths(position, table(2))[0] for position in positions(2)[:6] + positions(4)[:6]], np.float32)
    assert [hex(word) for word in found.view(np.uint32)] == KNOWN


KNOWN = [
    "0x3e3bb5b5",
    "0x3f1189e1",
    "0x3e1bcb5d",
    "0x3ea54136",
    "0x3e1cbf7b",
    "0x3e5ea27b",
    "0x3d9f47f4",
    "0xbe1b997c",
    "0x3e5949fd",
    "0x3e58b1c5",
    "0xbc908943",
    "0xbc4e0e01",
]
