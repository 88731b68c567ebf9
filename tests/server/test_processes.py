"""Several processes on one database."""

from __future__ import annotations

import asyncio
import json
import time
import urllib.request
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import psutil
import pytest
from server.processes import Process, Server, ended
from websockets.asyncio.client import ClientConnection, connect

from empedocles.cli import admin


async def listen(server: Server, match: str, token: str) -> ClientConnection:
    address = f"ws://127.0.0.1:{server.port}/api/matches/{match}/live"
    socket = await connect(address, additional_headers={"authorization": f"Bearer {token}"})
    await socket.send(json.dumps({"kind": "hello"}))
    return socket


async def news(socket: ClientConnection, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """The first message whose state is `wanted`."""
    async with asyncio.timeout(30):
        while True:
            message: dict[str, Any] = json.loads(await socket.recv())
            assert message["kind"] != "problem", message
            if message["kind"] == "state" and wanted(message["state"]):
                return message


def test_a_move_in_one_process_is_seen_live_in_the_other(tmp_path: Path, database: str) -> None:
    here, there = Server(tmp_path, database, "--bots", "0"), Server(tmp_path, database, "--bots", "0")
    with ended(here, there):
        here.wait()
        there.wait()
        asyncio.run(_across(here, there))


def _is_at(ply: int, state: dict[str, Any]) -> bool:
    return (state["status"], state["plies"]) == ("playing", ply)


async def _across(here: Server, there: Server) -> None:
    ada = here.ask("POST", "players", {"name": "Ada"})["token"]
    bo = there.ask("POST", "players", {"name": "Bo"})["token"]
    seats = [{"kind": "me"}, {"kind": "open"}]
    match = here.ask("POST", "matches", {"game": "ignite-and-flow", "seats": seats}, ada)["id"]
    hers = await listen(here, match, ada)
    assert there.ask("POST", f"matches/{match}/join", {}, bo)["mine"] == [1]
    his = await listen(there, match, bo)
    for ply in range(6):
        told = [await news(one, partial(_is_at, ply)) for one in (hers, his)]
        assert told[0]["state"]["position"] == told[1]["state"]["position"]
        socket, message = next((one, news) for one, news in zip((hers, his), told, strict=True) if news["choices"])
        number = message["state"]["number"]
        await socket.send(json.dumps({"kind": "play", "number": number, "move": message["choices"][0][0]}))
    last = await news(hers, partial(_is_at, 6))
    ended = here.ask("POST", f"matches/{match}/commands", {"number": last["state"]["number"], "kind": "resign"}, ada)
    assert ended["status"] == there.ask("GET", f"matches/{match}")["status"] == "over"
    again = there.ask("POST", f"matches/{match}/rematch", None, bo)["id"]
    await news(hers, lambda state: state["next"] == again)
    await hers.close()
    await his.close()


@pytest.mark.parametrize("ends", ["kill", "stop"])
def test_workers_and_bots_end_with_the_command(tmp_path: Path, ends: str) -> None:
    server = Server(tmp_path, str(tmp_path / "empedocles.db"), "--workers", "2", "--bots", "1")
    with ended(server):
        server.wait()
        ada = server.ask("POST", "players", {"name": "Ada"})["token"]
        seats = [{"kind": "bot", "agent": "level-1"}, {"kind": "me"}]
        match = server.ask("POST", "matches", {"game": "ignite-and-flow", "seats": seats}, ada)["id"]
        end = time.monotonic() + 60
        while not server.ask("GET", f"matches/{match}", token=ada)["moves"]:
            assert time.monotonic() < end, server.said
            time.sleep(0.1)
        started = server.children
        assert len(started) >= 4  # two that answer, one for bots, and a worker
        assert _figure(server, "empedocles_bot_seconds_count") >= 1  # counted in another process
        assert _figure(server, 'empedocles_entries_total{kind="move"}') >= 1
        assert admin.server_problem(server.address) == ""
        server.kill() if ends == "kill" else server.stop()
        _, alive = psutil.wait_procs(started, timeout=20)
        assert alive == []


def _figure(server: Server, name: str) -> float:
    with urllib.request.urlopen(f"{server.address}/metrics", timeout=30) as answer:
        said: str = answer.read().decode()
    return float(next(line.split()[1] for line in said.splitlines() if line.startswith(f"{name} ")))


def test_bots_alone(tmp_path: Path, database: str) -> None:
    server, bots = Server(tmp_path, database, "--bots", "0"), Process(tmp_path, "bots", "--database", database)
    with ended(server, bots):
        server.wait()
        ada = server.ask("POST", "players", {"name": "Ada"})["token"]
        seats = [{"kind": "bot", "agent": "level-1"}] * 2
        match = server.ask("POST", "matches", {"game": "elemental-defenders", "seats": seats}, ada)["id"]
        end = time.monotonic() + 120
        while server.ask("GET", f"matches/{match}")["status"] != "over":
            assert time.monotonic() < end, bots.said
            time.sleep(0.2)
        assert admin.local_problem(database) == ""  # both have reported that they are well
        server.stop()
        assert bots.stop() == 0
        assert "sign of life" in admin.local_problem(database)
