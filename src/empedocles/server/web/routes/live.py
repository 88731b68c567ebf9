"""Live tables over WebSockets: readers get whatever is new, and players send moves and commands."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from typing import Any

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from pydantic import ValidationError
from pydantic_core import to_json
from sqlalchemy.exc import SQLAlchemyError

from empedocles.errors import EmpedoclesError, UnknownName
from empedocles.render.picture import Look
from empedocles.server.domain.moments import now
from empedocles.server.domain.refusals import Refused
from empedocles.server.domain.table import Table
from empedocles.server.limits.audience import Audience
from empedocles.server.limits.bans import address_of
from empedocles.server.limits.budgets import Allowance, household_of
from empedocles.server.limits.processor import Processor, arriving, playing
from empedocles.server.service.hub import Hub, News
from empedocles.server.service.service import Service, digest
from empedocles.server.settings import Settings
from empedocles.server.web import views
from empedocles.server.web.problems import problem
from empedocles.server.web.reports import Reports, common
from empedocles.server.web.security import token_of
from empedocles.server.web.wire import KINDS, SAID, Command, Commit, Hello, Open, Play, Said, Show

LARGEST_MESSAGE = 4000  # characters
MESSAGES = 20.0  # per second that one connection may send in the long run
SILENCE = 15.0  # seconds after which a sign of life is sent
PAUSE = 1.0  # seconds at most for which a client that sends too much is ignored
PART = 400  # moves in one message
MOST_REFUSED = 20  # messages in a row, after which the connection is closed

TRY_AGAIN_LATER = 1013  # close code: a limit was exceeded
REPLACED = 4001  # close code: a newer connection of the same player took its place

log = logging.getLogger(__name__)
router = APIRouter()


@router.websocket("/api/matches/{match}/live")
async def live(socket: WebSocket, match: str) -> None:
    processor: Processor = socket.app.state.processor
    reader: Reader | None = None
    try:
        hub: Hub = socket.app.state.hub
        token = token_of(socket)
        with hub.reading(match, digest(token) if token else "") as news:  # before the token is checked
            reader = await processor.run(arriving(household_of(socket)), _welcome(socket, match, news))
            with reader.place():
                await reader.stay()
    except Ended as end:
        await _end(socket, end.code, problem(end.why, reader.language if reader else "en")[1])
    except EmpedoclesError as error:
        code = TRY_AGAIN_LATER if isinstance(error, Refused) and error.retry else 1000
        await _end(socket, code, problem(error, reader.language if reader else "en")[1])
    except WebSocketDisconnect:
        pass


async def _welcome(socket: WebSocket, match: str, news: News) -> Reader:
    await socket.accept()
    service: Service = socket.app.state.service
    found = await service.player(token_of(socket))
    player = found[0] if found else ""
    seated = bool((await service.table(match)).owned(player))
    return Reader(socket, service, match, player, seated, news)


class Ended(Exception):
    """Closes a connection, with a reason."""

    def __init__(self, code: int, why: Refused) -> None:
        super().__init__(str(why))
        self.code, self.why = code, why


async def _end(socket: WebSocket, code: int, told: dict[str, Any]) -> None:
    with contextlib.suppress(RuntimeError, WebSocketDisconnect):
        await socket.send_json({"kind": "problem", **told})
        await socket.close(code, told["code"])


def _understand(said: str | bytes) -> Said:
    try:
        if len(said) <= LARGEST_MESSAGE:
            return SAID.validate_json(said)
    except ValidationError:
        pass
    raise Refused("bad-message", f"expected {', '.join(KINDS)}, as described in docs/server.md")


def _check_overlays(table: Table, wanted: list[str]) -> None:
    """Check overlays now, where a refusal is an answer: a failed drawing would end the connection."""
    known = table.game.overlays
    for name in wanted:
        if name not in known:
            raise UnknownName(f"unknown overlay {name!r} of {table.game.name}: there are {', '.join(known) or 'none'}")


class Reader:
    """One connection to one table."""

    def __init__(self, socket: WebSocket, service: Service, match: str, player: str, seated: bool, news: News) -> None:
        self.socket, self.service, self.match, self.player, self.seated = socket, service, match, player, seated
        state = socket.app.state
        self.hub: Hub = state.hub
        self.audience: Audience = state.audience
        self.reports: Reports = state.reports
        self.messages: Allowance = state.messages
        self.settings: Settings = state.settings
        self.household = household_of(socket)
        self.account = playing(self.household) if seated else self.household
        self.news, self.checked = news, 0  # doubts about the token that are resolved
        self.replaced = False
        self.hello: Hello | None = None
        self.greeting = time.monotonic() + self.settings.hello_seconds  # when a spectator must have said hello
        self.rate, self.refused = Allowance(MESSAGES, 3 * MESSAGES), 0
        self.plies: list[str] = []  # the moves that the reader has in words
        self.boxes: list[list[Any]] | None = None  # the places of targets that the reader has

    def place(self) -> contextlib.AbstractContextManager[None]:
        """A place at the table: players always get one, others if there is room."""
        if self.seated:
            return self.audience.sit(self.match, self.household, self.player, self._give_way)
        return self.audience.watch(self.match, self.household)

    def _give_way(self) -> None:
        self.replaced = True
        self.news.set()

    async def stay(self) -> None:
        """Serve the connection until it ends. The work for a reader is measured, and waits for its turn."""
        processor: Processor = self.socket.app.state.processor
        await self._come()
        listening = asyncio.create_task(processor.run(self.account, self._listen()))
        listening.add_done_callback(lambda _: self.news.set())
        try:
            await processor.run(self.account, self._serve(listening))
        finally:
            listening.cancel()
            await self._go()

    async def _serve(self, listening: asyncio.Task[None]) -> None:
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._patience()):
                    await self.news.wait()
            if self.replaced:
                raise Ended(
                    REPLACED, Refused("replaced", "this table is open in too many windows: this one has closed")
                )
            if listening.done():
                return listening.result()
            if self._patience() <= 0:
                raise Refused("no-hello", "send hello first to see the table")
            self.service.bans.check(self.player, address_of(self.socket))
            await self._check_token()
            self.service.saw(await self.service.table(self.match), self.player)
            if self.news.is_set():
                self.news.clear()
                await self._update()
            else:
                await self._ping()

    def _patience(self) -> float:
        """Seconds to wait for news; less for a spectator who has not said hello, and only takes up room."""
        silent = self.hello is None and not self.seated
        return min(SILENCE, self.greeting - time.monotonic()) if silent else SILENCE

    async def _check_token(self) -> None:
        """End the connection if its token has been revoked."""
        if self.checked < (doubts := self.news.doubts):
            found = await self.service.player(token_of(self.socket))
            if (found[0] if found else "") != self.player:
                raise Refused("no-player", "this token was revoked: connect again")
            self.checked = doubts

    async def _come(self) -> None:
        """Show the others at once that a player has come, or has left."""
        if (table := await self.service.table(self.match)).owned(self.player):
            self.service.saw(table, self.player)
            self.hub.wake(self.match)

    async def _go(self) -> None:
        with contextlib.suppress(EmpedoclesError):
            table = await self.service.table(self.match)
            if self.audience.windows(self.match, self.player) > (0 if self.replaced else 1):
                return  # the player is still there in another window
            for seat in table.owned(self.player):
                self.service.seen.leave((self.match, seat), now())
                self.hub.wake(self.match)

    async def _ping(self) -> None:
        table = await self.service.table(self.match)
        here = self.service.seen.here(table, now())
        await self._send({"kind": "ping", "here": here})

    async def _listen(self) -> None:
        while True:
            said = await self._receive()
            try:
                await self._hear(self._heeded(said))
            except EmpedoclesError as error:
                await self._send({"kind": "problem", **problem(error, self.language)[1]})
                await asyncio.sleep(min(getattr(error, "retry", 0.0), PAUSE))
            except (SQLAlchemyError, OSError):  # the database fails
                log.exception("a message at %s failed", self.match)
                await self._send({"kind": "problem", "code": "failed", "message": "Please try again."})

    def _heeded(self, said: str | bytes) -> Said:
        """Parse a message, and refuse it if it is invalid or one too many."""
        try:
            message = _understand(said)
        except Refused:
            self._allow(self.household)
            raise
        plays = self.seated and isinstance(message, Play | Command)  # counted apart: watching must never block playing
        self._allow(playing(self.household) if plays else self.household)
        return message

    def _allow(self, account: str) -> None:
        """Refuse a message beyond what this connection and its household may send."""
        if not (wait := self.rate.take("") or self.messages.take(account)):
            self.refused = 0
            return
        self.refused += 1
        refused = Refused("too-many-requests", "too many messages; wait a second", retry=wait)
        raise Ended(TRY_AGAIN_LATER, refused) if self.refused > MOST_REFUSED else refused

    async def _send(self, message: dict[str, Any]) -> None:
        await self.socket.send_text(to_json(message).decode())  # faster than `send_json`

    async def _receive(self) -> str | bytes:
        message = await self.socket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code") or 1005)
        said: str | bytes = message.get("text") or message.get("bytes") or ""
        return said

    @property
    def language(self) -> str:
        return self.hello.language if self.hello else "en"

    async def _hear(self, said: Said) -> None:
        await self._check_token()
        if isinstance(said, Hello):
            _check_overlays(await self.service.table(self.match), said.overlays)
            self.hello, self.plies, self.boxes = said, [], None
            self.news.set()
        elif isinstance(said, Play):
            await self.service.play(self.player, self.match, said.number, said.move)
        elif isinstance(said, Command):
            await self.service.command(self.player, self.match, said.number, said.command, said.text)
        elif isinstance(said, Commit):
            await self.service.commit(self.player, self.match, said.digest)
        elif isinstance(said, Open):
            await self.service.open_value(self.player, self.match, said.value)
        elif isinstance(said, Show):
            await self._show(said.ply)

    async def _show(self, ply: int) -> None:
        table = await self.service.table(self.match)
        frame = await self.reports.frame(table, ply, self._look(table))
        await self._send({"kind": "frame", "frame": self._new_in(frame)})

    def _new_in(self, frame: dict[str, Any]) -> dict[str, Any]:
        if frame["boxes"] == self.boxes:  # in most games they never move
            return {name: part for name, part in frame.items() if name != "boxes"}
        self.boxes = frame["boxes"]
        return frame

    def _look(self, table: Table) -> Look:
        hello = self.hello or Hello(kind="hello")
        return Look(
            language=hello.language,
            wide=hello.wide,
            seat=views.side_of(table, self.player, hello.seat),
            overlays=tuple(hello.overlays),
            names=views.names(table),
            ended=bool(table.ending),
        )

    async def _update(self) -> None:
        """Send what is new: the state, the picture, the new moves in words, and what may be chosen.

        A long match comes in parts: its moves behind the first ones follow in messages of their own.
        """
        if self.hello is None:
            return
        hello, table = self.hello, await self.service.table(self.match)
        match, look = table.match, self._look(table)
        same = common(self.plies, match.moves)
        first = await self._part(table, same)
        frame = await self.reports.frame(table, match.plies, look)
        picture = await self.reports.picture(table, match.plies, look) if hello.picture else None
        ends = await self._milestones(table, look, same)
        said = await self.reports.saying(table)
        if hello is not self.hello:  # said again in the meantime: the answer to that comes next
            return
        view = views.state(table, self.player, self.service.seen)
        mine = view["your_turn"]
        del view["moves"]
        message: dict[str, Any] = {
            "kind": "state",
            "state": view,
            "frame": self._new_in(frame),
            **first,
            "choices": views.choices(match) if mine else [],
            "prompt": views.prompt(match, look.language) if mine else "",
            "names": views.missing(match, frame["boxes"], look.language) if mine else {},
            "milestones": ends,
            "saying": {"ply": said.ply, "seat": said.seat, "words": said.words.say(look.language)} if said else None,
        }
        if picture is not None:
            message["picture"] = picture
            hello.picture = False
        await self._tell(message)
        while len(self.plies) < match.plies:
            part = await self._part(table, len(self.plies))
            if hello is not self.hello:
                return
            await self._tell({"kind": "moves", **part})

    async def _milestones(self, table: Table, look: Look, same: int) -> list[dict[str, Any]]:
        """The ends of parts of the game; the last one with a frame, if the reader has not heard of it."""
        found = await self.reports.milestones(table)
        told: list[dict[str, Any]] = [
            {"ply": ply, "words": one.message.say(look.language), "rule": one.rule, "frame": None}
            for ply, one in found.items()
        ]
        if found and (last := max(found)) > same:
            told[-1]["frame"] = await self.reports.milestone(table, last, found[last], look)
        return told

    async def _part(self, table: Table, start: int) -> dict[str, Any]:
        """Some moves from a ply on, with their words and who made them."""
        stop = min(start + PART, table.match.plies)
        words = await self.reports.words(table, self.language, stop)
        return {
            "kept": start,
            "moves": table.match.moves[start:stop],
            "words": words[start:stop],
            "movers": views.movers(table.match, start, stop),
        }

    async def _tell(self, message: dict[str, Any]) -> None:
        """Send a message with moves, and remember that the reader has them."""
        self.plies = self.plies[: message["kept"]] + message["moves"]
        await self._send(message)
