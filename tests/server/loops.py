"""Measures how long an event loop is blocked: the longest time that one callback has computed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock


class Longest:
    seconds = 0.0


@contextmanager
def longest_hold() -> Iterator[Longest]:
    """The longest of all loops of this process in this block, in processor time of the loop's own thread."""
    found, run = Longest(), asyncio.events.Handle._run

    def timed(handle: asyncio.Handle) -> None:
        start = time.thread_time()
        run(handle)
        found.seconds = max(found.seconds, time.thread_time() - start)

    with mock.patch.object(asyncio.events.Handle, "_run", timed):
        yield found
