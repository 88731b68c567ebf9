"""Visitors of a real server, each with an address of their own: people who play, and a ledger of what they were told.

Every address in 127.0.0.0/8 is this machine, and a separate household to the server.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import time
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

Json = dict[str, Any]
GAMES = ("ignite-and-flow", "elemental-defenders", "fire-and-water", "points-of-power")
PATIENCE = 20.0  # seconds after which a visitor gives up
NO_ANSWER = 0  # instead of a status: refused, cut off, or too late
Logged = tuple[int, str, dict[str, Any]]  # number, kind and fields of an entry in the database
LOST = (OSError, WebSocketException, TimeoutError, EOFError)  # exceptions of a lost connection


class Answer(NamedTuple):
    status: int
    content: Any  # JSON, or text, or bytes
    seconds: float
    wait: float  # seconds after which to ask again, if the server says so

    @property
    def ok(self) -> bool:
        return 200 <= self.status < 300


class Visitor:
    def __init__(self, port: int, address: str, patience: float = PATIENCE) -> None:
        self.port, self.address, self.patience = port, address, patience
        self.token = ""
        transport = httpx.AsyncHTTPTransport(
            verify=False, local_address=address, limits=httpx.Limits(max_connections=1000)
        )
        self._client = httpx.AsyncClient(
            transport=transport, base_url=f"http://127.0.0.1:{port}", timeout=patience, trust_env=False
        )

    @property
    def headers(self) -> dict[str, str]:
        return {"authorization": f"Bearer {self.token}"} if self.token else {}

    async def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        """One request; a path that does not start with a slash is below /api."""
        where = path if path.startswith("/") else f"/api/{path}"
        start = time.perf_counter()
        try:
            answer = await asyncio.wait_for(
                self._client.request(method, where, json=body, headers=self.headers | headers), self.patience
            )
        except (httpx.HTTPError, TimeoutError, OSError) as error:
            return Answer(NO_ANSWER, type(error).__name__, time.perf_counter() - start, 0.0)
        wait = answer.headers.get("retry-after", "0")
        return Answer(
            answer.status_code, _read(answer), time.perf_counter() - start, float(wait) if wait.isdecimal() else 0.0
        )

    async def become(self, name: str = "Ada") -> Visitor:
        """Become a player, however long it takes."""
        while not self.token:
            made = await self.ask("POST", "players", {"name": name})
            if made.ok:
                self.token = made.content["token"]
            else:
                await asyncio.sleep(max(0.5, made.wait))
        return self

    @contextlib.asynccontextmanager
    async def live(self, match: str, **more: Any) -> AsyncIterator[ClientConnection]:
        address = f"ws://127.0.0.1:{self.port}/api/matches/{match}/live"
        async with connect(
            address,
            additional_headers=self.headers,
            local_addr=(self.address, 0),
            max_size=2**24,
            open_timeout=self.patience,
            close_timeout=1,
            proxy=None,
            **more,
        ) as socket:
            yield socket

    async def close(self) -> None:
        await self._client.aclose()


def _read(answer: httpx.Response) -> Any:
    kind = answer.headers.get("content-type", "")
    if kind.startswith("application/json"):
        return answer.json()
    return answer.text if kind.startswith("text/") else answer.content


# ── What was promised ────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass
class Ledger:
    """What visitors were told: their acknowledged moves, and the moves of tables."""

    acknowledged: dict[tuple[str, int], str] = field(default_factory=dict)  # match and number → move
    told: dict[tuple[str, int], tuple[int, int]] = field(default_factory=dict)  # match and number → moves, their hash
    contradictions: list[str] = field(default_factory=list)

    def acknowledge(self, match: str, number: int, move: str) -> None:
        if self.acknowledged.setdefault((match, number), move) != move:
            self.contradictions.append(f"{match} {number}: {move} after {self.acknowledged[match, number]}")

    def hear(self, match: str, number: int, moves: list[str]) -> None:
        seen = len(moves), hash(tuple(moves))
        if self.told.setdefault((match, number), seen) != seen:
            self.contradictions.append(f"{match} {number}: two different lists of moves were told")

    def compare(self, logs: dict[str, list[Logged]]) -> list[str]:
        """The differences from the logs: moves lost, doubled or reordered."""
        wrong = self.contradictions.copy()
        for (match, number), move in self.acknowledged.items():
            log = logs.get(match, [])
            _, kind, event = log[number] if number < len(log) else (number, "missing", {})
            if kind != "move" or event["move"] != move:
                wrong.append(f"{match} {number}: {move} was acknowledged, the log has {kind} {event}")
        told = defaultdict(list)
        for (match, number), seen in self.told.items():
            told[match].append((number, seen))
        for match, all_seen in told.items():
            wrong += _differences(match, logs.get(match, []), dict(all_seen))
        return wrong


def _differences(match: str, log: list[Logged], told: dict[int, tuple[int, int]]) -> list[str]:
    wrong, moves = [], list[str]()
    for place, (number, kind, event) in enumerate(log):
        if number != place:
            return [f"{match}: entry {number} stands in the place of {place}"]
        moves = _after(moves, kind, event)
        if (seen := told.pop(number + 1, None)) and seen != (len(moves), hash(tuple(moves))):
            wrong.append(f"{match} {number + 1}: other moves were told than the log has")
    return wrong + [f"{match} {number}: was told, and is not in the log" for number in told if number]


def _after(moves: list[str], kind: str, event: dict[str, Any]) -> list[str]:
    """The moves of a match after an entry, from the log alone."""
    if kind == "import":
        return list(event["moves"])
    if kind == "move":
        return [*moves, event["move"], *event["drawn"]]
    return moves[: event["ply"]] if kind == "back" else [*moves, *event.get("drawn", ())]


# ── People who play each other ───────────────────────────────────────────────────────────────────────────────────────


@dataclass
class Sent:
    at: float
    seat: int
    move: str
    plies: int  # before it


class Denied(Exception):
    """A final refusal, with its code."""


class Turn(NamedTuple):
    seat: int
    number: int
    plies: int
    choices: list[str]
    socket: ClientConnection


class Pair:
    """Two people who play one match after another over WebSockets, and reconnect when a connection is lost."""

    def __init__(
        self, people: tuple[Visitor, Visitor], ledger: Ledger, games: tuple[str, ...] = GAMES[:1], again: float = 0.0
    ) -> None:
        """`again` is the share of matches followed by a rematch."""
        self.people, self.ledger, self.games, self.again = people, ledger, games, again
        self.random = random.Random(people[0].address)
        self.delays: list[float] = []  # from sending a move to the opponent receiving it
        self.refused: Counter[str] = Counter()  # codes of problems
        self.lost = 0  # connections
        self.matches = 0
        self.match = ""
        self.talk: Callable[[int, Json], Json | None] | None = None  # anything else that a seat sends after a state
        self._sent: dict[int, Sent] = {}
        self._known: list[list[str]] = [[], []]  # the moves that each has received
        self._turn: Turn | None = None
        self._over = asyncio.Event()

    async def play(self, rate: float, stop: asyncio.Event) -> None:
        """Play moves at a steady rate, as far as turns allow."""
        for person in self.people:
            await person.become()
        while not stop.is_set():
            try:
                await self._open()
            except Denied as denied:
                self.refused[str(denied)] += 1
                continue
            tasks = [asyncio.create_task(self._stay(seat)) for seat in range(2)]
            try:
                await self._move_steadily(rate, stop)
                await self._settle()
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)

    async def _open(self) -> None:
        self._sent, self._turn, over = {}, None, self._over.is_set()
        self._over.clear()
        self.matches += 1
        if over and self.random.random() < self.again:
            again = [(await self._insist(person, f"matches/{self.match}/rematch", {}))["id"] for person in self.people]
            self.match = again[0]
            return
        wanted = {"game": self.random.choice(self.games), "seats": [{"kind": "me"}, {"kind": "open"}], "listed": False}
        self.match = (await self._insist(self.people[0], "matches", wanted))["id"]
        await self._insist(self.people[1], f"matches/{self.match}/join", {})

    async def _insist(self, person: Visitor, path: str, body: Json) -> Json:
        """Repeat a request until it is granted or finally refused."""
        while not (answer := await person.ask("POST", path, body)).ok:
            if 400 <= answer.status < 500 and answer.status != 429:
                raise Denied(str(answer.content.get("code")))
            await asyncio.sleep(max(0.2, answer.wait))
        content: Json = answer.content
        return content

    async def _move_steadily(self, rate: float, stop: asyncio.Event) -> None:
        due = time.perf_counter()
        while not stop.is_set() and not self._over.is_set():
            if time.perf_counter() >= due and self._turn:
                due = max(due + 1 / rate, time.perf_counter() - 1.0)  # do not catch up on missed moves
                await self._move(self._turn)
            else:
                await asyncio.sleep(0.005)

    async def _move(self, turn: Turn) -> None:
        move, self._turn = self.random.choice(turn.choices), None
        sent = self._sent.setdefault(turn.number, Sent(time.perf_counter(), turn.seat, move, turn.plies))
        with contextlib.suppress(*LOST):  # after reconnecting, the state shows what became of it
            await turn.socket.send(json.dumps({"kind": "play", "number": turn.number, "move": sent.move}))

    async def _settle(self) -> None:
        """Wait until the last moves were seen; one that is never seen counts with the time waited."""
        end = time.perf_counter() + 3 * PATIENCE
        while self._sent and time.perf_counter() < end:
            if self._turn and self._turn.number in self._sent:  # lost with a server
                await self._move(self._turn)
            await asyncio.sleep(0.01)
        self.delays += [time.perf_counter() - sent.at for sent in self._sent.values()]

    async def _stay(self, seat: int) -> None:
        while True:
            with contextlib.suppress(*LOST):
                async with self.people[seat].live(self.match) as socket:
                    self._known[seat] = []
                    await socket.send(json.dumps({"kind": "hello", "wide": bool(seat)}))
                    async for text in socket:
                        await self._hear(seat, json.loads(text), socket, time.perf_counter())
            self.lost += 1
            await asyncio.sleep(0.2)

    async def _hear(self, seat: int, message: Json, socket: ClientConnection, now: float) -> None:
        if message["kind"] == "problem":
            self.refused[message["code"]] += 1
            if message["code"] in ("failed", "too-many-requests"):
                await asyncio.sleep(0.2)
            await socket.send('{"kind": "hello"}')  # ask for the state, so that nothing waits forever
        if message["kind"] not in ("state", "moves"):
            return
        moves = self._known[seat] = self._known[seat][: message["kept"]] + message["moves"]
        if message["kind"] == "moves":
            return
        state, number = message["state"], message["state"]["number"]
        if len(moves) == state["plies"]:  # of a long match, the rest follows
            self.ledger.hear(self.match, number, moves)
            self._take_note(seat, number, moves, now)
        if state["status"] == "over":
            self._over.set()
            return
        if state["your_turn"] and message["choices"]:
            self._turn = Turn(seat, number, state["plies"], [move for move, _ in message["choices"]], socket)
        if self.talk and (said := self.talk(seat, state)):
            await socket.send(json.dumps(said))

    def _take_note(self, seat: int, number: int, moves: list[str], now: float) -> None:
        """Note sent moves that are now in the log; drop those whose number another entry took."""
        for old, sent in [(old, sent) for old, sent in self._sent.items() if old < number]:
            there = moves[sent.plies : sent.plies + 1] == [sent.move]
            if there and old == number - 1:
                self.ledger.acknowledge(self.match, old, sent.move)
            if there and sent.seat != seat:
                self.delays.append(now - sent.at)
            if not there or sent.seat != seat:
                del self._sent[old]


# ── Somebody who plays alone ─────────────────────────────────────────────────────────────────────────────────────────


class Guest:
    """Plays against a bot and uses the site: the front page, hints, pictures, an analysis, the lobby."""

    def __init__(self, visitor: Visitor, pause: float = 0.5) -> None:
        self.visitor, self.pause = visitor, pause
        self.answers: defaultdict[str, list[Answer]] = defaultdict(list)
        self.match = ""
        self.table = ""  # an open one, for others to find
        self._stop = asyncio.Event()

    async def settle_in(self) -> None:
        """Prepare an open table and a match against a bot."""
        await self.visitor.become("Bo")
        self.table = await self._new("ignite-and-flow", [{"kind": "me"}, {"kind": "open"}])
        await self._sit_down()

    async def _new(self, game: str, seats: list[dict[str, str]], **more: Any) -> str:
        made = await self.visitor.ask("POST", "matches", {"game": game, "seats": seats, **more})
        return str(made.content["id"]) if made.ok else ""

    async def _sit_down(self) -> None:
        seats = [{"kind": "me"}, {"kind": "bot", "agent": "level-2"}]
        self.match = await self._new("ignite-and-flow", seats, listed=False) or self.match

    async def stay(self, stop: asyncio.Event) -> None:
        self._stop = stop
        doing = [self._look_around, self._play, self._draw, self._review]
        await asyncio.gather(*(self._again(what, stop) for what in doing))

    async def _again(self, what: Callable[[], Any], stop: asyncio.Event) -> None:
        while not stop.is_set():
            await what()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), self.pause)

    async def _look_around(self) -> None:
        # A new connection each time, like a new visitor.
        self.answers["front page"].append(await self.visitor.ask("GET", "/", connection="close"))

    async def _play(self) -> None:
        hint = await self.visitor.ask("POST", f"matches/{self.match}/hint", {})
        self.answers["hint"].append(hint)
        if not hint.ok:
            return
        state = await self.visitor.ask("GET", f"matches/{self.match}")
        wanted = {"number": state.content["number"], "move": hint.content["move"]} if state.ok else {}
        if (played := await self.visitor.ask("POST", f"matches/{self.match}/moves", wanted)).ok:
            await self._wait_for_bot(played.content["status"] == "over")

    async def _wait_for_bot(self, over: bool) -> None:
        start = time.perf_counter()
        while not over and not self._stop.is_set() and time.perf_counter() - start < 3 * PATIENCE:
            await asyncio.sleep(0.2)
            state = await self.visitor.ask("GET", f"matches/{self.match}")
            if state.ok and (state.content["your_turn"] or (over := state.content["status"] == "over")):
                self.answers["bot"].append(Answer(state.status, "", time.perf_counter() - start, 0.0))
                break
        else:
            if not over and not self._stop.is_set():
                self.answers["bot"].append(Answer(NO_ANSWER, "", time.perf_counter() - start, 0.0))
        if over:
            await self._sit_down()

    async def _draw(self) -> None:
        """Request a different picture each time, so that it is not cached."""
        count = len(self.answers["picture"])
        looks = f"theme={('light', 'dark')[count % 2]}&language={('en', 'de')[count // 2 % 2]}&wide={count // 4 % 2}"
        self.answers["picture"].append(await self.visitor.ask("GET", f"matches/{self.match}/picture.png?{looks}"))

    async def _review(self) -> None:
        """Have the match so far analysed, and wait for the result."""
        start = time.perf_counter()
        known = await self.visitor.ask("POST", "analyses", {"match": self.match})
        while known.ok and not known.content["done"] and time.perf_counter() - start < 3 * PATIENCE:
            if self._stop.is_set():
                return
            await asyncio.sleep(1.0)
            known = await self.visitor.ask("GET", f"analyses/{known.content['id']}?since=1000")
        self.answers["review"].append(known._replace(seconds=time.perf_counter() - start))
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._stop.wait(), 10 * self.pause)
