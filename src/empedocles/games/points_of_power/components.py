"""Points of Power to print and cut out: the board, and nine pieces of each element."""

from __future__ import annotations

from empedocles.game import Component, Options, Printing
from empedocles.games.points_of_power.lookups import SIZE
from empedocles.games.points_of_power.moves import ELEMENTS
from empedocles.games.points_of_power.picture import ART, SIDE, board, face
from empedocles.games.points_of_power.rules import PIECES
from empedocles.games.points_of_power.text import fit_board
from empedocles.language import mark as _
from empedocles.render.art import CELL, scaled
from empedocles.render.picture import group, text

SQUARE = 17.0  # millimetres: eleven of them fit a page of A4
DISC = 15.0
EDGE = 2  # around the board, for half of its frame
RIM = 21.2  # the radius of a piece in the picture: the printed one fills its square


def components(options: Options, _language: str) -> list[Component]:
    """Pieces show their side by the rim, and the board is the one of the options."""
    view = SIDE + 2 * EDGE
    size = SQUARE * view / CELL
    plan = group(EDGE, EDGE, board(fit_board(options["board"])) + _coordinates())
    return [Component(_("board"), 1, size, size, (view, view), plan, folded=True), *map(_disc, range(4))]


def _disc(e: int) -> Component:
    grown = CELL / 2 / RIM
    at = CELL / 2 * (1 - grown)
    return Component(ELEMENTS[e], PIECES, DISC, DISC, (CELL, CELL), scaled(face(e), grown, at, at))


def _coordinates() -> str:
    """Inside the squares at two edges: around the board there would be no room left on a page."""
    letters = ((letter, (k + 1) * CELL - 9, SIDE - 6) for k, letter in enumerate("abcdefghijk"))
    numbers = ((row, 9, SIDE - row * CELL + 13) for row in range(1, SIZE + 1))
    plate = '<circle class="paper" cy="-4.5" r="8"/>'
    return "".join(scaled(plate + text("label", 0, 0, sign), 0.8, x, y) for sign, x, y in (*letters, *numbers))


PRINTING = Printing(ART, components)
