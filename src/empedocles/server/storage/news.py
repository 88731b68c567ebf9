"""News of what other processes write to the database: PostgreSQL notifies us, a SQLite file is polled."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import time
from collections.abc import Awaitable, Callable, Collection

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from empedocles.server.domain import events
from empedocles.server.domain.events import Entry
from empedocles.server.storage import schema
from empedocles.server.storage.entries import read_entry

CHANNEL = "empedocles"  # on which PostgreSQL tells other processes of new entries
LONGEST_NEWS = 7000  # bytes, of the 8000 that PostgreSQL allows
DELETED = -1  # instead of an entry's number: the match is gone
REVOKED = -2  # the same for a revoked token, whose digest stands for the match
QUIET = 5.0  # seconds without news after which PostgreSQL is asked whether it is alive
GLANCE = 0.03  # seconds between polls of a SQLite file
RECALL = 1.0  # seconds between checks for matches deleted there

log = logging.getLogger(__name__)

Changed = Callable[[str, int, Entry | None], Awaitable[None]]


def news(match: str, entry: Entry) -> str:
    """An entry as other processes hear of it, without its text if that is too long."""
    told = json.dumps([match, entry.number, entry.at, entry.event.kind, events.write(entry.event)])
    return told if len(told.encode()) < LONGEST_NEWS else json.dumps([match, entry.number])


def read_news(text: str) -> tuple[str, int, Entry | None]:
    match, number, *rest = json.loads(text)
    return match, number, read_entry(number, *rest) if rest else None


async def listen(
    engine: AsyncEngine, changed: Changed, missed: Callable[[], None], known: Callable[[], Collection[str]]
) -> None:
    """Hear of what other processes write about the matches known here, and of new ones.

    `missed` is called when some news may have been lost.
    """
    if engine.dialect.name == "postgresql":
        await _listen_postgresql(engine, changed, missed)
    else:
        await _watch_sqlite(engine, changed, missed, known)


async def _listen_postgresql(engine: AsyncEngine, changed: Changed, missed: Callable[[], None]) -> None:
    import asyncpg

    address = engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
    connection = await asyncpg.connect(address)
    said: asyncio.Queue[str | None] = asyncio.Queue()
    try:
        connection.add_termination_listener(lambda _connection: said.put_nowait(None))
        await connection.add_listener(CHANNEL, lambda _connection, _pid, _channel, text: said.put_nowait(text))
        missed()
        while not connection.is_closed():
            try:
                async with asyncio.timeout(QUIET):  # `wait_for` of Python 3.11 may miss its cancellation
                    text = await said.get()
            except TimeoutError:
                await connection.execute("SELECT 1", timeout=QUIET)  # a connection that hangs does not report it
                continue
            if text is not None:
                await _hear(changed, *read_news(text))
    finally:
        with contextlib.suppress(OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
            await connection.close(timeout=1)
    raise ConnectionError("the connection to the database was closed")


async def _hear(changed: Changed, match: str, number: int, entry: Entry | None) -> None:
    try:
        await changed(match, number, entry)
    except Exception:
        log.exception("news of %s could not be applied", match)


async def _watch_sqlite(
    engine: AsyncEngine, changed: Changed, missed: Callable[[], None], known: Callable[[], Collection[str]]
) -> None:
    """Poll SQLite's own counter, which cheaply tells whether another connection has written."""
    async with engine.connect() as connection:
        last = (await connection.execute(sa.select(sa.func.max(schema.log.c.id)))).scalar() or 0
        revoked = (await connection.execute(sa.select(sa.func.max(schema.revocations.c.id)))).scalar() or 0
        missed()
        version, sure, looked = None, True, 0.0
        while True:
            now = (await connection.execute(sa.text("PRAGMA data_version"))).scalar()
            if now != version:
                version, sure = now, False
                last = await _hear_new(connection, changed, last)
                revoked = await _hear_revoked(connection, changed, revoked)
            if not sure and time.monotonic() > looked + RECALL:
                sure, looked = True, time.monotonic()
                await _hear_deleted(connection, changed, known())
            await connection.rollback()  # otherwise it would keep reading the old snapshot
            await asyncio.sleep(GLANCE)


async def _hear_new(connection: AsyncConnection, changed: Changed, last: int) -> int:
    """Report entries after `last`; returns the id of the last one now."""
    c = schema.log.c
    new = sa.select(c.id, c.match, c.number, c.at, c.kind, c.body).where(c.id > last).order_by(c.id)
    rows = (await connection.execute(new)).all()
    for _, match, *entry in rows:
        await _hear(changed, match, entry[0], read_entry(*entry))
    return rows[-1][0] if rows else last


async def _hear_revoked(connection: AsyncConnection, changed: Changed, last: int) -> int:
    """Report tokens revoked after `last`; returns the id of the last one now."""
    c = schema.revocations.c
    rows = (await connection.execute(sa.select(c.id, c.token).where(c.id > last).order_by(c.id))).all()
    for _, token in rows:
        await _hear(changed, token, REVOKED, None)
    return rows[-1][0] if rows else last


_DELETED = sa.text("SELECT value FROM json_each(:known) WHERE NOT EXISTS (SELECT 1 FROM matches WHERE id = value)")


async def _hear_deleted(connection: AsyncConnection, changed: Changed, known: Collection[str]) -> None:
    """Report deleted matches, which leave no entry."""
    for (match,) in (await connection.execute(_DELETED, {"known": json.dumps(list(known))})).all():
        await _hear(changed, match, DELETED, None)
