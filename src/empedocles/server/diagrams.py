"""Small pictures of positions, cut out of the drawings of games, for pages that explain."""

from __future__ import annotations

import re
from typing import Any

from empedocles.position import Position
from empedocles.render.picture import Box, Look, picture
from empedocles.render.themes import for_page
from empedocles.server.teaching import Diagram

LEFT, TOP, RIGHT, BOTTOM = 24, 8, 8, 24  # left around what is cut out: rows are named at the left, columns below

_SIZE = re.compile(r'viewBox="[^"]*" width="[^"]*" height="[^"]*"')
_ART = re.compile(r"<defs>.*?</defs>", re.DOTALL)
_ID = re.compile(r'<g id="[^"]*" transform')  # of pieces, which do not move here and occur in many pictures
_IDLE = re.compile(r'<rect data-target="[^"]*" class="target"[^>]*/>')


def _bounds(boxes: list[Box]) -> Box:
    left, top = min(box.x for box in boxes), min(box.y for box in boxes)
    right, bottom = max(box.x + box.width for box in boxes), max(box.y + box.height for box in boxes)
    return Box(left, top, right - left, bottom - top)


def _view(width: float, height: float, boxes: list[Box]) -> Box:
    """What is seen of a picture: some of its targets and a margin, as far as the picture goes."""
    if not boxes:
        return Box(0, 0, width, height)
    x, y, across, down = _bounds(boxes)
    left, top = max(0.0, x - LEFT), max(0.0, y - TOP)
    right, bottom = min(width, x + across + RIGHT), min(height, y + down + BOTTOM)
    return Box(left, top, right - left, bottom - top)


def cut(position: Position, around: tuple[str, ...], art: bool = True, **looks: Any) -> str:
    """A picture of part of a position, for a page; without its art where an earlier one of the page has it."""
    game = position.game
    sheet = game.sheet(position.state, Look(**looks))
    whole = picture(game.name, sheet, game.title, str(position))
    seen = _view(whole.width, whole.height, [sheet.boxes[target] for target in around if target in sheet.boxes])
    x, y, width, height = seen
    size = f'viewBox="{x:g} {y:g} {width:g} {height:g}" width="{width:g}" height="{height:g}"'
    markup = _IDLE.sub("", _ID.sub("<g transform", _SIZE.sub(size, whole.markup, count=1)))
    return for_page(markup if art else _ART.sub("", markup), game.name)


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
