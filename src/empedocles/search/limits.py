"""How long an agent may think, and what it says about a move."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from typing import TypeVar

from empedocles.errors import BadValue
from empedocles.language import Message

N = TypeVar("N", int, float)


@dataclass(frozen=True)
class Limit:
    """Seconds, simulations (positions looked at), depth: whichever is reached first."""

    seconds: float | None = None
    simulations: int | None = None
    depth: int | None = None  # moves looked ahead, for other packages' agents that go move by move

    def __post_init__(self) -> None:
        given = {name: value for name, value in vars(self).items() if value is not None}
        if not given:
            raise BadValue("a limit needs seconds, simulations or depth")
        for name, value in given.items():
            kinds = (int, float) if name == "seconds" else (int,)
            if isinstance(value, bool) or not isinstance(value, kinds) or not value > 0:
                number = "number" if name == "seconds" else "whole number"
                raise BadValue(f"a limit of {name} is a {number} above 0, not {value!r}")

    def start(self) -> Deadline:
        return Deadline(self)

    def within(self, other: Limit) -> Limit:
        """Both limits at once."""
        return Limit(
            _least(self.seconds, other.seconds),
            _least(self.simulations, other.simulations),
            _least(self.depth, other.depth),
        )


def _least(one: N | None, two: N | None) -> N | None:
    return one if two is None else two if one is None else min(one, two)


@dataclass
class Deadline:
    """A limit that was started, and what is left of it."""

    limit: Limit
    started: float = field(default_factory=time.perf_counter)
    stopped: bool = False

    def stop(self) -> None:
        """End it: nothing is left from now on."""
        self.stopped = True

    def seconds_left(self) -> float:
        if self.stopped or self.limit.seconds is None:
            return 0.0 if self.stopped else math.inf
        return self.started + self.limit.seconds - time.perf_counter()

    def simulations_left(self, done: int, at_once: int) -> int:
        """How many simulations to do next, at most `at_once`; 0 when the limit is reached.

        The first ones are always granted: on a busy machine, time may be up before any thinking is done.
        """
        if self.stopped or (done > 0 and self.seconds_left() <= 0):
            return 0
        return at_once if self.limit.simulations is None else max(0, min(at_once, self.limit.simulations - done))


@dataclass(frozen=True)
class Evaluation:
    """One move of a position, seen by the player to move."""

    move: str
    value: float  # from −1, a loss, to 1, a win; one scale for estimates and proofs
    points: int | None = None  # lead in points at the end, where it is known
    visits: int = 0
    depth: int = 0  # moves looked ahead
    proven: bool = False
    line: tuple[str, ...] = ()  # what best play would look like, this move first
    reasons: tuple[Message, ...] = ()  # why it falls short of the best, if the agent was asked to say so
