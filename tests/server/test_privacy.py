"""What visitors can do with their data: download it, delete it, and revoke their tokens."""

from __future__ import annotations

import asyncio
import io
import json
import time
import zipfile
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import sqlalchemy as sa
from fastapi import WebSocketDisconnect
from server.fixtures import opened
from server.people import House, Json, Person, next_kind

import empedocles
from empedocles.play.records import Record, read_records
from empedocles.server.storage import schema
from empedocles.server.storage.store import Store
from empedocles.server.web.security import COOKIE

ME = "/api/players/me"


@pytest.fixture
def two(database: str) -> Iterator[tuple[House, House]]:
    """Two servers on one database, which stand for two processes."""
    with opened(database) as here, opened(database) as there:
        yield here, there


def elsewhere(person: Person, house: House) -> Person:
    return Person(house.client, person.token, person.id)


def status(house: House, person: Person) -> int:
    code: int = house.client.get(ME, headers=person.headers).status_code
    return code


def wait_until(happens: Callable[[], bool]) -> None:
    """Wait for something that other processes notice a moment later."""
    end = time.monotonic() + 30
    while not happens():
        assert time.monotonic() < end
        time.sleep(0.02)


def delete(house: House, person: Person) -> None:
    answer = house.client.delete(ME, headers=person.headers)
    assert answer.status_code == 204, answer.text


def held(house: House) -> str:
    """Everything in the database."""

    async def read() -> list[Any]:
        tables = schema.players, schema.matches, schema.seats, schema.log
        return [row for table in tables for row in await house.service.store.rows(sa.select(table))]

    assert house.client.portal
    return repr(house.client.portal.call(read))


# ── Tokens ──


def test_a_new_token_makes_the_old_one_worthless_everywhere(two: tuple[House, House]) -> None:
    here, there = two
    ada = here.person("Ada")
    made = here.client.post(f"{ME}/tokens", headers=ada.headers)
    assert made.status_code == 201
    new = Person(here.client, made.json()["token"], ada.id)
    here.client.cookies.clear()
    for house in two:
        assert status(house, ada) == 401
        assert status(house, new) == 200
        assert house.client.post("/api/players/here", json={"token": ada.token}).status_code == 403
    assert there.client.post(f"{ME}/tokens", headers=ada.headers).status_code == 401
    assert new.token not in held(here)


def test_the_browser_that_asked_for_it_goes_on(house: House) -> None:
    house.client.post("/api/players", json={"name": "Ada"})
    old = house.client.cookies[COOKIE]
    token = house.client.post(f"{ME}/tokens").json()["token"]
    assert house.client.cookies[COOKIE] == token != old
    assert house.client.get(ME).json()["name"] == "Ada"


def test_live_connections_of_an_old_token_are_closed_everywhere(two: tuple[House, House]) -> None:
    here, there = two
    ada, bo, match = here.pair()
    with elsewhere(ada, there).live(match) as thief, bo.live(match) as other:
        for socket in (thief, other):
            socket.send_json({"kind": "hello"})
            next_kind(socket, "state")
        token = here.client.post(f"{ME}/tokens", headers=ada.headers).json()["token"]
        assert next_kind(thief, "problem")["code"] == "no-player"
        with pytest.raises(WebSocketDisconnect):
            thief.receive_json()
        new = Person(there.client, token, ada.id)
        with new.live(match) as mine:
            mine.send_json({"kind": "hello"})
            assert next_kind(mine, "state")["state"]["mine"] == [0]
            mine.send_json({"kind": "play", "number": 2, "move": "Fc3"})
            while next_kind(other, "state")["moves"] != ["Fc3"]:
                pass


def test_what_was_missed_is_looked_up(house: House) -> None:
    """As when the connection to the database broke: nobody was notified, and the token is checked again."""
    ada, _, match = house.pair()
    with ada.live(match) as socket:
        socket.send_json({"kind": "hello"})
        next_kind(socket, "state")
        portal = house.client.portal
        assert portal
        hub = house.client.app.state.hub  # type: ignore[attr-defined]
        portal.call(hub.doubt_all)
        socket.send_json({"kind": "show", "ply": 0})
        assert next_kind(socket, "frame")  # it is still valid
        hers = sa.update(schema.players).where(schema.players.c.id == ada.id), {"token": "another"}
        portal.call(house.service.store.commit, hers)
        portal.call(hub.doubt_all)
        assert next_kind(socket, "problem")["code"] == "no-player"


# ── Taking along ──


def unpacked(house: House, person: Person) -> tuple[Json, dict[str, str]]:
    answer = house.client.get(f"{ME}/export", headers=person.headers)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/zip"
    assert "attachment" in answer.headers["content-disposition"]
    with zipfile.ZipFile(io.BytesIO(answer.content)) as pack:
        assert pack.testzip() is None
        texts = {name: pack.read(name).decode() for name in pack.namelist()}
    return json.loads(texts.pop("player.json")), texts


@pytest.fixture
def here_and_now(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do the work of other processes in a thread of this one."""

    async def patient(_self: object, _who: object, work: Any, *given: Any) -> Any:
        return await asyncio.to_thread(work, *given)

    monkeypatch.setattr("empedocles.server.workers.lines.Thinkers.patient", patient)


def test_everything_of_ones_own_can_be_taken_along(house_on: House, here_and_now: None) -> None:
    ada, bo, match = house_on.pair(clock={"kind": "minutes", "base": 600})
    ada.play(match, "Fc3")
    given = Record(empedocles.new("elemental-defenders", seed=1), {0: "Ada", 1: "Eve"}, comments={0: "well"})
    headers = {"headers": ada.headers}
    imported = house_on.client.post("/api/imports", json={"record": str(given)}, **headers).json()["id"]  # type: ignore[arg-type]
    bo.create("ignite-and-flow", "me", "here")
    for _ in range(11):  # more than a batch
        ada.create("ignite-and-flow", "me", "here")
    facts, records = unpacked(house_on, ada)
    assert (facts["id"], facts["name"]) == (ada.id, "Ada")
    assert facts["created"].endswith("+00:00")
    assert len(facts["tables"]) == len(records) == 13
    told = {table["id"]: table for table in facts["tables"]}
    assert told[match]["my_seats"] == [0]
    assert [seat["name"] for seat in told[match]["seats"]] == ["Ada", "Bo"]
    played = list(read_records(io.StringIO(records[f"records/{match}.emp"])))
    assert played[0].match.moves == ["Fc3"]
    assert "well" in records[f"records/{imported}.emp"]
    assert ada.token not in str(facts)


def test_strangers_take_nothing_along(house: House) -> None:
    assert house.client.get(f"{ME}/export").status_code == 401
    assert house.client.delete(ME).status_code == 401
    assert house.client.post(f"{ME}/tokens").status_code == 401


def test_a_match_of_a_game_that_is_gone_does_not_hide_the_others(house: House, here_and_now: None) -> None:
    ada = house.person("Ada")
    gone, kept = (ada.create("ignite-and-flow", "me", "here")["id"] for _ in range(2))
    change = sa.update(schema.matches).where(schema.matches.c.id == gone), {"game": "gone", "start": "gone to-move=0"}
    assert house.client.portal
    house.client.portal.call(house.service.store.commit, change)
    assert list(unpacked(house, ada)[1]) == [f"records/{kept}.emp"]


def test_one_export_at_a_time(house: House, here_and_now: None) -> None:
    ada = house.person("Ada")
    exporting = house.client.app.state.exporting  # type: ignore[attr-defined]
    assert exporting.take(ada.id)
    refused = house.client.get(f"{ME}/export", headers=ada.headers)
    assert (refused.status_code, refused.json()["code"]) == (429, "too-many-requests")
    assert "retry-after" in refused.headers
    exporting.free(ada.id)
    unpacked(house, ada)
    assert exporting.taken(ada.id) == 0


# ── Being forgotten ──


def test_nothing_is_left_of_who_wants_to_be_forgotten(two: tuple[House, House]) -> None:
    here, there = two
    ada, bo = here.person("Ada Unique"), here.person("Bo")
    finished = ada.create("ignite-and-flow", "me", "open")["id"]
    bo.ok("POST", f"{finished}/join", {})
    ada.play(finished, "Fc3")
    bo.do(finished, "resign")
    unfinished = ada.create("ignite-and-flow", "open", "me")["id"]
    bo.ok("POST", f"{unfinished}/join", {})
    alone = [ada.create("ignite-and-flow", "me", other)["id"] for other in ("level-1", "here", "open")]
    record = {"record": str(Record(empedocles.new("elemental-defenders", seed=1), {0: "Ada Unique", 1: "Eve"}))}
    alone.append(here.client.post("/api/imports", json=record, headers=ada.headers).json()["id"])
    rematch = bo.ok("POST", f"{finished}/rematch")["id"]  # with a seat kept for her
    for match in (finished, unfinished, alone[0]):
        elsewhere(bo, there).look(match)  # known there too
    assert "Ada Unique" in held(here)
    delete(here, ada)
    assert "Ada Unique" not in held(here)
    assert ada.id not in held(here)
    for house in two:
        assert status(house, ada) == 401
        him = elsewhere(bo, house)
        for match in alone:
            wait_until(lambda match=match, him=him: him.ask("GET", match).status_code == 404)  # type: ignore[misc]
        state = him.look(finished)
        assert [seat["name"] for seat in state["seats"]] == ["", "Bo"]
        assert state["moves"] == ["Fc3"]
        state = him.look(unfinished)
        assert (state["status"], state["ending"], state["winners"]) == ("over", "resign", [0])
        assert [seat["name"] for seat in state["seats"]] == ["Bo", ""]
        assert him.look(rematch)["status"] == "waiting"
    here.person("Cy").ok("POST", f"{rematch}/join", {})  # it is no longer kept for anybody


def test_others_play_on_when_one_of_three_is_forgotten(house: House) -> None:
    people = [house.person(name) for name in ("Ada", "Bo", "Cy")]
    match = people[0].create("fire-and-water", "me", "open", "open", options={"players": 3})["id"]
    for person in people[1:]:
        person.ok("POST", f"{match}/join", {})
    delete(house, people[0])
    state = people[1].look(match)
    assert state["status"] == "playing"
    assert [seat["kind"] for seat in state["seats"]] == ["bot", "person", "person"]


def test_a_seat_at_a_table_that_waits_is_free_again(house: House) -> None:
    people = [house.person(name) for name in ("Ada", "Bo", "Cy")]
    match = people[0].create("fire-and-water", "me", "open", "open", options={"players": 3})["id"]
    people[1].ok("POST", f"{match}/join", {})
    delete(house, people[1])
    assert [seat["kind"] for seat in people[0].look(match)["seats"]] == ["person", "open", "open"]
    people[2].ok("POST", f"{match}/join", {})


def test_live_connections_end_with_the_player(house: House) -> None:
    ada, bo, match = house.pair()
    with ada.live(match) as hers, bo.live(match) as his:
        for socket in (hers, his):
            socket.send_json({"kind": "hello"})
            next_kind(socket, "state")
        delete(house, ada)
        assert next_kind(hers, "problem")["code"] == "no-player"
        while next_kind(his, "state")["state"]["status"] != "over":
            pass


def test_the_cookie_goes_too(house: House) -> None:
    house.client.post("/api/players", json={"name": "Ada"})
    assert house.client.delete(ME).status_code == 204
    assert COOKIE not in house.client.cookies


def test_what_a_killed_process_left_is_forgotten_by_the_next(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def killed(*_: object) -> None:
        raise OSError("killed")

    with opened(database) as house:
        ada, bo, match = house.pair()
        bo.do(match, "resign")
        monkeypatch.setattr(Store, "leave_all", killed)
        assert house.client.delete(ME, headers=ada.headers).status_code == 500
        assert status(house, ada) == 401  # at once
        assert "Ada" in held(house)
    monkeypatch.undo()
    with opened(database) as house:
        assert house.client.portal

        async def forgotten() -> None:
            while await house.service.store.forgotten():
                await asyncio.sleep(0.01)

        house.client.portal.call(forgotten)
        assert "Ada" not in held(house)
        assert [seat["name"] for seat in elsewhere(bo, house).look(match)["seats"]] == ["", "Bo"]
