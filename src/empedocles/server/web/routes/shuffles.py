"""Deciding chance together, and checking it afterwards."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request

from empedocles.server.domain.table import OVER
from empedocles.server.web import views
from empedocles.server.web.routes.tables import Body, Here, Known, MatchId, in_thread, state_of
from empedocles.server.web.wire import Digest, Value

router = APIRouter(prefix="/api")


class ValueDigest(Body):
    digest: Digest


@router.post("/matches/{match}/commit")
async def commit(match: MatchId, given: ValueDigest, player: Known, service: Here) -> dict[str, Any]:
    """Take part in deciding chance, as you said when you sat down: show the digest of a random value."""
    return state_of(service, await service.commit(player.id, match, given.digest), player)


class RandomValue(Body):
    value: Value


@router.post("/matches/{match}/open")
async def open_value(match: MatchId, given: RandomValue, player: Known, service: Here) -> dict[str, Any]:
    """Show the value itself, once all have shown the digests of theirs."""
    return state_of(service, await service.open_value(player.id, match, given.value), player)


@router.get("/matches/{match}/draws")
async def draws(match: MatchId, request: Request, service: Here) -> dict[str, Any]:
    """Every chance move with its possible outcomes; and, once the match is over, the secret that decided them."""
    table = await service.table(match)
    secret = table.secret.hex() if table.status == OVER else None
    found = await in_thread(request, views.draws, table.match, table.imported)
    shown = {"commitments": table.commitments, "values": table.values}
    return {"commitment": table.commitment, "secret": secret, **shown, "draws": found}
