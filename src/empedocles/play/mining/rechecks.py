"""Puzzles checked once more, independently: by the exact solver, by brute force, or by a third long search."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple

from empedocles.agents.searchers import can_be_solved
from empedocles.coach.puzzles import Puzzle
from empedocles.core.kernel import CHANCE
from empedocles.errors import Unsolvable
from empedocles.play.mining.judging import GAP, NEARLY, Effort
from empedocles.position import Position
from empedocles.search import brute, exact
from empedocles.search.limits import Limit
from empedocles.search.mcts import Search

SEED = 3  # other than those of the searches that found the puzzles
PROBES = 40  # random games that show how large a tree is


class Recheck(NamedTuple):
    """What a move of a solution is worth, and the best of the others."""

    id: str
    ply: int
    how: str  # solver, brute force or search
    best: float
    second: float

    @property
    def holds(self) -> bool:
        return self.best - self.second >= (NEARLY * GAP if self.how == "search" else 1)


def rechecked(puzzle: Puzzle, effort: Effort, nodes: int = brute.MOST_NODES) -> Iterator[Recheck]:
    """Every choice of the solver, checked again; forced moves are none."""
    place = puzzle.start
    for ply, move in enumerate(puzzle.line):
        if place.to_move == puzzle.start.to_move and len(place.legal_actions) > 1:
            how, best, second = _compared(place, move, effort, nodes)
            yield Recheck(puzzle.id, ply, how, best, second)
        place = place.play(move)


def _compared(place: Position, move: str, effort: Effort, nodes: int) -> tuple[str, float, float]:
    if can_be_solved(place):
        outcomes = {other: (points > 0) - (points < 0) for other, points in exact.values(place).items()}
        return "solver", *_apart(outcomes, move)
    with suppress(Unsolvable):
        if not is_too_large(place, nodes):
            return "brute force", *_apart(brute.results(place, nodes), move)
    return "search", *_searched(place, move, effort)


def is_too_large(place: Position, nodes: int) -> bool:
    """Whether brute force need not be tried: along each of some random games, the tree branches far too much.

    Whatever the order of moves, alpha-beta goes through about the square root of all nodes at least.
    """
    rng = random.Random(place.key)
    return all(_branches(place, rng, nodes**2) for _k in range(PROBES))


def _branches(place: Position, rng: random.Random, most: int) -> bool:
    """Whether there are more ways than that to play a random game's number of moves."""
    ways = 1
    while not place.is_over and place.to_move != CHANCE and ways <= most:
        moves = place.legal_actions
        ways *= len(moves)
        place = place.play(rng.choice(moves))
    return ways > most


def _apart(outcomes: dict[str, int], move: str) -> tuple[float, float]:
    return outcomes[move], max(worth for other, worth in outcomes.items() if other != move)


def _searched(place: Position, move: str, effort: Effort) -> tuple[float, float]:
    """The move and the others, with all simulations for each."""
    limit, nodes = Limit(simulations=effort.simulations), effort.nodes
    right = Search(place, SEED, only=move, nodes=nodes)
    others = Search(place, SEED, without=move, nodes=nodes)
    for search in (right, others):
        search.run(limit)
    return right.evaluations()[0].value, others.evaluations()[0].value
