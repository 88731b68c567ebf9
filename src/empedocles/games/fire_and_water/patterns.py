"""What a trained network of Fire & Water sees of a seat: squares on which somebody leads, elementals, and its means.

Nothing depends on where a square lies but whether at an edge or in a corner, so what is learnt on one is known on all.
"""

from __future__ import annotations

import numpy as np

from empedocles.core.bits import NONE, bit, count, first, has, rest
from empedocles.core.kernel import CHANCE, Places, State, Table, Worths, kernel, tiny_kernel
from empedocles.games.fire_and_water.lookups import (
    CELLS,
    CORNERS,
    EAST,
    EITHER,
    FIRE,
    HALF_VALUE,
    INNER,
    NO_HALF,
    NORTH,
    SEATS,
    SOUTH,
    SUPPLY,
    WATER,
    WEST,
    facing,
)
from empedocles.games.fire_and_water.rules import (
    ELEMENTALS,
    NO_CELL,
    NO_SEAT,
    covered,
    following,
    leader_stands,
    of_seat,
    sums,
    surrounded,
)

AHEAD = 4  # by how much a seat leads, or is behind, on a square; more makes no difference
MARGINS = 2 * AHEAD + 1
NOTHING, OWN_HALF, OTHER_HALF, OWN_LEADER, OTHER_LEADER = range(5)  # what lies on a square
STUFF = 5
ROOMS = 4  # a square's empty neighbours: none, one, two, more
BORDERS = 3  # inside, at an edge, in a corner
PHASES = 4  # how empty the board is
GENTLE = 5  # sums beside an elemental: none, one, two, three, more
LEADERS = 3  # not yet on the board, there, lost
MOST_TOKENS, READY, HELD, STRONGEST = 21, 4, 4, 25

# Where the parts of the table begin, for each number of seats.
SQUARES_PART = 0
ELEMENTALS_PART = SQUARES_PART + MARGINS * STUFF * ROOMS * BORDERS * PHASES * 2
TOKENS_PART = ELEMENTALS_PART + GENTLE * GENTLE * ROOMS * LEADERS
HAND_PART = TOKENS_PART + MOST_TOKENS * READY * SEATS
LEADER_PART = HAND_PART + HELD * STRONGEST * PHASES
PART = LEADER_PART + LEADERS * PHASES
SIZE_OF_TABLE = (SEATS - 1) * PART
MOST = CELLS + ELEMENTALS + 3


@kernel
def features(s: State, seat: int, places: Places) -> int:
    if s.last != NO_SEAT:
        return 0  # in last turns nothing counts but points
    n, base, acts = 0, PART * (int(s.seats) - 2), int(seat == acting(s))
    for word in range(words(s)):
        inner, corners, rooms = INNER[s.seats, word], CORNERS[s.seats, word], by_empty_neighbours(s, word)
        for room in range(ROOMS):
            todo = contested(s, word) & rooms[room]
            while todo:
                cell = first(todo)
                todo = rest(todo)
                kind = kind_of(room, has(inner, cell), has(corners, cell), phase(s))
                lanes = influence(s, word, cell)
                places[n] = base + square(seat, lanes, best_two(s, lanes), lying(s, 64 * word + cell), kind, acts)
                n += 1
            todo = unclaimed(s, word) & rooms[room]
            while todo:
                places[n] = base + elemental(s, seat, sums(s, 64 * word + first(todo), EITHER), room)
                todo = rest(todo)
                n += 1
    places[n] = base + tokens(s, seat)
    places[n + 1] = base + hand(s, seat)
    places[n + 2] = base + leader(s, seat)
    return n + 3


@kernel
def totals(s: State, table: Table, out: Worths) -> None:
    """The sum of the table for each seat, as `features` says: what seats have in common is found once."""
    base, now, seats, turn = PART * (int(s.seats) - 2), phase(s), int(s.seats), acting(s)
    for seat in range(seats):
        out[seat] = table[base + tokens(s, seat)] + table[base + hand(s, seat)] + table[base + leader(s, seat)]
    for word in range(words(s)):
        inner, corners, rooms = INNER[seats, word], CORNERS[seats, word], by_empty_neighbours(s, word)
        everywhere, shy = contested(s, word), unclaimed(s, word)
        for room in range(ROOMS):
            todo = everywhere & rooms[room]
            while todo:
                cell = first(todo)
                todo = rest(todo)
                kind = kind_of(room, has(inner, cell), has(corners, cell), now)
                lanes = influence(s, word, cell)
                two, thing = best_two(s, lanes), lying(s, 64 * word + cell)
                for seat in range(seats):
                    out[seat] += table[base + square(seat, lanes, two, thing, kind, int(seat == turn))]
            todo = shy & rooms[room]
            while todo:
                lanes = sums(s, 64 * word + first(todo), EITHER)
                todo = rest(todo)
                for seat in range(seats):
                    out[seat] += table[base + elemental(s, seat, lanes, room)]


@tiny_kernel
def words(s: State) -> int:
    """The small board is one word."""
    return 1 if s.seats == 2 else 2


# ── Squares ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@kernel
def contested(s: State, word: int) -> np.uint64:
    """Squares without tokens and elementals on which a seat leads."""
    led = s.lead[0, word] | s.lead[1, word] | s.lead[2, word] | s.lead[3, word]
    left: np.uint64 = led & ~(covered(s, word) | s.elementals[word])
    return left


@tiny_kernel
def influence(s: State, word: int, cell: int) -> int:
    """The sums that count on a square, in lanes."""
    return sums(s, 64 * word + cell, FIRE if has(s.fire[word], cell) else WATER)


@tiny_kernel
def kind_of(room: int, inner: bool, corner: bool, now: int) -> int:
    """Where a square lies, as a number: its empty neighbours, its border, and how empty the board is."""
    return (room * BORDERS + (0 if inner else 1 + corner)) * PHASES + now


@kernel
def best_two(s: State, lanes: int) -> tuple[int, int]:
    """The highest sum and the next one."""
    most, second = 0, 0
    for seat in range(s.seats):
        mine = of_seat(lanes, seat)
        second = max(second, min(most, mine))
        most = max(most, mine)
    return most, second


@tiny_kernel
def square(seat: int, lanes: int, two: tuple[int, int], thing: tuple[int, int], kind: int, acts: int) -> int:
    mine = of_seat(lanes, seat)
    margin = min(AHEAD, max(-AHEAD, mine - (two[1] if mine == two[0] else two[0]))) + AHEAD
    stuff = thing[0] + (thing[0] != NOTHING and thing[1] != seat)
    return SQUARES_PART + ((kind * MARGINS + margin) * STUFF + stuff) * 2 + acts


@kernel
def lying(s: State, cell: int) -> tuple[int, int]:
    """What lies on a square, as its owner calls it, and who that is."""
    half = int(s.half[cell])
    if half != NO_HALF:
        return OWN_HALF, (half - 1) >> 3
    for seat in range(s.seats):
        if s.leader[seat] == cell:
            return OWN_LEADER, seat
    return NOTHING, 0


@kernel
def by_empty_neighbours(s: State, word: int) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:
    """Cells with none, one, two and more empty orthogonal neighbours: four bits are added for all cells at once."""
    north, east = facing(NORTH, s.empty, word), facing(EAST, s.empty, word)
    south, west = facing(SOUTH, s.empty, word), facing(WEST, s.empty, word)
    upright, level = north & south, east & west
    odd = north ^ south ^ east ^ west
    twos = upright ^ level ^ ((north ^ south) & (east ^ west))
    fours = upright & level
    return ~(odd | twos | fours), odd & ~twos, twos & ~odd, odd & twos | fours


@kernel
def phase(s: State) -> int:
    whole = 64 if s.seats == 2 else CELLS
    return (count(s.empty[0]) + count(s.empty[1])) * PHASES // (whole + 1)


@kernel
def acting(s: State) -> int:
    """The seat that acts next."""
    return int(following(s)) if s.mover == CHANCE else int(s.turn)


# ── Elementals, tokens, markers in hand, leaders ─────────────────────────────────────────────────────────────────────


@kernel
def unclaimed(s: State, word: int) -> np.uint64:
    cells: np.uint64 = s.elementals[word] & ~covered(s, word)
    return cells


@kernel
def elemental(s: State, seat: int, lanes: int, room: int) -> int:
    """How gentle a seat is, and the gentlest other one (FW-18)."""
    least = 0
    for other in range(s.seats):
        theirs = of_seat(lanes, other)
        if other != seat and theirs and (least == 0 or theirs < least):
            least = theirs
    mine = min(of_seat(lanes, seat), GENTLE - 1)
    part = (mine * GENTLE + min(least, GENTLE - 1)) * ROOMS + room
    return ELEMENTALS_PART + part * LEADERS + leader_of(s, seat)


@kernel
def leader_of(s: State, seat: int) -> int:
    if s.leader[seat] == NO_CELL:
        return 0
    return 1 if leader_stands(s, seat) else 2


@kernel
def tokens(s: State, seat: int) -> int:
    """How many tokens a seat has left, how many squares it may take, and when it acts."""
    own, ready = int(s.leader[seat]), 0
    for word in range(words(s)):
        taken = covered(s, word) | s.elementals[word] | (bit(own & 63) if own >> 6 == word else NONE)
        ready += count(s.lead[seat, word] & surrounded(s, word) & ~taken)
    left = int(SUPPLY[s.seats]) - int(s.placed[seat])
    wait = (seat - acting(s)) % int(s.seats)
    return TOKENS_PART + (left * READY + min(ready, READY - 1)) * SEATS + wait


@kernel
def hand(s: State, seat: int) -> int:
    markers, held, strength = np.uint64(s.revealed[seat]), 0, 0
    while markers:
        marker = first(markers)
        markers = rest(markers)
        held += 1
        strength += HALF_VALUE[FIRE, marker] + HALF_VALUE[WATER, marker]
    return HAND_PART + (min(held, HELD - 1) * STRONGEST + min(strength, STRONGEST - 1)) * PHASES + phase(s)


@kernel
def leader(s: State, seat: int) -> int:
    return LEADER_PART + leader_of(s, seat) * PHASES + phase(s)
