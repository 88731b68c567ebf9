"""Opponents and analysts. An agent says what it thinks of each move; choosing is taking the best."""

from __future__ import annotations

import functools
import random
from collections.abc import Callable
from importlib.metadata import entry_points
from typing import Protocol

from empedocles.errors import UnknownName
from empedocles.position import Position
from empedocles.search import exact, mcts
from empedocles.search.limits import Evaluation, Limit


class Agent(Protocol):
    def choose(self, position: Position, limit: Limit) -> str:
        """The move to play."""
        ...

    def analyse(self, position: Position, limit: Limit) -> list[Evaluation]:
        """All moves with what is known of them, the best first."""
        ...


class _Choosing:
    """Most agents choose what they find best."""

    def choose(self, position: Position, limit: Limit) -> str:
        return self.analyse(position, limit)[0].move

    def analyse(self, position: Position, limit: Limit) -> list[Evaluation]:
        raise NotImplementedError


class RandomAgent(_Choosing):
    """Every legal move is as good as any other."""

    def __init__(self, seed: int = 0) -> None:
        self.rng = random.Random(seed)

    def analyse(self, position: Position, limit: Limit) -> list[Evaluation]:  # noqa: ARG002
        moves = position.legal_moves.copy()
        self.rng.shuffle(moves)
        return [Evaluation(move, 0.0) for move in moves]


class SearchAgent(_Choosing):
    """Exact where the game can be solved, Monte-Carlo tree search elsewhere."""

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def analyse(self, position: Position, limit: Limit) -> list[Evaluation]:
        if position.game.solve and not position.is_over and position.to_move in range(position.seats):
            return _proven(exact.solve(position))
        return mcts.search(position, limit, self.seed)


def _proven(solution: exact.Solution) -> list[Evaluation]:
    """Exact values on the scale of estimates: a win is 1 whatever its points, and more points come first."""
    line = solution.line
    return [
        Evaluation(
            move,
            float((points > 0) - (points < 0)),
            points,
            proven=True,
            depth=len(line) if move == line[0] else 1,
            line=line if move == line[0] else (move,),
        )
        for move, points in solution.moves.items()
    ]


# ── Jokes, and how short an agent can be ──


class AlphabetAgent(_Choosing):
    """Plays what comes first in the dictionary."""

    def analyse(self, position: Position, limit: Limit) -> list[Evaluation]:  # noqa: ARG002
        return [Evaluation(move, 0.0) for move in position.legal_moves]


class TalkativeAgent(_Choosing):
    """Plays the move that takes longest to say."""

    def analyse(self, position: Position, limit: Limit) -> list[Evaluation]:  # noqa: ARG002
        return [Evaluation(move, 0.0) for move in sorted(position.legal_moves, key=len, reverse=True)]


AGENTS: dict[str, Callable[[int], Agent]] = {
    "random": RandomAgent,
    "search": SearchAgent,
    "alphabet": lambda _seed: AlphabetAgent(),
    "talkative": lambda _seed: TalkativeAgent(),
}


@functools.cache
def all_agents() -> dict[str, Callable[[int], Agent]]:
    """Our agents and those of other installed packages (entry point group `empedocles.agents`), by name."""
    return AGENTS | {entry.name: entry.load() for entry in entry_points(group="empedocles.agents")}


def find(name: str, seed: int = 0) -> Agent:
    """An agent by its name; a seed makes it repeatable."""
    known = all_agents()
    if name not in known:
        raise UnknownName(f"unknown agent {name!r}: there are {', '.join(known)}")
    return known[name](seed)
