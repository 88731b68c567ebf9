"""Servers for the tests: an application in this process, on SQLite and on PostgreSQL.

A plugin, not a conftest.py: there already is one, and other tests import it.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from server.people import House
    from server.postgresql import PostgreSQL


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgreSQL]:
    from server.postgresql import running

    with running() as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a new, empty database of each kind."""
    if request.param == "sqlite":
        return str(tmp_path / "empedocles.db")
    server: PostgreSQL = request.getfixturevalue("postgresql")
    return server.create(f"t{uuid.uuid4().hex}")


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """A server without bots, on SQLite."""
    with opened(str(tmp_path / "empedocles.db")) as found:
        yield found


@pytest.fixture
def house_on(database: str) -> Iterator[House]:
    """The same on each kind of database."""
    with opened(database) as found:
        yield found


@contextmanager
def opened(database: str, **more: Any) -> Iterator[House]:
    """A server in this process, without limits unless they are given."""
    from fastapi.testclient import TestClient
    from server.limits import LIMITLESS
    from server.people import House

    from empedocles.server.settings import Settings
    from empedocles.server.web.app import create_app

    settings = replace(Settings(database, bots=0, bot_pace=0, hosts="testserver", **LIMITLESS), **more)
    with TestClient(create_app(settings), raise_server_exceptions=False) as client:
        yield House(client)
