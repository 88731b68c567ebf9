"""Tree search guided by a policy and a value, such as those of a network: PUCT in many positions at once.

Every simulation walks down a tree to a node that nobody has evaluated, where chance draws on its way. The leaves of all
trees are then evaluated together, by one call of the function: it sees observations, and answers with a logit for every
action and with what the seats can expect. Several walks in one tree take different ways, since each counts as lost
until its answer comes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from empedocles.core.kernel import CHANCE
from empedocles.core.rng import checked_seed, random_word
from empedocles.engine.environments import as_words
from empedocles.engine.playout import States
from empedocles.errors import BadValue
from empedocles.game import Game
from empedocles.position import Position
from empedocles.search.forest import (
    Answers,
    Desk,
    How,
    Integers,
    Leaves,
    Trees,
    best_child,
    descend,
    observe_leaves,
    take_answers,
)
from empedocles.search.limits import Evaluation, Limit
from empedocles.search.tree import UNIT, Tree, children, children_of, first_of, new_tree

MOST_NODES = 2_000_000  # of all trees together; a full tree is searched on, but no longer grows
DEEPEST = 512  # nodes on one way down
AT_ONCE = 8  # leaves of one tree that are evaluated together, at most,
ENOUGH = 256  # and of all trees, if there are many
FAR = 2**62  # simulations, where only time is limited
UNUSABLE = "a policy's logits are numbers or −∞, and its values finite: some are not"
BREADTH = 10.0  # of the noise: the sum of its Dirichlet distribution's parameters

# Of planes, which are a `DeviceArray` on a GPU. None instead: all moves are alike, all seats can expect the same.
Policy = Callable[[Any], tuple[Any, Any]]


class GuidedSearch:
    """Trees of positions of one game with the same options. Each depends on the seed, its number and its position."""

    def __init__(
        self,
        positions: Sequence[Position],
        policy: Policy | None,
        seed: int = 0,
        *,
        simulations: int | None = None,
        exploration: float = 1.5,
        doubt: float = 0.25,
        at_once: int | None = None,
        fixed: bool = False,
        nodes: int | None = None,
    ) -> None:
        """`simulations`: how many there will be, for trees of that size. `at_once`: how many leaves of each tree are
        evaluated together. `fixed`: every call has the same number of observations, the last of them without meaning,
        as is best for a function compiled for a shape. `nodes`: the size of each tree; a full one no longer grows.

        Without a policy, all moves are alike and all seats can expect the same; nothing is observed.
        """
        first = checked_roots(positions)
        self.game, self.options, self.seats = first.game, first.options, first.seats
        self.positions, self.policy, self.fixed = list(positions), policy, fixed
        self.how = How(float(exploration), float(doubt))
        n, at_once = len(positions), leaves_at_once(len(positions), at_once)
        self._trees = _trees(n, self.seats, room_of(self.game, n, simulations, nodes), checked_seed(seed))
        states = _states(self.game, n)
        states[:] = [position.state for position in positions]
        self._roots = as_words(states)
        self._leaves = Leaves(
            as_words(_states(self.game, n * at_once)),
            np.zeros(n * at_once, np.int8),
            np.zeros((n * at_once, DEEPEST), np.int64),
            np.zeros(n * at_once, np.int64),
            np.zeros(n * at_once, np.int8),
        )
        spare = _states(self.game, 1)
        self._desk = Desk(
            np.empty(self.game.max_legal, np.int16), np.zeros(self.seats, np.float32), spare, as_words(spare)[0]
        )
        shape = self.game.needed_view().shape if policy is not None else ()
        self._planes = np.zeros((n * at_once, *shape), np.float32)
        self._actions = self.game.actions_with(self.options)
        self._relation = relation(self.game, self.seats)

    @property
    def done(self) -> Integers:
        """How many simulations each tree had."""
        return self._trees.done.copy()

    def run(self, limit: Limit) -> None:
        """Go on until a limit is reached, for each tree, or all are settled."""
        if limit.seconds is None and limit.simulations is None:
            raise BadValue(f"a tree search needs a limit of seconds or simulations, not {limit}")
        deadline, stops = limit.start(), self.done + (limit.simulations or FAR)
        while self._step(stops) and deadline.seconds_left() > 0:
            pass

    def _step(self, stops: Integers) -> bool:
        """Walk in all trees and evaluate the leaves; False if there is nothing left to do."""
        before = self._trees.done.sum()
        with self.game.blamed():
            descend(self._trees, self._roots, self._leaves, self._desk, stops, self.how)
            chosen = np.flatnonzero(self._leaves.fates)
            if len(chosen):
                logits, values = self._asked(chosen)
                take_answers(self._trees, self._leaves, chosen, logits, values, self._desk)
        if self._trees.broken[0]:
            raise self.game.broken()
        return bool(self._trees.done.sum() > before)

    def disturb(self, part: float, seed: int = 0) -> None:
        """Mix noise into the priors of all roots, so that self-play tries more. They are evaluated first."""
        check_part(part)
        if not self._trees.done.all():
            self._step(np.ones(len(self.positions), np.int64))
        prior = self._trees.tree.prior
        for number in range(len(self.positions)):
            if len(below := self._children(number)):
                prior[below] = (1 - part) * prior[below] + part * noise_of(len(below), seed, number)

    # ── The function ──

    def _asked(self, chosen: Integers) -> tuple[Answers, Answers]:
        """What the function says of these leaves, checked."""
        n = len(chosen)
        if self.policy is None:
            return np.zeros((n, 0), np.float32), np.zeros((n, self.seats), np.float32)
        observe_leaves(self._leaves, chosen, self._planes, self._desk)
        asked = len(self._planes) if self.fixed else n
        logits, values = (as_array(part) for part in two_arrays(self.policy(self._planes[:asked])))
        check_shapes(logits.shape, values.shape, asked, self._actions, self.seats)
        logits, values = logits[:n], values[:n]
        if np.isnan(logits).any() or np.isposinf(logits).any() or not np.isfinite(values).all():
            raise BadValue(UNUSABLE)
        if values.shape != (n, self.seats):
            values = values.reshape(n, 1) * self._relation
        return logits, np.ascontiguousarray(values.clip(-1, 1))

    # ── What was found ──

    def _root(self, number: int) -> int:
        return number * int(self._trees.nodes[0])

    def _children(self, number: int) -> npt.NDArray[np.int64]:
        family = int(self._trees.tree.family[self._root(number)])
        return np.arange(children_of(family)) + first_of(family) if family > 0 else np.zeros(0, np.int64)

    def _worths(self, number: int, nodes: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        """What nodes are worth to the seat to move in a position; what nobody has tried, as much as the position."""
        tree, seat, root = self._trees.tree, int(self.positions[number].to_move or 0), self._root(number)
        tried = np.where(tree.visits[nodes] > 0, nodes, root)
        mean = tree.worth[tried * self.seats + seat] / UNIT / tree.visits[tried]
        return np.where(tree.settled[nodes], tree.expect[nodes * self.seats + seat], mean)

    def _ranked(self, number: int) -> npt.NDArray[np.int64]:
        """The children of a root, the best first.

        Proven wins come first, proven losses last; between them what was tried most, or is worth most if all is known.
        """
        tree, below = self._trees.tree, self._children(number)
        worths, visits, settled = self._worths(number, below), tree.visits[below], tree.settled[below] > 0
        won, lost = settled & (worths >= 1), settled & (worths <= -1)
        keys = (worths, visits) if tree.settled[self._root(number)] else (visits, worths)
        return below[np.lexsort((tree.action[below], -keys[1], -keys[0], lost, ~won))]

    def visits(self) -> npt.NDArray[np.int32]:
        """int32[positions, actions]: how often each action was tried."""
        found = np.zeros((len(self.positions), self._actions), np.int32)
        with self.game.blamed():
            for number, row in enumerate(found):
                below = self._children(number)
                row[self._trees.tree.action[below]] = self._trees.tree.visits[below]
        return found

    def values(self) -> npt.NDArray[np.float32]:
        """float32[positions, seats]: what each seat can expect."""
        tree, nodes = self._trees.tree, int(self._trees.nodes[0])
        expect, worth = (row.reshape(-1, self.seats)[::nodes] for row in (tree.expect, tree.worth))
        settled, visits = tree.settled[::nodes, None], np.maximum(1, tree.visits[::nodes, None])
        return np.where(settled, expect, worth / UNIT / visits).astype(np.float32)

    def actions(self) -> Integers:
        """int64[positions]: the best action of each."""
        tree = self._trees.tree
        best = [best_child(tree, self._root(number), self.seats) for number in range(len(self.positions))]
        return tree.action[best].astype(np.int64)

    def evaluations(self, number: int = 0) -> list[Evaluation]:
        """What is known of each move of a position, the best first."""
        ranked = self._ranked(number)
        worths = self._worths(number, ranked).tolist()
        with self.game.blamed():
            return [self._evaluation(child, worth) for child, worth in zip(ranked.tolist(), worths, strict=True)]

    def _evaluation(self, child: int, worth: float) -> Evaluation:
        tree = self._trees.tree
        visits, settled = int(tree.visits[child]), bool(tree.settled[child])
        line = tuple(self.game.moves[tree.action[node]] for node in _line(tree, child))
        return Evaluation(line[0], worth, visits=visits, depth=len(line), proven=settled, line=line)


def _line(tree: Tree, node: int) -> list[int]:
    """A node and its most visited descendants."""
    line = [node]
    while below := children(tree, node):
        node = max(below, key=lambda child: (tree.visits[child], -child))
        if not tree.visits[node]:
            break
        line.append(node)
    return line


def relation(game: Game, seats: int) -> npt.NDArray[np.float32]:
    """What each seat can expect where the seat to move, the first here, can expect 1: the sum is 0."""
    sides = game.sides(seats)
    friends = sides.count(sides[0])
    return np.array([1.0 if side == sides[0] else -friends / (seats - friends) for side in sides], np.float32)


def check_part(part: float) -> None:
    if not 0 <= part <= 1:
        raise BadValue(f"the part of the noise is a number from 0 to 1, not {part!r}")


def noise_of(n: int, seed: int, number: int) -> npt.NDArray[np.float64]:
    """Noise for the n moves of a position with this number."""
    return np.random.default_rng([seed, number]).dirichlet(np.full(n, BREADTH / n))


def two_arrays(answer: Any) -> tuple[Any, Any]:
    """Logits and values, of what a policy returned."""
    if not isinstance(answer, (tuple, list)) or len(answer) != 2:
        raise BadValue(f"a policy returns logits and values, two arrays, not {type(answer).__name__}")
    return answer[0], answer[1]


def check_shapes(logits: tuple[int, ...], values: tuple[int, ...], asked: int, actions: int, seats: int) -> None:
    if logits != (asked, actions):
        raise BadValue(f"logits are of shape {(asked, actions)} here, not {logits}")
    if values not in ((asked,), (asked, 1), (asked, seats)):
        raise BadValue(f"values are of shape {(asked,)} or {(asked, seats)} here, not {values}")


def as_array(given: Any) -> npt.NDArray[np.float32]:
    """NumPy's array of an array of NumPy, PyTorch or JAX, wherever it is."""
    if hasattr(given, "detach"):  # PyTorch's: it may need gradients, and be on a GPU
        given = given.detach().float().cpu()
    try:
        return np.ascontiguousarray(given, np.float32)
    except (TypeError, ValueError) as error:
        raise BadValue(f"a policy returns arrays of numbers, not {type(given).__name__}: {error}") from error


def checked_roots(positions: Sequence[Position]) -> Position:
    """The first of the positions, if they can be searched together."""
    if not positions:
        raise BadValue("there is no position to search")
    first = positions[0]
    for position in positions:
        if position.is_over:
            raise BadValue(f"the game is over, there is nothing to choose: {position.text}")
        if position.to_move == CHANCE:
            raise BadValue(f"a chance move is due, there is nothing to choose: {position.text}")
        if position.game is not first.game or position.options != first.options:
            raise BadValue(f"positions of one game with the same options are searched together, not {position.text}")
    return first


def leaves_at_once(positions: int, wanted: int | None) -> int:
    if wanted is not None and wanted < 1:
        raise BadValue(f"at least 1 leaf is evaluated at once, not {wanted}")
    return wanted or max(1, min(AT_ONCE, ENOUGH // positions))


def _states(game: Game, n: int) -> States:
    return np.zeros(n, game.rules.state)


def room_of(game: Game, n: int, simulations: int | None, wanted: int | None) -> int:
    """The size of each of n trees."""
    if wanted is not None:
        return checked_room(game, wanted)
    room = max(MOST_NODES // n, 2 * game.max_legal)
    return room if simulations is None else min(room, simulations * game.max_legal + 1)


def checked_room(game: Game, nodes: int) -> int:
    if not isinstance(nodes, int) or nodes <= game.max_legal:
        raise BadValue(f"a tree needs more than {game.max_legal} nodes here, not {nodes!r}")
    return nodes


def _trees(n: int, seats: int, nodes: int, seed: int) -> Trees:
    # Zeroed memory costs nothing until it is used.
    seeds = np.array([random_word(np.uint64(seed), number) for number in range(n)], np.uint64)
    used, done = np.ones(n, np.int64), np.zeros(n, np.int64)
    return Trees(new_tree(n * nodes, seats), np.array([nodes]), used, done, seeds, np.zeros(1, np.int64))
