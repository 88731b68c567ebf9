"""Players in the database, and removing the traces of those who leave."""

from __future__ import annotations

import contextlib
import itertools
import json
from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from empedocles.server.domain.events import PERSON, Entry, Left
from empedocles.server.domain.moments import now
from empedocles.server.storage import schema
from empedocles.server.storage.database import ENTER, Database, is_of
from empedocles.server.storage.entries import hide, log_row
from empedocles.server.storage.news import REVOKED

FEW = 100  # matches deleted in one transaction
REVOKED_KEPT = 24 * 3600.0  # seconds for which revoked tokens are remembered
GONE = "gone "  # instead of a token's digest: nobody has it


class Players(Database):
    async def add_player(self, player: str, digest: str, name: str) -> None:
        values = {"id": player, "token": digest, "name": name, "created": now()}
        await self.commit((sa.insert(schema.players), values))

    async def player_with(self, digest: str) -> tuple[str, str] | None:
        """The id and name of the player with this token."""
        query = sa.select(schema.players.c.id, schema.players.c.name).where(schema.players.c.token == digest)
        return next(((player, name) for player, name in await self.rows(query)), None)

    async def rename(self, player: str, name: str) -> None:
        await self.commit((sa.update(schema.players).where(schema.players.c.id == player), {"name": name}))

    async def remove_player(self, player: str) -> None:
        await self.commit((sa.delete(schema.players).where(schema.players.c.id == player), {}))

    async def joined(self, player: str) -> float:
        """When the player was created."""
        query = sa.select(schema.players.c.created).where(schema.players.c.id == player)
        return float((await self.rows(query))[0][0])

    async def token(self, player: str) -> str:
        """The digest of a player's token; "" if there is no such player."""
        found = await self.rows(sa.select(schema.players.c.token).where(schema.players.c.id == player))
        return str(found[0][0]) if found else ""

    async def change_token(self, player: str, old: str, new: str, **more: Any) -> bool:
        """Revoke a token, given by its digest; returns whether it was the player's."""
        c, moment = schema.players.c, now()
        change = sa.update(schema.players).where(c.id == player, c.token == old).values(token=new, **more)
        outdated = sa.delete(schema.revocations).where(schema.revocations.c.at < moment - REVOKED_KEPT)
        noted = sa.insert(schema.revocations), {"token": old, "at": moment}
        return (
            await self.commit((outdated, {}), noted, *self.telling_all(json.dumps([old, REVOKED])), (change, {})) == 1
        )

    async def forgotten(self) -> list[str]:
        """Players who were forgotten, but may have left something behind."""
        query = sa.select(schema.players.c.id).where(schema.players.c.token.startswith(GONE))
        return [row[0] for row in await self.rows(query)]

    async def delete_alone(self, player: str) -> list[str]:
        """Delete all of a player's tables at which nobody else sits."""
        c, s = schema.matches.c, schema.seats.c
        others = sa.exists().where(s.match == c.id, s.kind == PERSON, s.owner.not_in(["", player]))
        alone = await self.rows(sa.select(c.id).where(is_of(player), ~others))
        found = [row[0] for row in alone]
        for start in range(0, len(found), FEW):
            some = found[start : start + FEW]
            told = [step for match in some for step in self.telling_gone(match)]
            await self.commit(*told, (sa.delete(schema.matches).where(c.id.in_(some), ~others), {}))
        return found

    async def leave_all(self, player: str) -> list[str]:
        """Give up every seat of a player, remove the name, and note it in the logs."""
        c, left = schema.seats.c, set()
        mine = sa.select(c.match, c.seat).where(c.owner == player).order_by(c.match, c.seat)
        while rows := await self.rows(mine):
            for match, seats in itertools.groupby(rows, lambda row: str(row[0])):
                with contextlib.suppress(IntegrityError):  # somebody was faster: try again
                    await self._leave(player, match, [seat for _, seat in seats])
                    left.add(match)
        created = sa.update(schema.matches).where(schema.matches.c.creator == player)
        await self.commit((created.values(creator=""), {}))
        return sorted(left)

    async def _leave(self, player: str, match: str, seats: Sequence[int]) -> None:
        c, moment, known = schema.seats.c, now(), await self.entries(match, 0)
        entries = [Entry(len(known) + k, moment, Left(seat, name_too=True)) for k, seat in enumerate(seats)]
        mine = sa.update(schema.seats).where(c.match == match, c.owner == player).values(owner="", name="")
        told = [step for entry in entries for step in self.telling(match, entry)]
        hidden = hide(match, known, player, name_too=True)
        await self.commit((ENTER, [log_row(match, entry) for entry in entries]), (mine, {}), *hidden, *told)
