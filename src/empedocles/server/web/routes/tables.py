"""The HTTP API, for programs and for our own pages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Literal, TypeVar

from fastapi import APIRouter, Depends, Query, Request, Response, Security
from fastapi.responses import PlainTextResponse
from fastapi.security import APIKeyCookie, HTTPBearer
from pydantic import AliasChoices, BaseModel, BeforeValidator, ConfigDict, Field

from empedocles.games import all_games, find
from empedocles.language import LANGUAGES
from empedocles.render.themes import THEMES
from empedocles.server.domain import names
from empedocles.server.domain.commands import COMMANDS
from empedocles.server.domain.events import OPEN, PERSON, Seat
from empedocles.server.domain.openings import told_apart
from empedocles.server.domain.refusals import Refused
from empedocles.server.domain.scripts import Script
from empedocles.server.domain.table import Clock, Table
from empedocles.server.limits.budgets import Who, household_of
from empedocles.server.limits.processor import Aside
from empedocles.server.service.quotas import Quotas
from empedocles.server.service.service import Service
from empedocles.server.service.tables import ID
from empedocles.server.web import views
from empedocles.server.web.reports import Reports
from empedocles.server.web.security import COOKIE, token_of
from empedocles.server.workers.jobs import read_record
from empedocles.server.workers.lines import Thinkers

MONTH = 30 * 24 * 3600
LONGEST_RECORD = 200_000

router = APIRouter(prefix="/api")


def service_of(request: Request) -> Service:
    service: Service = request.app.state.service
    return service


Here = Annotated[Service, Depends(service_of)]


def quotas_of(request: Request) -> Quotas:
    quotas: Quotas = request.app.state.quotas
    return quotas


Allowed = Annotated[Quotas, Depends(quotas_of)]


class Body(BaseModel):
    """A request's body. Unknown fields are refused, since most are misspelt; types are not converted."""

    model_config = ConfigDict(extra="forbid", strict=True)


def _whole(value: object) -> object:
    return int(value) if isinstance(value, float) and value.is_integer() else value


WHOLE = BeforeValidator(_whole)  # JSON has one kind of number: 3.0 is 3


class Player(BaseModel):
    id: str
    name: str


async def visitor(request: Request, service: Here) -> Player | None:
    found = await service.player(token_of(request))
    return Player(id=found[0], name=found[1]) if found else None


BEARER = HTTPBearer(scheme_name="token", description="For programs.", auto_error=False)
CARRIED = APIKeyCookie(name=COOKIE, scheme_name="cookie", description="For browsers.", auto_error=False)


async def known(
    player: Annotated[Player | None, Depends(visitor)],
    _bearer: Annotated[object, Security(BEARER)],
    _cookie: Annotated[object, Security(CARRIED)],
) -> Player:
    if player is None:
        raise Refused("no-player", "there is no player with this token: POST /api/players creates one")
    return player


Visitor = Annotated[Player | None, Depends(visitor)]
Known = Annotated[Player, Depends(known)]


def asking(request: Request, player: Visitor) -> Who:
    """Whose budget a request is charged to."""
    return Who(household_of(request), player.id if player else "")


Asking = Annotated[Who, Depends(asking)]
T = TypeVar("T")


async def in_thread(request: Request, work: Callable[..., T], *given: Any) -> T:
    """Run small work in a thread of this process, one job at a time in fair turns: a worker would cost more."""
    aside: Aside = request.app.state.aside
    return await aside(work, *given)


def one_of(names: Sequence[str]) -> Any:
    """The allowed values of a parameter."""
    return Field(pattern=f"^({'|'.join(names)})$", json_schema_extra={"enum": [*names]})


def _name_games(schema: dict[str, Any]) -> None:
    schema["enum"] = list(all_games())


Language = Annotated[str, one_of(LANGUAGES)]
PositionText = Annotated[str, Field(max_length=4000, json_schema_extra={"format": "position"})]
RecordText = Annotated[str, Field(max_length=LONGEST_RECORD, json_schema_extra={"format": "record"})]
GameName = Annotated[str, Field(max_length=60, json_schema_extra=_name_games)]
PlayerName = Annotated[
    str,  # longer, as it will be trimmed
    Field(max_length=200, json_schema_extra={"minLength": 1, "maxLength": names.LONGEST, "format": "player-name"}),
]
Theme = Annotated[str, one_of(THEMES)]
MatchId = Annotated[str, Field(max_length=24, pattern=f"^{ID.pattern}$")]

# ── Players ──────────────────────────────────────────────────────────────────────────────────────────────────────────


class Name(Body):
    name: PlayerName


def keep_token(request: Request, response: Response, token: str) -> None:
    secure = request.app.state.settings.secure or request.url.scheme == "https"
    response.set_cookie(COOKIE, token, max_age=12 * MONTH, httponly=True, samesite="lax", secure=secure, path="/")


P = TypeVar("P", bound=Response)


def renewed(request: Request, page: P, player: Player | None) -> P:
    """Renew the cookie, the only thing that identifies a player, whenever this page is opened."""
    if player and COOKIE in request.cookies:
        keep_token(request, page, request.cookies[COOKIE])
    return page


@router.post("/players", status_code=201)
async def new_player(
    wanted: Name, request: Request, response: Response, service: Here, quotas: Allowed
) -> dict[str, str]:
    """Become a player. The token identifies you: as a cookie in browsers, as `Authorization: Bearer` elsewhere."""
    name = names.checked(wanted.name)
    quotas.player(request)
    player, token = await service.new_player(name)
    keep_token(request, response, token)
    return {"id": player, "name": name, "token": token}


@router.get("/players/me")
async def me(player: Known) -> Player:
    return player


@router.patch("/players/me")
async def rename(wanted: Name, player: Known, service: Here) -> Player:
    name = names.checked(wanted.name)
    await service.store.rename(player.id, name)
    return Player(id=player.id, name=name)


class Token(Body):
    token: Annotated[str, Field(max_length=100)]


@router.post("/players/here")
async def on_this_device(given: Token, request: Request, response: Response, service: Here) -> Player:
    """Become the same player on another device."""
    found = await service.player(given.token)
    if found is None:
        raise Refused("bad-token", "no player has this token")
    keep_token(request, response, given.token)
    return Player(id=found[0], name=found[1])


@router.get("/players/me/token")
async def my_token(request: Request, player: Known) -> dict[str, str]:  # noqa: ARG001
    """Your token, for a private link to another device of yours."""
    return {"token": token_of(request)}


# ── Games and tables ─────────────────────────────────────────────────────────────────────────────────────────────────


@router.get("/games")
async def games() -> list[dict[str, Any]]:
    return views.games_view()


class WantedSeat(Body):
    kind: Literal["me", "here", "link", "open", "bot"]
    name: Annotated[str, Field(max_length=40)] = ""
    agent: Annotated[str, Field(max_length=60)] = "level-3"


class WantedClock(Body):
    kind: Literal["none", "minutes", "days"] = "none"
    base: Annotated[float, Field(ge=0, le=30 * 24 * 3600)] = 0
    increment: Annotated[float, Field(ge=0, le=3600)] = 0


class WantedTable(Body):
    game: GameName
    options: dict[Annotated[str, Field(max_length=40)], str | Annotated[int, WHOLE]] = Field(default_factory=dict)
    seats: Annotated[list[WantedSeat], Field(min_length=1, max_length=8)]
    clock: WantedClock = WantedClock()
    listed: bool = True
    start: PositionText = ""
    shuffles: Annotated[bool, Field(description="Whether you take part in deciding chance: see `commit`.")] = False


def _seat(wanted: WantedSeat, player: Player, shuffles: bool) -> Seat:
    if wanted.kind in ("me", "here"):  # another person on the same device has a name, and the same owner
        return Seat(PERSON, names.checked(wanted.name or player.name), owner=player.id, shuffles=shuffles)
    if wanted.kind == "bot":
        return Seat("bot", agent=wanted.agent)
    return Seat(OPEN, invite="wanted" if wanted.kind == "link" else "")


@router.post("/matches", status_code=201)
async def create(
    wanted: WantedTable, request: Request, player: Known, service: Here, quotas: Allowed
) -> dict[str, Any]:
    """Open a table. Each seat is yours, another person's on this device, for a link, open to anyone, or a bot's."""
    find(wanted.game)
    if wanted.clock.kind != "none" and wanted.clock.base <= 0:
        raise Refused("bad-clock", f"a clock needs more than 0 s, not {wanted.clock.base:g} s")
    seats = told_apart([_seat(seat, player, wanted.shuffles) for seat in wanted.seats])
    clock = Clock(wanted.clock.kind, wanted.clock.base, wanted.clock.increment)
    await quotas.open(request, player.id, seats)
    quotas.table(request, player.id)
    table, invites = await service.create(
        player.id, wanted.game, dict(wanted.options), seats, clock, wanted.listed, wanted.start
    )
    quotas.opened(request, table.id, seats)
    return {**state_of(service, table, player), "invites": invites}


def state_of(service: Service, table: Table, player: Player | None) -> dict[str, Any]:
    """The table's state for an answer. Whoever asks counts as present: programs may have no live connection."""
    name = player.id if player else ""
    service.saw(table, name)
    return views.state(table, name, service.seen)


@router.get("/matches")
async def tables(
    service: Here,
    player: Visitor,
    status: Literal["waiting", "playing", "mine"] = "waiting",
    limit: Annotated[int, Query(ge=1, le=100)] = 20,
) -> list[dict[str, Any]]:
    """Tables with an open seat, tables to watch, or your own."""
    mine = player.id if player else ""
    if status == "mine":
        found = await service.store.of_player(mine, limit) if mine else []
    else:
        found = await service.store.listed(status, limit)
    return [views.summary(table, mine) async for table in service.tables(found)]


@router.get("/matches/{match}")
async def state(match: MatchId, service: Here, player: Visitor) -> dict[str, Any]:
    """The whole state of a table, with the legal moves if it is your turn."""
    table = await service.latest(match)
    view = state_of(service, table, player)
    return {**view, "legal": table.match.legal_moves if view["your_turn"] else []}


@router.delete("/matches/{match}", status_code=204)
async def delete(match: MatchId, player: Known, service: Here) -> None:
    await service.delete(player.id, match)


class Joining(Body):
    seat: Annotated[int, WHOLE] | None = None
    invite: Annotated[str, Field(max_length=100)] = ""
    shuffles: Annotated[bool, Field(description="Whether you take part in deciding chance: see `commit`.")] = False


@router.post("/matches/{match}/join")
async def join(match: MatchId, wanted: Joining, player: Known, service: Here) -> dict[str, Any]:
    given = wanted.seat, wanted.invite, wanted.shuffles
    return state_of(service, await service.join(player.id, player.name, match, *given), player)


class WantedMove(Body):
    number: Annotated[int, Field(ge=0, le=10**6), WHOLE]
    move: Annotated[str, Field(max_length=60)]


@router.post("/matches/{match}/moves")
async def move(match: MatchId, wanted: WantedMove, player: Known, service: Here) -> dict[str, Any]:
    """Play a move as the entry with this `number` (the table's current one); repeating the request changes nothing."""
    return state_of(service, await service.play(player.id, match, wanted.number, wanted.move), player)


class WantedCommand(Body):
    number: Annotated[int, Field(ge=0, le=10**6), WHOLE]
    # It was called `kind` until 1.0.
    command: Annotated[
        str,
        Field(
            max_length=20, json_schema_extra={"enum": list(COMMANDS)}, validation_alias=AliasChoices("command", "kind")
        ),
    ]
    text: Annotated[str, Field(max_length=60)] = ""


@router.post("/matches/{match}/commands")
async def command(match: MatchId, wanted: WantedCommand, player: Known, service: Here) -> dict[str, Any]:
    """resign, back, draw, decline (back or draw), claim, or bot."""
    return state_of(
        service, await service.command(player.id, match, wanted.number, wanted.command, wanted.text), player
    )


@router.post("/matches/{match}/rematch")
async def rematch(match: MatchId, request: Request, player: Known, service: Here, quotas: Allowed) -> dict[str, Any]:
    quotas.table(request, player.id)
    return state_of(service, await service.rematch(player.id, match), player)


# ── Records and pictures ─────────────────────────────────────────────────────────────────────────────────────────────


@router.get("/matches/{match}/record", response_class=PlainTextResponse)
async def record(match: MatchId, request: Request, service: Here) -> str:
    return await in_thread(request, str, (await service.table(match)).record())


class Text(Body):
    record: RecordText


@router.post("/records", status_code=200)
async def check_record(given: Text, request: Request, who: Asking) -> dict[str, Any]:
    """Read a record: its moves, and whether they are legal."""
    found = await read(request, who, read_record, given.record)
    return {"game": found.game, "options": found.options, "start": found.start, "moves": found.moves}


async def read(request: Request, who: Who, reader: Callable[[str], Script | None], record: str) -> Script:
    """The last match of a record, read by a worker."""
    thinkers: Thinkers = request.app.state.thinkers
    if (found := await thinkers.asked(who, reader, record)) is None:
        raise Refused("empty-record", "this record contains no match")
    return found


@router.get(
    "/matches/{match}/picture.svg", response_class=Response, responses={200: {"content": {"image/svg+xml": {}}}}
)
async def picture(
    match: MatchId,
    request: Request,
    service: Here,
    ply: Annotated[int | None, Query(ge=0, le=100_000)] = None,
    theme: Theme = "light",
    language: Language = "en",
    wide: bool = True,
    seat: Annotated[int | None, Query(ge=0)] = None,
) -> Response:
    table = await service.table(match)
    reports: Reports = request.app.state.reports
    await reports.follow(table, len(table.match.moves) if ply is None else ply)
    ended = bool(table.ending) and ply in (None, table.match.plies)
    looks: dict[str, Any] = {"theme": theme, "language": language, "wide": wide, "seat": seat}
    looks |= {"names": views.names(table)}
    drawn = table.match.draw(ply, ended=ended, **looks)
    return Response(str(drawn), media_type="image/svg+xml")
