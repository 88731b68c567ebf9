"""Empedocles: four games about the elements, with exact rules.

>>> import empedocles
>>> match = empedocles.new("ignite-and-flow")
>>> match.play("Fc3").play("Wd4").to_move
0

To play
    games()                     the games by name, with their options
    new(game, seed=…, …)        begin a Match
    Match                       a game being played: play, undo, legal_moves, result, draw
    Position                    one state of a game, which never changes: text, play, legal_moves, observe, draw
    Result                      how a game ended: scores, winners
    characters(game)            its opponents as people meet them: portrait, character, how to beat them

To learn and to search
    vector(game, n, …)          many matches at once as arrays, on the CPU or a GPU: a Batch
    Batch                       step, random_actions, legal_mask, observe; indexed, gathered, set to positions
    empedocles.agents           opponents by name: find("search").choose(position, limit), .analyse(position, limit)
    empedocles.adapters         Gymnasium, PettingZoo and OpenSpiel

To print
    empedocles.paper            print_out: boards and pieces at true size, as a PDF

Facts
    Game, Option                what a game is and what can be chosen
    CHANCE                      `to_move` when a chance move is due
    EmpedoclesError             base of all errors: BadValue, BoardError, IllegalMove, MissingExtra, NothingToUndo,
                                PositionError, RecordError, UnknownName, UnreadableMove, Unsolvable

`help(empedocles.Match)` and so on say more; `empedocles --help` is the command line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from empedocles.engine.batch import Batch as Batch
    from empedocles.engine.batch import vector as vector
    from empedocles.errors import BadValue as BadValue
    from empedocles.errors import BoardError as BoardError
    from empedocles.errors import EmpedoclesError as EmpedoclesError
    from empedocles.errors import IllegalMove as IllegalMove
    from empedocles.errors import MissingExtra as MissingExtra
    from empedocles.errors import NothingToUndo as NothingToUndo
    from empedocles.errors import PositionError as PositionError
    from empedocles.errors import RecordError as RecordError
    from empedocles.errors import UnknownName as UnknownName
    from empedocles.errors import UnreadableMove as UnreadableMove
    from empedocles.errors import Unsolvable as Unsolvable
    from empedocles.game import Game as Game
    from empedocles.game import Option as Option
    from empedocles.opponents import characters as characters
    from empedocles.play.match import Match as Match
    from empedocles.play.match import new as new
    from empedocles.position import Position as Position
    from empedocles.position import Result as Result

    __version__: str

    def games() -> dict[str, Game]: ...


CHANCE = -1  # `to_move` when a chance move is due

# Where the public names live: loaded when first used, since the compiler behind the rules takes its time to import.
# There is no `__all__`: with one, `help` would show every class in full.
_HOMES = {
    "BadValue": "errors",
    "Batch": "engine.batch",
    "BoardError": "errors",
    "EmpedoclesError": "errors",
    "Game": "game",
    "IllegalMove": "errors",
    "Match": "play.match",
    "MissingExtra": "errors",
    "NothingToUndo": "errors",
    "Option": "game",
    "Position": "position",
    "PositionError": "errors",
    "RecordError": "errors",
    "Result": "position",
    "UnknownName": "errors",
    "UnreadableMove": "errors",
    "Unsolvable": "errors",
    "characters": "opponents",
    "new": "play.match",
    "vector": "engine.batch",
}

if not TYPE_CHECKING:  # a type checker would take any name for one of ours

    def __getattr__(name: str) -> object:
        from importlib import import_module, metadata

        if name == "games":
            return import_module("empedocles.games")
        if name == "__version__":
            return metadata.version("empedocles")
        if name not in _HOMES:
            raise AttributeError(f"module 'empedocles' has no attribute {name!r}")
        return getattr(import_module(f"empedocles.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(["CHANCE", "__version__", "games", *_HOMES])
