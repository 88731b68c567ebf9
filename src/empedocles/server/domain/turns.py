"""Checks on turns: whose turn it is, whether a move was already made, and whose time has run out."""

from __future__ import annotations

from empedocles.core.kernel import CHANCE
from empedocles.server.domain import commands
from empedocles.server.domain.events import (
    BOT,
    PERSON,
    Moved,
)
from empedocles.server.domain.moments import now
from empedocles.server.domain.refusals import Refused
from empedocles.server.domain.table import OVER, PLAYING, Table


def check_turn(table: Table, player: str, number: int) -> None:
    mover = table.match.to_move
    if table.status == OVER:
        raise Refused("over", "the match is over")
    if table.status != PLAYING:
        raise Refused("waiting", commands.NOT_BEGUN)
    commands.check_number(table, number)
    if mover is None or mover == CHANCE or table.seats[mover].kind != PERSON or table.seats[mover].owner != player:
        raise Refused("not-your-turn", "it is not your turn")


def was_played(table: Table, player: str, number: int, move: str) -> bool:
    """Whether this very request was already granted."""
    if number >= table.number or not isinstance(done := table.log[number].event, Moved):
        return False
    return done.move == move and done.seat in table.owned(player)


def is_out_of_time(table: Table) -> bool:
    mover = table.match.to_move
    if not table.clock.counts or table.status != PLAYING or mover is None or mover == CHANCE:
        return False
    if table.seats[mover].kind == BOT and table.goes_on_without(mover):
        return False  # it would only be replaced by itself
    return table.time_left(mover, now()) <= 0
