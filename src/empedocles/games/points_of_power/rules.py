"""The rules of Points of Power (RULES.md), as kernels on one state.

In one file, as in every game's folder: rules.py has all rules of its game.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from empedocles.core.bits import NONE, bit, count, first, has, left, rest, right, stir
from empedocles.core.kernel import Actions, Rules, State, Words, kernel, listed, register, state_type
from empedocles.games.points_of_power.lookups import (
    AROUND,
    BOX,
    CAPTURE,
    FROM,
    INTO,
    MP,
    NEAR,
    NOT_A,
    NOT_K,
    NUMBER,
    OUT,
    PASS,
    PLACES,
    REACH,
    SIZE,
    TO,
    Cells,
)

PIECES = 9  # of each element at the start
PATIENCE = 200  # turns in a row without a capture that end the game
ALL_MOVED = 0b1111  # the opening is over
NOBODY = -1  # instead of the winning side
NOWHERE: Cells = (NONE, NONE)

# A player has at most 18 pieces. One may stand on the material plane, with 16 squares around it. Each of the others has
# at most eight ways: where the material plane is one of them, at least one of the eight neighbours is no square.
MAX_LEGAL = 17 * 8 + 16

STATE = state_type(
    [
        ("moved", np.int8),  # bit e: element e has moved
        ("winner", np.int8),  # the winning side: 0 Fire and Earth, 1 Air and Water; NOBODY in a draw and before the end
        ("quiet", np.int16),  # turns in a row without a capture
        ("mp", np.int16),  # the cell that is the material plane
        ("wide", np.int8),  # cells of its block from left to right
        ("high", np.int8),  # and from top to bottom
        ("passes", np.int8),  # 1: of four players, one without a legal move passes (PP-18)
        ("squares", np.uint64, 2),  # all squares, the material plane among them
        ("around", np.uint64, 2),  # the squares that touch the material plane
        ("points", np.uint64, 2),  # the points of power
        ("plane", np.uint64, (4, 2)),  # the plane of each element
        ("pieces", np.uint64, (4, 2)),  # the pieces of each element
        ("layout", np.uint64),  # a digest of the board, for `key`
    ],
    __file__,
)


@kernel
def new(s: State, options: Words) -> None:
    """The words are: players, passes, mp, wide, high, layout, then the sets of squares."""
    s.mover, s.over, s.seats = 0, 0, np.int8(options[0])
    s.moved, s.winner, s.quiet = 0, NOBODY, 0
    s.passes, s.mp, s.layout = np.int8(options[1]), np.int16(options[2]), options[5]
    s.wide, s.high = np.int8(options[3]), np.int8(options[4])
    for w in range(2):
        s.squares[w], s.around[w], s.points[w] = options[6 + w], options[8 + w], options[10 + w]
        for e in range(4):
            s.plane[e, w] = options[12 + 2 * e + w]
            s.pieces[e, w] = s.plane[e, w]


# ── Sets of squares ──────────────────────────────────────────────────────────────────────────────────────────────────


@kernel
def row_of(rows: npt.NDArray[np.uint64], k: int) -> Cells:
    return rows[k, 0], rows[k, 1]


@kernel
def joined(a: Cells, b: Cells) -> Cells:
    return a[0] | b[0], a[1] | b[1]


@kernel
def common(a: Cells, b: Cells) -> Cells:
    return a[0] & b[0], a[1] & b[1]


@kernel
def without(a: Cells, b: Cells) -> Cells:
    return a[0] & ~b[0], a[1] & ~b[1]


@kernel
def some(a: Cells) -> bool:
    return bool(a[0] | a[1])


@kernel
def size(a: Cells) -> int:
    return count(a[0]) + count(a[1])


@kernel
def contains(a: Cells, c: int) -> bool:
    return has(a[0], c) if c < 64 else has(a[1], c - 64)


@kernel
def beside(a: Cells) -> Cells:
    """These cells and all that touch one of them in the drawing of the board."""
    west, east = common(a, NOT_A), common(a, NOT_K)
    low = a[0] | left(east[0], 1) | right(west[0], 1) | left(west[1], 63)
    high = a[1] | left(east[1], 1) | right(west[1], 1) | right(east[0], 63)
    return (
        low | left(low, SIZE) | right(low, SIZE) | left(high, 64 - SIZE),
        high | left(high, SIZE) | right(high, SIZE) | right(low, 64 - SIZE),
    )


# ── What the board allows ────────────────────────────────────────────────────────────────────────────────────────────


@kernel
def points(s: State) -> Cells:
    return s.points[0], s.points[1]


@kernel
def around(s: State) -> Cells:
    """PP-2: the squares that touch the material plane."""
    return s.around[0], s.around[1]


@kernel
def middle(s: State) -> Cells:
    """The material plane, as a set."""
    mp = int(s.mp)
    return (bit(mp), NONE) if mp < 64 else (NONE, bit(mp - 64))


@kernel
def free_cells(s: State) -> Cells:
    fire_earth = joined(row_of(s.pieces, 0), row_of(s.pieces, 2))
    air_water = joined(row_of(s.pieces, 1), row_of(s.pieces, 3))
    return without((s.squares[0], s.squares[1]), joined(fire_earth, air_water))


@kernel
def shelter(s: State, e: int) -> Cells:
    """PP-11: where a piece of this element is not exposed."""
    return joined(points(s), row_of(s.plane, e))


@kernel
def exposed(s: State, e: int) -> Cells:
    return without(row_of(s.pieces, e), shelter(s, e))


@kernel
def prey(s: State, e: int) -> Cells:
    """PP-10: the pieces that this element captures where it touches them."""
    return exposed(s, (e + 1) % 4)


@kernel
def movable(s: State, e: int) -> Cells:
    """PP-9: the pieces of an element, unless it has had its one move of the opening."""
    if s.moved != ALL_MOVED and int(s.moved) >> e & 1:
        return NOWHERE
    return row_of(s.pieces, e)


@kernel
def tied(s: State, e: int) -> Cells:
    """PP-12: the movable pieces that must be exposed after their move: in the opening all, later the only exposed one.

    That is enough: when a turn comes, each element of the player has an exposed piece, or PP-16 had ended the game.
    """
    if s.moved != ALL_MOVED:
        return movable(s, e)
    pieces = exposed(s, e)
    return NOWHERE if size(pieces) > 1 else pieces


@kernel
def closed(s: State, e: int) -> Cells:
    """PP-12: the squares closed to tied pieces, which would not be exposed there, nor win by PP-14 or PP-15.

    A tied piece never comes from a point of power, so its side needs all but one of them to win by PP-14.
    """
    cells, last, victims = shelter(s, e), missing(s, e % 2), row_of(s.pieces, (e + 1) % 4)
    if size(last) == 1:
        cells = without(cells, last)
    if size(victims) == 1:
        cells = without(cells, victims)
    return cells


@kernel
def missing(s: State, side: int) -> Cells:
    """The points of power on which a side has no piece."""
    return without(points(s), joined(row_of(s.pieces, side), row_of(s.pieces, side + 2)))


# ── Legal actions ────────────────────────────────────────────────────────────────────────────────────────────────────


@kernel
def legal(s: State, out: Actions) -> int:
    if s.over:
        return 0
    n = steps(s, out)
    n = captures(s, out, n)
    if s.wide < 3 or s.high < 3:
        n = between_squares(s, out, n)
    n = material_actions(s, out, n)
    return n or listed(out, 0, PASS)  # without a move, the game is over unless players pass


@kernel
def steps(s: State, out: Actions) -> int:
    """Steps from square to square. The pieces of both elements go together unless they are tied, which saves loops."""
    n, into, loose = 0, free_cells(s), NOWHERE
    for e in range(int(s.mover), 4, int(s.seats)):
        bound = tied(s, e)
        loose = joined(loose, without(movable(s, e), bound))
        if some(bound):
            n = steps_of(bound, without(into, closed(s, e)), out, n)
    return steps_of(loose, into, out, n)


@kernel
def steps_of(pieces: Cells, into: Cells, out: Actions, n: int) -> int:
    """Steps of these pieces into these squares, found in eight rounds for each piece, in which the last is repeated.

    A loop with the right number of rounds would be slower: the processor could not foresee its end.
    """
    shifted = left(into[0], REACH), left(into[1], REACH) | right(into[0], 64 - REACH), right(into[1], 64 - REACH)
    for w in range(2):
        todo = pieces[w]
        while todo:
            k = first(todo)
            todo = rest(todo)
            near = (right(shifted[w], k) | left(left(shifted[w + 1], 1), 63 - k)) & AROUND[64 * w + k]
            box = (near | right(near, 8) | right(near, 16)) & BOX
            after = n + count(box)
            if n < after <= len(out):
                for j in range(8):  # unsigned indices: the compiler provides for negative ones otherwise
                    out[np.uint64(min(n + j, after - 1))] = NUMBER[64 * w + k, PLACES[box, j]]
            n = after
    return n


@kernel
def captures(s: State, out: Actions, n: int) -> int:
    """Captures from square to square."""
    for e in range(int(s.mover), 4, int(s.seats)):
        victims = prey(s, e)
        hunters = common(movable(s, e), beside(victims))
        for w in range(2):
            todo = hunters[w]
            while todo:
                n = captures_of(s, e, 64 * w + first(todo), victims, out, n)
                todo = rest(todo)
    return n


@kernel
def captures_of(s: State, e: int, c: int, victims: Cells, out: Actions, n: int) -> int:
    caught = without(common(row_of(NEAR, c), victims), barred(s, e, c))
    for w in range(2):
        todo = caught[w]
        while todo:
            n = listed(out, n, CAPTURE + NUMBER[c, REACH - c + 64 * w + first(todo)])
            todo = rest(todo)
    return n


@kernel
def barred(s: State, e: int, c: int) -> Cells:
    """PP-12: the squares that the piece on this cell may not enter."""
    return closed(s, e) if contains(tied(s, e), c) else NOWHERE


@kernel
def between_squares(s: State, out: Actions, n: int) -> int:
    """Drop what begins or ends on the material plane, whose moves have other texts. Returns how many actions are left.

    In the middle of 3 × 3 cells it touches no square, and nothing is to be dropped. The buffer is never too short:
    until here, each of 18 pieces has at most eight moves.
    """
    left_over, mp = 0, int(s.mp)
    for k in range(n):
        a = int(out[k])
        if FROM[a] != mp and TO[a] != mp:
            out[left_over] = a
            left_over += 1
    return left_over


@kernel
def material_actions(s: State, out: Actions, n: int) -> int:
    """Steps and captures into the material plane, where every piece is exposed, and out of it."""
    mp, into, near = int(s.mp), free_cells(s), around(s)
    others, victims, base = NOWHERE, NOWHERE, INTO
    for e in range(int(s.mover), 4, int(s.seats)):
        pieces = movable(s, e)
        if contains(into, mp):
            others = joined(others, common(pieces, near))
        elif contains(pieces, mp):
            base, victims = OUT, prey(s, e)
            others = without(common(joined(into, victims), near), barred(s, e, mp))
        elif contains(prey(s, e), mp):
            base, others = CAPTURE + INTO, common(pieces, near)
    return list_ways(others, victims, base, out, n)


@kernel
def list_ways(others: Cells, victims: Cells, base: int, out: Actions, n: int) -> int:
    """The actions between the material plane and other squares, captures where these hold a victim."""
    for w in range(2):
        todo = others[w]
        while todo:
            k = first(todo)
            todo = rest(todo)
            n = listed(out, n, base + 64 * w + k + (CAPTURE if has(victims[w], k) else 0))
    return n


# ── Playing ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@kernel
def play(s: State, a: int) -> None:
    seat = int(s.mover)
    if a == PASS:
        pass_turn(s)
    else:
        move_piece(s, a)
    rule = rule_after(s, seat)
    if rule:
        s.over, s.mover, s.winner = 1, 0, winner_by(rule, seat)
    else:
        s.mover = (seat + 1) % int(s.seats)


@kernel
def ends(s: State, a: int) -> tuple[int, int]:
    """The cells an action goes from and to."""
    return int(s.mp) if FROM[a] == MP else int(FROM[a]), int(s.mp) if TO[a] == MP else int(TO[a])


@kernel
def move_piece(s: State, a: int) -> None:
    start, end = ends(s, a)
    e = int(s.mover)
    if not has(s.pieces[e, start >> 6], start & 63):
        e ^= 2  # the other element of one of two players
    s.pieces[e, start >> 6] ^= bit(start & 63)
    s.pieces[e, end >> 6] ^= bit(end & 63)
    s.moved = int(s.moved) | 1 << e
    s.quiet = int(s.quiet) + 1
    if a >= CAPTURE:
        s.pieces[(e + 1) % 4, end >> 6] ^= bit(end & 63)
        s.quiet = 0


@kernel
def pass_turn(s: State) -> None:
    """PP-18: a turn without a capture; in the opening, it is the element's."""
    s.moved = int(s.moved) | 1 << int(s.mover)
    s.quiet = int(s.quiet) + 1


@kernel
def rule_after(s: State, seat: int) -> int:
    """PP-13: the number of the rule that ends the game after this seat's move, 0 if it goes on."""
    side = seat % 2
    if not some(missing(s, side)):
        return 14
    for e in range(1 - side, 4, 2):  # the mover's own side has lost nothing
        if not some(row_of(s.pieces, e)):
            return 15
    for e in range(1 - side, 4, 2):
        if s.moved == ALL_MOVED and not some(exposed(s, e)):
            return 16
    if s.quiet >= PATIENCE:
        return 17
    return 0 if may_pass(s) or can_move(s, (seat + 1) % int(s.seats)) else 18


@kernel
def may_pass(s: State) -> bool:
    """PP-18: whether a player without a legal move passes."""
    return bool(s.passes) and s.seats == 4


@kernel
def winner_by(rule: int, seat: int) -> int:
    """The side that wins when a rule ends the game after this seat's move."""
    return NOBODY if rule == 17 else seat % 2


@kernel
def can_move(s: State, seat: int) -> bool:
    for e in range(seat, 4, int(s.seats)):
        into, bound = joined(free_cells(s), prey(s, e)), tied(s, e)
        if can_enter(s, without(movable(s, e), bound), into) or can_enter(s, bound, without(into, closed(s, e))):
            return True
    return False


@kernel
def can_enter(s: State, pieces: Cells, into: Cells) -> bool:
    """PP-7: one of these pieces touches one of these squares."""
    if some(common(beside(pieces), into)):
        return True
    mp, near = int(s.mp), around(s)
    return (contains(into, mp) and some(common(pieces, near))) or (contains(pieces, mp) and some(common(into, near)))


# ── Results ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@kernel
def ending(s: State) -> int:
    """The number of the rule that ended the game. The winner tells: both seats of a side end it by the same rule."""
    if not s.over:
        return 0
    for seat in range(int(s.seats)):
        if moved_last(s, seat):
            rule = rule_after(s, seat)
            if rule and winner_by(rule, seat) == int(s.winner):
                return rule
    return 0


@kernel
def moved_last(s: State, seat: int) -> bool:
    """Whether the last turn may have been this seat's: in the opening, the number of turns tells."""
    return s.moved == ALL_MOVED or seat == (count(np.uint64(s.moved)) - 1) % int(s.seats)


@kernel
def scores(s: State, out: npt.NDArray[np.int32]) -> None:
    for seat in range(int(s.seats)):
        out[seat] = 1 if seat % 2 == int(s.winner) else 0


@kernel
def returns(s: State, out: npt.NDArray[np.float32]) -> None:
    for seat in range(int(s.seats)):
        out[seat] = 0 if int(s.winner) == NOBODY else 1 if seat % 2 == int(s.winner) else -1


@kernel
def key(s: State) -> np.uint64:
    small = int(s.mover) | int(s.over) << 2 | int(s.seats) << 3 | int(s.moved) << 6 | int(s.quiet) << 10
    k = stir(s.layout, np.uint64(small | int(s.winner) + 1 << 18 | int(s.passes) << 20))
    for e in range(4):
        k = stir(stir(k, s.pieces[e, 0]), s.pieces[e, 1])
    return k


RULES = register(Rules(STATE, new, legal, play, scores, returns, key, ending))
