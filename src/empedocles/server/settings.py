"""How a server is run: each setting is a variable of the environment, some are options of `empedocles serve` too."""

from __future__ import annotations

import os
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import platformdirs

from empedocles.errors import BadValue
from empedocles.server.domain.presence import ABANDONED

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
    rate: float = 50.0  # requests a second that one address may make for long
    burst: float = 1000.0  # and at once
    at_once: int = 10  # requests that are answered at the same time; some more wait
    messages: float = 60.0  # over WebSockets, a second
    messages_burst: float = 300.0
    processor: float = 0.2  # seconds of the event loop's processor, a second
    processor_burst: float = 5.0
    players: float = 120.0  # new ones an hour that one address may make for long
    players_burst: float = 60.0
    tables: float = 180.0  # an hour that one player may make for long; an address, five times as many
    tables_burst: float = 60.0
    open_tables: int = 5  # of one player that wait for anybody to sit down
    open_tables_in_all: int = 20  # of one address
    expire_waiting: float = 3.0  # days for which a table is kept that waits for players and is not touched; 0: for ever
    expire_unfinished: float = 90.0  # one that is not over
    expire_finished: float = 365.0  # one that is, or was imported
    expire_players: float = 400.0  # days for which a player without tables is kept
    connections: int = 100  # that one address may hold at the same time, WebSockets not counted
    connections_in_all: int = 10_000  # of all, WebSockets counted; fewer where the system allows fewer open files
    head_seconds: float = 10.0  # to send the head of a request
    body_seconds: float = 30.0  # to send its body
    spectators: int = 500  # of one table
    spectators_each: int = 20  # of one table, from one address
    spectating: int = 100  # WebSockets of one address to tables where it does not play
    windows: int = 8  # WebSockets of a player to a table of theirs: beyond, the oldest ends
    windows_in_all: int = 200  # of one address, at tables where it plays
    hello_seconds: float = 30.0  # in which a spectator has to say hello
    idle_seconds: int = 10  # for which a connection is kept open for another request
    stalled_seconds: float = 20.0  # in which a client has to take something of what it was sent
    hosts: str = ""  # names that the server answers to, with commas; see limits/hosts.py for what it takes otherwise
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
        raise BadValue(f"{text!r} in the environment is not of type {kind.__name__}") from None
