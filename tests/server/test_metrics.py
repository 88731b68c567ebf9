"""`/metrics`: figures for Prometheus, only for readers that the operator names."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from prometheus_client.parser import text_string_to_metric_families
from server.fixtures import opened
from server.people import House, next_kind
from starlette.requests import HTTPConnection

from empedocles.errors import BadValue
from empedocles.server.operations.metrics import Readers
from empedocles.server.settings import Settings
from empedocles.server.web.app import create_app

TOKEN = "a-token-for-prometheus"

Figures = dict[tuple[str, frozenset[tuple[str, str]]], float]


def read(text: str) -> Figures:
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def figures(house: House) -> Figures:
    answer = house.client.get("/metrics", headers={"authorization": f"Bearer {TOKEN}"})
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain; version=")
    return read(answer.text)


def grown(before: Figures, after: Figures, name: str, **labels: str) -> float:
    key = (name, frozenset(labels.items()))
    return after.get(key, 0.0) - before.get(key, 0.0)


def test_what_happens_is_counted(tmp_path: Path) -> None:
    with opened(str(tmp_path / "a.db"), metrics=TOKEN) as house:
        before = figures(house)
        ada, bo, match = house.pair()
        with ada.live(match) as socket:
            socket.send_json({"kind": "hello"})
            next_kind(socket, "state")
            during = figures(house)
            ada.play(match)
            bo.refused("POST", f"{match}/moves", {"number": 0, "move": "Fc3"})
        house.client.get("/nothing/at/all")
        after = figures(house)
    route = "/api/matches/{match}/moves"
    assert grown(before, after, "empedocles_requests_total", route=route, method="POST", status="200") == 1
    assert grown(before, after, "empedocles_requests_total", route="none", method="GET", status="404") == 1
    assert grown(before, after, "empedocles_request_seconds_count", route=route, method="POST") == 2
    assert grown(before, after, "empedocles_entries_total", kind="move") == 1
    assert grown(before, after, "empedocles_refusals_total", code="late") == 1
    assert grown(before, after, "empedocles_messages_total", direction="in") >= 1
    assert grown(before, after, "empedocles_messages_total", direction="out") >= 1
    assert grown(before, during, "empedocles_connections") == 1
    assert grown(before, after, "empedocles_connections") == 0
    assert grown(before, after, "empedocles_database_seconds_count") > 5
    assert ada.id not in str(after)
    assert match not in str(after)


def test_refusals_for_haste_are_counted_and_readers_are_not(tmp_path: Path) -> None:
    with opened(str(tmp_path / "a.db"), metrics=TOKEN, rate=0.001, burst=2) as house:
        before = figures(house)
        for _ in range(5):
            house.client.get("/api/games")
        assert grown(before, figures(house), "empedocles_refusals_total", code="too-many-requests") == 3


def test_a_process_looks_at_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("empedocles.server.operations.metrics.EVERY", 0.01)
    with opened(str(tmp_path / "a.db"), metrics=TOKEN) as house:
        before = figures(house)
        house.pair()
        for _ in range(100):
            found = figures(house)
            if grown(before, found, "empedocles_lag_seconds_count") > 3:
                break
    assert found["empedocles_tables", frozenset()] == 1
    assert found["empedocles_jobs", frozenset({("state", "waiting")})] == 0
    assert sys.platform != "linux" or found["empedocles_memory_bytes", frozenset({("of", "server")})] > 1e7


# ── Who may read them ──


def connection(client: str, host: str = "127.0.0.1:8000", **headers: str) -> HTTPConnection:
    named = {"host": host} | {name.replace("_", "-"): value for name, value in headers.items()}
    raw = [(name.encode(), value.encode()) for name, value in named.items()]
    return HTTPConnection({"type": "http", "client": (client, 1), "headers": raw})


def test_by_default_only_this_machine() -> None:
    readers = Readers("")
    assert readers.include(connection("127.0.0.1"))
    assert readers.include(connection("::1", "localhost:8000"))
    assert not readers.include(connection("192.168.1.5", "192.168.1.5:8000"))


@pytest.mark.parametrize("header", ["x_forwarded_for", "forwarded", "x_real_ip", "via", "x_forwarded_proto"])
def test_a_proxy_on_this_machine_is_not_this_machine(header: str) -> None:
    assert not Readers("").include(connection("127.0.0.1", **{header: "127.0.0.1"}))


def test_nor_is_one_that_says_nothing_but_our_name() -> None:
    assert not Readers("").include(connection("127.0.0.1", "games.example"))


def test_addresses_and_tokens() -> None:
    readers = Readers(f"10.1.0.0/16, ::1 ,{TOKEN}")
    assert readers.include(connection("10.1.2.3", "games.example"))
    assert readers.include(connection("::ffff:10.1.2.3"))
    assert readers.include(connection("203.0.113.7", authorization=f"Bearer {TOKEN}"))
    assert not readers.include(connection("10.2.0.1"))
    assert not readers.include(connection("127.0.0.1"))  # others are named
    for wrong in (f"Bearer {TOKEN}x", f"Basic {TOKEN}", "Bearer", TOKEN, "Bearer é"):
        assert not readers.include(connection("203.0.113.7", authorization=wrong))


@pytest.mark.parametrize("wrong", ["10.0.0.300", "short", "10.1.0.0/99"])
def test_a_typing_error_is_no_token(wrong: str) -> None:
    with pytest.raises(BadValue, match="EMPEDOCLES_METRICS") as refused:
        Readers(wrong)
    assert wrong not in str(refused.value)  # it may be a secret


def test_others_are_refused(house: House) -> None:
    refused = house.client.get("/metrics")
    assert (refused.status_code, refused.json()["code"]) == (403, "not-allowed")
    assert "empedocles_requests" not in refused.text


def test_a_request_that_was_passed_on_is_refused(tmp_path: Path) -> None:
    app = create_app(Settings(str(tmp_path / "a.db"), bots=0))
    with TestClient(app, base_url="http://localhost", client=("127.0.0.1", 1)) as client:
        assert client.get("/metrics").status_code == 200
        assert client.get("/metrics", headers={"x-forwarded-for": "203.0.113.7"}).status_code == 403


# ── Several processes ──

WORK = """
from empedocles.server.operations import metrics
metrics.count_entry("move")
metrics._connections.inc()
"""
READ = WORK + "print(metrics._figures().decode())"


def test_several_processes_are_added_up_and_the_dead_have_no_connections(tmp_path: Path) -> None:
    given = os.environ | {"PROMETHEUS_MULTIPROC_DIR": str(tmp_path)}
    for _ in range(2):
        subprocess.run([sys.executable, "-c", WORK], check=True, env=given)
    done = subprocess.run([sys.executable, "-c", READ], check=True, env=given, capture_output=True, text=True)
    found = read(done.stdout)
    assert found["empedocles_entries_total", frozenset({("kind", "move")})] == 3
    assert found["empedocles_connections", frozenset()] == 1
