"""A random player, and jokes that show how short an agent can be."""

from __future__ import annotations

import numpy as np

from empedocles.core.rng import draw
from empedocles.errors import BadValue
from empedocles.position import Position
from empedocles.search.limits import Evaluation, Limit


class Analyst:
    """Chooses the move that its analysis puts first."""

    def choose(self, position: Position, limit: Limit) -> str:
        return self.analyse(position, limit)[0].move

    def analyse(self, position: Position, limit: Limit) -> list[Evaluation]:
        raise NotImplementedError


class Undecided(Analyst):
    """Does not say what a move is worth."""

    evaluates = False


class RandomAgent(Undecided):
    """Every legal move is as good as any other."""

    def __init__(self, seed: int = 0) -> None:
        self.seed, self.drawn = np.uint64(seed), 0

    def analyse(self, position: Position, limit: Limit) -> list[Evaluation]:  # noqa: ARG002
        moves = _moves(position)
        return [Evaluation(moves.pop(self._draw(len(moves))), 0.0) for _ in range(len(moves))]

    def _draw(self, n: int) -> int:
        self.drawn += 1
        return draw(self.seed, self.drawn, n)


class AlphabetAgent(Undecided):
    """Plays what comes first in the dictionary."""

    def analyse(self, position: Position, limit: Limit) -> list[Evaluation]:  # noqa: ARG002
        return [Evaluation(move, 0.0) for move in _moves(position)]


class TalkativeAgent(Undecided):
    """Plays the move that takes longest to say."""

    def analyse(self, position: Position, limit: Limit) -> list[Evaluation]:  # noqa: ARG002
        return [Evaluation(move, 0.0) for move in sorted(_moves(position), key=len, reverse=True)]


def _moves(position: Position) -> list[str]:
    if position.is_over:
        raise BadValue(f"the game is over, there is nothing to choose: {position.text}")
    return position.legal_moves.copy()
