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
    """Poll a SQLite file until cancelled; then end between two looks.

    Cut off in the middle of a statement, or while it opens or closes, a connection would be lost to its pool.
    """
    ended = asyncio.Event()
    watching = asyncio.create_task(_poll(engine, ended, changed, missed, known))
    try:
        await asyncio.shield(watching)
    except asyncio.CancelledError:
        ended.set()
        await asyncio.gather(watching, return_exceptions=True)
        raise


async def _poll(
    engine: AsyncEngine,
    ended: asyncio.Event,
    changed: Changed,
    missed: Callable[[], None],
    known: Callable[[], Collection[str]],
) -> None:
    """Ask SQLite's own counter, which cheaply tells whether another connection has written."""
    # Each look is a transaction of its own: a longer one would keep reading the old snapshot.
    async with engine.execution_options(isolation_level="AUTOCOMMIT").connect() as connection:
        last, revoked = tuple((await connection.execute(_LATEST)).one())
        missed()
        version, sure, looked = None, True, 0.0
        while not ended.is_set():
            now = (await connection.exec_driver_sql("PRAGMA data_version")).scalar()
            if now != version:
                version, sure = now, False
                last, revoked = await _hear_new(connection, changed, last, revoked)
            if not sure and time.monotonic() > looked + RECALL:
                sure, looked = True, time.monotonic()
                await _hear_deleted(connection, changed, known())
            await asyncio.sleep(GLANCE)


# Made once, and for entries and tokens together: with SQLAlchemy, a statement costs more than what it finds.
_log, _gone = schema.log.c, schema.revocations.c
_LATEST = sa.select(
    *(sa.func.coalesce(sa.select(sa.func.max(column)).scalar_subquery(), 0) for column in (_log.id, _gone.id))
)
_NEW = sa.union_all(
    sa.select(_log.id, _log.match, _log.number, _log.at, _log.kind, _log.body).where(_log.id > sa.bindparam("last")),
    sa.select(_gone.id, _gone.token, sa.literal(REVOKED), _gone.at, sa.literal(""), sa.literal("")).where(
        _gone.id > sa.bindparam("revoked")
    ),
).order_by("id")


async def _hear_new(connection: AsyncConnection, changed: Changed, last: int, revoked: int) -> tuple[int, int]:
    """Report entries after `last` and tokens revoked after `revoked`; returns the ids of the last ones now."""
    rows = (await connection.execute(_NEW, {"last": last, "revoked": revoked})).all()
    for row, match, number, *entry in rows:
        if number == REVOKED:
            revoked = row
            await _hear(changed, match, REVOKED, None)
        else:
            last = row
            await _hear(changed, match, number, read_entry(number, *entry))
    return last, revoked


_DELETED = sa.text("SELECT value FROM json_each(:known) WHERE NOT EXISTS (SELECT 1 FROM matches WHERE id = value)")


async def _hear_deleted(connection: AsyncConnection, changed: Changed, known: Collection[str]) -> None:
    """Report deleted matches, which leave no entry."""
    for (match,) in (await connection.execute(_DELETED, {"known": json.dumps(list(known))})).all():
        await _hear(changed, match, DELETED, None)
