"""Geometry and actions of Points of Power.

Cells are numbered in board order, and a set of squares is two 64-bit words: cell c is bit c & 63 of word c >> 6.

    11 | 110 111 112 113 114 115 116 117 118 119 120
    10 |  99 100 101 102 103 104 105 106 107 108 109
     9 |  88  89  90  91  92  93  94  95  96  97  98
     8 |  77  78  79  80  81  82  83  84  85  86  87
     7 |  66  67  68  69  70  71  72  73  74  75  76
     6 |  55  56  57  58  59  60  61  62  63  64  65
     5 |  44  45  46  47  48  49  50  51  52  53  54
     4 |  33  34  35  36  37  38  39  40  41  42  43
     3 |  22  23  24  25  26  27  28  29  30  31  32
     2 |  11  12  13  14  15  16  17  18  19  20  21
     1 |   0   1   2   3   4   5   6   7   8   9  10
           a   b   c   d   e   f   g   h   i   j   k

The material plane is the cell in the middle of its block; the other cells of the block are no squares (PP-2). Where the
block lies and which other cells are squares is up to the board, so there are moves between all cells that touch in this
drawing, and moves into and out of the material plane for all of them. Smaller boards lie in the corner at a1.
"""

from __future__ import annotations

import itertools

import numpy as np
import numpy.typing as npt

from empedocles.core.bits import two_words

Cells = tuple[np.uint64, np.uint64]  # a set of squares

SIZE = 11
CELLS = SIZE * SIZE
MP = CELLS  # an end of an action: the material plane, wherever it lies
NAMES = (*(f"{column}{row}" for row in range(1, SIZE + 1) for column in "abcdefghijk"), "mp")

# The turn order of four players makes sides and captures arithmetic: element e is of side e % 2, captures (e + 1) % 4.
FIRE, AIR, EARTH, WATER = range(4)


def ring(cell: int, distance: int) -> list[int]:
    """The cells at this distance, counted in steps of a piece."""
    column, row = cell % SIZE, cell // SIZE
    return [c for c in range(CELLS) if max(abs(c % SIZE - column), abs(c // SIZE - row)) == distance]


NOT_A = two_words(c for c in range(CELLS) if c % SIZE != 0)
NOT_K = two_words(c for c in range(CELLS) if c % SIZE != SIZE - 1)

NEAR = np.array([two_words(ring(c, 1)) for c in range(CELLS)])  # the cells that touch a cell

# ── Actions ──────────────────────────────────────────────────────────────────────────────────────────────────────────

_STEPS = [(c, to) for c in range(CELLS) for to in ring(c, 1)]
_WAYS = [*_STEPS, *((c, MP) for c in range(CELLS)), *((MP, c) for c in range(CELLS))]

# Steps between squares, into the material plane, out of it; the captures, in the same order; and a pass (PP-18).
STEP, INTO, OUT, CAPTURE, PASS = itertools.accumulate((len(_STEPS), CELLS, CELLS, len(_WAYS)), initial=0)

MOVES = (*(NAMES[start] + sign + NAMES[end] for sign in "-x" for start, end in _WAYS), "pass")
FROM = np.array([start for start, _ in _WAYS] * 2, dtype=np.int16)
TO = np.array([end for _, end in _WAYS] * 2, dtype=np.int16)

# ── All steps of a piece at once ─────────────────────────────────────────────────────────────────────────────────────
#
# In a word that begins at cell c - REACH, the neighbours of c are the same bits for every c. Shifted together, they
# make a number below 512, which is looked up:
#
#     22 23 24       6 7 8
#     11 12 13  ──►  3 4 5    bit 4 is c itself and stays empty
#      0  1  2       0 1 2

REACH = SIZE + 1
AROUND = np.array([sum(1 << REACH + near - c for near in ring(c, 1)) for c in range(CELLS)], dtype=np.uint64)
BOX = np.uint64(2**9 - 1)


def _places(box: int) -> list[int]:
    """The bits of a box as they were in the word, in order, the last one repeated to make eight."""
    places = [SIZE * (k // 3) + k % 3 for k in range(9) if box >> k & 1]
    return [*places, *8 * places[-1:]][:8]


def _numbers() -> npt.NDArray[np.int16]:
    numbers = np.zeros((CELLS, 2 * REACH + 1), dtype=np.int16)
    for number, (start, end) in enumerate(_STEPS, STEP):
        numbers[start, REACH + end - start] = number
    return numbers


PLACES = np.array([8 * [0], *(_places(box) for box in range(1, 2**9))], dtype=np.uint8)
NUMBER = _numbers()  # [cell, place in its word] → the step there
