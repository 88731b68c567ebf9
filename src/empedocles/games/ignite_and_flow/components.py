"""Ignite and Flow to print and cut out."""

from __future__ import annotations

from empedocles.game import Component, Options, Printing
from empedocles.games.ignite_and_flow.lookups import SIZE
from empedocles.games.ignite_and_flow.picture import COLOURS, ELEMENTS, TEMPLE
from empedocles.games.ignite_and_flow.rules import TEMPLES
from empedocles.language import mark as _
from empedocles.render.art import CELL, emblem, tile
from empedocles.render.picture import Box, coordinates, group, rect, text

SQUARE = 25.0  # mm
TILE = SQUARE - 1  # some air around a tile that was cut by hand
TEMPLE_SIDE = 15.0  # so that the earth below it can be seen
EDGE = 22  # around the squares of the board, in units of the drawing

# The supply is unlimited in the rules (IF-1). In 131 games of strong opponents no position held more than 14 fires,
# 13 waters, 27 earths and 22 deserts; a few more of each are enough for any game that is meant to be won.
SUPPLY = {"fire": 18, "water": 18, "earth": 30, "desert": 24}

NAMES = {"fire": _("fire"), "water": _("water"), "earth": _("earth"), "desert": _("desert")}
TEMPLE_NAMES = (_("temple of White"), _("temple of Black"))
NOTE = _("Elements are unlimited by the rules: these are more than any of 131 test games needed.")


def _board() -> Component:
    units = SIZE * CELL + 2 * EDGE
    millimetres = units * SQUARE / CELL
    return Component(
        _("board"), 1, millimetres, millimetres, (units, units), _ground(units), folded=True, corner=(EDGE, EDGE)
    )


def _ground(units: float) -> str:
    squares = "".join(
        rect("void", Box(EDGE + column * CELL, EDGE + row * CELL)) for row in range(SIZE) for column in range(SIZE)
    )
    frame = rect("frame", Box(EDGE, EDGE, SIZE * CELL, SIZE * CELL))
    return rect("paper", Box(0, 0, units, units)) + squares + frame + _labels(units) + _corners(units)


def _labels(units: float) -> str:
    """Letters and numbers twice, for either player to read from their side."""
    places = [EDGE + (k + 0.5) * CELL for k in range(SIZE)]
    letters = (text("label", x, units - EDGE + 16, chr(ord("f") - k)) for k, x in enumerate(places))
    numbers = (text("label", EDGE - 11, y + 5, k + 1) for k, y in enumerate(places))
    turned = "".join([*letters, *numbers])
    return coordinates(SIZE, SIZE, EDGE, EDGE) + f'<g transform="rotate(180 {units / 2:g} {units / 2:g})">{turned}</g>'


def _corners(units: float) -> str:
    near, far = 3, units - EDGE + 3
    places = ((near, near), (far, near), (near, far), (far, far))
    return "".join(emblem(element, EDGE - 6, x, y) for element, (x, y) in zip(ELEMENTS, places, strict=True))


def _tile(element: str) -> Component:
    markup = tile(element) + emblem(element, 44, 8, 8)
    return Component(NAMES[element], SUPPLY[element], TILE, TILE, (CELL, CELL), markup)


def _temple(seat: int) -> Component:
    markup = rect("plate", Box(0, 0)) + group(0, -1, TEMPLE, COLOURS[seat])
    return Component(TEMPLE_NAMES[seat], TEMPLES, TEMPLE_SIDE, TEMPLE_SIDE, (CELL, CELL), markup)


def components(_options: Options, _language: str) -> list[Component]:
    return [_board(), *map(_tile, ELEMENTS), *map(_temple, range(len(COLOURS)))]


PRINTING = Printing("", components, NOTE)
