"""Geometry and actions of Fire & Water.

Cells are numbered up the columns, so that a set of squares is two 64-bit words: columns a–h, which are the whole board
of two players, and columns i–l.

    8 |  7 15 23 31 39 47 55 63 | 71 79 87 95
    7 |  6 14 22 30 38 46 54 62 | 70 78 86 94
    6 |  5 13 21 29 37 45 53 61 | 69 77 85 93
    5 |  4 12 20 28 36 44 52 60 | 68 76 84 92
    4 |  3 11 19 27 35 43 51 59 | 67 75 83 91
    3 |  2 10 18 26 34 42 50 58 | 66 74 82 90
    2 |  1  9 17 25 33 41 49 57 | 65 73 81 89
    1 |  0  8 16 24 32 40 48 56 | 64 72 80 88
         a  b  c  d  e  f  g  h    i  j  k  l

A marker lies on a *pair* of orthogonal neighbours, one way round or the other: that is its *place*. All boards have the
actions of the large one; the squares that the small one lacks are never empty there, so no legal move names them.
"""

from __future__ import annotations

import itertools
from collections.abc import Container, Iterator

import numpy as np
import numpy.typing as npt

from empedocles.core.bits import NONE, left, right, two_words
from empedocles.core.kernel import Words, kernel

FIRE, WATER = 0, 1
VALUES = (1, 2, 3, 4)
SEATS = 4  # at most

# ── What depends on the number of players (FW-1, FW-2, FW-3), their number being the first index ─────────────────────

COLUMNS = (0, 0, 8, 12, 12)
SUPPLY = np.array([0, 0, 20, 20, 15], dtype=np.int64)  # tokens of each player

# Marker m has fire value m // 4 + 1 and water value m % 4 + 1; a set of markers is a word of 16 bits.
MARKERS = tuple(f"F{fire}W{water}" for fire in VALUES for water in VALUES)
_ALL = 2 ** len(MARKERS) - 1
_UNEQUAL = sum(1 << m for m, name in enumerate(MARKERS) if name[1] != name[3])
MARKER_SET = np.array([0, 0, _ALL, _ALL, _UNEQUAL], dtype=np.uint16)  # markers of each player

# ── Cells ────────────────────────────────────────────────────────────────────────────────────────────────────────────

ROWS = 8
CELLS = COLUMNS[-1] * ROWS
NAMES = tuple(f"{column}{row}" for column in "abcdefghijkl" for row in range(1, ROWS + 1))
OUTSIDE = CELLS  # stands for a neighbour past the edge

NORTH, EAST, SOUTH, WEST = range(4)
ORTHOGONAL = ((0, 1), (1, 0), (0, -1), (-1, 0))  # (columns, rows), in the order of their names
DIAGONAL = ((1, 1), (1, -1), (-1, -1), (-1, 1))


def step(cell: int, direction: tuple[int, int], players: int) -> int:
    """The neighbouring cell, or OUTSIDE."""
    column, row = cell // ROWS + direction[0], cell % ROWS + direction[1]
    return column * ROWS + row if 0 <= column < COLUMNS[players] and 0 <= row < ROWS else OUTSIDE


def _near(cell: int, players: int) -> list[int]:
    return [step(cell, direction, players) if cell < COLUMNS[players] * ROWS else OUTSIDE for direction in ORTHOGONAL]


# [players, cell, direction]: the orthogonal neighbour or OUTSIDE. Cells come from lookups as int64, like those that are
# computed: so no kernel is compiled for two types of them.
NEAR = np.array([[_near(cell, players) for cell in range(CELLS)] for players in range(SEATS + 1)], dtype=np.int64)


def _boards(edges: Container[int]) -> npt.NDArray[np.uint64]:
    """[players, word]: the cells of the board for which the number of its edges that they lie on is one of these."""
    boards = ((players, range(COLUMNS[players] * ROWS)) for players in range(SEATS + 1))
    chosen = ([cell for cell in cells if _near(cell, players).count(OUTSIDE) in edges] for players, cells in boards)
    return np.array([two_words(cells) for cells in chosen])


BOARD, INNER, CORNERS = _boards((0, 1, 2)), _boards((0,)), _boards((2,))
# [cell, word]: the up to eight neighbours
_AROUND = ({step(cell, d, SEATS) for d in ORTHOGONAL + DIAGONAL} - {OUTSIDE} for cell in range(CELLS))
AROUND = np.array([two_words(cells) for cells in _AROUND])
NOT_TOP = np.uint64(0x7F7F_7F7F_7F7F_7F7F)
NOT_BOTTOM = np.uint64(0xFEFE_FEFE_FEFE_FEFE)


@kernel
def facing(direction: int, cells: Words, word: int) -> np.uint64:
    """Cells in this word whose neighbour in a direction is in the set; some may lie past the edge."""
    if direction == NORTH:
        return right(cells[word], 1) & NOT_TOP
    if direction == SOUTH:
        return left(cells[word], 1) & NOT_BOTTOM
    if direction == EAST:
        return right(cells[word], ROWS) | (left(cells[1], 64 - ROWS) if word == 0 else NONE)
    return left(cells[word], ROWS) | (right(cells[0], 64 - ROWS) if word == 1 else NONE)


@kernel
def beside(cells: Words, word: int) -> np.uint64:
    """Orthogonal neighbours of a set of cells."""
    found = NONE
    for direction in range(4):
        found |= facing(direction, cells, word)
    return found


# ── Markers on the board ─────────────────────────────────────────────────────────────────────────────────────────────

# A pair is named by its lower or left cell; the pairs whose second cell is north of it come first.
_PAIRS = [
    *((cell, cell + 1) for cell in range(CELLS) if cell % ROWS != ROWS - 1),
    *((cell, cell + ROWS) for cell in range(CELLS - ROWS)),
]
PAIRS = len(_PAIRS)
PLACES = 2 * PAIRS  # with the fire half on the first cell of each pair, then with the water half there

# [NORTH or EAST, cell]: the pair of a cell with that neighbour, or -1
_NUMBER = {pair: number for number, pair in enumerate(_PAIRS)}
_FROM = [[_NUMBER.get((cell, cell + by), -1) for cell in range(CELLS)] for by in (1, ROWS)]
PAIR = np.array(_FROM, dtype=np.int64)
# [element, place]: where that half of a marker lies
HALF_CELL = np.array([[pair[k] for k in order for pair in _PAIRS] for order in ((0, 1), (1, 0))], dtype=np.int64)
# [element, marker]: its value
HALF_VALUE = np.array([[int(name[digit]) for name in MARKERS] for digit in (1, 3)], dtype=np.int64)

# An uncovered marker half on a cell is a small number: value + 4 × element + 8 × owner.
NO_HALF = 0
LANE = 8  # bits for each seat in a sum of values, which is 4 × 4 at most
EITHER = 2  # beside FIRE and WATER: halves of both elements


def _power(kind: int, half: int) -> int:
    owner, element, value = (half - 1) // 8, (half - 1) // 4 % 2, (half - 1) % 4 + 1
    return value << LANE * owner if half != NO_HALF and kind in (element, EITHER) else 0


# [FIRE, WATER or EITHER, half]: the half's value, in its owner's lane, if its element counts
POWER = np.array([[_power(kind, half) for half in range(8 * SEATS + 1)] for kind in range(3)], dtype=np.int64)

# ── Actions ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def _placements() -> Iterator[str]:
    """One marker after the other, each on all its places."""
    for marker, place in itertools.product(range(len(MARKERS)), range(PLACES)):
        fire, water = (f"{HALF_VALUE[half, marker]}{NAMES[HALF_CELL[half, place]]}" for half in (FIRE, WATER))
        yield f"F{fire}W{water}"


_KINDS = (
    ["E" + name for name in NAMES],
    ["+" + marker for marker in MARKERS],
    list(_placements()),
    ["L" + name for name in NAMES],
    ["P" + name for name in NAMES],
    ["C" + name for name in NAMES],
    ["pass"],
)
ELEMENTAL, REVEAL, MARKER, LEADER, TOKEN, CLAIM, PASS, ACTIONS = itertools.accumulate(map(len, _KINDS), initial=0)
MOVES = tuple(move for kind in _KINDS for move in kind)
