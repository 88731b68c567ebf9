"""What visitors can do with their data: download it, delete it, and revoke their tokens."""

from __future__ import annotations

import io
import json
import logging
import zipfile
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import StreamingResponse
from pydantic import BaseModel

from empedocles.server.domain.refusals import Refused
from empedocles.server.domain.stored import Stored
from empedocles.server.limits.budgets import Places, Who
from empedocles.server.service.service import Service
from empedocles.server.web.routes.tables import Asking, Here, Known, Player, keep_token
from empedocles.server.web.security import COOKIE, token_of
from empedocles.server.workers.lines import Thinkers

BATCH = 10  # tables that a worker goes through at a time
MOST = 100_000  # tables

log = logging.getLogger(__name__)
router = APIRouter(prefix="/api/players/me")


class NewToken(BaseModel):
    token: str


@router.post("/tokens", status_code=201)
async def renew(request: Request, response: Response, player: Known, service: Here) -> NewToken:
    """Get a new token. All your earlier ones, in links and on other devices, become invalid."""
    token = await service.renew_token(player.id, token_of(request))
    keep_token(request, response, token)
    return NewToken(token=token)


@router.delete("", status_code=204)
async def forget(response: Response, player: Known, service: Here) -> None:
    """Delete your name, your token and your own tables. Matches with others end as if you had resigned; they keep the
    moves, without your name.
    """
    await service.forget_player(player.id)
    response.delete_cookie(COOKIE, path="/")


# ── Export ───────────────────────────────────────────────────────────────────────────────────────────────────────────


class Told(NamedTuple):
    """A table in a player's export."""

    facts: dict[str, Any]
    record: str


def tell(player: str, stored: list[Stored]) -> list[Told]:
    """Describe tables, in a worker process: replaying long matches takes a while."""
    return [told for one in stored if (told := _told(player, one))]


def _told(player: str, stored: Stored) -> Told | None:
    try:
        table = stored.table
    except Exception:  # its game is not installed any more, or has another version
        log.exception("the match %s cannot be read", stored.row["id"])
        return None
    facts = {
        "id": table.id,
        "game": table.game.name,
        "created": _date(table.created),
        "status": table.status,
        "my_seats": table.owned(player),
        "seats": [{"kind": seat.kind, "name": seat.name, "agent": seat.agent} for seat in table.seats],
        "clock": vars(table.clock),
        "ending": table.ending.reason if table.ending else None,
        "winners": sorted(table.winners),
        "times": [_date(entry.at) for entry in table.log],
    }
    return Told(facts, str(table.record()))


def _date(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


def one_at_a_time(request: Request, player: Known) -> Iterator[None]:
    exporting: Places = request.app.state.exporting
    message = "your data is already being packed: wait for it"
    with exporting.held(player.id, Refused("too-many-requests", message, retry=10)):
        yield


@router.get(
    "/export",
    response_class=StreamingResponse,
    responses={200: {"content": {"application/zip": {}}, "description": "A ZIP file"}},
)
async def export(
    request: Request, player: Known, service: Here, who: Asking, _place: Annotated[None, Depends(one_at_a_time)]
) -> StreamingResponse:
    """Your data as a ZIP file: who you are, your tables, and a record of each match."""
    packed = _packed(service, request.app.state.thinkers, player, who)
    headers = {"content-disposition": 'attachment; filename="empedocles.zip"'}
    return StreamingResponse(packed, media_type="application/zip", headers=headers)


class _Sink(io.RawIOBase):
    """A buffer for packed data until it is sent."""

    def __init__(self) -> None:
        super().__init__()
        self._parts: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._parts.append(bytes(data))
        return len(data)

    def taken(self) -> bytes:
        parts, self._parts = self._parts, []
        return b"".join(parts)


async def _packed(service: Service, thinkers: Thinkers, player: Player, asking: Who) -> AsyncIterator[bytes]:
    """The ZIP file in chunks, so that its size does not matter."""
    facts: list[dict[str, Any]] = []
    sink = _Sink()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as pack:
        async for told in _tables(service, thinkers, player.id, asking):
            facts.append(told.facts)
            pack.writestr(f"records/{told.facts['id']}.emp", told.record)
            yield sink.taken()
        joined = _date(await service.store.joined(player.id))
        who = {"id": player.id, "name": player.name, "created": joined, "tables": facts}
        pack.writestr("player.json", json.dumps(who, ensure_ascii=False, indent=1))
    yield sink.taken()


async def _tables(service: Service, thinkers: Thinkers, player: str, asking: Who) -> AsyncIterator[Told]:
    found = await service.store.of_player(player, MOST)
    for start in range(0, len(found), BATCH):
        stored = [one for match in found[start : start + BATCH] if (one := await service.store.read(match))]
        for told in await thinkers.patient(asking, tell, player, stored):
            yield told
