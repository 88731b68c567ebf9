"""Damaged requests to a server in this process: it answers with less than 500, or 503, and goes on."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

from empedocles.game import Game
from empedocles.testing.fuzz.damage import changed_characters, changed_number
from empedocles.testing.fuzz.findings import need
from empedocles.testing.fuzz.house import House
from empedocles.testing.fuzz.positions import Positions
from empedocles.testing.fuzz.records import Records
from empedocles.testing.fuzz.sketches import damaged_json, damaged_value, sketched

PAGES = (
    *("/", "/new", "/me", "/here", "/review", "/rules", "/learn", "/themes.css", "/static/base.css", "/nothing"),
    *("/health", "/metrics", "/api/openapi.json"),
    *("/rules/{game}", "/learn/{game}", "/learn/{game}/{number}", "/t/{match}", "/review/{match}"),
)
QUERIES = (  # also unasked for
    *("game", "status", "limit", "ply"),
    *("theme", "language", "players", "board", "paper", "box"),
)
HEAVY = (
    "gif",
    "png",
    "pdf",
    "hint",
    "warning",
    "turning",
    "evaluations",
    "analyses",
    "replay",
)  # take seconds, in processes of their own
SELDOM = 0.004  # how often one of those is asked for
OFTEN = 100  # requests between two checks that all is well
SLOW = 3.0  # seconds of processor time for one request

Json = dict[str, Any]


class Asked(NamedTuple):
    method: str
    path: str
    headers: dict[str, str]
    body: bytes | None


class Route(NamedTuple):
    method: str
    path: str  # with {names}
    parameters: list[Json]
    body: Json | None  # a schema


class Requests:
    def __init__(self, luck: random.Random, games: Sequence[Game]) -> None:
        self.luck, self.house = luck, House(luck, games)
        self.described = self.house.app.openapi()
        routes = [*_routes(self.described), *(Route("GET", path, [], None) for path in PAGES)]
        routes += [Route("POST", "/play/{game}", [], None), Route("GET", "/print/{game}.pdf", [], None)]
        routes += [Route("GET", "/print/{game}/puzzles.pdf", [], None)]
        self.light = [route for route in routes if not _is_heavy(route)]
        self.heavy = [route for route in routes if _is_heavy(route)]
        self.known = _known(luck, games)
        self.asked = 0

    def make(self) -> Asked:
        luck = self.luck
        route = luck.choice(self.heavy if luck.random() < SELDOM else self.light)
        known = self.known | {"match": [*self.house.tables, "nothing"]}
        method = route.method if luck.random() < 0.97 else luck.choice(("GET", "PUT", "DELETE", "PATCH", "HEAD"))
        body = self._body(route, known) if route.body or luck.random() < 0.02 else None
        return Asked(method, self._path(route, known), self._headers(body), body)

    def _path(self, route: Route, known: dict[str, Sequence[Any]]) -> str:
        luck, path, query = self.luck, route.path, []
        schemas = {one["name"]: one.get("schema", {}) for one in route.parameters}
        named = [part.split("}")[0] for part in path.split("{")[1:]]
        for name in named:
            value = str(sketched(luck, schemas.get(name, {"type": "string"}), self._definitions, known, name))
            if luck.random() < 0.15:
                value = luck.choice((changed_characters, changed_number))(luck, value)
            path = path.replace(f"{{{name}}}", quote(value.encode("utf-8", "surrogatepass"), safe=""))
        for one in route.parameters:
            if one["in"] == "query" and (one.get("required") or luck.random() < 0.5):
                value = sketched(luck, one.get("schema", {}), self._definitions, known, one["name"])
                values = value if isinstance(value, list) else [value]
                query += [(one["name"], str(damaged_value(luck, v) if luck.random() < 0.25 else v)) for v in values]
        if luck.random() < 0.1:
            name = luck.choice(QUERIES)
            query.append((name, str(luck.choice(known.get(name, ("", "1", "x"))))))
        return f"{path}?{urlencode(query, errors='surrogatepass')}" if query else path

    @property
    def _definitions(self) -> Json:
        found: Json = self.described["components"]["schemas"]
        return found

    def _body(self, route: Route, known: dict[str, Sequence[Any]]) -> bytes:
        luck = self.luck
        value = sketched(luck, route.body or {"type": "object"}, self._definitions, known)
        if luck.random() < 0.5:
            value = damaged_value(luck, value)
        text = json.dumps(value)
        return damaged_json(luck, text) if luck.random() < 0.08 else text.encode()

    def _headers(self, body: bytes | None) -> dict[str, str]:
        luck = self.luck
        headers = self.house.headers(luck.randrange(len(self.house.tokens))) if luck.random() < 0.85 else {}
        if body is not None:
            headers["content-type"] = "application/json" if luck.random() < 0.96 else "text/plain"
        if luck.random() < 0.3:
            headers["accept"] = luck.choice(("text/html", "*/*", "", "image/png"))
            headers["accept-language"] = luck.choice(("de", "en;q=0.1", ",;,", "x" * 900))
        if luck.random() < 0.02:
            headers["host"] = luck.choice(("", "elsewhere.example", "localhost:x", "[::1", "a" * 300))
        return headers

    def take(self, asked: Asked) -> bool:
        start = time.process_time()
        answer = self.house.ask(asked.method, asked.path, headers=asked.headers, content=asked.body)
        seconds = time.process_time() - start
        status = answer.status_code
        need(status < 500 or status == 503, f"an answer of {status}", answer.text[:300])
        need(seconds < SLOW or any(word in asked.path for word in HEAVY), "a request takes long", f"{seconds:.1f} s")
        if status == 201 and asked.path == "/api/matches":
            self.house.tables.append(answer.json()["id"])
        self.asked += 1
        if self.asked % OFTEN == 0:
            self.house.check()
        return bool(status < 400)

    def close(self) -> None:
        self.house.close()


def _routes(described: Json) -> Iterator[Route]:
    for path, methods in described["paths"].items():
        for method, route in methods.items():
            body = route.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
            yield Route(method.upper(), path, route.get("parameters", []), body)


def _is_heavy(route: Route) -> bool:
    return any(word in route.path for word in HEAVY)


def _known(luck: random.Random, games: Sequence[Game]) -> dict[str, Sequence[Any]]:
    """What a program that knows the server would ask for, and damaged texts of all kinds."""
    positions, records = Positions(luck, games), Records(luck, games)
    texts = [*luck.sample(positions.all, 40), *(positions.make() for _ in range(40))]
    moves = [luck.choice(game.moves) for game in games for _ in range(20)]
    known: dict[str, Sequence[Any]] = {
        "game": [*(game.name for game in games), "chess"],
        "position": texts,
        "start": ["", "", *texts],
        "record": [*records.texts, *(records.make() for _ in range(20)), *texts[:5]],
        "move": moves,
        "moves": [[luck.choice(moves) for _ in range(luck.randint(0, 3))] for _ in range(20)],
        "arrows": [[luck.choice(moves)] for _ in range(10)],
        "target": ["a1", "c3", "confirm", "F", ""],
        "chosen": [["a1"], ["F", "c3"], []],
        "kind": ["resign", "back", "draw", "decline", "claim", "bot", "me", "here", "open", "link", "minutes"],
        "text": ["", "back", "draw"],
        "number": [*range(6)],
        "seat": [None, 0, 1, 2, 7],
        "ply": [*range(5)],
        "name": ["Ada", "Bo", "x" * 40],
        "options names": [option.name for game in games for option in game.options],
        "options values": [value for game in games for option in game.options for value in option.values],
        "token": ["x", ""],
        "analysis": ["x", "0"],
    }
    records.close()
    return known
