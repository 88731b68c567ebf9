"""Who is to hear of what happens at a table, in this process and across processes."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncEngine

from empedocles.server import schema
from empedocles.server.store import CHANNEL, read_news
from empedocles.server.tables import Entry

QUIET = 5.0  # seconds without news from PostgreSQL after which it is asked whether it is there
GLANCE = 0.03  # seconds between two looks at a SQLite file that other processes may write to

log = logging.getLogger(__name__)

Changed = Callable[[str, int, Entry | None], Awaitable[None]]


class Hub:
    """Readers of tables. Each has an event that is set when there is something new; what, it reads from the table."""

    def __init__(self) -> None:
        self._readers: defaultdict[str, set[asyncio.Event]] = defaultdict(set)
        self.everything: set[Callable[[str, int], None]] = set()  # who hears of all tables, such as bots

    def tell(self, match: str, number: int) -> None:
        self.wake(match)
        for listener in self.everything:
            listener(match, number)

    def wake(self, match: str) -> None:
        for reader in self._readers.get(match, ()):
            reader.set()

    @contextlib.contextmanager
    def reading(self, match: str) -> Iterator[asyncio.Event]:
        news = asyncio.Event()
        self._readers[match].add(news)
        try:
            yield news
        finally:
            self._readers[match].discard(news)
            if not self._readers[match]:
                del self._readers[match]

    def read(self, match: str) -> int:
        """How many are reading."""
        return len(self._readers.get(match, ()))


async def listen(engine: AsyncEngine, changed: Changed, missed: Callable[[], None]) -> None:
    """Hear of entries that other processes write; `missed` is called where some may not have been heard of."""
    if engine.dialect.name == "postgresql":
        await _listen_postgresql(engine, changed, missed)
    else:
        await _watch_sqlite(engine, changed, missed)


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
                text = await asyncio.wait_for(said.get(), QUIET)
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


async def _watch_sqlite(engine: AsyncEngine, changed: Changed, missed: Callable[[], None]) -> None:
    """SQLite's own counter says cheaply whether another connection has written."""
    c = schema.log.c
    written = sa.select(c.id, c.match, c.number, c.kind, c.seat, c.text, c.at)
    new = written.where(c.id > sa.bindparam("last")).order_by(c.id)
    async with engine.connect() as connection:
        last = (await connection.execute(sa.select(sa.func.max(c.id)))).scalar() or 0
        missed()
        version = None
        while True:
            now = (await connection.execute(sa.text("PRAGMA data_version"))).scalar()
            if now != version:
                version = now
                rows = (await connection.execute(new, {"last": last})).all()
                last = rows[-1][0] if rows else last
                for _, match, *entry in rows:
                    await _hear(changed, match, entry[0], Entry(*entry))
            await connection.rollback()  # or it would go on reading what was there before
            await asyncio.sleep(GLANCE)
