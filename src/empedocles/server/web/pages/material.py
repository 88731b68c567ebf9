"""What a game's folder has for learners: `lessons.toml`, small positions with one task each, and `diagrams.toml`,
positions beside the rules and one for the front page.

They are data, so that a changed word compiles no kernel anew, and have their words in every language side by side.
"""

from __future__ import annotations

import functools
import tomllib
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

from empedocles.game import Game
from empedocles.language import LANGUAGES
from empedocles.server.web.guests import alone

Words = dict[str, str]  # by language


class Lesson(NamedTuple):
    name: str  # progress is remembered by it
    rule: str
    position: str  # its text
    accepted: tuple[str, ...]  # the moves that do the task
    title: Words
    task: Words
    hint: Words
    done: Words  # said when the task is done
    wrong: tuple[tuple[str, Words], ...]  # a pattern of other moves, and what is said to them

    def answer(self, move: str) -> Words:
        """What is said to a legal move that does not do the task."""
        return next(words for pattern, words in self.wrong if fnmatchcase(move, pattern))


class Diagram(NamedTuple):
    rule: str
    position: str
    caption: Words
    around: tuple[str, ...] = ()  # targets between which the picture is cut out; the whole of it if there are none
    marked: tuple[str, ...] = ()  # targets to point out
    arrows: tuple[tuple[str, ...], ...] = ()
    broad: bool = False  # wants the width of the page


def _read(game: Game, name: str) -> dict[str, Any]:
    path = game.folder / name
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def _words(table: dict[str, Any]) -> Words:
    return {language: str(table[language]) for language in LANGUAGES}


@functools.cache
def lessons(game: Game) -> tuple[Lesson, ...]:
    """The easiest first; a game without any that can be read is learnt from its rules alone."""
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
    )


def showcase(game: Game) -> list[str]:
    """Moves to a position worth a look; none if the game has not chosen any."""
    with alone(game, "diagrams.toml"):
        return str(_read(game, "diagrams.toml").get("showcase", "")).split()
    return []


@functools.cache
def diagrams(game: Game) -> tuple[Diagram, ...]:
    with alone(game, "diagrams.toml"):
        return tuple(_diagram(table) for table in _read(game, "diagrams.toml").get("diagram", []))
    return ()


def _diagram(table: dict[str, Any]) -> Diagram:
    return Diagram(
        table["rule"],
        table["position"],
        _words(table["caption"]),
        tuple(table.get("around", ())),
        tuple(table.get("marked", ())),
        tuple(map(tuple, table.get("arrows", ()))),
        table.get("broad", False),
    )
