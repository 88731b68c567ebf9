"""What a position of Fire & Water is worth to each seat, at a glance.

Every seat gets a sum of weighted features; the chances to win are the softmax of these sums. The weights change evenly
as the board fills. They were found by benchmarks/fit_fire_and_water.py: logistic regression on who won, in games that a
greedy player with the weights of the round before played against itself.
"""

from __future__ import annotations

import math

import numpy as np

from empedocles.core.bits import NONE, bit, count, first, has, rest
from empedocles.core.kernel import CHANCE, UNIT, Numbers, State, Weights, Worths, kernel
from empedocles.core.maths import exp
from empedocles.game import Advice, Features, Opponent, Style
from empedocles.games.fire_and_water.lookups import (
    CELLS,
    EITHER,
    FIRE,
    HALF_VALUE,
    SEATS,
    WATER,
)
from empedocles.games.fire_and_water.patterns import (
    MOST,
    SIZE_OF_TABLE,
    by_empty_neighbours,
    features,
    totals,
    words,
)
from empedocles.games.fire_and_water.rules import (
    CLAIMS_TOO,
    LEADERLESS,
    NO_CELL,
    NO_SEAT,
    covered,
    following,
    leader_stands,
    lowest,
    of_seat,
    score,
    sums,
    surrounded,
)

FEATURES = (
    TOKENS,  # on the board
    READY,  # squares that the seat may take as soon as it has the turn
    LED_1,  # squares that it leads on, with 1 empty neighbour
    LED_2,
    LED_3,  # with 3 or 4
    MARGIN,  # by how much it leads on those with 1 or 2, all together
    LEADER,  # stands on the board
    CONQUERED,  # the leader is lost
    DANGER,  # somebody else leads on the leader's square
    PREY,  # others' leaders on squares that it may take
    TRAIL,  # others' leaders on other squares that it leads on
    CLAIMABLE,  # elementals
    FRIENDLY,  # elementals that it could claim if their empty neighbours were occupied, and its leader placed
    TURN,  # it acts next
    HARVEST,  # it acts next, and may take a square or claim an elemental
    HAND,  # values of the revealed markers
) = range(16)

# For 2, 3 and 4 players: when the board is full, and when it is empty
_FITTED = (
    ((1.234, 0.085), (1.374, 0.235), (1.640, 0.451)),  # TOKENS
    ((0.120, 0.273), (0.157, 0.310), (0.180, 0.381)),  # READY
    ((0.043, 0.029), (0.026, 0.050), (0.044, 0.093)),  # LED_1
    ((0.022, 0.004), (0.018, 0.014), (0.011, 0.020)),  # LED_2
    ((0.053, 0.051), (0.023, 0.013), (-0.061, 0.100)),  # LED_3
    ((0.009, 0.013), (0.007, 0.026), (0.005, 0.030)),  # MARGIN
    ((0.902, -0.162), (0.308, 0.360), (-0.139, 0.767)),  # LEADER
    ((-0.783, -0.135), (-0.797, 0.881), (-1.289, 1.033)),  # CONQUERED
    ((-0.699, -0.056), (-0.436, 0.005), (-0.527, -0.120)),  # DANGER
    ((2.002, -0.139), (1.667, -0.467), (1.395, 0.292)),  # PREY
    ((-0.787, 0.186), (-0.329, 0.223), (0.278, 0.277)),  # TRAIL
    ((1.208, 0.042), (1.034, 0.957), (2.183, 0.085)),  # CLAIMABLE
    ((0.089, 0.032), (0.676, -0.397), (0.225, -0.183)),  # FRIENDLY
    ((0.060, 0.154), (0.261, 0.179), (0.296, 0.277)),  # TURN
    ((0.497, -0.178), (0.364, -0.164), (0.403, -0.181)),  # HARVEST
    ((0.050, -0.012), (0.049, 0.029), (0.051, 0.012)),  # HAND
)
# By players, feature, and full or empty, in a row.
WEIGHTS = np.swapaxes(_FITTED, 0, 1).ravel()
ROW = 2 * len(FEATURES)  # for each number of players

LAST_POINT, LAST_RANK = 12, 3  # in last turns: what a point is worth, and to be earlier among equals (FW-22)
SURE = 0.999  # nothing is certain while the game is on


@kernel
def evaluate(s: State, weights: Weights, out: Worths) -> None:
    row, learnt = ROW * (int(s.seats) - 2), len(weights.table) > 0 and s.last == NO_SEAT
    if learnt:
        totals(s, weights.table, out)
    expect(s, (weights.numbers if len(weights.numbers) else WEIGHTS)[row : row + ROW], learnt, out)


@kernel
def expect(s: State, weights: Numbers, learnt: bool, out: Worths) -> None:
    """With the weights for this number of players, and what a table adds if it is there already."""
    top, total = -math.inf, 0.0
    for seat in range(s.seats):
        more = float(out[seat]) / UNIT if learnt else 0.0
        out[seat] = last_worth(s, seat) if s.last != NO_SEAT else worth(s, seat, weights) + more
        top = max(top, float(out[seat]))
    for seat in range(s.seats):
        out[seat] = exp(float(out[seat]) - top)
        total += float(out[seat])
    others, against = int(s.seats) - 1, 0.0
    for seat in range(others):
        out[seat] = SURE * ((others + 1) * float(out[seat]) / total - 1) / others
        against += float(out[seat])
    out[others] = -against


@kernel
def last_worth(s: State, seat: int) -> float:
    """In last turns (FW-20) nothing counts but points, those included that the seat can still make."""
    behind = (seat - int(s.last)) % int(s.seats)
    points = score(s, seat)
    if behind > 0 and behind >= (int(s.turn) - int(s.last)) % int(s.seats):
        points += last_points(s, seat)
    return float(LAST_POINT * points - LAST_RANK * behind)


@kernel
def last_points(s: State, seat: int) -> int:
    """By how much a last turn can help: a conquered leader costs its owner as well."""
    most = 0
    for word in range(words(s)):
        cells = led(s, seat, word) & by_empty_neighbours(s, word)[0]
        if cells:
            most = max(most, 2 + LEADERLESS if cells & leaders(s, word) else 1)
    if s.finale == CLAIMS_TOO and elementals_for(s, seat)[0]:
        most = max(most, 2)
    return most


@kernel
def worth(s: State, seat: int, weights: Numbers) -> float:
    room = emptiness(s)
    total = weigh(weights, TOKENS, room, int(s.placed[seat])) + weigh(weights, HAND, room, strength(s, seat))
    ready = 0
    for word in range(words(s)):
        mine, prey = led(s, seat, word), leaders(s, word)
        none, one, two, more = by_empty_neighbours(s, word)
        ready += count(mine & none)
        total += weigh(weights, READY, room, count(mine & none)) + weigh(weights, LED_1, room, count(mine & one))
        total += weigh(weights, LED_2, room, count(mine & two)) + weigh(weights, LED_3, room, count(mine & more))
        total += weigh(weights, MARGIN, room, margins(s, seat, mine & (one | two), word))
        total += weigh(weights, PREY, room, count(mine & prey & none))
        total += weigh(weights, TRAIL, room, count(mine & prey & ~none))
    claimable, friendly = elementals_for(s, seat)
    total += weigh(weights, CLAIMABLE, room, claimable) + weigh(weights, FRIENDLY, room, friendly)
    if s.leader[seat] != NO_CELL:
        total += leader_worth(s, seat, weights, room)
    if seat == (following(s) if s.mover == CHANCE else int(s.turn)):
        total += weigh(weights, TURN, room, 1) + weigh(weights, HARVEST, room, int(ready + claimable > 0))
    return total


@kernel
def weigh(weights: Numbers, feature: int, room: float, amount: int) -> float:
    full, empty = weights[2 * feature], weights[2 * feature + 1]
    return float(amount * (full + room * (empty - full)))


@kernel
def emptiness(s: State) -> float:
    """The part of the board that is empty."""
    return (count(s.empty[0]) + count(s.empty[1])) / (64 if s.seats == 2 else CELLS)


# ── Squares ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@kernel
def leaders(s: State, word: int) -> np.uint64:
    cells = NONE
    for seat in range(s.seats):
        cell = int(s.leader[seat])
        if cell >> 6 == word:
            cells |= bit(cell & 63)
    return cells


@kernel
def led(s: State, seat: int, word: int) -> np.uint64:
    """Squares that a seat leads on and may take once they are surrounded (FW-15)."""
    cell = int(s.leader[seat])
    own = bit(cell & 63) if cell >> 6 == word else NONE
    cells: np.uint64 = s.lead[seat, word] & ~(covered(s, word) | s.elementals[word] | own)
    return cells


@kernel
def margins(s: State, seat: int, cells: np.uint64, word: int) -> int:
    """How far ahead of all others a seat is on squares that it leads on, added up."""
    total = 0
    while cells:
        cell = first(cells)
        cells = rest(cells)
        lanes = sums(s, 64 * word + cell, FIRE if has(s.fire[word], cell) else WATER)
        second = 0
        for other in range(SEATS):
            if other != seat:
                second = max(second, of_seat(lanes, other))
        total += of_seat(lanes, seat) - second
    return total


# ── Leaders, elementals, markers ─────────────────────────────────────────────────────────────────────────────────────


@kernel
def leader_worth(s: State, seat: int, weights: Numbers, room: float) -> float:
    cell = int(s.leader[seat])
    if not leader_stands(s, seat):
        return weigh(weights, CONQUERED, room, 1)
    rivals = NONE
    for other in range(s.seats):
        if other != seat:
            rivals |= s.lead[other, cell >> 6]
    return weigh(weights, LEADER, room, 1) + weigh(weights, DANGER, room, int(has(rivals, cell & 63)))


@kernel
def elementals_for(s: State, seat: int) -> tuple[int, int]:
    """Unclaimed elementals to which a seat is the gentlest: those that it may claim (FW-18), and those to come."""
    stands = leader_stands(s, seat)
    claimable, friendly = 0, 0
    if s.leader[seat] != NO_CELL and not stands:
        return 0, 0
    for word in range(words(s)):
        shy = s.elementals[word] & ~covered(s, word)
        closed = surrounded(s, word)
        while shy:
            cell = first(shy)
            shy = rest(shy)
            if lowest(sums(s, 64 * word + cell, EITHER), seat):
                now = stands and has(closed, cell)
                claimable += int(now)
                friendly += int(not now)
    return claimable, friendly


@kernel
def strength(s: State, seat: int) -> int:
    """The values of a seat's revealed markers, added up."""
    total, markers = 0, np.uint64(s.revealed[seat])
    while markers:
        marker = first(markers)
        markers = rest(markers)
        total += HALF_VALUE[FIRE, marker] + HALF_VALUE[WATER, marker]
    return int(total)


OPPONENTS = (
    Opponent("Spark", 1, noise=0.225, overlooks=0.28, form=0.2),
    Opponent("Dew", 1, noise=0.155, overlooks=0.21, form=0.2),
    Opponent("Ember", 5, noise=0.113, overlooks=0.128, form=0.2),
    Opponent("Brook", 10, noise=0.098, overlooks=0.092, form=0.2),
    Opponent("Blaze", 32, noise=0.077, overlooks=0.048, form=0.2),
    Opponent("Torrent", 90, noise=0.051, overlooks=0.0235, form=0.2),
    Opponent("Volcano", 60, noise=0.04, overlooks=0.02, form=0.2, learnt=True),
    Opponent("Deluge", 20_000, learnt=True),  # about 3 s on one core
)
ADVICE = Advice(
    evaluate,
    Style(exploration=1.0, sharpness=8),
    OPPONENTS,
    WEIGHTS,
    Features(features, SIZE_OF_TABLE, MOST),
    certainty=2.65,
)
