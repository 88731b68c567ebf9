"""The named opponents of a game, the weakest first."""

from __future__ import annotations

import functools

from empedocles.game import Game


def names(game: Game) -> list[str]:
    return [opponent.name for opponent in game.opponents]


def level(game: Game, agent: str) -> int | None:
    """The level, from 1, of an agent by its name or as `level-1`; None if it is not on this game's ladder."""
    return _levels(game).get(agent.lower())


def called(game: Game, agent: str) -> str:
    """The display name of an agent: those on the game's ladder have names of their own."""
    found = level(game, agent)
    return names(game)[found - 1] if found else agent


@functools.cache
def _levels(game: Game) -> dict[str, int]:
    known = {name.lower(): level for level, name in enumerate(names(game), start=1)}
    return known | {f"level-{level}": level for level in known.values()}
