"""Containers cannot be run by the tests, but what they say can be checked: commands, settings, files and pages."""

from __future__ import annotations

import json
import re
from dataclasses import fields
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]
from fastapi.routing import APIRoute
from packaging.requirements import Requirement
from typer.main import get_command

from empedocles.cli.app import app
from empedocles.server.operations import health
from empedocles.server.settings import PREFIX, Settings

ROOT = Path(__file__).parents[2]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
OURS = {name: service for name, service in COMPOSE["services"].items() if service["image"] == "empedocles"}
COMMANDS = {name: service["command"] for name, service in OURS.items()} | {
    "image": json.loads(re.findall(r"^CMD (\[.*\])$", DOCKERFILE, re.MULTILINE)[0]),
    "warm": re.findall(r"^RUN (empedocles .*)$", DOCKERFILE, re.MULTILINE)[0].split(),
    "health of bots": OURS["bots"]["healthcheck"]["test"][1:],
    "health of the image": json.loads(re.findall(r"^HEALTHCHECK .*CMD (\[.*\])$", DOCKERFILE, re.MULTILINE)[0]),
}
EXACT = re.compile(r"[a-z]+:\d+\.\d+(\.\d+)?-[a-z-]*bookworm")  # a version to the last number, and the system below it


@pytest.mark.parametrize("name", COMMANDS)
def test_commands_and_their_options_exist(name: str) -> None:
    program, command, *given = COMMANDS[name]
    assert program == "empedocles"
    known: Any = get_command(app)
    known.commands[command].make_context(command, given)  # refuses what it does not know


def test_there_is_one_server_and_somebody_who_thinks() -> None:
    assert sorted(service["command"][1] for service in OURS.values()) == ["bots", "serve"]
    assert OURS["server"]["command"][-2:] == ["--bots", "0"]


@pytest.mark.parametrize("name", OURS)
def test_settings_exist_and_name_the_database_beside(name: str) -> None:
    known = {PREFIX + field.name.upper() for field in fields(Settings)}
    given = {key: str(value) for key, value in OURS[name]["environment"].items() if key.startswith(PREFIX)}
    assert given.keys() <= known
    assert Settings(given["EMPEDOCLES_DATABASE"]).url.startswith("postgresql+asyncpg://empedocles:")
    database = COMPOSE["services"]["database"]
    assert given["EMPEDOCLES_DATABASE"].endswith("@database/" + database["environment"]["POSTGRES_USER"])
    assert f":{database['environment']['POSTGRES_PASSWORD']}@" in given["EMPEDOCLES_DATABASE"]
    assert OURS[name]["depends_on"] == {"database": {"condition": "service_healthy"}}


def test_the_image_copies_files_that_exist_and_are_sent_to_the_builder() -> None:
    sent = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    for line in re.findall(r"^COPY ((?!--).*)$", DOCKERFILE, re.MULTILINE):
        for file in line.split()[:-1]:
            assert (ROOT / file).exists(), file
            assert file in sent, file


def test_health_is_asked_for_where_it_is_answered() -> None:
    (words,) = re.findall(r"^HEALTHCHECK .*CMD (\[.*\])$", DOCKERFILE, re.MULTILINE)
    assert json.loads(words) == ["empedocles", "health", "--url", "http://127.0.0.1:8000"]
    assert "/health" in {route.path for route in health.router.routes if isinstance(route, APIRoute)}
    assert "healthcheck" not in OURS["server"]  # the image's own
    assert OURS["bots"]["healthcheck"]["test"] == ["CMD", "empedocles", "health"]
    assert COMPOSE["services"]["database"]["healthcheck"]
    assert "EXPOSE 8000" in DOCKERFILE
    assert OURS["server"]["ports"] == ["${PORT:-8000}:8000"]
    assert get_command(app).commands["serve"].make_context("serve", []).params["port"] == 8000  # type: ignore[attr-defined]


def test_images_have_exact_versions() -> None:
    used = [*re.findall(r"^FROM (\S+)", DOCKERFILE, re.MULTILINE), COMPOSE["services"]["database"]["image"]]
    assert len(used) == 3
    assert all(EXACT.fullmatch(image.partition("@")[0]) for image in used), used


def test_everything_that_pip_installs_has_an_exact_version() -> None:
    assert all("-c /constraints.txt" in line or "PIP_CONSTRAINT" in DOCKERFILE.split(line)[0] for line in _installs())
    pinned = {canonical(line.partition("==")[0]) for line in (ROOT / "constraints.txt").read_text().splitlines()}
    assert not _needed("empedocles", frozenset({"postgresql"})) - pinned - {"empedocles"}
    assert not (_needed("build") | _needed("hatchling") | {"babel"}) - pinned


def _installs() -> list[str]:
    return re.findall(r"^RUN pip install .*$", DOCKERFILE, re.MULTILINE)


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _needed(name: str, extras: frozenset[str] = frozenset()) -> set[str]:
    """A package and all that it needs here, as it is installed."""
    seen, ahead = set(), [(name, extras)]
    while ahead:
        package = ahead.pop()
        if package in seen:
            continue
        seen.add(package)
        wanted = [{"extra": extra} for extra in package[1]] or [{"extra": ""}]
        needs = map(Requirement, metadata.requires(package[0]) or [])
        used = [need for need in needs if not need.marker or any(map(need.marker.evaluate, wanted))]
        ahead += [(canonical(need.name), frozenset(need.extras)) for need in used]
    return {canonical(package) for package, _ in seen}


def test_there_is_no_password_but_the_operators_own() -> None:
    text = (ROOT / "compose.yaml").read_text(encoding="utf-8")
    assert not re.findall(r"PASSWORD:-", text)
    assert len(re.findall(r"\$\{POSTGRES_PASSWORD:\?[^}]*POSTGRES_PASSWORD=[^}]*\}", text)) == 2
    assert not re.findall(r"\$\{POSTGRES_PASSWORD[^:]", text)


@pytest.mark.parametrize("name", COMPOSE["services"])
def test_containers_may_do_and_use_no_more_than_they_need(name: str) -> None:
    service = COMPOSE["services"][name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert "no-new-privileges:true" in service["security_opt"]
    assert "privileged" not in service
    assert service["mem_limit"] == service["memswap_limit"]
    assert service["pids_limit"] <= 500
    assert any(place.startswith("/tmp:size=") for place in service["tmpfs"])
    assert {place.partition(":")[0] for place in service["volumes"]} <= COMPOSE["volumes"].keys()


def test_only_the_database_may_become_somebody_else() -> None:
    assert not any("cap_add" in service for service in OURS.values())
    assert re.search(r"^USER empedocles$", DOCKERFILE, re.MULTILINE)


def test_machine_code_can_be_kept_where_the_rest_cannot_be_written() -> None:
    (kept,) = re.findall(r"NUMBA_CACHE_DIR=(\S+)", DOCKERFILE)
    assert all(f"compiled:{kept}" in service["volumes"] for service in OURS.values())
