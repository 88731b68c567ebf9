"""Help with entering a move: why something cannot be chosen, what a choice leads to, and a hint."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterator
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import PlainTextResponse
from pydantic import Field

from empedocles.game import Game
from empedocles.language import Message
from empedocles.play.match import Match
from empedocles.play.partial import Partial
from empedocles.render.picture import Look, layers
from empedocles.render.themes import for_page
from empedocles.server.domain.refusals import Refused
from empedocles.server.domain.table import PLAYING, Table
from empedocles.server.web.routes.tables import Asking, Body, Here, Known, Language, MatchId
from empedocles.server.workers.jobs import choose
from empedocles.server.workers.lines import Thinkers

ADVISER = "search"  # the strongest agent
THINKS = 1.5  # seconds for a hint
MOST_CLICKS = 12

router = APIRouter(prefix="/api/matches/{match}")

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
    match: MatchId, service: Here, target: Target, chosen: Chosen, language: Language = "en"
) -> dict[str, str]:
    """What choosing a target after others means; the name of the target if it cannot be chosen."""
    position = (await service.table(match)).match.position
    entry = Partial(position, tuple(chosen))
    found = entry.leads_to(target) if target in entry.targets else _name(position.game, target)
    return {"message": found.say(language)}


def _name(game: Game, target: str) -> Message:
    if target not in _targets(game):
        return Message("{target}", {"target": target})
    return game.target(target)


@functools.cache
def _targets(game: Game) -> frozenset[str]:
    return frozenset(target for path in game.paths for group in path for target in group)


@router.get("/text", response_class=PlainTextResponse)
async def text(match: MatchId, service: Here, ply: Annotated[int | None, Query(ge=0, le=100_000)] = None) -> str:
    """The position now, or after `ply` moves, as a text board."""
    played = (await service.table(match)).match
    return str(played.position if ply is None else played.at(ply))


class WantedHint(Body):
    language: Language = "en"
    wide: bool = True


@router.post("/hint")
async def hint(
    match: MatchId, wanted: WantedHint, request: Request, player: Known, who: Asking, service: Here
) -> dict[str, Any]:
    """The best move that an engine finds; only for a player whose opponents are all bots."""
    table = await service.table(match)
    _check_hint(table, player.id)
    await service.check_help(table.match)
    with _the_only_one(request.app.state.hinting, match):
        thinkers: Thinkers = request.app.state.thinkers
        given = (ADVISER, table.match.position.text, 0, THINKS)
        move = await thinkers.asked(who, choose, *given, urgent=True)
    if (await service.table(match)).number != table.number:
        raise Refused("late", "the game has moved on in the meantime", number=table.number)
    words = table.match.position.words(move).say(wanted.language)
    return {"move": move, "words": words, "arrows": _arrow(table.match, move, wanted)}


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


def _arrow(match: Match, move: str, wanted: WantedHint) -> str:
    look = Look(language=wanted.language, wide=wanted.wide, arrows=[match.way(move)])
    return for_page(
        layers(match.game.sheet(match.position.state, look), match.ids(match.plies))["arrows"], match.game.name
    )
