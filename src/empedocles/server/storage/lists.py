"""Lists of tables, and deleting from them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import sqlalchemy as sa

from empedocles.server.domain.events import OPEN
from empedocles.server.domain.moments import now
from empedocles.server.domain.table import OVER, PLAYING, WAITING, Table
from empedocles.server.storage import schema
from empedocles.server.storage.database import Database, is_of

MANY = 1000  # more tables than anybody may have open
LISTED_EACH = 2  # tables by the same person in a public list
CONTESTED = 30 * 24 * 3600.0  # seconds without a move after which nobody is playing a position: the longest clock


class Lists(Database):
    async def listed(self, status: str, limit: int) -> list[str]:
        """Public tables, the latest first; of those that wait for players, only those with a seat open to anyone.

        Only a few by the same person, so that nobody's tables hide those of others.
        """
        c = schema.matches.c
        maker = sa.case((c.creator == "", c.id), else_=c.creator)
        place = sa.func.row_number().over(partition_by=maker, order_by=c.touched.desc()).label("place")
        query = sa.select(c.id, c.touched, place).where(c.status == status, c.listed == 1)
        if status == WAITING:
            query = query.where(_is_open())
        some = query.subquery()
        query = sa.select(some.c.id).where(some.c.place <= LISTED_EACH).order_by(some.c.touched.desc()).limit(limit)
        return [row[0] for row in await self.rows(query)]

    async def open_tables(self, player: str) -> list[str]:
        """Tables opened by a player that still have a seat open to anyone."""
        c = schema.matches.c
        return await self._ids(sa.select(c.id).where(c.creator == player, c.status == WAITING, _is_open()), MANY)

    async def still_open(self, matches: Sequence[str]) -> list[str]:
        """Those of the given tables that still have a seat open to anyone."""
        c = schema.matches.c
        return await self._ids(sa.select(c.id).where(c.id.in_(matches), c.status == WAITING, _is_open()), len(matches))

    async def of_player(self, player: str, limit: int, over: bool | None = None) -> list[str]:
        """A player's tables, the latest first: all, or only those that are over, or are not."""
        c = schema.matches.c
        query = sa.select(c.id).where(is_of(player))
        if over is not None:
            query = query.where((c.status == OVER) if over else (c.status != OVER))
        return await self._ids(query, limit)

    async def against_bots(self, player: str, game: str, limit: int = 5) -> list[str]:
        """A player's latest finished matches of a game in which bots sat too."""
        c, s = schema.matches.c, schema.seats.c
        seated = sa.select(s.match).where(s.owner == player)
        bots = sa.select(s.match).where(s.kind == "bot")
        return await self._ids(
            sa.select(c.id).where(c.status == OVER, c.game == game, c.id.in_(seated), c.id.in_(bots)), limit
        )

    async def _ids(self, query: Any, limit: int) -> list[str]:
        return [row[0] for row in await self.rows(query.order_by(schema.matches.c.touched.desc()).limit(limit))]

    async def contested(self, game: str) -> set[str]:
        """The fingerprints of all positions of a game that people are playing against each other."""
        c = schema.matches.c
        recent = schema.HAS_POSITION, c.touched > now() - CONTESTED
        return {row[0] for row in await self.rows(sa.select(c.position).where(c.game == game, *recent))}

    async def is_contested(self, fingerprints: Collection[str]) -> bool:
        """Whether people are playing one of these positions."""
        c = schema.matches.c
        recent = schema.HAS_POSITION, c.touched > now() - CONTESTED
        return bool(await self.rows(sa.select(c.id).where(c.position.in_(fingerprints), *recent).limit(1)))

    async def delete(self, table: Table) -> bool:
        """Delete a table, unless something has happened at it since `table` was read."""
        return await self.expire(table.id, table.touched)

    async def untouched(self, kind: str, before: float, limit: int) -> list[tuple[str, float]]:
        """Waiting, unfinished or finished tables that nobody has touched since `before`, and when they last were."""
        c, e, today = schema.matches.c, schema.log.c, now()
        imported = sa.exists().where(e.match == c.id, e.number == 0, e.kind == "import")
        wanted = {
            "waiting": c.status == WAITING,
            "unfinished": (c.status == PLAYING) & ~imported,
            "finished": (c.status == OVER) | ((c.status == PLAYING) & imported),
        }[kind]
        found: list[tuple[str, float]] = []
        last = 0.0
        while len(found) < limit:
            query = sa.select(c.id, c.touched, c.clock).where(wanted, c.touched < before, c.touched > last)
            rows = await self.rows(query.order_by(c.touched).limit(limit))
            found += [(match, touched) for match, touched, clock in rows if not _may_move(clock, touched, today)]
            if len(rows) < limit:
                break
            last = rows[-1].touched
        return found

    async def expire(self, match: str, touched: float) -> bool:
        """Delete a table, unless something has happened at it since."""
        c = schema.matches.c
        unchanged = sa.delete(schema.matches).where(c.id == match, c.touched == touched)
        return await self.commit(*self.telling_gone(match), (unchanged, {})) == 1

    async def expire_players(self, before: float, limit: int) -> int:
        """Delete some players who came before `before` and have no table; returns how many."""
        p = schema.players.c
        seated = sa.exists().where(schema.seats.c.owner == p.id)
        made = sa.exists().where(schema.matches.c.creator == p.id)
        some = sa.select(p.id).where(p.created < before, ~seated, ~made).limit(limit)
        return await self.commit((sa.delete(schema.players).where(p.id.in_(some)), {}))

    async def remove(self, match: str) -> bool:
        """Delete a table in any state, even if it cannot be loaded; returns whether it existed."""
        here = sa.delete(schema.matches).where(schema.matches.c.id == match)
        return await self.commit(*self.telling_gone(match), (here, {})) == 1

    async def disown(self, match: str, player: str) -> None:
        """Forget that a player opened a table."""
        c = schema.matches.c
        await self.commit((sa.update(schema.matches).where(c.id == match, c.creator == player), {"creator": ""}))


def _is_open() -> Any:
    """Whether a table has a seat open to anyone."""
    s = schema.seats.c
    nobody = sa.func.length(s.owner) == 0  # written so that SQLite searches by table, not through all empty seats
    return sa.exists().where(s.match == schema.matches.c.id, s.kind == OPEN, s.invite == "", nobody)


def _may_move(clock: dict[str, Any], touched: float, now: float) -> bool:
    """Whether the time for a move, counted in days, has not run out yet."""
    return bool(clock["kind"] == "days" and now < touched + clock["base"] + clock["increment"])
