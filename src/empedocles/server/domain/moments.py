"""The time by which the server decides: clocks, who is gone, what has expired.

It is the time since this machine booted, which all its processes share and nobody can set, plus an offset that they
agree on through the database (`storage/boots.py`). So setting the system time changes nothing, neither while a server
runs nor when it restarts.
"""

from __future__ import annotations

import time

_offset = 0.0


def since_boot() -> float:
    """Seconds since the machine booted, including time asleep."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) if hasattr(time, "CLOCK_BOOTTIME") else time.monotonic()


def now() -> float:
    """Seconds since 1970, approximately: good for dates, and it never jumps."""
    return since_boot() + _offset


def set_offset(offset: float) -> None:
    """Set what to add to the time since boot."""
    global _offset  # noqa: PLW0603  # a process has one time, as it has one database
    _offset = offset


set_offset(time.time() - since_boot())  # until the database provides one
