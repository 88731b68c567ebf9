"""The trees of many positions as arrays, for a search that a policy and values guide: walks to leaves, and answers.

Finished games and what follows from them are certain, as in `mcts`, whatever the policy says.

On a CPU one loop goes through all trees. On a GPU (`cuda_guided.py`) each tree has a thread, or several, that call the
same functions: the steps of taking in an answer are kernels of their own there, since only one of them, playing all
moves of a leaf, is worth more threads.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from empedocles.core.kernel import (
    BROKEN,
    CHANCE,
    Actions,
    Planes,
    State,
    Worths,
    kernel,
    listing,
    observe,
    play,
    returns,
    tiny_kernel,
)
from empedocles.core.maths import exp, times
from empedocles.core.rng import draw, random_word
from empedocles.engine.playout import States
from empedocles.search.mcts import conclude, take_in
from empedocles.search.tree import BUSY, LEAF, UNIT, Tree, children_of, family_of, first_of

PATIENCE = 4  # walks for each leaf: many may lead to what is known already
NOTHING, OPEN, CLOSED = 0, 1, 2  # leaves: none, one that gets children, and one that gets none, as it is no node

Integers = npt.NDArray[np.int64]
Answers = npt.NDArray[np.float32]
Words = npt.NDArray[Any]  # unsigned integers


class How(NamedTuple):
    exploration: float  # how much a prior counts against results
    doubt: float  # how much worse than their parent children look that nobody has tried, when likelier ones were


class Leaves(NamedTuple):
    """Places where walks end: a row for each, the same number for every tree."""

    words: Words  # unsigned[leaves, words of a state]: the memory of its state
    movers: npt.NDArray[np.int8]  # the seat to move there
    paths: Integers  # the nodes on the way
    depths: Integers  # how many these are
    fates: npt.NDArray[np.int8]  # NOTHING, OPEN or CLOSED


class Trees(NamedTuple):
    """Trees of the same size in one: the nodes of tree t are those from t × nodes on, its root first."""

    tree: Tree
    nodes: Integers  # of each tree, as the only number
    used: Integers  # nodes in use, of each
    done: Integers  # simulations, of each
    seeds: npt.NDArray[np.uint64]
    broken: Integers  # 1 if the rules are BROKEN somewhere


class Desk(NamedTuple):
    """What one thread needs for itself."""

    out: Actions
    result: Worths
    states: States  # one, to walk with and to look at children
    words: Words  # its memory


# ── Walking ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@kernel
def descend(trees: Trees, roots: Words, leaves: Leaves, desk: Desk, stops: Integers, how: How) -> None:
    for t in range(len(roots)):
        descend_in(trees, t, roots, leaves, desk, stops[t], how)


@tiny_kernel
def descend_in(trees: Trees, t: int, roots: Words, leaves: Leaves, desk: Desk, stop: int, how: How) -> None:
    """Walk in a tree until it has had its simulations, or there is no room for another leaf."""
    at_once, root = len(leaves.depths) // len(roots), t * trees.nodes[0]
    for k in range(at_once):
        leaves.fates[t * at_once + k] = NOTHING
    leaf, last = t * at_once, (t + 1) * at_once
    last_simulation = min(stop, trees.done[t] + PATIENCE * at_once)
    while leaf < last and trees.done[t] < last_simulation and not trees.tree.settled[root]:
        copy_words(roots[t], desk.words)
        found = walk(trees, t, leaves, leaf, desk, random_word(trees.seeds[t], trees.done[t]), how)
        if not found:  # it met another one
            break
        trees.done[t] += 1
        if leaves.fates[leaf] != NOTHING:
            copy_words(desk.words, leaves.words[leaf])
            leaves.movers[leaf] = desk.states[0].mover
            leaf += 1


@tiny_kernel
def copy_words(source: Words, target: Words) -> None:
    """Copy a state: word by word, since a GPU would copy a record byte by byte."""
    for w in range(len(target)):
        target[w] = source[w]


@tiny_kernel
def walk(trees: Trees, t: int, leaves: Leaves, leaf: int, desk: Desk, luck: np.uint64, how: How) -> bool:
    """Go down to a leaf or a certain result, which is taken in; False if another walk waits for an answer there."""
    tree, path, s, seats = trees.tree, leaves.paths[leaf], desk.states[0], len(desk.result)
    node, depth, draws, inside = t * trees.nodes[0], 0, 0, True
    while True:
        if inside:
            path[depth] = node
            depth += 1
            tree.visits[node] += 1
        if is_certain(tree, node, inside, s, desk.result):
            regain(tree, path, depth, seats)
            take_in(tree, path, desk.result, depth)
            return True
        if inside and tree.family[node] == BUSY:
            regain(tree, path, depth, seats)
            forget_visits(tree, path, depth)
            return False
        grows = inside and depth < len(path)
        bare = not inside or tree.family[node] == LEAF
        if bare and s.mover != CHANCE:
            leaves.depths[leaf], leaves.fates[leaf] = depth, OPEN if grows else CLOSED
            if grows:
                tree.family[node] = BUSY
            return True
        n = listing(s, desk.out, seats) if bare else 1
        if n == BROKEN:
            trees.broken[0] = 1
            return False
        # Off the tree, where no node has room, chance goes on drawing.
        inside = inside and (not bare or (grows and make_children(trees, t, node, desk.out, n)))
        draws += 1
        if inside:
            node = chosen_child(tree, node, luck, draws, seats, how)
            action = int(tree.action[node])
        else:
            action = int(desk.out[draw(luck, draws, n)])
        play(s, action)


@tiny_kernel
def is_certain(tree: Tree, node: int, inside: bool, s: State, result: Worths) -> bool:
    """Whether it is certain what comes of a position, which is then the result."""
    seats = len(result)
    if inside and tree.settled[node]:
        for seat in range(seats):
            result[seat] = tree.expect[node * seats + seat]
        return True
    if not s.over:
        return False
    returns(s, result)
    if inside:
        for seat in range(seats):
            tree.expect[node * seats + seat] = result[seat]
        tree.settled[node] = 1
    return True


@kernel
def chosen_child(tree: Tree, node: int, luck: np.uint64, draws: int, seats: int, how: How) -> int:
    """Where a walk goes on from a node with children; it counts as lost for whoever chose, until `regain`."""
    mover, family = int(tree.mover[node]), tree.family[node]
    k = draw(luck, draws, children_of(family))
    if mover == CHANCE:
        return first_of(family) + k
    child = likeliest(tree, node, k, seats, how)
    tree.worth[child * seats + mover] -= UNIT
    return child


@kernel
def forget_visits(tree: Tree, path: Integers, depth: int) -> None:
    for k in range(depth):
        tree.visits[path[k]] -= 1


@kernel
def regain(tree: Tree, path: Integers, depth: int, seats: int) -> None:
    """What was taken for lost on the way down is not."""
    for k in range(1, depth):
        mover = int(tree.mover[path[k - 1]])
        if mover != CHANCE:
            tree.worth[path[k] * seats + mover] += UNIT


@kernel
def make_children(trees: Trees, t: int, node: int, out: Actions, n: int) -> bool:
    """Children of a node for a list of actions, with CHANCE as the mover until told otherwise; False without room."""
    tree, nodes = trees.tree, trees.nodes[0]
    if trees.used[t] + n > nodes:
        return False
    first = t * nodes + trees.used[t]
    trees.used[t] += n
    tree.mover[node] = CHANCE
    for k in range(n):
        tree.action[first + k] = out[k]
    tree.family[node] = family_of(first, n)
    return True


@kernel
def likeliest(tree: Tree, node: int, start: int, seats: int, how: How) -> int:
    """The child with the highest upper bound, for the seat to move there. Ties go to the first one from `start` on."""
    seat, first, n = int(tree.mover[node]), first_of(tree.family[node]), children_of(tree.family[node])
    visits, tried = max(1, tree.visits[node]), 0.0
    for child in range(first, first + n):
        if tree.visits[child]:
            tried += float(tree.prior[child])
    hope = how.exploration * math.sqrt(float(visits))
    fresh = tree.worth[node * seats + seat] / UNIT / visits - times(how.doubt, math.sqrt(tried))
    best, highest, child = first, -math.inf, first + start
    for _ in range(n):
        seen, row = tree.visits[child], child * seats + seat
        if tree.settled[child]:
            bound = float(tree.expect[row])
        else:
            mean = tree.worth[row] / UNIT / seen if seen else fresh
            bound = mean + hope * float(tree.prior[child]) / (seen + 1)
        if bound > highest:
            best, highest = child, bound
        child = child + 1 if child + 1 < first + n else first
    return best


# ── Answers ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@kernel
def observe_leaves(leaves: Leaves, chosen: Integers, planes: Planes, desk: Desk) -> None:
    for row in range(len(chosen)):
        copy_words(leaves.words[chosen[row]], desk.words)
        s = desk.states[0]
        observe(s, int(s.mover), planes[row])


@kernel
def take_answers(trees: Trees, leaves: Leaves, chosen: Integers, logits: Answers, values: Answers, desk: Desk) -> None:
    """Take in what the function says of these leaves: children with priors, and a result for all nodes on the way."""
    at_once = len(leaves.depths) // len(trees.done)
    for row in range(len(chosen)):
        leaf = chosen[row]
        if leaves.fates[leaf] == OPEN:
            grow(trees, leaf // at_once, leaves, leaf, logits[row], desk)
            settle_children(trees, leaves, leaf, desk, 0, 1)
        take_answer(trees, leaves, leaf, values[row], desk)


@tiny_kernel
def grow(trees: Trees, t: int, leaves: Leaves, leaf: int, logits: Answers, desk: Desk) -> None:
    """Children of a leaf with their priors."""
    tree, node = trees.tree, leaves.paths[leaf, leaves.depths[leaf] - 1]
    copy_words(leaves.words[leaf], desk.words)
    n = listing(desk.states[0], desk.out, len(desk.result))
    tree.family[node] = LEAF
    if n == BROKEN:
        trees.broken[0] = 1
    elif make_children(trees, t, node, desk.out, n):
        tree.mover[node] = leaves.movers[leaf]
        expect_by(logits, tree.action, tree.prior, first_of(tree.family[node]), n)


@tiny_kernel
def settle_children(trees: Trees, leaves: Leaves, leaf: int, desk: Desk, lane: int, lanes: int) -> None:
    """What one of `lanes` threads does to settle the children of a leaf that end the game."""
    tree, s, seats = trees.tree, desk.states[0], len(desk.result)
    family = tree.family[leaves.paths[leaf, leaves.depths[leaf] - 1]]
    first, n = first_of(family), children_of(family) if family > 0 else 0
    for child in range(first + lane, first + n, lanes):
        copy_words(leaves.words[leaf], desk.words)
        play(s, int(tree.action[child]))
        if s.over:
            returns(s, tree.expect[child * seats : child * seats + seats])
            tree.settled[child] = 1


@kernel
def take_answer(trees: Trees, leaves: Leaves, leaf: int, values: Answers, desk: Desk) -> None:
    """Add a leaf's values to all nodes on the way, or what is certain of it."""
    tree, seats = trees.tree, len(desk.result)
    depth, path, mover = leaves.depths[leaf], leaves.paths[leaf], int(leaves.movers[leaf])
    for seat in range(seats):
        desk.result[(mover + seat) % seats] = values[seat]
    node = path[depth - 1]
    if leaves.fates[leaf] == OPEN and conclude(tree, node, seats):
        for seat in range(seats):
            desk.result[seat] = tree.expect[node * seats + seat]
    regain(tree, path, depth, seats)
    take_in(tree, path, desk.result, depth)


@kernel
def expect_by(logits: Answers, action: Actions, prior: Worths, first: int, n: int) -> None:
    """Priors of legal actions: the softmax of their logits, or all the same if each is −∞."""
    highest, total = -math.inf, 0.0
    for child in range(first, first + n):
        highest = max(highest, logit(logits, int(action[child])))
    for child in range(first, first + n):
        prior[child] = exp(logit(logits, int(action[child])) - highest) if highest > -math.inf else 1.0
        total += float(prior[child])
    for child in range(first, first + n):
        prior[child] = float(prior[child]) / total


@tiny_kernel
def logit(logits: Answers, action: int) -> float:
    """Another package's game may list numbers that are none of its actions."""
    return float(logits[action]) if 0 <= action < len(logits) else -math.inf


# ── What was found ───────────────────────────────────────────────────────────────────────────────────────────────────


@kernel
def worth_of(tree: Tree, node: int, root: int, seat: int, seats: int) -> float:
    """What a node is worth to a seat; one that nobody has tried, as much as the root."""
    if tree.settled[node]:
        return float(tree.expect[node * seats + seat])
    tried = node if tree.visits[node] else root
    return float(tree.worth[tried * seats + seat] / UNIT / max(1, tree.visits[tried]))


@kernel
def best_child(tree: Tree, root: int, seats: int) -> int:
    """The child of a root to choose.

    Proven wins come first, proven losses last; between them what was tried most, or is worth most if all is known.
    """
    seat, family, known = int(tree.mover[root]), tree.family[root], int(tree.settled[root]) > 0
    best, best_worth = first_of(family), worth_of(tree, first_of(family), root, seat, seats)
    for child in range(first_of(family) + 1, first_of(family) + children_of(family)):
        worth = worth_of(tree, child, root, seat, seats)
        order = certainty(tree, child, worth) - certainty(tree, best, best_worth)
        dearer, commoner = sign(worth - best_worth), sign(float(tree.visits[child] - tree.visits[best]))
        if order == 0:
            order = dearer if known else commoner
        if order == 0:
            order = commoner if known else dearer
        if order > 0 or (order == 0 and tree.action[child] < tree.action[best]):
            best, best_worth = child, worth
    return best


@kernel
def certainty(tree: Tree, node: int, worth: float) -> int:
    """1: a proven win, −1: a proven loss."""
    return ((worth >= 1) - (worth <= -1)) if tree.settled[node] else 0


@kernel
def sign(x: float) -> int:
    return (x > 0) - (x < 0)
