"""Points of Power to print and cut out: the board, and nine pieces of each element."""

from __future__ import annotations

from empedocles.game import Component, Options, Printing
from empedocles.games.points_of_power.artwork import ART, board, corner, face
from empedocles.games.points_of_power.board import ABSENT, ELEMENTS, extent, fit_board
from empedocles.games.points_of_power.lookups import CELLS, NAMES, SIZE
from empedocles.games.points_of_power.rules import PIECES
from empedocles.language import mark as _
from empedocles.render.art import CELL, scaled
from empedocles.render.picture import group, text

SQUARE = 17.0  # millimetres: eleven of them fit a page of A4
DISC = 15.0
EDGE = 2  # around the board, for half of its frame
RIM = 21.2  # the radius of a piece in the picture: the printed one fills its square


def components(options: Options, _language: str) -> list[Component]:
    """Pieces show their side by the rim, and the board is the one of the options."""
    drawing = fit_board(options["board"])
    width, height = (number * CELL + 2 * EDGE for number in extent(drawing))
    size = SQUARE * width / CELL, SQUARE * height / CELL
    plan = group(EDGE, EDGE, board(drawing) + _coordinates(drawing))
    return [Component(_("board"), 1, *size, (width, height), plan, folded=True), *map(_disc, range(4))]


def _disc(e: int) -> Component:
    grown = CELL / 2 / RIM
    at = CELL / 2 * (1 - grown)
    return Component(ELEMENTS[e], PIECES, DISC, DISC, (CELL, CELL), scaled(face(e), grown, at, at))


def _coordinates(drawing: str) -> str:
    """Inside the first squares of columns and rows: around the board there would be no room left on a page."""
    columns, rows = extent(drawing)
    signs = []
    for column in range(columns):
        x, y = corner(next(c for c in range(column, CELLS, SIZE) if drawing[c] != ABSENT), rows)
        signs.append((NAMES[column][0], x + CELL - 9, y + CELL - 6))
    for row in range(rows):
        x, y = corner(next(c for c in range(SIZE * row, CELLS) if drawing[c] != ABSENT), rows)
        signs.append((str(row + 1), x + 9, y + 13))
    plate = '<circle class="paper" cy="-4.5" r="8"/>'
    return "".join(scaled(plate + text("label", 0, 0, sign), 0.8, x, y) for sign, x, y in signs)


PRINTING = Printing(ART, components, _("author unknown; the name is ours"))
