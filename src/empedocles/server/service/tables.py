"""Tables as this process knows them: some in memory, all others read from the database when they are wanted."""

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
MOST_PLIES = 60_000  # of all those: each is a kilobyte or two
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
        """`tell` hears of each entry that this process has written or taken in, `doubt` of tokens that were revoked."""
        self.store, self.tell, self.doubt = store, tell, doubt
        self.written: Callable[[str], None] = lambda _kind: None  # hears of each entry that this process has written
        self.bans = Bans(store.bans)
        self.most_plies, self.plies = most_plies, 0  # of tables in memory, about
        self._tables: OrderedDict[str, Table] = OrderedDict()
        self._loading: dict[str, asyncio.Task[Table]] = {}
        self._outdated: set[str] = set()  # of those, what something has happened to meanwhile
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()  # only those that are in use
        self.seen = Seen(abandoned)
        self._told: dict[tuple[str, int], float] = {}  # what of that other processes know from this one

    async def table(self, match: str) -> Table:
        """As this process knows it. A table that somebody has got never changes: what happens makes another one."""
        if match in self._tables:
            self._tables.move_to_end(match)
            return self._tables[match]
        if match not in self._loading:
            self._loading[match] = loading = asyncio.create_task(self._load(match))
            loading.add_done_callback(_heed)
        return await asyncio.shield(self._loading[match])  # others may wait for it too

    async def _load(self, match: str) -> Table:
        """From the database, once more if there was news of it meanwhile: what was read may be older than that."""
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
        """Do not answer from memory any more."""
        for match in matches:
            self._tables.pop(match, None)
        self._outdated |= self._loading.keys() & set(matches)

    async def tables(self, matches: Iterable[str]) -> AsyncIterator[Table]:
        """Tables of a list, without those that cannot be loaded: one such must not hide the others."""
        for match in matches:
            try:
                table = await self.table(match)
            except (SQLAlchemyError, OSError):  # of the database: no table can be loaded
                raise
            except Exception as error:  # deleted meanwhile, of a game not installed, or of another version
                log.warning("the match %s is left out of a list: %r", match, error)
                continue
            yield table

    async def latest(self, match: str) -> Table:
        """With what other processes have written up to now; news of it may still be on their way."""
        async with self._lock(match):
            await self._catch_up(await self.table(match))
            return await self.table(match)

    def _keep(self, table: Table) -> Table:
        """The newest version of a table that is known here; who loaded one slowly may come with an older."""
        if (known := self._tables.get(table.id)) is None or known.number < table.number:
            self._tables[table.id] = table
            self.plies += table.weight - (known.weight if known else 0)
        self._tables.move_to_end(table.id)
        if self.plies > self.most_plies:  # it seems: tables may have been dropped
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
        """A process has written an entry, maybe this one; or has deleted the match."""
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
        """Whether others had written something."""
        newer = self._keep(await self.store.refreshed(table))
        for number in range(table.number, newer.number):
            self.tell(table.id, number)
        return newer.number > table.number

    def known(self) -> list[str]:
        """Matches in memory."""
        return list(self._tables)

    def forget(self) -> None:
        """News may have been missed: read every table again when it is wanted."""
        self._drop(*self._tables, *self._loading)

    async def _write(self, match: str, decide: Decide) -> Table:
        """Let `decide` say, from the table as it is, what happens; None if it has happened already."""
        writing = asyncio.create_task(self._written(match, decide))
        writing.add_done_callback(_heed)
        # Who hangs up in the middle must not leave this process behind what the database holds.
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
                    if await self._catch_up(table):  # it was refused for what the table was before
                        continue
                    raise
                try:
                    await self.store.append(table, after)
                except Taken:
                    if not await self._catch_up(table):  # nobody was quicker: the match was deleted elsewhere
                        self._drop(match)
                    continue
                self._keep(after)
                self.written(event.kind)
                self.tell(match, table.number)
                return after

    def _gone(self, match: str) -> None:
        """A match was deleted: whoever reads it is told, and nothing of it stays in memory."""
        self._drop(match)
        self.seen.forget(match)
        self._told = {place: at for place, at in self._told.items() if place[0] != match}
        self.tell(match, DELETED)


def _heed(task: asyncio.Task[Table]) -> None:
    """Whoever waited for it may be gone: then nobody else would hear that it failed."""
    if not task.cancelled():
        task.exception()
