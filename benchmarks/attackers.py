"""Attackers that try to starve everybody else at a server, each from one address and with half a core.

    python benchmarks/attackers.py NAME PORT ADDRESS SECONDS RECORD

`attacks.py` starts them. Each line on the standard output is a JSON object: facts that the victim of some attacks
needs to know, and finally the answers that the attacker got and the resources it used. All except those that flood on
purpose keep to the limits: when told to wait, they wait.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import random
import resource
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from pathlib import Path
from typing import Any

from visitors import GAMES, LOST, Answer, Visitor
from websockets.asyncio.client import ClientConnection

SHARE = 0.5  # of a core
LONGEST = 200_000  # characters of a record
POLITE = 0.25  # seconds to wait at least when told to
ME, HERE, OPEN = {"kind": "me"}, {"kind": "here"}, {"kind": "open"}
HEAD = "POST /api/records HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
PAPERS, LANGUAGES, THEMES = ("a4", "letter"), ("en", "de"), ("light", "dark")

Work = Callable[[int], Awaitable[None]]


class Attacker:
    def __init__(self, port: int, address: str, seconds: float, record: str) -> None:
        self.port, self.address, self.record = port, address, record
        self.seconds, self.end = seconds, time.monotonic() + seconds
        self.visitor = Visitor(port, address, patience=60.0)
        self.answers: Counter[str] = Counter()
        self._connections = asyncio.Semaphore(4)

    @property
    def left(self) -> float:
        return max(0.0, self.end - time.monotonic())

    @property
    def moves(self) -> list[str]:
        """The moves of the long match."""
        return self.record.split("\n\n")[1].split("\nend")[0].split()

    def say(self, **facts: Any) -> None:
        print(json.dumps(facts), flush=True)

    async def ask(self, method: str, path: str, body: Any = None, polite: bool = True) -> Answer:
        answer = await self.visitor.ask(method, path, body)
        self.answers[str(answer.status or answer.content)] += 1
        if polite and answer.status in (429, 503):
            await asyncio.sleep(max(POLITE, answer.wait))
        return answer

    async def become(self) -> Attacker:
        await self.visitor.become("Mal")
        return self

    async def table(self, game: str, *seats: dict[str, str], **more: Any) -> str:
        made = await self.ask("POST", "matches", {"game": game, "seats": list(seats), **more})
        return str(made.content["id"]) if made.ok else ""

    async def long_match(self) -> str:
        """Create a table with the longest possible match; returns its id."""
        while self.left:
            if (made := await self.ask("POST", "imports", {"record": self.record})).ok:
                return str(made.content["id"])
        return ""

    async def repeat(self, work: Work, at_once: int) -> None:
        """Repeat `work`, with the number of the repetition, until the time is over."""
        numbers = itertools.count()

        async def on() -> None:
            while self.left:
                await work(next(numbers))

        tasks = [asyncio.create_task(on()) for _ in range(at_once)]
        await asyncio.sleep(self.left)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def connected(self, match: str, count: int, work: Callable[[ClientConnection, int], Awaitable[None]]) -> None:
        """Keep `count` live connections to a table open, reopening any that are lost."""

        async def stay(number: int) -> None:
            try:
                async with contextlib.AsyncExitStack() as stack:
                    async with self._connections:  # one after another: a refusal means to go slower
                        socket = await self._connect(match, stack)
                    await work(socket, number)
            except LOST as error:
                self.answers[type(error).__name__] += 1

        await self.repeat(stay, count)

    async def _connect(self, match: str, stack: contextlib.AsyncExitStack) -> ClientConnection:
        try:
            socket = await stack.enter_async_context(self.visitor.live(match))
        except LOST:
            await asyncio.sleep(POLITE)
            raise
        self.answers["connected"] += 1
        return socket

    async def raw(self, head: bytes) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, local_addr=(self.address, 0))
        writer.write(head)
        return reader, writer


def many_files() -> None:
    """Raise the limit on open files as far as possible."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


async def _read(socket: ClientConnection) -> None:
    async for _ in socket:
        pass


async def _say_often(socket: ClientConnection, said: Iterable[dict[str, Any]], rate: float) -> None:
    """Send messages at a steady rate, reading only as much as keeps the connection alive."""
    reading = asyncio.create_task(_read(socket))
    try:
        for message in said:
            await socket.send(json.dumps(message))
            await asyncio.sleep(1 / rate)
    finally:
        reading.cancel()


# ── Seen before ──────────────────────────────────────────────────────────────────────────────────────────────────────


async def spectators(attacker: Attacker) -> None:
    """Sit down with somebody, fill the table with idle spectators, and claim the win when the other has dropped out."""
    await attacker.become()
    match = await attacker.table("ignite-and-flow", ME, OPEN)
    attacker.say(table=match)
    await _open_play(attacker, match)

    async def idle(socket: ClientConnection, _number: int) -> None:
        await _read(socket)

    async def claim() -> None:
        while attacker.answers["connected"] < 499 and attacker.left > 0.45 * attacker.seconds:
            await asyncio.sleep(0.2)
        attacker.say(full=attacker.answers["connected"])
        while attacker.left:
            await asyncio.sleep(1.0)
            if await _claim(attacker, match):
                attacker.say(claimed=True)
                return

    await asyncio.gather(attacker.connected(match, 520, idle), claim())


async def _open_play(attacker: Attacker, match: str) -> None:
    """Move as soon as the opponent sits down, so that it is their turn."""
    while attacker.left:
        state = await attacker.ask("GET", f"matches/{match}")
        if state.ok and state.content["status"] == "playing":
            if not state.content["your_turn"]:
                return
            wanted = {"number": state.content["number"], "move": state.content["legal"][0]}
            await attacker.ask("POST", f"matches/{match}/moves", wanted)
        await asyncio.sleep(0.2)


async def _claim(attacker: Attacker, match: str) -> bool:
    state = await attacker.ask("GET", f"matches/{match}")
    if not state.ok:
        return False
    return (
        await attacker.ask(
            "POST", f"matches/{match}/commands", {"number": state.content["number"], "kind": "claim"}, polite=False
        )
    ).ok


async def comments(attacker: Attacker) -> None:
    """Records with 76,000 empty comments, as many as fit."""
    text = f'[Game "points-of-power"]\n\n{" ".join(attacker.moves[:400])}'
    text += "{}" * ((LONGEST - len(text) - 5) // 2) + "\nend\n"

    async def work(_number: int) -> None:
        await attacker.ask("POST", "records", {"record": text})

    await attacker.repeat(work, 44)


async def hellos(attacker: Attacker) -> None:
    """`hello` again and again, on ten connections to a long match."""
    match = await (await attacker.become()).long_match()

    async def greet(socket: ClientConnection, _number: int) -> None:
        await _say_often(socket, itertools.repeat({"kind": "hello", "picture": True}), 19.0)

    await attacker.connected(match, 10, greet)


async def imports(attacker: Attacker) -> None:
    """Long matches by the hundred, and then their replays and animations."""
    await attacker.become()
    made: list[str] = []

    async def work(number: int) -> None:
        if len(made) < 179:
            answer = await attacker.ask("POST", "imports", {"record": attacker.record})
            made.extend([answer.content["id"]] if answer.ok else [])
        else:
            what = ("replay.html", "replay.gif")[number % 2]
            await attacker.ask("GET", f"matches/{made[number % len(made)]}/{what}")

    await attacker.repeat(work, 8)
    attacker.say(imported=len(made))


async def evaluations(attacker: Attacker) -> None:
    """Eighteen requests to the engine at the same time, each about a different position."""
    await attacker.become()
    matches = await _short_matches(attacker, 1, 300)

    async def work(number: int) -> None:
        await attacker.ask("POST", "evaluations", {"match": matches[0], "ply": number % 300}, polite=False)
        await asyncio.sleep(POLITE)

    await attacker.repeat(work, 18)


async def gifs(attacker: Attacker) -> None:
    """Seventeen animations at the same time, of matches as long as an animation may be."""
    await attacker.become()
    matches = await _short_matches(attacker, 4, 300)

    async def work(number: int) -> None:
        looks = f"theme={THEMES[number % 2]}&language={LANGUAGES[number // 2 % 2]}&wide={number // 4 % 2}"
        match = matches[number // 8 % len(matches)]
        await attacker.ask("GET", f"matches/{match}/replay.gif?{looks}", polite=False)
        await asyncio.sleep(POLITE)

    await attacker.repeat(work, 17)


async def _short_matches(attacker: Attacker, count: int, plies: int) -> list[str]:
    """Create short matches, each a move shorter than the last; returns their ids."""
    head, moves = attacker.record.split("\n\n")[0], attacker.moves
    found: list[str] = []
    while len(found) < count and attacker.left:
        text = f"{head}\n\n{' '.join(moves[: plies - len(found)])}\nend\n"
        answer = await attacker.ask("POST", "imports", {"record": text})
        found.extend([answer.content["id"]] if answer.ok else [])
    return found or ["none"]


async def headers(attacker: Attacker) -> None:
    """Connections that send half a request, or nothing, and then stop."""
    many_files()
    half = b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Half: "

    async def work(number: int) -> None:
        try:
            reader, writer = await attacker.raw(half if number % 4 else b"")
            attacker.answers["connected"] += 1
            with contextlib.closing(writer):
                attacker.answers["closed" if not await reader.read(1) else "answered"] += 1
        except OSError as error:
            attacker.answers[type(error).__name__] += 1
        await asyncio.sleep(0.5)

    await attacker.repeat(work, 1100)


async def tables(attacker: Attacker) -> None:
    """Open tables, as many as allowed."""
    await attacker.become()

    async def work(number: int) -> None:
        await attacker.table(GAMES[number % 2], ME, OPEN)

    await attacker.repeat(work, 4)


# ── Found since ──────────────────────────────────────────────────────────────────────────────────────────────────────


async def bodies(attacker: Attacker) -> None:
    """Requests whose bodies arrive at a byte per second."""
    many_files()

    async def work(_number: int) -> None:
        try:
            reader, writer = await attacker.raw(f"{HEAD}Content-Length: 200000\r\n\r\n".encode())
            attacker.answers["connected"] += 1
            answer = asyncio.create_task(reader.read(64))
            with contextlib.closing(writer):
                while not answer.done():
                    writer.write(b" ")
                    await asyncio.wait([answer], timeout=1.0)
                attacker.answers[answer.result()[9:12].decode() or "closed"] += 1
        except OSError as error:
            attacker.answers[type(error).__name__] += 1
        await asyncio.sleep(5.0)

    await attacker.repeat(work, 1100)


async def deaf(attacker: Attacker) -> None:
    """Connections to a long match that ask for everything and never read the answer."""
    match = await (await attacker.become()).long_match()

    async def work(_number: int) -> None:
        with contextlib.suppress(OSError):
            _reader, writer = await attacker.raw(_upgrade(attacker, match))
            writer.transport.pause_reading()  # type: ignore[attr-defined]
            attacker.answers["connected"] += 1
            hello = b'{"kind": "hello", "picture": true}'
            with contextlib.closing(writer):
                while not writer.transport.is_closing():
                    writer.write(bytes([0x81, 0x80 | len(hello), 0, 0, 0, 0]) + hello)  # with a mask of zeros
                    await asyncio.sleep(1.0)
        await asyncio.sleep(0.5)

    await attacker.repeat(work, 200)


def _upgrade(attacker: Attacker, match: str) -> bytes:
    lines = [
        f"GET /api/matches/{match}/live HTTP/1.1",
        "Host: localhost",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
        f"Authorization: Bearer {attacker.visitor.token}",
    ]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


async def players(attacker: Attacker) -> None:
    """New players, as many as allowed."""

    async def work(_number: int) -> None:
        await attacker.ask("POST", "players", {"name": "Mal"})

    await attacker.repeat(work, 4)


async def bots(attacker: Attacker) -> None:
    """Matches of the strongest bots against each other, so that others' bots have to wait."""
    await attacker.become()
    bot = {"kind": "bot", "agent": "level-8"}

    async def work(_number: int) -> None:
        await attacker.table("points-of-power", bot, bot, listed=False)

    await attacker.repeat(work, 4)


async def crowd(attacker: Attacker) -> None:
    """A table with a crowd that wants the whole picture of each move, and a player who moves and takes back."""
    await attacker.become()
    match = await attacker.table("fire-and-water", ME, HERE, listed=False)

    async def look(socket: ClientConnection, number: int) -> None:
        await socket.send(json.dumps({"kind": "hello", "language": LANGUAGES[number % 2], "wide": number % 4 < 2}))
        await _read(socket)

    await asyncio.gather(attacker.connected(match, 150, look), _move_and_take_back(attacker, match))


async def _move_and_take_back(attacker: Attacker, match: str) -> None:
    luck = random.Random(1)
    state = await attacker.ask("GET", f"matches/{match}")
    while attacker.left:
        if not state.ok or state.content["status"] == "over":
            return
        if state.content["your_turn"] and (legal := state.content.get("legal")):
            wanted = {"number": state.content["number"], "move": luck.choice(legal)}
            state = await attacker.ask("POST", f"matches/{match}/moves", wanted)
        else:
            wanted = {"number": state.content["number"], "kind": "back"}
            await attacker.ask("POST", f"matches/{match}/commands", wanted)
            state = await attacker.ask("GET", f"matches/{match}")


async def backs(attacker: Attacker) -> None:
    """Moves taken back again and again in long matches."""
    await attacker.become()
    matches = [await attacker.long_match() for _ in range(4)]
    await asyncio.gather(*(_move_and_take_back(attacker, match) for match in matches))


async def shows(attacker: Attacker) -> None:
    """`show` for one position after another of a long match, on twenty connections."""
    match, plies = await (await attacker.become()).long_match(), len(attacker.moves)

    async def show(socket: ClientConnection, number: int) -> None:
        luck = random.Random(number)
        await _say_often(socket, ({"kind": "show", "ply": luck.randrange(plies)} for _ in itertools.count()), 19.0)

    await attacker.connected(match, 20, show)


async def variations(attacker: Attacker) -> None:
    """Positions tried late in a long match, whose pieces have to be followed from the start, and long variations."""
    match, moves = await (await attacker.become()).long_match(), attacker.moves

    async def work(number: int) -> None:
        late = {"match": match, "ply": len(moves) - number % 500}
        long = {"match": match, "moves": moves[:200]}
        await attacker.ask("POST", "positions", (late, long)[number % 2])

    await attacker.repeat(work, 16)


async def pictures(attacker: Attacker) -> None:
    """Pictures of positions late in a long match."""
    match, plies = await (await attacker.become()).long_match(), len(attacker.moves)

    async def work(number: int) -> None:
        await attacker.ask("GET", f"matches/{match}/picture.svg?ply={plies - number % 5000}")

    await attacker.repeat(work, 16)


async def pages(attacker: Attacker) -> None:
    """Large pages of long matches: reviews, records, frames and tables, all to be compressed."""
    match, plies = await (await attacker.become()).long_match(), len(attacker.moves)
    paths = [f"/review/{match}", f"matches/{match}/record", f"matches/{match}/draws", f"matches/{match}"]

    async def work(number: int) -> None:
        start = number * 100 % plies
        await attacker.ask("GET", [*paths, f"matches/{match}/frames?start={start}&picture=true"][number % 5])

    await attacker.repeat(work, 16)


async def lists(attacker: Attacker) -> None:
    """The list of the attacker's own matches, each of them long."""
    await attacker.become()
    made = 0

    async def work(_number: int) -> None:
        nonlocal made
        if made < 50:
            made += (await attacker.ask("POST", "imports", {"record": attacker.record})).ok
        else:
            await attacker.ask("GET", "/me")

    await attacker.repeat(work, 8)


async def analyses(attacker: Attacker) -> None:
    """More analyses of long matches than may run at the same time, requested again and again."""
    await attacker.become()
    matches = await _short_matches(attacker, 9, 1500)

    async def work(number: int) -> None:
        await attacker.ask("POST", "analyses", {"match": matches[number % len(matches)]}, polite=False)
        await asyncio.sleep(1.0)

    await attacker.repeat(work, 9)


async def prints(attacker: Attacker) -> None:
    """All games on paper, in all their variants."""
    games = [f"{game}.pdf?{option}" for game in GAMES for option in _variants(game)]

    async def work(number: int) -> None:
        looks = f"paper={PAPERS[number % 2]}&language={LANGUAGES[number // 2 % 2]}&theme=print"
        await attacker.ask("GET", f"/print/{games[number // 4 % len(games)]}&{looks}", polite=False)
        await asyncio.sleep(POLITE)

    await attacker.repeat(work, 17)


def _variants(game: str) -> list[str]:
    options = {"fire-and-water": "players", "points-of-power": "players"}
    return [f"{options[game]}={players}" for players in (2, 4)] if game in options else [""]


async def rematches(attacker: Attacker) -> None:
    """One match after another resigned, and a rematch requested."""
    await attacker.become()
    match = await attacker.table("ignite-and-flow", ME, HERE)

    async def work(_number: int) -> None:
        nonlocal match
        state = await attacker.ask("GET", f"matches/{match}")
        if state.ok and state.content["status"] != "over":
            wanted = {"number": state.content["number"], "kind": "resign"}
            await attacker.ask("POST", f"matches/{match}/commands", wanted)
        if (again := await attacker.ask("POST", f"matches/{match}/rematch")).ok:
            match = again.content["id"]

    await attacker.repeat(work, 1)


async def chatter(attacker: Attacker) -> None:
    """Messages on fifty connections, as many as half a core can send, ignoring the answers."""
    match = await (await attacker.become()).table("ignite-and-flow", ME, HERE)

    async def talk(socket: ClientConnection, _number: int) -> None:
        reading = asyncio.create_task(_read(socket))
        try:
            for number in itertools.count():
                await socket.send('{"kind": "show", "ply": 0}')
                await asyncio.sleep(0 if number % 50 else 0.01)
        finally:
            reading.cancel()

    await attacker.connected(match, 50, talk)


async def churn(attacker: Attacker) -> None:
    """Connections opened and closed at once, as fast as half a core can."""

    async def work(_number: int) -> None:
        try:
            _reader, writer = await attacker.raw(b"")
            writer.close()
            attacker.answers["connected"] += 1
        except OSError as error:
            attacker.answers[type(error).__name__] += 1

    await attacker.repeat(work, 50)


async def flood(attacker: Attacker) -> None:
    """Thousands of requests for the front page at once, without waiting for the answers."""
    many = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n" * 2000

    async def work(_number: int) -> None:
        try:
            reader, writer = await attacker.raw(many)
            with contextlib.closing(writer):
                while said := await asyncio.wait_for(reader.read(2**20), 2.0):
                    lines = said.split(b"\r\n")
                    attacker.answers.update(line[9:12].decode() for line in lines if line[:5] == b"HTTP/")
        except LOST as error:
            attacker.answers[type(error).__name__] += 1

    await attacker.repeat(work, 10)


async def unread(attacker: Attacker) -> None:
    """Replays of a long match, requested on connections that never read them."""
    match = await (await attacker.become()).long_match()
    head = f"GET /api/matches/{match}/replay.html HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()

    async def work(_number: int) -> None:
        with contextlib.suppress(OSError):
            _reader, writer = await attacker.raw(head)
            writer.transport.pause_reading()  # type: ignore[attr-defined]
            attacker.answers["connected"] += 1
            with contextlib.closing(writer):
                await asyncio.sleep(attacker.left)

    await attacker.repeat(work, 40)


async def clocks(attacker: Attacker) -> None:
    """Tables whose clocks run out at once."""
    await attacker.become()

    async def work(_number: int) -> None:
        clock = {"kind": "minutes", "base": 0.5}
        await attacker.table("ignite-and-flow", ME, HERE, clock=clock, listed=False)

    await attacker.repeat(work, 4)


async def pings(attacker: Attacker) -> None:
    """WebSocket pings on twenty connections, as many as possible, ignoring the answers."""
    match = await (await attacker.become()).table("ignite-and-flow", ME, HERE)
    many = bytes([0x89, 0x80, 0, 0, 0, 0]) * 1000

    async def work(_number: int) -> None:
        with contextlib.suppress(OSError):
            reader, writer = await attacker.raw(_upgrade(attacker, match))
            attacker.answers["connected"] += 1
            reading = asyncio.create_task(_throw_away(reader))
            with contextlib.closing(writer):
                while not reading.done():
                    writer.write(many)
                    attacker.answers["pings"] += 1000
                    await writer.drain()
                    await asyncio.sleep(0.01)
        await asyncio.sleep(0.5)

    await attacker.repeat(work, 20)


async def _throw_away(reader: asyncio.StreamReader) -> None:
    while await reader.read(2**16):
        pass


async def endless(attacker: Attacker) -> None:
    """Headers without end."""
    block = b"x" * 65_536

    async def work(_number: int) -> None:
        try:
            reader, writer = await attacker.raw(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Endless: ")
            attacker.answers["connected"] += 1
            ended = asyncio.create_task(reader.read(64))
            with contextlib.closing(writer):
                while not ended.done():
                    writer.write(block)
                    await writer.drain()
                    attacker.answers["MB sent"] += 1
                    await asyncio.sleep(0.001)
                attacker.answers[ended.result()[9:12].decode() or "closed"] += 1
        except OSError as error:
            attacker.answers[type(error).__name__] += 1

    await attacker.repeat(work, 10)
    attacker.answers["MB sent"] = attacker.answers["MB sent"] * len(block) // 1_000_000


PROGRAMS: dict[str, Callable[[Attacker], Coroutine[Any, Any, None]]] = {
    program.__name__: program
    for program in (
        spectators,
        comments,
        hellos,
        imports,
        evaluations,
        gifs,
        headers,
        tables,
        bodies,
        deaf,
        players,
        bots,
        crowd,
        backs,
        shows,
        variations,
        pictures,
        pages,
        lists,
        analyses,
        prints,
        rematches,
        chatter,
        churn,
        flood,
        unread,
        clocks,
        pings,
        endless,
    )
}


async def _keep_to_share() -> None:
    """Block this process whenever it has used more than its share; little of the share can be saved up."""
    credit, at, spent = 0.0, time.monotonic(), time.process_time()
    while True:
        await asyncio.sleep(0.005)
        now, used = time.monotonic(), time.process_time()
        credit = min(credit + SHARE * (now - at) - (used - spent), 0.1)
        at, spent = now, used
        if credit < 0:
            time.sleep(-credit / SHARE)


async def attack(name: str, attacker: Attacker) -> None:
    start, spent = time.monotonic(), time.process_time()
    limit = asyncio.create_task(_keep_to_share())
    work = asyncio.create_task(PROGRAMS[name](attacker))
    done, _ = await asyncio.wait([work], timeout=attacker.seconds + 5.0)
    work.cancel()
    limit.cancel()
    if done and (error := work.exception()):
        attacker.say(failed=repr(error))
    cpu = (time.process_time() - spent) / (time.monotonic() - start)
    attacker.say(answers=attacker.answers, cpu=cpu)


def main(name: str, port: str, address: str, seconds: str, record: str) -> None:
    text = Path(record).read_text(encoding="utf-8")
    asyncio.run(attack(name, Attacker(int(port), address, float(seconds), text)))


if __name__ == "__main__":
    main(*sys.argv[1:])
