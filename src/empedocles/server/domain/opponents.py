"""The opponents that a game names, from the weakest on."""

from __future__ import annotations

import functools

from empedocles.game import Game


def names(game: Game) -> list[str]:
    return [opponent.name for opponent in game.opponents]


def level(game: Game, agent: str) -> int | None:
    """From 1 on, of an agent by name or as `level-1`; none of those that are no game's own."""
    return _levels(game).get(agent.lower())


def called(game: Game, agent: str) -> str:
    """The name of an agent: one of the game's ladder has its own."""
    found = level(game, agent)
    return names(game)[found - 1] if found else agent


@functools.cache
def _levels(game: Game) -> dict[str, int]:
    known = {name.lower(): level for level, name in enumerate(names(game), start=1)}
    return known | {f"level-{level}": level for level in known.values()}
