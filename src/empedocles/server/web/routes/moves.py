"""Help with entering a move: why something cannot be chosen, what a choice leads to, a hint, and a warning."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import PlainTextResponse
from pydantic import Field

from empedocles.play.match import Match
from empedocles.play.partial import Partial
from empedocles.render.picture import Look, layers
from empedocles.render.themes import for_page
from empedocles.server.domain.refusals import Refused
from empedocles.server.domain.table import PLAYING, Table
from empedocles.server.web import views
from empedocles.server.web.leads import leads as describe
from empedocles.server.web.routes.tables import WHOLE, Asking, Body, Here, Known, Language, MatchId, Visitor
from empedocles.server.workers.jobs import find_danger, find_hint
from empedocles.server.workers.lines import Thinkers

THINKS = 0.5  # seconds for a hint, before its reason is looked for
MOST_CLICKS = 12

router = APIRouter(prefix="/api/matches/{match}")

SeatNumber = Annotated[int, Field(ge=0, le=100)]  # of several on one device: the one that looks at the table
Target = Annotated[str, Field(max_length=60)]
Chosen = Annotated[list[Target], Query(default_factory=list, max_length=MOST_CLICKS)]


@router.get("/why")
async def why(
    match: MatchId, service: Here, target: Target, chosen: Chosen, language: Language = "en"
) -> dict[str, str | None]:
    """Why a target cannot be chosen after others: the rule, and words. Both null if it can, or if no move uses it."""
    entry = Partial((await service.table(match)).match.position, tuple(chosen))
    reason = entry.why_not(target)
    return {"rule": reason.rule if reason else None, "message": reason.say(language) if reason else None}


@router.get("/leads")
async def leads(
    match: MatchId,
    service: Here,
    player: Visitor,
    target: Target,
    chosen: Chosen,
    language: Language = "en",
    wide: bool = True,
    seat: SeatNumber | None = None,
) -> dict[str, str | None]:
    """What choosing a target after others means, what it places, what comes next; its name if it cannot be chosen."""
    table = await service.table(match)
    look = Look(language=language, wide=wide, seat=views.side_of(table, player.id if player else "", seat))
    return describe(Partial(table.match.position, tuple(chosen)), target, look)


@router.get("/text", response_class=PlainTextResponse)
async def text(match: MatchId, service: Here, ply: Annotated[int | None, Query(ge=0, le=100_000)] = None) -> str:
    """The position now, or after `ply` moves, as a text board."""
    played = (await service.table(match)).match
    return str(played.position if ply is None else played.at(ply))


class WantedHint(Body):
    language: Language = "en"
    wide: bool = True
    seat: SeatNumber | None = None


@router.post("/hint")
async def hint(
    match: MatchId, wanted: WantedHint, request: Request, player: Known, who: Asking, service: Here
) -> dict[str, Any]:
    """The best move that an engine finds: where to look, which it is, and why. Only for whom all others are bots."""
    table = await service.table(match)
    _check_hint(table, player.id)
    await service.check_help(table.match)
    with _the_only_one(request.app.state.hinting, match):
        thinkers: Thinkers = request.app.state.thinkers
        found = await thinkers.asked(who, find_hint, table.match.position.text, THINKS, urgent=True)
    if (await service.table(match)).number != table.number:
        raise Refused("late", "the game has moved on in the meantime", number=table.number)
    said = found[wanted.language]
    return said | {"arrows": _arrow(table.match, said["move"], wanted, views.side_of(table, player.id, wanted.seat))}


@contextlib.contextmanager
def _the_only_one(hinting: set[str], match: str) -> Iterator[None]:
    """Allow one hint per table at a time, so that one table cannot block the others."""
    if match in hinting:
        raise Refused("busy", "a hint for this table is already being computed: wait for it", retry=2)
    hinting.add(match)
    try:
        yield
    finally:
        hinting.discard(match)


def _check_hint(table: Table, player: str) -> None:
    if table.people - {player}:
        raise Refused("not-alone", "there are no hints in games between people")
    if table.status != PLAYING or table.match.to_move not in table.owned(player):
        raise Refused("not-your-turn", "it is not your turn")


def _arrow(match: Match, move: str, wanted: WantedHint, seat: int | None) -> str:
    look = Look(language=wanted.language, wide=wanted.wide, seat=seat, arrows=[match.way(move)])
    return for_page(
        layers(match.game.sheet(match.position.state, look), match.ids(match.plies))["arrows"], match.game.name
    )


class WantedWarning(WantedHint):
    number: Annotated[int, Field(ge=0, le=10**6), WHOLE]
    move: Annotated[str, Field(max_length=60)]


@router.post("/warning")
async def warning(
    match: MatchId, wanted: WantedWarning, request: Request, player: Known, who: Asking, service: Here
) -> dict[str, Any]:
    """Whether a move would lose at once, or much, although a better one is at hand; only for people who play alone.

    Questions about several moves wait for each other: a page asks about what is only pointed at, too.
    """
    table = await service.table(match)
    _check_hint(table, player.id)
    if views.is_shared(table, player.id):
        raise Refused("not-alone", "there are no warnings in games between people")
    if table.number != wanted.number:
        raise Refused("late", "the game has moved on in the meantime", number=table.number)
    here = table.match.position
    here.play(wanted.move)  # raises unless it is legal
    await service.check_help(table.match)
    thinkers: Thinkers = request.app.state.thinkers
    found = await thinkers.asked(who, find_danger, here.text, wanted.move, urgent=True)
    if found is None:
        return {"warning": None}
    words, answer = found
    after = table.match.until(table.match.plies).play(wanted.move)  # some targets are elsewhere then
    arrows = _arrow(after, answer, wanted, views.side_of(table, player.id, wanted.seat)) if answer else ""
    return {"warning": {"words": words[wanted.language], "arrows": arrows}}
