"""A database: reading, writing and notifying, for SQLite on one machine and for PostgreSQL."""

from __future__ import annotations

import asyncio
import json
import logging
import sqlite3
import time
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from empedocles.server.domain.events import Entry
from empedocles.server.limits.processor import Aside
from empedocles.server.storage import schema
from empedocles.server.storage.entries import Step, read_entry
from empedocles.server.storage.news import CHANNEL, DELETED, news

PATIENCE = 30  # seconds that SQLite waits for another writer

T = TypeVar("T")

ENTER = sa.insert(schema.log)  # built once, like all frequent statements: SQLAlchemy caches their compiled form
TELL = sa.select(sa.func.pg_notify(CHANNEL, sa.bindparam("news")))


def connect(url: str) -> AsyncEngine:
    # Keep parameters out of error messages, and so out of logs: some are secrets.
    engine = create_async_engine(url, hide_parameters=True)
    if engine.dialect.name == "sqlite":
        logging.getLogger("aiosqlite").setLevel(logging.INFO)  # its debugging messages would show them too
        event.listen(engine.sync_engine, "connect", _prepare_sqlite)
    return engine


def _prepare_sqlite(connection: Any, _record: object) -> None:
    # A write-ahead log lets readers continue while one process writes; a killed process loses nothing committed.
    cursor = connection.cursor()
    for pragma in (f"busy_timeout={1000 * PATIENCE}", "journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON"):
        _insist(cursor, f"PRAGMA {pragma}")
    cursor.close()


def _insist(cursor: Any, statement: str) -> None:
    """Retry: when several processes create a file at the same moment, SQLite refuses one instead of letting it wait."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            cursor.execute(statement)
        except sqlite3.OperationalError:
            if time.monotonic() > end:
                raise
            time.sleep(0.01)
        else:
            return


class Database:
    def __init__(self, engine: AsyncEngine, aside: Aside | None = None) -> None:
        """Long matches are replayed `aside`, off the event loop."""
        self.engine, self._aside = engine, aside or Aside()
        self._writer = _Writer(engine) if engine.dialect.name == "sqlite" else None
        # A single statement needs no transaction around it, which would be two more round trips.
        self.single = engine if self._writer else engine.execution_options(isolation_level="AUTOCOMMIT")
        self._begun: set[asyncio.Task[Any]] = set()

    async def close(self) -> None:
        """Finish pending work, then close."""
        while self._begun:  # some work begins more
            await asyncio.gather(*self._begun, return_exceptions=True)
        if self._writer:
            self._writer.close()
        self._aside.close()
        await self.engine.dispose()

    def watch(self, took: Callable[[float], None]) -> None:
        """Report how many seconds each statement of this process takes."""

        def before(_on: object, _cursor: object, _text: str, _values: object, context: Any, _many: bool) -> None:
            if context is not None:
                context.begun = time.perf_counter()

        def after(_on: object, _cursor: object, _text: str, _values: object, context: Any, _many: bool) -> None:
            if begun := getattr(context, "begun", None):
                took(time.perf_counter() - begun)

        event.listen(self.engine.sync_engine, "before_cursor_execute", before)
        event.listen(self.engine.sync_engine, "after_cursor_execute", after)
        if self._writer:
            self._writer.took = took

    async def commit(self, *steps: Step) -> int:
        """Run the steps in one transaction; returns the last statement's row count."""
        if self._writer:
            return await self._writer.commit(steps)
        return await self.apart(self._execute(steps))

    async def _execute(self, steps: Sequence[Step]) -> int:
        async with self.engine.begin() as connection:
            for statement, values in steps:
                found = await connection.execute(statement, values)
        return found.rowcount

    async def rows(self, query: Any) -> Sequence[Any]:
        return await self.apart(self._fetch(query))

    async def apart(self, work: Coroutine[Any, Any, T]) -> T:
        """Finish the work even if its caller stops waiting: the pool loses a connection abandoned in the middle."""
        task = asyncio.create_task(work)
        self._begun.add(task)
        task.add_done_callback(self._begun.discard)
        return await asyncio.shield(task)

    async def _fetch(self, query: Any) -> Sequence[Any]:
        for last in (False, True):
            try:
                async with self.single.connect() as connection:
                    return (await connection.execute(query)).all()
            except DBAPIError as error:
                if last or not error.connection_invalidated:  # because the database was restarted
                    raise
        raise AssertionError

    def telling(self, match: str, entry: Entry) -> list[Step]:
        return [] if self._writer else self.telling_all(news(match, entry))

    def telling_gone(self, match: str) -> list[Step]:
        return self.telling_all(json.dumps([match, DELETED]))

    def telling_all(self, told: str) -> list[Step]:
        """The steps that notify other processes; none with SQLite, where they look by themselves."""
        return [] if self._writer else [(TELL, {"news": told})]

    async def entries(self, match: str, start: int) -> list[Entry]:
        c = schema.log.c
        query = sa.select(c.number, c.at, c.kind, c.body).where(c.match == match, c.number >= start)
        return [read_entry(*row) for row in await self.rows(query.order_by(c.number))]


class _Writer:
    """The one thread of this process that writes to SQLite, which has one writer at a time.

    Several would retry until they get in, in no order; and with one, a transaction is a single hop to a thread.
    """

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = sa.create_engine(engine.url.set(drivername="sqlite"), hide_parameters=True)
        event.listen(self._engine, "connect", _prepare_sqlite)
        self._thread = ThreadPoolExecutor(1, "writer")
        self._connection: sa.Connection | None = None
        # Not by SQLAlchemy's events: whoever listens to one pays for all, a quarter of the time.
        self.took: Callable[[float], None] | None = None  # told the seconds of each statement

    async def commit(self, steps: Sequence[Step]) -> int:
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._commit, steps)

    def _commit(self, steps: Sequence[Step]) -> int:
        # One connection for all: taking one from the engine's pool and returning it would be a third of the work.
        self._connection = connection = self._connection or self._engine.connect()
        with connection.begin():
            for statement, values in steps:
                start = time.perf_counter()
                found = connection.execute(statement, values)
                if self.took:
                    self.took(time.perf_counter() - start)
            return found.rowcount

    def close(self) -> None:
        self._thread.submit(self._close)
        self._thread.shutdown()

    def _close(self) -> None:
        if self._connection:
            self._connection.close()
        self._engine.dispose()


def is_of(player: str) -> Any:
    """Whether a player sits at a table."""
    c, s = schema.matches.c, schema.seats.c
    return c.id.in_(sa.select(s.match).where(s.owner == player)) | (c.creator == player)
