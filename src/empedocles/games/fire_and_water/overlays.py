"""What can be shown on top of a position of Fire & Water."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from empedocles.core.bits import members
from empedocles.core.kernel import State
from empedocles.games.fire_and_water.artwork import COLOURS
from empedocles.games.fire_and_water.lookups import CLAIM, COLUMNS, EITHER, NAMES, PASS, ROWS, TOKEN
from empedocles.games.fire_and_water.rules import MAX_LEGAL, highest, legal, lowest, of_seat, sums
from empedocles.games.fire_and_water.text import ground
from empedocles.language import mark as _
from empedocles.render.art import CELL, scaled
from empedocles.render.picture import Box, Sheet, rect, text, use


class Overlay(NamedTuple):
    shows: str
    draw: Callable[[State, Sheet], None]


def _influence(s: State, drawn: Sheet) -> None:
    """Each seat's influence in a corner of a square that can still be taken, larger if it is enough."""
    sought, taken = set(members(s.elementals)), {cell for cells in s.tokens for cell in members(cells)}
    kinds = {cell: EITHER if cell in sought else ground(s, cell) for cell in range(COLUMNS[s.seats] * ROWS)}
    lanes = {cell: sums(s, cell, kind) for cell, kind in kinds.items() if cell not in taken}
    if s.seats > 2:  # so many numbers need a quieter board
        whole = Box.around([drawn.boxes[NAMES[cell]] for cell in kinds])
        drawn.notes.append(f'<g class="faded">{rect("paper", whole)}</g>')
    numbers = [{cell: n for cell, lane in lanes.items() if (n := of_seat(lane, seat))} for seat in range(s.seats)]
    filled = dict.fromkeys(lanes, 0)  # corners
    for seat, mine in enumerate(numbers):
        places = {cell: _corner(seat if drawn.look.wide else filled[cell], cell, drawn) for cell in mine}
        filled |= {cell: filled[cell] + 1 for cell in mine}
        best = {c for c in mine if (lowest(lanes[c], seat) if c in sought else highest(lanes[c]) == seat)}
        _numbers(seat, mine, best, places, drawn)


# What numbers stand on, around their middle: a shape for each seat, much like that of its pieces.
PLATES = (
    "m-10 0a10 10 0 0 1 20 0a10 10 0 0 1-20 0z",
    "m-9-9h18v18h-18z",
    "m0-13l12 9-4 13h-16l-4-13z",
    "m-7-9h14l5 9-5 9h-14l-5-9z",
)
LARGER = 1.15  # numbers that are enough
SMALL_SCREEN = 1.52  # numbers there, to be read on the smallest phone with four players


def _numbers(
    seat: int, numbers: dict[int, int], large: set[int], places: dict[int, tuple[float, float]], drawn: Sheet
) -> None:
    scale = 1.0 if drawn.look.wide else SMALL_SCREEN
    plates, colour = {False: "", True: ""}, COLOURS[seat]
    written = ""
    for cell, number in numbers.items():
        x, y = places[cell]
        size = LARGER if cell in large else 1
        plates[cell in large] += f"M{x / size:.0f} {y / size:.0f}{PLATES[seat]}"
        written += text("", round(x / scale), round(y / scale + 5), number)
    shapes = "".join(
        scaled(f'<path class="{colour}" d="{path}"/>', LARGER if best else 1) for best, path in plates.items()
    )
    words = f'<g class="on-{colour}-text">{written}</g>'
    drawn.notes.append(shapes + (words if scale == 1 else scaled(words, scale)))


def _corner(number: int, cell: int, drawn: Sheet) -> tuple[float, float]:
    """The upper corners come first: a marker has its number below them. On a wide sheet each seat has its own."""
    x, y, *_size = drawn.boxes[NAMES[cell]]
    left, top, across, down = (13, 12, 34, 37) if drawn.look.wide else (15, 15, 30, 32)
    return x + left + across * (number % 2), y + top + down * (number // 2)


def _possession(s: State, drawn: Sheet) -> None:
    """Squares that each seat could take if it were to move now: in a light line and one of its colour."""
    for seat in range(s.seats):
        cells = _takes(s, seat)
        corners = [drawn.boxes[NAMES[cell]][:2] for cell in cells]
        for looks, inset in (f"on-{COLOURS[seat]}-line", 3), (f"{COLOURS[seat]}-line", 5.5):
            side = CELL - 2 * inset
            frames = "".join(f"M{x + inset:g} {y + inset:g}h{side:g}v{side:g}h-{side:g}z" for x, y in corners)
            drawn.notes.append(f'<path class="{looks}" d="{frames}"/>')
        middles = (_corner(seat, cell, drawn) for cell in cells)
        drawn.notes += [use(f"{COLOURS[seat]}-coin", x - 12, y - 12) for x, y in middles]


def _takes(s: State, seat: int) -> list[int]:
    """Cells of the tokens and claims that would be legal."""
    if s.over:
        return []
    twin, out = np.array([s], s.dtype), np.empty(MAX_LEGAL, np.int16)
    twin[0].turn = twin[0].mover = seat
    actions = out[: legal(twin[0], out)].tolist()
    return [a - (TOKEN if a < CLAIM else CLAIM) for a in actions if TOKEN <= a < PASS]


OVERLAYS = {
    "influence": Overlay(_("influence of each player on each square"), _influence),
    "possession": Overlay(_("squares that each player could take now"), _possession),
}
