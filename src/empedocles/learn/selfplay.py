"""Games in which an evaluation plays against itself, and what it learns from them.

Each decision is that of the best child, now and then of another one. The worth of a position is then corrected towards
what the best answer promised and how the game went on: TD(λ) on the positions after decisions. Each place of the table
has a rate of its own, which falls when its corrections contradict each other (temporal coherence learning).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from empedocles.core.kernel import (
    BROKEN,
    CHANCE,
    UNIT,
    Actions,
    Places,
    State,
    Table,
    Weights,
    Worths,
    evaluate,
    features,
    kernel,
    listing,
    play,
    returns,
)
from empedocles.core.maths import log
from empedocles.core.rng import draw, random_word
from empedocles.engine.playout import States

LONGEST = 600  # decisions of one game: whoever wanders about longer learns nothing from it
BLIND = 8  # at most so many random decisions begin a game
CARELESS = 50  # later, one decision in so many is random
HEAT = 0.03  # of the others: by how much a move may look worse and still be chosen often
TRUST = 0.7  # λ: how much the rest of the game counts, against the best answer alone
STEP = 0.6  # the part of an error that is corrected at once, in logits, when a place is new

Floats = npt.NDArray[np.float64]


class Trace(NamedTuple):
    """What one game leaves to learn from: a row for each decision, and in some of them a number for each seat."""

    states: States  # after the decision
    hopes: Floats  # what the best child of the position before the decision promised
    random: npt.NDArray[np.int8]  # 1 if the decision was not for that child, but a random one
    result: Worths  # one for each seat

    def cut(self, plies: int) -> Trace:
        """A copy of the first rows."""
        states, hopes, random, result = self
        return Trace(states[:plies].copy(), hopes[:plies].copy(), random[:plies].copy(), result.copy())


class Memory(NamedTuple):
    """A table as it is learnt: its numbers as logits, and the sum of their corrections, with sign and without."""

    logits: npt.NDArray[np.float32]
    sums: npt.NDArray[np.float32]
    sizes: npt.NDArray[np.float32]


def new_trace(state: np.dtype[State], seats: int) -> Trace:
    return Trace(
        np.zeros(LONGEST, state), np.zeros((LONGEST, seats)), np.zeros(LONGEST, np.int8), np.zeros(seats, np.float32)
    )


def new_memory(size: int) -> Memory:
    return Memory(np.zeros(size, np.float32), np.zeros(size, np.float32), np.zeros(size, np.float32))


# ── Playing ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@kernel
def self_play(states: States, weights: Weights, luck: np.uint64, out: Actions, expected: Worths, trace: Trace) -> int:
    """One game from the state in the first place. Returns how many decisions it had, or 0 if it did not end in time."""
    s, seats, counter, ply = states[0], len(expected), 0, 0
    blind = draw(luck, 0, BLIND + 1)
    while not s.over:
        n, counter = listing(s, out, seats), counter + 1
        if n == BROKEN or ply == len(trace.states):
            return 0
        if s.mover == CHANCE:
            play(s, int(out[draw(luck, counter, n)]))
            continue
        mood = random_word(luck, counter)
        careless = ply < blind or draw(mood, n, CARELESS) == 0  # children have the numbers below n
        chosen = decision(states, weights, HEAT, mood, out, n, expected, trace.hopes[ply])
        trace.random[ply] = careless
        play(s, int(out[draw(luck, counter, n)]) if careless else chosen)
        trace.states[ply] = states[0]
        ply += 1
    returns(s, trace.result)
    return ply


@kernel
def decision(
    states: States,
    weights: Weights,
    heat: float,
    luck: np.uint64,
    out: Actions,
    n: int,
    expected: Worths,
    hopes: Floats,
) -> int:
    """The child that looks best, or nearly so if there is heat; and what the best one promises."""
    mover, best, highest, chosen = int(states[0].mover), -math.inf, -math.inf, 0
    for k in range(n):
        states[1] = states[0]
        child = states[1]
        play(child, int(out[k]))
        if child.over:
            returns(child, expected)
        else:
            evaluate(child, weights, expected)
        if expected[mover] > best:
            best = float(expected[mover])
            for seat in range(len(expected)):
                hopes[seat] = expected[seat]
        tempting = float(expected[mover]) + (heat * gumbel(luck, k) if heat else 0.0)
        if tempting > highest:
            highest, chosen = tempting, int(out[k])
    return chosen


@kernel
def gumbel(luck: np.uint64, counter: int) -> float:
    """Added to worths, it makes the highest one a draw from their softmax."""
    return -log(-log((draw(luck, counter, 1 << 30) + 0.5) / (1 << 30)))


@kernel
def look_back(trace: Trace, plies: int, goals: Floats) -> None:
    """What each position should have been worth to each seat, by what came after it."""
    for seat in range(len(trace.result)):
        goal = float(trace.result[seat])
        for ply in range(plies - 1, -1, -1):
            goals[ply, seat] = goal
            hope = float(trace.hopes[ply, seat])
            goal = hope if trace.random[ply] else (1 - TRUST) * hope + TRUST * goal


# ── Learning ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@kernel
def learn(states: States, goals: Floats, weights: Weights, expected: Worths, memory: Memory) -> tuple[float, int]:
    """Correct the table by the positions of one game, the last one first.

    Returns the sum of squared errors, before each was corrected, and how many there were.
    """
    wrong, taught = 0.0, 0
    for ply in range(len(states) - 1, -1, -1):
        s = states[ply]
        if s.over:
            continue
        evaluate(s, weights, expected)
        for seat in range(len(expected)):
            n = features(s, seat, weights.places)
            if n:
                error = float(goals[ply, seat]) - float(expected[seat])
                correct(weights.places, n, error, weights.table, memory)
                wrong += error * error
                taught += 1
    return wrong, taught


@kernel
def correct(places: Places, n: int, error: float, table: Table, memory: Memory) -> None:
    for k in range(n):
        place = places[k]
        size = np.float64(memory.sizes[place])
        rate = abs(np.float64(memory.sums[place])) / size if size > 0 else 1.0
        logit = np.float64(memory.logits[place]) + STEP / n * error * rate
        memory.logits[place] = logit
        memory.sums[place] = np.float64(memory.sums[place]) + error
        memory.sizes[place] = size + abs(error)
        table[place] = as_entry(logit)


@kernel
def as_entry(logit: float) -> int:
    """A logit as an entry of the table."""
    return int(min(LIMIT, max(-LIMIT, math.floor(logit * UNIT + 0.5))))


LIMIT = 2**15 - 1


# ── Measuring ────────────────────────────────────────────────────────────────────────────────────────────────────────


@kernel
def duel(
    states: States,
    ours: Weights,
    theirs: Weights,
    side: int,
    luck: np.uint64,
    out: Actions,
    expected: Worths,
    hopes: Floats,
) -> int:
    """A game of two evaluations after some random moves: ours has the seats whose remainder by 2 is `side`.

    Returns 1 if it ended in time.
    """
    s, counter = states[0], 0
    while not s.over:
        n, counter = listing(s, out, len(expected)), counter + 1
        if n == BROKEN or counter > 2 * LONGEST:
            return 0
        action = int(out[draw(luck, counter, n)])
        if s.mover != CHANCE and counter > BLIND:
            weights = ours if int(s.mover) % 2 == side else theirs
            action = decision(states, weights, 0.0, luck, out, n, expected, hopes)
        play(s, action)
    returns(s, expected)
    return 1
