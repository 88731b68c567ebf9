"""Monte-Carlo tree search over the kernels, for any number of seats, teams and chance.

A simulation walks down the tree, where chance nodes draw and the others take the child with the highest upper bound;
it makes the children of the node it ends in and adds a result to every node on its way. Where a game offers an
evaluation, children are judged by it when they are made: that orders them, and the best of them is the result. Without
one, or where the game's style says so, the result is that of a random game.

Results that are certain are carried up as such: a node is settled when its mover can reach a settled win, or when all
its children are settled.

Several threads may work on one tree; one thread with the same seed and simulations makes the same tree every time.

In one file, as every simulation goes through all of it: its kernels are compiled into each other.
"""

from __future__ import annotations

import math
import threading
import time
from collections import deque
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from empedocles.core.bits import stir
from empedocles.core.kernel import (
    BROKEN,
    CHANCE,
    NO_WEIGHTS,
    Actions,
    Weights,
    Worths,
    evaluate,
    kernel,
    key,
    listing,
    play,
    returns,
    tiny_kernel,
)
from empedocles.core.maths import exp, log
from empedocles.core.rng import draw, random_word
from empedocles.engine.playout import STUCK as NO_END
from empedocles.engine.playout import States, playout
from empedocles.errors import BadValue
from empedocles.game import Game, Style
from empedocles.position import Position
from empedocles.search.atomic import add, claim, publish
from empedocles.search.limits import Deadline, Evaluation, Limit
from empedocles.search.tree import (
    BUSY,
    LEAF,
    ROOT,
    STUCK,
    UNIT,
    USED,
    Tree,
    children,
    children_of,
    exchange,
    family_of,
    first_of,
    keep,
    new_tree,
)
from empedocles.search.weakness import MOST, error, seen_of

AT_ONCE = 16  # simulations before the first look at the time
QUICK = 0.0005  # seconds: simulations that took no longer are followed by twice as many before the next look
MOST_NODES = 2_000_000  # about 100 MB when full; a full tree is searched on, but no longer grows
DEEPEST = 4096  # nodes on one way down
FARTHEST = 8  # plies after which a position of the same match is no longer looked for in the tree,
MOST_LOOKED_AT = 2000  # or after so many nodes
NOT_FOUND = -1

Path = npt.NDArray[np.int64]


class How(NamedTuple):
    """What a search is told; the same types every time, since Numba compiles for each anew."""

    seed: np.uint64
    exploration: float
    sharpness: float
    judges: bool  # children by their evaluation, instead of random games
    noise: float
    overlooks: float


class Desk(NamedTuple):
    """What one thread needs for itself."""

    states: States  # the root, one to walk with, one to look at children
    path: Path
    out: Actions
    result: Worths
    weights: Weights  # of the evaluation; not in How, which costs time for each number in it


# Functions that call the rules are copied into `simulate`: compiled one inside the other, the rules would be optimised
# again at every level, and the first search of a game would take twice as long to compile.

# ── A simulation ─────────────────────────────────────────────────────────────────────────────────────────────────────


@kernel
def simulate(tree: Tree, desk: Desk, start: int, stop: int, how: How) -> None:
    """Simulations number `start` to `stop` − 1, that end with an evaluation."""
    for number in range(start, stop):
        if tree.settled[ROOT]:
            return
        depth = walk(tree, desk, random_word(how.seed, number), how)
        if not known(tree, desk, depth):
            best_expectation(tree, int(desk.path[depth - 1]), desk.result)
        take_in(tree, desk.path, desk.result, depth)


@kernel
def simulate_games(tree: Tree, desk: Desk, start: int, stop: int, how: How) -> None:
    """The same, ending with random games: a function of its own, so that nobody compiles what they do not use."""
    for number in range(start, stop):
        if tree.settled[ROOT]:
            return
        luck = random_word(how.seed, number)
        depth = walk(tree, desk, luck, how)
        if not known(tree, desk, depth):
            plies = playout(desk.states[1], random_word(luck, DEEPEST), desk.out)  # not the draws of the way down
            if plies == NO_END:
                tree.size[STUCK] = 1
                return
            returns(desk.states[1], desk.result)
        take_in(tree, desk.path, desk.result, depth)


@tiny_kernel
def walk(tree: Tree, desk: Desk, luck: np.uint64, how: How) -> int:
    """Go down to a node without children, and make them; how many nodes that are."""
    desk.states[1] = desk.states[0]
    s, node, depth = desk.states[1], ROOT, 0
    while True:
        desk.path[depth] = node
        depth += 1
        visited = add(tree.visits, node, 1)
        if s.over or tree.settled[node] or depth == len(desk.path):
            return depth
        if tree.family[node] <= 0:
            # A node gets children when it is seen again: most never are, and the tree stays small.
            wait = visited == 0 and node != ROOT
            if wait or not claim(tree.family, node, LEAF, BUSY) or not grow(tree, desk, node, how) or how.judges:
                return depth
        family = tree.family[node]
        k = draw(luck, depth, children_of(family))
        node = first_of(family) + k if tree.mover[node] == CHANCE else best_child(tree, node, k, len(desk.result), how)
        play(s, int(tree.action[node]))


@kernel
def best_child(tree: Tree, node: int, start: int, seats: int, how: How) -> int:
    """The child with the highest upper bound, for the seat to move there. Ties go to the first one from `start` on."""
    seat, first, n = int(tree.mover[node]), first_of(tree.family[node]), children_of(tree.family[node])
    visits = max(1, tree.visits[node])
    hope = how.exploration * math.sqrt(visits if how.judges else log(visits + 1.0))
    # A child that was never visited and not judged is taken to be as good as its parent: a wide node is not tried out
    # in full before the search goes deeper.
    fresh = tree.worth[node * seats + seat] / UNIT / visits + hope
    best, highest, child = first, -math.inf, first + start
    for _ in range(n):
        # Unsigned indices: the compiler provides for negative ones otherwise.
        place, row = np.uint64(child), np.uint64(child * seats + seat)
        seen, expected = tree.visits[place], tree.expect[row]
        if tree.settled[place]:
            bound = float(expected)
        elif how.judges:  # the evaluation counts as a visit
            mean = (tree.worth[row] / UNIT + expected) / (seen + 1)
            bound = mean + hope * float(tree.prior[place]) / (seen + 1)
        else:
            bound = tree.worth[row] / UNIT / seen + hope / math.sqrt(seen) if seen else fresh
        if bound > highest:
            best, highest = child, bound
        child = child + 1 if child + 1 < first + n else first
    return best


@tiny_kernel
def known(tree: Tree, desk: Desk, depth: int) -> bool:
    """Whether the node at the end of the path has an exact value, which is then the result."""
    s, seats, leaf = desk.states[1], len(desk.result), int(desk.path[depth - 1])
    if s.over and not tree.settled[leaf]:
        returns(s, tree.expect[leaf * seats : leaf * seats + seats])
        publish(tree.settled, leaf, 1)
    if not tree.settled[leaf]:
        return False
    for seat in range(seats):
        desk.result[seat] = tree.expect[leaf * seats + seat]
    return True


@kernel
def take_in(tree: Tree, path: Path, result: Worths, depth: int) -> None:
    """Add a result to all nodes of the path, and settle what it settles on the way up."""
    seats, unsettled = len(result), depth
    while unsettled > 0 and (tree.settled[path[unsettled - 1]] or conclude(tree, int(path[unsettled - 1]), seats)):
        unsettled -= 1
    for k in range(depth):
        for seat in range(seats):
            add(tree.worth, path[k] * seats + seat, int(result[seat] * UNIT))


# ── Children ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@tiny_kernel
def grow(tree: Tree, desk: Desk, node: int, how: How) -> bool:
    """Make the children of a node that this thread has claimed, if there is room for all of them."""
    s = desk.states[1]
    n = listing(s, desk.out, len(desk.result))
    if n == BROKEN:
        tree.size[STUCK] = 1
        publish(tree.family, node, LEAF)
        return False
    if how.overlooks > 0 and s.mover != CHANCE:
        n = seen_of(stir(how.seed, key(s)), how.overlooks, desk.out, n)
    first = tree.size[USED] if tree.size[USED] + n > len(tree.visits) else add(tree.size, USED, n)
    if first + n > len(tree.visits):
        publish(tree.family, node, LEAF)
        return False
    tree.mover[node] = s.mover
    for k in range(n):
        tree.action[first + k] = desk.out[k]
    if how.judges:
        judge(tree, desk, first, n, how)
        rank(tree.expect, tree.prior, int(s.mover), first, n, len(desk.result), how.sharpness)
    publish(tree.family, node, family_of(first, n))
    return True


@tiny_kernel
def judge(tree: Tree, desk: Desk, first: int, n: int, how: How) -> None:
    """Evaluate new children, or settle them."""
    seats = len(desk.result)
    for child in range(first, first + n):
        desk.states[2] = desk.states[1]
        s = desk.states[2]
        play(s, int(tree.action[child]))
        expected = tree.expect[child * seats : child * seats + seats]
        if s.over:
            returns(s, expected)
            tree.settled[child] = 1
        else:
            evaluate(s, desk.weights, expected)
            if how.noise > 0:
                misjudge(expected, stir(how.seed, key(s)), how.noise)


@kernel
def rank(expect: Worths, prior: Worths, mover: int, first: int, n: int, seats: int, sharpness: float) -> None:
    """Priors of new children, from what the mover can expect of them."""
    if mover == CHANCE:
        return
    best, total = -math.inf, 0.0
    for child in range(first, first + n):
        best = max(best, float(expect[child * seats + mover]))
    for child in range(first, first + n):
        prior[child] = exp(sharpness * (float(expect[child * seats + mover]) - best))
        total += float(prior[child])
    for child in range(first, first + n):
        prior[child] = float(prior[child]) / total


@kernel
def best_expectation(tree: Tree, node: int, out: Worths) -> None:
    """What each seat can expect of a node: that of the mover's best child, or the mean of chance."""
    seats, family, mover = len(out), tree.family[node], int(tree.mover[node])
    if family <= 0:  # there was no room for children, or another thread is making them
        for seat in range(seats):
            out[seat] = tree.expect[node * seats + seat]
        return
    best, n = first_of(family), children_of(family)
    for seat in range(seats):
        out[seat] = 0
    for child in range(best, best + n):
        if mover == CHANCE:
            for seat in range(seats):
                out[seat] = float(out[seat]) + float(tree.expect[child * seats + seat]) / n
        elif tree.expect[child * seats + mover] > tree.expect[best * seats + mover]:
            best = child
    if mover != CHANCE:
        for seat in range(seats):
            out[seat] = tree.expect[best * seats + seat]


@tiny_kernel
def misjudge(expected: Worths, luck: np.uint64, noise: float) -> None:
    """Add an error to an evaluation, about normal, the same whenever this position is seen. The sum stays as it is."""
    seats = len(expected)
    scale = noise * math.sqrt(3 * seats / (seats - 1))
    mean = 0.0
    for seat in range(seats):
        mean += error(luck, seat) / seats
    for seat in range(seats):
        wrong = float(expected[seat]) + scale * (error(luck, seat) - mean)
        expected[seat] = min(MOST, max(-MOST, wrong))


# ── Proof ────────────────────────────────────────────────────────────────────────────────────────────────────────────


@kernel
def conclude(tree: Tree, node: int, seats: int) -> bool:
    """Settle a node if its children allow it: by a win that its mover can choose, or because all are settled."""
    family, mover = tree.family[node], int(tree.mover[node])
    if family <= 0:
        return False
    first, last = first_of(family), first_of(family) + children_of(family)
    best, unsettled = first, 0
    for child in range(first, last):
        if not tree.settled[child]:
            unsettled += 1
        elif mover == CHANCE:
            continue
        elif not tree.settled[best] or tree.expect[child * seats + mover] > tree.expect[best * seats + mover]:
            best = child
    if mover == CHANCE:
        if unsettled == 0:
            average(tree.expect, node, first, last, seats)
            publish(tree.settled, node, 1)
        return unsettled == 0
    if unsettled and not (tree.settled[best] and tree.expect[best * seats + mover] >= 1):
        return False
    if unsettled == 0 and seats > 2 and not clear(tree.expect, best, first, last, mover, seats):
        return False
    for seat in range(seats):
        tree.expect[node * seats + seat] = tree.expect[best * seats + seat]
    publish(tree.settled, node, 1)
    return True


@kernel
def clear(expect: Worths, best: int, first: int, last: int, mover: int, seats: int) -> bool:
    """Among children that are equally good for their mover, all give the others the same: nobody has to guess."""
    for child in range(first, last):
        if expect[child * seats + mover] == expect[best * seats + mover]:
            for seat in range(seats):
                if expect[child * seats + seat] != expect[best * seats + seat]:
                    return False
    return True


@kernel
def average(expect: Worths, node: int, first: int, last: int, seats: int) -> None:
    """What each seat can expect where chance decides."""
    for seat in range(seats):
        total = 0.0
        for child in range(first, last):
            total += float(expect[child * seats + seat])
        expect[node * seats + seat] = total / (last - first)


# ── For people ───────────────────────────────────────────────────────────────────────────────────────────────────────


class Search:
    """A tree that grows as long as one lets it, and can be asked at any time."""

    def __init__(
        self,
        position: Position,
        seed: int = 0,
        style: Style | None = None,
        noise: float = 0.0,
        overlooks: float = 0.0,
        only: str | None = None,
        without: str | None = None,
        nodes: int = MOST_NODES,
        threads: int = 1,
        weights: Weights | npt.ArrayLike | None = None,
    ) -> None:
        """`only`: a move whose value is wanted, whatever the others are worth; `without`: one that is left out.

        `weights` are those of the game's evaluation, in the order of `game.advice.weights`, which are used without; or
        those of a trained network (`networks.weights`).
        """
        if position.is_over:
            raise BadValue(f"the game is over, there is nothing to search: {position.text}")
        if nodes <= position.game.max_legal:
            raise BadValue(f"a tree needs more than {position.game.max_legal} nodes here, not {nodes}")
        if threads < 1:
            raise BadValue(f"a search needs at least 1 thread, not {threads}")
        self.position, self.threads, self.done = position, threads, 0
        self.how = _how(position.game, seed, style, noise, overlooks)
        self.weights = checked_weights(position.game, weights)
        self.tree = new_tree(nodes, position.seats)
        self._lock = threading.Lock()
        if only is not None:
            self._narrow(family_of(self._child(position.action(only)), 1))
        elif without is not None:
            self._leave_out(self._child(position.action(without)))

    def _child(self, action: int) -> int:
        """The child of the root that an action leads to, with all its siblings."""
        with self.position.game.blamed():
            desk, how = _desk(self.position, self.weights), self.how._replace(overlooks=0.0)
            self._simulate(0, 1, desk, how)  # makes all children
        self._check()
        (child,) = [child for child in children(self.tree, ROOT) if self.tree.action[child] == action]
        return child

    def _leave_out(self, child: int) -> None:
        """Exchange a child of the root with the first, and begin after it."""
        siblings, seats = children(self.tree, ROOT), self.position.seats
        if len(siblings) == 1:
            raise BadValue(f"there is no other move to search: {self.position.text}")
        exchange(self.tree, siblings[0], child, seats)
        self._narrow(family_of(siblings[1], len(siblings) - 1))

    def _narrow(self, family: int) -> None:
        self.tree.family[ROOT], self.tree.settled[ROOT] = family, 0

    def run(self, limit: Limit, stop: threading.Event | None = None) -> None:
        """Go on until a limit is reached, the root is settled, or somebody stops it."""
        if limit.seconds is None and limit.simulations is None:
            raise BadValue(f"a tree search needs a limit of seconds or simulations, not {limit}")
        deadline, stop = limit.start(), stop or threading.Event()
        before = self.done
        helpers = [threading.Thread(target=self._work, args=(deadline, before, stop)) for _ in range(self.threads - 1)]
        for helper in helpers:
            helper.start()
        try:
            self._work(deadline, before, stop)
        finally:  # Ctrl-C included
            deadline.stop()
            for helper in helpers:
                helper.join()
        self._check()

    def _work(self, deadline: Deadline, before: int, stop: threading.Event) -> None:
        desk, at_once = _desk(self.position, self.weights), AT_ONCE
        with self.position.game.blamed():
            while not stop.is_set() and not self.tree.settled[ROOT] and not self.tree.size[STUCK]:
                with self._lock:
                    more = deadline.simulations_left(self.done - before, at_once)
                    start, self.done = self.done, self.done + more
                if more == 0:
                    return
                begun = time.perf_counter()
                self._simulate(start, start + more, desk, self.how)
                at_once *= 2 if time.perf_counter() - begun < QUICK else 1

    def _simulate(self, start: int, stop: int, desk: Desk, how: How) -> None:
        (simulate if how.judges else simulate_games)(self.tree, desk, start, stop, how)

    def _check(self) -> None:
        if self.tree.size[STUCK]:
            raise self.position.game.broken()

    def evaluations(self) -> list[Evaluation]:
        """What is known of each move, the best first. Moves that are overlooked are missing."""
        seats, seat = self.position.seats, max(0, self.position.to_move or 0)
        with self.position.game.blamed():
            found = [self._evaluation(child, child * seats + seat) for child in children(self.tree, ROOT)]
        lost = {e.move for e in found if e.proven and e.value <= -1}
        won = {e.move for e in found if e.proven and e.value >= 1}
        return sorted(found, key=lambda e: (e.move not in won, e.move in lost, -e.visits, -e.value, e.move))

    def follow(self, position: Position) -> bool:
        """Keep what is known of a position that came up since, and forget the rest; False if it is not in the tree."""
        if position.game is not self.position.game or position.is_over:
            return False
        node = self._seek(position.key)
        if node == NOT_FOUND:
            return False
        old = self.tree
        self.tree = new_tree(len(old.visits), position.seats)
        keep(old, node, self.tree, np.zeros(len(old.visits), np.int64), position.seats)
        self.position = position
        return True

    def _seek(self, wanted: int) -> int:
        """The node with children whose position has a key, near the root; likely ones first."""
        rules, tree, looked = self.position.game.rules, self.tree, 0
        todo = deque([(ROOT, 0, self.position.state)])
        while todo and looked < MOST_LOOKED_AT:
            node, depth, state = todo.popleft()
            looked += 1
            if rules.key(state) == wanted:
                return node
            if depth < FARTHEST:
                known = [child for child in children(tree, node) if tree.family[child] > 0]
                for child in sorted(known, key=lambda child: -int(tree.visits[child])):
                    after = np.zeros(1, rules.state)
                    after[0] = state
                    rules.play(after[0], int(tree.action[child]))
                    todo.append((child, depth + 1, after[0]))
        return NOT_FOUND

    def _evaluation(self, child: int, row: int) -> Evaluation:
        tree = self.tree
        visits, settled = int(tree.visits[child]), bool(tree.settled[child])
        counted = visits + self.how.judges  # the evaluation counts as a visit
        value = float(tree.expect[row])
        if not settled and counted:
            value = (float(tree.worth[row]) / UNIT + value) / counted
        line = tuple(self.position.game.moves[tree.action[node]] for node in self._line(child))
        # Who overlooks moves may believe in a proof that is none.
        proven = settled and not self.how.overlooks
        return Evaluation(line[0], value, visits=visits, depth=len(line), proven=proven, line=line)

    def _line(self, node: int) -> list[int]:
        """A node and its most visited descendants."""
        line = [node]
        while below := children(self.tree, node):
            node = max(below, key=lambda child: (self.tree.visits[child], -child))
            if not self.tree.visits[node]:
                break
            line.append(node)
        return line


def search(position: Position, limit: Limit, seed: int = 0, nodes: int = MOST_NODES) -> list[Evaluation]:
    """What a search of a position says about its moves, the best first."""
    looking = Search(position, seed, nodes=nodes)
    looking.run(limit)
    return looking.evaluations()


def nodes_for(game: Game, simulations: int) -> int:
    """The size of a tree for so many simulations: a small one is made faster."""
    return min(MOST_NODES, (simulations + 1) * game.max_legal + 1)


def _how(game: Game, seed: int, style: Style | None, noise: float, overlooks: float) -> How:
    style = style or style_of(game)
    return How(
        np.uint64(seed),
        float(style.exploration),
        float(style.sharpness),
        judges_children(game, style),
        float(noise),
        float(overlooks),
    )


def style_of(game: Game) -> Style:
    """How a game is searched, unless one says otherwise."""
    return game.advice.style if game.advice else Style()


def judges_children(game: Game, style: Style | None = None) -> bool:
    """Whether simulations of a game end with an evaluation, and not with a random game."""
    offers = game.advice is not None and game.advice.evaluate is not None
    return offers and not (style or style_of(game)).rollouts


def checked_weights(game: Game, weights: Weights | npt.ArrayLike | None) -> Weights:
    """Weights from outside, which kernels trust: as many as the game's evaluation has, or none."""
    if isinstance(weights, Weights):
        return weights  # of a network, which is checked when it is read
    known = len(game.advice.weights) if game.advice else 0
    given = np.array(NO_WEIGHTS.numbers if weights is None else weights, np.float64)
    if given.shape not in ((0,), (known,)) or not np.isfinite(given).all():
        raise BadValue(f"the evaluation of {game.name} has {known} weights in a row, all finite, not {weights!r:.80}")
    return NO_WEIGHTS._replace(numbers=given)


def _desk(position: Position, weights: Weights) -> Desk:
    states = np.zeros(3, position.game.rules.state)
    states[0] = position.state
    return Desk(
        states,
        np.zeros(DEEPEST, np.int64),
        np.empty(position.game.max_legal, np.int16),
        np.zeros(position.seats, np.float32),
        weights.with_room(),
    )
