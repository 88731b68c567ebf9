"""Puzzles that visitors find wanting, until an operator reads why."""

from __future__ import annotations

import sqlalchemy as sa

from empedocles.server.domain.moments import now
from empedocles.server.storage import schema
from empedocles.server.storage.database import Database

MOST_COMPLAINTS = 5000  # about 2 MB; the oldest are deleted


class Complaints(Database):
    async def complain(self, game: str, puzzle: str, reason: str, note: str, most: int = MOST_COMPLAINTS) -> None:
        """Keep a complaint; the oldest beyond `most` are deleted."""
        c = schema.complaints.c
        values = {"game": game, "puzzle": puzzle, "reason": reason, "note": note, "at": now()}
        newest = sa.select(c.id).order_by(c.id.desc()).limit(most)
        await self.commit(
            (sa.insert(schema.complaints), values),
            (sa.delete(schema.complaints).where(c.id.not_in(newest)), {}),
        )
