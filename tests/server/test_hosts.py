"""The names that a server answers to: DNS rebinding gets nothing."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import WebSocketDisconnect
from server.fixtures import opened
from server.people import House

from empedocles.errors import BadValue
from empedocles.server.limits.hosts import Allowed, usual_hosts

LOCAL = ["localhost", "localhost:8000", "LOCALHOST.", "games.localhost", "127.0.0.1:8000", "127.1.2.3", "[::1]:8000"]
ADDRESSES = ["192.168.1.5:8000", "10.0.0.1", "[fd00::1]:8000", "[2001:db8::1]"]
FOREIGN = ["evil.example", "evil.example:8000", "localhost.evil.example", "127.0.0.1.evil.example", "evillocalhost"]
NONE = ["", " ", "a b", "[::1", "::1", "localhost:8000:1", "user@localhost", "localhost/x", "localhost:99999999"]


def test_by_default_addresses_and_the_names_of_this_machine() -> None:
    usual = Allowed(usual_hosts("0.0.0.0").split(","))
    machine = socket.gethostname()
    assert all(host in usual for host in [*LOCAL, *ADDRESSES, machine, f"{machine}.local:8000"])
    assert not any(host in usual for host in [*FOREIGN, *NONE])
    assert "games.lan:8000" in Allowed(usual_hosts("games.lan").split(","))


def test_what_the_operator_says_and_this_machine_itself() -> None:
    allowed = Allowed(["games.example", " *.games.example", "203.0.113.7"])
    assert all(host in allowed for host in ["games.example:443", "GAMES.example", "de.games.example", "203.0.113.7"])
    assert all(host in allowed for host in LOCAL)
    assert not any(host in allowed for host in [*FOREIGN, *NONE, *ADDRESSES, "games.example.evil.example"])
    assert "evilgames.example" not in allowed
    assert all(host in Allowed(["*"]) for host in FOREIGN)
    assert ADDRESSES[0] in Allowed(["games.example", "addresses"])


@pytest.mark.parametrize("name", ["*games.example", "games.*", "a.*.b", "**"])
def test_patterns_that_mean_nothing_are_refused(name: str) -> None:
    with pytest.raises(BadValue, match="EMPEDOCLES_HOSTS"):
        Allowed([name])


@pytest.fixture
def usual(tmp_path: Path) -> Iterator[House]:
    with opened(str(tmp_path / "a.db"), hosts="") as house:
        yield house


def test_requests_and_connections_for_others_are_refused(usual: House) -> None:
    ask, here, there = usual.client.get, {"host": "localhost:8000"}, {"host": "evil.example"}
    assert ask("/api/games", headers=here).status_code == 200
    for path in ("/api/games", "/", "/static/base.css", "/health", "/metrics"):
        refused = ask(path, headers=there)
        assert (refused.status_code, refused.json()["code"]) == (421, "unknown-host")
        assert "EMPEDOCLES_HOSTS" in refused.json()["message"]
        assert refused.headers["x-content-type-options"] == "nosniff"
    made = usual.client.post("/api/players", json={"name": "Ada"}, headers=here).json()
    with pytest.raises(WebSocketDisconnect):
        usual.client.websocket_connect(f"/api/matches/{made['id']}/live", headers=there).__enter__()
    with usual.client.websocket_connect(f"/api/matches/{made['id']}/live", headers=here) as socket_:
        assert socket_.receive_json()["code"] == "no-match"


def test_two_hosts_are_none(usual: House) -> None:
    both = [("host", "localhost"), ("host", "evil.example")]
    assert usual.client.get("/api/games", headers=both).status_code == 421


@pytest.mark.parametrize("path", ["/api/games/", "/rules/", "/t/abc/", "/me/?a=b"])
def test_redirects_are_relative(house: House, path: str) -> None:
    found = house.client.get(path, follow_redirects=False)
    assert found.status_code == 307
    assert found.headers["location"] == path.replace("/?", "?").rstrip("/")


def test_no_redirect_leads_to_another_site(house: House) -> None:
    for path in ("//evil.example/", "//evil.example/rules/", "///rules/", "/\\evil.example/"):
        to = house.client.get(f"http://testserver{path}", follow_redirects=False).headers.get("location", "/")
        assert to.startswith("/")
        assert not to.startswith(("//", "/\\"))


def test_a_new_match_is_found_whatever_the_name(house: House) -> None:
    started = house.client.post("/play/ignite-and-flow", follow_redirects=False)
    assert started.headers["location"].startswith("/t/")
