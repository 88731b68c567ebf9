"""Fire & Water to print and cut out."""

from __future__ import annotations

from empedocles.core.bits import members
from empedocles.game import Component, Options, Printing
from empedocles.games.fire_and_water.artwork import COLOURS, flat_art, frame, marker, tiles
from empedocles.games.fire_and_water.lookups import COLUMNS, MARKER_SET, NAMES, ROWS, SEATS, SUPPLY
from empedocles.games.fire_and_water.rules import ELEMENTALS
from empedocles.games.fire_and_water.text import fire_squares
from empedocles.language import mark as _
from empedocles.render.art import CELL, scaled
from empedocles.render.picture import Box, rect, text, use

SQUARE = 23.0  # mm: so the small board fits one page, and so does the large one on A4
TOKEN = 20.0  # mm: smaller than a square, so that one sees what it lies on
LEADER = 22.0  # mm


def components(options: Options, language: str) -> list[Component]:  # noqa: ARG001 - nothing here has words on it
    players = options["players"]
    seats = range(players)
    pieces = [_board(options)]
    pieces += [_marker(seat, m) for seat in seats for m in members(int(MARKER_SET[players]))]
    pieces += [_token(seat, int(SUPPLY[players])) for seat in seats]
    pieces += [_leader(seat) for seat in seats]
    whole = CELL, CELL
    return [*pieces, Component(_("elemental"), ELEMENTALS, SQUARE, SQUARE, whole, use("elemental"))]


def _board(options: Options) -> Component:
    columns = COLUMNS[options["players"]]
    fire = set(members(fire_squares(options["players"], options["board"])))
    markup = tiles(columns, fire, 0, 0) + _names(columns) + frame(columns, 0, 0)
    view = columns * CELL, ROWS * CELL
    return Component(_("board"), 1, columns * SQUARE, ROWS * SQUARE, view, markup, folded=True, corner=(0, 0))


def _names(columns: int) -> str:
    """Letters and numbers on tabs inside the squares at the edge, as there is nothing around them."""
    tabs = [(CELL * column + 43, ROWS * CELL - 17, NAMES[column * ROWS][0]) for column in range(columns)]
    tabs += [(2, CELL * (ROWS - 1 - row) + 2, NAMES[row][1:]) for row in range(ROWS)]
    plates = "".join(rect("", Box(x, y, 15, 15), 4) for x, y, _ in tabs)
    names = "".join(text("", x + 7.5, y + 11.5, name) for x, y, name in tabs)
    return f'<g class="plate">{plates}</g><g class="label">{names}</g>'


def _marker(seat: int, number: int) -> Component:
    view = 2 * CELL, CELL
    markup = rect(COLOURS[seat], Box(0, 0, *view)) + marker(seat, number)
    return Component(_("influence marker"), 1, 2 * SQUARE, SQUARE, view, markup)


def _token(seat: int, number: int) -> Component:
    margin, side = 6.5, CELL - 13
    markup = scaled(use(f"{COLOURS[seat]}-token"), 1, -margin, -margin)
    return Component(_("possession token"), number, TOKEN, TOKEN, (side, side), markup)


def _leader(seat: int) -> Component:
    markup = rect(f"{COLOURS[seat]}-tint", Box(0, 0)) + use(f"{COLOURS[seat]}-leader")
    return Component(_("leader"), 1, LEADER, LEADER, (CELL, CELL), markup)


PRINTING = Printing(flat_art(SEATS), components)
