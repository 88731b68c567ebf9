"""Within seconds, a banned visitor is shut out of every server on the database."""

from __future__ import annotations

import ipaddress
import time
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from server.fixtures import opened
from server.people import House, Person, next_kind
from starlette.websockets import WebSocketDisconnect

from empedocles.errors import BadValue
from empedocles.server.domain.refusals import Refused
from empedocles.server.limits import bans
from empedocles.server.limits.bans import ADDRESS, PLAYER, Ban, Bans

HTML = {"accept": "text/html"}


def known(*given: Ban) -> Bans:
    async def none() -> list[Ban]:
        return []

    found = Bans(none)
    found._take(list(given))
    return found


def a_ban(what: str, kind: str = ADDRESS, until: float | None = None) -> Ban:
    return Ban(kind, what, "spam", 0.0, until)


@pytest.mark.parametrize(
    ("banned", "hit", "missed"),
    [
        ("192.0.2.7/32", ["192.0.2.7", "::ffff:192.0.2.7"], ["192.0.2.8", "", "unix:", "2001:db8::1"]),
        ("192.0.2.0/24", ["192.0.2.7", "192.0.2.255"], ["192.0.3.7"]),
        ("2001:db8:1:2::/64", ["2001:db8:1:2::1", "2001:db8:1:2:ffff::"], ["2001:db8:1:3::1", "192.0.2.7"]),
        ("0.0.0.0/1", ["1.2.3.4"], ["200.2.3.4"]),
    ],
)
def test_addresses_and_networks(banned: str, hit: list[str], missed: list[str]) -> None:
    found = known(a_ban(banned), a_ban("198.51.100.0/28"))
    for address in hit:
        with pytest.raises(Refused, match="spam"):
            found.check(address=address)
    for address in missed:
        found.check(address=address)


def test_a_ban_ends() -> None:
    found = known(a_ban("p1", PLAYER, time.time() - 1), a_ban("p2", PLAYER, time.time() + 100))
    found.check(player="p1")
    found.check(player="")
    with pytest.raises(Refused, match=r"until .* UTC: spam") as refused:
        found.check(player="p2")
    assert refused.value.code == "banned"


def test_how_an_operator_writes_addresses() -> None:
    assert str(bans.network("192.0.2.7")) == "192.0.2.7/32"
    assert str(bans.network("192.0.2.7/24")) == "192.0.2.0/24"
    assert str(bans.network("2001:db8:1:2::7")) == "2001:db8:1:2::/64"  # a household
    assert str(bans.network("2001:db8:1:2::7/128")) == "2001:db8:1:2::7/128"
    assert str(bans.network("::ffff:192.0.2.7")) == "192.0.2.7/32"
    assert bans.network("Ab3-players_id") is None
    for own in ("127.0.0.1", "127.0.0.0/8", "0.0.0.0/0", "::1", "::/0"):
        with pytest.raises(BadValue, match="this machine"):
            bans.checked_network(bans.network(own) or ipaddress.ip_network("0.0.0.0/0"))


def ban(house: House, given: Ban) -> None:
    """Ban as the operator does, in another process; this one notices by itself."""
    portal = house.client.portal
    assert portal
    portal.call(house.service.store.ban, given)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bans, "LOOK", 0.02)


def wait_until_refused(person: Person) -> None:
    for _ in range(500):
        if person.client.get("/api/players/me", headers=person.headers).status_code == 403:
            return
        time.sleep(0.01)
    raise TimeoutError


def test_a_banned_player_gets_in_nowhere_and_others_do(house_on: House) -> None:
    ada, bo, match = house_on.pair()
    ban(house_on, Ban(PLAYER, ada.id, "spam", 0.0, None))
    wait_until_refused(ada)
    client = house_on.client
    assert ada.refused("POST", f"{match}/moves", {"number": 2, "move": "Fc3"}) == (403, "banned")
    assert ada.refused("GET", match) == (403, "banned")
    page = client.get("/me", headers=ada.headers | HTML)
    assert page.status_code == 403
    assert "spam" in page.text
    assert "<h1>" in page.text
    with ada.live(match) as socket:
        assert socket.receive_json()["code"] == "banned"
        with pytest.raises(WebSocketDisconnect):
            socket.receive_json()
    assert bo.look(match)["status"] == "playing"
    client.portal.call(house_on.service.store.unban, PLAYER, ada.id)  # type: ignore[union-attr]
    for _ in range(500):
        if ada.ask("GET", match).status_code == 200:
            break
        time.sleep(0.01)
    assert ada.look(match)["your_turn"]


def test_who_is_here_already_has_to_go(house_on: House) -> None:
    ada, bo, match = house_on.pair()
    with ada.live(match) as hers, bo.live(match) as his:
        for socket in (hers, his):
            socket.send_json({"kind": "hello"})
            next_kind(socket, "state")
        ban(house_on, Ban(PLAYER, ada.id, "spam", 0.0, None))
        assert next_kind(hers, "problem")["code"] == "banned"
        with pytest.raises(WebSocketDisconnect):
            next_kind(hers, "never")
        his.send_json({"kind": "show", "ply": 0})
        next_kind(his, "frame")


def test_a_banned_address_gets_in_nowhere(tmp_path: Path) -> None:
    database = str(tmp_path / "a.db")
    with opened(database) as house:
        app = house.client.app
        there = TestClient(app, client=("192.0.2.7", 1))  # no second start: it shares the running application
        assert there.get("/api/games").status_code == 200
        ban(house, Ban(ADDRESS, "192.0.2.0/24", "spam", 0.0, None))
        for _ in range(500):
            if there.get("/api/games").status_code == 403:
                break
            time.sleep(0.01)
        for path in ("/api/games", "/", "/static/base.css", "/health"):
            assert there.get(path).json()["code"] == "banned"
        assert there.post("/api/players", json={"name": "Eve"}).status_code == 403
        page = there.get("/", headers=HTML)
        assert (page.status_code, "spam" in page.text) == (403, True)
        assert page.headers["x-content-type-options"] == "nosniff"
        with pytest.raises(WebSocketDisconnect):
            there.websocket_connect("/api/matches/abc/live").__enter__()
        assert house.client.get("/api/games").status_code == 200
    with opened(database) as house:  # from the first request on
        assert TestClient(house.client.app, client=("192.0.2.9", 1)).get("/api/games").status_code == 403
