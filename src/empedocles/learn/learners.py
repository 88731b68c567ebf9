"""What a run learns from the games of its rounds: from how they went on, or from a teacher."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import numpy as np

from empedocles.core.kernel import NO_WEIGHTS, Table
from empedocles.core.rng import random_word
from empedocles.learn.players import Player
from empedocles.learn.selfplay import Floats, Memory, Trace, learn, look_back
from empedocles.learn.teachers import Teacher
from empedocles.networks import features_of
from empedocles.position import Position

TEACHING = 2**61  # counters from here on are the luck of a teacher


class Taught(NamedTuple):
    """What a round came to."""

    plies: int
    wrong: float  # the sum of squared errors, before they were corrected
    errors: int  # how many these are


class Learner(Protocol):
    def round(self, numbers: range) -> Taught:
        """Play these games, and learn from them."""
        ...

    def fetch(self) -> None:
        """Bring the table and its memory up to date, if they are elsewhere."""
        ...


class OneByOne:
    """Learns from one game after another, in the order of their numbers, whoever played them."""

    def __init__(
        self, start: Position, seed: int, table: Table, memory: Memory, player: Player, teacher: Teacher | None = None
    ) -> None:
        self.start, self.seed, self.memory, self.player, self.teacher = start, np.uint64(seed), memory, player, teacher
        places = np.empty(features_of(start.game).most, np.int32)
        self.weights = NO_WEIGHTS._replace(table=table, places=places)
        self.expected = np.zeros(start.seats, np.float32)

    def round(self, numbers: range) -> Taught:
        # All games first: they are played with the table as it is now.
        traces = list(self.player.games(self.weights.table, numbers))
        found = [self._learn(trace, number) for trace, number in zip(traces, numbers, strict=True)]
        return Taught(*(sum(part) for part in zip(*found, strict=True)))

    def _learn(self, trace: Trace, number: int) -> Taught:
        goals = self._goals(trace, number)
        with self.start.game.blamed():
            wrong, errors = learn(trace.states, goals, self.weights, self.expected, self.memory)
        return Taught(len(trace.states), wrong, errors)

    def _goals(self, trace: Trace, number: int) -> Floats:
        if self.teacher:
            return self.teacher(trace.states, np.uint64(random_word(self.seed, TEACHING + number)))
        goals = np.zeros_like(trace.hopes)
        look_back(trace, len(goals), goals)
        return goals

    def fetch(self) -> None:
        """They are here."""
