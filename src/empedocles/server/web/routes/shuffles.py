"""How chance is decided, and how anybody can check it afterwards."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Request
from pydantic import Field

from empedocles.server.domain.refusals import Refused
from empedocles.server.domain.table import OVER
from empedocles.server.web import views
from empedocles.server.web.routes.tables import Body, Here, Known, MatchId, in_thread, state_of

router = APIRouter(prefix="/api")


class Part(Body):
    """Of the shuffle: first the digest of a random value, and the value itself once all have committed to theirs."""

    digest: Annotated[str, Field(max_length=64)] | None = None
    value: Annotated[str, Field(max_length=64)] | None = None


@router.post("/matches/{match}/shuffle")
async def shuffle(match: MatchId, part: Part, player: Known, service: Here) -> dict[str, Any]:
    """Take part in deciding chance; whoever said so when sitting down is waited for."""
    if (part.digest is None) == (part.value is None):
        raise Refused("bad-message", "either a digest or a value, as docs/server.md says")
    if part.value is None:
        return state_of(service, await service.commit(player.id, match, part.digest or ""), player)
    return state_of(service, await service.open_value(player.id, match, part.value), player)


@router.get("/matches/{match}/draws")
async def draws(match: MatchId, request: Request, service: Here) -> dict[str, Any]:
    """Every chance move with its possible outcomes; and, once the match is over, the secret that decided them."""
    table = await service.table(match)
    secret = table.secret.hex() if table.status == OVER else None
    found = await in_thread(request, views.draws, table.match, table.imported)
    shown = {"commitments": table.commitments, "values": table.values}
    return {"commitment": table.commitment, "secret": secret, **shown, "draws": found}
