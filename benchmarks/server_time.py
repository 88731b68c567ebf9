"""Two versions of the server, round by round in turns: does a move take the new one no more processor time?

    python benchmarks/server_time.py OLD/src NEW/src [--rounds 24]

Both servers run side by side, each with a SQLite file of its own. In a round, two people each at a dozen tables of one
server play at random over WebSockets, and then others play the same matches at the other server. Measured is the
processor time of the server's process and of all that it has started, for each move that both players have seen.
Both get new processes every few rounds, since the memory that one happens to get makes it faster or slower for good.
Printed are the median of old / new and its 95 % interval, by resampling the rounds.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import random
import sys
import tempfile
from pathlib import Path

import numpy as np
import psutil
from interleaved import ROUNDS_OF_A_PROCESS, median_of
from visitors import GAMES, Json, Visitor
from websockets.asyncio.client import ClientConnection

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from server.processes import Server, ended

TABLES, MOVES = 12, 40  # of a round: fewer messages each than a connection may send at once
HELLO = json.dumps({"kind": "hello", "language": "en", "wide": True, "overlays": [], "picture": True})


class Table:
    """Two people who play each other, the same way whenever the number is the same."""

    def __init__(self, server: Server, number: int) -> None:
        self.people = [Visitor(server.port, f"127.1.{number % 250}.{k + 1}") for k in range(2)]  # each of a household
        self.game, self.random = GAMES[number % len(GAMES)], random.Random(number)
        self.sockets: list[ClientConnection] = []

    async def sit_down(self, stack: contextlib.AsyncExitStack) -> None:
        for person in self.people:
            stack.push_async_callback(person.close)
            await person.become()
        wanted = {"game": self.game, "seats": [{"kind": "me"}, {"kind": "open"}], "listed": False}
        match = (await self.people[0].ask("POST", "matches", wanted)).content["id"]
        await self.people[1].ask("POST", f"matches/{match}/join", {})
        for person in self.people:
            self.sockets.append(await stack.enter_async_context(person.live(match)))
            await self.sockets[-1].send(HELLO)

    async def play(self) -> int:
        """How many moves both have seen."""
        number = 0
        for moves in range(MOVES):
            told = [await _state(socket, number) for socket in self.sockets]
            turns = [seat for seat, message in enumerate(told) if message["state"]["your_turn"]]
            if not turns:
                return moves
            message = told[turns[0]]
            entry, move = message["state"]["number"], self.random.choice(sorted(move for move, _ in message["choices"]))
            await self.sockets[turns[0]].send(json.dumps({"kind": "play", "number": entry, "move": move}))
            number = entry + 1
        for socket in self.sockets:
            await _state(socket, number)
        return MOVES


async def _state(socket: ClientConnection, number: int) -> Json:
    """What is told of a table when its log has this many entries."""
    async for text in socket:
        message: Json = json.loads(text)
        if message["kind"] == "problem":
            raise RuntimeError(f"a server refuses: {message}")
        if message["kind"] == "state" and message["state"]["number"] >= number:
            return message
    raise EOFError("a server ended a connection")


async def play_round(server: Server, number: int) -> float:
    """Seconds of processor time for each move."""
    async with contextlib.AsyncExitStack() as stack:
        tables = [Table(server, TABLES * number + k) for k in range(TABLES)]
        for table in tables:
            await table.sit_down(stack)
        before = processor_time(server)
        moves = sum(await asyncio.gather(*(table.play() for table in tables)))
        return (processor_time(server) - before) / moves


def processor_time(server: Server) -> float:
    """Of all its processes, those included that have ended."""
    return sum(sum(process.cpu_times()[:4]) for process in (psutil.Process(server.process.pid), *server.children))


async def compare(servers: list[Server], numbers: range) -> list[list[float]]:
    """Seconds of processor time for each move of these rounds: of the old version, and of the new one."""
    for server in servers:
        await play_round(server, 0)  # what is loaded once
    found = []
    for number in numbers:
        seconds = [0.0, 0.0]
        for column in (0, 1) if number % 2 else (1, 0):
            seconds[column] = await play_round(servers[column], number)
        found.append(seconds)
    return found


def run(sources: tuple[Path, Path], numbers: range) -> list[list[float]]:
    with tempfile.TemporaryDirectory() as folder:
        servers = [
            Server(Path(folder), str(Path(folder) / f"{name}.db"), "--bots", "0", PYTHONPATH=str(source.resolve()))
            for name, source in zip(("old", "new"), sources, strict=True)
        ]
        with ended(*servers):
            for server in servers:
                server.wait()
            return asyncio.run(compare(servers, numbers))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--rounds", type=int, default=24)
    asked = parser.parse_args()
    seconds: list[list[float]] = []
    for first in range(0, asked.rounds, ROUNDS_OF_A_PROCESS):
        numbers = range(first, min(asked.rounds, first + ROUNDS_OF_A_PROCESS))
        seconds += run((asked.old, asked.new), numbers)
    old, new = np.array(seconds).T
    print(f"{1000 * np.median(old):.2f} {1000 * np.median(new):.2f} ms a move   {median_of(old / new)}")


if __name__ == "__main__":
    main()
