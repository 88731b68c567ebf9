"""Processes that think, so that no page ever waits for them.

Some think about what somebody waits for: a bot's move, a hint. Few of them at a time do what people have asked for, so
that no crowd of those keeps bots from moving. One more, of low priority, does what may take its time, such as an
analysis, so that no bot ever stands behind one.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import TypeVar

from empedocles.server.tables import Refused

T = TypeVar("T")
NICE = 10
MOST_ASKED = 16  # at once, waiting included: more would only stand in line

log = logging.getLogger(__name__)


class Thinkers:
    def __init__(self, workers: int) -> None:
        self._quick, self._patient = _Pool(max(1, workers), 0), _Pool(1, NICE)
        self._asked, self._places = 0, asyncio.Semaphore(max(1, workers - 1))

    async def quick(self, work: Callable[..., T], *given: object) -> T:
        """For bots: behind other bots, and one at most of those who have asked."""
        return await self._quick.run(work, *given)

    async def asked(self, work: Callable[..., T], *given: object) -> T:
        """For people: a hint, a look at a position, a picture."""
        if self._asked >= MOST_ASKED:
            raise Refused("busy", f"{MOST_ASKED} others have asked for something: try again in a moment", 503)
        self._asked += 1
        try:
            async with self._places:
                return await self._quick.run(work, *given)
        finally:
            self._asked -= 1

    async def patient(self, work: Callable[..., T], *given: object) -> T:
        """Give it small pieces of work: they are done in turn, whoever asks."""
        return await self._patient.run(work, *given)

    def close(self) -> None:
        self._quick.close()
        self._patient.close()


class _Pool:
    """Processes that are started when they are needed, and again when one has died."""

    def __init__(self, workers: int, nice: int) -> None:
        self.workers, self.nice = workers, nice
        self._processes = self._new()

    def _new(self) -> ProcessPoolExecutor:
        # Spawned, not forked: the server has threads and connections that a copy must not have.
        return ProcessPoolExecutor(self.workers, multiprocessing.get_context("spawn"), _prepare, (self.nice,))

    async def run(self, work: Callable[..., T], *given: object) -> T:
        processes = self._processes
        try:
            return await self._submit(work, *given)
        except BrokenProcessPool:
            if self._processes is processes:  # nobody else has noticed yet
                log.warning("a thinking process died; starting new ones")
                self._processes = self._new()
        return await self._submit(work, *given)

    async def _submit(self, work: Callable[..., T], *given: object) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._processes, work, *given)

    def close(self) -> None:
        with contextlib.suppress(Exception):
            self._processes.shutdown(wait=False, cancel_futures=True)


def _prepare(nice: int) -> None:
    end_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends this process
    if nice and hasattr(os, "nice"):
        os.nice(nice)


def end_with_parent() -> None:
    """Do not outlive the process that started this one, even if that was killed."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def wait() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=wait, name="parent", daemon=True).start()
