"""The API of choices in a position that somebody tries: what they lead to, and why others cannot be made."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Request
from pydantic import Field

from empedocles.play.partial import Partial
from empedocles.render.picture import Look
from empedocles.server.domain.table import Table
from empedocles.server.web.leads import leads as describe
from empedocles.server.web.routes.moves import MOST_CLICKS, Target
from empedocles.server.web.routes.review import MOST_SEATS, Wanted, begun, check_side, tried
from empedocles.server.web.routes.tables import WHOLE, Here, Visitor, in_thread

router = APIRouter(prefix="/api/positions")


class WantedLeads(Wanted):
    """A target to choose there, after others."""

    target: Target
    chosen: list[Target] = Field(default_factory=list, max_length=MOST_CLICKS)
    wide: bool = True
    seat: Annotated[int | None, Field(ge=0, le=MOST_SEATS), WHOLE] = None


@router.post("/leads")
async def leads_from(wanted: WantedLeads, request: Request, service: Here, player: Visitor) -> dict[str, str | None]:
    """What choosing a target means, what it places, what comes next; its name if it cannot be chosen."""
    return await in_thread(request, _described, wanted, await begun(wanted, service, player))


@router.post("/why")
async def why_not(wanted: WantedLeads, request: Request, service: Here, player: Visitor) -> dict[str, str | None]:
    """Why a target cannot be chosen there: the rule, and words. Both null if it can, or if no move uses it."""
    return await in_thread(request, _refused, wanted, await begun(wanted, service, player))


def _refused(wanted: WantedLeads, table: Table | None) -> dict[str, str | None]:
    reason = Partial(tried(wanted, table).position, tuple(wanted.chosen)).why_not(wanted.target)
    return {"rule": reason.rule if reason else None, "message": reason.say(wanted.language) if reason else None}


def _described(wanted: WantedLeads, table: Table | None) -> dict[str, str | None]:
    match = tried(wanted, table)
    check_side(wanted.seat, match)
    look = Look(language=wanted.language, wide=wanted.wide, seat=wanted.seat)
    return describe(Partial(match.position, tuple(wanted.chosen)), wanted.target, look)
