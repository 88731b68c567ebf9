"""The time by which the server decides: clocks, who is gone, what has expired.

It is the time since this machine was started, which all its processes share and nobody can set, plus an offset that
they agree on through the database (`storage/boots.py`). So a step of the wall clock changes nothing, neither while a
server runs nor when it is started again.
"""

from __future__ import annotations

import time

_offset = 0.0


def since_boot() -> float:
    """Seconds, those included in which the machine slept."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else time.monotonic()


def now() -> float:
    """Seconds since 1970, about: a date to show, and never a step."""
    return since_boot() + _offset


def set_offset(offset: float) -> None:
    """What to add to the time since boot."""
    global _offset  # noqa: PLW0603  # a process has one time, as it has one database
    _offset = offset


set_offset(time.time() - since_boot())  # until a database says another
