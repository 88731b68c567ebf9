"""Tables in a database: SQLite on one machine, PostgreSQL on more. Each entry is committed before it is announced."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, IntegrityError

from empedocles.server.domain import events
from empedocles.server.domain.events import Entry, Left, Seat
from empedocles.server.domain.moments import now
from empedocles.server.domain.stored import Stored
from empedocles.server.domain.table import Table
from empedocles.server.storage import schema
from empedocles.server.storage.analyses import StoredAnalyses
from empedocles.server.storage.complaints import Complaints
from empedocles.server.storage.database import ENTER, TELL
from empedocles.server.storage.entries import Step, hide, log_row
from empedocles.server.storage.lists import Lists
from empedocles.server.storage.news import news
from empedocles.server.storage.players import Players
from empedocles.server.storage.signs import Signs

LONG_LOG = 50  # moves replayed on the event loop: about 2 ms


class Taken(Exception):
    """Somebody else has written this entry."""


class Store(Players, Lists, Signs, StoredAnalyses, Complaints):
    async def add(self, table: Table) -> None:
        """Add a table, with its log so far."""
        await self.commit(
            (sa.insert(schema.matches), _match_row(table)),
            (sa.insert(schema.seats), _seat_rows(table)),
            (ENTER, [log_row(table.id, entry) for entry in table.log]),
            *self.telling(table.id, table.log[-1]),
        )

    async def load(self, match: str) -> Table | None:
        stored = await self.read(match)
        if stored is None:
            return None
        table, noted = stored.begun, stored.row["position"]
        await self._apply(table, stored.entries)
        if noted != table.contested:  # written by a version that did not know this column
            await self._note_position(table, noted)
        return table

    async def read(self, match: str) -> Stored | None:
        found = await self.rows(sa.select(schema.matches).where(schema.matches.c.id == match))
        if not found:
            return None
        return Stored(dict(found[0]._mapping), await self.entries(match, 0))

    async def _note_position(self, table: Table, before: str) -> None:
        c = schema.matches.c
        same = sa.update(schema.matches).where(c.id == table.id, c.position == before, c.touched == table.touched)
        await self.commit((same.values(position=table.contested), {}))

    async def _apply(self, table: Table, entries: Sequence[Entry]) -> None:
        def some(done: int, until: float) -> int:
            while done < len(entries) and time.thread_time() < until:
                table.apply(entries[done])
                done += 1
            return done

        if sum(events.plies(entry.event) for entry in entries) > LONG_LOG:
            await self._aside.all(some, 0, len(entries))
        else:
            some(0, math.inf)

    async def refreshed(self, table: Table) -> Table:
        """The table with what other processes have written since: a copy, as others may be using this one."""
        entries = await self.entries(table.id, table.number)
        if not entries:
            return table
        newer = table.copy()
        await self._apply(newer, entries)
        return newer

    async def append(self, before: Table, after: Table) -> None:
        """Write the last entry of `after`.

        Raises `Taken` if another was written first, or if that is unknown: a broken connection may have committed it.
        """
        entry, seats = after.log[-1], _changed_seats(before, after)
        try:
            if self._writer or seats:
                steps = [(ENTER, log_row(after.id, entry)), (_TOUCH, _touched(after))]
                await self.commit(*steps, *seats, *_hiding(before, after), *self.telling(after.id, entry))
            else:
                await self.apart(self._append(_written(after)))
        except DBAPIError as error:
            if isinstance(error, IntegrityError) or error.connection_invalidated:
                raise Taken from error
            raise

    async def _append(self, values: dict[str, Any]) -> None:
        async with self.single.connect() as connection:
            await connection.execute(_APPEND, values)

    # ── Bots ──

    async def with_bots(self) -> list[str]:
        """Tables where a bot is to move and no worker has claimed it, the longest waiting first."""
        c = schema.matches.c
        query = sa.select(c.id).where(c.bot_due == 1, c.bot_until < now()).order_by(c.touched).limit(1000)
        return [row[0] for row in await self.rows(query)]

    async def claim(self, match: str, number: int, seconds: float) -> bool:
        """Claim an entry for this bot worker, for `seconds`; returns whether it succeeded."""
        c, start = schema.matches.c, now()
        free = sa.update(schema.matches).where(c.id == match, (c.bot_until < start) | (c.bot_number != number))
        return await self.commit((free, {"bot_until": start + seconds, "bot_number": number})) == 1


def _match_row(table: Table) -> dict[str, Any]:
    return {
        "id": table.id,
        "game": table.game.name,
        "options": table.match.options,
        "start": table.match.start.text,
        "secret": table.secret.hex(),
        "clock": vars(table.clock),
        "listed": int(table.listed),
        "status": table.status,
        "creator": table.creator,
        "created": table.created,
        "touched": table.created,
        "bot_due": int(table.bot_is_due),
        "bot_until": 0.0,
        "bot_number": 0,
        "position": table.contested,
    }


def _seat_rows(table: Table) -> list[dict[str, Any]]:
    return [
        {"match": table.id, "seat": number, "seen": 0.0, **_sitting(seat)} for number, seat in enumerate(table.seats)
    ]


def _sitting(seat: Seat) -> dict[str, str]:
    return {"kind": seat.kind, "name": seat.name, "agent": seat.agent, "owner": seat.owner, "invite": seat.invite}


def _changed_seats(before: Table, after: Table) -> list[Step]:
    """Copy who sits where from the log into its own database table, to find players' tables."""
    c, pairs = schema.seats.c, zip(before.seats, after.seats, strict=True)
    return [
        (sa.update(schema.seats).where(c.match == after.id, c.seat == number), _sitting(seat))
        for number, (old, seat) in enumerate(pairs)
        if _sitting(seat) != _sitting(old)
    ]


def _hiding(before: Table, after: Table) -> list[Step]:
    """Remove a player who leaves from the log."""
    match after.log[-1].event:
        case Left(seat=seat, name_too=name_too):
            return hide(after.id, before.log, before.seats[seat].owner, name_too)
    return []


def _touched(table: Table) -> dict[str, Any]:
    return {
        "new_id": table.id,
        "new_touched": table.touched,
        "new_status": table.status,
        "new_bot_due": int(table.bot_is_due),
        "new_position": table.contested,
    }


def _written(table: Table) -> dict[str, Any]:
    entry = {f"new_{name}": value for name, value in log_row(table.id, table.log[-1]).items()}
    return entry | _touched(table) | {"news": news(table.id, table.log[-1])}


# Built once: SQLAlchemy caches their compiled form.
_TOUCH = (
    sa.update(schema.matches)
    .where(schema.matches.c.id == sa.bindparam("new_id"))
    .values({name: sa.bindparam(f"new_{name}") for name in ("touched", "status", "bot_due", "position")})
    .values(bot_until=0.0)
)
_ENTRY = ENTER.values({name: sa.bindparam(f"new_{name}") for name in ("match", "number", "at", "kind", "body")})
_APPEND = TELL.add_cte(_ENTRY.cte("entry"), _TOUCH.cte("touched"))  # for PostgreSQL, in one round trip
