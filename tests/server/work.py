"""Jobs for worker processes in tests, many of which fail. Nothing slow is imported here."""

from __future__ import annotations

import os
import signal
import time

MEGABYTE = 1_000_000


def process_id() -> int:
    return os.getpid()


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def sleep(seconds: float) -> str:
    time.sleep(seconds)
    return "awake"


def spin() -> None:
    while True:
        pass


def fill(megabytes: int) -> int:
    return len(bytearray(megabytes * MEGABYTE))


def hold(megabytes: int) -> None:
    kept = bytearray(b"x") * (megabytes * MEGABYTE)
    time.sleep(60)
    assert kept


def fail() -> None:
    raise ZeroDivisionError("by nothing")


class Odd(Exception):
    """Cannot be unpickled."""

    def __init__(self, one: str, other: str) -> None:
        super().__init__(f"{one} {other}")


def fail_oddly() -> None:
    raise Odd("one", "other")
