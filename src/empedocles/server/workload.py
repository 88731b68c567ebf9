"""How much the processes that think have to do, and whether they still answer."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

from empedocles.server.thinking import Thinkers


class Jobs(NamedTuple):
    waiting: int
    running: int


class Workload:
    """Looked at from outside, now and then: as long as jobs come to an end, somebody answers."""

    def __init__(self, thinkers: Thinkers, now: Callable[[], float] = time.monotonic) -> None:
        self._thinkers, self._now = thinkers, now
        self._before: dict[int, frozenset[int]] = {}
        self._since: dict[int, float] = {}

    def look(self) -> Jobs:
        waiting = running = 0
        for number, (pending, places) in enumerate(_pending(self._thinkers)):
            running += min(places, len(pending))
            waiting += max(0, len(pending) - places)
            if not pending or self._before.get(number, frozenset()) - pending:  # nothing to do, or something done
                self._since[number] = self._now()
            self._before[number] = pending
        return Jobs(waiting, running)

    def silence(self) -> float:
        """Seconds for which there has been work, and no answer."""
        self.look()
        return max((self._now() - since for since in self._since.values()), default=0.0)


def _pending(thinkers: Thinkers) -> list[tuple[frozenset[int], int]]:
    """The jobs that each pool of processes has, by number, and how many it does at a time."""
    pools = (thinkers._quick, thinkers._patient)
    return [(frozenset(pool._processes._pending_work_items.copy()), pool.workers) for pool in pools]
