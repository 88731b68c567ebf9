"""What a trained network of Ignite and Flow sees: every window of two by three squares.

A square is one of nine kinds, seen by the seat that acts next. A window has a place in the table for every way to fill
it. Windows that a turn or a mirror image of the board carries into each other share their places, so what is learnt in
one corner is known in all of them. So each is read from the edge towards the middle: the line nearer to an edge comes
first, and lines themselves begin at their nearer end.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from empedocles.core.bits import left, right
from empedocles.core.kernel import Places, State, kernel, tiny_kernel
from empedocles.games.ignite_and_flow.lookups import DESERT, EARTH, FIRE, SIZE, STRIDE, WATER
from empedocles.games.ignite_and_flow.rules import TEMPLE_CHOICE, landmasses

KINDS = 9  # empty, fire, water, earth of nobody or of both, mine, theirs, my temple, theirs, desert
WIDTH = 3  # squares of one line of a window
FILLED = KINDS**WIDTH  # ways to fill them
DIGITS, MASK = 4, 0xFFF  # binary digits of a kind; those of three squares
MIDDLE = SIZE // 2  # the line that follows the middle of the board
GROUPS = MIDDLE * 2  # of windows that are images of each other: pairs of lines, begun at their end or one further
SIZE_OF_TABLE = GROUPS * FILLED * FILLED
WINDOWS = 2 * (SIZE - 1) * (SIZE - WIDTH + 1)

Lookup = npt.NDArray[np.int64]


def _spread() -> Lookup:
    """The squares of a line, as bits, to those bits with room for all digits of a kind; for each digit."""
    found = np.zeros((DIGITS, 1 << SIZE), np.int64)
    for bits in range(1 << SIZE):
        for k in range(SIZE):
            if bits >> k & 1:
                found[:, bits] += 1 << (DIGITS * k + np.arange(DIGITS))
    return found


def _ways() -> Lookup:
    """The digits of three squares to the number of that way to fill them, read forwards or backwards."""
    found = np.zeros((2, MASK + 1), np.int64)
    for digits in range(MASK + 1):
        kinds = [min(digits >> (DIGITS * k) & 0xF, KINDS - 1) for k in range(WIDTH)]
        for backwards, order in enumerate((kinds, kinds[::-1])):
            found[backwards, digits] = sum(kind * KINDS**k for k, kind in enumerate(order))
    return found


def _upright() -> npt.NDArray[np.uint64]:
    """The squares of a row, as bits, to those of a column, as they lie on a board."""
    rows = range(1 << SIZE)
    return np.array([sum(1 << (STRIDE * k) for k in range(SIZE) if bits >> k & 1) for bits in rows], np.uint64)


SPREAD, UPRIGHT = _spread(), _upright()
FORWARDS, BACKWARDS = _ways()
ALL_OF_ROW = np.uint64((1 << SIZE) - 1)


@kernel
def acting(s: State) -> int:
    """The seat that acts next: a temple choice is the end of the mover's own action."""
    return 1 - int(s.mover) if s.due == TEMPLE_CHOICE else int(s.mover)


@kernel
def features(s: State, seat: int, places: Places) -> int:
    if seat != acting(s):
        return 0
    earth = s.ground[EARTH]
    mine, theirs = landmasses(earth, s.temples[seat]), landmasses(earth, s.temples[1 - seat])
    return windows(s, seat, mine, theirs, places)


@kernel
def windows(s: State, seat: int, mine: np.uint64, theirs: np.uint64, places: Places) -> int:
    """The place of each window, where `mine` and `theirs` are the squares of landmasses with temples."""
    temples = s.temples[0] | s.temples[1]
    owned = (mine ^ theirs) & ~temples
    nobodys = s.ground[EARTH] & ~temples & ~owned
    # The kinds of all squares, digit by digit.
    ones = s.ground[FIRE] | nobodys | (owned & theirs) | s.temples[1 - seat]
    twos = s.ground[WATER] | nobodys | temples
    fours, eights = owned | temples, s.ground[DESERT]
    n = along_rows(ones, twos, fours, eights, 0, places)
    return along_rows(across(ones), across(twos), across(fours), across(eights), n, places)


@kernel
def along_rows(ones: np.uint64, twos: np.uint64, fours: np.uint64, eights: np.uint64, n: int, places: Places) -> int:
    a, b, c, d = fillings(ones, twos, fours, eights, 0)
    for row in range(1, SIZE):
        e, f, g, h = fillings(ones, twos, fours, eights, row)
        places[n], places[n + 1] = place(row, 0, a, e), place(row, 1, b, f)
        places[n + 2], places[n + 3] = place(row, 1, c, g), place(row, 0, d, h)
        a, b, c, d = e, f, g, h
        n += SIZE - WIDTH + 1
    return n


@tiny_kernel
def fillings(ones: np.uint64, twos: np.uint64, fours: np.uint64, eights: np.uint64, row: int) -> tuple[int, ...]:
    """How the windows' parts of a row are filled, each read from its nearer end."""
    line = digits(ones, 0, row) | digits(twos, 1, row) | digits(fours, 2, row) | digits(eights, 3, row)
    return (
        int(FORWARDS[line & MASK]),
        int(FORWARDS[(line >> DIGITS) & MASK]),
        int(BACKWARDS[(line >> 2 * DIGITS) & MASK]),
        int(BACKWARDS[(line >> 3 * DIGITS) & MASK]),
    )


@tiny_kernel
def place(row: int, start: int, before: int, line: int) -> int:
    """Of the window whose second line is in a row. In the middle of the board, the larger number comes first."""
    swapped = row > MIDDLE or (row == MIDDLE and before < line)
    first, second = (line, before) if swapped else (before, line)
    group = 2 * (min(row, SIZE - row) - 1) + start
    found: int = (group * FILLED + first) * FILLED + second
    return found


@tiny_kernel
def digits(cells: np.uint64, digit: int, row: int) -> int:
    squares = int(right(cells, STRIDE * row) & ALL_OF_ROW)
    return int(SPREAD[digit, squares])


@kernel
def across(cells: np.uint64) -> np.uint64:
    """The board with rows as columns."""
    found = np.uint64(0)
    for row in range(SIZE):
        found |= left(UPRIGHT[int(right(cells, STRIDE * row) & ALL_OF_ROW)], row)
    return found
