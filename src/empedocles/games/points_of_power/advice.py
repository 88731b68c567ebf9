"""What a position of Points of Power is worth, at a glance.

A side is worth what its two elements are: their pieces, how many of them are exposed, who threatens whom, and what they
can reach within three steps. An element without an exposed piece has lost (PP-16), so the last few exposed ones count.

The weights come from games of this evaluation against itself, one and two plies deep, with one random move in about
fifteen: a logistic regression of who won on the features below, repeated with the games of each result. Positions right
after a random move were all taken, since they show what a search meets and good players avoid. What the last point of
power weighs was set by hand: such games hardly ever come near PP-14.
"""

from __future__ import annotations

import numpy as np

from empedocles.core.kernel import UNIT, Numbers, State, Weights, Worths, kernel, tabled, tiny_kernel
from empedocles.core.maths import tanh
from empedocles.game import Advice, Features, Opponent, Style
from empedocles.games.points_of_power.lookups import Cells
from empedocles.games.points_of_power.patterns import MOST, SIZE_OF_TABLE, Sets, features, sights, touched
from empedocles.games.points_of_power.rules import (
    PATIENCE,
    common,
    exposed,
    free_cells,
    joined,
    missing,
    points,
    row_of,
    shelter,
    size,
    some,
    without,
)

SURE = 0.999  # nothing is certain while the game is on, and in 32 bits tanh reaches 1
ROOM = 10  # more safe squares than these make no difference

# What the features of an element weigh, six numbers each. With two players: when it is its turn, and when not. With
# four: when it is its turn, and one, two and three turns before.
ROW = 6
(MATERIAL, LOOSE, AVENGED, SOME_LOOSE, LAST, ESCAPES, EXITS, NO_ESCAPE) = range(5 * ROW, 13 * ROW, ROW)
(POINTS, POINTS_AT_1, POINTS_AT_2, PREY_AT_2, PREY_AT_3, LAST_POINT, LAST_POINT_AT_1) = range(13 * ROW, 20 * ROW, ROW)
# fmt: off
WEIGHTS = np.array(
    [
        [ 0.000,  0.000,  0.000,  0.000,  0.000,  0.000],  # no piece exposed, as before the element's first move
        [-0.191, -0.220, -0.352, -0.392, -0.311, -0.313],  # one exposed
        [-0.103, -0.134, -0.238, -0.253, -0.195, -0.190],  # two
        [-0.014, -0.046, -0.163, -0.161, -0.099, -0.114],  # three
        [ 0.000,  0.000,  0.000,  0.000,  0.000,  0.000],  # more
        [ 0.137,  0.135,  0.156,  0.149,  0.150,  0.148],  # MATERIAL: for each piece
        [-0.099, -0.097, -0.201, -0.136, -0.112, -0.158],  # LOOSE: each threatened piece that no partner would avenge
        [-0.078, -0.090, -0.081, -0.112, -0.134, -0.140],  # AVENGED: each that one would
        [-0.052, -0.093,  0.066, -0.093, -0.137, -0.075],  # SOME_LOOSE: at least one loose piece
        [-0.170, -1.860, -0.100, -1.670, -1.190, -1.070],  # LAST: the only exposed piece is threatened
        [ 0.008,  0.010,  0.013,  0.012,  0.017,  0.015],  # ESCAPES: each step of exposed pieces out of threats
        [ 0.017,  0.017,  0.011,  0.015,  0.014,  0.014],  # EXITS: the same for the other pieces
        [-0.315, -0.416, -0.175,  0.113, -0.826, -0.470],  # NO_ESCAPE: no such square for exposed pieces
        [ 0.033,  0.061,  0.046,  0.070,  0.041,  0.062],  # POINTS: each point of power taken
        [ 0.061,  0.055,  0.054,  0.042,  0.029,  0.046],  # POINTS_AT_1: each free one that is one step away
        [ 0.037,  0.039,  0.032,  0.034,  0.027,  0.040],  # POINTS_AT_2: two steps
        [ 0.045,  0.046,  0.064,  0.055,  0.062,  0.059],  # PREY_AT_2: each exposed prey that is two steps away
        [ 0.022,  0.024,  0.017,  0.032,  0.022,  0.026],  # PREY_AT_3: three steps
        [ 0.200,  0.200,  0.200,  0.200,  0.200,  0.200],  # LAST_POINT: the side needs one more, which is free
        [ 1.000,  0.300,  1.000,  0.300,  0.500,  0.300],  # LAST_POINT_AT_1: and one step away
    ]
).ravel()
# fmt: on


@kernel
def evaluate(s: State, weights: Weights, out: Worths) -> None:
    late = int(s.quiet) / PATIENCE  # PP-17: what is not won soon is drawn
    near = reach(s, 0), reach(s, 1), reach(s, 2), reach(s, 3)
    ahead = lead(s, weights.numbers if len(weights.numbers) else WEIGHTS, near)
    if len(weights.table):
        learnt = tabled(weights.table, weights.places, sights(s, near, weights.places)) / (2 * UNIT)
        ahead += learnt if int(s.mover) % 2 == 0 else -learnt
    worth = SURE * (1 - late * late) * tanh(ahead)
    for seat in range(int(s.seats)):
        out[seat] = -worth if seat % 2 else worth


@kernel
def lead(s: State, weights: Numbers, near: Sets) -> float:
    """By how much Fire and Earth are ahead. Each element is hunted by the one before it; the one after next helps."""
    fire, air, earth, water = near
    ours = strength(s, weights, 0, fire, water, earth) + strength(s, weights, 2, earth, air, fire)
    return ours - strength(s, weights, 1, air, fire, water) - strength(s, weights, 3, water, earth, air)


@kernel
def reach(s: State, e: int) -> Cells:
    return touched(s, row_of(s.pieces, e))


@kernel
def strength(s: State, weights: Numbers, e: int, near: Cells, hunted: Cells, helped: Cells) -> float:
    """What an element is worth to its side, from what its own pieces, its hunters and its partners touch."""
    seats = int(s.seats)
    turn = seats - 2 + (e - int(s.mover)) % seats
    free = free_cells(s)
    return (
        safety(s, weights, e, turn, hunted, helped)
        + freedom(s, weights, e, turn, common(near, free), hunted)
        + prospects(s, weights, e, turn, near, free)
    )


@tiny_kernel
def safety(s: State, weights: Numbers, e: int, turn: int, hunted: Cells, helped: Cells) -> float:
    """Of the pieces: how many there are, how many exposed, how many threatened, and whether that would be avenged."""
    out = exposed(s, e)
    threatened = common(out, hunted)
    n, threats, avenged = size(out), size(threatened), size(common(threatened, helped))
    worth: float = weights[MATERIAL + turn] * size(row_of(s.pieces, e)) + weights[ROW * min(n, 4) + turn]
    worth += weights[LOOSE + turn] * (threats - avenged) + weights[AVENGED + turn] * avenged
    if threats > avenged:
        worth += weights[SOME_LOOSE + turn]
    if n == 1 and threats:
        worth += weights[LAST + turn]
    return worth


@tiny_kernel
def freedom(s: State, weights: Numbers, e: int, turn: int, steps: Cells, hunted: Cells) -> float:
    """Of the steps that leave a piece exposed but not threatened: those of exposed pieces, and those of others."""
    out, safe = exposed(s, e), without(steps, joined(hunted, shelter(s, e)))
    escapes = size(common(safe, touched(s, out)))
    exits = min(size(safe) - escapes, ROOM)
    worth: float = weights[ESCAPES + turn] * min(escapes, ROOM) + weights[EXITS + turn] * exits
    if some(out) and not escapes:
        worth += weights[NO_ESCAPE + turn]
    return worth


@tiny_kernel
def prospects(s: State, weights: Numbers, e: int, turn: int, near: Cells, free: Cells) -> float:
    """Of the points of power: those taken, and the free ones one or two steps away; of the prey: two or three."""
    prey, open_points = exposed(s, (e + 1) % 4), common(points(s), free)
    far = touched(s, common(near, free))
    farther = touched(s, common(far, free))
    worth: float = weights[POINTS + turn] * size(common(row_of(s.pieces, e), points(s)))
    worth += weights[POINTS_AT_1 + turn] * size(common(open_points, near))
    worth += weights[POINTS_AT_2 + turn] * size(without(common(open_points, far), near))
    worth += weights[PREY_AT_2 + turn] * size(without(common(prey, far), near))
    worth += weights[PREY_AT_3 + turn] * size(without(common(prey, farther), joined(near, far)))
    last = missing(s, e % 2)
    if size(last) == 1 and some(common(last, free)):
        worth += weights[LAST_POINT + turn]
        if some(common(last, near)):
            worth += weights[LAST_POINT_AT_1 + turn]
    return worth


OPPONENTS = (
    Opponent("Gnome", 2, noise=0.068, overlooks=0.145, form=0.55),
    Opponent("Sylph", 10, noise=0.049, overlooks=0.098, form=0.55),
    Opponent("Undine", 30, noise=0.034, overlooks=0.06, form=0.55),
    Opponent("Salamander", 85, noise=0.0243, overlooks=0.038, form=0.55),
    Opponent("Golem", 220, noise=0.016, overlooks=0.0225, form=0.55),
    Opponent("Djinn", 560, noise=0.0095, overlooks=0.0115, form=0.55),
    Opponent("Phoenix", 500, noise=0.006, overlooks=0.0065, form=0.5, learnt=True),
    Opponent("Demiurge", 150_000, learnt=True),  # about 3 s on one core
)
ADVICE = Advice(
    evaluate, Style(exploration=0.4, sharpness=25), OPPONENTS, WEIGHTS, Features(features, SIZE_OF_TABLE, MOST)
)
