"""How tables start: who sits where under which name, and from which position."""

from __future__ import annotations

import secrets
from dataclasses import replace
from typing import Any

from empedocles import agents
from empedocles.games import find
from empedocles.play.match import Match
from empedocles.play.shuffle import BYTES
from empedocles.position import Position
from empedocles.server.domain import names
from empedocles.server.domain.events import BOT, OPEN, PERSON, Entry, Imported, Seat, Started
from empedocles.server.domain.moments import now
from empedocles.server.domain.refusals import Refused
from empedocles.server.domain.scripts import Script
from empedocles.server.domain.stored import start_match
from empedocles.server.domain.table import Clock, Table


def new_id() -> str:
    """A random id, without a leading dash, which commands would take for an option."""
    found = secrets.token_urlsafe(9)
    return new_id() if found.startswith("-") else found


def imported_table(player: str, script: Script) -> Table:
    """A table for a match played elsewhere; all its seats are the player's."""
    secret = secrets.token_bytes(BYTES)
    match = start_match(script.game, {}, secret, script.start)
    seats = [
        Seat(PERSON, names.cleaned(script.names.get(seat, "")), owner=player) for seat in range(match.position.seats)
    ]
    table = Table(new_id(), match, secret, listed=False, creator=player, created=now())
    table.apply(Entry(0, table.created, Imported(tuple(seats), tuple(script.moves), script.comments)))
    table.match.recall(script.ids)
    return table


def new_table(
    player: str, game: str, options: dict[str, Any], seats: list[Seat], clock: Clock, listed: bool, start: str
) -> Table:
    secret = secrets.token_bytes(BYTES)
    match = start_match(game, options, secret, start)
    if start:
        _check_start(match.start, game, options)
    _check_seats(match, seats)
    table = Table(new_id(), match, secret, clock, listed, player, now())
    return table.after(Entry(0, table.created, Started(tuple(seats))))


def told_apart(seats: list[Seat]) -> list[Seat]:
    """The seats with a number after each name that an earlier person has: two on one device may have given only one."""
    taken: set[str] = set()
    found = []
    for seat in seats:
        name, number = seat.name, 2
        while name and name.casefold() in taken:
            name, number = f"{seat.name[: names.LONGEST - 3].rstrip()} {number}", number + 1
        taken.add(name.casefold())
        found.append(replace(seat, name=name))
    return found


def seated_again(seat: Seat, player: str) -> Seat:
    """The seat in a rematch that `player` asked for. Others' seats are kept for them, unless they deleted the match."""
    if seat.kind == BOT or seat.owner == player:
        return replace(seat, invite="")
    return Seat(OPEN, seat.name, owner=seat.owner, shuffles=seat.shuffles) if seat.owner else Seat(OPEN)


def _check_start(start: Position, game: str, options: dict[str, Any]) -> None:
    """Refuse a start of another game or with other options than asked for."""
    if start.game is not find(game):
        raise Refused("bad-start", f"a match of {game} cannot start from a position of {start.game.name}")
    wanted = Position.start(start.game, options).options
    for name in options:
        if wanted[name] != start.options[name]:
            asked, given = (f"{name}={values[name]}" for values in (wanted, start.options))
            raise Refused("bad-start", f"a match with {asked} cannot start from a position with {given}")


def _check_seats(match: Match, seats: list[Seat]) -> None:
    wanted = match.position.seats
    if len(seats) != wanted:
        raise Refused("bad-seats", f"{match.game.title} has {wanted} seats with these options, not {len(seats)}")
    for seat in seats:
        if seat.kind not in (PERSON, BOT, OPEN):
            raise Refused("bad-seats", f"unknown kind of seat {seat.kind!r}: there are person, bot, open")
        if seat.kind == BOT:
            agents.need(seat.agent, match.game)
