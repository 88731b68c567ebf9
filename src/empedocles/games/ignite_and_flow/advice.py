"""What a position of Ignite and Flow is worth at a glance: land, temples, and the fires and waters around them."""

from __future__ import annotations

import numpy as np

from empedocles.core.bits import count, left, right
from empedocles.core.kernel import UNIT, Numbers, State, Weights, Worths, kernel, tabled
from empedocles.core.maths import tanh
from empedocles.game import Advice, Features, Opponent, Style
from empedocles.games.ignite_and_flow.lookups import ALL, CELLS, EARTH, FIRE, ORTHOGONAL_ONLY, STRIDE, WATER
from empedocles.games.ignite_and_flow.patterns import SIZE_OF_TABLE, WINDOWS, acting, features, windows
from empedocles.games.ignite_and_flow.rules import (
    TAKEN,
    TEMPLES,
    beside,
    empty_cells,
    landmasses,
    unused_temples,
)

# How many of each a seat has, less those of the other seat, times a weight that goes from the first number, on a full
# board, to the second, on an empty one.
#
# The weights were fitted by logistic regression to who won games that earlier versions played against themselves with a
# 2-ply search over full turns, random openings and now and then a random move; new games, new fit, seven rounds, the
# first with guessed weights. Land on an empty board is the exception: the fit said −0.23, since early land is often
# lost again, but a number near 0 won more matches. Growing room, land that one move would join, what a burnt temple
# would cost and separate weights for the seat to move did not predict unseen games better.
WEIGHTS = np.array(
    [
        (0.28, 0.05),  # squares of land that count
        (-1.67, -0.65),  # temples lost to the other
        (0.14, 0.21),  # temples unused
        (-0.68, -0.73),  # temples beside a fire
        (-0.87, 0.38),  # fires beside them that no water can turn into earth
        (-0.66, -0.11),  # squares from which a new fire would threaten a temple, far from water
        (-0.07, -0.23),  # the same, beside water
        (0.00, -0.13),  # earth beside temples
        (-0.30, -0.05),  # squares of land beside a fire
        (0.10, 0.05),  # squares of land beside water
        (0.10, 0.16),  # fires and waters beside land that can become earth
        (-0.12, -0.09),  # squares of land, if one move may join some of it with the other's: it would count for nobody
        (0.16, 0.19),  # squares of earth without temples, for whoever has temples left
        # And what is not a difference of counts:
        (0.66, -0.05),  # LEADING: being ahead in points
        (0.22, -0.02),  # TO_ACT: being the next to act …
        (0.23, 0.04),  # TO_BURN: … for each temple beside a fire, whosever it is
    ]
).ravel()
LAND, LOST, _, THREATENED = range(4)
COUNTS = 13
LEADING, TO_ACT, TO_BURN = range(2 * COUNTS, 2 * COUNTS + 6, 2)  # where their two weights begin

SURE = 0.999  # as good as won: a game that is won is better


@kernel
def evaluate(s: State, weights: Weights, out: Worths) -> None:
    actor = acting(s)
    a, b = landmasses(s.ground[EARTH], s.temples[actor]), landmasses(s.ground[EARTH], s.temples[1 - actor])
    full, blank = balance(s, weights.numbers if len(weights.numbers) else WEIGHTS, actor, a, b)
    share = count(empty_cells(s)) / len(CELLS)
    odds = full + share * (blank - full)
    if len(weights.table):
        odds += tabled(weights.table, weights.places, windows(s, actor, a, b, weights.places)) / UNIT
    worth = np.float32(SURE * tanh(odds / 2))
    out[actor] = worth
    out[1 - actor] = -worth


@kernel
def balance(s: State, weights: Numbers, actor: int, a: np.uint64, b: np.uint64) -> tuple[float, float]:
    """The actor's prospects as logits, with the weights of a full and of an empty board; a and b are landmasses."""
    free: np.uint64 = s.ground[EARTH] & ~(a | b)
    ours = standing(s, actor, a & ~b, b & ~a, free)
    theirs = standing(s, 1 - actor, b & ~a, a & ~b, free)
    lead = ours[LAND] - theirs[LAND] + TAKEN * (theirs[LOST] - ours[LOST])
    sign = (lead > 0) - (lead < 0)
    threatened = ours[THREATENED] + theirs[THREATENED]
    full = weights[TO_ACT] + weights[TO_BURN] * threatened + weights[LEADING] * sign
    blank = weights[TO_ACT + 1] + weights[TO_BURN + 1] * threatened + weights[LEADING + 1] * sign
    for k in range(COUNTS):
        full += weights[2 * k] * (ours[k] - theirs[k])
        blank += weights[2 * k + 1] * (ours[k] - theirs[k])
    return full, blank


@kernel
def standing(s: State, seat: int, land: np.uint64, others: np.uint64, free: np.uint64) -> tuple[int, ...]:
    """A seat's counts, in the order of WEIGHTS."""
    fire, earth, temples, empty = s.ground[FIRE], s.ground[EARTH], s.temples[seat], empty_cells(s)
    heat, damp = around(fire), reach(s, s.ground[WATER])
    reactive = (fire & damp) | (s.ground[WATER] & reach(s, fire))
    threatened = temples & heat
    doors = around(temples) & (empty | (earth & heat))
    shore = around(land)
    squares, unused = count(land), unused_temples(s, seat)
    return (
        squares,
        TEMPLES - count(temples) - unused,
        unused,
        count(threatened),
        count(fire & around(threatened) & ~damp),
        count(doors & ~damp),
        count(doors & damp),
        count(around(temples) & earth),
        count(land & heat),
        count(land & damp),
        count(shore & reactive),
        squares if shore & around(others) & (empty | reactive) else 0,
        count(free) if unused else 0,
    )


@kernel
def around(cells: np.uint64) -> np.uint64:
    """The orthogonal neighbours of some squares, spare columns included."""
    return left(cells, STRIDE) | right(cells, STRIDE) | left(cells, 1) | right(cells, 1)


@kernel
def reach(s: State, cells: np.uint64) -> np.uint64:
    """IF-10: where fire or water must lie to react with the other on some squares."""
    if s.reactions == ALL:
        return beside(cells)
    if s.reactions == ORTHOGONAL_ONLY:
        return around(cells)
    sides = left(cells, 1) | right(cells, 1)
    return sides | left(sides, STRIDE) | right(sides, STRIDE)


OPPONENTS = (
    Opponent("Pebble", 1, noise=0.215, overlooks=0.215, form=0.45),
    Opponent("Puddle", 11, noise=0.142, overlooks=0.11, form=0.45),
    Opponent("Candle", 25, noise=0.107, overlooks=0.075, form=0.45),
    Opponent("Geyser", 65, noise=0.083, overlooks=0.054, form=0.45),
    Opponent("Delta", 160, noise=0.06, overlooks=0.033, form=0.45),
    Opponent("Magma", 520, noise=0.036, overlooks=0.018, form=0.45),
    Opponent("Caldera", 900, noise=0.025, overlooks=0.012, form=0.4, learnt=True),
    Opponent("Krakatoa", 300_000, learnt=True),  # about 3 s on one core
)
ADVICE = Advice(
    evaluate,
    Style(exploration=1.0, sharpness=8),
    OPPONENTS,
    WEIGHTS,
    Features(features, SIZE_OF_TABLE, WINDOWS),
    certainty=2.3,
)
