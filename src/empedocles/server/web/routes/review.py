"""The API of reviews: frames of a match, positions to try moves in, evaluations, import and export."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import HTMLResponse
from pydantic import Field

from empedocles.core.kernel import CHANCE
from empedocles.play import frames
from empedocles.play.match import Match
from empedocles.position import Position
from empedocles.render.picture import Look
from empedocles.server.domain.refusals import Refused
from empedocles.server.domain.table import OVER, Table
from empedocles.server.web import files, views
from empedocles.server.web.reports import Reports
from empedocles.server.web.routes.tables import (
    WHOLE,
    Allowed,
    Asking,
    Body,
    Here,
    Known,
    Language,
    MatchId,
    PositionText,
    RecordText,
    Theme,
    Visitor,
    in_thread,
    read,
)
from empedocles.server.workers.analyses import Analyses
from empedocles.server.workers.files import Made
from empedocles.server.workers.jobs import draw_frames, draw_gif, draw_page, draw_png, draw_svg, frames_of, read_import
from empedocles.server.workers.lines import Thinkers

MOST_FRAMES = 100  # in one answer
MOST_TRIED = 200  # moves of a variation
LONGEST_HERE = 300  # moves of a match drawn in this process
LONGEST_GIF = 300  # moves
THINKS = 1.0  # seconds for a position that somebody tries

router = APIRouter(prefix="/api")

Ply = Annotated[int, Field(ge=0, le=100_000), WHOLE]
MOST_SEATS = 16
Side = Annotated[int | None, Query(ge=0, le=MOST_SEATS)]  # from which a match is shown
Move = Annotated[str, Field(max_length=60)]


def may_review(table: Table, player: str) -> bool:
    """Whether nobody else is still playing."""
    return table.status == OVER or not table.people - {player}


def check_review(table: Table, player: str) -> None:
    """Refuse to review a match that others are still playing."""
    if not may_review(table, player):
        raise Refused("not-over", "others are still playing here: review the match when it is over")


# ── Watching ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@router.get("/matches/{match}/frames")
async def get_frames(
    match: MatchId,
    request: Request,
    service: Here,
    who: Asking,
    start: Annotated[int, Query(ge=0, le=100_000)] = 0,
    stop: Annotated[int | None, Query(ge=0, le=100_000)] = None,
    language: Language = "en",
    wide: bool = True,
    seat: Side = None,
    picture: bool = False,
) -> Response:
    """Frames of a range of plies (at most 100), with `picture` also the drawing that they update."""
    table = await service.table(match)
    looks = _looks(table, seat, language=language, wide=wide)
    end = start + MOST_FRAMES if stop is None else min(stop, start + MOST_FRAMES)
    shown = (looks, start, end, picture)
    if table.match.plies <= LONGEST_HERE:
        return as_json(await in_thread(request, frames_of, table.match, *shown))
    made, thinkers = _workshop(request)
    key = ("frames", match, table.number, start, end, language, wide, seat, picture)
    zipped = await made.get(key, lambda: thinkers.asked(who, draw_frames, *_script(table.match), *shown))
    return files.answer_zipped(request, zipped, "application/json")


def as_json(content: bytes) -> Response:
    """An answer already written as JSON elsewhere: serialising large ones here would delay others."""
    return Response(content, media_type="application/json")


def _looks(table: Table, seat: int | None, **looks: Any) -> dict[str, Any]:
    """How a match is shown from the side of a seat, as workers receive it."""
    check_side(seat, table.match)
    return {**looks, "seat": seat, "names": views.names(table)}


def check_side(seat: int | None, match: Match) -> None:
    seats = int(match.start.state.seats)
    if seat is not None and seat >= seats:
        raise Refused("bad-value", f"there is no seat {seat} here: seats are numbered from 0 to {seats - 1}")


def _script(match: Match) -> tuple[str, tuple[str, ...]]:
    """A match as workers receive it."""
    return match.start.text, tuple(match.moves)


# ── Trying ───────────────────────────────────────────────────────────────────────────────────────────────────────────


class Wanted(Body):
    """A position, after some moves of a match or by its text, and the moves to try from there."""

    match: MatchId = ""
    ply: Ply = 0
    position: PositionText = ""
    moves: list[Move] = Field(default_factory=list, max_length=MOST_TRIED)
    # The seed of chance moves here, so that they reveal nothing about the match's own.
    luck: Annotated[int, Field(ge=0, le=2**32), WHOLE] = 0
    language: Language = "en"


class WantedPosition(Wanted):
    wide: bool = True
    seat: Annotated[int | None, Field(ge=0, le=MOST_SEATS), WHOLE] = None
    arrows: list[Move] = Field(default_factory=list, max_length=8)


async def begun(wanted: Wanted, service: Here, player: Visitor) -> Table | None:
    """The table whose match is the starting point; None for a position by its text."""
    if not wanted.match:
        return None
    table = await service.table(wanted.match)
    check_review(table, player.id if player else "")
    return table


def tried(wanted: Wanted, table: Table | None) -> Match:
    """The match with the moves to try."""
    match = table.match.until(wanted.ply) if table else Match(Position(wanted.position), chance="manual")
    return match.play(*wanted.moves).resume(wanted.luck) if wanted.moves else match


@router.post("/positions")
async def position(wanted: WantedPosition, request: Request, service: Here, player: Visitor) -> Response:
    """A position to continue from: its picture, and what may be chosen. Chance moves that come next are drawn."""
    if table := await begun(wanted, service, player):
        reports: Reports = request.app.state.reports
        await reports.follow(table, wanted.ply)
    return as_json(await in_thread(request, _position_view, wanted, table))


def _position_view(wanted: WantedPosition, table: Table | None) -> bytes:
    match, start = tried(wanted, table), wanted.ply if table else 0  # the number of moves that the reader has
    look = Look(
        language=wanted.language,
        wide=wanted.wide,
        seat=wanted.seat,
        names=views.names(table) if table else {},
        arrows=[match.way(move) for move in wanted.arrows],
    )
    here = match.position
    view = {
        "position": here.text,
        "text": str(here),
        "status": views.status(here, look.language),
        "moves": match.moves_since(start),
        "words": views.words(match, start, look.language),
        "movers": views.movers(match, start),
        "to_move": views.mover(here),
        "over": here.is_over,
        "scores": list(here.result.scores) if here.result else None,
        "frame": frames.frame(match, match.plies, look),
        "choices": (choices := views.choices(match)),
        "targets": _names(match, look.language) if choices else {},
    }
    return json.dumps(view, ensure_ascii=False).encode()


def _names(match: Match, language: str) -> dict[str, str]:
    """The names of the targets of legal moves."""
    paths, game = match.game.paths, match.game
    targets = {target for action in match.position.legal_actions for group in paths[action] for target in group}
    return {target: game.described(match.position.state, target).say(language) for target in sorted(targets)}


class WantedPicture(Wanted):
    kind: Literal["svg", "png"] = "svg"
    theme: Theme = "light"
    wide: bool = True
    seat: Annotated[int | None, Field(ge=0, le=MOST_SEATS), WHOLE] = None


PICTURES = {"svg": "image/svg+xml", "png": "image/png"}
PICTURED: dict[int | str, dict[str, Any]] = {200: {"content": {kind: {} for kind in PICTURES.values()}}}


@router.post("/positions/picture", response_class=Response, responses=PICTURED)
async def picture(wanted: WantedPicture, request: Request, service: Here, player: Visitor, who: Asking) -> Response:
    """A position as a file, also one that somebody tries."""
    table = await begun(wanted, service, player)
    match = await in_thread(request, tried, wanted, table)
    check_side(wanted.seat, match)
    looks = {name: getattr(wanted, name) for name in ("theme", "language", "wide", "seat")}
    looks |= {"names": views.names(table) if table else {}}
    thinkers: Thinkers = request.app.state.thinkers
    work = draw_png if wanted.kind == "png" else draw_svg
    return files.answer(await thinkers.asked(who, work, *_script(match), looks), PICTURES[wanted.kind])


@router.post("/evaluations")
async def evaluate(wanted: Wanted, request: Request, service: Here, player: Visitor, who: Asking) -> Response:
    """An engine's evaluation of a position: the best moves with their values for the player to move."""
    match = await in_thread(request, tried, wanted, await begun(wanted, service, player))
    if match.to_move is None or match.to_move == CHANCE:
        return as_json(b"[]")
    await service.check_help(match)
    analyses: Analyses = request.app.state.analyses
    found = await analyses.answer(match.position, THINKS, who, wanted.match)
    return as_json(found[wanted.language].encode())


# ── Import ───────────────────────────────────────────────────────────────────────────────────────────────────────────


class WantedImport(Body):
    record: RecordText


@router.post("/imports", status_code=201)
async def import_record(
    wanted: WantedImport, request: Request, player: Known, who: Asking, service: Here, quotas: Allowed
) -> dict[str, Any]:
    """Create a table from a record (its last match) or from the text of a position: to review, to share, to play on."""
    script = await read(request, who, read_import, wanted.record)
    quotas.table(request, player.id)
    table = await service.import_record(player.id, script)
    return views.state(table, player.id, service.seen)


# ── Export ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@router.get("/matches/{match}/picture.png", response_class=Response, responses={200: {"content": {"image/png": {}}}})
async def png(
    match: MatchId,
    request: Request,
    service: Here,
    who: Asking,
    ply: Annotated[int | None, Query(ge=0, le=100_000)] = None,
    theme: Theme = "light",
    language: Language = "en",
    wide: bool = True,
    seat: Side = None,
) -> Response:
    table = await service.table(match)
    shown = table.match if ply is None else table.match.until(ply)
    looks = _looks(table, seat, theme=theme, language=language, wide=wide)
    made, thinkers = _workshop(request)
    key = ("png", match, table.number, shown.plies, theme, language, wide, seat)
    work = (draw_png, *_script(shown), looks)
    return files.answer(await made.get(key, lambda: thinkers.asked(who, *work)), "image/png")


@router.get("/matches/{match}/replay.gif", response_class=Response, responses={200: {"content": {"image/gif": {}}}})
async def gif(
    match: MatchId,
    request: Request,
    service: Here,
    who: Asking,
    theme: Theme = "light",
    language: Language = "en",
    wide: bool = True,
    seat: Side = None,
) -> Response:
    """The whole match, animated. The first request takes a while."""
    table = await service.table(match)
    if table.match.plies > LONGEST_GIF:
        raise Refused("too-long", f"a GIF shows up to {LONGEST_GIF} moves, not {table.match.plies}")
    looks = _looks(table, seat, theme=theme, language=language, wide=wide)
    made, thinkers = _workshop(request)
    work = (draw_gif, *_script(table.match), looks)
    key = ("gif", match, table.number, theme, language, wide, seat)
    return files.answer(await made.get(key, lambda: thinkers.patient(who, *work)), "image/gif")


@router.get("/matches/{match}/replay.html", response_class=HTMLResponse)
async def page(
    match: MatchId,
    request: Request,
    service: Here,
    who: Asking,
    language: Language = "en",
    wide: bool = True,
    seat: Side = None,
) -> Response:
    """The whole match as a standalone page that needs no server."""
    table = await service.table(match)
    looks = _looks(table, seat, language=language, wide=wide)
    made, thinkers = _workshop(request)
    work = (draw_page, *_script(table.match), " – ".join(looks["names"].values()), looks)
    key = ("page", match, table.number, language, wide, seat)
    zipped = await made.get(key, lambda: thinkers.patient(who, *work))
    headers = {"content-disposition": f'attachment; filename="{table.game.name}-{table.id}.html"'}
    return files.answer_zipped(request, zipped, "text/html", headers)


def _workshop(request: Request) -> tuple[Made[bytes], Thinkers]:
    return request.app.state.made, request.app.state.thinkers
