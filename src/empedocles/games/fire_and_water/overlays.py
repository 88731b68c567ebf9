"""What can be shown on top of a position of Fire & Water."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from empedocles.core.bits import members
from empedocles.core.kernel import State
from empedocles.games.fire_and_water.artwork import COLOURS
from empedocles.games.fire_and_water.lookups import CLAIM, COLUMNS, EITHER, PASS, ROWS, TOKEN
from empedocles.games.fire_and_water.places import square
from empedocles.games.fire_and_water.rules import MAX_LEGAL, highest, legal, lowest, of_seat, sums
from empedocles.games.fire_and_water.text import ground
from empedocles.language import mark as _
from empedocles.render.art import CELL
from empedocles.render.picture import Sheet, text, use


class Overlay(NamedTuple):
    shows: str
    draw: Callable[[State, Sheet], None]


def _influence(s: State, drawn: Sheet) -> None:
    """Each seat's influence in its own corner of a square that can still be taken, larger if it is enough."""
    sought, taken = set(members(s.elementals)), {cell for cells in s.tokens for cell in members(cells)}
    kinds = {cell: EITHER if cell in sought else ground(s, cell) for cell in range(COLUMNS[s.seats] * ROWS)}
    lanes = {cell: sums(s, cell, kind) for cell, kind in kinds.items() if cell not in taken}
    for seat in range(s.seats):
        mine = {cell: of_seat(lane, seat) for cell, lane in lanes.items() if of_seat(lane, seat)}
        best = {c for c in mine if (lowest(lanes[c], seat) if c in sought else highest(lanes[c]) == seat)}
        _numbers(seat, mine, best, drawn)


def _numbers(seat: int, numbers: dict[int, int], large: set[int], drawn: Sheet) -> None:
    plates = written = ""
    for cell, number in numbers.items():
        x, y = _corner(seat, cell, drawn)
        plates += f"M{x - 12:g} {y - 11:g}h24v21h-24z" if cell in large else f"M{x - 9:g} {y - 8:g}h18v15h-18z"
        written += text("", x, y + 5, number)
    colour = COLOURS[seat]
    drawn.notes.append(f'<path class="{colour}" d="{plates}"/><g class="on-{colour}-text">{written}</g>')


def _corner(seat: int, cell: int, drawn: Sheet) -> tuple[float, float]:
    x, y = square(cell, drawn.layout.board)
    return x + 13 + 34 * (seat % 2), y + 12 + 37 * (seat // 2)


def _possession(s: State, drawn: Sheet) -> None:
    """Squares that each seat could take if it were to move now: in a light line and one of its colour."""
    for seat in range(s.seats):
        cells = _takes(s, seat)
        corners = [square(cell, drawn.layout.board) for cell in cells]
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
