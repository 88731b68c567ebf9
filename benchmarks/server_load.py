"""Many matches at once: moves per second, and how long until the opponent sees a move.

    python benchmarks/server_load.py [--database postgresql --servers 2] [--matches 500] [--moves 200]

Starts real servers (and PostgreSQL, if asked), connects two WebSocket clients to each match (of different servers,
where there are several), and plays legal moves at a steady rate. The delay counts from sending a move to the
opponent's client receiving it. At the end each log is compared with the moves that were sent and seen.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gc
import json
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil
from websockets.asyncio.client import ClientConnection, connect

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from server import postgresql
from server.processes import Server, ended

GAMES = ("ignite-and-flow", "elemental-defenders", "points-of-power")


@dataclass
class Seat:
    server: Server
    token: str
    socket: ClientConnection | None = None
    turn: tuple[int, list[str]] | None = None  # number and legal moves, if it is this client's turn
    moves: list[str] = field(default_factory=list)


@dataclass
class Load:
    rate: float
    sent: dict[tuple[str, int], tuple[float, int]] = field(default_factory=dict)  # match and number → when, and by whom
    delays: list[float] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    finished: int = 0


class Match:
    def __init__(self, name: str, seats: list[Seat], load: Load) -> None:
        self.name, self.seats, self.load = name, seats, load
        self.over = False

    async def listen(self, number: int) -> None:
        seat = self.seats[number]
        assert seat.socket is not None
        async for text in seat.socket:
            message = json.loads(text)
            if message["kind"] == "state":
                self._hear(number, message, time.perf_counter())
            elif message["kind"] == "problem":
                self.load.problems.append(f"{self.name}: {message}")

    def _hear(self, number: int, message: dict[str, Any], now: float) -> None:
        seat, state = self.seats[number], message["state"]
        seat.moves, self.over = seat.moves[: message["kept"]] + message["moves"], state["status"] == "over"
        sent = self.load.sent.get((self.name, state["number"] - 1))
        if sent and sent[1] != number:
            self.load.delays.append(now - sent[0])
        seat.turn = (state["number"], [move for move, _ in message["choices"]]) if state["your_turn"] else None

    async def move(self) -> bool:
        """Send one move, if it is anybody's turn; returns whether it was."""
        for number, seat in enumerate(self.seats):
            if seat.turn and not self.over and seat.socket:
                entry, choices = seat.turn
                seat.turn = None
                self.load.sent[self.name, entry] = (time.perf_counter(), number)
                await seat.socket.send(json.dumps({"kind": "play", "number": entry, "move": random.choice(choices)}))
                return True
        return False


async def open_match(game: str, servers: list[Server], load: Load) -> Match:
    def make() -> tuple[str, list[Seat]]:
        seats = []
        for number in range(2):
            server = servers[number % len(servers)]
            seats.append(Seat(server, server.ask("POST", "players", {"name": "Ada"})["token"]))
        wanted = {"game": game, "seats": [{"kind": "me"}, {"kind": "open"}]}
        name: str = servers[0].ask("POST", "matches", wanted, seats[0].token)["id"]
        seats[1].server.ask("POST", f"matches/{name}/join", {}, seats[1].token)
        return name, seats

    match = Match(*(await asyncio.to_thread(make)), load)
    for seat in match.seats:
        address = f"ws://127.0.0.1:{seat.server.port}/api/matches/{match.name}/live"
        headers = {"authorization": f"Bearer {seat.token}"}
        seat.socket = await connect(address, additional_headers=headers, max_size=2**22, open_timeout=60)
        await seat.socket.send(json.dumps({"kind": "hello", "wide": random.random() < 0.5}))
    return match


async def play(
    servers: list[Server], count: int, rate: float, seconds: float
) -> tuple[Load, list[Match], dict[str, float]]:
    load, gate = Load(rate), asyncio.Semaphore(8)

    async def opened(number: int) -> Match:
        async with gate:
            return await open_match(GAMES[number % len(GAMES)], servers, load)

    before = memory(servers)
    matches = list(await asyncio.gather(*(opened(number) for number in range(count))))
    listening = [asyncio.create_task(match.listen(seat)) for match in matches for seat in range(2)]
    await asyncio.sleep(3)
    gc.freeze()  # this process's pauses would count as the server's
    gc.disable()
    figures = {"kB a match": (memory(servers) - before) / count / 1000}
    start, sent, skipped, spent = time.perf_counter(), 0, 0, cpu(servers)
    while (now := time.perf_counter() - start) < seconds:
        if sent + skipped < now * rate:
            done = await random.choice(matches).move()
            sent, skipped = sent + done, skipped + (not done)
        else:
            await asyncio.sleep(0.001)
    figures |= {"moves/s": sent / now, "server CPU %": 100 * (cpu(servers) - spent) / now}
    await drained(load)
    for task in listening:
        task.cancel()
    return load, matches, figures


async def drained(load: Load) -> None:
    """Wait until each move was seen, for a minute at most."""
    for _ in range(600):
        if len(load.delays) >= len(load.sent):
            break
        await asyncio.sleep(0.1)
    await asyncio.sleep(1)  # for the last movers to see their own moves


def memory(servers: list[Server]) -> float:
    return float(sum(psutil.Process(server.process.pid).memory_info().rss for server in servers))


def cpu(servers: list[Server]) -> float:
    return float(sum(sum(psutil.Process(server.process.pid).cpu_times()[:2]) for server in servers))


def check(load: Load, matches: list[Match]) -> int:
    """The number of sent moves that are not in the log exactly once."""
    wrong = 0
    sent: dict[str, int] = {}
    for name, _ in load.sent:
        sent[name] = sent.get(name, 0) + 1
    for match in matches:
        server = match.seats[0].server
        state = server.ask("GET", f"matches/{match.name}")
        written = state["number"] - 2  # without the start and the joining
        wrong += abs(written - sent.get(match.name, 0))
        wrong += any(seat.moves != state["moves"] for seat in match.seats)
    return wrong


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--database", default="sqlite", help="sqlite, postgresql, or the address of one")
    parser.add_argument("--matches", type=int, default=500)
    parser.add_argument("--moves", type=float, default=200.0, help="a second")
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--servers", type=int, default=1)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, database_of(asked.database, Path(folder)) as database:
        servers = [Server(Path(folder), database, "--bots", "0") for _ in range(asked.servers)]
        with ended(*servers):
            for server in servers:
                server.wait()
            load, matches, figures = asyncio.run(play(servers, asked.matches, asked.moves, asked.seconds))
            wrong = check(load, matches)
            report(load, figures, wrong, servers)


@contextlib.contextmanager
def database_of(wanted: str, folder: Path) -> Iterator[str]:
    if wanted == "sqlite":
        yield str(folder / "load.db")
    elif wanted == "postgresql":
        with postgresql.running() as server:
            yield server.create("load")
    else:
        yield wanted


def report(load: Load, figures: dict[str, float], wrong: int, servers: list[Server]) -> None:
    delays = sorted(1000 * delay for delay in load.delays)
    for name, value in figures.items():
        print(f"{name:>16}: {value:.1f}")
    print(f"{'delays':>16}: {len(delays)} of {len(load.sent)} moves")
    for part in (0.5, 0.9, 0.99, 1.0):
        print(f"{f'{part:.0%} within':>16}: {delays[min(len(delays) - 1, int(part * len(delays)))]:.1f} ms")
    print(f"{'lost or doubled':>16}: {wrong}")
    for problem in load.problems[:5]:
        print(problem)
    for server in servers:
        print(server.said.splitlines()[1:10])


if __name__ == "__main__":
    main()
