"""What stands for a game in small pictures: its board, or some cards of a game that has none."""

from __future__ import annotations

import re

import pytest

from empedocles.games import GAMES
from empedocles.render.picture import Look
from empedocles.server.web.pages import material
from empedocles.server.web.pages.site import showcase
from empedocles.server.web.thumbnails import cover, pieces_alone


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_a_picture_without_panels(name: str) -> None:
    drawn = showcase(name, "de")
    assert re.search(r'data-layer="pieces">.+?</g>', drawn)
    assert '<g data-layer="panels"></g>' in drawn


def test_elemental_defenders_is_shown_by_whole_cards_on_a_square() -> None:
    covered = material.cover(GAMES["elemental-defenders"])
    assert covered
    sheet, part = pieces_alone(*covered, Look())
    assert {piece.kind for piece in sheet.pieces} == {f"card-{name}" for name in covered[1]}
    for target in covered[1]:
        x, y, width, height = sheet.boxes[target]
        assert part.x < x < x + width < part.x + part.width
        assert part.y < y < y + height < part.y + part.height
    assert part.width == part.height
    position, around = covered
    assert len(cover(around, position, "dark")) < 60_000
