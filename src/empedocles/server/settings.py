"""The server's settings, from environment variables; some are also options of `empedocles serve`."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import platformdirs

from empedocles.errors import BadValue
from empedocles.server.domain.presence import ABANDONED

PREFIX = "EMPEDOCLES_"  # of the environment variables' names
AGENT_NAME = re.compile(r"[a-z0-9][a-z0-9.-]{0,39}")  # it is shown at tables
SQLITE = "sqlite+aiosqlite:///"
DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg", "postgres": "postgresql+asyncpg"}


def default_database() -> str:
    folder = platformdirs.user_data_path("empedocles", appauthor=False)
    return f"{SQLITE}{folder / 'empedocles.db'}"


@dataclass(frozen=True)
class Settings:
    database: str = ""
    bots: int = 1  # processes for bots
    bot_seconds: float = 2.0  # longest time for a move
    bot_pace: float = 0.5  # seconds between two moves, roughly, at least
    analysis_seconds: float = 0.25  # for one position of a match under review, and as much for the move played there
    helpers: int = 1  # processes for quick work, which people wait for: hints, pictures, records
    quick_seconds: float = 30.0  # of processor time, after which quick work is stopped
    patient_seconds: float = 120.0  # the same for other work, such as a GIF
    worker_memory: float = 400.0  # megabytes that a worker process may use
    work_rate: float = 0.5  # seconds of work per second that one household may use in the long run
    work_burst: float = 300.0  # and in a burst
    plies: int = 60_000  # moves of matches kept in memory, up to 100 MB; the other matches are in the database
    abandoned: float = ABANDONED  # seconds without a sign of life after which a player may be replaced
    secure: bool = False  # send cookies over HTTPS only
    rate: float = 50.0  # requests per second that one address may make in the long run
    burst: float = 1000.0  # and in a burst
    at_once: int = 10  # requests of one address answered at the same time; some more wait
    messages: float = 60.0  # WebSocket messages per second
    messages_burst: float = 300.0
    processor: float = 0.2  # seconds of the event loop's processor per second
    processor_burst: float = 5.0
    players: float = 120.0  # new players per hour that one address may create in the long run
    players_burst: float = 60.0
    tables: float = 180.0  # new tables per hour that one player may open in the long run; per address, five times
    tables_burst: float = 60.0
    open_tables: int = 5  # tables of one player that wait with a seat open to anyone
    open_tables_in_all: int = 20  # the same of one address
    expire_waiting: float = 3.0  # days without a change after which a table that waits for players is deleted; 0: never
    expire_unfinished: float = 90.0  # the same for a table that is not over
    expire_finished: float = 365.0  # for one that is over, or was imported
    expire_players: float = 400.0  # days after which a player without tables is deleted
    connections: int = 100  # that one address may hold at the same time, WebSockets not counted
    connections_in_all: int = 10_000  # in all, WebSockets counted; fewer where the system allows fewer open files
    head_seconds: float = 10.0  # to send the head of a request
    body_seconds: float = 30.0  # to send its body
    spectators: int = 500  # of one table
    spectators_each: int = 20  # of one table, from one address
    spectating: int = 100  # WebSockets of one address to tables where it does not play
    windows: int = 8  # WebSockets of a player to one of their tables: one more closes the oldest
    windows_in_all: int = 200  # of one address, at tables where it plays
    hello_seconds: float = 30.0  # in which a spectator must say hello
    idle_seconds: int = 10  # for which a connection stays open for another request
    stalled_seconds: float = 20.0  # in which a client must accept some of what it was sent
    hosts: str = ""  # names that the server answers to, with commas; limits/hosts.py has the default
    metrics: str = ""  # who may read the metrics: addresses and tokens, with commas; by default this machine
    least_disk: float = 200.0  # megabytes that should be free beside the SQLite file
    agents: str = ""  # more opponents that visitors may choose: NAME=MODULE:CLASS, with commas
    log: str = "warning"  # the lowest level of messages to show: debug, info, warning or error

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

    @property
    def own_agents(self) -> dict[str, str]:
        """The opponents that the operator adds, and where they are."""
        return dict(_agent(word.strip()) for word in self.agents.split(",") if word.strip())

    @property
    def environment(self) -> dict[str, str]:
        """The settings as environment variables, for child processes."""
        return {PREFIX + field.name.upper(): str(getattr(self, field.name)) for field in fields(self)}


def from_environment() -> Settings:
    given = {field: os.environ.get(PREFIX + field.name.upper()) for field in fields(Settings)}
    return Settings(**{field.name: _read(field.default, text) for field, text in given.items() if text is not None})


def _agent(word: str) -> tuple[str, str]:
    name, _equals, where = word.partition("=")
    if not AGENT_NAME.fullmatch(name) or ":" not in where:
        raise BadValue(f"{word!r} does not say which opponent to add: NAME=MODULE:CLASS, with a name in lower case")
    return name, where


def _read(default: Any, text: str) -> Any:
    kind = type(default)
    try:
        return text.lower() in ("1", "true", "yes") if kind is bool else kind(text)
    except ValueError:
        raise BadValue(f"{text!r} in the environment is not of type {kind.__name__}") from None
