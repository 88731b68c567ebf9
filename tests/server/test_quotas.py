"""One visitor cannot fill the lobby or the database."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from server.fixtures import opened
from server.people import House, Person
from server.test_lists import run

from empedocles.server.storage import schema
from empedocles.server.storage.lists import LISTED_EACH

OPEN = {"game": "ignite-and-flow", "seats": [{"kind": "me"}, {"kind": "open"}]}


def refused(person: Person, path: str = "", body: dict[str, Any] | None = None) -> tuple[int, str, int]:
    answer = person.ask("POST", path, OPEN if body is None else body)
    return answer.status_code, answer.json()["code"], int(answer.headers["retry-after"])


def test_a_player_has_few_tables_that_wait_for_anybody(tmp_path: Path) -> None:
    with opened(str(tmp_path / "a.db"), open_tables=2) as house:
        ada = house.person("Ada")
        first = ada.create("ignite-and-flow", "me", "open")["id"]
        ada.create("ignite-and-flow", "me", "open")
        assert refused(ada)[:2] == (429, "too-many-open")
        ada.create("ignite-and-flow", "me", "link")  # for somebody invited: strangers do not see it
        ada.create("ignite-and-flow", "me", "level-1")
        house.person("Bo").ok("POST", f"{first}/join", {})
        assert ada.create("ignite-and-flow", "me", "open")["status"] == "waiting"


def test_an_address_has_some_more_whoever_makes_them(tmp_path: Path) -> None:
    with opened(str(tmp_path / "a.db"), open_tables_in_all=3) as house:
        made = [house.person("Ada").create("ignite-and-flow", "me", "open")["id"] for _ in range(3)]
        ada = house.person("Ada")
        assert refused(ada)[:2] == (429, "too-many-open")
        ada.ok("POST", f"{made[0]}/join", {})
        ada.create("ignite-and-flow", "me", "open")
        assert refused(house.person("Bo"))[:2] == (429, "too-many-open")


def test_tables_and_rematches_are_made_at_a_pace(tmp_path: Path) -> None:
    with opened(str(tmp_path / "a.db"), tables=60.0, tables_burst=2.0) as house:
        ada = house.person("Ada")
        match = ada.create("ignite-and-flow", "me", "here")["id"]
        ada.create("ignite-and-flow", "me", "here")
        status, code, wait = refused(ada, body={"game": "ignite-and-flow", "seats": [{"kind": "me"}, {"kind": "here"}]})
        assert (status, code) == (429, "too-many-tables")
        assert 50 < wait <= 60
        ada.do(match, "resign")
        assert refused(ada, f"{match}/rematch", {})[:2] == (429, "too-many-tables")
        play = house.client.post("/play/ignite-and-flow", headers=ada.headers, follow_redirects=False)
        assert play.status_code == 429
        others = [house.person("Bo") for _ in range(5)]  # of the same address: five times as many in all
        statuses = [who.ask("POST", "", OPEN).status_code for who in others for _ in range(2)]
        assert statuses == [201] * 8 + [429] * 2


def test_new_players_are_made_at_a_pace(tmp_path: Path) -> None:
    with opened(str(tmp_path / "a.db"), players=1.0, players_burst=2.0) as house:
        house.person("Ada")
        house.person("Bo")
        for path in ("/api/players", "/play/ignite-and-flow"):
            answer = house.client.post(path, json={"name": "Cy"})
            assert (answer.status_code, answer.json()["code"]) == (429, "too-many-players")
            assert int(answer.headers["retry-after"]) > 3000


def flood(house: House, creator: str, count: int) -> None:
    """Add open tables by one player, the latest of all."""
    match = house.client.portal.call(house.service.store.rows, sa.select(schema.matches).limit(1))[0]._mapping  # type: ignore[union-attr]
    now = time.time()
    rows = [dict(match) | {"id": f"m{k}", "creator": creator, "touched": now + k} for k in range(count)]
    seat = {"kind": "open", "name": "", "agent": "", "owner": "", "invite": "", "seen": 0.0, "seat": 1}
    seats = [seat | {"match": row["id"]} for row in rows]
    run(house, house.service.store.commit, (sa.insert(schema.matches), rows), (sa.insert(schema.seats), seats))


def test_nobody_s_tables_hide_those_of_others(house_on: House) -> None:
    ada, bo, eve = (house_on.person(name) for name in ("Ada", "Bo", "Eve"))
    others = [who.create("ignite-and-flow", "me", "open")["id"] for who in (ada, bo)]
    flood(house_on, eve.id, 5000)
    start = time.perf_counter()
    found = run(house_on, house_on.service.store.listed, "waiting", 20)
    assert time.perf_counter() - start < 1.0
    assert found == ["m4999", "m4998", *reversed(others)]
    assert len(found) == LISTED_EACH + 2


def test_tables_whose_maker_has_left_are_all_listed(house_on: House) -> None:
    ada = house_on.person("Ada")
    ada.create("ignite-and-flow", "me", "open")
    flood(house_on, "", 4)
    assert len(run(house_on, house_on.service.store.listed, "waiting", 20)) == 5


@pytest.mark.parametrize("status", ["waiting", "playing"])
def test_the_latest_come_first(house_on: House, status: str) -> None:
    people = [house_on.person("Ada") for _ in range(3)]
    other = "open" if status == "waiting" else "here"
    made = [who.create("ignite-and-flow", "me", other)["id"] for who in people]
    assert run(house_on, house_on.service.store.listed, status, 2) == made[:0:-1]
