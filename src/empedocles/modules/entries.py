"""What a module offers: functions on places in its memory, thin around the kernels that do the work.

States lie in memory as NumPy's structures do. A search has a record of what it is told and where its arrays lie
(`LOOK`): the caller fills in the first part, and `lay_out` the rest.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from empedocles.core import kernel as rules
from empedocles.core.bits import stir
from empedocles.core.kernel import State, Weights, kernel, tiny_kernel
from empedocles.core.maths import exp
from empedocles.core.rng import normal
from empedocles.core.solving import Room, Work
from empedocles.engine import perft
from empedocles.engine import playout as random_games
from empedocles.game import FORM
from empedocles.modules.memory import array, part, rows
from empedocles.search import mcts
from empedocles.search import tree as trees
from empedocles.search.mcts import DEEPEST, Desk, How
from empedocles.search.tree import ROOT, STUCK, UNIT, Tree, children_of, first_of
from empedocles.search.weakness import seen_of

Pointer = Any  # to the first element of an array
EVEN = 16  # every array begins at a multiple of so many bytes

# What a search is told, and where its arrays begin. The caller sets the fields before `states`.
LOOK = np.dtype(
    (
        State,
        np.dtype(
            [
                ("seed", np.uint64),
                ("exploration", np.float64),
                ("sharpness", np.float64),
                ("noise", np.float64),
                ("overlooks", np.float64),
                ("nodes", np.int32),  # room in the tree
                ("seats", np.int32),
                ("most", np.int32),  # legal actions of a position
                ("numbers", np.int32),  # how many weights the hand-made evaluation is given; 0: its own
                ("entries", np.int32),  # of the table of a trained network; 0: there is none
                ("marks", np.int32),  # places of it that one position has
                ("table", np.uint32),
                *((name, np.uint32) for name in ("states", "path", "out", "result", "weights", "places")),
                *((name, np.uint32) for name in Tree._fields),
            ],
            align=True,
        ),
    )
)

# What is known of a child of the root.
FOUND = np.dtype(
    (
        State,
        np.dtype(
            [
                ("value", np.float64),  # for the seat to move
                ("visits", np.int32),
                ("action", np.int32),
                ("settled", np.int32),  # whether the value is exact
            ],
            align=True,
        ),
    )
)


# ── The rules ────────────────────────────────────────────────────────────────────────────────────────────────────────


@kernel
def new(s: Pointer, options: Pointer, words: int) -> None:
    rules.new(array(s, 1)[0], array(options, words))


@kernel
def legal(s: Pointer, out: Pointer, most: int) -> int:
    return rules.legal(array(s, 1)[0], array(out, most))


@kernel
def play(s: Pointer, action: int) -> None:
    rules.play(array(s, 1)[0], action)


@kernel
def scores(s: Pointer, out: Pointer, seats: int) -> None:
    rules.scores(array(s, 1)[0], array(out, seats))


@kernel
def returns(s: Pointer, out: Pointer, seats: int) -> None:
    rules.returns(array(s, 1)[0], array(out, seats))


@kernel
def key(s: Pointer) -> np.uint64:
    return rules.key(array(s, 1)[0])


@kernel
def ending(s: Pointer) -> int:
    return rules.ending(array(s, 1)[0])


@kernel
def playouts(states: Pointer, games: int, seed: int, plies: Pointer, out: Pointer, most: int) -> None:
    random_games.play_out(array(states, games), seed, array(plies, games), array(out, most))


@kernel
def leaves(states: Pointer, buffers: Pointer, left: Pointer, depth: int, most: int) -> int:
    return perft.leaves(array(states, depth), rows(buffers, depth, most), array(left, depth))


# ── Search ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@kernel
def lay_out(look: Pointer, start: int, state: int) -> int:
    """Find places for a search's arrays, from `start` on; where they end. A state takes `state` bytes."""
    told = array(look, 1)[0]
    nodes, values = int(told.nodes), int(told.nodes) * int(told.seats)
    at = evened(start)
    told.states, at = at, evened(at + 3 * state)
    told.path, at = at, evened(at + 8 * DEEPEST)
    told.out, at = at, evened(at + 2 * int(told.most))
    told.result, at = at, evened(at + 4 * int(told.seats))
    told.weights, at = at, evened(at + 8 * int(told.numbers))
    told.places, at = at, evened(at + 4 * int(told.marks))
    told.family, at = at, evened(at + 8 * nodes)
    told.action, at = at, evened(at + 2 * nodes)
    told.mover, at = at, evened(at + nodes)
    told.settled, at = at, evened(at + nodes)
    told.visits, at = at, evened(at + 8 * nodes)
    told.prior, at = at, evened(at + 4 * nodes)
    told.worth, at = at, evened(at + 8 * values)
    told.expect, at = at, evened(at + 4 * values)
    told.size, at = at, evened(at + 2 * 8)
    return at


@tiny_kernel
def evened(at: int) -> int:
    return (at + EVEN - 1) // EVEN * EVEN


@tiny_kernel
def tree_of(told: State) -> Tree:
    nodes, values = int(told.nodes), int(told.nodes) * int(told.seats)
    return Tree(
        part(told.family, np.int64, nodes),
        part(told.action, np.int16, nodes),
        part(told.mover, np.int8, nodes),
        part(told.settled, np.int8, nodes),
        part(told.visits, np.int64, nodes),
        part(told.prior, np.float32, nodes),
        part(told.worth, np.int64, values),
        part(told.expect, np.float32, values),
        part(told.size, np.int64, 2),
    )


@tiny_kernel
def weights_of(told: State) -> Weights:
    return Weights(
        part(told.weights, np.float64, int(told.numbers)),
        part(told.table, np.int16, int(told.entries)),
        part(told.places, np.int32, int(told.marks)),
    )


@tiny_kernel
def desk_of(told: State, states: Pointer) -> Desk:
    return Desk(
        array(states, 3),
        part(told.path, np.int64, DEEPEST),
        part(told.out, np.int16, int(told.most)),
        part(told.result, np.float32, int(told.seats)),
        weights_of(told),
    )


@tiny_kernel
def how_of(told: State, judges: bool) -> How:
    return How(told.seed, told.exploration, told.sharpness, judges, told.noise, told.overlooks)


@kernel
def simulate(look: Pointer, states: Pointer, start: int, stop: int) -> int:
    """Simulations number `start` to `stop` − 1; 0 if the rules are broken somewhere, else 1."""
    told = array(look, 1)[0]
    tree = tree_of(told)
    mcts.simulate(tree, desk_of(told, states), start, stop, how_of(told, True))
    return 1 - int(tree.size[STUCK])


@kernel
def simulate_games(look: Pointer, states: Pointer, start: int, stop: int) -> int:
    """The same, ending with random games."""
    told = array(look, 1)[0]
    tree = tree_of(told)
    mcts.simulate_games(tree, desk_of(told, states), start, stop, how_of(told, False))
    return 1 - int(tree.size[STUCK])


@kernel
def evaluate(look: Pointer, states: Pointer) -> None:
    """Judge the first state, into the search's `result`."""
    told = array(look, 1)[0]
    rules.evaluate(array(states, 1)[0], weights_of(told), part(told.result, np.float32, int(told.seats)))


@kernel
def keep(look: Pointer, node: int, other: Pointer, origin: Pointer) -> None:
    """Copy a node and all below it into another search of the same size, the node as the root."""
    told = array(look, 1)[0]
    nodes = array(origin, int(told.nodes))
    trees.keep(tree_of(told), node, tree_of(array(other, 1)[0]), nodes, int(told.seats))


@kernel
def children(look: Pointer) -> int:
    """How many children the root has."""
    family = tree_of(array(look, 1)[0]).family[ROOT]
    return children_of(family) if family > 0 else 0


@kernel
def is_settled(look: Pointer) -> int:
    return int(tree_of(array(look, 1)[0]).settled[ROOT])


@kernel
def child(look: Pointer, k: int, seat: int, judges: int, into: Pointer) -> None:
    """What is known of a child of the root, for a seat."""
    told, found = array(look, 1)[0], array(into, 1)[0]
    tree = tree_of(told)
    node = first_of(tree.family[ROOT]) + k
    row = node * int(told.seats) + seat
    counted = tree.visits[node] + judges  # the evaluation counts as a visit
    value = float(tree.expect[row])
    if not tree.settled[node] and counted:
        value = (tree.worth[row] / UNIT + value) / counted
    found.value, found.visits = value, tree.visits[node]
    found.action, found.settled = tree.action[node], tree.settled[node]


@kernel
def line(look: Pointer, k: int, out: Pointer, most: int) -> int:
    """The actions of a child of the root and its most visited descendants; how many."""
    tree, actions = tree_of(array(look, 1)[0]), array(out, most)
    node, n = first_of(tree.family[ROOT]) + k, 0
    while n < most:
        actions[n] = tree.action[node]
        n += 1
        family = tree.family[node]
        if family <= 0:
            return n
        best = first_of(family)
        for other in range(best, best + children_of(family)):
            if tree.visits[other] > tree.visits[best]:
                best = other
        if not tree.visits[best]:
            return n
        node = best
    return n


# ── Exact values ─────────────────────────────────────────────────────────────────────────────────────────────────────


def solve_with(solved: Any, room: Room, most: int) -> Any:
    """The entry for the solver of a game, which needs this room."""
    (n, columns), remembered, levels = room

    @kernel
    def solve(
        s: Pointer, numbers: Pointer, memo: Pointer, states: Pointer, out: Pointer, actions: Pointer, leads: Pointer
    ) -> int:
        work = Work(rows(numbers, n, columns), array(memo, remembered), array(states, levels), rows(out, levels, most))
        return solved(array(s, 1)[0], work, array(actions, most), array(leads, most))  # type: ignore[no-any-return]

    return solve


# ── Weak opponents ───────────────────────────────────────────────────────────────────────────────────────────────────


@kernel
def form(seed: np.uint64, deviation: float) -> float:
    """By how much an opponent is worse in this match than usually."""
    return exp(deviation * normal(seed, FORM))


@kernel
def seen(seed: np.uint64, s: Pointer, overlooks: float, actions: Pointer, n: int) -> int:
    """Keep the actions that an opponent of a solved game does not overlook; how many."""
    return seen_of(stir(seed, rules.key(array(s, 1)[0])), overlooks, array(actions, n), n)


@kernel
def misjudged(seed: np.uint64, s: Pointer, action: int, points: int, noise: float) -> float:
    """The points of an action as such an opponent sees them."""
    return points + noise * normal(stir(seed, rules.key(array(s, 1)[0])), action)
