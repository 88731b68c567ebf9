"""Processes in which chunks are tried: one that dies or hangs is a finding, and another takes its place.

Nothing that loads Numba is imported here at the top: a worker sets its environment first.
"""

from __future__ import annotations

import faulthandler
import itertools
import logging
import multiprocessing
import os
import signal
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from types import TracebackType
from typing import Any

from empedocles.testing.fuzz.findings import Finding, Tally

# How many inputs of a kind a chunk has: some seconds' work.
SIZES = {"positions": 500, "records": 300, "boards": 200, "actions": 500, "requests": 400, "messages": 300}
PATIENCE = 600.0  # seconds for a chunk, in which all kernels may have to be compiled

_spawn = multiprocessing.get_context("spawn")


def environment(checked: bool) -> dict[str, str]:
    """What a worker adds to its environment: kernels with bounds checks are kept apart from the others."""
    if not checked:
        return {}
    import platformdirs

    usual = os.environ.get("NUMBA_CACHE_DIR") or platformdirs.user_cache_dir("empedocles", appauthor=False)
    return {"NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": str(Path(usual) / "checked")}


class Worker:
    """A process that tries chunks, one after the other; started when it is needed."""

    def __init__(self, checked: bool = True, patience: float = PATIENCE) -> None:
        self.environment, self.patience = environment(checked), patience
        self._folder = tempfile.TemporaryDirectory()
        self._last, self._stack = (Path(self._folder.name) / name for name in ("input", "stack"))
        self._process: Any = None
        self._pipe: Connection | None = None

    def __enter__(self) -> Worker:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()
        self._folder.cleanup()

    def run(self, kind: str, seed: int, count: int, games: Sequence[str] = (), seconds: float = 1e9) -> Tally:
        """Try a chunk, or as much of it as the time allows; of all games if none is named."""
        pipe = self._pipe or self._start()
        try:
            pipe.send((kind, seed, count, tuple(games), seconds))
            if not pipe.poll(self.patience):
                return self._died(kind, seed, f"a chunk takes more than {self.patience:g} s")
            answer = pipe.recv()
        except (EOFError, OSError):
            self._process.join()
            return self._died(kind, seed, f"the process is ended by {_cause(self._process.exitcode)}")
        if isinstance(answer, BaseException):
            self._end()
            raise answer
        tally: Tally = answer
        return tally

    def _died(self, kind: str, seed: int, what: str) -> Tally:
        self._end()
        given = self._last.read_text(encoding="utf-8") if self._last.exists() else ""
        stack = self._stack.read_text(encoding="utf-8", errors="replace") if self._stack.exists() else ""
        return Tally(kind, findings=[Finding(kind, seed, what, given, stack)])

    def _start(self) -> Connection:
        self._pipe, theirs = _spawn.Pipe()
        files = (str(self._last), str(self._stack))
        self._process = _spawn.Process(target=_work, args=(theirs, self.environment, *files))
        self._process.start()
        theirs.close()
        return self._pipe

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join()
        if self._pipe is not None:
            self._pipe.close()
        self._process = self._pipe = None


def _cause(code: int) -> str:
    return signal.Signals(-code).name if code < 0 else f"exit code {code}"


def _work(pipe: Connection, more: Mapping[str, str], last: str, stack: str) -> None:
    """In the worker: try chunks as they come, until nobody sends any more."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    os.environ |= more
    logging.disable()  # what goes wrong is told by errors
    from empedocles.games import all_games, find
    from empedocles.testing.fuzz.trials import run_chunk

    with Path(last).open("w", encoding="utf-8", errors="backslashreplace") as note, Path(stack).open("w") as trace:
        faulthandler.enable(trace)

        def noted(given: str) -> None:
            note.seek(0)
            note.truncate()
            note.write(given)
            note.flush()

        while True:
            try:
                kind, seed, count, names, seconds = pipe.recv()
            except EOFError:
                return
            try:
                games = [find(name) for name in names] or list(all_games().values())
                pipe.send(run_chunk(kind, seed, count, games, noted, time.monotonic() + seconds))
            except Exception as error:
                error.add_note(f"in the chunk of {kind} with seed {seed}")
                pipe.send(error)


def _end_with_parent() -> None:
    """End with the parent process: nobody else would hear of findings."""
    if (parent := multiprocessing.parent_process()) is not None:
        parent.join()
        os._exit(1)


def fuzz(
    kinds: Sequence[str],
    seconds: float,
    seed: int = 0,
    games: Sequence[str] = (),
    checked: bool = True,
    rounds: int | None = None,
    say: Callable[[Finding], object] = lambda _finding: None,
) -> list[Tally]:
    """Chunks of all kinds in turn with seeds from `seed` on, until the time or the rounds are over.

    `say` hears of each sort of finding once, as soon as it is known.
    """
    tallies = {kind: Tally(kind) for kind in kinds}
    end = time.monotonic() + seconds
    with Worker(checked) as worker:
        for number in itertools.count() if rounds is None else range(rounds):
            for kind, tally in tallies.items():
                if (left := end - time.monotonic()) <= 0:
                    return list(tallies.values())
                known = {finding.what for finding in tally.findings}
                found = worker.run(kind, seed + number, SIZES[kind], games, left)
                tally.add(found)
                for finding in found.findings:
                    if finding.what not in known:
                        say(finding)
    return list(tallies.values())
