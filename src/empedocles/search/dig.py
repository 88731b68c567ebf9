"""The inner part of alpha-beta: one recursive kernel, and the table of known positions that it fills.

A score is what a position is worth for the side to move there, in ten-thousandths of a win; a sure win is worth more
than any estimate, the sooner the more. A side may move several times in a row: scores change sign with the side only.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from empedocles.bits import NONE, stir
from empedocles.engine.playout import States
from empedocles.kernel import (
    BROKEN,
    Actions,
    Record,
    State,
    Worths,
    evaluate,
    kernel,
    key,
    listing,
    play,
    returns,
    tiny_kernel,
)
from empedocles.search.weakness import MOST, error, seen_of

DEEPEST = 64  # moves looked ahead
SCALE = 10_000  # the score of an estimate of 1
SURE = 20_000  # scores from here on are proofs
WIN = 30_000  # less one for each move that it takes
INFINITE = 32_000

NO_ACTION, NO_PLACE = -1, -1
BEST, GOOD = 1 << 30, 1 << 20  # ranks above all that history gives

# Control: positions played into, how many may be, whether that was too few; estimates made; the age of new entries of
# the table; moves at the root, and how many are done. Python may write ALLOWED at any time: 0 stops the search at once.
NODES, ALLOWED, STOPPED, ESTIMATES, AGE, MOVES, DONE = range(7)
TOO_FEW, STUCK = 1, 2  # why a search has STOPPED: the nodes that are allowed, or rules that are BROKEN
SCORE, VISITS, ESTIMATED, EXACT = range(4)  # what is written down about each move at the root

AT_MOST, AT_LEAST, EXACTLY = 1, 2, 3  # what the score of an entry means
EXHAUSTED = 127  # depth of an entry that rests on no estimate
_FIELDS = np.dtype(
    [
        ("key", np.uint64),
        ("action", np.int16),
        ("score", np.int16),  # sure ones count their moves from this position on
        ("depth", np.int8),
        ("kind", np.int8),  # 0: the entry is free
        ("age", np.int16),
    ],
    align=True,
)
ENTRY = np.dtype((Record, _FIELDS))


Table = npt.NDArray[np.void]


class Work(NamedTuple):
    """What a search works on."""

    states: States  # one for each move on the way down
    actions: npt.NDArray[np.int16]  # the moves of each of them
    ranks: npt.NDArray[np.int32]  # and how promising they look
    killers: npt.NDArray[np.int16]  # the last two moves that were too good at this distance from the root
    history: npt.NDArray[np.int32]  # [side, action]: how often it was too good
    table: Table
    control: npt.NDArray[np.int64]
    root: npt.NDArray[np.int64]
    worths: npt.NDArray[np.float32]
    seed: np.uint64
    noise: float
    overlooks: float


@kernel
def dig(w: Work, ply: int, depth: int, low: int, high: int) -> int:
    """The score of states[ply] if it lies between low and high; otherwise a bound on that side.

    At the root, the moves and their order are given, and what is found about each is written down.
    """
    # One long function, and each kernel of a game called once: compiling takes a second more for every further call.
    c, s, root = w.control, w.states[ply], ply == 0
    if s.over:
        return ending(s, w.worths, ply)
    side, n, hint = int(s.mover) & 1, int(c[MOVES]), NO_ACTION
    # A side that is still to move after its move looks on: what its turn is worth shows at the end of it.
    leaf = ply == DEEPEST or (depth <= 0 and side != int(w.states[ply - 1].mover) & 1)
    k = key(s) if w.noise or not leaf else NONE
    if leaf:
        c[ESTIMATES] += 1
        return estimate(w, s, k)
    if not root:
        depth = max(depth, 1)
        place = find(w.table, k)
        if place != NO_PLACE:
            entry = w.table[place]
            known = from_here(int(entry.score), -ply)
            if int(entry.depth) >= depth and settles(int(entry.kind), known, low, high):
                c[ESTIMATES] += entry.depth != EXHAUSTED
                return known
            hint = int(entry.action)
        n = moves_seen(w, s, ply, k)
        if n == BROKEN:
            return low
        rank(w, ply, side, n, hint)
    every = root and high == INFINITE  # move gets a score of its own
    estimates, best, chosen, alpha = c[ESTIMATES], -INFINITE, NO_ACTION, low
    for j in range(n):
        a = int(w.actions[ply, j]) if root else pick(w.actions[ply], w.ranks[ply], j, n)
        nodes, guesses = c[NODES], c[ESTIMATES]
        if nodes >= c[ALLOWED]:
            c[STOPPED] = TOO_FEW
            return best
        c[NODES] += 1
        w.states[ply + 1] = s
        play(w.states[ply + 1], a)
        turn = int(w.states[ply + 1].mover) & 1 != side
        # All but the first move are first asked whether they are better at all.
        top, score = high if j == 0 or every else alpha + 1, 0
        while True:
            score = dig(w, ply + 1, depth - 1, -top if turn else alpha, -alpha if turn else top)
            score = -score if turn else score
            if score <= alpha or top == high or score >= high:
                break
            top = high
        if c[STOPPED]:
            return best
        if root:
            write_down(w, j, score, c[NODES] - nodes, c[ESTIMATES] - guesses, top == high or score >= high)
        if score > best:
            best, chosen = score, a
            alpha = alpha if every else max(alpha, best)
        if best >= high:
            reward(w, ply, side, a, depth)
            break
    kind = AT_MOST if best <= low else AT_LEAST if best >= high else EXACTLY
    if (best >= SURE and kind != AT_MOST) or (best <= -SURE and kind != AT_LEAST):
        c[ESTIMATES] = estimates  # a proof needs none of them
    keep(w.table, c[AGE], k, chosen, from_here(best, ply), EXHAUSTED if c[ESTIMATES] == estimates else depth, kind)
    return best


@tiny_kernel
def write_down(w: Work, j: int, score: int, visits: int, estimated: int, exact: bool) -> None:
    w.root[j, SCORE], w.root[j, VISITS], w.root[j, ESTIMATED], w.root[j, EXACT] = score, visits, estimated, exact
    w.control[DONE] = j + 1


# ── Scores ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@tiny_kernel
def of_mover(worths: Worths, s: State) -> float:
    """What the mover can expect; nothing, if another package's game has a mover who has no seat."""
    mover = int(s.mover)
    return float(worths[mover]) if 0 <= mover < len(worths) else 0.0


@tiny_kernel
def ending(s: State, worths: Worths, ply: int) -> int:
    returns(s, worths)
    result = of_mover(worths, s)
    return WIN - ply if result >= 1 else ply - WIN if result <= -1 else int(result * SCALE)


@tiny_kernel
def estimate(w: Work, s: State, k: np.uint64) -> int:
    evaluate(s, w.worths)
    worth = of_mover(w.worths, s)
    if w.noise:
        worth = min(MOST, max(-MOST, worth + w.noise * 3**0.5 * error(stir(w.seed, k), 0)))
    return int(worth * (SCALE - 1))


@tiny_kernel
def from_here(score: int, plies: int) -> int:
    """A sure score counts moves from the root; the table counts from the position, so many plies on."""
    return score + plies if score >= SURE else score - plies if score <= -SURE else score


@tiny_kernel
def settles(kind: int, score: int, low: int, high: int) -> bool:
    """Whether an entry tells all that is asked about a position."""
    return kind == EXACTLY or (kind == AT_LEAST and score >= high) or (kind == AT_MOST and score <= low)


# ── Moves and their order ────────────────────────────────────────────────────────────────────────────────────────────


@tiny_kernel
def moves_seen(w: Work, s: State, ply: int, k: np.uint64) -> int:
    """List the legal moves that are not overlooked; how many, or BROKEN, which stops the search."""
    n = listing(s, w.actions[ply], len(w.worths))
    if n == BROKEN:
        w.control[STOPPED] = STUCK
    return seen_of(stir(w.seed, k), w.overlooks, w.actions[ply], n)


@tiny_kernel
def rank(w: Work, ply: int, side: int, n: int, hint: int) -> None:
    one, two = int(w.killers[ply, 0]), int(w.killers[ply, 1])
    for j in range(n):
        a = int(w.actions[ply, j])
        often = int(w.history[side, a]) if 0 <= a < w.history.shape[1] else 0
        w.ranks[ply, j] = BEST if a == hint else GOOD + 1 if a == one else GOOD if a == two else often


@kernel
def pick(actions: Actions, ranks: npt.NDArray[np.int32], j: int, n: int) -> int:
    """Bring the most promising of the actions from j on to the front of these."""
    best = j
    for i in range(j + 1, n):
        if ranks[i] > ranks[best]:
            best = i
    a = int(actions[best])
    actions[best], ranks[best] = actions[j], ranks[j]
    actions[j] = a
    return a


@tiny_kernel
def reward(w: Work, ply: int, side: int, a: int, depth: int) -> None:
    if 0 <= a < w.history.shape[1]:
        w.history[side, a] = min(int(w.history[side, a]) + depth * depth, GOOD - 1)
    if w.killers[ply, 0] != a:
        w.killers[ply, 1] = w.killers[ply, 0]
        w.killers[ply, 0] = a


@tiny_kernel
def signed(word: np.uint64) -> int:
    return np.int64(word)  # type: ignore[return-value]  # `int(word)` stays unsigned when compiled


# ── The table ────────────────────────────────────────────────────────────────────────────────────────────────────────


@kernel
def find(table: Table, k: np.uint64) -> int:
    """The place of a position's entry, or NO_PLACE."""
    place = signed(k & np.uint64(len(table) - 1))
    for near in (place, place ^ 1):
        if table[near].kind and table[near].key == k:
            return near
    return NO_PLACE


@kernel
def keep(table: Table, age: int, k: np.uint64, a: int, score: int, depth: int, kind: int) -> None:
    """A position has two places: deep entries stay in the first one until they are old, the second takes all others."""
    place = signed(k & np.uint64(len(table) - 1))
    there = table[place]
    if there.key != k and there.age == age and int(there.depth) > depth:
        place ^= 1
    entry = table[place]
    entry.key, entry.action, entry.score = k, a, score
    entry.depth, entry.kind, entry.age = depth, kind, age
