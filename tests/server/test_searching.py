"""What browsers need to search by themselves: files for ever, a position's bytes, and words."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest
from server.people import House, facts

import empedocles
from empedocles.game import Game
from empedocles.games import find
from empedocles.server.web.routes import searching

RECORD = '[Game "ignite-and-flow"]\n\n1. Fc3 2. Wd4 3. c3+d4 Tc3\nend\n'


@pytest.fixture
def house(house_on: House, monkeypatch: pytest.MonkeyPatch) -> House:
    """A server whose module of Ignite and Flow is two small files."""
    monkeypatch.setattr(searching, "is_offered", lambda game: game.name == "ignite-and-flow")
    monkeypatch.setattr(searching, "_kept", kept)
    return house_on


def kept(game: Game, name: str) -> tuple[str, bytes]:
    return "d1", gzip.compress(f"{game.name}: {name}".encode())


def imported(house: House, record: str = RECORD) -> str:
    ada = house.person("Ada")
    house.client.headers.update(ada.headers)
    return str(house.client.post("/api/imports", json={"record": record}).json()["id"])


@pytest.mark.parametrize("encoding", ["gzip", "identity"])
def test_files_are_kept_for_ever_by_the_digest_in_their_address(house: House, encoding: str) -> None:
    given = facts(house, f"/review/{imported(house)}")["engine"]
    for name, address in given.items():
        answer = house.client.get(address, headers={"accept-encoding": encoding})
        assert answer.text == "ignite-and-flow: " + Path(address).name.replace(".d1", ""), name
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert answer.headers.get("content-encoding", "identity") == encoding
        assert house.client.get(address.replace(".d1", ".d2")).status_code == 404
    assert house.client.get(given["code"]).headers["content-type"] == "application/wasm"


@pytest.mark.parametrize(
    "path", ["stones/module.d1.wasm", "ignite-and-flow/rules.d1.py", "fire-and-water/module.d1.wasm"]
)
def test_no_other_file_is_given(house: House, path: str) -> None:
    assert house.client.get(f"/modules/{path}").status_code == 404


def test_a_network_is_for_the_options_that_it_was_trained_on(house: House) -> None:
    game = find("ignite-and-flow")
    known = searching.engine_files(game, game.complete({}))
    assert known
    assert known["network"]
    other = searching.engine_files(game, game.complete({"reactions": "literal"}))
    assert other == known | {"network": None}


def test_without_a_module_the_page_is_as_it_was(house: House) -> None:
    match = imported(house, '[Game "points-of-power"]\n\nend\n')
    page = house.client.get(f"/review/{match}").text
    assert 'id="searching"' not in page
    assert re.search(r'"engine": null', page)


def test_a_position_is_told_as_its_bytes(house: House) -> None:
    match = empedocles.new("ignite-and-flow").play("Fc3", "Wd4")
    wanted = {"match": imported(house), "ply": 1, "moves": ["Wd4"]}
    answer = house.client.post("/api/positions/state", json=wanted).json()
    assert bytes(answer["state"]) == match.position.state.tobytes()


def test_lines_are_told_in_words_up_to_the_first_that_is_no_move(house: House) -> None:
    wanted = {"match": imported(house), "ply": 1, "language": "de", "lines": [["Wd4", "c3+d4"], ["Wd4", "Fc3"], []]}
    answer = house.client.post("/api/positions/lines", json=wanted).json()["lines"]
    first = "Schwarz legt Wasser auf d4"
    assert answer[0][0] == first
    assert len(answer[0]) == 2
    assert answer[1:] == [[first], []]
    refused = house.client.post("/api/positions/lines", json={**wanted, "lines": [["Wd4"]] * 9})
    assert (refused.status_code, refused.json()["code"]) == (422, "bad-request")
