"""Measures a server from outside: its memory, its visitors' delays, and its log."""

from __future__ import annotations

import asyncio
import contextlib
import json
import math
import os
import resource
import time
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import psutil
import sqlalchemy as sa
from server.processes import Server
from visitors import Logged

from empedocles.server.settings import Settings
from empedocles.server.storage import schema
from empedocles.server.storage.database import connect

FILES = 1024  # the usual soft limit on open files of a process
EVERY = 0.5  # seconds between measurements of memory


class Sample(NamedTuple):
    at: float
    rss: float  # bytes of all processes; shared memory counts for each
    pss: float  # shared memory counts once


class Memory:
    """The memory of a server and all its child processes."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.samples: list[Sample] = []

    async def watch(self) -> None:
        while True:
            await asyncio.to_thread(self.look)
            await asyncio.sleep(EVERY)

    def look(self) -> None:
        rss = pss = 0.0
        for process in self._processes():
            with contextlib.suppress(psutil.Error, OSError):
                used = process.memory_full_info()
                rss, pss = rss + used.rss, pss + getattr(used, "pss", used.rss)
        if rss:
            self.samples.append(Sample(time.monotonic(), rss, pss))

    def _processes(self) -> list[psutil.Process]:
        with contextlib.suppress(psutil.NoSuchProcess):
            return [psutil.Process(self.server.process.pid), *self.server.children]
        return []

    def peak(self, what: str) -> float:
        """The peak in MB."""
        return max((getattr(sample, what) for sample in self.samples), default=0.0) / 1e6


def part(values: Sequence[float], share: float) -> float:
    """The value below which this share of the values lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else math.nan


@contextlib.contextmanager
def few_files(most: int = FILES) -> Iterator[None]:
    """Limit the open files of processes started in this block to the usual number."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, before[1]), before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


def default_limits(**more: str) -> dict[str, str]:
    """The environment with which a server applies its default limits."""
    told = Settings().environment
    return {name: value for name, value in told.items() if not name.endswith(("_DATABASE", "_BOTS"))} | more


def logs(database: str) -> dict[str, list[Logged]]:
    """Every match's entries, in the order of their numbers."""
    return asyncio.run(_logs(database))


async def _logs(database: str) -> dict[str, list[Logged]]:
    engine, c = connect(Settings(database).url), schema.log.c
    found: dict[str, list[Logged]] = {}
    try:
        async with engine.connect() as connection:
            query = sa.select(c.match, c.number, c.kind, c.body).order_by(c.match, c.number)
            for match, number, kind, body in await connection.execute(query):
                found.setdefault(match, []).append((number, kind, json.loads(body)))
    finally:
        await engine.dispose()
    return found


def load_average() -> str:
    return " ".join(f"{load:.1f}" for load in os.getloadavg())
