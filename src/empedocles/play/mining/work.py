"""The work: a file per source that says what has been done, and processes that do what is left.

A line of the file is written when a game has been searched for candidates, or a candidate has been checked. Whatever
ends the program, it goes on from there.
"""

from __future__ import annotations

import itertools
import json
import multiprocessing
import queue
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from empedocles.coach.puzzles import Puzzle
from empedocles.errors import BadValue
from empedocles.play.mining.candidates import Candidate, Source, candidates
from empedocles.play.mining.checks import checked
from empedocles.play.mining.judging import Effort
from empedocles.position import Position
from empedocles.search.limits import Limit
from empedocles.search.mcts import Search

STOCK = 8  # candidates that wait for each source, so that rare themes can be preferred
BREATH = 0.5  # seconds between two looks at the time


class Work:
    """What has been done for one source, and what is to be done next."""

    def __init__(self, folder: Path, source: Source, effort: Effort, target: int) -> None:
        self.path, self.source, self.effort, self.target = folder / f"{source.name}.jsonl", source, effort, target
        self.games: set[int] = set()  # by number
        self.seen: set[str] = set()  # ids of candidates
        self.waiting: dict[str, Candidate] = {}
        self.puzzles: list[Puzzle] = []
        self.tried = 0  # candidates that were checked
        self._numbers = itertools.count()  # of games to play
        facts = {"game": source.game, "options": source.options, "seed": source.seed, "effort": effort.simulations}
        if self.path.is_file():
            self._read(facts)
        else:
            self._write(facts)

    def _read(self, expected: dict[str, Any]) -> None:
        lines = self.path.read_text(encoding="utf-8").splitlines(keepends=True)
        facts = json.loads(lines[0])
        if facts != expected:
            raise BadValue(f"{self.path} is of other work: it begins with {facts}, not {expected}")
        if not lines[-1].endswith("\n"):  # the program was ended while it wrote
            self.path.write_text("".join(lines[:-1]), encoding="utf-8")
            lines.pop()
        for line in lines[1:]:
            self._take_in(json.loads(line))

    def _write(self, line: dict[str, Any]) -> None:
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")

    def add(self, line: dict[str, Any]) -> None:
        """Keep a result."""
        self._write(line)
        self._take_in(line)

    def _take_in(self, line: dict[str, Any]) -> None:
        if "number" in line:
            self.games.add(line["number"])
            for candidate in (Candidate(**facts) for facts in line["candidates"]):
                if candidate.id not in self.seen:
                    self.seen.add(candidate.id)
                    self.waiting[candidate.id] = candidate
        else:
            self.tried += 1
            self.waiting.pop(line["checked"], None)
            if line["puzzle"]:
                self.puzzles.append(Puzzle.of(line["puzzle"]))

    @property
    def done(self) -> float:
        """The part of the target that is reached."""
        return len(self.puzzles) / self.target

    def next(self) -> tuple[Any, ...]:
        """What to do next: check a candidate, or play another game while few wait.

        Those with several moves to find come first, as they are rare, then those whose theme is.
        """
        if len(self.waiting) < min(STOCK, self.target):
            return self.source, next(number for number in self._numbers if number not in self.games), self.effort
        themes = Counter(puzzle.theme for puzzle in self.puzzles)
        name = min(self.waiting, key=lambda name: (not self.waiting[name].goes_on, themes[self.waiting[name].theme]))
        return self.source, self.waiting.pop(name), self.effort

    def __str__(self) -> str:
        games, tried = len(self.games), self.tried
        return f"{self.source.name}: {len(self.puzzles)} puzzles of {tried} candidates checked, {games} games"


def step(source: Source, task: int | Candidate, effort: Effort) -> tuple[str, dict[str, Any]]:
    """In a worker: search a game for candidates, or check one. Returns the source's name and a line of its file."""
    try:
        return source.name, _line(source, task, effort)
    except Exception as error:  # would end all other work, too
        nothing = {"checked": task.id, "puzzle": None} if isinstance(task, Candidate) else {"number": task}
        return source.name, {"candidates": [], "failed": f"{type(error).__name__}: {error}"} | nothing


def _line(source: Source, task: int | Candidate, effort: Effort) -> dict[str, Any]:
    if isinstance(task, Candidate):
        puzzle = checked(task, effort)
        return {"checked": task.id, "puzzle": puzzle.facts if puzzle else None}
    found = candidates(source, task, effort)
    return {"number": task, "candidates": [candidate.facts for candidate in found]}


def run(works: Sequence[Work], processes: int, seconds: float, tell: Callable[[str], None]) -> None:
    """Do what is to be done, the source furthest from its target first, until all are reached or time is up."""
    deadline, by_name = time.monotonic() + seconds, {work.source.name: work for work in works}
    for work in works:
        prepare(work.source)
    results: queue.Queue[tuple[str, dict[str, Any]] | BaseException] = queue.Queue()
    under_way: Counter[str] = Counter()
    with multiprocessing.get_context("spawn").Pool(processes, _ignore_interrupts) as pool:
        while (left := [work for work in works if work.done < 1]) and time.monotonic() < deadline:
            while under_way.total() < 2 * processes:  # one each, and one to go on with
                work = min(left, key=lambda work: work.done + under_way[work.source.name] / 10 / work.target)
                under_way[work.source.name] += 1
                pool.apply_async(step, work.next(), callback=results.put, error_callback=results.put)
            for result in _waited_for(results):
                if isinstance(result, BaseException):
                    raise result
                name, line = result
                under_way[name] -= 1
                by_name[name].add(line)
                tell(f"{name} failed: {line['failed']}" if "failed" in line else str(by_name[name]))
        pool.terminate()  # what is under way is done again next time


def _waited_for(results: queue.Queue[Any]) -> Iterator[Any]:
    try:
        yield results.get(timeout=BREATH)
        while True:
            yield results.get_nowait()
    except queue.Empty:
        return


def prepare(source: Source) -> None:
    """Compile before the processes are started, which would all compile the same."""
    _line(source, 0, Effort(simulations=100, nodes=100_000))
    position = Position.start(source.game, source.options)
    Search(position, nodes=100_000).run(Limit(simulations=100))


def _ignore_interrupts() -> None:
    """Leave Ctrl-C to the program that started the processes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
