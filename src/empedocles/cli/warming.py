"""Compile ahead of time: every kernel that a command or a match will need."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from empedocles.engine.perft import perft
from empedocles.engine.playout import playouts
from empedocles.game import Game
from empedocles.games import all_games
from empedocles.play.match import new
from empedocles.position import Position
from empedocles.search.exact import solve
from empedocles.search.limits import Limit
from empedocles.search.mcts import search


def steps() -> Iterator[tuple[str, Callable[[], object]]]:
    """What to compile: pairs of a name for progress bars and a function that does it."""
    for game in all_games().values():
        for name, use in USES.items():
            yield f"{name} of {game.title}", partial(use, game)


def _solve(game: Game) -> None:
    if game.solve:
        solve(new(game.name, seed=0).position)


# One small use of everything compiled; the rules come first, and say so by themselves.
USES: dict[str, Callable[[Game], object]] = {
    "the rules": lambda game: Position.start(game, {}),
    "playouts": lambda game: playouts(Position.start(game, {}), 1),
    "perft": lambda game: perft(Position.start(game, {}), 1),
    "search": lambda game: search(Position.start(game, {}), Limit(simulations=1)),
    "the solver": _solve,
}
