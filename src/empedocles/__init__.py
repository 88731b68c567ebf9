"""Empedocles: four games about the elements, with exact rules.

>>> import empedocles
>>> match = empedocles.new("ignite-and-flow")
>>> match.play("Fc3").play("Wd4").to_move
0
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from empedocles.adapters.vector import vector
    from empedocles.errors import (
        BadValue,
        BoardError,
        EmpedoclesError,
        IllegalMove,
        NothingToUndo,
        PositionError,
        RecordError,
        UnknownName,
        UnreadableMove,
        Unsolvable,
    )
    from empedocles.game import Game, Option
    from empedocles.play.match import Match, new
    from empedocles.position import Position, Result

    def games() -> dict[str, Game]: ...


CHANCE = -1  # `to_move` when a chance move is due

# Where the public names live: loaded when first used, since the compiler behind the rules takes its time to import.
_HOMES = {
    "BadValue": "errors",
    "BoardError": "errors",
    "EmpedoclesError": "errors",
    "Game": "game",
    "IllegalMove": "errors",
    "Match": "play.match",
    "NothingToUndo": "errors",
    "Option": "game",
    "Position": "position",
    "PositionError": "errors",
    "RecordError": "errors",
    "Result": "position",
    "UnknownName": "errors",
    "UnreadableMove": "errors",
    "Unsolvable": "errors",
    "new": "play.match",
    "vector": "adapters.vector",
}

__all__ = [
    "CHANCE",
    "BadValue",
    "BoardError",
    "EmpedoclesError",
    "Game",
    "IllegalMove",
    "Match",
    "NothingToUndo",
    "Option",
    "Position",
    "PositionError",
    "RecordError",
    "Result",
    "UnknownName",
    "UnreadableMove",
    "Unsolvable",
    "games",
    "new",
    "vector",
]


def __getattr__(name: str) -> Any:
    if name == "games":
        return import_module("empedocles.games")
    if name not in _HOMES:
        raise AttributeError(f"module 'empedocles' has no attribute {name!r}")
    return getattr(import_module(f"empedocles.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
