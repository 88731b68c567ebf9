"""What a choice leads to while a move is entered: in words, as a picture of what it places, and what comes next."""

from __future__ import annotations

import functools

from empedocles.game import Game
from empedocles.language import Message
from empedocles.play.ghosts import ghost
from empedocles.play.partial import Partial
from empedocles.position import Position
from empedocles.render.picture import Look
from empedocles.render.themes import for_page


def leads(entry: Partial, target: str, look: Look) -> dict[str, str | None]:
    """What choosing a target means; its name if it cannot be chosen."""
    position, language = entry.position, look.language
    if target not in entry.targets:
        return {"message": _name(position, target).say(language), "next": None, "ghost": ""}
    then = entry.choose(target)
    asked = then.prompt if then.targets else None
    return {
        "message": entry.leads_to(target).say(language),
        "next": asked.say(language) if asked else None,
        "ghost": for_page(ghost(then, look), position.game.name),
    }


def _name(position: Position, target: str) -> Message:
    if target not in _targets(position.game):
        return Message("{target}", {"target": target})
    return position.game.described(position.state, target)


@functools.cache
def _targets(game: Game) -> frozenset[str]:
    return frozenset(target for path in game.paths for group in path for target in group)
