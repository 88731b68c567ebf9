"""What a trained network of Points of Power sees: each piece with what is near it, the free points, and the numbers.

Everything is seen by the seat that moves: the board is turned so that its element (with two players: Fire or Air) lies
where Fire does, and elements are named by their way from it. With two players partners are of one hand, so half a turn
of the board that exchanges them shows the same, and has the same places in the table.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from empedocles.core.bits import first, rest
from empedocles.core.kernel import Places, State, kernel
from empedocles.games.points_of_power.lookups import CELLS, NEAR, SIZE, Cells
from empedocles.games.points_of_power.rules import (
    around,
    beside,
    common,
    contains,
    exposed,
    free_cells,
    joined,
    middle,
    missing,
    points,
    row_of,
    size,
    some,
    without,
)

TURNS = 4
WAYS = 128  # what can be near a piece, see `surroundings`
FEW, MANY = 5, 10  # exposed pieces, all pieces; more make no difference
NEARNESS = 3  # of an element to a point: a step away, two, more

# Where the parts of the table begin, for each number of seats.
PIECES_PART = 0
POINTS_PART = PIECES_PART + TURNS * CELLS * WAYS
EXPOSED_PART = POINTS_PART + CELLS * NEARNESS**4
NUMBERS_PART = EXPOSED_PART + FEW**4
TAKEN_PART = NUMBERS_PART + MANY**4
PART = TAKEN_PART + MANY * MANY
SIZE_OF_TABLE = 2 * PART  # two or four seats
MOST = 36 + 8 + 3  # pieces on their squares, points on the usual board, and three numbers

Sets = tuple[Cells, Cells, Cells, Cells]


def _turned() -> npt.NDArray[np.int16]:
    """Each cell after quarter turns of the board against the clock, by their number."""
    board = np.arange(CELLS).reshape(SIZE, SIZE)  # row 0 is at the bottom
    found = np.zeros((TURNS, CELLS), np.int16)
    for turns in range(TURNS):
        found[turns, np.rot90(board, -turns).ravel()] = np.arange(CELLS)
    return found


TURNED = _turned()


@kernel
def features(s: State, seat: int, places: Places) -> int:
    if seat != int(s.mover):
        return 0
    near = (
        touched(s, row_of(s.pieces, 0)),
        touched(s, row_of(s.pieces, 1)),
        touched(s, row_of(s.pieces, 2)),
        touched(s, row_of(s.pieces, 3)),
    )
    return sights(s, near, places)


@kernel
def touched(s: State, a: Cells) -> Cells:
    """PP-7: these cells and all that touch one of them. Cells that are no squares may be among them."""
    cells, near = beside(a), around(s)
    if contains(a, int(s.mp)):
        cells = joined(cells, near)
    if some(common(a, near)):
        cells = joined(cells, middle(s))
    return cells


@kernel
def sights(s: State, near: Sets, places: Places) -> int:
    """The place of everything that counts, where `near` are the cells that each element touches."""
    base, n = PART * (int(s.seats) // 4), 0
    free = free_cells(s)
    far = (
        touched(s, common(near[0], free)),
        touched(s, common(near[1], free)),
        touched(s, common(near[2], free)),
        touched(s, common(near[3], free)),
    )
    for role in range(4):
        n = pieces(s, role, near, far, free, base, places, n)
    n = free_points(s, near, far, free, base, places, n)
    return numbers(s, base, places, n)


@kernel
def pieces(s: State, role: int, near: Sets, far: Sets, free: Cells, base: int, places: Places, n: int) -> int:
    """Each piece of an element: its square, and who is near it."""
    e = (int(s.mover) + role) % 4
    own, hunter, helper = row_of(s.pieces, e), (e + 3) % 4, (e + 2) % 4
    prey = exposed(s, (e + 1) % 4)
    bitten, tempting = touched(s, prey), touched(s, common(touched(s, prey), free))
    goals = touched(s, common(points(s), free))
    half = 2 if s.seats == 2 and role >= 2 else 0
    kind, turn = role - half, (int(s.mover) + half) % TURNS
    for w in range(2):
        todo = own[w]
        while todo:
            c = 64 * w + first(todo)
            todo = rest(todo)
            way = (
                contains(near[hunter], c)
                + 2 * contains(far[hunter], c)
                + 4 * contains(near[helper], c)
                + 8 * contains(bitten, c)
                + 16 * contains(tempting, c)
                + 32 * some(common(row_of(NEAR, c), own))
                + 64 * contains(goals, c)
            )
            places[n] = base + PIECES_PART + (kind * CELLS + int(TURNED[turn, c])) * WAYS + way
            n += 1
    return n


@kernel
def free_points(s: State, near: Sets, far: Sets, free: Cells, base: int, places: Places, n: int) -> int:
    """Each point of power that is free, and how near each element is."""
    room = common(points(s), free)
    for w in range(2):
        todo = room[w]
        while todo and n < MOST - 3:
            c = 64 * w + first(todo)
            todo = rest(todo)
            seen = distances(near, far, int(s.mover), c)
            if s.seats == 2:
                seen = min(seen, distances(near, far, int(s.mover) + 2, c))
            places[n] = base + POINTS_PART + seen
            n += 1
    return n


@kernel
def distances(near: Sets, far: Sets, turn: int, c: int) -> int:
    """A point and how near each element is, seen from the one whose turn it is."""
    way = int(TURNED[turn % TURNS, c])
    for role in range(4):
        e = (turn + role) % 4
        way = NEARNESS * way + (2 if contains(near[e], c) else int(contains(far[e], c)))
    return way


@kernel
def numbers(s: State, base: int, places: Places, n: int) -> int:
    """How many pieces of each element are exposed, how many there are, and how many points each side has taken."""
    turn = int(s.mover)
    out, whole = exposed_of(s, turn), all_of(s, turn)
    if s.seats == 2:
        out, whole = min(out, exposed_of(s, turn + 2)), min(whole, all_of(s, turn + 2))
    places[n] = base + EXPOSED_PART + out
    places[n + 1] = base + NUMBERS_PART + whole
    places[n + 2] = base + TAKEN_PART + taken(s, turn % 2) * MANY + taken(s, 1 - turn % 2)
    return n + 3


@kernel
def exposed_of(s: State, turn: int) -> int:
    found = 0
    for role in range(4):
        found = FEW * found + min(size(exposed(s, (turn + role) % 4)), FEW - 1)
    return found


@kernel
def all_of(s: State, turn: int) -> int:
    found = 0
    for role in range(4):
        found = MANY * found + min(size(row_of(s.pieces, (turn + role) % 4)), MANY - 1)
    return found


@kernel
def taken(s: State, side: int) -> int:
    return min(size(without(points(s), missing(s, side))), MANY - 1)
