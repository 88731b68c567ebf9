"""The rules of Ignite and Flow (RULES.md), as kernels on one state.

In one file, as in every game's folder: rules.py has all rules of its game.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from empedocles.core.bits import NONE, ONE, bit, count, first, has, left, rest, right, stir
from empedocles.core.kernel import Actions, Rules, State, Words, kernel, listed, register, state_type, tiny_kernel
from empedocles.games.ignite_and_flow.lookups import (
    ACTION_CELL,
    ACTION_SHAPE,
    BEND,
    BEND_STEPS,
    BLOCK,
    BOARD,
    BURN,
    CELLS,
    CHAIN,
    CHAIN_INDEX,
    CHAIN_REACTS,
    DESERT,
    EARTH,
    EFFECT,
    FIRE,
    FLOW,
    FORK,
    FORK_STEPS,
    GAP,
    NEAR,
    NO_TEMPLE,
    ORIGIN,
    PAIR,
    PAIR_REACTS,
    PAIR_STEP,
    PLACE,
    ROW,
    SCORCH,
    SCORCH_BASE,
    SCORCH_FOURTH,
    SCORCH_SECOND,
    SCORCH_SLOT,
    SCORCH_THIRD,
    STRAIGHT_ACTIONS,
    STREAM,
    STRIDE,
    TEMPLE,
    WATER,
)

TEMPLES = 3  # of each player
TAKEN = 4  # points for a temple taken
PATIENCE = 40  # actions in a row without progress that end the game

ACTION, TEMPLE_CHOICE = 0, 1  # what the mover has to decide

# No position has more legal moves: temple moves are never legal beside others, and of the three ways to name the desert
# of a chain at most two are legal, since only the two equal elements qualify. Bends and forks are not counted: one that
# is legal needs a water and two empty squares, and rules out the scorches that need a fire on any of the three, which
# are more than there are bends and forks at all.
MAX_LEGAL = STRAIGHT_ACTIONS - len(CELLS) - 1 - int(sum((CHAIN <= ACTION_SHAPE) & (ACTION_SHAPE < SCORCH))) // 3

BENT, SPLIT = 1, 2  # bits of `flow`
EXACT, TOUCHING = 1, 2  # values of `scorch`

STATE = state_type(
    [
        ("reactions", np.int8),  # which neighbours react: ALL, LITERAL or ORTHOGONAL_ONLY of `lookups`
        ("due", np.int8),  # ACTION or TEMPLE_CHOICE
        ("quiet", np.int8),  # actions in a row without progress
        ("taken", np.int8, 2),  # temples each seat has taken from the other
        ("ground", np.uint64, 4),  # the squares of fire, water, earth (temples included) and desert
        ("temples", np.uint64, 2),  # the squares of each seat's temples
        # Other readings; here they fill what would be padding.
        ("chain", np.int8),  # 1: the single element joins the two equal ones
        ("flow", np.int8),  # BENT, SPLIT, both or neither
        ("scorch", np.int8),  # EXACT or TOUCHING; 0: any four
    ],
    __file__,
)


@kernel
def new(s: State, options: Words) -> None:
    s.mover, s.over, s.seats = 0, 0, 2
    s.reactions, s.chain = np.int8(options[0]), np.int8(options[1])
    s.flow, s.scorch = np.int8(options[2]), np.int8(options[3])
    s.due, s.quiet = ACTION, 0
    for seat in range(2):
        s.taken[seat] = 0
        s.temples[seat] = NONE
    for element in range(4):
        s.ground[element] = NONE


# ── What the board allows ────────────────────────────────────────────────────────────────────────────────────────────


@kernel
def empty_cells(s: State) -> np.uint64:
    occupied: np.uint64 = s.ground[FIRE] | s.ground[WATER] | s.ground[EARTH] | s.ground[DESERT]
    return BOARD & ~occupied


@kernel
def beside(cells: np.uint64) -> np.uint64:
    """The neighbours of some squares in all eight directions, spare columns included."""
    sides = left(cells, 1) | right(cells, 1)
    row = cells | sides
    return sides | left(row, STRIDE) | right(row, STRIDE)


@kernel
def landmasses(earth: np.uint64, seeds: np.uint64) -> np.uint64:
    """IF-3: all earth connected orthogonally with some of the given squares."""
    reached = seeds & earth
    while True:
        near = left(reached, STRIDE) | right(reached, STRIDE) | left(reached, 1) | right(reached, 1)
        grown = reached | (near & earth)
        if grown == reached:
            return reached
        reached = grown


@kernel
def unused_temples(s: State, seat: int) -> int:
    return TEMPLES - count(s.temples[seat]) - int(s.taken[1 - seat])


@kernel
def temple_cells(s: State, seat: int) -> np.uint64:
    """IF-13: where a seat could place a temple now."""
    if unused_temples(s, seat) == 0:
        return NONE
    earth: np.uint64 = s.ground[EARTH]
    free: np.uint64 = earth & ~s.temples[seat]
    return free & ~landmasses(earth, s.temples[1 - seat])


@kernel
def burnable(s: State) -> np.uint64:
    """IF-6: squares that fire may enter."""
    earth: np.uint64 = s.ground[EARTH]
    return empty_cells(s) | earth


@kernel
def floodable(s: State, seat: int) -> np.uint64:
    """IF-8, IF-9: squares that water may enter from a diagonal neighbour when this seat moves."""
    temples: np.uint64 = s.temples[0] | s.temples[1]
    return empty_cells(s) | (landmasses(s.ground[EARTH], s.temples[seat]) & ~temples)


# ── Legal actions ────────────────────────────────────────────────────────────────────────────────────────────────────


@kernel
def legal(s: State, out: Actions) -> int:
    if s.over:
        return 0
    if s.due == TEMPLE_CHOICE:
        return temple_actions(s, out)
    n = placements(s, out)
    n = spreads(s, out, n)
    if s.flow:
        n = wide_flows(s, out, n)
    n = reactions(s, out, n)
    if s.scorch == TOUCHING:
        return blocks(s.ground[FIRE], out, n)
    # One call for both readings: a GPU's compiler copies the function to every place that calls it.
    fire: np.uint64 = s.ground[FIRE]
    return scorches(groups_of_four(fire) if s.scorch == EXACT else fire, out, n)


@kernel
def number(shape: int, cell: int) -> int:
    """The action of a shape at a cell."""
    return int(ORIGIN[shape] + cell - ROW[cell] * GAP[shape])


@kernel
def everywhere(shape: int, cells: np.uint64, out: Actions, n: int) -> int:
    """The actions of one shape at each of some cells."""
    origin, gap = ORIGIN[shape], GAP[shape]
    while cells:
        cell = first(cells)
        n = listed(out, n, origin + cell - ROW[cell] * gap)
        cells = rest(cells)
    return n


@kernel
def temple_actions(s: State, out: Actions) -> int:
    n = listed(out, 0, NO_TEMPLE)
    return everywhere(TEMPLE, temple_cells(s, int(s.mover)), out, n)


@kernel
def placements(s: State, out: Actions) -> int:
    n = everywhere(PLACE, empty_cells(s), out, 0)
    for k in range(n if 3 * n <= len(out) else 0):
        out[n + k] = out[k] + len(CELLS)
        out[2 * n + k] = out[k] + 2 * len(CELLS)
    return 3 * n


@kernel
def spreads(s: State, out: Actions, n: int) -> int:
    """IF-6, IF-8, IF-9: burns and flows, in the order of `lookups.ORTHOGONAL` and `DIAGONAL`."""
    fire, water, empty = s.ground[FIRE], s.ground[WATER], empty_cells(s)
    fuel, bed = burnable(s), floodable(s, int(s.mover))
    n = everywhere(BURN, left(fire, STRIDE) & fuel, out, n)
    n = everywhere(BURN + 1, left(fire, 1) & fuel, out, n)
    n = everywhere(BURN + 2, right(fire, STRIDE) & fuel, out, n)
    n = everywhere(BURN + 3, right(fire, 1) & fuel, out, n)
    north_east, south_east = left(water, STRIDE + 1), right(water, STRIDE - 1)
    south_west, north_west = right(water, STRIDE + 1), left(water, STRIDE - 1)
    n = everywhere(FLOW, north_east & bed, out, n)
    n = everywhere(FLOW + 1, south_east & bed, out, n)
    n = everywhere(FLOW + 2, south_west & bed, out, n)
    n = everywhere(FLOW + 3, north_west & bed, out, n)
    # The anchor of a stream is the first of its squares in board order: the near one going north, the far one south.
    n = everywhere(STREAM, north_east & empty & right(empty, STRIDE + 1), out, n)
    n = everywhere(STREAM + 1, right(south_east & empty, STRIDE - 1) & empty, out, n)
    n = everywhere(STREAM + 2, right(south_west & empty, STRIDE + 1) & empty, out, n)
    return everywhere(STREAM + 3, north_west & empty & right(empty, STRIDE - 1), out, n)


@kernel
def wide_flows(s: State, out: Actions, n: int) -> int:
    """IF-8 with flow=bent, split or free: over two empty squares with a turn, or to two empty squares at once."""
    water, empty, flow = s.ground[WATER], empty_cells(s), int(s.flow)
    for k in range(len(BEND_STEPS) if flow & BENT else 0):
        one, two = BEND_STEPS[k]
        far = moved(moved(water, one) & empty, two) & empty
        n = everywhere(BEND + k, far if two < 0 else right(far, two), out, n)
    for k in range(len(FORK_STEPS) if flow & SPLIT else 0):
        one, two = FORK_STEPS[k]
        n = everywhere(FORK + k, moved(water, one) & empty & right(empty, two - one), out, n)
    return n


@kernel
def moved(cells: np.uint64, step: int) -> np.uint64:
    return left(cells, step) if step > 0 else right(cells, -step)


@kernel
def reactions(s: State, out: Actions, n: int) -> int:
    """IF-10, IF-11: wherever a fire and a water are neighbours, the pair and the chains that it is part of."""
    fire, water, links = s.ground[FIRE], s.ground[WATER], int(s.reactions)
    reading = 2 * links + int(s.chain)
    for k in range(4):
        step = PAIR_STEP[k]
        meetings = (fire & right(water, step)) | (water & right(fire, step))
        if PAIR_REACTS[links, k]:
            n = everywhere(PAIR + k, meetings, out, n)
        while meetings:
            one = first(meetings)
            meetings = rest(meetings)
            n = chains(one, one + step, fire if has(fire, one) else water, fire | water, reading, out, n)
    return n


@kernel
def chains(a: int, b: int, like_a: np.uint64, both: np.uint64, reading: int, out: Actions, n: int) -> int:
    """Chains of two neighbours a and b of different elements and a third square.

    Where the odd element of the three is a neighbour of both equal ones, the chain has two such pairs; it is found from
    the one whose equal element comes first in board order.
    """
    near = (NEAR[a] | NEAR[b]) & both
    thirds = near & ~bit(a) & ~bit(b)
    thirds &= ~(like_a & NEAR[b] & (bit(a) - ONE))
    thirds &= ~(~like_a & NEAR[a] & (bit(b) - ONE))
    while thirds:
        c = first(thirds)
        thirds = rest(thirds)
        n = chain(a if has(like_a, c) else b, c, b if has(like_a, c) else a, reading, out, n)
    return n


@kernel
def chain(equal: int, third: int, odd: int, reading: int, out: Actions, n: int) -> int:
    """Both actions of a chain: one of the two equal elements becomes desert."""
    low, high = min(equal, third, odd), max(equal, third, odd)
    middle = equal + third + odd - low - high
    k = CHAIN_INDEX[middle - low, high - low]
    if reading and not CHAIN_REACTS[reading >> 1, reading & 1, k, which(odd, low, middle)]:
        return n
    for desert in (equal, third):
        n = listed(out, n, number(CHAIN + 3 * k + which(desert, low, middle), low))
    return n


@tiny_kernel
def which(cell: int, low: int, middle: int) -> int:
    """Which of the three squares of a chain a cell is."""
    return 0 if cell == low else 1 if cell == middle else 2


@kernel
def rank(word: np.uint64, index: int) -> int:
    return count(word & (bit(index) - ONE))


@kernel
def scorches(fire: np.uint64, out: Actions, n: int) -> int:
    """IF-12: all connected sets of four fires, each from its first square on."""
    todo = fire & beside(fire)
    if count(todo) < 4:
        return n
    while todo:
        c1 = first(todo)
        todo = rest(todo)
        near = right(fire, c1)
        seconds = SCORCH_SECOND & near
        while seconds:
            d2 = first(seconds)
            seconds = rest(seconds)
            n = scorches_from(c1, d2, near, out, n)
    return n


@kernel
def scorches_from(c1: int, d2: int, near: np.uint64, out: Actions, n: int) -> int:
    word = SCORCH_THIRD[d2]
    thirds = word & near
    while thirds:
        slot = SCORCH_SLOT[d2] + rank(word, first(thirds))
        thirds = rest(thirds)
        last = SCORCH_FOURTH[slot]
        fourths = last & near
        while fourths:
            n = listed(out, n, number(SCORCH + SCORCH_BASE[slot] + rank(last, first(fourths)), c1))
            fourths = rest(fourths)
    return n


@kernel
def blocks(fire: np.uint64, out: Actions, n: int) -> int:
    """IF-12 with scorch=touching: fires in blocks of 2 × 2."""
    rows = fire & right(fire, 1)
    return everywhere(BLOCK, rows & right(rows, STRIDE), out, n)


@kernel
def groups_of_four(fire: np.uint64) -> np.uint64:
    """IF-12 with scorch=exact: the fires of groups that have no fifth."""
    found, todo = NONE, fire
    while todo:
        group = neighbourhood(fire, bit(first(todo)))
        todo &= ~group
        if count(group) == 4:
            found |= group
    return found


@kernel
def neighbourhood(fire: np.uint64, seeds: np.uint64) -> np.uint64:
    """All fires connected in any of the eight directions with some of them."""
    reached = seeds
    while True:
        grown = reached | (beside(reached) & fire)
        if grown == reached:
            return reached
        reached = grown


# ── Playing ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@kernel
def play(s: State, a: int) -> None:
    if s.due == TEMPLE_CHOICE:
        if a != NO_TEMPLE:
            s.temples[int(s.mover)] |= bit(ACTION_CELL[a])
            s.quiet = 0
        end_turn(s)
        return
    change_ground(s, int(ACTION_SHAPE[a]), int(ACTION_CELL[a]))
    if temple_cells(s, int(s.mover)):
        s.due = TEMPLE_CHOICE
    else:
        end_turn(s)


@kernel
def change_ground(s: State, shape: int, cell: int) -> None:
    effect = EFFECT[shape]
    changed = left(effect[FIRE] | effect[WATER] | effect[EARTH] | effect[DESERT], cell)
    progress = (changed & empty_cells(s)) | effect[DESERT]
    for element in range(4):
        s.ground[element] = (s.ground[element] & ~changed) | left(effect[element], cell)
    for seat in range(2):
        burnt = s.temples[seat] & changed  # IF-7: only fire enters a square with a temple
        if burnt:
            s.temples[seat] &= ~burnt
            s.taken[1 - seat] += 1
            progress |= burnt
    s.quiet = 0 if progress else int(s.quiet) + 1


@kernel
def end_turn(s: State) -> None:
    s.mover, s.due = 1 - int(s.mover), ACTION
    if s.quiet >= PATIENCE or not empty_cells(s):
        s.over, s.mover = 1, 0


# ── Results ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@kernel
def scores(s: State, out: npt.NDArray[np.int32]) -> None:
    earth = s.ground[EARTH]
    white, black = landmasses(earth, s.temples[0]), landmasses(earth, s.temples[1])
    out[0] = count(white & ~black) + TAKEN * int(s.taken[0])
    out[1] = count(black & ~white) + TAKEN * int(s.taken[1])


@kernel
def returns(s: State, out: npt.NDArray[np.float32]) -> None:
    earth = s.ground[EARTH]
    white, black = landmasses(earth, s.temples[0]), landmasses(earth, s.temples[1])
    lead = count(white & ~black) - count(black & ~white) + TAKEN * (int(s.taken[0]) - int(s.taken[1]))
    out[0] = 1 if lead > 0 else -1 if lead < 0 else 0
    out[1] = -out[0]


@kernel
def ending(s: State) -> int:
    """The number of the rule that ended the game. A full board comes first: the 40th action may have filled it."""
    if not s.over:
        return 0
    return 16 if empty_cells(s) else 15


@kernel
def key(s: State) -> np.uint64:
    small = int(s.mover) | int(s.over) << 1 | (int(s.reactions) & 1) << 2 | int(s.due) << 3 | int(s.quiet) << 4
    small |= int(s.taken[0]) << 12 | int(s.taken[1]) << 16
    # Weak opponents misjudge by the key: that of a position without readings stays what it was before there were any.
    small |= (int(s.reactions) >> 1) << 20 | int(s.chain) << 21 | int(s.flow) << 22 | int(s.scorch) << 24
    k = np.uint64(small)
    for element in range(4):
        k = stir(k, s.ground[element])
    return stir(stir(k, s.temples[0]), s.temples[1])


RULES = register(Rules(STATE, new, legal, play, scores, returns, key, ending))
