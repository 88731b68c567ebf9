"""Opponents as people meet them: a portrait, a line of character that is true of how they play, and how to beat them.

They are in a game's `opponents.toml`, with the figures that were measured: data, so that a changed word recompiles
nothing. Whoever is not in it gets a plain portrait, and says nothing.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from empedocles.errors import BadValue, EmpedoclesError
from empedocles.game import Game
from empedocles.games import find
from empedocles.language import LANGUAGES
from empedocles.render import portraits
from empedocles.render.picture import Picture
from empedocles.render.portraits import Portrait

FILE = "opponents.toml"
Words = Mapping[str, str]  # by language


@dataclass(frozen=True)
class Character:
    """One opponent of a game. Notebooks show its portrait."""

    name: str
    level: int  # from 1
    levels: int  # of the whole ladder
    face: Portrait = field(repr=False)
    voice: str = field(repr=False, default="")  # how it talks; "" if it does not
    traits: tuple[str, ...] = ()  # what it is like, compared with the others of its ladder
    lines: Words = field(repr=False, default_factory=dict)
    ways: Words = field(repr=False, default_factory=dict)
    figures: Mapping[str, float] = field(repr=False, default_factory=dict)

    def line(self, language: str = "en") -> str:
        """What it is like, in a sentence; "" if nobody has said."""
        return self.lines.get(language, "")

    def beaten(self, language: str = "en") -> str:
        """How to beat it, in a sentence; "" if nobody has said."""
        return self.ways.get(language, "")

    def portrait(self, theme: str = "light") -> Picture:
        return portraits.draw(self.face, self.name, self.level, self.levels, theme)

    def _repr_svg_(self) -> str:
        return str(self.portrait())


@dataclass(frozen=True)
class Cast:
    """The opponents of a game, the weakest first, and what they talk about."""

    characters: tuple[Character, ...]
    spoken: frozenset[str] = frozenset()  # names of concepts
    plainly: frozenset[str] = frozenset()  # those of which they only tell the move
    measured: str = ""  # when and how


def characters(game: str | Game) -> tuple[Character, ...]:
    """The opponents of a game, the weakest first.

    >>> characters("fire-and-water")[0].name
    'Spark'
    """
    return cast_of(game if isinstance(game, Game) else find(game)).characters


def plain_cast(game: Game) -> Cast:
    """The opponents of a game about whom nothing is said."""
    names = [opponent.name for opponent in game.opponents]
    faces = (portraits.plain(name, level) for level, name in enumerate(names, start=1))
    made = (
        Character(name, level, len(names), face) for level, (name, face) in enumerate(zip(names, faces, strict=True), 1)
    )
    return Cast(tuple(made))


@functools.cache
def cast_of(game: Game) -> Cast:
    path = game.folder / FILE
    read = tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    told = {one.get("name"): one for one in read.get("opponent", ())}
    names = [opponent.name for opponent in game.opponents]
    if unknown := sorted(set(told) - set(names), key=str):
        raise BadValue(
            f"{path.name} of {game.name} has {unknown[0]!r}, who is none of its opponents: {', '.join(names)}"
        )
    found = (_character(path, name, level, len(names), told.get(name, {})) for level, name in enumerate(names, start=1))
    spoken, plainly = (frozenset(map(str, read.get(key, ()))) for key in ("spoken", "plainly"))
    return Cast(tuple(found), spoken, plainly, str(read.get("measured", "")))


def _character(path: Path, name: str, level: int, levels: int, told: Mapping[str, Any]) -> Character:
    try:
        face = Portrait(**_tuples(told["portrait"])) if "portrait" in told else portraits.plain(name, level)
    except (EmpedoclesError, TypeError) as error:
        raise BadValue(f"the portrait of {name} in {path.name}: {error}") from error
    return Character(
        name,
        level,
        levels,
        face,
        told.get("voice", ""),
        tuple(told.get("traits", ())),
        _words(told.get("character", {})),
        _words(told.get("beaten", {})),
        told.get("figures", {}),
    )


def _tuples(table: Mapping[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in table.items()}


def _words(table: Mapping[str, Any]) -> Words:
    """In each language; in English where there is no translation."""
    return {language: str(table.get(language, table["en"])) for language in LANGUAGES} if table else {}
