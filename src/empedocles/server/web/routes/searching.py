"""What a browser needs to search by itself: a game's module and network, a position's bytes, and words for moves."""

from __future__ import annotations

import functools
import gzip
import hashlib
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, HTTPException, Request, Response
from pydantic import Field

from empedocles import networks
from empedocles.game import Game, Options
from empedocles.modules.files import CARD, CODE, is_fresh
from empedocles.play.match import Match
from empedocles.server.domain.table import Table
from empedocles.server.web import files
from empedocles.server.web.pages.rulebooks import known_game
from empedocles.server.web.routes.review import Move, Wanted, begun, tried
from empedocles.server.web.routes.tables import Here, Visitor, in_thread
from empedocles.server.workers.jobs import LINE, line_view

LASTING = {"cache-control": "public, max-age=31536000, immutable"}  # an address has its content's digest
KINDS = {".wasm": "application/wasm", ".json": "application/json", ".npz": "application/octet-stream"}
MOST_LINES = 8

router = APIRouter(include_in_schema=False)
api = APIRouter(prefix="/api/positions")


# ── Files ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def engine_files(game: Game, options: Options) -> dict[str, str | None] | None:
    """The addresses of a game's module, and of its network where it was trained on these options; None: no module."""
    if not is_offered(game):
        return None
    network = networks.shipped(game)
    suits = network is not None and network.suits(game, options)
    found = {name: _address(game, file) for name, file in (("code", CODE), ("card", CARD))}
    return found | {"network": _address(game, networks.FILE) if suits else None}


@functools.cache
def is_offered(game: Game) -> bool:
    """Whether there is a module, as the rules are now. Looked up once: neither changes while the server runs."""
    return is_fresh(game)


def _address(game: Game, name: str) -> str:
    file = Path(name)
    return f"/modules/{game.name}/{file.stem}.{_kept(game, name)[0]}{file.suffix}"


@functools.cache
def _kept(game: Game, name: str) -> tuple[str, bytes]:
    """A file's digest, and its content, zipped once."""
    content = (game.folder / name).read_bytes()
    return hashlib.blake2b(content, digest_size=8).hexdigest(), gzip.compress(content)


@router.get("/modules/{game}/{name}")
async def module_file(game: Annotated[str, Field(max_length=60)], name: str, request: Request) -> Response:
    found = known_game(game)
    stem, _digest, suffix = (*name.split("."), "", "")[:3]
    file = f"{stem}.{suffix}"
    if file not in (CODE, CARD, networks.FILE) or not await in_thread(request, _is_current, found, file, name):
        raise HTTPException(404)
    return files.answer_zipped(request, _kept(found, file)[1], KINDS[f".{suffix}"], LASTING)


def _is_current(game: Game, file: str, name: str) -> bool:
    return is_offered(game) and (game.folder / file).exists() and _address(game, file).endswith(f"/{name}")


# ── Positions ────────────────────────────────────────────────────────────────────────────────────────────────────────


async def searchable(wanted: Wanted, request: Request, service: Here, player: Visitor) -> Match:
    """The match up to a position that may be searched: not one that people are playing."""
    match = await in_thread(request, tried, wanted, await begun(wanted, service, player))
    await service.check_help(match)
    return match


@api.post("/state")
async def state(wanted: Wanted, request: Request, service: Here, player: Visitor) -> dict[str, list[int]]:
    """A position as its bytes: where a search in a browser begins. Chance moves that come next are drawn."""
    match = await searchable(wanted, request, service, player)
    return {"state": list(match.position.state.tobytes())}


class WantedLines(Wanted):
    """Lines of moves from there."""

    lines: Annotated[list[Annotated[list[Move], Field(max_length=LINE)]], Field(max_length=MOST_LINES)]


@api.post("/lines")
async def lines(wanted: WantedLines, request: Request, service: Here, player: Visitor) -> dict[str, Any]:
    """The moves of lines in words."""
    return await in_thread(request, _in_words, wanted, await begun(wanted, service, player))


def _in_words(wanted: WantedLines, table: Table | None) -> dict[str, Any]:
    here = tried(wanted, table).position
    found = [line_view(here, tuple(line), wanted.language) for line in wanted.lines]
    return {"lines": [[words for _move, words in line] for line in found]}
