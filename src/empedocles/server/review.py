"""The API of reviews: frames of a match, positions to try something in, what an engine says, import and export."""

from __future__ import annotations

import asyncio
import io
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import HTMLResponse
from pydantic import Field

from empedocles.games import all_games
from empedocles.kernel import CHANCE
from empedocles.play import frames, replay
from empedocles.play.match import Match
from empedocles.play.records import Record, read_records
from empedocles.position import Position
from empedocles.render.picture import Look
from empedocles.server import views
from empedocles.server.analyses import Analyses, Analysis, analysis_view, evaluation_view
from empedocles.server.api import (
    WHOLE,
    Body,
    Here,
    Known,
    Language,
    MatchId,
    PositionText,
    RecordText,
    Theme,
    Visitor,
)
from empedocles.server.made import Made
from empedocles.server.service import Service, being_played, fingerprints
from empedocles.server.tables import OVER, Refused, Table
from empedocles.server.thinking import Thinkers

MOST_FRAMES = 100  # in one answer
MOST_TRIED = 200  # moves of a variation
LONGEST_GIF = 300  # moves
GIF_SCALE, PNG_SCALE = 0.6, 2.0
THINKS = 1.0  # seconds about a position that somebody has reached by trying

router = APIRouter(prefix="/api")

Ply = Annotated[int, Field(ge=0, le=100_000), WHOLE]
Move = Annotated[str, Field(max_length=60)]


def check_review(table: Table, player: str) -> None:
    """A match in which others still play is not looked at with an engine."""
    if table.status != OVER and table.people - {player}:
        raise Refused("not-over", "others are still playing here: a review is for when the match is over", 403)


# ── Watching ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@router.get("/matches/{match}/frames")
async def get_frames(
    match: MatchId,
    service: Here,
    start: Annotated[int, Query(ge=0, le=100_000)] = 0,
    stop: Annotated[int | None, Query(ge=0, le=100_000)] = None,
    language: Language = "en",
    wide: bool = True,
    picture: bool = False,
) -> dict[str, Any]:
    """Positions from one ply up to another (at most 100), and with `picture` the drawing that they change."""
    table = await service.table(match)
    look = Look(language=language, wide=wide, names=views.names(table))
    end = start + MOST_FRAMES if stop is None else min(stop, start + MOST_FRAMES)
    shown = await asyncio.to_thread(frames.frames, table.match, look, start, end)
    return {"start": start, **shown, "picture": _picture(table.match, look) if picture else None}


def _picture(match: Match, look: Look) -> str:
    drawn = match.draw(0, last=False, language=look.language, wide=look.wide, names=look.names)
    return drawn.for_page


# ── Trying ───────────────────────────────────────────────────────────────────────────────────────────────────────────


class Wanted(Body):
    """A position: after some moves of a match, or by its text; and the moves that are tried from there."""

    match: MatchId = ""
    ply: Ply = 0
    position: PositionText = ""
    moves: list[Move] = Field(default_factory=list, max_length=MOST_TRIED)
    # Chance moves are drawn by this, not by what will come in the match.
    luck: Annotated[int, Field(ge=0, le=2**32), WHOLE] = 0
    language: Language = "en"


class WantedPosition(Wanted):
    wide: bool = True
    arrows: list[Move] = Field(default_factory=list, max_length=8)


async def tried(wanted: Wanted, service: Here, player: Visitor) -> tuple[Match, dict[int, str]]:
    """The match with what is tried in it, and who plays."""
    names: dict[int, str] = {}
    if wanted.match:
        table = await service.table(wanted.match)
        check_review(table, player.id if player else "")
        match, names = table.match.until(wanted.ply), views.names(table)
    else:
        match = Match(Position(wanted.position), chance="manual")
    return (match.play(*wanted.moves).resume(wanted.luck) if wanted.moves else match), names


@router.post("/positions")
async def position(wanted: WantedPosition, service: Here, player: Visitor) -> dict[str, Any]:
    """A position to go on from: its picture, and what may be chosen in it. Chance moves that are due are drawn."""
    match, names = await tried(wanted, service, player)
    look = Look(
        language=wanted.language, wide=wanted.wide, names=names, arrows=[match.way(move) for move in wanted.arrows]
    )
    return await asyncio.to_thread(_position_view, match, look, wanted.ply if wanted.match else 0)


def _position_view(match: Match, look: Look, start: int) -> dict[str, Any]:
    """`start` is how many moves the reader knows."""
    here = match.position
    return {
        "position": here.text,
        "text": str(here),
        "status": views.status(here, look.language),
        "moves": match.moves[start:],
        "words": views.words(match, start, look.language),
        "movers": views.movers(match, start),
        "to_move": views.mover(here),
        "over": here.is_over,
        "scores": list(here.result.scores) if here.result else None,
        "frame": frames.frame(match, len(match.moves), look),
        "choices": (choices := views.choices(match)),
        "targets": _names(match, look.language) if choices else {},
    }


def _names(match: Match, language: str) -> dict[str, str]:
    """What the targets of legal moves are called."""
    paths, game = match.game.paths, match.game
    targets = {target for action in match.position.legal_actions for group in paths[action] for target in group}
    return {target: game.target(target).say(language) for target in sorted(targets)}


@router.post("/evaluations")
async def evaluate(wanted: Wanted, request: Request, service: Here, player: Visitor) -> list[dict[str, Any]]:
    """What an engine says about a position: the best moves with their values, seen by the player to move."""
    match, _ = await tried(wanted, service, player)
    if match.to_move is None or match.to_move == CHANCE:
        return []
    await service.check_help(match)
    analyses: Analyses = request.app.state.analyses
    found = await analyses.answer(match.position, THINKS)
    return [evaluation_view(match.position, evaluation, wanted.language) for evaluation in found]


# ── Analyses ─────────────────────────────────────────────────────────────────────────────────────────────────────────


class WantedAnalysis(Body):
    match: MatchId
    language: Language = "en"


@router.post("/analyses")
async def analyse(wanted: WantedAnalysis, request: Request, service: Here, player: Visitor) -> dict[str, Any]:
    """Begin to analyse a match, or find the analysis that was begun: what is known of it, and its id."""
    table = await service.table(wanted.match)
    check_review(table, player.id if player else "")
    analyses: Analyses = request.app.state.analyses
    found = analyses.of(table)
    await _check_nobody_plays(found, service)
    return analysis_view(found, 0, wanted.language)


async def _check_nobody_plays(analysis: Analysis, service: Service) -> None:
    """What is known is not told while people play one of the positions."""
    if contested := await service.store.contested(analysis.match.game.name):
        if analysis.fingerprints is None:
            analysis.fingerprints = await asyncio.to_thread(fingerprints, analysis.match.positions())
        if contested & analysis.fingerprints:
            raise being_played()


@router.get("/analyses/{analysis}")
async def analysis(
    analysis: Annotated[str, Field(max_length=40)],
    request: Request,
    service: Here,
    since: Annotated[int, Query(ge=0, le=100_000)] = 0,
    language: Language = "en",
) -> dict[str, Any]:
    """What is known by now, without the first remarks that the reader has. Nobody asking for long, it stops."""
    analyses: Analyses = request.app.state.analyses
    found = analyses.find(analysis)
    await _check_nobody_plays(found, service)
    return analysis_view(found, since, language)


# ── Import ───────────────────────────────────────────────────────────────────────────────────────────────────────────


class WantedImport(Body):
    record: RecordText


@router.post("/imports", status_code=201)
async def import_record(wanted: WantedImport, player: Known, service: Here) -> dict[str, Any]:
    """A table from a record (its last match) or from the text of a position: to review, to share, to play on."""
    record = await asyncio.to_thread(_read, wanted.record)
    table = await service.import_record(player.id, record)
    return views.state(table, player.id, service.seen)


def _read(text: str) -> Record:
    text = text.lstrip("\ufeff").strip()
    if text.split(maxsplit=1)[:1] and text.split(maxsplit=1)[0] in all_games():
        return Record(Match(Position(text), chance="manual"))
    found = list(read_records(io.StringIO(text)))
    if not found:
        raise Refused("empty-record", "there is no match in this record", 422)
    return found[-1]


# ── Export ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def _again(start: str, moves: list[str]) -> Match:
    return Match(Position(start), chance="manual").play(*moves)


def draw_png(start: str, moves: list[str], looks: dict[str, Any]) -> bytes:
    """In a worker process."""
    from empedocles.render import paper

    return paper.png([_again(start, moves).draw(**looks)], PNG_SCALE)[0]


def draw_gif(start: str, moves: list[str], looks: dict[str, Any]) -> bytes:
    """In a worker process."""
    return replay.gif(_again(start, moves), scale=GIF_SCALE, **looks)


@router.get("/matches/{match}/picture.png", response_class=Response, responses={200: {"content": {"image/png": {}}}})
async def png(
    match: MatchId,
    request: Request,
    service: Here,
    ply: Annotated[int | None, Query(ge=0, le=100_000)] = None,
    theme: Theme = "light",
    language: Language = "en",
    wide: bool = True,
) -> Response:
    table = await service.table(match)
    shown = table.match if ply is None else table.match.until(ply)
    looks = {"theme": theme, "language": language, "wide": wide, "names": views.names(table)}
    made, thinkers = _workshop(request)
    work = (draw_png, shown.start.text, shown.moves, looks)
    key = ("png", match, table.number, len(shown.moves), theme, language, wide)
    return Response(await made.get(key, lambda: thinkers.asked(*work)), media_type="image/png")


@router.get("/matches/{match}/replay.gif", response_class=Response, responses={200: {"content": {"image/gif": {}}}})
async def gif(
    match: MatchId,
    request: Request,
    service: Here,
    theme: Theme = "light",
    language: Language = "en",
    wide: bool = True,
) -> Response:
    """The whole match, animated. Making it takes a while, the first time."""
    table = await service.table(match)
    if len(table.match.moves) > LONGEST_GIF:
        raise Refused("too-long", f"a GIF shows up to {LONGEST_GIF} moves, not {len(table.match.moves)}", 422)
    looks = {"theme": theme, "language": language, "wide": wide, "names": views.names(table)}
    made, thinkers = _workshop(request)
    work = (draw_gif, table.match.start.text, table.match.moves, looks)
    key = ("gif", match, table.number, theme, language, wide)
    return Response(await made.get(key, lambda: thinkers.patient(*work)), media_type="image/gif")


@router.get("/matches/{match}/replay.html", response_class=HTMLResponse)
async def page(match: MatchId, service: Here, language: Language = "en", wide: bool = True) -> Response:
    """The whole match as a page that needs no server, to keep."""
    table = await service.table(match)
    names = views.names(table)
    title = " – ".join(names.values())
    looks = {"language": language, "wide": wide, "names": names}
    text = await asyncio.to_thread(replay.page, table.match, title, **looks)
    headers = {"content-disposition": f'attachment; filename="{table.game.name}-{table.id}.html"'}
    return Response(text, media_type="text/html", headers=headers)


def _workshop(request: Request) -> tuple[Made, Thinkers]:
    return request.app.state.made, request.app.state.thinkers
