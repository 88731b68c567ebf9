"""The baseline: plain UCT with c = 1.4 and uniform random rollouts, nothing else. It shares only the rules."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from empedocles.core.kernel import CHANCE, Actions, Worths, kernel, legal, play, returns
from empedocles.core.rng import draw, random_word
from empedocles.engine.playout import States, playout
from empedocles.position import Position
from empedocles.search.limits import Limit

C = 1.4
NODES = 4_000_000

Path = npt.NDArray[np.int64]


class Tree(NamedTuple):
    first: npt.NDArray[np.int64]
    children: npt.NDArray[np.int64]
    action: npt.NDArray[np.int16]
    mover: npt.NDArray[np.int8]
    visits: npt.NDArray[np.int64]
    worth: npt.NDArray[np.float64]  # node × seats
    size: npt.NDArray[np.int64]


@kernel
def simulate(states: States, tree: Tree, path: Path, out: Actions, result: Worths, luck: np.uint64) -> None:
    states[1] = states[0]
    s, node, depth = states[1], 0, 1
    path[0] = 0
    while not s.over:
        if tree.children[node] == 0:
            if node and tree.visits[node] == 0:
                break
            n = legal(s, out)
            if tree.size[0] + n > len(tree.visits):
                break
            tree.first[node], tree.children[node], tree.mover[node] = tree.size[0], n, s.mover
            tree.action[tree.size[0] : tree.size[0] + n] = out[:n]
            tree.size[0] += n
        node = choose(tree, node, luck, depth)
        play(s, int(tree.action[node]))
        path[depth] = node
        depth += 1
    playout(s, random_word(luck, 10_000), out)
    returns(s, result)
    for k in range(depth):
        tree.visits[path[k]] += 1
        for seat in range(len(result)):
            tree.worth[path[k], seat] += result[seat]


@kernel
def choose(tree: Tree, node: int, luck: np.uint64, depth: int) -> int:
    first, n, seat = int(tree.first[node]), int(tree.children[node]), int(tree.mover[node])
    start = draw(luck, depth, n)
    if seat == CHANCE:
        return first + start
    best, highest = first, -math.inf
    for k in range(n):
        child = first + (start + k) % n
        seen = tree.visits[child]
        if seen == 0:
            return child
        bound = tree.worth[child, seat] / seen + C * math.sqrt(math.log(tree.visits[node]) / seen)
        if bound > highest:
            best, highest = child, bound
    return best


class PlainUCT:
    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def choose(self, position: Position, limit: Limit) -> str:
        states = np.zeros(2, position.game.rules.state)
        states[0] = position.state
        seats = position.seats
        tree = Tree(
            np.zeros(NODES, np.int64),
            np.zeros(NODES, np.int64),
            np.zeros(NODES, np.int16),
            np.zeros(NODES, np.int8),
            np.zeros(NODES, np.int64),
            np.zeros((NODES, seats)),
            np.ones(1, np.int64),
        )
        path, out, result = np.zeros(4096, np.int64), np.empty(position.game.max_legal, np.int16), np.zeros(seats, "f4")
        deadline, done = limit.start(), 0
        while deadline.simulations_left(done, 1):
            simulate(states, tree, path, out, result, np.uint64(random_word(np.uint64(self.seed), done)))
            done += 1
        children = range(tree.first[0], tree.first[0] + tree.children[0])
        best = max(children, key=lambda child: int(tree.visits[child]))
        return str(position.game.moves[tree.action[best]])
