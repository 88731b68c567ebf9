"""A random player, and jokes that show how short an agent can be."""

from __future__ import annotations

import random

from empedocles.position import Position
from empedocles.search.limits import Evaluation, Limit


class Choosing:
    """Most agents choose what they find best."""

    def choose(self, position: Position, limit: Limit) -> str:
        return self.analyse(position, limit)[0].move

    def analyse(self, position: Position, limit: Limit) -> list[Evaluation]:
        raise NotImplementedError


class RandomAgent(Choosing):
    """Every legal move is as good as any other."""

    def __init__(self, seed: int = 0) -> None:
        self.rng = random.Random(seed)

    def analyse(self, position: Position, limit: Limit) -> list[Evaluation]:  # noqa: ARG002
        moves = position.legal_moves.copy()
        self.rng.shuffle(moves)
        return [Evaluation(move, 0.0) for move in moves]


class AlphabetAgent(Choosing):
    """Plays what comes first in the dictionary."""

    def analyse(self, position: Position, limit: Limit) -> list[Evaluation]:  # noqa: ARG002
        return [Evaluation(move, 0.0) for move in position.legal_moves]


class TalkativeAgent(Choosing):
    """Plays the move that takes longest to say."""

    def analyse(self, position: Position, limit: Limit) -> list[Evaluation]:  # noqa: ARG002
        return [Evaluation(move, 0.0) for move in sorted(position.legal_moves, key=len, reverse=True)]
