"""What engines have said about matches and positions, so that a restart loses none of it."""

from __future__ import annotations

import contextlib

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from empedocles.server.domain.moments import now
from empedocles.server.storage import schema
from empedocles.server.storage.database import Database

MOST_REMARKS = 200_000  # about 100 MB
MOST_EVALUATIONS = 20_000  # about 20 MB


class StoredAnalyses(Database):
    async def remarks(self, match: str) -> dict[int, tuple[str, str]]:
        """Remarks on the moves of a match: by ply, with a digest of the moves they are about."""
        c = schema.remarks.c
        rows = await self.rows(sa.select(c.ply, c.way, c.body).where(c.match == match))
        return {ply: (way, body) for ply, way, body in rows}

    async def keep_remark(self, match: str, ply: int, way: str, body: str) -> None:
        """Keep a remark instead of an earlier one on that ply, whose moves may have been taken back."""
        c = schema.remarks.c
        earlier = sa.delete(schema.remarks).where(c.match == match, c.ply == ply)
        values = {"match": match, "ply": ply, "way": way, "body": body, "at": now()}
        with contextlib.suppress(IntegrityError):  # the match was deleted, or another process was faster
            await self.commit((earlier, {}), (sa.insert(schema.remarks), values))

    async def evaluations(self, position: str) -> str | None:
        """The evaluations of a position, given by its digest."""
        c = schema.evaluations.c
        return next((body for (body,) in await self.rows(sa.select(c.body).where(c.position == position))), None)

    async def keep_evaluations(self, position: str, match: str, body: str) -> None:
        """Keep evaluations of a position, until the match is deleted that it was asked for in; "" for none."""
        c = schema.evaluations.c
        earlier = sa.delete(schema.evaluations).where(c.position == position)
        values = {"position": position, "match": match or None, "body": body, "at": now()}
        with contextlib.suppress(IntegrityError):
            await self.commit((earlier, {}), (sa.insert(schema.evaluations), values))

    async def trim_analyses(self, remarks: int = MOST_REMARKS, evaluations: int = MOST_EVALUATIONS) -> None:
        """Delete the oldest remarks and evaluations if there are more than these."""
        for kept, most in ((schema.remarks, remarks), (schema.evaluations, evaluations)):
            oldest = await self.rows(sa.select(kept.c.at).order_by(kept.c.at.desc()).offset(most).limit(1))
            for (at,) in oldest:
                await self.commit((sa.delete(kept).where(kept.c.at <= at), {}))
