"""Engines tell nothing about positions that people are playing against each other."""

from __future__ import annotations

import asyncio
import random
import re
from typing import Any

import pytest
import sqlalchemy as sa
from server.fixtures import opened
from server.people import House, Json, Person

import empedocles
from empedocles.language import LANGUAGES
from empedocles.play.match import Match
from empedocles.play.records import Record
from empedocles.position import Position
from empedocles.server.domain.fingerprints import fingerprint
from empedocles.server.domain.table import OPENING
from empedocles.server.storage import schema
from empedocles.server.workers.jobs import Judged, choose, look_at

GAME = "ignite-and-flow"
REFUSED = (403, "being-played")


def line(plies: int) -> Match:
    """A match of `plies` plies."""
    match = empedocles.new(GAME)
    while len(match.moves) < plies:
        match.play(match.legal_moves[-1])
    return match


@pytest.fixture
def quick(house_on: House, monkeypatch: pytest.MonkeyPatch) -> House:
    """A server whose engine answers at once with the first legal move."""

    async def think(_who: object, work: Any, *given: Any, urgent: bool = False) -> Any:
        if work is choose:
            return Position(given[1]).legal_moves[0]
        return (
            Judged("[]", dict.fromkeys(LANGUAGES, "[]")) if work is look_at else await asyncio.to_thread(work, *given)
        )

    monkeypatch.setattr(house_on.client.app.state.thinkers, "asked", think)  # type: ignore[attr-defined]
    return house_on


@pytest.fixture
def eve(quick: House) -> Person:
    return quick.person("Eve")


def pair_at(house: House, match: Match) -> tuple[Person, Person, str]:
    """Two people who have played a match so far."""
    ada, bo, table = house.pair(GAME)
    for number, move in enumerate(match.moves, start=2):
        mover = (ada, bo)[match.at(number - 2).to_move or 0]
        mover.ok("POST", f"{table}/moves", {"number": number, "move": move})
    return ada, bo, table


def asked(house: House, path: str, body: Json, who: Person | None = None) -> tuple[int, str]:
    answer = house.client.post(f"/api/{path}", json=body, headers=who.headers if who else {})
    said = answer.json()
    return answer.status_code, said.get("code", "") if isinstance(said, dict) else ""


def record_of(match: Match) -> Json:
    return {"record": str(Record(match))}


def test_no_evaluation_of_a_position_that_people_play(quick: House, eve: Person) -> None:
    here = line(OPENING + 2)
    ada, bo, table = pair_at(quick, here)
    position = here.position.text
    for who in (None, eve, ada, bo):
        assert asked(quick, "evaluations", {"position": position}, who) == REFUSED
        assert asked(quick, "positions/state", {"position": position}, who) == REFUSED  # a browser would search it
    before = here.at(len(here.moves) - 1).text
    assert asked(quick, "evaluations", {"position": before})[0] == 200  # they have moved on
    assert asked(quick, "evaluations", {"position": before, "moves": here.moves[-1:]}) == REFUSED  # reached by trying
    follow = [here.legal_moves[0]]
    assert asked(quick, "evaluations", {"position": position, "moves": follow}) == REFUSED  # one by one, to choose
    ada.do(table, "resign")
    assert asked(quick, "evaluations", {"position": position})[0] == 200


def test_another_count_of_turns_is_no_way_round(quick: House) -> None:
    here = line(OPENING + 2)
    pair_at(quick, here)
    other = re.sub(r"quiet=\d+", "quiet=39", here.position.text)
    assert other != here.position.text
    assert asked(quick, "evaluations", {"position": other}) == REFUSED


def test_openings_belong_to_everybody(quick: House, eve: Person) -> None:
    here = line(OPENING - 1)
    pair_at(quick, here)
    assert asked(quick, "evaluations", {"position": here.position.text})[0] == 200
    assert asked(quick, "evaluations", {"position": here.start.text})[0] == 200
    table = eve.create(GAME, "me", "level-1")["id"]
    assert asked(quick, f"matches/{table}/hint", {}, eve)[0] == 200


def test_no_review_that_looks_at_it(quick: House, eve: Person) -> None:
    here = line(OPENING + 4)
    copied = quick.client.post("/api/imports", json=record_of(here), headers=eve.headers).json()["id"]
    begun = quick.client.post("/api/analyses", json={"match": copied}, headers=eve.headers).json()["id"]
    ada, bo, table = pair_at(quick, line(OPENING + 3))
    assert asked(quick, "analyses", {"match": copied}, eve) == REFUSED
    assert quick.client.get(f"/api/analyses/{begun}").status_code == 403  # nor earlier results
    assert asked(quick, "evaluations", {"match": copied, "ply": OPENING + 3}, eve) == REFUSED
    assert asked(quick, "evaluations", {"match": copied, "ply": OPENING + 2}, eve)[0] == 200
    (ada, bo)[line(OPENING + 3).to_move or 0].do(table, "resign")
    assert asked(quick, "analyses", {"match": copied}, eve)[0] == 200
    assert quick.client.get(f"/api/analyses/{begun}").status_code == 200


def test_no_hint_and_no_bot_at_a_copy_of_the_table(quick: House, eve: Person) -> None:
    here = line(OPENING + 2)
    copied = eve.create(GAME, *["me", "level-1"][:: 1 if here.to_move == 0 else -1], start=here.position.text)["id"]
    assert asked(quick, f"matches/{copied}/hint", {}, eve)[0] == 200
    pair_at(quick, here)
    assert asked(quick, f"matches/{copied}/hint", {}, eve) == REFUSED
    seats = [{"kind": "bot", "agent": "level-1"}, {"kind": "me"}]
    wanted = {"game": GAME, "seats": seats, "start": here.position.text}
    assert asked(quick, "matches", wanted, eve) == REFUSED
    assert asked(quick, "matches", wanted | {"seats": [{"kind": "me"}, {"kind": "here"}]}, eve)[0] == 201  # no engine


def test_one_who_plays_against_bots_or_oneself_is_not_in_the_way(quick: House, eve: Person) -> None:
    here = line(OPENING + 2)
    for seats in (("me", "here"), ("me", "level-1")):
        table = eve.create(GAME, *seats, start=here.at(0).text)["id"]
        state = eve.look(table)
        for move in here.moves if seats[1] == "here" else ():
            state = eve.ok("POST", f"{table}/moves", {"number": state["number"], "move": move})
    assert asked(quick, "evaluations", {"position": here.position.text})[0] == 200


def test_matches_of_an_older_version_count_once_they_are_opened(quick: House, database: str) -> None:
    here = line(OPENING + 2)
    ada, _, table = pair_at(quick, here)
    portal, store = quick.client.portal, quick.service.store
    assert portal
    portal.call(store.commit, (sa.update(schema.matches), {"position": ""}))
    assert asked(quick, "evaluations", {"position": here.position.text})[0] == 200
    quick.service.forget()
    ada.look(table)
    assert asked(quick, "evaluations", {"position": here.position.text}) == REFUSED


def test_it_is_known_to_all_processes(quick: House, database: str) -> None:
    here = line(OPENING + 2)
    pair_at(quick, here)
    with opened(database) as other:
        assert asked(other, "evaluations", {"position": here.position.text}) == REFUSED


def test_one_look_into_an_index_decides(quick: House) -> None:
    engine = quick.service.store.engine
    if engine.dialect.name != "sqlite":
        return  # PostgreSQL plans by the table's contents
    said: list[str] = []

    async def plan() -> None:
        c = schema.matches.c
        query = sa.select(c.id).where(c.position.in_(["a", "b"]), schema.HAS_POSITION)
        text = str(query.compile(engine.sync_engine, compile_kwargs={"literal_binds": True}))
        async with engine.connect() as connection:
            said.extend(str(row) for row in await connection.execute(sa.text(f"EXPLAIN QUERY PLAN {text}")))

    assert quick.client.portal
    quick.client.portal.call(plan)
    assert "matches_by_position" in " ".join(said)


@pytest.mark.parametrize("game", empedocles.games())
def test_fingerprints_tell_positions_apart(game: str) -> None:
    match, known, luck = empedocles.new(game, seed=3), set(), random.Random(3)
    for _ in range(12):
        known.add(fingerprint(match.position))
        match.play(luck.choice(match.legal_moves))
    assert len(known) == 12
