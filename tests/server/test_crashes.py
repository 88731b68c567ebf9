"""Whichever process is killed, and whenever: each acknowledged move is in the log once, and every log replays.

EMPEDOCLES_CRASH_SECONDS sets for how long processes are killed, for longer runs.
"""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import os
import random
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from server.postgresql import PostgreSQL
from server.processes import Process, Server, ended

from empedocles.server.domain.events import Event, Moved, Started
from empedocles.server.domain.table import Table
from empedocles.server.settings import Settings
from empedocles.server.storage import schema
from empedocles.server.storage.database import connect
from empedocles.server.storage.store import Store

SECONDS = float(os.environ.get("EMPEDOCLES_CRASH_SECONDS", "12"))
PLAYERS = 16
GAMES = ("ignite-and-flow", "elemental-defenders", "fire-and-water", "points-of-power")
LOST = (OSError, http.client.HTTPException, ValueError)  # lost connections and partial answers

Acknowledged = dict[tuple[str, int], str]  # match and number → move


class Player:
    """Plays matches through whichever server answers, and repeats a request until one does."""

    def __init__(self, number: int, servers: list[Server], stop: threading.Event) -> None:
        self.random, self.servers, self.stop = random.Random(number), servers, stop
        self.acknowledged: Acknowledged = {}
        self.repeats = 0

    def run(self) -> None:
        token = self.ask("POST", "players", {"name": "Ada"}, "")["token"]
        while not self.stop.is_set():
            other = self.random.choice([{"kind": "here"}, {"kind": "bot", "agent": "level-1"}])
            wanted = {"game": self.random.choice(GAMES), "seats": [{"kind": "me"}, other]}
            self.play(self.ask("POST", "matches", wanted, token)["id"], token)

    def play(self, match: str, token: str) -> None:
        while not self.stop.is_set():
            state = self.ask("GET", f"matches/{match}", None, token)
            if state["status"] == "over":
                return
            if not state["your_turn"]:
                time.sleep(0.05)
                continue
            wanted = {"number": state["number"], "move": self.random.choice(state["legal"])}
            played = self.ask("POST", f"matches/{match}/moves", wanted, token)
            assert played.get("number", 0) > wanted["number"], played  # nobody else moves for us: never refused
            self.acknowledged[match, wanted["number"]] = wanted["move"]

    def ask(self, method: str, path: str, body: Any, token: str) -> Any:
        """Repeat a request until it is answered."""
        while True:
            with contextlib.suppress(*LOST):
                answer = self.random.choice(self.servers).ask(method, path, body, token)
                if not isinstance(answer, dict) or answer.get("code") != "failed":
                    return answer
            self.repeats += 1
            time.sleep(0.05)


def kill_at_random(processes: list[Process], database: PostgreSQL | None) -> int:
    """Kill one process after another, and now and then the database; returns how many."""
    choice, killed, end = random.Random(7), 0, time.monotonic() + SECONDS
    while time.monotonic() < end:
        time.sleep(choice.uniform(0.5, 4.0))
        victim = choice.choice(processes)
        killed += 1
        if killed % 4 == 0 and (thinking := victim.children):
            choice.choice(thinking).kill()
            continue
        victim.kill()
        if database and killed % 5 == 3:
            database.kill()
            database.start()
        for process in processes:
            process.revive()
    return killed


def test_nothing_is_lost_or_doubled_when_processes_are_killed(tmp_path: Path, database: str, request: Any) -> None:
    postgresql = request.getfixturevalue("postgresql") if database.startswith("postgresql") else None
    servers = [Server(tmp_path, database, "--bots", "0") for _ in range(3)]
    bots = Process(tmp_path, "bots", "--database", database)
    with ended(*servers, bots):
        for server in servers:
            server.wait()
        with _playing(servers) as players:
            killed = kill_at_random([*servers, bots], postgresql)
            for server in servers:
                server.revive()
                server.wait()
        acknowledged = {key: move for player in players for key, move in player.acknowledged.items()}
        tables = asyncio.run(_read(database))
        _check(acknowledged, tables)
        told = {match: servers[0].ask("GET", f"matches/{match}")["number"] for match in tables}
        assert all(told[match] >= table.number for match, table in tables.items())  # bots may have moved since
    print(f"{killed} killed, {len(acknowledged)} moves, {sum(player.repeats for player in players)} repeats")
    assert killed >= 3
    assert len(acknowledged) > 50


@contextlib.contextmanager
def _playing(servers: list[Server]) -> Iterator[list[Player]]:
    stop = threading.Event()
    players = [Player(number, servers, stop) for number in range(PLAYERS)]
    with ThreadPoolExecutor(PLAYERS) as pool:
        running = [pool.submit(player.run) for player in players]
        try:
            yield players
        finally:
            stop.set()
    for played in running:
        played.result()


async def _read(database: str) -> dict[str, Table]:
    """Every table as a new process would read it, which replays its log."""
    store = Store(connect(Settings(database).url))
    try:
        async with store.engine.connect() as connection:
            found = [row[0] for row in await connection.execute(sa.select(schema.matches.c.id))]
        return {match: table for match in found if (table := await store.load(match)) is not None}
    finally:
        await store.close()


def _check(acknowledged: Acknowledged, tables: dict[str, Table]) -> None:
    for (match, number), move in acknowledged.items():
        event = tables[match].log[number].event
        assert isinstance(event, Moved)
        assert event.move == move
    for table in tables.values():
        assert [entry.number for entry in table.log] == list(range(table.number))
        assert [move for entry in table.log for move in _moves(entry.event)] == table.match.moves


def _moves(event: Event) -> tuple[str, ...]:
    match event:
        case Started(drawn=drawn):
            return drawn
        case Moved(move=move, drawn=drawn):
            return (move, *drawn)
    return ()
