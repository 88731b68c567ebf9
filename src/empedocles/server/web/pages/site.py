"""The pages people play on: the front page, a table, and a player's own games."""

from __future__ import annotations

import asyncio
import functools
import hashlib
import random
from typing import Annotated

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from pydantic import Field

from empedocles.game import Game
from empedocles.games import all_games, find
from empedocles.language import translate
from empedocles.play.match import Match, new
from empedocles.position import Position
from empedocles.render.picture import Look, still
from empedocles.server.domain import opponents
from empedocles.server.domain.events import BOT, PERSON, Seat
from empedocles.server.domain.moments import now
from empedocles.server.domain.table import OVER, Table
from empedocles.server.web import views
from empedocles.server.web.faces import met, speakers
from empedocles.server.web.guests import alone
from empedocles.server.web.pages import lists, material, words
from empedocles.server.web.pages.beginnings import beginning
from empedocles.server.web.pages.templates import language_of, page
from empedocles.server.web.routes.tables import Allowed, Here, MatchId, Player, Visitor, keep_token, renewed
from empedocles.server.web.thumbnails import board_alone, pieces_alone

TYPICAL = 24  # decisions after which a game looks typical

router = APIRouter(include_in_schema=False)

# ── Pictures of games ────────────────────────────────────────────────────────────────────────────────────────────────


def typical(game: Game) -> Match:
    if moves := material.showcase(game):
        return new(game.name, chance="manual").play(*moves)
    match, luck = new(game.name, seed=1), random.Random(1)
    for _ in range(TYPICAL):
        if not match.is_over:
            match.play(luck.choice(match.legal_moves))
    return match


@functools.cache
def showcase(name: str, language: str) -> str:
    """A decorative picture of the board; "" if it cannot be drawn."""
    game = find(name)
    with alone(game, "a picture"):
        look, cover = Look(language=language), material.cover(game)
        sheet, part = pieces_alone(*cover, look) if cover else board_alone(typical(game).position, look)
        return still(name, sheet, part, translate(game.title, language)).for_page
    return ""


def showcases(language: str) -> dict[str, str]:
    """Pictures of all games. The first call may wait for a compiler: do not run it on the event loop."""
    return {name: showcase(name, language) for name in all_games()}


# ── The front page ───────────────────────────────────────────────────────────────────────────────────────────────────


@router.get("/")
async def front(request: Request, service: Here, player: Visitor) -> HTMLResponse:
    language, me = language_of(request), player.id if player else ""
    found = page(
        request,
        "front.html",
        player=player,
        pictures=await asyncio.to_thread(showcases, language),
        unfinished=await lists.own(service, me, lists.FEW, language, over=False),
        finished=await lists.own(service, me, lists.LAST, language, over=True),
        lobby=await lobby_of(request).lines(service, me, language, fresh=True),
        now=round(now()),
        words=words.of_script(words.LISTS, language),
        learnt={game.name for game in all_games().values() if material.lessons(game)},
        puzzled={game.name for game in all_games().values() if material.has_puzzles(game)},
    )
    return renewed(request, found, player)


def lobby_of(request: Request) -> lists.Lobby:
    lobby: lists.Lobby = request.app.state.lobby
    return lobby


@router.get("/lobby")
async def lobby(request: Request, service: Here, player: Visitor) -> Response:
    """The unfinished tables on the front page, which asks again and again; what is unchanged is not sent twice."""
    language, me = language_of(request), player.id if player else ""
    mine = await lists.own(service, me, lists.FEW, language, over=False)
    found = page(request, "lobby.html", unfinished=mine, lobby=await lobby_of(request).lines(service, me, language))
    tag = f'"{hashlib.sha256(bytes(found.body)).hexdigest()[:32]}"'
    headers = {"etag": tag, "cache-control": "private, no-cache", "vary": "cookie, accept-language"}
    if tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    found.headers.update(headers)
    return found


@router.post("/play/{game}")
async def play(
    game: Annotated[str, Field(max_length=60)],
    request: Request,
    service: Here,
    player: Visitor,
    quotas: Allowed,
    instead: MatchId | None = None,
) -> Response:
    """Start a match against a bot of about the player's strength, with one click.

    `instead`: in place of a table that was begun like this, and at which the player has not moved.
    """
    found, token = find(game), ""
    if player is None:
        quotas.player(request)
        name = translate(words.GUEST, language_of(request))
        number, token = await service.new_player(name)
        player = Player(id=number, name=name)
    quotas.table(request, player.id)
    begins = await beginning(request, service, player.id, found)
    seats = [Seat(BOT, agent=f"level-{begins.level}") for _ in range(found.seats[0])]
    seats[begins.seat] = Seat(PERSON, player.name, owner=player.id, shuffles=True)
    table, _ = await service.create(player.id, found.name, begins.options, seats, listed=False)
    if instead and is_untouched(await service.table(instead), player.id):
        await service.delete(player.id, instead)
    response = RedirectResponse(f"/t/{table.id}", 303)
    if token:
        keep_token(request, response, token)
    return response


def is_untouched(table: Table, player: str) -> bool:
    """Whether a match that a player began with one click, against bots, has nothing in it that could be missed."""
    mine = table.owned(player)
    if table.creator != player or table.listed or table.clock.counts or table.status == OVER or len(mine) != 1:
        return False
    bots = all(seat.kind == BOT for number, seat in enumerate(table.seats) if number not in mine)
    return bots and not set(mine) & set(views.movers(table.match, 0))


# ── A table ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@router.get("/t/{match}")
async def table(match: MatchId, request: Request, service: Here, player: Visitor) -> HTMLResponse:
    found = await service.table(match)
    language = language_of(request)
    drawing = found.game.drawing
    introduced = material.introduction(found.game)
    is_usual = found.match.start == Position.start(found.game, found.match.options)
    adapts = _is_usual(found, introduced)
    facts = {
        "id": found.id,
        "game": found.game.name,
        "title": translate(found.game.title, language),
        "language": language,
        "name": player.name if player else "",
        "host": next((views.called(found.game, seat) for seat in found.seats if seat.owner == found.creator), ""),
        "seats": found.game.seat_names(len(found.seats), language),
        "sides": found.sides(),
        "opponents": opponents.names(found.game),
        "chance": found.game.has_chance,
        "adapts": adapts,
        "side": _side(found, player.id if player else ""),
        "untouched": is_untouched(found, player.id if player else ""),
        "start": "" if is_usual else found.match.start.text,
        "bag": _bag(found.match) if is_usual else None,
        "beaten": {level: one.beaten(language) for level, one in met(found).items()},
        "overlays": list(introduced.overlays) if introduced else [],
        "endings": {ending.rule: translate(ending.words, language) for ending in found.game.endings.values()},
        "sizes": {name: _size(found, name == "wide", player.id if player else "") for name in ("wide", "tall")},
    }
    return page(
        request,
        "table.html",
        table=found,
        facts=facts,
        overlays=dict(drawing.overlays) if drawing else {},
        lessons=bool(material.lessons(found.game)),
        introduction=introduced,
        also=_also(introduced, found),
        adapts=adapts and any(seat.kind == BOT for seat in found.seats),
        tallied=bool(found.game.interface and found.game.interface.tally),
        readings=found.game.unusual_readings(found.match.options),
        talks=bool(speakers(found)),
        guest=words.GUEST,
        words=words.of_script(words.SCRIPTS, language),
    )


def _is_usual(table: Table, introduced: material.Introduction | None) -> bool:
    """Whether the next match against a bot of the reader's strength, which is a usual one, would be like this."""
    game, options = table.game, table.match.options
    usual = game.complete({}), game.complete(introduced.options if introduced else {})
    return len(table.seats) == game.seats[0] and options in usual


def _also(introduced: material.Introduction | None, table: Table) -> list[material.Addition]:
    """What its options add to the introduction of a game."""
    options = table.match.options
    return [one for one in introduced.also if one.options.items() <= options.items()] if introduced else []


def _side(table: Table, player: str) -> int | None:
    to_move = table.match.to_move
    return to_move if views.is_shared(table, player) and to_move in table.owned(player) else None


def _bag(match: Match) -> list[str] | None:
    """What each bag of chance holds at first."""
    if match.game.interface is None or match.game.interface.bags is None:
        return None
    return [match.game.moves[action] for action in match.game.interface.bags.contents(match.start.state)]


def _size(table: Table, wide: bool, player: str) -> tuple[float, float, float]:
    look = Look(wide=wide, seat=views.side_of(table, player))
    layout = table.game.sheet(table.match.position.state, look).layout
    return layout.width, layout.height, layout.first


# ── One's own games ──────────────────────────────────────────────────────────────────────────────────────────────────


@router.get("/me")
async def me(request: Request, service: Here, player: Visitor) -> HTMLResponse:
    language = language_of(request)
    found = page(
        request,
        "me.html",
        player=player,
        unfinished=await lists.own(service, player.id, lists.MANY, language, over=False) if player else [],
        finished=await lists.own(service, player.id, lists.MANY, language, over=True) if player else [],
        words=words.of_script(words.SCRIPTS, language),
    )
    return renewed(request, found, player)


@router.get("/here")
async def here(request: Request) -> HTMLResponse:
    """The target of a private link: its secret is in the fragment, which the server never sees."""
    return page(request, "here.html", words=words.of_script(words.SCRIPTS, language_of(request)))
