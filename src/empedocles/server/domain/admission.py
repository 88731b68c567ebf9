"""Who may take a seat at a table, and who may leave."""

from __future__ import annotations

import hmac

from empedocles.server.domain import commands
from empedocles.server.domain.events import (
    OPEN,
    Event,
    Left,
)
from empedocles.server.domain.refusals import Refused
from empedocles.server.domain.table import OVER, PLAYING, Table


def others_at(table: Table, player: str) -> set[str]:
    """The others who would miss a match that a player wants to delete."""
    if player != table.creator:
        commands.seats_of(table, player)
    others = table.people - {player, ""}
    if others and table.status == PLAYING:
        raise Refused("in-progress", "others are still playing here: resign first")
    return others


def leaving(table: Table, player: str, seat: int) -> Event | None:
    return Left(seat) if seat in table.owned(player) else None


def came_by(table: Table, player: str, invite: str) -> bool:
    return any(seat.owner == player and hmac.compare_digest(seat.invite, invite) for seat in table.seats)


def free_seat(table: Table, seat: int | None, invite: str) -> int:
    """The seat that a newcomer may take."""
    free = [k for k, one in enumerate(table.seats) if one.kind == OPEN and table.status != OVER]
    if invite:
        fits = [k for k in free if table.seats[k].invite and hmac.compare_digest(table.seats[k].invite, invite)]
        if not fits:
            raise Refused("bad-invite", "this link has already been used, or belongs to another table")
        return fits[0]
    public = [k for k in free if table.seats[k].is_public]
    if seat is not None and seat not in public:
        raise Refused("no-seat", f"seat {seat} cannot be taken: open seats are {', '.join(map(str, public)) or 'none'}")
    if not public:
        raise Refused("no-seat", "there is no free seat at this table")
    return public[0] if seat is None else seat
