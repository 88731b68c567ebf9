"""Live tables over WebSockets: the page says what it has, and gets what is new."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import OrderedDict
from typing import Annotated, Any, Literal

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from pydantic import BaseModel, Field, TypeAdapter, ValidationError
from pydantic_core import to_json
from sqlalchemy.exc import SQLAlchemyError

from empedocles.errors import EmpedoclesError
from empedocles.render.picture import Look
from empedocles.server import views
from empedocles.server.api import Language
from empedocles.server.bans import address_of
from empedocles.server.budgets import Allowance
from empedocles.server.live import Hub, News
from empedocles.server.problems import problem
from empedocles.server.security import token_of
from empedocles.server.service import Service, digest
from empedocles.server.tables import Refused, Table
from empedocles.server.timekeeping import now

LARGEST_MESSAGE = 4000  # characters
MESSAGES = 20.0  # a second that one connection may send for long
SILENCE = 15.0  # seconds after which a sign of life is sent
MOST_FRAMES = 256  # remembered
MOST_READERS = 500  # of one table, in one process

log = logging.getLogger(__name__)
router = APIRouter()


class Hello(BaseModel):
    """How the reader wants to see the table, from now on; and whether it needs the whole picture, ground included."""

    kind: Literal["hello"]
    language: Language = "en"
    wide: bool = True
    overlays: Annotated[list[Annotated[str, Field(max_length=30)]], Field(max_length=8)] = []
    picture: bool = False


class Play(BaseModel):
    kind: Literal["play"]
    number: Annotated[int, Field(ge=0, le=10**6)]
    move: Annotated[str, Field(max_length=60)]


class Do(BaseModel):
    kind: Literal["do"]
    number: Annotated[int, Field(ge=0, le=10**6)]
    what: Annotated[str, Field(max_length=20)]
    text: Annotated[str, Field(max_length=60)] = ""


class Show(BaseModel):
    """An earlier position, to go back through the match."""

    kind: Literal["show"]
    ply: Annotated[int, Field(ge=0, le=100_000)]


class Ping(BaseModel):
    kind: Literal["ping"]


Said = Annotated[Hello | Play | Do | Show | Ping, Field(discriminator="kind")]
SAID: TypeAdapter[Hello | Play | Do | Show | Ping] = TypeAdapter(Said)


@router.websocket("/api/matches/{match}/live")
async def live(socket: WebSocket, match: str) -> None:
    service: Service = socket.app.state.service
    hub: Hub = socket.app.state.hub
    if hub.read(match) >= MOST_READERS:
        await socket.close(1008)
        return
    await socket.accept()
    token = token_of(socket)
    try:
        with hub.reading(match, digest(token) if token else "") as news:  # before the token is looked at
            found = await service.player(token)
            reader = Reader(socket, service, match, found[0] if found else "")
            await reader.come(hub)
            try:
                await reader.serve(news)
            finally:
                await reader.go(hub)
    except EmpedoclesError as error:
        with contextlib.suppress(RuntimeError, WebSocketDisconnect):
            await socket.send_json({"kind": "problem", **problem(error)[1]})
            await socket.close(1000)
    except WebSocketDisconnect:
        pass


def _understand(said: str | bytes) -> Hello | Play | Do | Show | Ping:
    try:
        if len(said) <= LARGEST_MESSAGE:
            return SAID.validate_json(said)
    except ValidationError:
        pass
    raise Refused("bad-message", "not understood: expected hello, play, do, show or ping, as docs/server.md says", 422)


_frames: OrderedDict[tuple[object, ...], dict[str, Any]] = OrderedDict()


def _drawn(table: Table, ply: int, look: Look) -> dict[str, Any]:
    """A frame; most are wanted by several readers at the same time."""
    key = (table.id, table.number, ply, look.language, look.wide, look.overlays)
    if key not in _frames:
        _frames[key] = views.frame(table.match, ply, look)
    while len(_frames) > MOST_FRAMES:
        _frames.popitem(last=False)
    return _frames[key]


class Reader:
    """One connection to one table."""

    def __init__(self, socket: WebSocket, service: Service, match: str, player: str) -> None:
        self.socket, self.service, self.match, self.player = socket, service, match, player
        self.hello: Hello | None = None
        self.checked = 0  # doubts about the token that were cleared up
        self.rate = Allowance(MESSAGES, 3 * MESSAGES)
        self.plies: list[str] = []  # the moves that the reader has in words
        self.boxes: list[list[Any]] | None = None  # the places of targets that the reader has

    async def serve(self, news: News) -> None:
        listening = asyncio.create_task(self._listen(news))
        listening.add_done_callback(lambda _: news.set())
        try:
            while True:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(SILENCE):
                        await news.wait()
                is_new = news.is_set()
                news.clear()  # first: what comes from now on is not missed
                if listening.done():
                    return listening.result()
                self.service.bans.check(self.player, address_of(self.socket))
                await self._check_token(news)
                self.service.saw(await self.service.table(self.match), self.player)
                await (self._update() if is_new else self._ping())
        finally:
            listening.cancel()

    async def _check_token(self, news: News) -> None:
        """Whoever came with a token that was revoked since has to come again."""
        if self.checked < (doubts := news.doubts):
            found = await self.service.player(token_of(self.socket))
            if (found[0] if found else "") != self.player:
                raise Refused("no-player", "this token was revoked: connect again", 401)
            self.checked = doubts

    async def come(self, hub: Hub) -> None:
        """Others see at once that a player is there, or not any more."""
        if (table := await self.service.table(self.match)).owned(self.player):
            self.service.saw(table, self.player)
            hub.wake(self.match)

    async def go(self, hub: Hub) -> None:
        with contextlib.suppress(EmpedoclesError):
            table = await self.service.table(self.match)
            for seat in table.owned(self.player):
                self.service.seen.leave((self.match, seat), now())
                hub.wake(self.match)

    async def _ping(self) -> None:
        table = await self.service.table(self.match)
        here = self.service.seen.here(table, now())
        await self._send({"kind": "ping", "here": here})

    async def _listen(self, news: News) -> None:
        while True:
            said = await self._receive()
            try:
                if self.rate.take(""):
                    raise Refused("too-many-requests", "too many messages; wait a second", 429)
                await self._hear(_understand(said), news)
            except EmpedoclesError as error:
                await self._send({"kind": "problem", **problem(error, self.language)[1]})
            except (SQLAlchemyError, OSError):  # of the database
                log.exception("a message at %s failed", self.match)
                await self._send({"kind": "problem", "code": "failed", "message": "say it once more"})

    async def _send(self, message: dict[str, Any]) -> None:
        await self.socket.send_text(to_json(message).decode())  # quicker than `send_json`

    async def _receive(self) -> str | bytes:
        message = await self.socket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code") or 1005)
        said: str | bytes = message.get("text") or message.get("bytes") or ""
        return said

    @property
    def language(self) -> str:
        return self.hello.language if self.hello else "en"

    async def _hear(self, said: Hello | Play | Do | Show | Ping, news: News) -> None:
        await self._check_token(news)
        if isinstance(said, Hello):
            self.hello, self.plies, self.boxes = said, [], None
            news.set()
        elif isinstance(said, Play):
            await self.service.play(self.player, self.match, said.number, said.move)
        elif isinstance(said, Do):
            await self.service.command(self.player, self.match, said.number, said.what, said.text)
        elif isinstance(said, Show):
            await self._show(said.ply)

    async def _show(self, ply: int) -> None:
        table = await self.service.table(self.match)
        await self._send({"kind": "frame", "frame": self._frame(table, ply)})

    def _frame(self, table: Table, ply: int) -> dict[str, Any]:
        frame = _drawn(table, ply, self._look(table))
        if frame["boxes"] == self.boxes:  # as in most games, where they never move
            return {name: part for name, part in frame.items() if name != "boxes"}
        self.boxes = frame["boxes"]
        return frame

    def _look(self, table: Table) -> Look:
        hello = self.hello or Hello(kind="hello")
        return Look(language=hello.language, wide=hello.wide, overlays=tuple(hello.overlays), names=views.names(table))

    def _picture(self, table: Table) -> str:
        look = self._look(table)
        drawn = table.match.draw(language=look.language, wide=look.wide, overlays=look.overlays, names=look.names)
        return drawn.for_page

    async def _update(self) -> None:
        """All that is new: the state, the picture, the moves since in words, and what may be chosen."""
        if self.hello is None:
            return
        table = await self.service.table(self.match)
        view = views.state(table, self.player, self.service.seen)
        match = table.match
        before, self.plies = self.plies, match.moves
        same = next((k for k, (a, b) in enumerate(zip(before, self.plies, strict=False)) if a != b), None)
        same = min(len(before), len(self.plies)) if same is None else same
        message: dict[str, Any] = {
            "kind": "state",
            "state": view,
            "frame": self._frame(table, len(self.plies)),
            "kept": same,
            "words": views.words(match, same, self.language),
            "movers": views.movers(match, same),
            "choices": views.choices(match) if view["your_turn"] else [],
        }
        if self.hello.picture:
            message["picture"] = self._picture(table)
            self.hello.picture = False
        await self._send(message)
