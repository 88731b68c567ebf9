"""Lists of tables show every table that can be shown, whatever is wrong with the others."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
import sqlalchemy as sa
from server.people import House, Person

from empedocles.server.storage import schema

Spoil = Callable[[House, str], None]


def run(house: House, work: Callable[..., Awaitable[Any]], *given: object) -> Any:
    assert house.client.portal
    return house.client.portal.call(work, *given)


def uninstall_its_game(house: House, match: str) -> None:
    run(house, house.service.store.commit, (sa.update(schema.matches).where(schema.matches.c.id == match), OTHER_GAME))


def change_its_log(house: House, match: str) -> None:
    entry = sa.update(schema.log).where(schema.log.c.match == match, schema.log.c.number == 1)
    run(house, house.service.store.commit, (entry, {"kind": "move", "body": '{"seat": 0, "move": "Zz9"}'}))


OTHER_GAME = {"game": "chess", "start": ""}


def finished(ada: Person) -> str:
    """A finished match against a bot, so that it counts for the next level."""
    match: str = ada.create("ignite-and-flow", "me", "level-1")["id"]
    ada.do(match, "resign")
    return match


@pytest.mark.parametrize("spoil", [uninstall_its_game, change_its_log])
def test_one_match_that_cannot_be_loaded_hides_no_other(
    house: House, spoil: Spoil, caplog: pytest.LogCaptureFixture
) -> None:
    ada = house.person("Ada")
    good, bad = ([ada.create("ignite-and-flow", "me", "here")["id"], finished(ada)] for _ in range(2))
    ada.play(bad[0])
    for match in bad:
        spoil(house, match)
    house.service._tables.clear()  # as after a restart
    assert {table["id"] for table in ada.ok("GET", "?status=mine")} == set(good)
    assert [table["id"] for table in house.client.get("/api/matches?status=playing").json()] == good[:1]
    for path, shown in (("/", good[:1]), ("/me", good), ("/review", good[1:])):
        page = house.client.get(path, headers=ada.headers)
        assert page.status_code == 200
        assert all(match in page.text for match in shown)
        assert not any(match in page.text for match in bad)
    assert house.client.post("/play/ignite-and-flow", headers=ada.headers, follow_redirects=False).status_code == 303
    assert bad[0] in caplog.text


def test_a_match_deleted_while_it_is_listed_is_left_out(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    ada = house.person("Ada")
    match = ada.create("ignite-and-flow", "me", "open")["id"]

    async def listed(*_: object) -> list[str]:
        return ["gone", match]

    monkeypatch.setattr(house.service.store, "listed", listed)
    assert [table["id"] for table in house.client.get("/api/matches").json()] == [match]


def test_what_waits_for_a_move_is_never_pushed_off_a_list(house: House) -> None:
    ada = house.person("Ada")
    waits = ada.create("ignite-and-flow", "me", "here")["id"]
    for _ in range(2):
        ada.do(ada.create("ignite-and-flow", "me", "here")["id"], "resign")
    found = house.client.portal.call(house.service.store.of_player, ada.id, 1, False)  # type: ignore[union-attr]
    assert found == [waits]


def test_tables_by_link_push_no_open_one_off_a_list(house: House) -> None:
    ada = house.person("Ada")
    table = ada.create("ignite-and-flow", "me", "open")["id"]
    for _ in range(2):
        ada.create("ignite-and-flow", "me", "link")
    assert [line["id"] for line in ada.ok("GET", "?status=waiting&limit=1")] == [table]


def test_pages_renew_the_cookie_that_says_who_somebody_is(house: House) -> None:
    ada = house.person("Ada")
    cookie = {"cookie": f"empedocles={ada.token}"}
    for page in ("/", "/me"):
        assert ada.token in house.client.get(page, headers=cookie).headers["set-cookie"]
        house.client.cookies.clear()
    assert "set-cookie" not in house.client.get("/").headers


def test_without_a_database_a_list_is_not_empty_but_refused(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    house.person("Ada").create("ignite-and-flow", "me", "open")

    async def fail(*_: object) -> None:
        raise OSError("no database")

    monkeypatch.setattr(house.service.store, "load", fail)
    house.service._tables.clear()
    assert house.client.get("/api/matches").status_code == 500


def level_of_next(house: House, who: Person) -> int:
    """The level of the opponent in the next one-click match."""
    answer = house.client.post("/play/ignite-and-flow", headers=who.headers, follow_redirects=False)
    seats = who.look(answer.headers["location"].removeprefix("/t/"))["seats"]
    level: int = next(seat["level"] for seat in seats if seat["kind"] == "bot")
    return level


def test_the_next_opponent_is_as_strong_as_the_last_match_says(house: House) -> None:
    ada = house.person("Ada")
    assert level_of_next(house, ada) == 1
    house.client.cookies.set("gentle", "no")  # knows the games
    assert level_of_next(house, ada) == 2
    house.client.cookies.delete("gentle")
    match = ada.create("ignite-and-flow", "me", "level-4")["id"]
    ada.do(match, "resign")
    assert level_of_next(house, ada) == 3
    finished(ada)
    assert level_of_next(house, ada) == 1  # there is none below
