"""News of what other processes write to the database: PostgreSQL tells them, and a SQLite file is looked at."""

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
LONGEST_NEWS = 7000  # bytes, of 8000 that PostgreSQL takes
DELETED = -1  # instead of an entry's number: the match is gone
REVOKED = -2  # and that which was named is no match, but the digest of a token
QUIET = 5.0  # seconds without news from PostgreSQL after which it is asked whether it is there
GLANCE = 0.03  # seconds between two looks at a SQLite file that other processes may write to
RECALL = 1.0  # seconds between two looks for matches that were deleted there

log = logging.getLogger(__name__)

Changed = Callable[[str, int, Entry | None], Awaitable[None]]


def news(match: str, entry: Entry) -> str:
    """An entry as other processes hear of it; without its text where that is too long to be told."""
    told = json.dumps([match, entry.number, entry.at, entry.event.kind, events.write(entry.event)])
    return told if len(told.encode()) < LONGEST_NEWS else json.dumps([match, entry.number])


def read_news(text: str) -> tuple[str, int, Entry | None]:
    match, number, *rest = json.loads(text)
    return match, number, read_entry(number, *rest) if rest else None


async def listen(
    engine: AsyncEngine, changed: Changed, missed: Callable[[], None], known: Callable[[], Collection[str]]
) -> None:
    """Hear of what other processes write about the matches that are known here, and of new ones.

    `missed` is called where something may not have been heard of.
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
                async with asyncio.timeout(QUIET):  # `wait_for` of Python 3.11 may miss that it is to end
                    text = await said.get()
            except TimeoutError:
                await connection.execute("SELECT 1", timeout=QUIET)  # one that hangs says nothing by itself
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
        log.exception("news of %s could not be taken in", match)


async def _watch_sqlite(
    engine: AsyncEngine, changed: Changed, missed: Callable[[], None], known: Callable[[], Collection[str]]
) -> None:
    """SQLite's own counter says cheaply whether another connection has written."""
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
            await connection.rollback()  # or it would go on reading what was there before
            await asyncio.sleep(GLANCE)


async def _hear_new(connection: AsyncConnection, changed: Changed, last: int) -> int:
    """Entries that came after the last one; which is the last one now."""
    c = schema.log.c
    new = sa.select(c.id, c.match, c.number, c.at, c.kind, c.body).where(c.id > last).order_by(c.id)
    rows = (await connection.execute(new)).all()
    for _, match, *entry in rows:
        await _hear(changed, match, entry[0], read_entry(*entry))
    return rows[-1][0] if rows else last


async def _hear_revoked(connection: AsyncConnection, changed: Changed, last: int) -> int:
    """Tokens that were made worthless after the last one; which is the last one now."""
    c = schema.revocations.c
    rows = (await connection.execute(sa.select(c.id, c.token).where(c.id > last).order_by(c.id))).all()
    for _, token in rows:
        await _hear(changed, token, REVOKED, None)
    return rows[-1][0] if rows else last


_DELETED = sa.text("SELECT value FROM json_each(:known) WHERE NOT EXISTS (SELECT 1 FROM matches WHERE id = value)")


async def _hear_deleted(connection: AsyncConnection, changed: Changed, known: Collection[str]) -> None:
    """What is deleted leaves no entry."""
    for (match,) in (await connection.execute(_DELETED, {"known": json.dumps(list(known))})).all():
        await _hear(changed, match, DELETED, None)
