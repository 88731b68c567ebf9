"""The rules of Fire & Water (RULES.md), as kernels on one state.

Sets of cells are two words (see lookups.py): a kernel with an argument `word` answers for that part of the board. The
sums of all seats are one integer, with a lane of bits for each seat.

In one file, as in every game's folder: rules.py has all rules of its game.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from empedocles.core.bits import NONE, bit, count, first, has, numbered, rest, stir
from empedocles.core.kernel import CHANCE, Actions, Rules, State, Words, kernel, listed, register, state_type
from empedocles.games.fire_and_water.lookups import (
    AROUND,
    BOARD,
    CELLS,
    CLAIM,
    CORNERS,
    EITHER,
    ELEMENTAL,
    FIRE,
    HALF_CELL,
    HALF_VALUE,
    INNER,
    LANE,
    LEADER,
    MARKER,
    MARKER_SET,
    MARKERS,
    NEAR,
    NO_HALF,
    OUTSIDE,
    PAIR,
    PAIRS,
    PASS,
    PLACES,
    POWER,
    REVEAL,
    SEATS,
    SUPPLY,
    TOKEN,
    beside,
    facing,
)

ELEMENTALS = 3
HAND = 3  # markers that a player has revealed, as long as there are enough
LEADERLESS = 2  # points lost without a leader

NO_SEAT, NO_CELL, NOT_LAID = -1, -1, -1
TOKENS_ONLY, CLAIMS_TOO = 0, 1  # FW-20: what last turns allow
LAST_TOKEN, LAST_TURNS = 19, 20  # the numbers of the rules that end a game

# No position has more legal moves than the best one before the first turn on the large board has:
# - Each elemental has 4 neighbours, none of them an elemental: 4 pairs each are not free. A marker lies on a free pair
#   in 2 ways, and 3 markers are revealed.
# - The leader may go everywhere but to the elementals, the corners and the 12 neighbours of elementals. Two elementals
#   with one square between them share that neighbour; two of the three pairs of elementals can be so: 10 are left.
# - Later, tokens and claims come in. Let n squares be occupied, not by elementals, or empty without an empty neighbour.
#   All tokens go to such squares. Each of these is in 2 or more pairs without elementals, none of which is free; a pair
#   has 2 squares, so n or more are lost, with 6n moves: no fewer than n tokens, and 3 claims if n is not 0.
MAX_LEGAL = 2 * HAND * (PAIRS - 4 * ELEMENTALS) + CELLS - ELEMENTALS - 4 - 10

STATE = state_type(
    [
        ("turn", np.int64),  # seat whose turn it is, or whose marker is to be revealed; 0 when over
        ("last", np.int8),  # FW-20: seat that made the last regular turn, or NO_SEAT
        ("finale", np.int8),  # FW-20: TOKENS_ONLY or CLAIMS_TOO
        ("leader", np.int8, SEATS),  # cell of each seat's leader, conquered or not, or NO_CELL
        ("placed", np.int8, SEATS),  # tokens each seat has placed
        ("hidden", np.uint16, SEATS),  # each seat's face-down markers
        ("revealed", np.uint16, SEATS),  # each seat's revealed markers, not yet laid
        ("laid", np.int16, (SEATS, len(MARKERS))),  # place of each seat's markers on the board, or NOT_LAID
        ("half", np.uint8, CELLS + 1),  # the uncovered marker half on each cell, or NO_HALF, as it is OUTSIDE
        ("fire", np.uint64, 2),  # the fire squares; all others of the board are water
        ("empty", np.uint64, 2),  # cells with nothing on them
        ("elementals", np.uint64, 2),  # cells with elementals, claimed or not
        ("tokens", np.uint64, (SEATS, 2)),  # cells with tokens of each seat
        ("lead", np.uint64, (SEATS, 2)),  # cells on which a seat's influence is greater than each other's
    ],
    __file__,
)


@kernel
def new(s: State, options: Words) -> None:
    s.seats = np.int8(options[0])
    s.mover, s.turn, s.over, s.last = 0, 0, 0, NO_SEAT
    s.finale = np.int8(options[3])
    for word in range(2):
        s.fire[word], s.empty[word], s.elementals[word] = options[1 + word], BOARD[s.seats, word], NONE
    for cell in range(CELLS + 1):
        s.half[cell] = NO_HALF
    for seat in range(SEATS):
        s.leader[seat], s.placed[seat] = NO_CELL, 0
        s.hidden[seat] = MARKER_SET[s.seats] if seat < s.seats else 0
        s.revealed[seat] = 0
        for word in range(2):
            s.tokens[seat, word] = s.lead[seat, word] = NONE
        for marker in range(len(MARKERS)):
            s.laid[seat, marker] = NOT_LAID


# ── Influence ────────────────────────────────────────────────────────────────────────────────────────────────────────


@kernel
def sums(s: State, cell: int, kind: int) -> int:
    """Each seat's sum of the halves beside a cell that are FIRE, WATER or EITHER, in lanes."""
    total = 0
    for direction in range(4):  # unsigned indices: the compiler provides for negative ones otherwise
        total += POWER[kind, s.half[np.uint64(NEAR[s.seats, cell, direction])]]
    return total


@kernel
def of_seat(lanes: int, seat: int) -> int:
    return lanes >> LANE * seat & (1 << LANE) - 1


@kernel
def highest(lanes: int) -> int:
    """FW-15: the seat whose sum is strictly greater than each other's, or NO_SEAT."""
    best, most = NO_SEAT, 0
    for seat in range(SEATS):
        mine = of_seat(lanes, seat)
        if mine == most:
            best = NO_SEAT
        elif mine > most:
            best, most = seat, mine
    return best


@kernel
def lowest(lanes: int, seat: int) -> bool:
    """FW-18: a seat's sum is not 0 and strictly lower than each other's that is not 0."""
    mine = of_seat(lanes, seat)
    for other in range(SEATS):
        if other != seat and 0 < of_seat(lanes, other) <= mine:
            return False
    return mine > 0


@kernel
def update_lead(s: State, cell: int, element: int) -> None:
    """FW-13: update who leads on the squares influenced by a half of this element that came to the cell, or left it."""
    for direction in range(4):
        near = NEAR[s.seats, cell, direction]
        if near != OUTSIDE and has(s.fire[near >> 6], near & 63) == (element == FIRE):
            leading, word, square = highest(sums(s, near, element)), near >> 6, bit(near & 63)
            for seat in range(SEATS):
                s.lead[seat, word] = s.lead[seat, word] & ~square | (square if seat == leading else NONE)


# ── What the board allows ────────────────────────────────────────────────────────────────────────────────────────────


@kernel
def free_pairs(s: State, direction: int, word: int) -> np.uint64:
    """Empty cells whose neighbour to the NORTH or EAST is empty too."""
    cells: np.uint64 = s.empty[word] & facing(direction, s.empty, word)
    return cells


@kernel
def crowded(s: State) -> bool:
    """FW-20: no two empty squares are orthogonal neighbours."""
    free = NONE
    for word in range(2):
        for direction in range(2):
            free |= free_pairs(s, direction, word)
    return not free


@kernel
def covered(s: State, word: int) -> np.uint64:
    """Cells with tokens."""
    cells = NONE
    for seat in range(SEATS):
        cells |= s.tokens[seat, word]
    return cells


@kernel
def surrounded(s: State, word: int) -> np.uint64:
    """Cells none of whose orthogonal neighbours is empty."""
    cells: np.uint64 = BOARD[s.seats, word] & ~beside(s.empty, word)
    return cells


@kernel
def leader_stands(s: State, seat: int) -> bool:
    """FW-16: a seat's leader is on the board and not conquered."""
    cell = int(s.leader[seat])
    return cell != NO_CELL and not has(covered(s, cell >> 6), cell & 63)


@kernel
def elementals_left(s: State) -> int:
    return ELEMENTALS - count(s.elementals[0]) - count(s.elementals[1])


@kernel
def elemental_cells(s: State, word: int) -> np.uint64:
    """FW-5: where an elemental may be placed."""
    cells: np.uint64 = s.empty[word] & INNER[s.seats, word]
    for half in range(2):
        others = s.elementals[half]
        while others:
            cells &= ~AROUND[64 * half + first(others), word]
            others = rest(others)
    return cells


@kernel
def leader_cells(s: State, word: int) -> np.uint64:
    """FW-10: where a leader may be placed."""
    cells: np.uint64 = s.empty[word] & ~CORNERS[s.seats, word] & ~beside(s.elementals, word)
    return cells


@kernel
def token_cells(s: State, word: int) -> np.uint64:
    """FW-15: where the player whose turn it is may place a token."""
    own = int(s.leader[s.turn])
    taken = covered(s, word) | s.elementals[word] | (bit(own & 63) if own >> 6 == word else NONE)
    cells: np.uint64 = s.lead[s.turn, word] & surrounded(s, word) & ~taken
    return cells


@kernel
def claim_cells(s: State, word: int) -> np.uint64:
    """FW-18: elementals that the player whose turn it is may claim; only halves and tokens are ever beside them."""
    cells: np.uint64 = s.elementals[word] & ~covered(s, word) & surrounded(s, word)
    todo = cells
    while todo:
        index = first(todo)
        todo = rest(todo)
        if not (leader_stands(s, s.turn) and lowest(sums(s, 64 * word + index, EITHER), s.turn)):
            cells &= ~bit(index)
    return cells


# ── Legal actions ────────────────────────────────────────────────────────────────────────────────────────────────────


@kernel
def legal(s: State, out: Actions) -> int:
    if s.over:
        return 0
    n, start, stop = 0, LEADER, PASS
    if s.mover == CHANCE:
        start, stop = REVEAL, MARKER
    elif s.last != NO_SEAT:
        start, stop = TOKEN, PASS if s.finale == CLAIMS_TOO else CLAIM
    elif elementals_left(s):
        start, stop = ELEMENTAL, REVEAL
    else:
        n = placements(s, out)
    for kind in range(start, stop, CELLS):
        for word in range(2):
            n = numbered(choices(s, kind, word), kind + 64 * word, out, n)
    if n == 0 or s.last != NO_SEAT:  # FW-8, FW-20
        n = listed(out, n, PASS)
    return n


@kernel
def choices(s: State, kind: int, word: int) -> np.uint64:
    """The squares for a kind of move, named by its first action; or the markers to be revealed."""
    if kind == TOKEN:
        return token_cells(s, word)
    if kind == CLAIM:
        return claim_cells(s, word)
    if kind == LEADER:
        return leader_cells(s, word) if s.leader[s.turn] == NO_CELL else NONE
    if kind == ELEMENTAL:
        return elemental_cells(s, word)
    return np.uint64(s.hidden[s.turn]) if word == 0 else NONE


@kernel
def placements(s: State, out: Actions) -> int:
    """FW-9: markers on free pairs. The pairs are found once: with another marker the numbers differ by a constant."""
    markers = np.uint64(s.revealed[s.turn])
    if not markers:
        return 0
    base = MARKER + PLACES * first(markers)
    length = placements_of_one(s, base, out)
    n = length
    markers = rest(markers)
    while markers:
        shift = MARKER + PLACES * first(markers) - base
        if n + length <= len(out):
            for k in range(length):
                out[n + k] = int(out[k]) + shift
        n += length
        markers = rest(markers)
    return n


@kernel
def placements_of_one(s: State, base: int, out: Actions) -> int:
    n = 0
    for word in range(2):
        for direction in range(2):
            cells = free_pairs(s, direction, word)
            while cells:
                place = base + PAIR[direction, 64 * word + first(cells)]
                n = listed(out, listed(out, n, place), place + PAIRS)
                cells = rest(cells)
    return n


# ── Playing ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@kernel
def play(s: State, a: int) -> None:
    if a < REVEAL:
        place_elemental(s, a - ELEMENTAL)
    elif a < MARKER:
        reveal(s, a - REVEAL)
    else:
        act(s, a)
        end_action(s)


@kernel
def act(s: State, a: int) -> None:
    """What one of the four actions of a turn, or the pass, does to the board and the material of the player."""
    if a < LEADER:
        lay_marker(s, (a - MARKER) // PLACES, (a - MARKER) % PLACES)
    elif a < TOKEN:
        s.leader[s.turn] = a - LEADER
        occupy(s, a - LEADER)
    elif a < PASS:
        put_tokens(s, a - (TOKEN if a < CLAIM else CLAIM))


@kernel
def occupy(s: State, cell: int) -> None:
    s.empty[cell >> 6] &= ~bit(cell & 63)


@kernel
def lay_marker(s: State, marker: int, place: int) -> None:
    s.revealed[s.turn] = int(s.revealed[s.turn]) & ~(1 << marker)
    s.laid[s.turn, marker] = place
    for element in range(2):
        cell = HALF_CELL[element, place]
        occupy(s, cell)
        s.half[cell] = HALF_VALUE[element, marker] + 4 * element + 8 * s.turn
        update_lead(s, cell, element)


@kernel
def tokens_for(s: State, cell: int) -> int:
    """FW-16, FW-18: a leader and an elemental take two tokens."""
    for seat in range(SEATS):
        if s.leader[seat] == cell:
            return 2
    return 2 if has(s.elementals[cell >> 6], cell & 63) else 1


@kernel
def put_tokens(s: State, cell: int) -> None:
    s.placed[s.turn] = min(int(s.placed[s.turn]) + tokens_for(s, cell), SUPPLY[s.seats])
    s.tokens[s.turn, cell >> 6] |= bit(cell & 63)
    occupy(s, cell)
    half = int(s.half[cell])
    if half != NO_HALF:
        s.half[cell] = NO_HALF
        update_lead(s, cell, (half - 1) // 4 % 2)


# ── Whose turn it is ─────────────────────────────────────────────────────────────────────────────────────────────────


@kernel
def following(s: State) -> int:
    """The next seat in turn order."""
    return int((s.turn + 1) % s.seats)


@kernel
def give_turn(s: State, seat: int) -> None:
    s.turn = s.mover = seat


@kernel
def place_elemental(s: State, cell: int) -> None:
    s.elementals[cell >> 6] |= bit(cell & 63)
    occupy(s, cell)
    give_turn(s, following(s))
    if not elementals_left(s):
        s.turn, s.mover = 0, CHANCE


@kernel
def reveal_due(s: State, seat: int) -> bool:
    """FW-6, FW-9: a seat has face-down markers, and fewer than three revealed."""
    return bool(s.hidden[seat]) and count(np.uint64(s.revealed[seat])) < HAND


@kernel
def setting_up(s: State) -> bool:
    """Nothing but elementals is on the board."""
    taken = NONE
    for word in range(2):
        taken |= BOARD[s.seats, word] & ~s.empty[word] & ~s.elementals[word]
    return not taken


@kernel
def reveal(s: State, marker: int) -> None:
    s.hidden[s.turn] = int(s.hidden[s.turn]) & ~(1 << marker)
    s.revealed[s.turn] = int(s.revealed[s.turn]) | 1 << marker
    if reveal_due(s, s.turn):
        return
    if not setting_up(s):
        give_turn(s, following(s))
        return
    while s.turn < s.seats and not reveal_due(s, s.turn):
        s.turn += 1
    if s.turn == s.seats:
        give_turn(s, ELEMENTALS % int(s.seats))  # FW-7: as if the elementals had been turns


@kernel
def end_action(s: State) -> None:
    if s.placed[s.turn] == SUPPLY[s.seats] or following(s) == s.last:  # FW-19, FW-20
        s.over, s.turn, s.mover = 1, 0, 0
    elif s.last == NO_SEAT and crowded(s):
        s.last = s.turn
        give_turn(s, following(s))
    elif reveal_due(s, s.turn):
        s.mover = CHANCE
    else:
        give_turn(s, following(s))


# ── Results ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@kernel
def score(s: State, seat: int) -> int:
    """FW-21."""
    return int(s.placed[seat]) - (0 if leader_stands(s, seat) else LEADERLESS)


@kernel
def winner(s: State) -> int:
    """FW-22: the first of the best, from the last regular turn on; or FW-19: the seat that placed its last token."""
    start, best, most = 0 if s.last == NO_SEAT else int(s.last), 0, -LEADERLESS - 1
    for k in range(s.seats):
        seat = (start + k) % int(s.seats)
        if s.placed[seat] == SUPPLY[s.seats]:
            return seat
        if score(s, seat) > most:
            best, most = seat, score(s, seat)
    return best


@kernel
def ending(s: State) -> int:
    if not s.over:
        return 0
    for seat in range(s.seats):
        if s.placed[seat] == SUPPLY[s.seats]:
            return LAST_TOKEN
    return LAST_TURNS


@kernel
def scores(s: State, out: npt.NDArray[np.int32]) -> None:
    for seat in range(s.seats):
        out[seat] = score(s, seat)


@kernel
def returns(s: State, out: npt.NDArray[np.float32]) -> None:
    won = winner(s)
    for seat in range(s.seats):
        out[seat] = 1 if seat == won else -1 / (int(s.seats) - 1)


@kernel
def key(s: State) -> np.uint64:
    small = int(s.seats) | int(s.over) << 3 | (int(s.mover) + 1) << 4 | (int(s.last) + 1) << 8
    k = np.uint64(small | int(s.turn) << 12 | int(s.finale) << 16)
    for word in range(2):
        k = stir(stir(k, s.fire[word]), s.elementals[word])
    for seat in range(s.seats):
        k = stir(stir(k, s.tokens[seat, 0]), s.tokens[seat, 1])
        k = stir(k, np.uint64(int(s.hidden[seat]) | int(s.revealed[seat]) << 16 | (int(s.leader[seat]) + 1) << 32))
        for marker in range(len(MARKERS)):
            if s.laid[seat, marker] != NOT_LAID:
                k = stir(k, np.uint64(int(s.laid[seat, marker]) << 4 | marker))
    return k


RULES = register(Rules(STATE, new, legal, play, scores, returns, key, ending))
