"""The shuffle before a match with chance: every player commits to a random value, and opens it when all have.

The server commits to its secret from the start, so that nobody decides a draw alone: see `play/shuffle.py`.
"""

from __future__ import annotations

import re

from empedocles.play.shuffle import BYTES, digest
from empedocles.server.domain import commands
from empedocles.server.domain.events import Cancelled, Committed, Event, Opened
from empedocles.server.domain.presence import Seen
from empedocles.server.domain.refusals import Refused
from empedocles.server.domain.table import WAITING, Table

PATIENCE = 60.0  # seconds for which a player who is present may keep the others waiting
HEXADECIMAL = re.compile(rf"[0-9a-f]{{{2 * BYTES}}}")  # a digest is as long as a value


def commit(table: Table, player: str, given: str) -> Event | None:
    """Commit to a value by its digest, `given`; "" leaves the shuffle to the others. None if this was done before."""
    seat = _seat_of(table, player)
    if table.commitments.get(seat) == given:
        return None
    if seat in table.commitments:
        raise Refused("committed", "you have already committed to another value")
    _check_waiting(table)
    if given and not HEXADECIMAL.fullmatch(given):
        raise Refused("bad-value", f"a digest is {2 * BYTES} hexadecimal digits in lower case, not {given!r:.80}")
    return Committed(seat, given)


def open_value(table: Table, player: str, value: str) -> Event | None:
    """Open the value that the player committed to. None if it was opened before."""
    seat = _seat_of(table, player)
    if table.values.get(seat) == value:
        return None
    _check_waiting(table)
    if not table.opens:
        raise Refused("too-early", "not all players have committed to a value yet: keep yours secret until then")
    if not HEXADECIMAL.fullmatch(value) or digest(bytes.fromhex(value)) != table.commitments[seat]:
        raise Refused("wrong-value", "this is not the value that you committed to")
    return Opened(seat, value)


def overdue(table: Table, seen: Seen, now: float) -> Event | None:
    """The event that ends a shuffle held up by a player who is present; the table waits for absent ones."""
    if table.status != WAITING or not table.is_full:
        return None
    for seat in table.awaited:
        place = table.id, seat
        if seen.get(place, 0.0) >= table.turned and now - max(table.turned, seen.came(place)) > PATIENCE:
            return Cancelled(seat)
    return None


def _seat_of(table: Table, player: str) -> int:
    mine = commands.seats_of(table, player)
    taking_part = [seat for seat in table.shufflers if seat in mine]
    if not taking_part:
        raise Refused("no-shuffle", "you do not take part in the shuffle of this table")
    return taking_part[0]


def _check_waiting(table: Table) -> None:
    if table.status != WAITING or table.is_dealt:
        raise Refused("dealt", "the shuffle of this table is over")
