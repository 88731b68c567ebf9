"""How a server is run: each setting is a variable of the environment, some are options of `empedocles serve` too."""

from __future__ import annotations

import os
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import platformdirs

from empedocles.errors import BadValue
from empedocles.server import database_file
from empedocles.server.presence import ABANDONED

PREFIX = "EMPEDOCLES_"  # of environment variables
SQLITE = "sqlite+aiosqlite:///"
DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg", "postgres": "postgresql+asyncpg"}


def default_database() -> str:
    folder = platformdirs.user_data_path("empedocles", appauthor=False)
    return f"{SQLITE}{folder / 'empedocles.db'}"


@dataclass(frozen=True)
class Settings:
    database: str = ""
    bots: int = 1  # processes that think
    bot_seconds: float = 2.0  # at most about a move
    bot_pace: float = 0.5  # at least between two moves, about
    analysis_seconds: float = 0.4  # for a look at one position of a match under review
    abandoned: float = ABANDONED  # seconds after which a player who was not seen may be replaced
    secure: bool = False  # cookies over HTTPS only
    rate: float = 20.0  # requests a second that one address may make for long
    burst: float = 200.0  # and at once
    hosts: str = ""  # names that the server answers to, with commas; see hosts.py for what it takes otherwise
    metrics: str = ""  # who may read them: addresses and tokens, with commas; otherwise this machine
    least_disk: float = 200.0  # megabytes that should be free where the SQLite file lies
    log: str = "warning"  # the least important messages to show: debug, info, warning or error

    @property
    def url(self) -> str:
        """The database's address with the driver we use; a plain path is a SQLite file."""
        if not self.database:
            return default_database()
        scheme, colon, rest = self.database.partition("://")
        return f"{DRIVERS.get(scheme, scheme)}://{rest}" if colon else f"{SQLITE}{Path(self.database).absolute()}"

    @property
    def file(self) -> Path | None:
        """The SQLite file, if the database is one."""
        name = self.url.removeprefix(SQLITE) if self.url.startswith(SQLITE) else ""
        return Path(name) if name not in ("", ":memory:") else None

    def prepare(self) -> None:
        """Make a SQLite file and its folder, and see whether the file can be opened."""
        if self.file:
            database_file.prepare(self.file)

    @property
    def environment(self) -> dict[str, str]:
        """As environment variables, for processes that are started from here."""
        return {PREFIX + field.name.upper(): str(getattr(self, field.name)) for field in fields(self)}


def from_environment() -> Settings:
    given = {field: os.environ.get(PREFIX + field.name.upper()) for field in fields(Settings)}
    return Settings(**{field.name: _read(field.default, text) for field, text in given.items() if text is not None})


def _read(default: Any, text: str) -> Any:
    kind = type(default)
    try:
        return text.lower() in ("1", "true", "yes") if kind is bool else kind(text)
    except ValueError:
        raise BadValue(f"{text!r} in the environment is no {kind.__name__}") from None
