"""Small pictures of positions, for lists and forms: only the board, without names or anything to click."""

from __future__ import annotations

import functools
import re
from collections.abc import Collection
from dataclasses import replace
from typing import NamedTuple
from xml.etree import ElementTree

from empedocles.game import Game
from empedocles.position import Position
from empedocles.render.art import CELL
from empedocles.render.picture import GAP, LEFT, Box, Look, Piece, Sheet, still
from empedocles.render.themes import PLACEHOLDER

RIM = 6  # around the board

_USED = re.compile(rf"#{PLACEHOLDER}([\w-]+)")
_NAMED = re.compile(rf'id="{PLACEHOLDER}([\w-]+)"')


def thumbnail(position: Position, theme: str) -> bytes:
    """A picture of the board, as SVG: two to five kilobytes when zipped."""
    return _written(position.game, *board_alone(position, Look(theme=theme)))


def cover(targets: Collection[str], position: Position, theme: str) -> bytes:
    """The same with some pieces of a game that has no board."""
    return _written(position.game, *pieces_alone(position, targets, Look(theme=theme)))


def _written(game: Game, sheet: Sheet, part: Box) -> bytes:
    sheet.art = _used_art(sheet)
    return str(still(game.name, sheet, part, game.title)).encode()


def board_alone(position: Position, look: Look) -> tuple[Sheet, Box]:
    """A drawing without what is beside the board, and the part that shows the board."""
    sheet = position.game.sheet(position.state, look)
    part = board_part(sheet)
    clear_beside(sheet, part)
    sheet.pieces = [piece for piece in sheet.pieces if _is_in(part, piece)]
    return sheet, part


def pieces_alone(position: Position, targets: Collection[str], look: Look) -> tuple[Sheet, Box]:
    """A drawing for a phone with nothing but some pieces, which are large there, and the square around them."""
    sheet = position.game.sheet(position.state, replace(look, wide=False, seat=0))
    boxes = [sheet.boxes[target] for target in targets]
    x, y, width, height = Box.around(boxes)
    side = max(width, height) + 2 * RIM
    sheet.panels, sheet.ground = [], []
    corners = {(box.x, box.y) for box in boxes}
    sheet.pieces = [piece for piece in sheet.pieces if (piece.x, piece.y) in corners]
    return sheet, Box(x + (width - side) / 2, y + (height - side) / 2, side, side)


def clear_beside(sheet: Sheet, part: Box) -> None:
    """Clear away the panels beside a board, if they lie outside of a part: a frame of another shape would show them."""
    if (beside := _beside(sheet)) and part.x + part.width <= min(beside):
        sheet.panels = []
        sheet.pieces = [piece for piece in sheet.pieces if piece.x < min(beside)]


def _beside(sheet: Sheet) -> list[float]:
    """Where panels beside the board begin."""
    return [x for x, _ in sheet.layout.panels if x > sheet.layout.width / 2]


def board_part(sheet: Sheet) -> Box:
    """The board without its coordinates, which nobody could read; the middle of a drawing without panels beside it."""
    width, height, (x, y), _panels, _fold = sheet.layout
    if not (beside := _beside(sheet)):
        side = min(width, height)
        return Box((width - side) / 2, 0, side, side)
    left, top = x + LEFT - RIM, y - RIM
    side = min(beside) - GAP - left
    return Box(left, top, side, min(side, height - top))


def _is_in(part: Box, piece: Piece) -> bool:
    return part.x - CELL < piece.x < part.x + part.width and piece.y < part.y + part.height


# ── Artwork ──────────────────────────────────────────────────────────────────────────────────────────────────────────


class _Part(NamedTuple):
    markup: str
    names: frozenset[str]
    uses: frozenset[str]


def _used_art(sheet: Sheet) -> str:
    """Only the artwork that a drawing uses, directly or inside other artwork: most of it is on other squares."""
    parts = _parts(sheet.art)
    drawn = "".join([*sheet.ground, *sheet.panels, *sheet.notes, *(piece.markup for piece in sheet.pieces)])
    used, wanted = set[str](), set(_USED.findall(drawn))
    while wanted:
        used |= wanted
        wanted = {name for part in parts if part.names & wanted for name in part.uses} - used
    return "".join(part.markup for part in parts if not part.names or part.names & used)


@functools.lru_cache(maxsize=64)
def _parts(art: str) -> tuple[_Part, ...]:
    """The elements of which artwork consists; all in one if it is not plain XML, as another package's may be."""
    try:
        found = [ElementTree.tostring(part, "unicode") for part in ElementTree.fromstring(f"<g>{art}</g>")]
    except ElementTree.ParseError:
        return (_Part(art, frozenset(), frozenset()),)
    return tuple(_Part(text, frozenset(_NAMED.findall(text)), frozenset(_USED.findall(text))) for text in found)
