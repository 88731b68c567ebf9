"""Whether exactly one move of a position is right: by the exact solver, by proof, or by searches that agree."""

from __future__ import annotations

import random
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from empedocles.agents import SearchAgent
from empedocles.agents.searchers import can_be_solved
from empedocles.core.kernel import CHANCE
from empedocles.position import Position
from empedocles.search import exact
from empedocles.search.limits import Evaluation, Limit
from empedocles.search.mcts import Search, nodes_for
from empedocles.search.tree import ROOT, UNIT, USED, children

GAP = 0.3  # by how much every other move is worse, from −1 to 1; a result in a solved game
HOPELESS = -0.25  # whoever can expect no more has nothing to find
STILL_GOOD = 0.65  # a second move that is worth more may win as well, only later
GLANCE, LOOK = 150, 1000  # simulations of the first looks
PLAYOUTS = 40  # random games in which no chance move may come up
NEARLY, HARDLY = 0.8, 0.4  # of what is asked of long searches: for short ones, and for the first glance
SEEDS = (1, 2)  # of the long searches


class Judgement(NamedTuple):
    """The one right move, the best of the others, and how that is known."""

    best: Evaluation
    second: Evaluation
    by: str  # solver, proof or search


class Effort(NamedTuple):
    """How far searches look."""

    simulations: int = 1_000_000
    nodes: int = 20_000_000  # of a tree: 50 bytes each, as far as it is used


# ── Solved games ─────────────────────────────────────────────────────────────────────────────────────────────────────


def solved(position: Position) -> Judgement | None:
    """Exactly one move keeps the result of best play."""
    points = list(exact.values(position).values())
    if len(points) < 2 or (points[0] > 0, points[0] < 0) == (points[1] > 0, points[1] < 0):
        return None  # before the lines to the end, which take longer
    best, second, *_others = SearchAgent().analyse(position, Limit(simulations=1))
    return _clear(Judgement(best, second, "solver"))


# ── Searches ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def searched(position: Position, effort: Effort, seed: int) -> Judgement | None:
    """One move is right by a search of all moves, and another of all others; None as well if luck has a say."""
    limit = Limit(simulations=effort.simulations)
    nodes = min(effort.nodes, (effort.simulations + 1) * position.game.max_legal + 1)
    every = Search(position, seed, nodes=nodes)
    every.run(limit)
    best = every.evaluations()[0]
    if has_chance(every) or best.value < HOPELESS:
        return None
    others = Search(position, seed, without=best.move, nodes=nodes)
    others.run(limit)
    proven = best.proven and bool(others.tree.settled[ROOT])
    return _clear(Judgement(best, others.evaluations()[0], "proof" if proven else "search"))


def _clear(judgement: Judgement) -> Judgement | None:
    best, second = judgement.best.value, judgement.second.value
    return judgement if best - second >= GAP and best >= HOPELESS and second <= STILL_GOOD else None


def has_chance(search: Search) -> bool:
    """Whether chance moves are in sight."""
    return bool((search.tree.mover[: int(search.tree.size[USED])] == CHANCE).any())


def meets_chance(position: Position) -> bool:
    """Whether chance moves come up in some random games from a position on."""
    rng = random.Random(position.key)
    return position.game.has_chance and any(_is_lucky(position, rng) for _k in range(PLAYOUTS))


def _is_lucky(position: Position, rng: random.Random) -> bool:
    while not position.is_over and position.to_move != CHANCE:
        position = position.play(rng.choice(position.legal_actions))
    return not position.is_over


def standing_out(position: Position) -> str | None:
    """The move that a short look finds clearly better than all others, with no luck in sight; None if there is none."""
    search = Search(position, SEEDS[0], nodes=nodes_for(position.game, LOOK))
    search.run(Limit(simulations=GLANCE))
    if position.game.has_chance and has_chance(search):
        return None
    if not _ahead(search, HARDLY):  # most positions; nearly all that would stand out after a longer look do so here
        return None
    search.run(Limit(simulations=LOOK))
    return _ahead(search, NEARLY)


def _ahead(search: Search, part: float) -> str | None:
    """The best move so far, if its lead is this part of what a puzzle needs."""
    moves = np.array(children(search.tree, ROOT))
    values = _values(search, moves)
    second, best = np.sort(values)[-2:]
    if best - second < part * GAP or best < HOPELESS - (1 - part):
        return None
    return search.position.game.moves[int(search.tree.action[moves[values.argmax()]])]


def _values(search: Search, moves: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """What a search thinks of each move, as its evaluations say, without their lines, which take longer."""
    tree, seats, seat = search.tree, search.position.seats, search.position.to_move or 0
    rows = moves * seats + seat
    means = (tree.worth[rows] / UNIT + tree.expect[rows]) / (tree.visits[moves] + 1)
    values: npt.NDArray[np.float64] = np.where(tree.settled[moves] > 0, tree.expect[rows], means)
    return values


# ── Short and long ───────────────────────────────────────────────────────────────────────────────────────────────────


def shortly(position: Position, effort: Effort) -> Judgement | None:
    """What a fiftieth of the effort says, or the solver."""
    if can_be_solved(position):
        return solved(position)
    return searched(position, effort._replace(simulations=max(1, effort.simulations // 50)), SEEDS[0])


def finally_judged(position: Position, effort: Effort) -> Judgement | None:
    """The solver, a proof, or two long searches with different seeds that agree on the move and on the gap."""
    if can_be_solved(position):
        return solved(position)
    found = searched(position, effort._replace(simulations=max(1, effort.simulations // 10)), SEEDS[0])
    for seed in SEEDS:
        if found is None or found.by == "proof":
            return found
        longer = searched(position, effort, seed)
        found = longer if longer and longer.best.move == found.best.move else None
    return found
