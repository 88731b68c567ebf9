"""Damaged WebSocket messages at live tables: each is answered or ignored, and the table stays what it is."""

from __future__ import annotations

import contextlib
import json
import random
from collections.abc import Sequence
from typing import Any, NamedTuple

from starlette.testclient import WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from empedocles.game import Game
from empedocles.testing.fuzz.findings import need
from empedocles.testing.fuzz.house import House
from empedocles.testing.fuzz.sketches import damaged_json, damaged_value

TOGETHER = 20  # messages over one connection, whose rate is limited
SILENCE = 3  # signs of life without an answer
LATER = 90_000  # a ply that no match has: the refusal of it shows that all before was heard
POLITE = (1001, 1008, 1009, 1012, 1013)  # codes of connections that are ended on purpose
WATCHING = -1  # nobody's token
COMMANDS = ("resign", "back", "draw", "decline", "claim", "bot", "nothing")


class Said(NamedTuple):
    table: str
    person: int  # or WATCHING
    message: str | bytes


class Messages:
    def __init__(self, luck: random.Random, games: Sequence[Game]) -> None:
        self.luck, self.house = luck, House(luck, games)
        self.sent, self.table, self.person, self.number = 0, "", WATCHING, 0
        self._open: contextlib.ExitStack | None = None
        self._socket: WebSocketTestSession | None = None

    def make(self) -> Said:
        """At the same table as before, or after some messages at another."""
        luck = self.luck
        if self.sent % TOGETHER == 0:
            self._leave()
            if luck.random() < 0.3:
                self.house.tables.append(self.house.new_table(luck.choice(self.house.games)))
            self.table, self.person = luck.choice(self.house.tables), luck.randint(WATCHING, 1)
        self.sent += 1
        return Said(self.table, self.person, self._message())

    def _message(self) -> str | bytes:
        luck = self.luck
        value = self._whole()
        way = luck.random()
        if way < 0.35:
            value = damaged_value(luck, value)
        text = json.dumps(value)
        if way > 0.9:
            damaged = damaged_json(luck, text)
            return damaged if luck.random() < 0.5 else damaged.decode("utf-8", "replace")
        return text

    def _whole(self) -> dict[str, Any]:
        luck, table = self.luck, self.table
        kind = luck.choice(("hello", "play", "play", "play", "command", "do", "show", "ping"))
        number = self.number + luck.choice((0, 0, 0, -1, 1))
        if kind == "hello":
            overlays = luck.choice(([], [], ["landmasses"], ["nothing"]))
            looks = {"language": luck.choice(("en", "de")), "wide": luck.random() < 0.5, "picture": luck.random() < 0.1}
            return {"kind": kind, "overlays": overlays, **looks}
        if kind == "play":
            state = self.house.state(table, max(self.person, 0)) if luck.random() < 0.7 else {}
            self.number = state.get("number", self.number)
            moves = state.get("legal") or luck.choice(self.house.games).moves
            return {"kind": kind, "number": state.get("number", number), "move": luck.choice(moves)}
        if kind in ("command", "do"):
            what = luck.choice(COMMANDS) if luck.random() < 0.3 else "nothing"
            return {
                "kind": kind,
                "number": number,
                "command" if kind == "command" else "what": what,
                "text": luck.choice(("", "back", "draw", "0")),
            }
        return {"kind": kind, "ply": luck.choice((0, 1, 5, 100_000))} if kind == "show" else {"kind": kind}

    def take(self, said: Said) -> bool:
        socket = self._socket or self._enter(said)
        before = self.house.state(said.table) if said.person == WATCHING else None
        try:
            if isinstance(said.message, bytes):
                socket.send_bytes(said.message)
            else:
                socket.send_text(said.message)
            accepted = self._heard(socket)
        except WebSocketDisconnect as end:
            need(end.code in POLITE, "a connection ends with an error", end.code, end.reason)
            self._leave()
            return False
        except Exception:
            self._leave()  # raises what went wrong in the server
            raise
        if before:
            after = self.house.state(said.table)
            need(before["number"] == after["number"], "somebody who only watches changes a table", after)
        return accepted

    def _heard(self, socket: WebSocketTestSession) -> bool:
        """Wait until the message was handled. Returns whether there was no problem."""
        ply, problems, silence = LATER + self.sent % 1000, 0, 0
        socket.send_text(json.dumps({"kind": "show", "ply": ply}))
        while silence < SILENCE:
            answer = socket.receive_json()
            silence += answer["kind"] == "ping"
            if answer["kind"] == "problem":
                if str(ply) in answer["message"]:
                    return problems == 0
                problems += 1
                if answer["code"] in ("too-many-requests", "failed"):
                    need(answer["code"] != "failed", "a message fails in the server", answer)
                    self._leave()
                    return False
        need(False, "a live table does not answer any more", ply)
        return False

    def _enter(self, said: Said) -> WebSocketTestSession:
        headers = {} if said.person == WATCHING else self.house.headers(said.person)
        stack = contextlib.ExitStack()
        address = f"/api/matches/{said.table}/live"
        self._socket = stack.enter_context(self.house.client.websocket_connect(address, headers=headers))
        self._open = stack
        return self._socket

    def _leave(self) -> None:
        """Hang up, and see whether the table is still what its moves lead to."""
        if self._open is None:
            return
        stack, self._open, self._socket = self._open, None, None
        stack.close()
        if not self.house.is_gone(self.table):
            self.house.check_table(self.table)

    def close(self) -> None:
        try:
            self._leave()
        finally:
            self.house.close()
