"""`/health` reports what is wrong, and nothing confidential."""

from __future__ import annotations

import asyncio
import shutil
import time
from collections import namedtuple
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import sqlalchemy as sa
from server.fixtures import opened
from server.people import House
from sqlalchemy.exc import OperationalError

from empedocles.cli import admin
from empedocles.server.operations import health
from empedocles.server.operations.health import Failures
from empedocles.server.storage import schema
from empedocles.server.workers.workload import Jobs, Workload


@pytest.fixture(autouse=True)
def never_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "KEPT", 0.0)


def asked(house: House) -> tuple[int, dict[str, Any]]:
    answer = house.client.get("/health")
    return answer.status_code, answer.json()


def test_all_is_well(house_on: House, database: str) -> None:
    status, said = asked(house_on)
    assert (status, said["status"]) == (200, "ok")
    kinds = {"database", "migrations", "bots", "workers", "tasks"} | (set() if "://" in database else {"disk"})
    assert said["checks"].keys() == kinds
    assert all(check["ok"] and not check["message"] for check in said["checks"].values())


def _failing(said: dict[str, Any]) -> set[str]:
    return {name for name, check in said["checks"].items() if not check["ok"] and check["message"]}


def test_a_database_that_fails(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(*_: object) -> None:
        raise OperationalError("SELECT secret", {}, OSError("at /home/ada/games.db"))

    monkeypatch.setattr(house.service.store, "version", fail)
    status, said = asked(house)
    assert (status, said["status"], _failing(said)) == (503, "failing", {"database"})
    assert "ada" not in str(said)
    assert "SELECT" not in str(said)


def test_a_database_that_hangs(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    async def hang(*_: object) -> None:
        await asyncio.sleep(100)

    monkeypatch.setattr(health, "PATIENCE", 0.05)
    monkeypatch.setattr(house.service.store, "version", hang)
    status, said = asked(house)
    assert (status, _failing(said)) == (503, {"database"})


def test_an_old_version(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "versions", lambda: ["9999"])
    status, said = asked(house)
    assert (status, _failing(said)) == (503, {"migrations"})


def test_bots_that_fall_behind(house_on: House) -> None:
    ada = house_on.person("Ada")
    match = ada.create("ignite-and-flow", "level-1", "me")["id"]  # no bots run here
    store = house_on.service.store
    for age, behind in ((30, False), (90, True), (2 * health.FORGOTTEN, False)):
        touch = sa.update(schema.matches).where(schema.matches.c.id == match).values(touched=time.time() - age)
        house_on.client.portal.call(store.commit, (touch, {}))  # type: ignore[union-attr]
        status, said = asked(house_on)
        assert (status, _failing(said)) == ((503, {"bots"}) if behind else (200, set()))


def test_a_full_disk(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(10**9, 10**9 - 10**6, 10**6))
    status, said = asked(house)
    assert (status, _failing(said)) == (503, {"disk"})


def test_tasks_that_keep_failing() -> None:
    now = 100.0
    failures = Failures(lambda: now)
    failures.add(OSError("at postgresql://me:hush@host"))
    assert failures.check().ok  # once is nothing
    now += 1
    failures.add(OSError())
    assert not failures.check().ok
    assert "OSError" in failures.check().message
    assert "hush" not in failures.check().message
    now += health.LATELY + 1
    assert failures.check().ok


def test_the_workload_is_that_of_all_processes() -> None:
    pools = [SimpleNamespace(busy=1, oldest=70.0), SimpleNamespace(busy=0, oldest=0.0)]
    workload = Workload(SimpleNamespace(waiting=3, pools=pools))  # type: ignore[arg-type]
    assert (workload.look(), workload.silence()) == (Jobs(3, 1), 70)


def test_silent_workers_are_said(house: House) -> None:
    house.client.app.state.health.silence = lambda: 1000.0  # type: ignore[attr-defined]
    status, said = asked(house)
    assert (status, _failing(said)) == (503, {"workers"})


def test_an_answer_is_kept_for_a_moment_and_costs_no_budget(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "KEPT", 1000.0)
    with opened(str(tmp_path / "a.db"), rate=0.001, burst=1) as house:
        assert asked(house)[0] == 200
        monkeypatch.setattr(house.service.store, "version", None)
        assert [asked(house)[0] for _ in range(5)] == [200] * 5
        assert house.client.get("/api/games").status_code == 200
        assert house.client.get("/api/games").status_code == 429


def test_a_process_without_requests_is_asked_by_the_database(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health.Health, "show", lambda _self: asyncio.sleep(1000))  # no sign of life by itself
    with opened(database) as house:
        portal, looked_after = house.client.portal, house.client.app.state.health  # type: ignore[attr-defined]
        store = house.service.store
        portal.call(store.sign, looked_after._id, health.HOST, 1, "")  # type: ignore[union-attr]
        assert admin.local_problem(database) == ""
        portal.call(store.sign, looked_after._id, health.HOST, 1, "workers: dead")  # type: ignore[union-attr]
        assert admin.local_problem(database) == "workers: dead"
        portal.call(looked_after.leave)  # type: ignore[union-attr]
        assert "sign of life" in admin.local_problem(database)


def test_the_command_says_what_is_wrong_with_a_database(tmp_path: Path) -> None:
    assert "no database" in admin.local_problem(str(tmp_path / "none.db"))
    assert "no server answers" in admin.server_problem("http://127.0.0.1:1")
