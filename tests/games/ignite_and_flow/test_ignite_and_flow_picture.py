"""Ignite and Flow drawn: what lies beside the board."""

from __future__ import annotations

import pytest

from empedocles.games import GAMES
from empedocles.position import Position
from empedocles.render.picture import Look

GAME = GAMES["ignite-and-flow"]


@pytest.mark.parametrize("wide", [True, False])
def test_temples_that_are_left_and_taken_lie_apart(wide: bool) -> None:
    position = Position("ignite-and-flow board=T5/6/6/6/6/6 taken=2/0 to-move=0")
    sheet = GAME.sheet(position.state, Look(wide=wide))
    places = {(piece.kind, piece.place): (piece.x, piece.y) for piece in sheet.pieces}
    left = [places["temple-white", f"left-{k}"] for k in range(2)]
    taken = [places["temple-black", f"taken-{k}"] for k in range(2)]
    assert len({*left, *taken}) == 4
    assert taken[0][1] > left[0][1] if wide else taken[0][0] > left[1][0]
