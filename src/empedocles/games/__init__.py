"""The games: four of our own, and others' by the entry point group `empedocles.games`.

The module can be called: `empedocles.games()` lists the games, as the package's public API promises, although a
subpackage has that name too.
"""

from __future__ import annotations

import functools
import sys
from importlib.metadata import entry_points
from types import ModuleType

from empedocles.errors import UnknownName
from empedocles.game import Game
from empedocles.games import elemental_defenders, fire_and_water, ignite_and_flow, points_of_power

GAMES = {
    module.GAME.name: module.GAME for module in (fire_and_water, elemental_defenders, ignite_and_flow, points_of_power)
}


@functools.cache
def all_games() -> dict[str, Game]:
    """Our games and those of other installed packages, by name."""
    others = (entry.load() for entry in entry_points(group="empedocles.games"))
    return GAMES | {game.name: game for game in others}


def add(game: Game) -> None:
    """Make a game known that no installed package announces, such as one in a notebook."""
    if all_games().setdefault(game.name, game) is not game:
        raise UnknownName(f"there is already a game {game.name!r}")


def find(name: object) -> Game:
    known = all_games()
    if not isinstance(name, str) or name not in known:
        raise UnknownName(f"unknown game {name!r}: there are {', '.join(known)}")
    return known[name]


class _CallableModule(ModuleType):
    def __call__(self) -> dict[str, Game]:
        return dict(all_games())


sys.modules[__name__].__class__ = _CallableModule
