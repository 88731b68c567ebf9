"""The server's messages fit their models, from which the browser code's types are generated."""

from __future__ import annotations

import json

import messages
import pytest
from pydantic import ValidationError
from server.people import House, Json, facts, next_kind

from empedocles.coach.puzzles import puzzles
from empedocles.games import GAMES
from empedocles.play.analysis import Remark
from empedocles.play.match import new
from empedocles.play.story import story
from empedocles.search.limits import Evaluation
from empedocles.server.limits.budgets import Who
from empedocles.server.web import wire
from empedocles.server.web.routes import live as sockets
from empedocles.server.workers.analyses import Analysis, analysis_view
from empedocles.server.workers.jobs import remark_view, story_view, turning_view

NEEDS_AN_ENGINE = {"Hint", "MoveWarning", "Refutation", "WarningAnswer"}


def at_a_table(house: House) -> dict[str, list[Json]]:
    ada = house.person("Ada")
    made = ada.create("elemental-defenders", "me", "here", clock={"kind": "minutes", "base": 60})
    match = made["id"]
    with ada.live(match) as socket:
        socket.send_json({"kind": "hello", "picture": True})
        first = next_kind(socket, "state")
        more = next_kind(socket, "moves")
        socket.send_json({"kind": "show", "ply": 0})
        earlier = next_kind(socket, "frame")
        ping = next_kind(socket, "ping")
        socket.send_json({"kind": "play", "number": 0, "move": "nonsense"})
        problem = next_kind(socket, "problem")
    why = ada.ok("GET", f"{match}/why?target=confirm")
    draws = ada.ok("GET", f"{match}/draws")
    over = ada.do(match, "resign")
    shuffling = ada.create("elemental-defenders", "me", "here", shuffles=True)
    return {
        "NewFacts": [facts(house, "/new?game=points-of-power"), facts(house, "/new?game=ignite-and-flow")],
        "TableFacts": [facts(house, f"/t/{match}")],
        "NewTable": [made, shuffling],
        "StateMessage": [first],
        "MovesMessage": [more],
        "TableState": [over],
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
    answers = [house.client.post("/api/lessons/ignite-and-flow/4", json=tried).json() for tried in tries]
    return {"LessonFacts": [facts(house, "/learn/ignite-and-flow/4")], "Verdict": answers}


def in_a_puzzle(house: House) -> dict[str, list[Json]]:
    puzzle = next(puzzle for game in GAMES.values() for puzzle in puzzles(game) if puzzle.own_moves > 1)
    place, skill = f"{puzzle.game.name}/{puzzle.id}", {"mu": 25, "sigma": 8}
    view = house.client.get(f"/api/puzzles/{place}").json()
    answer = house.client.post(f"/api/puzzles/{place}/answers", json={"moves": puzzle.line[:1]}).json()
    solution = house.client.post(f"/api/puzzles/{place}/solution", json={"skill": skill}).json()
    return {
        "PuzzleFacts": [facts(house, f"/puzzles/{place}"), facts(house, f"/puzzles/{puzzle.game.name}/day")],
        "PuzzleView": [view],
        "PuzzleAnswer": [answer],
        "PuzzleTurn": [answer["turn"]],
        "PuzzleStep": answer["steps"],
        "PuzzleSolution": [solution],
        "PuzzleAbout": [solution["about"]],
        "Skill": [solution["skill"]],
    }


def in_a_review(house: House) -> dict[str, list[Json]]:
    ada = house.person("Ada")
    record = {"record": '[Game "ignite-and-flow"]\n\n1. Fc3 2. Wd4 3. c3+d4 Tc3\nend\n'}
    match = house.client.post("/api/imports", json=record, headers=ada.headers).json()["id"]
    house.client.headers.update(ada.headers)
    film = house.client.get(f"/api/matches/{match}/frames?picture=true").json()
    view = house.client.post("/api/positions", json={"match": match, "ply": 1}).json()
    shown = facts(house, f"/review/{match}")
    here = {"match": match, "ply": 1}
    bytes_here = house.client.post("/api/positions/state", json=here).json()
    lines = house.client.post("/api/positions/lines", json=here | {"lines": [["Wd4"], []]}).json()
    engine = shown["engine"] or {"code": "", "card": "", "network": None}  # where no modules are built
    remark = Remark(0, 0, Evaluation("Fc3", 0.1), Evaluation("Wd4", 0.5, 3, line=("Wd4",)))
    start = new("ignite-and-flow")
    told = json.dumps(remark_view(start.position, remark, remark.explained(start.position), "en"))
    given = Analysis("a.1", "a", start.play("Fc3"), 1.0, [0], Who("here"), [{"en": told}])
    given.story = {"en": [json.dumps(story_view(story(start, [remark]), None, "en"))]}
    analysis = json.loads(analysis_view(given, 0, "en"))
    return {
        "ReviewFacts": [shown],
        "Frames": [film],
        "Film": [{"texts": film["texts"], "plies": film["plies"]}],
        "PositionView": [view],
        "PositionState": [bytes_here],
        "Lines": [lines],
        "EngineFiles": [engine],
        "Frame": [view["frame"]],
        "Analysis": [analysis],
        "Remark": analysis["remarks"],
        "Why": [analysis["remarks"][0]["reason"]],
        "Story": [analysis["story"]],
        "Portrait": analysis["story"]["players"],
        "TurningPoint": [turning_view(start.start, remark, "en")],
        "Evaluation": [analysis["remarks"][0][which] for which in ("played", "best")],
    }


def elsewhere(house: House) -> dict[str, list[Json]]:
    ada = house.person("Ada")
    match = ada.create("ignite-and-flow", "me", "here")["id"]
    ada.create("ignite-and-flow", "me", "open")
    record = house.client.get(f"/api/matches/{match}/record").text
    return {
        "NewPlayer": [house.client.post("/api/players", json={"name": "Bo"}).json()],
        "MyToken": [house.client.get("/api/players/me/token", headers=ada.headers).json()],
        "Game": house.client.get("/api/games").json(),
        "Summary": house.client.get("/api/matches?status=waiting").json(),
        "LegalState": [ada.look(match)],
        "ReadRecord": [house.client.post("/api/records", json={"record": record}).json()],
        "Leads": [ada.ok("GET", f"{match}/leads?target=c3")],
    }


def test_what_a_server_says_is_typed(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "SILENCE", 0.3)
    monkeypatch.setattr(sockets, "PART", 8)  # fewer than the cards of a deal
    told = at_a_table(house) | in_a_lesson(house) | in_a_puzzle(house) | in_a_review(house) | elsewhere(house)
    for name, values in told.items():
        assert values, name
        for value in values:
            getattr(wire, name).model_validate_json(json.dumps(value), strict=True)
    parts = {"Option", "SeatAt", "Clock", "Draw", "ShuffleAt", "Sizes", "NumberedFrame", "Situation"}  # of those
    parts |= {"Tally", "Count", "Milestone", "Why", "Opponent", "Saying"}
    known = {model.__name__ for model in messages.models() if issubclass(model, wire.Told)}
    assert known == set(told) | parts | NEEDS_AN_ENGINE


def test_a_field_that_nobody_knows_is_noticed() -> None:
    with pytest.raises(ValidationError, match="extra"):
        wire.Player.model_validate({"id": "a", "name": "Ada", "secret": "b"})


@pytest.mark.parametrize("said", [{"kind": "do", "what": "resign"}, {"kind": "command", "command": "resign"}])
def test_commands_have_one_name_and_are_understood_by_the_old_one(house: House, said: Json) -> None:
    ada = house.person("Ada")
    match = ada.create("ignite-and-flow", "me", "here")["id"]
    with ada.live(match) as socket:
        socket.send_json({"kind": "hello"})
        next_kind(socket, "state")
        socket.send_json({"number": 1, **said})
        assert next_kind(socket, "state")["state"]["ending"] == "resign"
    other = ada.create("ignite-and-flow", "me", "here")["id"]
    assert ada.ok("POST", f"{other}/commands", {"number": 1, "kind": "resign"})["ending"] == "resign"


def test_a_message_has_the_moves_that_are_new(house: House) -> None:
    ada = house.person("Ada")
    match = ada.create("ignite-and-flow", "me", "here")["id"]
    with ada.live(match) as socket:
        socket.send_json({"kind": "hello"})
        heard = [next_kind(socket, "state")]
        for move in ("Fc3", "Wd4"):
            ada.play(match, move)
            heard.append(next_kind(socket, "state"))
        ada.do(match, "back")
        heard.append(next_kind(socket, "state"))
    assert [(message["kept"], message["moves"]) for message in heard] == [(0, []), (0, ["Fc3"]), (1, ["Wd4"]), (1, [])]


def test_types_for_the_browser_say_what_the_models_do() -> None:
    written = messages.whole()
    assert "export interface NewTable extends TableState {\n  invites: Record<string, string>;" in written
    assert '  offers: Partial<Record<"draw" | "back", number>>;' in written
    assert "  movers: (number | null)[];" in written
    assert "  rule?: string | null; // The rule that an illegal move breaks." in written
