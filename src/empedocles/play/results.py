"""The results file of an arena: JSON, a line for the contest and one for every game.

    {"arena": 1, "game": "ignite-and-flow", "options": {"reactions": "all"}, "agents": ["random", "search"], …}
    {"number": 0, "seats": ["random", "search"], "seed": 1234, "scores": [2, 5], "returns": [-1.0, 1.0], …}

A game's line is written at once and put on the disk before the next. Whatever ends the program, all lines but the last
are whole; when the file is opened again a broken last line is cut off, and its game is played again. How many games
were asked for is not part of the contest: more can be asked for later.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
from collections.abc import Iterator
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from empedocles.errors import BadValue
from empedocles.games import find
from empedocles.play.arena import FORMAT, Contest, Played, Task
from empedocles.position import Position


class Results:
    """The games of a contest in a file, which is created or continued: then it must be of the same contest."""

    def __init__(self, path: Path, contest: Contest) -> None:
        self.path, self.contest = path, contest
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o666)
        try:
            self._lock()
            with open(self._file, "rb", closefd=False) as file:
                content = file.read()
            self.games, whole = self._read(content)
            os.ftruncate(self._file, whole)
            if not whole:
                self._write(contest.facts)
        except BaseException:
            self.close()
            raise

    def add(self, game: Played) -> None:
        if game.number in self.games:
            raise BadValue(f"game {game.number} is in {self.path} already")
        self._write(asdict(game))
        self.games[game.number] = game

    def close(self) -> None:
        os.close(self._file)

    def __enter__(self) -> Results:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    # ── Writing ──

    def _lock(self) -> None:
        """Two programs that fill one file would play games twice. The lock ends with the program, however it ends."""
        with contextlib.suppress(ImportError):  # not on Windows
            import fcntl

            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise BadValue(f"{self.path} is in use by another arena") from None

    def _write(self, line: dict[str, Any]) -> None:
        rest = _text(line)
        while rest:
            rest = rest[os.write(self._file, rest) :]
        os.fsync(self._file)

    # ── Reading ──

    def _read(self, content: bytes) -> tuple[dict[int, Played], int]:
        """The games in a file's content, and how many of its bytes to keep."""
        *lines, rest = content.split(b"\n")
        if not lines:
            if not _text(self.contest.facts).startswith(rest):
                raise BadValue(f"{self.path} is not a results file of an arena: it is left as it is")
            return {}, 0
        self._compare(lines[0])
        games: dict[int, Played] = {}
        whole = len(lines[0]) + 1
        for place, line in enumerate(lines[1:], start=2):
            found = _object(line)
            if found is None and place == len(lines) and not rest:
                break  # a crash of the whole machine can leave a broken line with its end
            game = _game(found or {}, f"{self.path}, line {place}")
            if game.number in games or game.task != self._task(game):
                raise BadValue(f"{self.path}, line {place}: not a game of this contest, or there for the second time")
            games[game.number] = game
            whole += len(line) + 1
        return games, whole

    def _task(self, game: Played) -> Task | None:
        return self.contest.task(game.number) if game.number >= 0 else None

    def _compare(self, line: bytes) -> None:
        """Refuse another contest, and say what is different."""
        there, here = _object(line), json.loads(_text(self.contest.facts))
        if there is None or "arena" not in there:
            raise BadValue(f"{self.path} is not a results file of an arena: it is left as it is")
        different = [name for name in {**here, **there} if there.get(name) != here.get(name)]
        if different:
            said = "; ".join(f"{name} is {_short(there, name)} there, {_short(here, name)} here" for name in different)
            raise BadValue(f"{self.path} holds another contest: {said}. Name another file with --results")


def read_results(path: Path) -> tuple[Position, list[Played]]:
    """The start and the games of any contest, in order. Its agents need not exist here, nor its version.

    Any number of games may be missing, and the last line may be broken: the arena may still be filling the file.
    """
    try:
        header, *lines = path.read_bytes().split(b"\n")
    except OSError as error:
        raise BadValue(f"{path} cannot be read: {error.strerror}") from None
    start = _start(_object(header) or {}, path)
    games: dict[int, Played] = {}
    for place, line in enumerate(lines[:-1], start=2):
        game = _game(_object(line) or {}, f"{path}, line {place}")
        if game.number in games:
            raise BadValue(f"{path}, line {place}: game {game.number} is there for the second time")
        games[game.number] = game
    return start, sorted(games.values(), key=lambda game: game.number)


def _start(facts: dict[str, Any], path: Path) -> Position:
    if not (facts.get("arena") == FORMAT and isinstance(facts.get("options"), dict)):
        raise BadValue(f"{path} is not a results file of an arena")
    game = find(facts.get("game"))
    if facts.get("rules") != game.rules_version:
        raise BadValue(f"{path} has games by version {facts.get('rules')} of the rules, here is {game.rules_version}")
    return Position.start(game, facts["options"])


def _short(facts: dict[str, Any], name: str) -> str:
    return json.dumps(facts[name], ensure_ascii=False) if name in facts else "not given"


def _text(line: dict[str, Any]) -> bytes:
    return json.dumps(line, ensure_ascii=False).encode() + b"\n"


def _object(line: bytes) -> dict[str, Any] | None:
    try:
        found = json.loads(line)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _game(found: dict[str, Any], where: str) -> Played:
    """A game from its line; if somebody edited it, the error says what is wrong."""
    found = {"ending": "", **found}
    if found.keys() != {field.name for field in fields(Played)}:
        raise BadValue(f"{where}: not a game of this contest")
    if wrong := next((name for name, fine in _checks(found) if not fine), ""):
        raise BadValue(f"{where}: {wrong} of a game cannot be {_short(found, wrong)}")
    rows = {name: tuple(found[name]) for name in ("seats", "scores", "returns")}
    values: dict[str, Any] = {**found, **rows}
    return Played(**values)


def _checks(found: dict[str, Any]) -> Iterator[tuple[str, bool]]:
    yield "number", _is_whole(found["number"])
    yield "seats", isinstance(found["seats"], list) and all(isinstance(name, str) for name in found["seats"])
    yield "seed", _is_whole(found["seed"])
    yield "plies", _is_whole(found["plies"])
    yield "moves", isinstance(found["moves"], str)
    yield "ending", isinstance(found["ending"], str)
    for name, least, most in (("scores", -math.inf, math.inf), ("returns", -1, 1)):
        row = found[name]
        yield name, isinstance(row, list) and len(row) == len(found["seats"])
        yield name, all(_is_number(value) and least <= value <= most for value in row)


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
