"""What pages take for granted about messages is what a server says: the types in messages.d.ts, name by name."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from server.people import House, Json, facts, next_kind

import empedocles
from empedocles.play.analysis import Remark
from empedocles.play.match import new
from empedocles.search.limits import Evaluation
from empedocles.server.limits.budgets import Who
from empedocles.server.web.routes import live as sockets
from empedocles.server.workers.analyses import Analysis, analysis_view
from empedocles.server.workers.jobs import remark_view

ROOT = Path(empedocles.__file__).parent
TYPES = (ROOT / "server" / "web" / "messages.d.ts").read_text(encoding="utf-8")
DRAWN = (ROOT / "play" / "static" / "picture.js").read_text(encoding="utf-8")
NEEDS_AN_ENGINE = {"Hint"}
LINES = re.MULTILINE | re.DOTALL
KINDS = {"string": str, "number": (int, float), "boolean": bool, "null": type(None)}
SAID = {model.__name__: model for model in (sockets.Hello, sockets.Play, sockets.Do, sockets.Show)}

Fields = dict[str, str]  # name, with ? where it may be missing → type


def declared() -> dict[str, Fields]:
    """All interfaces, with what they extend."""
    found: dict[str, Fields] = {}
    for name, text in re.findall(r"@typedef \{object\} (\w+)(.*?)(?=@typedef|\*/)", DRAWN, re.DOTALL):
        fields = re.findall(r"@property \{(.+)\} (\[?)(\w+)", text)
        found[name] = {field + ("?" if optional else ""): kind for kind, optional, field in fields}
    for name, parent, text in re.findall(r"^export interface (\w+)(?: extends (\w+))? \{(.*?)^\}", TYPES, LINES):
        found[name] = found.get(parent, {}) | dict(re.findall(r"^  (\w+\??): ([^;]+);", text, re.MULTILINE))
    return found


def fits(value: Any, kind: str) -> bool:
    """As far as a type is simple."""
    parts = kind.split(" | ") if not re.search(r"[<({]", kind) else []
    if not parts or not all(part in KINDS or part.startswith('"') for part in parts):
        return not kind.endswith("[]") or isinstance(value, list)
    return any(value == part[1:-1] if part[0] == '"' else type(value) in _types(part) for part in parts)


def _types(part: str) -> tuple[type, ...]:
    found = KINDS[part]
    return found if isinstance(found, tuple) else (found,)


def wrong(value: Json, fields: Fields) -> set[str]:
    """Fields that are missing, not declared, or of another type."""
    needed = {name for name in fields if not name.endswith("?")}
    kinds = {name.rstrip("?"): kind for name, kind in fields.items()}
    unfit = {name for name, kind in kinds.items() if name in value and not fits(value[name], kind)}
    return unfit | (needed - set(value)) | (set(value) - set(kinds))


def at_a_table(house: House) -> dict[str, list[Json]]:
    ada = house.person("Ada")
    made = ada.create("elemental-defenders", "me", "here", clock={"kind": "minutes", "base": 60})
    match = made["id"]
    with ada.live(match) as socket:
        socket.send_json({"kind": "hello", "picture": True})
        first = next_kind(socket, "state")
        socket.send_json({"kind": "show", "ply": 0})
        earlier = next_kind(socket, "frame")
        ping = next_kind(socket, "ping")
        socket.send_json({"kind": "play", "number": 0, "move": "nonsense"})
        problem = next_kind(socket, "problem")
    why = ada.ok("GET", f"{match}/leads?target=confirm")
    draws = ada.ok("GET", f"{match}/draws")
    over = ada.do(match, "resign")
    state = first["state"]
    return {
        "NewFacts": [facts(house, "/new?game=points-of-power"), facts(house, "/new?game=ignite-and-flow")],
        "TableFacts": [facts(house, f"/t/{match}")],
        "Made": [made],
        "StateMessage": [first],
        "TableState": [state, {key: over[key] for key in state}],
        "Seat": state["seats"],
        "Clock": [state["clock"]],
        "LiveFrame": [first["frame"], earlier["frame"]],
        "FrameMessage": [earlier],
        "PingMessage": [ping],
        "ProblemMessage": [problem],
        "Problem": [{key: value for key, value in problem.items() if key != "kind"}],
        "Help": [why, ada.ok("GET", f"{match}/why?target=nothing")],
        "Draws": [draws | {"secret": over["secret"]}],
        "Player": [{"id": ada.id, "name": "Ada"}],
    }


def in_a_lesson(house: House) -> dict[str, list[Json]]:
    tries: list[Json] = [{"show": True}, {"move": "nonsense"}, {"chosen": ["c3"]}]
    answers = [house.client.post("/api/lessons/ignite-and-flow/3", json=tried).json() for tried in tries]
    return {"LessonFacts": [facts(house, "/learn/ignite-and-flow/3")], "Judgement": answers}


def in_a_review(house: House) -> dict[str, list[Json]]:
    ada = house.person("Ada")
    record = {"record": '[Game "ignite-and-flow"]\n\n1. Fc3 2. Wd4 3. c3+d4 Tc3\nend\n'}
    match = house.client.post("/api/imports", json=record, headers=ada.headers).json()["id"]
    house.client.headers.update(ada.headers)
    film = house.client.get(f"/api/matches/{match}/frames?picture=true").json()
    view = house.client.post("/api/positions", json={"match": match, "ply": 1}).json()
    shown = facts(house, f"/review/{match}")
    remark = Remark(0, 0, Evaluation("Fc3", 0.1), Evaluation("Wd4", 0.5, 3, line=("Wd4",)))
    start = new("ignite-and-flow")
    told = json.dumps(remark_view(start.position, remark, "en"))
    given = Analysis("a", start.play("Fc3"), 1.0, [0], Who("here"), [{"en": told}])
    analysis = json.loads(analysis_view(given, 0, "en"))
    return {
        "ReviewFacts": [shown],
        "Frames": [film],
        "Film": [{"texts": film["texts"], "plies": film["plies"]}],
        "Numbered": film["plies"],
        "PositionView": [view],
        "Frame": [view["frame"]],
        "Analysis": [analysis],
        "Remark": analysis["remarks"],
        "Evaluation": [analysis["remarks"][0][which] for which in ("played", "best")],
    }


def test_pages_know_what_a_server_says(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "SILENCE", 0.3)
    types = declared()
    told = at_a_table(house) | in_a_lesson(house) | in_a_review(house)
    for name, values in told.items():
        for value in values:
            assert not wrong(value, types[name]), name
    assert set(types) == set(told) | set(SAID) | NEEDS_AN_ENGINE


def test_a_server_understands_what_pages_say() -> None:
    types = declared()
    for name, model in SAID.items():
        assert set(model.model_fields) == set(types[name])


def test_a_type_that_differs_is_noticed() -> None:
    fields = {"a": "number | null", "b?": "string", "c": "string[]"}
    assert not wrong({"a": None, "c": []}, fields)
    assert wrong({"a": "1", "b": 2, "d": 0}, fields) == {"a", "b", "c", "d"}
