"""Fire & Water to print and cut out.

Whatever lies on the board leaves a rim of its squares visible: which element they are decides who may take them.
"""

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

# mm
SQUARE = 23.0  # so the small board fits one page, and so does the large one on A4
RIM = 2.0  # of ground around a marker on its two squares, and around a token on one
TOKEN = SQUARE - 2 * RIM
FIGURE = 20.0  # leaders and elementals: a little larger than the tokens that may come on top of them

UNIT = CELL / SQUARE  # of a drawing, in a millimetre of the board
VIOLET = SEATS - 1
NEUTRAL_TOKENS = 60  # enough for any number of players


def components(options: Options, language: str) -> list[Component]:  # noqa: ARG001 - nothing here has words on it
    players = options["players"]
    seats = range(players)
    pieces = [_board(options)]
    pieces += [_marker(seat, m) for seat in seats for m in members(int(MARKER_SET[players]))]
    pieces += [_token(COLOURS[seat], int(SUPPLY[players])) for seat in seats]
    pieces += [_leader(seat) for seat in seats]
    whole = CELL, CELL
    return [*pieces, Component(_("elemental"), ELEMENTALS, FIGURE, FIGURE, whole, use("elemental"))]


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
    """What is drawn on two squares without their rim, so that each half is in the middle of its square."""
    width, height = 2 * SQUARE - 2 * RIM, SQUARE - 2 * RIM
    view = width * UNIT, height * UNIT
    markup = rect(COLOURS[seat], Box(0, 0, *view)) + scaled(marker(seat, number), 1, -RIM * UNIT, -RIM * UNIT)
    return Component(_("influence marker"), 1, width, height, view, markup)


def _token(colour: str, number: int, name: str = _("possession token")) -> Component:
    margin, side = 6.5, CELL - 13
    markup = scaled(use(f"{colour}-token"), 1, -margin, -margin)
    return Component(name, number, TOKEN, TOKEN, (side, side), markup)


def _leader(seat: int) -> Component:
    markup = rect(f"{COLOURS[seat]}-tint", Box(0, 0)) + use(f"{COLOURS[seat]}-leader")
    return Component(_("leader"), 1, FIGURE, FIGURE, (CELL, CELL), markup)


def _spares() -> tuple[Component, ...]:
    """For four players Violet needs less than the others have; with the rest, any colour can join any match.

    No rule asks whose token lies on a square, and points are the tokens that a player has not left: neutral ones do.
    """
    rest = int(MARKER_SET[2]) & ~int(MARKER_SET[SEATS])
    return (
        *(_marker(VIOLET, m) for m in members(rest)),
        _token(COLOURS[VIOLET], int(SUPPLY[2] - SUPPLY[SEATS])),
        _token("neutral", NEUTRAL_TOKENS, _("neutral possession token, instead of the coloured ones")),
    )


PRINTING = Printing(flat_art(SEATS), components, spares=_spares())
