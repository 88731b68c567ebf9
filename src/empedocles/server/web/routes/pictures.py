"""Small pictures for pages: thumbnails of tables, puzzles and starting positions, and QR codes of links."""

from __future__ import annotations

import functools
import io
from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Path, Query, Request, Response
from pydantic import Field

from empedocles.extras import Extra
from empedocles.position import Position
from empedocles.server.domain.refusals import Refused
from empedocles.server.web.faces import cast
from empedocles.server.web.pages import material
from empedocles.server.web.pages.rulebooks import known_game
from empedocles.server.web.pages.site import typical
from empedocles.server.web.routes.puzzles import PuzzleId, puzzle_of
from empedocles.server.web.routes.tables import Body, GameName, Here, MatchId, Theme, in_thread
from empedocles.server.web.thumbnails import cover, thumbnail
from empedocles.server.workers.files import Made

with Extra("server"):
    import segno

DAY = 24 * 3600
QUIET = 4  # modules of white around a code, as the standard asks for

router = APIRouter(include_in_schema=False)


async def _drawn(
    request: Request,
    key: tuple[Any, ...],
    theme: str,
    position: Callable[[], Position],
    lasting: bool,
    draw: Callable[[Position, str], bytes] = thumbnail,
) -> Response:
    made: Made[bytes] = request.app.state.thumbnails
    data = await made.get((*key, theme), lambda: in_thread(request, lambda: draw(position(), theme)))
    headers = {"cache-control": f"private, max-age={DAY}" if lasting else "private, no-cache"}
    return Response(data, media_type="image/svg+xml", headers=headers)


@router.get("/t/{match}/small.svg")
async def small(
    match: MatchId,
    request: Request,
    service: Here,
    number: Annotated[int, Query(ge=0, le=10**6)] = 0,
    theme: Theme = "light",
) -> Response:
    """The board of a table. With the table's `number` in its address, a browser need not ask for it again."""
    table = await service.table(match)
    key = ("table", table.id, table.number)
    return await _drawn(request, key, theme, lambda: table.match.position, lasting=number == table.number)


@router.get("/start/{game}.svg")
async def start(game: Annotated[str, Field(max_length=60)], request: Request, theme: Theme = "light") -> Response:
    """The board at the start of a match with some of the usual options: custom boards have no picture here."""
    found = known_game(game)
    asked = {option.name: request.query_params.get(option.name, option.default) for option in found.options}
    for option in found.options:
        if str(asked[option.name]) not in map(str, option.values):
            raise HTTPException(404, f"no picture of {found.title} has this {option.name}")
    key = ("start", found.name, *map(str, asked.values()))
    return await _drawn(request, key, theme, lambda: Position.start(found, asked), lasting=True)


@router.get("/typical/{game}.svg")
async def typical_position(
    game: Annotated[str, Field(max_length=60)], request: Request, theme: Theme = "light"
) -> Response:
    """The board in the middle of a match, or a few pieces of a game that has no board."""
    found = known_game(game)
    if covered := material.cover(found):
        shown, around = covered
        draw = functools.partial(cover, around)
        return await _drawn(request, ("typical", found.name), theme, lambda: shown, lasting=True, draw=draw)
    return await _drawn(request, ("typical", found.name), theme, lambda: typical(found).position, lasting=True)


@router.get("/opponents/{game}/{level}.svg")
async def opponent(
    game: Annotated[str, Field(max_length=60)], level: Annotated[int, Path(ge=1, le=99)], theme: Theme = "light"
) -> Response:
    """The portrait of an opponent."""
    found = known_game(game)
    known = cast(found).characters
    if level > len(known):
        raise HTTPException(404, f"{found.title} has no opponent of level {level}")
    headers = {"cache-control": f"private, max-age={DAY}"}
    return Response(str(known[level - 1].portrait(theme)), media_type="image/svg+xml", headers=headers)


@router.get("/puzzles/{game}/{puzzle}/small.svg")
async def small_puzzle(game: GameName, puzzle: PuzzleId, request: Request, theme: Theme = "light") -> Response:
    """The board of a puzzle."""
    found = puzzle_of(known_game(game).name, puzzle)
    return await _drawn(request, ("puzzle", game, puzzle), theme, lambda: found.start, lasting=True)


class Link(Body):
    link: Annotated[str, Field(max_length=300)]


@router.post("/qr")
async def qr(wanted: Link, request: Request) -> Response:
    """A link to a page here as a QR code. It comes in the body: invitations are secrets, and addresses are logged."""
    if not wanted.link.partition("://")[2].startswith(f"{request.headers.get('host', '')}/"):
        raise Refused("bad-link", "only links to this server are drawn")
    return Response(await in_thread(request, _code, wanted.link), media_type="image/svg+xml")


def _code(link: str) -> bytes:
    """Black on white in every theme: many cameras read nothing else."""
    made = io.BytesIO()
    segno.make_qr(link, error="m").save(made, "svg", border=QUIET, dark="#000", light="#fff", omitsize=True)
    return made.getvalue()
