"""The pages people play on: the front page, new tables, a table, and a player's own games."""

from __future__ import annotations

import asyncio
import functools
import random
from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from pydantic import Field

from empedocles.game import Ambiguity, Game, Option
from empedocles.games import all_games, find
from empedocles.language import translate
from empedocles.play.match import Match, new
from empedocles.position import Position
from empedocles.render.picture import Box, Look, still
from empedocles.server.domain import opponents
from empedocles.server.domain.events import BOT, OPEN, PERSON, Seat
from empedocles.server.domain.table import PLAYING, WAITING, Table
from empedocles.server.service.service import NEWCOMERS, Service
from empedocles.server.web import views
from empedocles.server.web.guests import alone
from empedocles.server.web.pages import material, words
from empedocles.server.web.pages.templates import language_of, page
from empedocles.server.web.routes.tables import Allowed, Here, MatchId, Player, Visitor, keep_token, renewed

FEW = 6  # tables in a list on the front page
MANY = 100  # tables in a list of a player's own
CUT = 0.963  # height of the board with its coordinates, relative to the width of a tall drawing
TYPICAL = 24  # decisions after which a game looks typical

GENTLE = 3  # matches of a game that begin gently
EASIEST = 1  # the level of the first opponent then

router = APIRouter(include_in_schema=False)

# ── Pictures of games ────────────────────────────────────────────────────────────────────────────────────────────────


def _typical(game: Game) -> Match:
    if moves := material.showcase(game):
        return new(game.name, chance="manual").play(*moves)
    match, luck = new(game.name, seed=1), random.Random(1)
    for _ in range(TYPICAL):
        if not match.is_over:
            match.play(luck.choice(match.legal_moves))
    return match


@functools.cache
def showcase(name: str, language: str) -> str:
    """A decorative picture, cropped to the board, which is at the top of a tall drawing; "" if it cannot be drawn."""
    game, look = find(name), Look(language=language, wide=False)
    with alone(game, "a picture"):
        sheet = game.sheet(_typical(game).position.state, look)
        width, height = sheet.layout.width, sheet.layout.height
        return still(name, sheet, Box(0, 0, width, min(height, CUT * width)), game.title).for_page
    return ""


def showcases(language: str) -> dict[str, str]:
    """Pictures of all games. The first call may wait for a compiler: do not run it on the event loop."""
    return {name: showcase(name, language) for name in all_games()}


# ── The front page ───────────────────────────────────────────────────────────────────────────────────────────────────


@router.get("/")
async def front(request: Request, service: Here, player: Visitor) -> HTMLResponse:
    language = language_of(request)
    seated = set(await service.store.of_player(player.id, MANY, over=False)) if player else set()
    found = page(
        request,
        "front.html",
        player=player,
        pictures=await asyncio.to_thread(showcases, language),
        unfinished=await _mine(service, player, FEW, language, over=False),
        finished=await _mine(service, player, FEW, language, over=True),
        open=await _others(service, WAITING, seated, language),
        live=await _others(service, PLAYING, seated, language),
        learnt={game.name for game in all_games().values() if material.lessons(game)},
    )
    return renewed(request, found, player)


async def _others(service: Service, status: str, seated: set[str], language: str) -> list[dict[str, Any]]:
    found = await service.store.listed(status, FEW + len(seated))
    others = [table async for table in service.tables(found) if table.id not in seated]
    return _lines(others, language)[:FEW]


async def _mine(service: Service, player: Player | None, limit: int, language: str, over: bool) -> list[dict[str, Any]]:
    if player is None:
        return []
    found = await service.store.of_player(player.id, limit, over)
    return _lines([table async for table in service.tables(found)], language, player.id)


def _lines(tables: list[Table], language: str, player: str = "") -> list[dict[str, Any]]:
    lines = []
    for table in tables:
        with alone(table.game, "a table in a list"):
            lines.append(_line(table, language, player))
    return lines


def _line(table: Table, language: str, player: str = "") -> dict[str, Any]:
    """A table in a list. Unnamed players, as in some records, go by their seat's name."""
    begun = datetime.fromtimestamp(table.created, UTC).isoformat(timespec="seconds")
    line = views.summary(table, player)
    for seat, name in zip(line["seats"], table.game.seat_names(len(table.seats), language), strict=True):
        if seat["kind"] != OPEN:
            seat["name"] = seat["name"] or name
    with_others = table.status == PLAYING and bool(table.people - {player, ""})
    return {**line, "mine": table.owned(player), "begun": begun, "with_others": with_others}


@router.post("/play/{game}")
async def play(
    game: Annotated[str, Field(max_length=60)], request: Request, service: Here, player: Visitor, quotas: Allowed
) -> Response:
    """Start a match against a bot of about the player's strength, with one click."""
    found, token = find(game), ""
    if player is None:
        quotas.player(request)
        name = translate(words.GUEST, language_of(request))
        number, token = await service.new_player(name)
        player = Player(id=number, name=name)
    quotas.table(request, player.id)
    chosen = request.cookies.get(f"gentle-{found.name}", request.cookies.get("gentle", ""))
    fit = await service.fitting(player.id, found, NEWCOMERS if chosen == "no" else EASIEST)
    gentle = chosen == "yes" or (chosen != "no" and fit.played < GENTLE)
    introduced = material.introduction(found) if gentle else None
    seats = [Seat(BOT, agent=f"level-{fit.level}") for _ in range(found.seats[0])]
    seats[fit.seat] = Seat(PERSON, player.name, owner=player.id, shuffles=True)
    options = introduced.options if introduced else {}
    table, _ = await service.create(player.id, found.name, options, seats, listed=False)
    response = RedirectResponse(f"/t/{table.id}", 303)
    if token:
        keep_token(request, response, token)
    return response


# ── A new table ──────────────────────────────────────────────────────────────────────────────────────────────────────


@router.get("/new")
async def new_table(request: Request, player: Visitor, game: Annotated[str, Query(max_length=60)] = "") -> HTMLResponse:
    found = find(game) if game else next(iter(all_games().values()))
    language, read = language_of(request), _only_readings(found)
    return page(
        request,
        "new.html",
        player=player,
        game=found,
        options=[option_view(option, language) for option in found.options if option.name not in read],
        readings=[option_view(found.option(name), language, entry) for name, entry in read.items()],
        seat_names={seats: found.seat_names(seats, language) for seats in found.seats},
        sides={seats: found.sides(seats) for seats in found.seats},
        seating=found.seating.name if found.seating else "",
        opponents=opponents.names(found),
        guest=words.GUEST,
        words=words.of_script(words.SCRIPTS, language),
    )


def _only_readings(game: Game) -> dict[str, Ambiguity]:
    """The options that choose nothing but a reading: every value is in the register."""
    entries = {entry.option: entry for entry in game.readings if not game.option(entry.option).takes_board}
    return {name: entry for name, entry in entries.items() if set(entry.readings) == set(game.option(name).values)}


def option_view(option: Option, language: str, entry: Ambiguity | None = None) -> dict[str, Any]:
    """An option; of a reading, with the sentence that is ambiguous, and in whole sentences."""
    said = entry.readings if entry else {value: str(value) for value in option.values}
    return {
        "name": option.name,
        "label": translate(option.name, language),
        "values": [(value, translate(text, language)) for value, text in said.items()],
        "default": option.default,
        "board": option.takes_board,
        "rule": entry.rule if entry else "",
        "sense": translate(entry.sense, language) if entry else "",
    }


# ── A table ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@router.get("/t/{match}")
async def table(match: MatchId, request: Request, service: Here, player: Visitor) -> HTMLResponse:
    found = await service.table(match)
    language = language_of(request)
    drawing = found.game.drawing
    introduced = material.introduction(found.game)
    is_usual = found.match.start == Position.start(found.game, found.match.options)
    facts = {
        "id": found.id,
        "game": found.game.name,
        "title": found.game.title,
        "language": language,
        "name": player.name if player else "",
        "host": next((views.called(found.game, seat) for seat in found.seats if seat.owner == found.creator), ""),
        "seats": found.game.seat_names(len(found.seats), language),
        "sides": found.sides(),
        "opponents": opponents.names(found.game),
        "chance": found.game.has_chance,
        "start": "" if is_usual else found.match.start.text,
        "bag": _bag(found.match) if is_usual else None,
        "overlays": list(introduced.overlays) if introduced else [],
        "endings": {ending.rule: translate(ending.words, language) for ending in found.game.endings.values()},
        "sizes": {name: _size(found, name == "wide") for name in ("wide", "tall")},
    }
    return page(
        request,
        "table.html",
        table=found,
        facts=facts,
        overlays=dict(drawing.overlays) if drawing else {},
        lessons=bool(material.lessons(found.game)),
        introduction=introduced,
        readings=found.game.unusual_readings(found.match.options),
        guest=words.GUEST,
        words=words.of_script(words.SCRIPTS, language),
    )


def _bag(match: Match) -> list[str] | None:
    """What each bag of chance holds at first."""
    if match.game.interface is None or match.game.interface.bags is None:
        return None
    return [match.game.moves[action] for action in match.game.interface.bags.contents(match.start.state)]


def _size(table: Table, wide: bool) -> tuple[float, float]:
    layout = table.game.sheet(table.match.position.state, Look(wide=wide)).layout
    return layout.width, layout.height


# ── One's own games ──────────────────────────────────────────────────────────────────────────────────────────────────


@router.get("/me")
async def me(request: Request, service: Here, player: Visitor) -> HTMLResponse:
    language = language_of(request)
    found = page(
        request,
        "me.html",
        player=player,
        unfinished=await _mine(service, player, MANY, language, over=False),
        finished=await _mine(service, player, MANY, language, over=True),
        words=words.of_script(words.SCRIPTS, language),
    )
    return renewed(request, found, player)


@router.get("/here")
async def here(request: Request) -> HTMLResponse:
    """The target of a private link: its secret is in the fragment, which the server never sees."""
    return page(request, "here.html", words=words.of_script(words.SCRIPTS, language_of(request)))
