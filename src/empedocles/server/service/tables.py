"""Tables as this process knows them: some in memory, the others read from the database when needed."""

from __future__ import annotations

import asyncio
import logging
import re
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Iterable
from weakref import WeakValueDictionary

from sqlalchemy.exc import SQLAlchemyError

from empedocles.errors import EmpedoclesError
from empedocles.server.domain.events import (
    Entry,
    Event,
)
from empedocles.server.domain.moments import now
from empedocles.server.domain.presence import ABANDONED, Seen
from empedocles.server.domain.refusals import Refused
from empedocles.server.domain.table import Table
from empedocles.server.limits.bans import Bans
from empedocles.server.storage.news import DELETED, REVOKED
from empedocles.server.storage.store import Store, Taken

MOST_TABLES = 2000  # kept in memory; the others are in the database
MOST_PLIES = 60_000  # of all tables in memory: each is a kilobyte or two
ID = re.compile(r"[A-Za-z0-9_-]{1,24}")

log = logging.getLogger(__name__)

Decide = Callable[[Table], Event | None]


class Tables:
    def __init__(
        self,
        store: Store,
        tell: Callable[[str, int], None] = lambda _match, _number: None,
        abandoned: float = ABANDONED,
        most_plies: int = MOST_PLIES,
        doubt: Callable[[str], None] = lambda _digest: None,
    ) -> None:
        """`tell` hears of each entry that this process has written or received, `doubt` of revoked tokens."""
        self.store, self.tell, self.doubt = store, tell, doubt
        self.written: Callable[[str], None] = lambda _kind: None  # hears of each entry that this process has written
        self.bans = Bans(store.bans)
        self.most_plies, self.plies = most_plies, 0  # of tables in memory, about
        self._tables: OrderedDict[str, Table] = OrderedDict()
        self._loading: dict[str, asyncio.Task[Table]] = {}
        self._outdated: set[str] = set()  # loading tables for which news has arrived
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()  # only those in use
        self.seen = Seen(abandoned)
        self._told: dict[tuple[str, int], float] = {}  # the part already shared with other processes

    async def table(self, match: str) -> Table:
        """The table as this process knows it. A `Table` never changes once handed out: each event makes a new one."""
        if match in self._tables:
            self._tables.move_to_end(match)
            return self._tables[match]
        if match not in self._loading:
            self._loading[match] = loading = asyncio.create_task(self._load(match))
            loading.add_done_callback(_heed)
        return await asyncio.shield(self._loading[match])  # others may wait for it too

    async def _load(self, match: str) -> Table:
        """Load it from the database, again if news arrived meanwhile: what was read may be older."""
        try:
            while True:
                self._outdated.discard(match)
                found = await self.store.load(match) if ID.fullmatch(match) else None
                if found is None:
                    raise Refused("no-match", f"there is no match {match!r}")
                if match not in self._outdated:
                    return self._keep(found)
        finally:
            del self._loading[match]

    def _drop(self, *matches: str) -> None:
        """Drop tables from memory."""
        for match in matches:
            self._tables.pop(match, None)
        self._outdated |= self._loading.keys() & set(matches)

    async def tables(self, matches: Iterable[str]) -> AsyncIterator[Table]:
        """The tables of a list, without those that cannot be loaded: one of them must not hide the others."""
        for match in matches:
            try:
                table = await self.table(match)
            except (SQLAlchemyError, OSError):  # the database fails: no table can be loaded
                raise
            except Exception as error:  # deleted meanwhile, or its game is not installed or of another version
                log.warning("the match %s is left out of a list: %r", match, error)
                continue
            yield table

    async def latest(self, match: str) -> Table:
        """The table with everything that other processes have written, even if the news has not arrived yet."""
        async with self._lock(match):
            await self._catch_up(await self.table(match))
            return await self.table(match)

    def _keep(self, table: Table) -> Table:
        """Keep a table, and return the newest version known here; a slow load may bring an older one."""
        if (known := self._tables.get(table.id)) is None or known.number < table.number:
            self._tables[table.id] = table
            self.plies += table.weight - (known.weight if known else 0)
        self._tables.move_to_end(table.id)
        if self.plies > self.most_plies:  # an estimate: tables may have been dropped
            self.plies = sum(one.weight for one in self._tables.values())
        while len(self._tables) > 1 and (len(self._tables) > MOST_TABLES or self.plies > self.most_plies):
            self.plies -= self._tables.popitem(last=False)[1].weight
        return self._tables[table.id]

    def _lock(self, match: str) -> asyncio.Lock:
        return self._locks.setdefault(match, asyncio.Lock())

    async def _add(self, table: Table) -> None:
        await self.store.add(table)
        self._keep(table)
        self.tell(table.id, 0)

    async def changed(self, match: str, number: int, entry: Entry | None) -> None:
        """Apply an entry that some process, maybe this one, has written; or forget a deleted match."""
        if number == REVOKED:
            self.doubt(match)
        elif number == DELETED:
            self._gone(match)
        elif match not in self._tables:
            self._drop(match)
            self.tell(match, number)
        elif self._tables[match].number <= number:
            async with self._lock(match):
                await self._take_in(match, number, entry)

    async def _take_in(self, match: str, number: int, entry: Entry | None) -> None:
        table = self._tables.get(match)
        if table is None or table.number > number:
            return
        if entry is None or table.number < number:
            await self._catch_up(table)
        else:
            self._keep(table.after(entry))
            self.tell(match, number)

    async def _catch_up(self, table: Table) -> bool:
        """Apply what others have written; returns whether there was anything."""
        newer = self._keep(await self.store.refreshed(table))
        for number in range(table.number, newer.number):
            self.tell(table.id, number)
        return newer.number > table.number

    def known(self) -> list[str]:
        """Matches in memory."""
        return list(self._tables)

    def forget(self) -> None:
        """Read every table again when it is needed: news may have been missed."""
        self._drop(*self._tables, *self._loading)

    async def _write(self, match: str, decide: Decide) -> Table:
        """Write the event that `decide` returns for the current table; None if it has already happened."""
        writing = asyncio.create_task(self._written(match, decide))
        writing.add_done_callback(_heed)
        # A client that hangs up in the middle must not leave this process behind the database.
        return await asyncio.shield(writing)

    async def _written(self, match: str, decide: Decide) -> Table:
        async with self._lock(match):
            while True:
                table = await self.table(match)
                try:
                    if (event := decide(table)) is None:
                        return table
                    after = table.after(Entry(table.number, now(), event))
                except EmpedoclesError:
                    if await self._catch_up(table):  # the refusal was based on an outdated table
                        continue
                    raise
                try:
                    await self.store.append(table, after)
                except Taken:
                    if not await self._catch_up(table):  # nobody was faster: the match was deleted elsewhere
                        self._drop(match)
                    continue
                self._keep(after)
                self.written(event.kind)
                self.tell(match, table.number)
                return after

    def _gone(self, match: str) -> None:
        """Forget a deleted match, and tell its readers."""
        self._drop(match)
        self.seen.forget(match)
        self._told = {place: at for place, at in self._told.items() if place[0] != match}
        self.tell(match, DELETED)


def _heed(task: asyncio.Task[Table]) -> None:
    """Retrieve the task's error: if its caller is gone, nobody else would."""
    if not task.cancelled():
        task.exception()
