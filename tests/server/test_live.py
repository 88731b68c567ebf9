"""Live tables over WebSockets."""

from __future__ import annotations

import asyncio
import math
from pathlib import Path

import pytest
from server.fixtures import opened
from server.people import House, Person, next_kind

from empedocles.server.operations import runtime
from empedocles.server.web.routes import live
from empedocles.server.web.routes.live import LARGEST_MESSAGE, MESSAGES

WRONG = [
    "",
    "null",
    "[]",
    "{}",
    '"hello"',
    "{not json",
    '{"kind": "dance"}',
    '{"kind": "hello", "language": "fr"}',
    '{"kind": "hello", "overlays": [["x"]]}',
    '{"kind": "hello", "overlays": ["nothing"]}',
    '{"kind": "play"}',
    '{"kind": "play", "number": "two", "move": "Fc3"}',
    '{"kind": "play", "number": -1, "move": "Fc3"}',
    '{"kind": "play", "number": 1, "move": ""}',
    '{"kind": "play", "number": 1, "move": "Fc3 Wd4"}',
    '{"kind": "play", "number": 1, "move": "\\ud800"}',
    '{"kind": "play", "number": 1e400, "move": "Fc3"}',
    '{"kind": "command", "number": 1, "command": "dance"}',
    '{"kind": "command", "number": 1, "command": "decline", "text": "nothing"}',
    '{"kind": "command", "number": 1, "command": "bot", "text": "\\u0000"}',
    '{"kind": "show", "ply": 99999}',
    '{"kind": "show", "ply": -1}',
    "x" * (LARGEST_MESSAGE + 1),
    "[" * 4000,
]


def test_a_move_is_seen_by_all_at_once(house: House) -> None:
    ada, bo, match = house.pair()
    with ada.live(match) as hers, bo.live(match) as his, house.person("Eve").live(match) as theirs:
        for socket in (hers, his, theirs):
            socket.send_json({"kind": "hello"})
        first = next_kind(hers, "state")
        assert first["state"]["your_turn"]
        assert any(move == "Fc3" for move, _ in first["choices"])
        assert next_kind(his, "state")["choices"] == []
        next_kind(theirs, "state")
        hers.send_json({"kind": "play", "number": first["state"]["number"], "move": "Fc3"})
        for socket, mine in ((hers, [0]), (his, [1]), (theirs, [])):
            news = next_kind(socket, "state")
            while news["moves"] != ["Fc3"]:
                news = next_kind(socket, "state")
            assert news["state"]["mine"] == mine
            assert news["frame"]["ply"] == 1
            assert bool(news["choices"]) == (mine == [1])


def test_all_see_their_own_side_nearest(house: House) -> None:
    ada, bo, match = house.pair()
    nearest = []
    with ada.live(match) as hers, bo.live(match) as his:
        for socket in (hers, his):
            socket.send_json({"kind": "hello"})
            heights = {piece: y for piece, _, y, _ in next_kind(socket, "state")["frame"]["pieces"]}
            nearest.append(max(("temple-white-0", "temple-black-0"), key=lambda piece: heights[piece]))
    assert nearest == ["temple-white-0", "temple-black-0"]


def test_people_on_one_device_see_the_table_from_the_side_they_choose(house: House) -> None:
    ada = house.person("Ada")
    match = ada.create("ignite-and-flow", "me", "here")["id"]
    nearest = []
    with ada.live(match) as socket:
        for more in ({}, {"seat": 1}, {"seat": 7}):  # the last is not theirs
            socket.send_json({"kind": "hello", **more})
            heights = {piece: y for piece, _, y, _ in next_kind(socket, "state")["frame"]["pieces"]}
            nearest.append(max(("temple-white-0", "temple-black-0"), key=lambda piece: heights[piece]))
    assert nearest == ["temple-white-0", "temple-black-0", "temple-white-0"]


def test_a_long_match_comes_in_parts(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "PART", 7)
    ada = house.person("Ada")
    match = ada.create("points-of-power", "me", "here")["id"]
    for _ in range(20):
        state = ada.play(match)
    with ada.live(match) as socket:
        socket.send_json({"kind": "hello"})
        first = next_kind(socket, "state")
        assert (first["kept"], len(first["moves"]), first["state"]["plies"]) == (0, 7, state["plies"])
        parts = [first] + [next_kind(socket, "moves") for _ in range(math.ceil(state["plies"] / 7) - 1)]
        assert [move for part in parts for move in part["moves"]] == state["moves"]
        assert [part["kept"] for part in parts] == [7 * k for k in range(len(parts))]
        assert all(len(part["words"]) == len(part["movers"]) == len(part["moves"]) for part in parts)
        after = ada.play(match)
        news = next_kind(socket, "state")
        assert (news["kept"], news["moves"]) == (state["plies"], after["moves"][state["plies"] :])


@pytest.mark.parametrize("language", ["en", "de"])
def test_only_what_is_new_is_told_in_words(house: House, language: str) -> None:
    ada = house.person("Ada")
    match = ada.create("ignite-and-flow", "me", "here")["id"]
    ada.play(match, "Fc3")
    with ada.live(match) as socket:
        socket.send_json({"kind": "hello", "language": language})
        first = next_kind(socket, "state")
        assert (first["kept"], len(first["words"]), first["movers"]) == (0, 1, [0])
        socket.send_json({"kind": "play", "number": first["state"]["number"], "move": "Wd4"})
        news = next_kind(socket, "state")
        assert (news["kept"], len(news["words"]), news["movers"]) == (1, 1, [1])
        socket.send_json({"kind": "command", "number": news["state"]["number"], "command": "back"})
        assert next_kind(socket, "state")["kept"] == 1
        socket.send_json({"kind": "show", "ply": 0})
        assert next_kind(socket, "frame")["frame"]["ply"] == 0


def test_nonsense_is_answered_and_nothing_is_lost(house_on: House) -> None:
    ada = house_on.person("Ada")
    match = ada.create("ignite-and-flow", "me", "here")["id"]
    for said in WRONG:
        with ada.live(match) as socket:
            socket.send_text(said)
            assert next_kind(socket, "problem")["code"]
            socket.send_bytes(b"\xff\xfe\x00")
            assert next_kind(socket, "problem")["code"] == "bad-message"
            socket.send_json({"kind": "hello"})
            assert next_kind(socket, "state")["moves"] == []
    assert ada.play(match, "Fc3")["moves"] == ["Fc3"]


def test_who_sends_too_much_is_told(house: House) -> None:
    ada = house.person("Ada")
    match = ada.create("ignite-and-flow", "me", "here")["id"]
    with ada.live(match) as socket:
        for _ in range(int(20 * MESSAGES)):  # more than enough on any machine
            socket.send_json({"kind": "ping"})
        assert next_kind(socket, "problem")["code"] == "too-many-requests"


def test_a_table_that_is_not_there(house: House) -> None:
    for match in ("nothing", "a%00b", "x" * 60):
        with house.person("Ada").live(match) as socket:
            assert next_kind(socket, "problem")["code"] == "no-match"


def test_a_deleted_table_says_so_to_who_reads_it(house: House) -> None:
    ada = house.person("Ada")
    match = ada.create("ignite-and-flow", "me", "here")["id"]
    with ada.live(match) as socket:
        socket.send_json({"kind": "hello"})
        next_kind(socket, "state")
        ada.ask("DELETE", match)
        assert next_kind(socket, "problem")["code"] == "no-match"


def test_a_table_deleted_by_another_process_says_so_too(database: str) -> None:
    with opened(database) as here, opened(database) as there:
        ada = here.person("Ada")
        match = ada.create("ignite-and-flow", "me", "here")["id"]
        with Person(there.client, ada.token).live(match) as socket:
            socket.send_json({"kind": "hello"})
            next_kind(socket, "state")
            ada.ask("DELETE", match)
            news = next(message for message in iter(socket.receive_json, None) if message["kind"] != "state")
            assert news["code"] == "no-match"  # long before a sign of life
        assert Person(there.client, ada.token).refused("GET", match) == (404, "no-match")


def test_a_rematch_is_announced(house: House) -> None:
    ada, bo, match = house.pair()
    ada.do(match, "resign")
    with bo.live(match) as socket:
        socket.send_json({"kind": "hello"})
        assert next_kind(socket, "state")["state"]["next"] is None
        again = ada.ok("POST", f"{match}/rematch")["id"]
        assert next_kind(socket, "state")["state"]["next"] == again


def test_what_goes_on_beside_requests_goes_on_and_its_failures_can_be_found(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(runtime, "AGAIN", 0.0)
    times = 0

    async def fail_once() -> None:
        nonlocal times
        times += 1
        if times == 1:
            raise KeyError("a name that says little by itself")
        raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(runtime._forever(fail_once))
    assert times == 2
    assert "in fail_once" in caplog.text  # its place in the code


def test_nothing_waits_in_a_way_that_swallows_its_end() -> None:
    """`asyncio.wait_for` of Python 3.11 does, when what it waits for comes at the moment it is cancelled."""
    for file in Path(runtime.__file__).parents[1].rglob("*.py"):
        assert "wait_for(" not in file.read_text(encoding="utf-8"), file
