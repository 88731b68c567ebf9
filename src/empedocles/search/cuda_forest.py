"""The kernels of a search on a GPU: which thread does what of `forest.py`. Imported only for a GPU."""

from __future__ import annotations

import functools
import math
from typing import Any, NamedTuple

import numpy as np
from numba import cuda

from empedocles.core.kernel import returns
from empedocles.core.maths import times
from empedocles.core.rng import random_word
from empedocles.engine.cuda import WARP, gpu_kernel
from empedocles.engine.environments import Array
from empedocles.search.forest import (
    NOTHING,
    OPEN,
    Desk,
    How,
    Leaves,
    Trees,
    best_child,
    copy_words,
    descend_in,
    grow,
    settle_children,
    take_answer,
    worth_of,
)
from empedocles.search.tree import children_of, first_of

NO_ACTION = -1
REGISTERS = 128  # of a thread that knows the rules: as in batches


class Kernels(NamedTuple):
    """Those of one game."""

    descend: Any
    grow: Any
    settle: Any
    take: Any
    worths: Any


@functools.cache
def kernels(state: np.dtype[Any], word: np.dtype[Any], most_seats: int) -> Kernels:
    # The sizes of local arrays must be constants of a kernel. A thread walks with a state in its own memory, where the
    # threads of a warp read the same field at one go.
    size = state.itemsize // word.itemsize

    def descend(trees: Trees, roots: Array, leaves: Leaves, outs: Array, stops: Array, seats: int, how: How) -> None:
        t = cuda.grid(1)
        if t < len(trees.done):
            mine, result = cuda.local.array(size, word), cuda.local.array(most_seats, np.float32)
            desk = Desk(outs[t], result[:seats], mine.view(state), mine)
            descend_in(trees, t, roots, leaves, desk, int(stops[t]), how)

    def grow_leaves(trees: Trees, leaves: Leaves, outs: Array, logits: Array, seats: int) -> None:
        t = cuda.grid(1)
        if t < len(trees.done):
            mine, result = cuda.local.array(size, word), cuda.local.array(most_seats, np.float32)
            desk = Desk(outs[t], result[:seats], mine.view(state), mine)
            at_once = len(leaves.depths) // len(trees.done)
            for leaf in range(t * at_once, (t + 1) * at_once):
                if leaves.fates[leaf] == OPEN:
                    grow(trees, t, leaves, leaf, logits[leaf], desk)

    def settle(trees: Trees, leaves: Leaves, outs: Array, lanes: int, seats: int) -> None:
        leaf, lane = cuda.grid(1) // lanes, cuda.grid(1) % lanes
        if leaf < len(leaves.depths) and leaves.fates[leaf] == OPEN:
            mine, result = cuda.local.array(size, word), cuda.local.array(most_seats, np.float32)
            desk = Desk(outs[0], result[:seats], mine.view(state), mine)
            settle_children(trees, leaves, leaf, desk, lane, lanes)

    def take(trees: Trees, leaves: Leaves, outs: Array, values: Array, seats: int) -> None:
        t = cuda.grid(1)
        if t < len(trees.done):
            mine, result = cuda.local.array(size, word), cuda.local.array(most_seats, np.float32)
            desk = Desk(outs[t], result[:seats], mine.view(state), mine)
            at_once = len(leaves.depths) // len(trees.done)
            for leaf in range(t * at_once, (t + 1) * at_once):
                if leaves.fates[leaf] != NOTHING:
                    take_answer(trees, leaves, leaf, values[leaf], desk)

    def worths(trees: Trees, roots: Array, alive: Array, found: Array) -> None:
        """What each seat can expect, or what it got."""
        t = cuda.grid(1)
        if t < len(found):
            seats, root = found.shape[1], t * trees.nodes[0]
            if alive[t]:
                for seat in range(seats):
                    found[t, seat] = worth_of(trees.tree, root, root, seat, seats)
            else:
                mine = cuda.local.array(size, word)
                copy_words(roots[t], mine)
                returns(mine.view(state)[0], found[t])

    return Kernels(
        gpu_kernel(descend, REGISTERS),
        gpu_kernel(grow_leaves, REGISTERS),
        gpu_kernel(settle, REGISTERS),
        gpu_kernel(take),
        gpu_kernel(worths),
    )


# ── Kernels of all games ─────────────────────────────────────────────────────────────────────────────────────────────


@gpu_kernel
def plant(trees: Trees, roots: Array, leaves: Leaves, source: Array, numbers: Array, seed: np.uint64) -> None:
    """Roots without children; leaves hold them, too, so that whatever is observed is a position."""
    t = cuda.grid(1)
    if t < len(trees.done):
        trees.used[t], trees.done[t] = 1, 0
        trees.seeds[t] = random_word(seed, int(numbers[t]))
        copy_words(source[t], roots[t])
        at_once = len(leaves.depths) // len(trees.done)
        for leaf in range(t * at_once, (t + 1) * at_once):
            copy_words(source[t], leaves.words[leaf])
            leaves.movers[leaf] = 0
            leaves.fates[leaf] = NOTHING


@gpu_kernel
def allow(done: Array, alive: Array, more: int, stops: Array) -> None:
    t = cuda.grid(1)
    if t < len(stops):
        stops[t] = done[t] + more if alive[t] else 0


@gpu_kernel
def allow_first(alive: Array, stops: Array) -> None:
    t = cuda.grid(1)
    if t < len(stops):
        stops[t] = 1 if alive[t] else 0


@gpu_kernel
def look(trees: Trees, stops: Array, news: Array) -> None:
    """Note whether a tree is to have more simulations."""
    t = cuda.grid(1)
    if t < len(stops) and trees.done[t] < stops[t] and not trees.tree.settled[t * trees.nodes[0]]:
        news[0] = 1


@gpu_kernel
def check(logits: Array, news: Array) -> None:
    """Note whether a logit is neither a number nor −∞. With any number of threads."""
    for i in range(cuda.grid(1), len(logits), cuda.gridsize(1)):
        if not logits[i] < math.inf:
            news[1] = 1


@gpu_kernel
def spread(given: Array, relation: Array, values: Array, news: Array) -> None:
    """What each seat can expect, of a column each or of the mover's alone."""
    leaf = cuda.grid(1)
    if leaf < len(values):
        for seat in range(values.shape[1]):
            own = given.shape[1] == values.shape[1]
            value = float(given[leaf, seat]) if own else float(given[leaf, 0]) * float(relation[seat])
            if not abs(value) < math.inf:
                news[1] = 1
            values[leaf, seat] = min(1.0, max(-1.0, value))


@gpu_kernel
def convert(given: Array, floats: Array) -> None:
    i = cuda.grid(1)
    if i < floats.size:
        row, column = i // floats.shape[1], i % floats.shape[1]
        floats[row, column] = given[row, column]


@gpu_kernel
def count_children(trees: Trees, counts: Array) -> None:
    t = cuda.grid(1)
    if t < len(counts):
        family = trees.tree.family[t * trees.nodes[0]]
        counts[t] = children_of(family) if family > 0 else 0


@gpu_kernel
def mix(trees: Trees, noise: Array, part: float) -> None:
    """Mix a row of noise into the priors of each root."""
    t = cuda.grid(1)
    if t < len(trees.done):
        family, prior = trees.tree.family[t * trees.nodes[0]], trees.tree.prior
        for k in range(children_of(family) if family > 0 else 0):
            kept = np.float32(np.float32(1 - part) * prior[first_of(family) + k])
            prior[first_of(family) + k] = float(kept) + times(part, noise[t, k])


@gpu_kernel
def choose(trees: Trees, seats: int, actions: Array) -> None:
    t = cuda.grid(1)
    if t < len(actions):
        root = t * trees.nodes[0]
        known = trees.tree.family[root] > 0
        actions[t] = trees.tree.action[best_child(trees.tree, root, seats)] if known else NO_ACTION


@gpu_kernel
def count(trees: Trees, visits: Array) -> None:
    """A warp per tree: the children of its root are read in a row."""
    t, lane = cuda.grid(1) // WARP, cuda.grid(1) % WARP
    if t < len(visits):
        family = trees.tree.family[t * trees.nodes[0]]
        first = first_of(family)
        for k in range(lane, children_of(family) if family > 0 else 0, WARP):
            action = trees.tree.action[first + k]
            if 0 <= action < visits.shape[1]:
                visits[t, action] = trees.tree.visits[first + k]
