"""Opponents as pages show them: a game whose opponents.toml cannot be read shows plain portraits instead."""

from __future__ import annotations

from empedocles.coach.talk import may_talk, voices
from empedocles.game import Game
from empedocles.opponents import Cast, Character, cast_of, plain_cast
from empedocles.server.domain import opponents
from empedocles.server.domain.events import BOT
from empedocles.server.domain.table import Table
from empedocles.server.web.guests import alone


def cast(game: Game) -> Cast:
    with alone(game, "opponents.toml"):
        return cast_of(game)
    return plain_cast(game)


def met(table: Table) -> dict[int, Character]:
    """The opponents at a table, by their level."""
    known = cast(table.game).characters
    return {level: known[level - 1] for level in _levels(table).values()}


def speakers(table: Table) -> dict[int, str]:
    """The voices of the bots at a table, by seat; none where people play against each other."""
    with alone(table.game, "opponents.toml"):
        levels = _levels(table)
        bots = dict.fromkeys((k for k, seat in enumerate(table.seats) if seat.kind == BOT), 0) | levels
        return voices(table.game, levels) if may_talk(table.game, len(table.seats), bots) else {}
    return {}


def _levels(table: Table) -> dict[int, int]:
    found = {k: opponents.level(table.game, seat.agent) for k, seat in enumerate(table.seats) if seat.kind == BOT}
    return {k: level for k, level in found.items() if level}
