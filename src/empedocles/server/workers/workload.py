"""How busy the worker processes are, and whether they still answer."""

from __future__ import annotations

from typing import NamedTuple

from empedocles.server.workers.lines import Thinkers


class Jobs(NamedTuple):
    waiting: int
    running: int


class Workload:
    """The state of the worker processes, for metrics and health."""

    def __init__(self, thinkers: Thinkers) -> None:
        self._thinkers = thinkers

    def look(self) -> Jobs:
        return Jobs(self._thinkers.waiting, sum(pool.busy for pool in self._thinkers.pools))

    def silence(self) -> float:
        """Seconds for which the oldest job has been running; a process that takes too long is normally replaced."""
        return max(pool.oldest for pool in self._thinkers.pools)
