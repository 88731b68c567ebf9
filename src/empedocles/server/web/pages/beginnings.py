"""How a visitor's next match of a game begins: gently for whoever is new to it."""

from __future__ import annotations

from typing import Any, NamedTuple

from fastapi import Request

from empedocles.game import Game
from empedocles.server.service.service import NEWCOMERS, Service
from empedocles.server.web.pages import material

GENTLE = 3  # matches of a game that begin gently
EASIEST = 1  # the level of the first opponent then


class Beginning(NamedTuple):
    level: int  # of the opponent
    seat: int  # of the visitor
    options: dict[str, Any]  # simpler rules, where there are any


async def beginning(request: Request, service: Service, player: str, game: Game) -> Beginning:
    """What fits a player, or "" for a new visitor; whoever says that they know the games has a cookie."""
    chosen = request.cookies.get(f"gentle-{game.name}", request.cookies.get("gentle", ""))
    fit = await service.fitting(player, game, NEWCOMERS if chosen == "no" else EASIEST)
    gentle = chosen == "yes" or (chosen != "no" and fit.played < GENTLE)
    introduced = material.introduction(game) if gentle else None
    return Beginning(fit.level, fit.seat, introduced.options if introduced else {})
