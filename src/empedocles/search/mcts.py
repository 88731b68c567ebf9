"""Monte-Carlo tree search over the kernels, for any number of seats, teams and chance.

The tree is a set of flat arrays; a node's children lie next to each other. A simulation walks down by UCT (chance nodes
draw), makes the children of the node it ends in, plays a random game from there and adds the result to every node on
its way. The same seed and number of simulations give the same tree.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from empedocles.engine.playout import States, playout
from empedocles.engine.rng import draw, random_word
from empedocles.errors import BadValue
from empedocles.kernel import CHANCE, Actions, State, kernel, legal, play, returns
from empedocles.position import Position
from empedocles.search.limits import Evaluation, Limit

SEATS = 4  # the most a game has
AT_ONCE = 64  # simulations between two looks at the clock
MOST_NODES = 2_000_000  # about 60 MB; a full tree is searched on, but no longer grows
DEEPEST = 4096  # nodes on one way down
ROOT = 0


class Tree(NamedTuple):
    first: npt.NDArray[np.int32]  # a node's first child
    children: npt.NDArray[np.int32]  # how many there are; 0 for a leaf
    action: npt.NDArray[np.int16]  # that leads to a node
    mover: npt.NDArray[np.int8]  # seat to move at a node with children, or CHANCE
    visits: npt.NDArray[np.int32]
    worth: npt.NDArray[np.float32]  # sum of the results of each seat
    size: npt.NDArray[np.int64]  # one number: nodes in use


def new_tree(nodes: int) -> Tree:
    whole = np.zeros(1, np.int64)
    whole[0] = 1
    return Tree(
        np.zeros(nodes, np.int32),
        np.zeros(nodes, np.int32),
        np.zeros(nodes, np.int16),
        np.zeros(nodes, np.int8),
        np.zeros(nodes, np.int32),
        np.zeros((nodes, SEATS), np.float32),
        whole,
    )


@kernel
def simulate(
    states: States, tree: Tree, path: npt.NDArray[np.int32], out: Actions, start: int, stop: int, seed: int, wide: float
) -> None:
    """Simulations number `start` to `stop` − 1 from states[0]; states[1] is played with."""
    result = tree.worth[len(tree.worth) - 1]  # a row that no node uses
    for number in range(start, stop):
        states[1] = states[0]
        luck = random_word(np.uint64(seed), number)
        depth = walk(states[1], tree, path, out, luck, wide)
        playout(states[1], luck, out)
        returns(states[1], result)
        for k in range(depth):
            tree.visits[path[k]] += 1
            for seat in range(states[1].seats):
                tree.worth[path[k], seat] += result[seat]


@kernel
def walk(s: State, tree: Tree, path: npt.NDArray[np.int32], out: Actions, luck: np.uint64, wide: float) -> int:
    """Go down to a node that has not been played from yet, or to the end; how many nodes that are."""
    node, depth = ROOT, 1
    path[0] = ROOT
    while not s.over and depth < len(path):
        if tree.children[node] == 0 and ((tree.visits[node] == 0 and node != ROOT) or not grow(s, tree, node, out)):
            break
        if tree.mover[node] == CHANCE:
            node = tree.first[node] + draw(luck, depth, tree.children[node])
        else:
            node = best_child(tree, node, draw(luck, depth, tree.children[node]), wide)
        play(s, int(tree.action[node]))
        path[depth] = node
        depth += 1
    return depth


@kernel
def grow(s: State, tree: Tree, node: int, out: Actions) -> bool:
    """Make the children of a node, if there is room for all of them."""
    n = legal(s, out)
    first = tree.size[0]
    if first + n >= len(tree.visits):  # the last row is never a node
        return False
    tree.first[node], tree.children[node], tree.mover[node] = first, n, s.mover
    for k in range(n):
        tree.action[first + k] = out[k]
    tree.size[0] = first + n
    return True


@kernel
def best_child(tree: Tree, node: int, start: int, wide: float) -> int:
    """The child with the highest upper bound, for the seat to move there. Ties go to the first one from `start` on.

    A child that was never visited is taken to be as good as its parent: a wide node is not tried out in full before the
    search goes deeper.
    """
    seat, n = tree.mover[node], tree.children[node]
    visits = max(1, tree.visits[node])
    hope = wide * math.sqrt(math.log(visits + 1))
    fresh = tree.worth[node, seat] / visits + hope
    best, highest = 0, -math.inf
    for k in range(n):
        child = tree.first[node] + (start + k) % n
        seen = tree.visits[child]
        bound = tree.worth[child, seat] / seen + hope / math.sqrt(seen) if seen else fresh
        if bound > highest:
            best, highest = child, bound
    return best


def search(
    position: Position, limit: Limit, seed: int = 0, exploration: float = 1.0, nodes: int = MOST_NODES
) -> list[Evaluation]:
    """What a search of a position says about its moves, the most visited first."""
    if position.is_over:
        raise BadValue(f"the game is over, there is nothing to search: {position.text}")
    if nodes <= position.game.max_legal:
        raise BadValue(f"a tree needs more than {position.game.max_legal} nodes here, not {nodes}")
    states = np.zeros(2, position.game.rules.state)
    states[0] = position.state
    tree, path = new_tree(nodes), np.zeros(DEEPEST, np.int32)
    out = np.empty(position.game.max_legal, np.int16)
    clock, done = limit.start(), 0
    while (more := clock.simulations_left(done, AT_ONCE)) > 0:
        simulate(states, tree, path, out, done, done + more, seed, exploration)
        done += more
    return _evaluations(position, tree)


def _evaluations(position: Position, tree: Tree) -> list[Evaluation]:
    seat = max(0, position.to_move or 0)
    children = range(tree.first[ROOT], tree.first[ROOT] + tree.children[ROOT])
    ordered = sorted(children, key=lambda child: (-tree.visits[child], position.game.moves[tree.action[child]]))
    return [_evaluation(position, tree, child, seat) for child in ordered]


def _evaluation(position: Position, tree: Tree, child: int, seat: int) -> Evaluation:
    visits = int(tree.visits[child])
    value = float(tree.worth[child, seat]) / visits if visits else 0.0
    line = tuple(position.game.moves[tree.action[node]] for node in _line(tree, child))
    return Evaluation(line[0], value, visits=visits, depth=len(line), line=line)


def _line(tree: Tree, node: int) -> list[int]:
    """A node and its most visited descendants."""
    line = [node]
    while tree.children[node]:
        node = int(tree.first[node] + np.argmax(tree.visits[tree.first[node] :][: tree.children[node]]))
        if not tree.visits[node]:
            break
        line.append(node)
    return line
