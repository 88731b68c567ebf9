"""Where everything is in the picture of Points of Power, on a wide sheet and on a tall one.

The board is turned by quarters, so that a plane of the reader's own is the nearest; its coordinates turn with it.
"""

from __future__ import annotations

import functools
from typing import NamedTuple

from empedocles.games.points_of_power.artwork import corner, material_box
from empedocles.games.points_of_power.board import ABSENT, LETTERS, MATERIAL, Extent, extent, marked
from empedocles.games.points_of_power.lookups import CELLS, MP, NAMES, SIZE
from empedocles.games.points_of_power.moves import PASS_TARGET
from empedocles.render.art import CELL, scaled
from empedocles.render.picture import Box, Layout, arrange, text

MARGIN = 30  # of the board, for coordinates
WIDTH = SIZE * CELL  # of the largest board, and of the strip below every one
STRIP = 66  # below the board: what is due, the turns without a capture, the button to pass
PANEL_WIDTH = 250
ROW = 56  # of a panel, for each element
BEFORE = 52  # the height of a panel above its rows
EDGE = 6  # of a tall sheet
LINE = 36  # below the board there, for what is due
SIDE = 84  # the height of a side's panels there, above or below the board
TURNS = (0, 1, 3, 2)  # quarters clockwise, the less the better

Point = tuple[float, float]


class Places(NamedTuple):
    layout: Layout
    drawing: str  # the board as it is turned
    scale: float  # how much larger words are than elsewhere: the sheet is shown smaller, as the board is large
    quarters: int  # by which it is turned clockwise
    cells: tuple[int, ...]  # where each cell lies on the turned board
    coordinates: str
    panel: Point  # the size of one
    wide: bool

    @property
    def size(self) -> Extent:
        return extent(self.drawing)

    @property
    def origin(self) -> Point:
        """Where the squares begin; a narrow board is in the middle."""
        x, y = self.layout.board
        return x + MARGIN + (WIDTH - self.size.columns * CELL) / 2, y

    @property
    def strip(self) -> Point:
        below = self.layout.board[1] + self.size.rows * CELL
        return self.layout.board[0] + MARGIN, below + (38 if self.wide else 31)


@functools.lru_cache(maxsize=64)
def places(drawing: str, seats: int, wide: bool, near: int | None) -> Places:
    """`near` is the seat at whose side the reader sits."""
    quarters = 0 if near is None else turn(drawing, range(near, 4, seats))
    cells, scale = _turned(extent(drawing), quarters), 1.1 if wide else 1.68
    there = dict(zip(cells, drawing, strict=True))
    board = "".join(there[cell] for cell in range(CELLS))
    panel = (scale * PANEL_WIDTH, scale * height(seats)) if wide else (WIDTH + MARGIN if seats == 2 else 342, SIDE)
    layout = _wide(seats, extent(board).rows, panel, near) if wide else _tall(seats, extent(board).rows, near or 0)
    return Places(
        layout,
        board,
        scale,
        quarters,
        cells,
        _coordinates(extent(drawing), quarters, scale if wide else 1.82),
        panel,
        wide,
    )


def height(seats: int) -> float:
    return BEFORE + 4 // seats * ROW + 6


def _wide(seats: int, rows: int, panel: Point, near: int | None) -> Layout:
    """The panel of the seat that is near is the lowest."""
    found = arrange((MARGIN + WIDTH + 4, rows * CELL + 30 + STRIP), seats, panel, wide=True)
    order = range(seats) if near is None else [(near + k) % seats for k in range(1, seats + 1)]
    return found._replace(panels=tuple(at for _, at in sorted(zip(order, found.panels, strict=True))))


def _tall(seats: int, rows: int, near: int) -> Layout:
    """The other side's panels are above the board, those of the own side below it."""
    top = EDGE + SIDE + 4
    low = top + rows * CELL + 30 + LINE
    halves = EDGE, EDGE + 350
    near_side = {(near + 2 * k) % seats: (halves[k], low) for k in range(seats // 2)}
    far_side = {(near + 1 + 2 * k) % seats: (halves[k], EDGE) for k in range(seats // 2)}
    at = near_side | far_side
    return Layout(
        MARGIN + WIDTH + 2 + 2 * EDGE, low + SIDE + EDGE, (EDGE, top), tuple(at[seat] for seat in range(seats))
    )


# ── Turning ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def _turned(size: Extent, quarters: int) -> tuple[int, ...]:
    """Where each cell lies when a board is turned clockwise; cells outside of it go to what is left."""
    found, (columns, rows) = {}, size
    for cell in range(CELLS):
        row, column = divmod(cell, SIZE)
        if column < columns and row < rows:
            found[cell] = _after(column, row, size, quarters)
    left = iter(sorted({*range(CELLS)} - {*found.values()}))
    return tuple(found[cell] if cell in found else next(left) for cell in range(CELLS))


def _after(column: int, row: int, size: Extent, quarters: int) -> int:
    columns, rows = size
    for _ in range(quarters):
        column, row, columns, rows = row, columns - 1 - column, rows, columns
    return SIZE * row + column


def turn(drawing: str, elements: range) -> int:
    """The fewest quarters that bring a plane of these elements as near as possible."""
    size = extent(drawing)

    def lowest(quarters: int) -> float:
        """The height of the lowest plane, on average."""
        rows = (
            [_after(c % SIZE, c // SIZE, size, quarters) // SIZE for c in marked(drawing, LETTERS[e])] for e in elements
        )
        return min(sum(plane) / len(plane) for plane in rows)

    return min(TURNS, key=lowest)


def _coordinates(size: Extent, quarters: int, scale: float) -> str:
    """Beside and below the board, as it is turned."""
    letters = {NAMES[k][0]: _after(k, 0, size, quarters) for k in range(size.columns)}
    numbers = {str(k + 1): _after(0, k, size, quarters) for k in range(size.rows)}
    beside, under = (letters, numbers) if quarters % 2 else (numbers, letters)
    bottom = (size.columns if quarters % 2 else size.rows) * CELL
    signs = [(sign, (cell % SIZE + 0.5) * CELL, bottom + 13 + 7 * scale) for sign, cell in under.items()]
    signs += [(sign, -14, bottom - (cell // SIZE + 0.5) * CELL + 4.5 * scale) for sign, cell in beside.items()]
    return "".join(scaled(text("label", 0, 0, sign), scale, x, y) for sign, x, y in signs)


# ── Targets ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@functools.lru_cache(maxsize=64)
def boxes(where: Places, passing: bool) -> dict[str, Box]:
    (left, top), rows = where.origin, where.size.rows
    there = ((cell, at) for cell, at in enumerate(where.cells) if where.drawing[at] not in ABSENT + MATERIAL)
    found = {NAMES[cell]: Box(*corner(at, rows)) for cell, at in there} | {NAMES[MP]: material_box(where.drawing)}
    found = {name: box._replace(x=box.x + left, y=box.y + top) for name, box in found.items()}
    if passing:
        x, y = where.strip
        found[PASS_TARGET] = Box(x + WIDTH - 1.8 * CELL, y, 1.8 * CELL, (0.8 if where.wide else 0.58) * CELL)
    return found
