"""Small pictures of positions, cut out of the drawings of games, for pages that explain."""

from __future__ import annotations

from typing import Any

from empedocles.position import Position
from empedocles.render.picture import Box, Look, still
from empedocles.server.web.pages.material import Diagram

LEFT, TOP, RIGHT, BOTTOM = 24, 8, 8, 24  # margins: row names are at the left, column names below


def _crop(width: float, height: float, boxes: list[Box]) -> Box:
    """The part of a picture that shows these boxes with a margin, within the picture."""
    if not boxes:
        return Box(0, 0, width, height)
    x, y, across, down = Box.around(boxes)
    left, top = max(0.0, x - LEFT), max(0.0, y - TOP)
    right, bottom = min(width, x + across + RIGHT), min(height, y + down + BOTTOM)
    return Box(left, top, right - left, bottom - top)


def cut(position: Position, around: tuple[str, ...], art: bool = True, **looks: Any) -> str:
    """A picture of part of a position, for a page; without its art if an earlier picture on the page has it."""
    game = position.game
    sheet = game.sheet(position.state, Look(**looks))
    boxes = [sheet.boxes[target] for target in around if target in sheet.boxes]
    seen = _crop(sheet.layout.width, sheet.layout.height, boxes)
    return still(game.name, sheet, seen, game.title, str(position), art).for_page


def figure(diagram: Diagram, language: str, art: bool = True) -> str:
    return cut(
        Position(diagram.position),
        diagram.around,
        art,
        language=language,
        wide=diagram.broad,
        chosen=diagram.marked,
        arrows=diagram.arrows,
    )
