"""The kinds of input, and the running of a chunk of one kind."""

from __future__ import annotations

import contextlib
import importlib
import math
import random
import time
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from empedocles.errors import BadValue
from empedocles.game import Game
from empedocles.testing.fuzz.actions import Actions
from empedocles.testing.fuzz.boards import Boards
from empedocles.testing.fuzz.findings import Finding, Tally, details_of, what_happened
from empedocles.testing.fuzz.positions import Positions
from empedocles.testing.fuzz.records import Records


class Trial(Protocol):
    """Inputs of one kind, made from random numbers, and what takes them."""

    def make(self) -> Any:
        """The next input."""
        ...

    def take(self, given: Any) -> bool:
        """Whether it is accepted; any error that comes out of here is a finding."""
        ...

    def close(self) -> None: ...


def _requests(luck: random.Random, games: Sequence[Game]) -> Trial:
    from empedocles.testing.fuzz.requests import Requests

    return Requests(luck, games)


def _messages(luck: random.Random, games: Sequence[Game]) -> Trial:
    from empedocles.testing.fuzz.messages import Messages

    return Messages(luck, games)


KINDS: dict[str, Callable[[random.Random, Sequence[Game]], Trial]] = {
    "positions": Positions,
    "records": Records,
    "boards": Boards,
    "actions": Actions,
    "requests": _requests,
    "messages": _messages,
}


SERVED = ("requests", "messages")  # need the packages of the server


def run_chunk(
    kind: str,
    seed: int,
    count: int,
    games: Sequence[Game],
    note: Callable[[str], object] = lambda _given: None,
    end: float = math.inf,
) -> Tally:
    """Try `count` inputs of a kind, until `time.monotonic()` is `end`; `note` hears of each before it is tried."""
    if kind in SERVED:
        _check_server()
    tally, luck = Tally(kind), random.Random(f"{kind} {seed}")
    given: Any = "none: while inputs were made"
    try:
        with contextlib.closing(KINDS[kind](luck, games)) as trial:
            for _ in range(count):
                if time.monotonic() >= end:
                    break
                given = trial.make()
                note(repr(given))
                _try(trial, given, seed, tally)
    except Exception as error:
        tally.note(_finding(kind, seed, given, error))
    return tally


def _try(trial: Trial, given: Any, seed: int, tally: Tally) -> None:
    try:
        accepted = trial.take(given)
    except Exception as error:
        tally.note(_finding(tally.kind, seed, given, error))
    else:
        tally.accepted += accepted
        tally.refused += not accepted


def _finding(kind: str, seed: int, given: Any, error: Exception) -> Finding:
    return Finding(kind, seed, what_happened(error), repr(given), details_of(error))


def _check_server() -> None:
    try:
        for name in ("fastapi.testclient", "empedocles.server.web.app"):
            importlib.import_module(name)
    except (ImportError, RuntimeError) as error:
        raise BadValue(f"requests and messages need the extras server and dev of this package: {error}") from None
