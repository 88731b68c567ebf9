"""Puzzles: positions from games of the ladder in which exactly one move is right, each with its line and its theme.

A game's puzzles lie in its folder, in `puzzles.jsonl`: one JSON object a line, sorted by id. A game without that file
has none.
"""

from __future__ import annotations

import datetime
import enum
import functools
import hashlib
import json
from collections import Counter
from collections.abc import Collection
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from empedocles.errors import BadValue, UnknownName
from empedocles.extras import Extra
from empedocles.game import Game, Idea
from empedocles.games import find as find_game
from empedocles.language import Message
from empedocles.language import mark as _
from empedocles.position import Position

FILE = "puzzles.jsonl"
EIGHT = 8  # puzzles that a theme needs to be offered
LONGEST = 4  # moves of the solver in a line
LEVELS = 8  # of a ladder, each of which has tried every puzzle

MIDDLE = 1500  # the rating of the middle of the ladder
STEP = 200  # from one level of the ladder to the next


@dataclass(frozen=True)
class Puzzle:
    """A position in which one move is right and every other clearly worse."""

    id: str  # the same for positions that differ by a symmetry
    position: str
    line: tuple[str, ...]  # begins and ends with a move of the solver; the answers in between are the best there are
    theme: str  # the name of an idea of the game
    rating: int  # whoever has the same rating solves it every other time
    solved: tuple[float, ...]  # the share of tries in which each level of the ladder found all moves to find
    by: str  # how it was checked: proof, solver or search
    effort: tuple[int, int]  # simulations of each search of all moves, and of each of all but the right one
    best: tuple[float, int | None]  # what the first move is worth to the solver: from −1 to 1, and in points
    second: tuple[float, int | None]  # and the best of the others
    source: str  # the game that it comes from

    @classmethod
    def of(cls, facts: dict[str, Any]) -> Puzzle:
        """A puzzle from its line of the file."""
        lists = {name: tuple(facts[name]) for name in ("line", "solved", "effort", "best", "second")}
        return cls(**facts | lists)

    @property
    def facts(self) -> dict[str, Any]:
        """All of it as JSON."""
        return asdict(self)

    @cached_property
    def start(self) -> Position:
        return Position(self.position)

    @property
    def game(self) -> Game:
        return find_game(self.position.partition(" ")[0])

    @property
    def idea(self) -> Idea:
        return next(idea for idea in self.game.concepts if idea.name == self.theme)

    @cached_property
    def own_moves(self) -> int:
        """How many moves there are to find."""
        return len(own_plies(self.start, self.line))

    @property
    def stars(self) -> int:
        """How difficult it is, from 1 to 5."""
        return min(5, max(1, 3 + round((self.rating - MIDDLE) / (1.5 * STEP))))


def own_plies(start: Position, line: Collection[str]) -> list[int]:
    """Where in a line the seat to move at its start is to move."""
    place, plies = start, []
    for ply, move in enumerate(line):
        if place.to_move == start.to_move:
            plies.append(ply)
        place = place.play(move)
    return plies


def identity(position: Position) -> str:
    """Eight hexadecimal digits, the same for positions that the rules do not distinguish."""
    game, seen = position.game, position.text.encode()
    if game.view is not None:
        planes = position.observe()
        images = (symmetry.observation(planes).tobytes() for symmetry in game.view.symmetries(position.options))
        seen = f"{game.name} {game.named(position.options)}".encode() + min(images)
    return hashlib.sha256(seen).hexdigest()[:8]


# ── The puzzles of a game ────────────────────────────────────────────────────────────────────────────────────────────


@functools.cache
def puzzles(game: Game) -> tuple[Puzzle, ...]:
    """All puzzles of a game, by id; empty if it has none."""
    path = game.folder / FILE
    if not path.is_file():
        return ()
    lines = path.read_text(encoding="utf-8").splitlines()
    return tuple(_read(game, number, line) for number, line in enumerate(lines, start=1))


def _read(game: Game, number: int, line: str) -> Puzzle:
    try:
        return Puzzle.of(json.loads(line))
    except (KeyError, TypeError, ValueError) as error:
        raise BadValue(f"line {number} of the puzzles of {game.name} is none ({error}): {line:.80}") from None


def find(game: Game, name: str) -> Puzzle:
    """A puzzle by its id."""
    for puzzle in puzzles(game):
        if puzzle.id == name:
            return puzzle
    raise UnknownName(Message(_("{game} has no puzzle {name}"), {"game": game.title, "name": repr(name)}))


def themes(game: Game) -> dict[str, Idea]:
    """The concepts that have enough puzzles to practise them, by name, in the order of the game's concepts."""
    number = Counter(puzzle.theme for puzzle in puzzles(game))
    return {idea.name: idea for idea in game.concepts if number[idea.name] >= EIGHT}


def today() -> datetime.date:
    """The day whose puzzle it is: by UTC, so the same for everybody, wherever they are."""
    return datetime.datetime.now(datetime.UTC).date()


def of_the_day(game: Game, day: datetime.date) -> Puzzle:
    """The same puzzle for everybody; none comes again before all others have come."""
    known = sorted(puzzles(game), key=lambda puzzle: hashlib.sha256(puzzle.id.encode()).digest())
    if not known:
        raise UnknownName(Message(_("{game} has no puzzles"), {"game": game.title}))
    return known[day.toordinal() % len(known)]


def next_for(game: Game, rating: float, seen: Collection[str] = (), theme: str | None = None) -> Puzzle | None:
    """The puzzle nearest to a rating that is not among those seen; None if all are."""
    if theme is not None and theme not in (known := themes(game)):
        values = {"game": game.title, "theme": repr(theme), "known": ", ".join(known)}
        raise UnknownName(Message(_("{game} has no puzzles with the theme {theme}: there are {known}"), values))
    left = [puzzle for puzzle in puzzles(game) if puzzle.id not in seen and theme in (None, puzzle.theme)]
    return min(left, key=lambda puzzle: (abs(puzzle.rating - rating), puzzle.id), default=None)


def nearest(game: Game, number: int, rating: float = MIDDLE, theme: str | None = None) -> list[Puzzle]:
    """As many puzzles as there are, nearest to a rating, from easy to difficult."""
    found: dict[str, Puzzle] = {}
    while len(found) < number and (puzzle := next_for(game, rating, found, theme)):
        found[puzzle.id] = puzzle
    return sorted(found.values(), key=lambda puzzle: puzzle.rating)


# ── Solving ──────────────────────────────────────────────────────────────────────────────────────────────────────────


class Verdict(enum.StrEnum):
    RIGHT = "right"  # the answer has been played, and there is more to find
    SOLVED = "solved"
    WRONG = "wrong"  # nothing has been played


class Attempt:
    """Somebody tries to solve a puzzle."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle, self.position = puzzle, puzzle.start
        self.ply = 0  # moves of the line that have been played

    @property
    def is_solved(self) -> bool:
        return self.ply == len(self.puzzle.line)

    @property
    def expected(self) -> str:
        """The next move of the line."""
        if self.is_solved:
            raise BadValue(f"the puzzle {self.puzzle.id} is solved, there is no move to find")
        return self.puzzle.line[self.ply]

    def answer(self, move: str | int) -> Verdict:
        """Try a legal move. One that leads to the same position as the right move is right as well."""
        right = self.position.play(self.expected)
        if self.position.play(move) != right:
            return Verdict.WRONG
        self._advance()
        while not self.is_solved and self.position.to_move != self.puzzle.start.to_move:
            self._advance()
        return Verdict.SOLVED if self.is_solved else Verdict.RIGHT

    def _advance(self) -> None:
        self.position = self.position.play(self.expected)
        self.ply += 1


# ── How well somebody solves them ────────────────────────────────────────────────────────────────────────────────────

MU = 25.0  # openskill's scale: the mean of all players,
SIGMA = MU / 3  # how uncertain a new one is,
BETA = MU / 6  # and how much luck there is in one match
# Openskill expects a player who is √2·BETA ahead to win e times as often as to lose, Elo one who is 400 / ln 10 ahead.
UNIT = 173.72 / (2**0.5 * BETA)
SURE = 0.1  # puzzles are rated by many tries


@dataclass(frozen=True)
class Skill:
    """How well somebody solves puzzles, on openskill's scale."""

    mu: float = MU
    sigma: float = SIGMA

    @property
    def rating(self) -> float:
        """On the scale of puzzles."""
        return MIDDLE + UNIT * (self.mu - MU)

    def after(self, puzzle: Puzzle, solved: bool) -> Skill:
        """After a puzzle was solved or not: a match of the person against the puzzle."""
        with Extra("server"):
            from openskill.models import BradleyTerryFull
        model = BradleyTerryFull(mu=MU, sigma=SIGMA, beta=BETA)
        person = model.rating(mu=self.mu, sigma=self.sigma)
        task = model.rating(mu=MU + (puzzle.rating - MIDDLE) / UNIT, sigma=SURE)
        ((new,), _puzzle) = model.rate([[person], [task]], ranks=[1, 2] if solved else [2, 1])
        return Skill(new.mu, new.sigma)
