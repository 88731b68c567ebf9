"""Signs of life of players and processes, bans, and operators' queries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa

from empedocles.server.domain.moments import now
from empedocles.server.limits.bans import Ban
from empedocles.server.storage import schema
from empedocles.server.storage.boots import boot
from empedocles.server.storage.database import Database
from empedocles.server.storage.entries import Step

MOST_SEATS = 1000  # in one statement
SIGNS_KEPT = 3600  # seconds after which a silent process is forgotten


class Signs(Database):
    # ── Who is there ──

    async def saw(self, seats: Sequence[tuple[str, int]], now: float) -> None:
        """Note that the players in these seats (match and seat number) are connected."""
        here = sa.tuple_(schema.seats.c.match, schema.seats.c.seat)
        for start in range(0, len(seats), MOST_SEATS):
            some = sa.update(schema.seats).where(here.in_(seats[start : start + MOST_SEATS]))
            await self.commit((some.values(seen=now), {}))

    async def seen(self, since: float, match: str | None = None) -> dict[tuple[str, int], float]:
        """When players were last connected, if after `since`, at one table or anywhere."""
        c = schema.seats.c
        query = sa.select(c.match, c.seat, c.seen).where(c.seen >= since, *([c.match == match] if match else []))
        return {(found, seat): at for found, seat, at in await self.rows(query)}

    # ── Who may not use the server ──

    async def bans(self) -> list[Ban]:
        c = schema.bans.c
        query = sa.select(c.kind, c.what, c.reason, c.created, c.until).order_by(c.created.desc(), c.id.desc())
        return [Ban(*row) for row in await self.rows(query)]

    async def ban(self, ban: Ban) -> None:
        await self.commit(_unban(ban.kind, ban.what), (sa.insert(schema.bans), ban._asdict()))

    async def unban(self, kind: str, what: str) -> bool:
        """Lift a ban; returns whether it existed."""
        return await self.commit(_unban(kind, what)) == 1

    # ── How it is ──

    async def ask(self, query: Any) -> Sequence[Any]:
        """Run an operator's query."""
        return await self.rows(query)

    async def version(self) -> str | None:
        found = await self.rows(sa.text("SELECT version_num FROM alembic_version"))
        return found[0][0] if found else None

    async def count_overdue(self, since: float, until: float) -> int:
        """The number of tables where a bot is to move and the last event was between `since` and `until`."""
        c = schema.matches.c
        overdue = sa.select(sa.func.count()).where(c.bot_due == 1, c.touched.between(since, until))
        return int((await self.rows(overdue.select_from(schema.matches)))[0][0])

    async def sign(self, process: str, host: str, bots: int, wrong: str) -> None:
        """Note that a process is alive, and its problems."""
        c, moment = schema.processes.c, now()
        old = sa.delete(schema.processes).where((c.id == process) | (c.seen < moment - SIGNS_KEPT))
        values = {"id": process, "host": host, "bots": bots, "seen": moment, "wrong": wrong}
        await self.commit((old, {}), (sa.insert(schema.processes), values))

    async def unsign(self, process: str) -> None:
        await self.commit((sa.delete(schema.processes).where(schema.processes.c.id == process), {}))

    async def signs(self, host: str, since: float) -> list[str]:
        """The problems of a host's processes that have given a sign of life after `since`."""
        c = schema.processes.c
        return [row[0] for row in await self.rows(sa.select(c.wrong).where(c.host == host, c.seen >= since))]

    # ── Time ──

    async def note_time(self) -> None:
        """Note the time, so that it never goes back by more than a moment, even if the system time is set back."""
        here = sa.update(schema.boots).where(schema.boots.c.boot == boot())
        await self.commit((here.values(latest=now()), {}))


def _unban(kind: str, what: str) -> Step:
    c = schema.bans.c
    return sa.delete(schema.bans).where(c.kind == kind, c.what == what), {}
