"""Queues for worker processes, so that no page ever waits and nobody starves the others.

Bots have processes of their own: no crowd keeps them from moving. People's requests go to one of two lines: one for
quick work that somebody waits for, such as a hint or a picture, and one of low priority for patient work, such as an
analysis. Households share each line evenly, and each household has an allowance of seconds.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import TypeVar

from empedocles.server.domain.refusals import Refused
from empedocles.server.limits.budgets import Allowance, FairQueue, Who
from empedocles.server.settings import Settings
from empedocles.server.workers.pool import MEGABYTE, Most, Pool

T = TypeVar("T")
NICE = 10
JOBS = "empedocles.server.workers.jobs"  # the module that worker processes import
BOT_PATIENCE = 60.0  # seconds for one move: many times what any bot takes
EACH = 4  # jobs of one household in a line, waiting or running; and as many hints
MOST_WAITING = 200  # in a line: more would wait too long


class Thinkers:
    def __init__(self, settings: Settings) -> None:
        memory = round(settings.worker_memory * MEGABYTE)
        self._places = asyncio.Semaphore(max(1, settings.bots))
        self.bots = Pool("bots", Most(BOT_PATIENCE, memory), load=JOBS)
        quick = Pool("quick work", Most(settings.quick_seconds, memory), load=JOBS)
        patient = Pool("patient work", Most(settings.patient_seconds, memory), NICE, JOBS)
        self.quick_line, self.patient_line = _Line(quick, settings.helpers), _Line(patient, 1)
        self.seconds = Allowance(settings.work_rate, settings.work_burst)  # of work, by household

    @property
    def pools(self) -> list[Pool]:
        return [self.bots, self.quick_line.pool, self.patient_line.pool]

    @property
    def waiting(self) -> int:
        """People's jobs that wait for a process."""
        return self.quick_line.queue.waiting + self.patient_line.queue.waiting

    async def quick(self, work: Callable[..., T], *given: object) -> T:
        """Run a job for a bot, which waits only for other bots."""
        async with self._places:
            return await self.bots.run(work, *given)

    async def asked(self, who: Who, work: Callable[..., T], *given: object, urgent: bool = False) -> T:
        """Run a job that somebody waits for: a hint, which is urgent; an evaluation, a picture, a record."""
        return await self._turn(self.quick_line, who, urgent, work, given)

    async def patient(self, who: Who, work: Callable[..., T], *given: object) -> T:
        """Run a job that may take its time. Keep jobs short: others' jobs run between them."""
        return await self._turn(self.patient_line, who, False, work, given)

    async def _turn(self, line: _Line, who: Who, urgent: bool, work: Callable[..., T], given: tuple[object, ...]) -> T:
        if debt := self.seconds.debt(who.household):
            message = "you have asked for a lot of work recently: others come first for a while"
            raise Refused("too-many-requests", message, retry=debt)
        async with line.queue.turn(who, urgent):
            start = time.monotonic()
            try:
                return await line.pool.run(work, *given)
            finally:
                self.seconds.spend(who.household, time.monotonic() - start)

    def close(self) -> None:
        for pool in self.pools:
            pool.close()


class _Line:
    """A queue, and the processes at its end."""

    def __init__(self, pool: Pool, places: int) -> None:
        self.pool, self.queue = pool, FairQueue(max(1, places), EACH, MOST_WAITING)
