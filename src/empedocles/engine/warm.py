"""Compile ahead of time: every kernel that a command or a match will need."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from empedocles.engine.perft import perft
from empedocles.engine.playout import playouts
from empedocles.games import all_games
from empedocles.position import Position, compile_rules


def steps() -> Iterator[tuple[str, Callable[[], object]]]:
    """What to compile: pairs of a name for progress bars and a function that does it."""
    for game in all_games().values():
        yield f"the rules of {game.title}", partial(compile_rules, game)
        yield f"playouts of {game.title}", partial(playouts, Position.start(game, {}), 1)
        yield f"perft of {game.title}", partial(perft, Position.start(game, {}), 1)
