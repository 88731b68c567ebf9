"""People and programs who use a server's API, as tests see them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from fastapi.testclient import TestClient
from starlette.testclient import WebSocketTestSession

Json = dict[str, Any]


class House:
    """A server in this process."""

    def __init__(self, client: TestClient) -> None:
        self.client = client

    @property
    def service(self) -> Any:
        return self.client.app.state.service  # type: ignore[attr-defined]

    def person(self, name: str) -> Person:
        made = self.client.post("/api/players", json={"name": name})
        assert made.status_code == 201, made.text
        self.client.cookies.clear()  # several people share this client: each sends a token
        return Person(self.client, made.json()["token"], made.json()["id"])

    def pair(self, game: str = "ignite-and-flow", **more: Any) -> tuple[Person, Person, str]:
        """Two people at a table of their own."""
        ada, bo = self.person("Ada"), self.person("Bo")
        match = ada.create(game, "me", "open", **more)["id"]
        bo.ok("POST", f"{match}/join", {})
        return ada, bo, match


class Person:
    def __init__(self, client: TestClient, token: str, player: str = "") -> None:
        self.client, self.token, self.id = client, token, player
        self.headers = {"authorization": f"Bearer {token}"}

    def ask(self, method: str, path: str, body: Json | None = None) -> Any:
        """Any request below /api/matches."""
        content = None if body is None else json.dumps(body)  # escaped, so that half characters can be sent
        headers = self.headers | {"content-type": "application/json"}
        return self.client.request(method, f"/api/matches/{path}".rstrip("/"), content=content, headers=headers)

    def ok(self, method: str, path: str, body: Json | None = None) -> Any:
        answer = self.ask(method, path, body)
        assert answer.status_code in (200, 201), answer.text
        return answer.json()

    def refused(self, method: str, path: str, body: Json | None = None) -> tuple[int, str]:
        answer = self.ask(method, path, body)
        return answer.status_code, answer.json().get("code")

    def create(self, game: str, *seats: str, **more: Any) -> Json:
        """A table with seats such as "me", "open", "link", "here" and "level-1"."""
        wanted = [{"kind": "bot", "agent": seat} if "-" in seat else {"kind": seat} for seat in seats]
        table: Json = self.ok("POST", "", {"game": game, "seats": wanted} | more)
        return table

    def look(self, match: str) -> Json:
        state: Json = self.ok("GET", match)
        return state

    def play(self, match: str, move: str | None = None) -> Json:
        """Play a move, by default the first legal one."""
        state = self.look(match)
        wanted = {"number": state["number"], "move": move or state["legal"][0]}
        played: Json = self.ok("POST", f"{match}/moves", wanted)
        return played

    def do(self, match: str, kind: str, text: str = "", number: int | None = None) -> Json:
        wanted = self._command(match, kind, text, number)
        state: Json = self.ok("POST", f"{match}/commands", wanted)
        return state

    def may_not(self, match: str, kind: str, text: str = "", number: int | None = None) -> str:
        """The code with which a command is refused."""
        status, code = self.refused("POST", f"{match}/commands", self._command(match, kind, text, number))
        assert 400 <= status < 500
        return code

    def _command(self, match: str, kind: str, text: str, number: int | None) -> Json:
        return {"number": self.look(match)["number"] if number is None else number, "command": kind, "text": text}

    @contextmanager
    def live(self, match: str) -> Iterator[WebSocketTestSession]:
        with self.client.websocket_connect(f"/api/matches/{match}/live", headers=self.headers) as socket:
            yield socket


def next_kind(socket: WebSocketTestSession, kind: str) -> Json:
    """The next message of a kind, skipping others."""
    while True:
        message: Json = socket.receive_json()
        if message["kind"] == kind:
            return message


def facts(house: House, path: str, who: dict[str, str] | None = None) -> Json:
    """The data that a page gives its script."""
    text = house.client.get(path, headers=who).text
    written = re.search(r'id="facts">(.*?)</script>', text, re.DOTALL)
    assert written, text
    found: Json = json.loads(written[1])
    return found


def play_out(match: str, *people: Person) -> Json:
    """Play to the end, always the first legal move."""
    while True:
        for person in people:
            state = person.look(match)
            if state["status"] == "over":
                return state
            if state["your_turn"]:
                person.play(match)
