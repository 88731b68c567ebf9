"""The games: four of our own, and others' by the entry point group `empedocles.games`.

The module can be called: `empedocles.games()` lists the games, as the package's public API promises, although a
subpackage has that name too.
"""

from __future__ import annotations

import functools
import sys
from types import ModuleType

from empedocles.errors import BadValue, UnknownName
from empedocles.game import Game
from empedocles.games import elemental_defenders, fire_and_water, ignite_and_flow, points_of_power
from empedocles.games.announcements import announced, checked_game, load_game, warn
from empedocles.language import Message
from empedocles.language import mark as _

GAMES = {
    module.GAME.name: module.GAME for module in (fire_and_water, elemental_defenders, ignite_and_flow, points_of_power)
}


GROUP = "empedocles.games"

broken: dict[str, str] = {}  # names of games that cannot be used → why


@functools.cache
def all_games() -> dict[str, Game]:
    """Our games and those of other installed packages, by name; those that cannot be used are in `broken` instead."""
    known = dict(GAMES)
    for entry in announced(GROUP):
        try:
            game = load_game(entry)
            if known.setdefault(game.name, game) is not game:
                raise BadValue(f"there is already a game {game.name!r}")
        except BadValue as error:
            broken[entry.name] = str(error)
            warn(f"the game {entry.name!r}", error)
    return known


def leave_out(name: str, why: str) -> None:
    """Remove a game that turned out not to work; all others stay."""
    all_games().pop(name, None)
    broken[name] = why


def add(game: Game) -> None:
    """Register a game that no installed package announces, such as one in a notebook."""
    if all_games().setdefault(checked_game(game).name, game) is not game:
        raise UnknownName(f"there is already a game {game.name!r}")


def find(name: object) -> Game:
    known = all_games()
    if not isinstance(name, str) or name not in known:
        if isinstance(name, str) and name in broken:
            raise UnknownName(f"the game {name!r} cannot be used: {broken[name]}")
        text = _("unknown game {name}: there are {known}")
        raise UnknownName(Message(text, {"name": repr(name), "known": ", ".join(known)}))
    return known[name]


class _CallableModule(ModuleType):
    def __call__(self) -> dict[str, Game]:
        return dict(all_games())


sys.modules[__name__].__class__ = _CallableModule
