"""How a server is run: each setting is a variable of the environment, some are options of `empedocles serve` too."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import platformdirs

from empedocles.errors import BadValue
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
    helpers: int = 1  # processes that work for people who wait: hints, pictures, records
    quick_seconds: float = 30.0  # of processor, after which such work is stopped
    patient_seconds: float = 120.0  # after which other work is, such as a GIF
    worker_memory: float = 400.0  # megabytes that a process may use that thinks or works
    work_rate: float = 0.5  # seconds of such work a second that one household may have for long
    work_burst: float = 300.0  # and at once
    plies: int = 60_000  # moves of matches kept in memory, up to 100 MB; the other matches are in the database
    abandoned: float = ABANDONED  # seconds after which a player who was not seen may be replaced
    secure: bool = False  # cookies over HTTPS only
    rate: float = 20.0  # requests a second that one address may make for long
    burst: float = 200.0  # and at once

    @property
    def url(self) -> str:
        """The database's address with the driver we use; a plain path is a SQLite file."""
        if not self.database:
            return default_database()
        scheme, colon, rest = self.database.partition("://")
        return f"{DRIVERS.get(scheme, scheme)}://{rest}" if colon else f"{SQLITE}{Path(self.database).absolute()}"

    def prepare(self) -> None:
        """Make the folder of a SQLite file, and see whether the file can be opened."""
        if self.url.startswith(SQLITE):
            file = Path(self.url.removeprefix(SQLITE))
            file.parent.mkdir(parents=True, exist_ok=True)
            with contextlib.closing(sqlite3.connect(file)) as connection:
                connection.execute("PRAGMA user_version")

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
