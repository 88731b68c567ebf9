"""Tables that nobody has touched for long are deleted; those that somebody may still want are not."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import pytest
import sqlalchemy as sa
from server.people import House, next_kind
from server.test_lists import run

from empedocles.server.service import expiry
from empedocles.server.service.expiry import DAY, expire
from empedocles.server.settings import Settings
from empedocles.server.storage import schema

RECORD = '[Game "ignite-and-flow"]\n\n1. Fc3 2. Wd4\nend\n'


def age(house: House, match: str, days: float) -> None:
    then = sa.update(schema.matches).where(schema.matches.c.id == match)
    run(house, house.service.store.commit, (then, {"touched": time.time() - days * DAY}))


def expired(house: House, **more: Any) -> int:
    gone: int = run(house, expire, house.service, replace(Settings(), **more), 0.0)
    return gone


def left(house: House) -> set[str]:
    return {row[0] for row in run(house, house.service.store.rows, sa.select(schema.matches.c.id))}


def test_tables_expire_by_what_they_are(house_on: House) -> None:
    ada = house_on.person("Ada")
    waiting, kept = (ada.create("ignite-and-flow", "me", "open")["id"] for _ in range(2))
    playing, newer = (ada.create("ignite-and-flow", "me", "here")["id"] for _ in range(2))
    over, late = (ada.create("ignite-and-flow", "me", "here")["id"] for _ in range(2))
    brought, old = (
        house_on.client.post("/api/imports", json={"record": RECORD}, headers=ada.headers).json()["id"]
        for _ in range(2)
    )
    for match in (over, late):
        ada.do(match, "resign")
    ages = {waiting: 4, kept: 2, playing: 91, newer: 89, over: 366, late: 364, brought: 364, old: 366}
    for match, days in ages.items():
        age(house_on, match, days)
    assert expired(house_on) == 4
    assert left(house_on) == {kept, newer, late, brought}
    assert ada.refused("GET", waiting) == (404, "no-match")
    assert not run(house_on, house_on.service.store.rows, sa.select(schema.seats).where(schema.seats.c.match == over))
    assert not run(house_on, house_on.service.store.rows, sa.select(schema.log).where(schema.log.c.match == over))


def test_nothing_expires_where_the_operator_says_so(house: House) -> None:
    ada = house.person("Ada")
    match = ada.create("ignite-and-flow", "me", "open")["id"]
    age(house, match, 10_000)
    never = dict.fromkeys((f"expire_{kind}" for kind in ("waiting", "unfinished", "finished", "players")), 0.0)
    assert expired(house, **never) == 0
    assert left(house) == {match}


def test_a_clock_of_days_is_waited_for(house_on: House) -> None:
    ada = house_on.person("Ada")
    slow, slower, none = (
        ada.create("ignite-and-flow", "me", "here", **clock)["id"]
        for clock in (
            {"clock": {"kind": "days", "base": 5 * DAY}},
            {"clock": {"kind": "days", "base": 20 * DAY}},
            {"clock": {"kind": "minutes", "base": 20 * DAY}},
        )
    )
    for match in (slow, slower, none):
        age(house_on, match, 10)
    assert expired(house_on, expire_unfinished=4.0) == 2
    assert left(house_on) == {slower}


def test_one_that_is_touched_meanwhile_stays(house: House) -> None:
    ada = house.person("Ada")
    match = ada.create("ignite-and-flow", "me", "here")["id"]
    assert not run(house, house.service.expire, match, time.time() - 91 * DAY)
    assert left(house) == {match}


def test_who_reads_an_expired_table_is_told_and_nothing_of_it_stays_in_memory(house: House) -> None:
    ada, _, match = house.pair()
    with ada.live(match) as socket:
        socket.send_json({"kind": "hello"})
        next_kind(socket, "state")
        run(house, house.service.share_presence)
        assert any(place[0] == match for place in house.service.seen)
        age(house, match, 91)
        assert expired(house) == 1
        assert next_kind(socket, "problem")["code"] == "no-match"
    assert match not in house.service._tables
    assert not any(place[0] == match for place in (*house.service.seen, *house.service._told))


def test_players_who_left_nothing_behind_are_forgotten(house_on: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expiry, "BATCH", 2)
    ada, _, _ = house_on.pair()
    gone = [house_on.person("Cy") for _ in range(5)]
    new = house_on.person("Di")
    old = sa.update(schema.players).where(schema.players.c.id != new.id)
    run(house_on, house_on.service.store.commit, (old, {"created": time.time() - 401 * DAY}))
    assert expired(house_on) == 5
    for who, known in ((ada, 200), (gone[0], 401), (new, 200)):
        assert house_on.client.get("/api/players/me", headers=who.headers).status_code == known
