"""Containers cannot be run by the tests, but what they say can be checked: commands, settings, files and pages."""

from __future__ import annotations

import json
import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]
from typer.main import get_command

from empedocles.cli.app import app
from empedocles.server.app import create_app
from empedocles.server.settings import PREFIX, Settings

ROOT = Path(__file__).parents[2]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
OURS = {name: service for name, service in COMPOSE["services"].items() if service["image"] == "empedocles"}
COMMANDS = {name: service["command"] for name, service in OURS.items()} | {
    "image": json.loads(re.findall(r"^CMD (\[.*\])$", DOCKERFILE, re.MULTILINE)[0]),
    "warm": re.findall(r"^RUN (empedocles .*)$", DOCKERFILE, re.MULTILINE)[0].split(),
}


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


def test_the_health_check_asks_for_a_page_that_exists() -> None:
    (path,) = re.findall(r"HEALTHCHECK .*http://127\.0\.0\.1:8000([^']*)'", DOCKERFILE)
    assert path in create_app().openapi()["paths"]
    assert "EXPOSE 8000" in DOCKERFILE
    assert OURS["server"]["ports"] == ["${PORT:-8000}:8000"]
    assert get_command(app).commands["serve"].make_context("serve", []).params["port"] == 8000  # type: ignore[attr-defined]
