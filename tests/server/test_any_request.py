"""Whatever is sent to the API, it answers with less than 500, and tables stay what they are."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import not_a_server_error
from server.processes import Server, ended

from empedocles.server.app import create_app


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, postgresql: Any) -> Iterator[Server]:
    """On PostgreSQL, which is the more particular of the two about text."""
    folder: Path = tmp_path_factory.mktemp("any")
    found = Server(folder, postgresql.create("any_request"), "--bots", "0")
    with ended(found):
        found.wait()
        yield found


@pytest.fixture(scope="module")
def token(server: Server) -> str:
    made: str = server.ask("POST", "players", {"name": "Ada"})["token"]
    return made


described = schemathesis.openapi.from_dict(create_app().openapi())
few = settings(
    max_examples=25,
    derandomize=True,
    deadline=None,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@described.parametrize()
@few
def test_any_request(case: Any, server: Server, token: str) -> None:
    if case.path.startswith("/api/matches/{match}") and len(str(case.path_parameters.get("match"))) % 2:
        case.path_parameters["match"] = _table(server, token)  # a table that exists, every other time
    given = {"authorization": f"Bearer {token}"}
    # A hint may have to wait for the compiler.
    case.call_and_validate(server.address, headers=given, checks=[not_a_server_error], timeout=180)


def _table(server: Server, token: str) -> str:
    seats = [{"kind": "me"}, {"kind": "here"}]
    made: str = server.ask("POST", "matches", {"game": "fire-and-water", "seats": seats}, token)["id"]
    return made


def test_nothing_was_lost(server: Server, token: str) -> None:
    """After all that: tables can be listed, opened and played."""
    assert "Traceback" not in server.said
    for table in server.ask("GET", "matches?status=mine&limit=100", token=token):
        assert server.ask("GET", f"matches/{table['id']}", token=token)["number"] == table["number"]
    match = _table(server, token)
    state = server.ask("GET", f"matches/{match}", token=token)
    played = server.ask("POST", f"matches/{match}/moves", {"number": 1, "move": state["legal"][0]}, token)
    assert played["number"] == 2
