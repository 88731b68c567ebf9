"""A server in this process with people and tables, for requests and messages. It needs the packages of the server."""

from __future__ import annotations

import contextlib
import itertools
import random
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fastapi.testclient import TestClient
from starlette.types import ASGIApp, Receive, Scope, Send

from empedocles.game import Game
from empedocles.play.match import Match
from empedocles.position import Position
from empedocles.server.settings import Settings
from empedocles.server.web.app import create_app
from empedocles.testing.fuzz.boards import some_options
from empedocles.testing.fuzz.findings import need

PEOPLE = 3

# Limits of visitors are not what is tried here, and would leave little to try.
LIMITS = (
    *("rate", "burst", "messages", "messages_burst", "processor", "processor_burst", "work_rate", "work_burst"),
    *("players", "players_burst", "tables", "tables_burst", "open_tables", "open_tables_in_all"),
    *("connections", "spectating", "spectators_each", "windows_in_all"),
)
PLENTY: dict[str, Any] = dict.fromkeys(LIMITS, 1_000_000)


class _Crowd:
    """Lets every connection come from an address of its own, so that none is refused because there were many."""

    def __init__(self, app: ASGIApp) -> None:
        self.app, self.numbers = app, itertools.count(1)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "lifespan":
            number = next(self.numbers)
            scope["client"] = (f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}", 1)
        await self.app(scope, receive, send)


class House:
    def __init__(self, luck: random.Random, games: Sequence[Game]) -> None:
        self.luck, self.games = luck, list(games)
        self._open = contextlib.ExitStack()
        folder = self._open.enter_context(tempfile.TemporaryDirectory())
        self.app = create_app(Settings(str(Path(folder) / "fuzz.db"), bots=0, hosts="testserver", **PLENTY))
        self.client = self._open.enter_context(TestClient(_Crowd(self.app)))
        self.tokens = [self._token(f"player {number}") for number in range(PEOPLE)]
        self.tables = [self.new_table(luck.choice(self.games)) for _ in range(6)]

    def close(self) -> None:
        self._open.close()

    def _token(self, name: str) -> str:
        token: str = self.ask("POST", "/api/players", json={"name": name}).json()["token"]
        return token

    def headers(self, person: int) -> dict[str, str]:
        return {"authorization": f"Bearer {self.tokens[person]}"}

    def ask(self, method: str, path: str, **more: Any) -> Any:
        self.client.cookies.clear()  # several people share this client: each shows a token
        return self.client.request(method, path, follow_redirects=False, **more)

    def new_table(self, game: Game, plies: int | None = None) -> str:
        """A table of one person or of two, some moves into a match."""
        options = some_options(self.luck, game)
        position = Position.start(game, options)
        for _ in range(self.luck.choice((0, 3, 12, 40)) if plies is None else plies):
            if len(position.legal_actions) and not position.is_over:
                position = position.play(self.luck.choice(position.legal_actions))
        seats = [{"kind": "me"}] + [{"kind": self.luck.choice(("here", "open"))} for _ in range(position.seats - 1)]
        wanted = {"game": game.name, "options": position.options, "seats": seats, "start": position.text}
        made = self.ask("POST", "/api/matches", json=wanted, headers=self.headers(0))
        need(made.status_code == 201, "a table cannot be opened", made.text)
        table: str = made.json()["id"]
        self.ask("POST", f"/api/matches/{table}/join", json={}, headers=self.headers(1))
        return table

    def state(self, table: str, person: int = 0) -> dict[str, Any]:
        answer = self.ask("GET", f"/api/matches/{table}", headers=self.headers(person))
        need(answer.status_code == 200, "a table cannot be looked at", table, answer.text)
        state: dict[str, Any] = answer.json()
        return state

    def check(self) -> None:
        """Everything still works: tables are what their records say, and a new one can be played at."""
        self._replace_gone()
        for table in [table for table in self.tables if not self.is_gone(table)]:
            self.check_table(table)
        game = self.luck.choice(self.games)
        table = self.new_table(game, 0)
        self.tables = [*self.tables[-20:], table]
        need(self.ask("GET", "/api/games").status_code == 200, "games cannot be listed any more")

    def _replace_gone(self) -> None:
        """Replace players who are gone: they may delete themselves, and revoke their tokens."""
        for person in range(len(self.tokens)):
            if self.ask("GET", "/api/players/me", headers=self.headers(person)).status_code == 401:
                self.tokens[person] = self._token(f"player {person}")

    def is_gone(self, table: str) -> bool:
        """Whether a table was deleted, which its players may do."""
        return bool(self.ask("GET", f"/api/matches/{table}").status_code == 404)

    def check_table(self, table: str) -> None:
        state, answer = self.state(table), self.ask("GET", f"/api/matches/{table}/draws")
        need(answer.status_code == 200, "draws cannot be looked at", table, answer.text)
        start = self.start_of(table)
        again = Match(Position(start), chance="manual").play(*state["moves"])
        need(again.position.text == state["position"], "a table is not what its moves lead to", state)

    def start_of(self, table: str) -> str:
        """Where a match began, as its record says."""
        record = self.ask("GET", f"/api/matches/{table}/record")
        need(record.status_code == 200, "a record cannot be had", table, record.text)
        answer = self.ask("POST", "/api/records", json={"record": record.text})
        need(answer.status_code == 200, "a record of the server's own is refused", record.text, answer.text)
        start: str = answer.json()["start"]
        return start
