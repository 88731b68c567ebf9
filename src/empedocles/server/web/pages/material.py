"""What a game's folder has for learners: `introduction.toml`, the game in three pictures and its aim in a line,
`lessons.toml`, small positions with one task each, and `diagrams.toml`, positions beside the rules and one for the
front page.

They are data, so that a changed word recompiles no kernel, and have their texts in all languages side by side.
"""

from __future__ import annotations

import functools
import tomllib
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

from empedocles.coach.puzzles import puzzles
from empedocles.game import Game
from empedocles.language import LANGUAGES
from empedocles.position import Position
from empedocles.server.web.guests import alone

Words = dict[str, str]  # by language


class Lesson(NamedTuple):
    name: str  # the key under which progress is stored
    rule: str
    position: str  # its text
    accepted: tuple[str, ...]  # the moves that solve the task
    title: Words
    task: Words
    hint: Words
    done: Words  # shown when the task is solved
    wrong: tuple[tuple[str, Words], ...]  # patterns of other moves, and the answers to them
    overlays: tuple[str, ...] = ()
    about: Words | None = None  # what to know before the task

    def answer(self, move: str) -> Words:
        """The answer to a legal move that does not solve the task."""
        return next(words for pattern, words in self.wrong if fnmatchcase(move, pattern))


class Diagram(NamedTuple):
    rule: str  # "" in an introduction
    position: str
    caption: Words
    around: tuple[str, ...] = ()  # targets that the picture is cropped to; none: the whole picture
    marked: tuple[str, ...] = ()  # targets to point out
    arrows: tuple[tuple[str, ...], ...] = ()
    broad: bool = False  # needs the full width of the page
    overlays: tuple[str, ...] = ()
    pieces: bool = False  # nothing but pieces: panels between them would be cut off


class Addition(NamedTuple):
    """What must be said besides where some options are chosen."""

    options: dict[str, Any]
    words: Words


class Introduction(NamedTuple):
    """A game for whoever sees it for the first time."""

    goal: Words  # in a line
    steps: tuple[Diagram, ...]
    options: dict[str, Any]  # of the first games: simpler rules, where there are any
    overlays: tuple[str, ...]  # of the first games: what explains the score
    also: tuple[Addition, ...]


def _read(game: Game, name: str) -> dict[str, Any]:
    path = game.folder / name
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def _words(table: dict[str, Any]) -> Words:
    return {language: str(table[language]) for language in LANGUAGES}


@functools.cache
def lessons(game: Game) -> tuple[Lesson, ...]:
    """A game's lessons, the easiest first; none if it has none or they cannot be read."""
    with alone(game, "lessons.toml"):
        return tuple(_lesson(table) for table in _read(game, "lessons.toml").get("lesson", []))
    return ()


def _lesson(table: dict[str, Any]) -> Lesson:
    return Lesson(
        table["name"],
        table["rule"],
        table["position"],
        tuple(table["accepted"]),
        _words(table["title"]),
        _words(table["task"]),
        _words(table["hint"]),
        _words(table["done"]),
        tuple((pattern, _words(wrong)) for wrong in table["wrong"] for pattern in wrong["moves"]),
        tuple(table.get("overlays", ())),
        _words(table["about"]) if "about" in table else None,
    )


@functools.cache
def introduction(game: Game) -> Introduction | None:
    """None if the game has none, or it cannot be read."""
    with alone(game, "introduction.toml"):
        if found := _read(game, "introduction.toml"):
            gentle = found.get("gentle", {})
            return Introduction(
                _words(found["goal"]),
                tuple(map(_diagram, found["step"])),
                gentle.get("options", {}),
                tuple(gentle.get("overlays", ())),
                tuple(Addition(table["options"], _words(table["words"])) for table in found.get("also", ())),
            )
    return None


@functools.cache
def has_puzzles(game: Game) -> bool:
    """Whether there are any that can be read."""
    with alone(game, "puzzles"):
        return bool(puzzles(game))
    return False


def showcase(game: Game) -> list[str]:
    """The moves to the position for the front page; none if the game does not name any."""
    with alone(game, "diagrams.toml"):
        return str(_read(game, "diagrams.toml").get("showcase", "")).split()
    return []


@functools.cache
def cover(game: Game) -> tuple[Position, tuple[str, ...]] | None:
    """A position and the pieces that stand for a game without a board; None if the board does."""
    with alone(game, "diagrams.toml"):
        if found := _read(game, "diagrams.toml").get("cover"):
            return Position(found["position"]), tuple(found["around"])
    return None


@functools.cache
def diagrams(game: Game) -> tuple[Diagram, ...]:
    with alone(game, "diagrams.toml"):
        return tuple(_diagram(table) for table in _read(game, "diagrams.toml").get("diagram", []))
    return ()


def _diagram(table: dict[str, Any]) -> Diagram:
    return Diagram(
        table.get("rule", ""),
        table["position"],
        _words(table["caption"]),
        tuple(table.get("around", ())),
        tuple(table.get("marked", ())),
        tuple(map(tuple, table.get("arrows", ()))),
        table.get("broad", False),
        tuple(table.get("overlays", ())),
        table.get("pieces", False),
    )
