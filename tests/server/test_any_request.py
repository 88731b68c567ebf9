"""Whatever is sent to the API, it answers as described, and tables stay intact.

All checks of schemathesis are on. A few examples of each operation run quickly; for a long run:

    EXAMPLES=500 .venv/bin/pytest tests/server/test_any_request.py
"""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings, strategies
from schemathesis.config._checks import NEGATIVE_DATA_REJECTION_EXPECTED_STATUSES
from schemathesis.core.parameters import ParameterLocation
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance
from server.processes import Server, ended

import empedocles
from empedocles.play.match import Match
from empedocles.play.records import Record
from empedocles.server.web.app import create_app

EXAMPLES = int(os.environ.get("EXAMPLES", "4"))  # of each operation, besides edge cases
STEPS = 8  # one after another

# No schema can say whether a text is a position or a record, or a move legal: there, valid data may be refused.
JUDGED_BY_RULES = {
    "POST /api/matches",  # seats, options and bots fit a game; a start is a position of it
    "POST /api/matches/{match}/moves",
    "POST /api/records",
    "POST /api/imports",
    "POST /api/matches/{match}/warning",
    "POST /api/positions",
    "POST /api/positions/picture",
    "POST /api/positions/leads",
    "POST /api/positions/why",
    "POST /api/positions/state",
    "POST /api/positions/lines",
    "POST /api/evaluations",
    "POST /api/explanations",  # of legal moves, at least one
    "POST /api/analyses",  # from the side of a seat that exists
    "POST /api/puzzles/{game}",  # the theme must exist
    "POST /api/puzzles/{game}/{puzzle}/answers",
    "POST /api/puzzles/{game}/{puzzle}/solution",
    "POST /api/puzzles/{game}/{puzzle}/refutations",
    "GET /api/matches/{match}/picture.svg",  # the ply must exist
    "GET /api/matches/{match}/picture.png",
    "GET /api/matches/{match}/text",
    "GET /api/matches/{match}/frames",  # the seat must exist
    "GET /api/matches/{match}/replay.gif",
    "GET /api/matches/{match}/replay.html",
}


def played(game: str, plies: int) -> Match:
    match, luck = empedocles.new(game, seed=plies), random.Random(plies)
    while not match.is_over and len(match.moves) < plies:
        match.play(luck.choice(match.legal_moves))
    return match


some = [played(game, plies) for game in empedocles.games() for plies in (0, 3, 20)]
letters = strategies.characters(categories=["L", "N", "P", "S"], codec="latin-1")
schemathesis.openapi.format("player-name", strategies.text(letters, min_size=1, max_size=40))
schemathesis.openapi.format("position", strategies.sampled_from([match.position.text for match in some]))
schemathesis.openapi.format("record", strategies.sampled_from([str(Record(match)) for match in some]))
described = schemathesis.openapi.from_dict(create_app().openapi())
described.config.checks.negative_data_rejection.expected_statuses = [*NEGATIVE_DATA_REJECTION_EXPECTED_STATUSES, "413"]
few = settings(
    max_examples=EXAMPLES,
    derandomize=True,
    deadline=None,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    stateful_step_count=STEPS,
    suppress_health_check=list(HealthCheck),
)


class QuickServer(Server):
    """A server whose engine answers at once."""

    def start(self) -> None:
        quick = "from empedocles.server.web.routes import moves, review; moves.THINKS = review.THINKS = 0.01"
        self._command = [sys.executable, "-c", f"{quick}; from empedocles.cli import main; main()", *self._command[3:]]
        super().start()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, postgresql: Any) -> Iterator[Server]:
    """On PostgreSQL, which is stricter about text."""
    folder: Path = tmp_path_factory.mktemp("any")
    found = QuickServer(folder, postgresql.create("any_request"), "--bots", "0")
    with ended(found):
        found.wait()
        yield found


class Visitor:
    """A player with a table."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.token: str = server.ask("POST", "players", {"name": "Ada"})["token"]
        self.match = self.create()

    def create(self) -> str:
        made: str = self.server.ask("POST", "matches", wanted_table(), self.token)["id"]
        return made

    def send(self, case: Any) -> None:
        self._point_at_something(case)
        case.call_and_validate(
            self.server.address, headers=self.headers, excluded_checks=excluded(case), timeout=180
        )  # an engine may have to wait for the compiler

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    def _point_at_something(self, case: Any) -> None:
        """Use an existing table every other time, unless the request is meant to be wrong."""
        for given, place in ((case.path_parameters, ParameterLocation.PATH), (case.body, ParameterLocation.BODY)):
            named = isinstance(given, dict) and "match" in given and not case.meta.is_negative_at(place)
            if named and len(str(given["match"])) % 2:
                given["match"] = self.match if case.method == "GET" else self.create()


def excluded(case: Any) -> list[Any]:
    """Checks that cannot hold."""
    found = [positive_data_acceptance] if case.operation.label in JUDGED_BY_RULES else []
    # Unusual blanks in a name become plain ones instead of being refused.
    name = case.body.get("name") if isinstance(case.body, dict) and len(case.body) == 1 else None
    return [*found, negative_data_rejection] if isinstance(name, str) and len(name.split()) > 1 else found


def wanted_table() -> dict[str, Any]:
    return {"game": "ignite-and-flow", "seats": [{"kind": "me"}, {"kind": "here"}]}


@pytest.fixture(scope="module")
def ada(server: Server) -> Visitor:
    return Visitor(server)


@described.parametrize()
@few
def test_any_request(case: Any, server: Server, ada: Visitor) -> None:
    own = case.path.startswith("/api/players/me")  # their token may be invalid afterwards
    (Visitor(server) if own else ada).send(case)


def test_one_request_after_another(server: Server) -> None:
    """What was created exists, and what was deleted does not."""

    class Visit(described.as_state_machine()):  # type: ignore[misc]
        def setup(self) -> None:
            self.visitor = Visitor(server)

        def before_call(self, case: Any) -> None:
            if case.operation.label == "POST /api/matches" and not case.meta.is_negative_at(ParameterLocation.BODY):
                case.body = wanted_table()  # a valid one

        def get_call_kwargs(self, case: Any) -> dict[str, Any]:
            return {"base_url": server.address, "headers": self.visitor.headers, "timeout": 180}

        def validate_response(self, response: Any, case: Any, **kwargs: Any) -> None:
            case.validate_response(
                response, excluded_checks=excluded(case), transport_kwargs=kwargs, recorder=self.recorder
            )

    Visit.run(settings=few)


def test_nothing_was_lost(server: Server, ada: Visitor) -> None:
    """After all that: tables can be listed, opened and played."""
    assert "Traceback" not in server.said
    for table in server.ask("GET", "matches?status=mine&limit=100", token=ada.token):
        assert server.ask("GET", f"matches/{table['id']}", token=ada.token)["number"] == table["number"]
    match = ada.create()
    state = server.ask("GET", f"matches/{match}", token=ada.token)
    played = server.ask("POST", f"matches/{match}/moves", {"number": 1, "move": state["legal"][0]}, ada.token)
    assert played["number"] == 2


def test_every_operation_says_what_it_answers() -> None:
    paths = create_app().openapi()["paths"]
    for path, operations in paths.items():
        for method, operation in operations.items():
            responses = operation["responses"]
            assert {"403", "429", "503"} <= set(responses), (method, path)
            granted = next(response for status, response in responses.items() if status.startswith("2"))
            for kind, content in granted.get("content", {}).items():
                assert kind != "application/json" or "$ref" in str(content["schema"]), (method, path)
            assert "content" in granted or "204" in responses, (method, path)
            assert ("401" in responses) == ("security" in operation), (method, path)
