"""The API of an engine's opinion on matches: analyses, turning points, and why not another move."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from pydantic import Field

from empedocles.core.kernel import CHANCE
from empedocles.errors import BadValue
from empedocles.server.domain.refusals import Refused
from empedocles.server.domain.table import OVER, Table
from empedocles.server.service.service import Service, being_played, fingerprints
from empedocles.server.web.routes.review import (
    MOST_SEATS,
    Side,
    Wanted,
    as_json,
    begun,
    check_review,
    check_side,
    tried,
)
from empedocles.server.web.routes.tables import WHOLE, Asking, Body, Here, Language, MatchId, Visitor, in_thread
from empedocles.server.workers.analyses import Analyses, Analysis, analysis_view

EXPLAINS = 0.35  # seconds for all moves of a position, and as much for the one that somebody tries

router = APIRouter(prefix="/api")


@router.post("/explanations")
async def explain(wanted: Wanted, request: Request, service: Here, player: Visitor, who: Asking) -> Response:
    """An engine's remark on the last of the moves to try: why it falls short of the best one, or that it does not."""
    if not wanted.moves:
        raise Refused("bad-value", "moves must hold at least one move, the one to explain")
    before = wanted.model_copy(update={"moves": wanted.moves[:-1]})
    match = await in_thread(request, tried, before, await begun(wanted, service, player))
    match.position.play(wanted.moves[-1])  # raises unless it is legal
    if match.to_move == CHANCE:
        raise Refused("bad-value", f"{wanted.moves[-1]} is a chance move: nobody chose it")
    await service.check_help(match)
    analyses: Analyses = request.app.state.analyses
    found = await analyses.explanation(match.position, match.plies, wanted.moves[-1], EXPLAINS, who)
    return as_json(found[wanted.language].encode())


class WantedAnalysis(Body):
    match: MatchId
    seat: Annotated[int | None, Field(ge=0, le=MOST_SEATS), WHOLE] = None
    language: Language = "en"


@router.post("/analyses")
async def analyse(wanted: WantedAnalysis, request: Request, service: Here, player: Visitor, who: Asking) -> Response:
    """Start analysing a match, or find its analysis: its id, and the results so far."""
    table = await service.table(wanted.match)
    check_review(table, player.id if player else "")
    analyses: Analyses = request.app.state.analyses
    found = analyses.of(table, who)
    await _check_nobody_plays(request, found, service)
    check_side(wanted.seat, table.match)
    return as_json(analysis_view(found, 0, wanted.language, wanted.seat))


async def _check_nobody_plays(request: Request, analysis: Analysis, service: Service) -> None:
    """Refuse while people are playing one of the match's positions."""
    if contested := await service.store.contested(analysis.match.game.name):
        if analysis.fingerprints is None:
            analysis.fingerprints = await in_thread(request, fingerprints, analysis.match.positions())
        if contested & analysis.fingerprints:
            raise being_played()


@router.get("/analyses/{analysis}")
async def analysis(
    analysis: Annotated[str, Field(max_length=40)],
    request: Request,
    service: Here,
    who: Asking,
    since: Annotated[int, Query(ge=0, le=100_000)] = 0,
    language: Language = "en",
    seat: Side = None,
) -> Response:
    """The results so far, without the first remarks, which the reader has. If nobody asks, the analysis stops."""
    analyses: Analyses = request.app.state.analyses
    found = analyses.find(analysis, who)
    await _check_nobody_plays(request, found, service)
    check_side(seat, found.match)
    return as_json(analysis_view(found, since, language, seat))


@router.get("/matches/{match}/turning-point")
async def turning_point(
    match: MatchId,
    request: Request,
    service: Here,
    who: Asking,
    seat: Annotated[int | None, Query(ge=0, le=7)] = None,
    language: Language = "en",
) -> Response:
    """The mistake that turned the match, else the costliest one, of the side which lost most, or the side of a seat.

    Null if none cost much, or if there is no time to look.
    """
    table = await service.table(match)
    if table.status != OVER:
        raise Refused("not-over", "a match has a turning point when it is over")
    contested = await service.store.contested(table.game.name)
    if contested and contested & await in_thread(request, fingerprints, table.match.positions()):
        raise being_played()
    analyses: Analyses = request.app.state.analyses
    found = await analyses.turning_point(table, _seats_concerned(table, seat), who)
    return as_json(found[language].encode())


def _seats_concerned(table: Table, seat: int | None) -> list[int]:
    """All seats on the side of one, or on the sides that lost."""
    sides = table.game.sides(table.match.position.seats)
    if seat is not None and seat >= len(sides):
        raise BadValue(f"this table has seats 0 to {len(sides) - 1}, not {seat}")
    lost = [one for one in range(len(sides)) if table.winners and one not in table.winners]
    return lost if seat is None else [one for one, side in enumerate(sides) if side == sides[seat]]
