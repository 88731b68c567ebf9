"""How much the processes that think have to do, and whether they still answer."""

from __future__ import annotations

from typing import NamedTuple

from empedocles.server.workers.lines import Thinkers


class Jobs(NamedTuple):
    waiting: int
    running: int


class Workload:
    """Looked at from outside, now and then."""

    def __init__(self, thinkers: Thinkers) -> None:
        self._thinkers = thinkers

    def look(self) -> Jobs:
        return Jobs(self._thinkers.waiting, sum(pool.busy for pool in self._thinkers.pools))

    def silence(self) -> float:
        """Seconds for which somebody has worked on a job without an end: processes that take too long are replaced."""
        return max(pool.oldest for pool in self._thinkers.pools)
