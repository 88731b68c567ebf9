"""Alpha-beta for two sides without chance: one move further ahead each time, with a table of known positions."""

from __future__ import annotations

import random
import threading
from concurrent.futures import ThreadPoolExecutor, wait
from typing import NamedTuple

import numpy as np

from empedocles.bits import WORD, stir
from empedocles.errors import BadValue
from empedocles.position import Position
from empedocles.search.dig import (
    AGE,
    ALLOWED,
    AT_MOST,
    DEEPEST,
    DONE,
    ENTRY,
    ESTIMATED,
    INFINITE,
    MOVES,
    NO_ACTION,
    NO_PLACE,
    NODES,
    SCALE,
    STOPPED,
    STUCK,
    SURE,
    Work,
    dig,
    find,
)
from empedocles.search.limits import Clock, Evaluation, Limit
from empedocles.search.weakness import seen_of

UNLIMITED = 2**62
GLANCE = 0.005  # seconds between two looks at the clock


class Root(NamedTuple):
    """What is known about a move at the root."""

    action: int
    score: int = 0  # at most so much, for all but the best
    visits: int = 0
    depth: int = 0
    proven: bool = False


class Search:
    """A search that can be run on, and asked for what it has found at any time, from other threads too."""

    def __init__(
        self,
        position: Position,
        seed: int = 0,
        noise: float = 0.0,
        overlooks: float = 0.0,
        only: str | None = None,  # a move whose value is wanted, whatever the others are worth
        table: int = 2**20,  # entries of 16 bytes, a power of two
    ) -> None:
        _check(position, noise, overlooks, table)
        game = position.game
        self.work = Work(
            np.zeros(DEEPEST + 1, game.rules.state),
            np.zeros((DEEPEST, game.max_legal), np.int16),
            np.zeros((DEEPEST, game.max_legal), np.int32),
            np.full((DEEPEST, 2), NO_ACTION, np.int16),
            np.zeros((2, game.n_actions), np.int32),
            np.zeros(table, ENTRY),
            np.zeros(7, np.int64),
            np.zeros((game.max_legal, 4), np.int64),
            np.zeros(position.seats, np.float32),
            np.uint64(seed & WORD),
            float(noise),
            float(overlooks),
        )
        self._start(position)
        if only is not None:
            self._roots = [Root(position.action(only))]

    def _start(self, position: Position) -> None:
        self.position, self.depth, self.settled, self._full = position, 0, False, False
        self.work.states[0] = position.state
        out = np.array(position.legal_actions, np.int16)
        luck = np.uint64(stir(self.work.seed, np.uint64(position.key)))
        n = seen_of(luck, self.work.overlooks, out, len(out))
        actions = out[:n].tolist()
        random.Random(int(self.work.seed)).shuffle(actions)  # of equal moves, the seed decides
        self._roots = [Root(action) for action in actions]

    def follow(self, position: Position) -> bool:
        """Go on from a later position of the same match, with the table as it is; False if it is another game."""
        if position.game is not self.position.game or position.seats != self.position.seats:
            return False
        _check(position)
        self._start(position)
        self.work.control[AGE] += 1
        self.work.killers[:] = NO_ACTION
        return True

    def run(self, limit: Limit, stop: threading.Event | None = None, full: bool = False) -> None:
        """Look deeper until a limit is reached or the result is sure; `full`: every move gets a value, not a bound."""
        control, deepest = self.work.control, min(int(limit.depth or DEEPEST), DEEPEST)
        control[ALLOWED] = 0
        dig(self.work, 0, 1, -INFINITE, SURE)  # compiles, before the clock is running
        control[ALLOWED] = UNLIMITED if limit.simulations is None else control[NODES] + int(limit.simulations)
        clock = limit.start()
        with ThreadPoolExecutor(1) as pool:
            try:
                task = pool.submit(self._deepen, deepest, full)
                while not task.done() and not (stop and stop.is_set()) and (patience := _patience(clock)) > 0:
                    wait([task], patience)
            finally:
                control[ALLOWED] = 0  # whatever the reason, also Ctrl-C
        task.result()
        if control[STOPPED] == STUCK:
            raise self.position.game.broken()

    def _deepen(self, deepest: int, full: bool) -> None:
        if full and not self._full:  # so far there are bounds only
            self.depth, self.settled = max(0, self.depth - 1), False
        self._full = full
        while self.depth < deepest and not self.settled and self._look(self.depth + 1):
            self.depth += 1

    def _look(self, depth: int) -> bool:
        """Look at all moves so far ahead; False if that was stopped. What is known by then counts."""
        w, roots = self.work, self._roots
        w.actions[0, : len(roots)] = [root.action for root in roots]
        w.control[[STOPPED, DONE, MOVES]] = 0, 0, len(roots)
        w.history[:] -= w.history // 4
        with self.position.game.blamed():
            dig(w, 0, depth, -INFINITE, INFINITE if self._full else SURE)
        done, stopped = int(w.control[DONE]), bool(w.control[STOPPED])
        if done:
            new = [self._root(root, k, depth) for k, root in enumerate(roots[:done])]
            known = [*new, *(root for root in roots[done:] if root.proven)]
            best = max(known, key=lambda root: root.score)
            others = [root for root in new + roots[done:] if root is not best]
            self._roots = [best, *sorted(others, key=lambda root: -root.score)]
            all_sure = not w.root[:done, ESTIMATED].any() or all(abs(root.score) >= SURE for root in self._roots)
            self.settled = (best.score >= SURE and not self._full) or (all_sure and not stopped)
        return not stopped

    def _root(self, before: Root, k: int, depth: int) -> Root:
        score, visits, estimated, exact = self.work.root[k].tolist()
        if before.proven:  # what was proven stays so, though it may not have been asked for in full this time
            return before._replace(visits=before.visits + visits, depth=depth)
        proven = score <= -SURE or bool(exact and (score >= SURE or not estimated))
        return Root(before.action, score, before.visits + visits, depth, proven and not self.work.overlooks)

    def evaluations(self) -> list[Evaluation]:
        """All moves, the best first; of the others, values are bounds unless the search was full."""
        roots = self._roots
        with self.position.game.blamed():
            return [self._evaluation(root, roots[0].score) for root in roots]

    def _evaluation(self, root: Root, best: int) -> Evaluation:
        score = min(root.score, best)
        value = float(np.sign(score)) if abs(score) >= SURE else score / SCALE
        line = tuple(self.position.game.moves[action] for action in self._line(root))
        return Evaluation(line[0], value, None, root.visits, root.depth, root.proven, line)

    def _line(self, root: Root) -> list[int]:
        """A move and what the table knows to be best after it."""
        rules, table, line = self.position.game.rules, self.work.table, [root.action]
        s, out = self.position.state, np.empty(self.position.game.max_legal, np.int16)
        rules.play(s, root.action)
        while len(line) < root.depth and not s.over:
            place = find(table, np.uint64(rules.key(s)))
            if place == NO_PLACE or table[place].kind == AT_MOST:
                break
            action = int(table[place].action)
            if action not in out[: rules.legal(s, out)]:
                break  # the search has just overwritten the entry
            line.append(action)
            rules.play(s, action)
        return line


def _patience(clock: Clock) -> float:
    """How long to wait before looking at the clock again."""
    return min(GLANCE, clock.seconds_left())


def _check(position: Position, noise: float = 0.0, overlooks: float = 0.0, table: int = 2) -> None:
    game = position.game
    if game.has_chance or not (game.has_teams or position.seats == 2):
        raise BadValue(f"alpha-beta is for two sides without chance, not for {position!r}")
    if position.is_over:
        raise BadValue(f"the game is over: there is nothing to search in {position!r}")
    if not (noise >= 0 and 0 <= overlooks <= 1):
        raise BadValue(f"noise is a number from 0, overlooks one from 0 to 1, not {noise!r} and {overlooks!r}")
    if table < 2 or table & (table - 1):
        raise BadValue(f"the entries of a table are a power of two from 2, not {table!r}")


def search(
    position: Position, limit: Limit, seed: int = 0, noise: float = 0.0, overlooks: float = 0.0
) -> list[Evaluation]:
    one = Search(position, seed, noise, overlooks)
    one.run(limit)
    return one.evaluations()
