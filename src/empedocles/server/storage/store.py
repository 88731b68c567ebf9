"""Tables in a database: SQLite on one machine, PostgreSQL to grow. An entry is committed before anybody hears of it."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import logging
import math
import sqlite3
import time
from collections.abc import Collection, Coroutine, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from empedocles.server.domain import events
from empedocles.server.domain.events import OPEN, PERSON, Entry, Left
from empedocles.server.domain.moments import now
from empedocles.server.domain.table import OVER, PLAYING, WAITING, Stored, Table
from empedocles.server.limits.bans import Ban
from empedocles.server.limits.processor import Aside
from empedocles.server.storage import schema
from empedocles.server.storage.boots import boot
from empedocles.server.storage.news import CHANNEL, DELETED, REVOKED, news, read_entry

PATIENCE = 30  # seconds that SQLite waits for another writer
LONG_LOG = 50  # moves that are played again on the event loop: about 2 ms
MOST_SEATS = 1000  # named in one statement
SIGNS_KEPT = 3600  # seconds after which a process that is not seen any more is forgotten
MANY = 1000  # more tables than anybody may have open
LISTED_EACH = 2  # tables of one maker in a list for strangers
CONTESTED = 30 * 24 * 3600.0  # seconds without a move after which nobody plays a position any more: the longest clock
FEW = 100  # matches deleted in one transaction
REVOKED_KEPT = 24 * 3600.0  # seconds for which tokens are known that are worth nothing any more
GONE = "gone "  # instead of a token's digest: nobody has it


def connect(url: str) -> AsyncEngine:
    # Parameters stay out of error messages, and so out of logs: some are secrets.
    engine = create_async_engine(url, hide_parameters=True)
    if engine.dialect.name == "sqlite":
        logging.getLogger("aiosqlite").setLevel(logging.INFO)  # its debugging messages would show them too
        event.listen(engine.sync_engine, "connect", _prepare_sqlite)
    return engine


def _prepare_sqlite(connection: Any, _record: object) -> None:
    # A write-ahead log lets readers go on while one writes; a killed process loses nothing that was committed.
    cursor = connection.cursor()
    for pragma in (f"busy_timeout={1000 * PATIENCE}", "journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON"):
        _insist(cursor, f"PRAGMA {pragma}")
    cursor.close()


def _insist(cursor: Any, statement: str) -> None:
    """Where several processes make a file at the same moment, SQLite refuses one at once instead of letting it wait."""
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


class Taken(Exception):
    """Somebody else has written this entry."""


T = TypeVar("T")
Step = tuple[Any, Any]  # a statement, and its values


class Store:
    def __init__(self, engine: AsyncEngine, aside: Aside | None = None) -> None:
        """Long matches are played again `aside`."""
        self.engine, self._aside = engine, aside or Aside()
        self._writer = _Writer(engine) if engine.dialect.name == "sqlite" else None
        # A single statement needs no transaction around it, which would be two more round trips.
        self._single = engine if self._writer else engine.execution_options(isolation_level="AUTOCOMMIT")
        self._begun: set[asyncio.Task[Any]] = set()

    async def close(self) -> None:
        """What was begun is brought to its end."""
        await asyncio.gather(*self._begun, return_exceptions=True)
        if self._writer:
            self._writer.close()
        self._aside.close()
        await self.engine.dispose()

    async def _commit(self, *steps: Step) -> int:
        """All of it or nothing; how many rows the last step was about."""
        if self._writer:
            return await self._writer.commit(steps)
        return await self._apart(self._execute(steps))

    async def _execute(self, steps: Sequence[Step]) -> int:
        async with self.engine.begin() as connection:
            for statement, values in steps:
                found = await connection.execute(statement, values)
        return found.rowcount

    async def _rows(self, query: Any) -> Sequence[Any]:
        return await self._apart(self._fetch(query))

    async def _apart(self, work: Coroutine[Any, Any, T]) -> T:
        """Brought to its end whoever stops waiting for it: a connection given up in the middle is lost to the pool."""
        task = asyncio.create_task(work)
        self._begun.add(task)
        task.add_done_callback(self._begun.discard)
        return await asyncio.shield(task)

    async def _fetch(self, query: Any) -> Sequence[Any]:
        for last in (False, True):
            try:
                async with self._single.connect() as connection:
                    return (await connection.execute(query)).all()
            except DBAPIError as error:
                if last or not error.connection_invalidated:  # by a database that was started again
                    raise
        raise AssertionError

    # ── Players ──

    async def add_player(self, player: str, digest: str, name: str) -> None:
        values = {"id": player, "token": digest, "name": name, "created": now()}
        await self._commit((sa.insert(schema.players), values))

    async def find_player(self, digest: str) -> tuple[str, str] | None:
        """Id and name of who holds a token."""
        query = sa.select(schema.players.c.id, schema.players.c.name).where(schema.players.c.token == digest)
        return next(((player, name) for player, name in await self._rows(query)), None)

    async def rename(self, player: str, name: str) -> None:
        await self._commit((sa.update(schema.players).where(schema.players.c.id == player), {"name": name}))

    async def remove_player(self, player: str) -> None:
        await self._commit((sa.delete(schema.players).where(schema.players.c.id == player), {}))

    async def joined(self, player: str) -> float:
        """When somebody became a player."""
        query = sa.select(schema.players.c.created).where(schema.players.c.id == player)
        return float((await self._rows(query))[0][0])

    async def token(self, player: str) -> str:
        """The digest of a player's token; "" if there is no such player."""
        found = await self._rows(sa.select(schema.players.c.token).where(schema.players.c.id == player))
        return str(found[0][0]) if found else ""

    async def change_token(self, player: str, old: str, new: str, **more: Any) -> bool:
        """Make a token worthless, by its digest; whether it was the player's until now."""
        c, moment = schema.players.c, now()
        change = sa.update(schema.players).where(c.id == player, c.token == old).values(token=new, **more)
        outdated = sa.delete(schema.revocations).where(schema.revocations.c.at < moment - REVOKED_KEPT)
        noted = sa.insert(schema.revocations), {"token": old, "at": moment}
        return (
            await self._commit((outdated, {}), noted, *self._telling_all(json.dumps([old, REVOKED])), (change, {})) == 1
        )

    async def forgotten(self) -> list[str]:
        """Players whom nobody is any more, but of whom something may be left."""
        query = sa.select(schema.players.c.id).where(schema.players.c.token.startswith(GONE))
        return [row[0] for row in await self._rows(query)]

    async def delete_alone(self, player: str) -> list[str]:
        """Delete all of a player's tables at which nobody else sits."""
        c, s = schema.matches.c, schema.seats.c
        others = sa.exists().where(s.match == c.id, s.kind == PERSON, s.owner.not_in(["", player]))
        alone = await self._rows(sa.select(c.id).where(self._is_of(player), ~others))
        found = [row[0] for row in alone]
        for start in range(0, len(found), FEW):
            some = found[start : start + FEW]
            told = [step for match in some for step in self._telling_gone(match)]
            await self._commit(*told, (sa.delete(schema.matches).where(c.id.in_(some), ~others), {}))
        return found

    async def leave_all(self, player: str) -> list[str]:
        """Leave every seat of a player to nobody, without a name, and say so in the logs."""
        c, left = schema.seats.c, set()
        mine = sa.select(c.match, c.seat).where(c.owner == player).order_by(c.match, c.seat)
        while rows := await self._rows(mine):
            for match, seats in itertools.groupby(rows, lambda row: str(row[0])):
                with contextlib.suppress(IntegrityError):  # somebody was quicker: again
                    await self._leave(player, match, [seat for _, seat in seats])
                    left.add(match)
        created = sa.update(schema.matches).where(schema.matches.c.creator == player)
        await self._commit((created.values(creator=""), {}))
        return sorted(left)

    async def _leave(self, player: str, match: str, seats: Sequence[int]) -> None:
        c, moment, known = schema.seats.c, now(), await self._entries(match, 0)
        entries = [Entry(len(known) + k, moment, Left(seat, name_too=True)) for k, seat in enumerate(seats)]
        mine = sa.update(schema.seats).where(c.match == match, c.owner == player).values(owner="", name="")
        told = [step for entry in entries for step in self._telling(match, entry)]
        hidden = _hide(match, known, player, name_too=True)
        await self._commit((_ENTER, [_log_row(match, entry) for entry in entries]), (mine, {}), *hidden, *told)

    # ── Tables ──

    async def add(self, table: Table) -> None:
        """A new table, with its log so far."""
        await self._commit(*self._adding(table))

    def _adding(self, table: Table) -> list[Step]:
        return [
            (sa.insert(schema.matches), _match_row(table)),
            (sa.insert(schema.seats), _seat_rows(table)),
            (_ENTER, [_log_row(table.id, entry) for entry in table.log]),
            *self._telling(table.id, table.log[-1]),
        ]

    def _telling(self, match: str, entry: Entry) -> list[Step]:
        return self._telling_all(news(match, entry))

    def _telling_gone(self, match: str) -> list[Step]:
        return self._telling_all(json.dumps([match, DELETED]))

    def _telling_all(self, told: str) -> list[Step]:
        """Other processes; with SQLite, they look by themselves."""
        return [] if self._writer else [(_TELL, {"news": told})]

    async def load(self, match: str) -> Table | None:
        stored = await self.read(match)
        if stored is None:
            return None
        table, noted = stored.begun, stored.row["position"]
        await self._apply(table, stored.entries)
        if noted != table.contested:  # a version wrote it that did not know of it
            await self._note_position(table, noted)
        return table

    async def read(self, match: str) -> Stored | None:
        found = await self._rows(sa.select(schema.matches).where(schema.matches.c.id == match))
        if not found:
            return None
        return Stored(dict(found[0]._mapping), await self._entries(match, 0))

    async def _note_position(self, table: Table, before: str) -> None:
        c, touched = schema.matches.c, _touched(table)
        same = sa.update(schema.matches).where(
            c.id == table.id, c.position == before, c.touched == touched["new_touched"]
        )
        await self._commit((same.values(position=touched["new_position"]), {}))

    async def _apply(self, table: Table, entries: Sequence[Entry]) -> None:
        def some(done: int, until: float) -> int:
            while done < len(entries) and time.thread_time() < until:
                table.apply(entries[done])
                done += 1
            return done

        if sum(events.plies(entry.event) for entry in entries) > LONG_LOG:
            await self._aside.all(some, 0, len(entries))
        else:
            some(0, math.inf)

    async def refreshed(self, table: Table) -> Table:
        """The table with what other processes have written since: a copy, as others may be thinking about this one."""
        entries = await self._entries(table.id, table.number)
        if not entries:
            return table
        newer = table.copy()
        await self._apply(newer, entries)
        return newer

    async def append(self, before: Table, after: Table) -> None:
        """Write the entry that has made the table what it is.

        `Taken` if one came first, or if it cannot be known: a connection that broke may have done its work.
        """
        entry, seats = after.log[-1], _changed_seats(before, after)
        try:
            if self._writer or seats:
                steps = [(_ENTER, _log_row(after.id, entry)), (_TOUCH, _touched(after))]
                await self._commit(*steps, *seats, *_hiding(before, after), *self._telling(after.id, entry))
            else:
                await self._apart(self._append(_written(after)))
        except DBAPIError as error:
            if isinstance(error, IntegrityError) or error.connection_invalidated:
                raise Taken from error
            raise

    async def _append(self, values: dict[str, Any]) -> None:
        async with self._single.connect() as connection:
            await connection.execute(_APPEND, values)

    async def _entries(self, match: str, start: int) -> list[Entry]:
        c = schema.log.c
        query = sa.select(c.number, c.at, c.kind, c.body).where(c.match == match, c.number >= start)
        return [read_entry(*row) for row in await self._rows(query.order_by(c.number))]

    # ── Lists ──

    async def listed(self, status: str, limit: int) -> list[str]:
        """Tables that strangers may see, the latest first; of those that wait for players, where one may sit down.

        A few of each who has made them: nobody's tables hide those of others.
        """
        c = schema.matches.c
        maker = sa.case((c.creator == "", c.id), else_=c.creator)
        place = sa.func.row_number().over(partition_by=maker, order_by=c.touched.desc()).label("place")
        query = sa.select(c.id, c.touched, place).where(c.status == status, c.listed == 1)
        if status == WAITING:
            query = query.where(_is_open())
        some = query.subquery()
        query = sa.select(some.c.id).where(some.c.place <= LISTED_EACH).order_by(some.c.touched.desc()).limit(limit)
        return [row[0] for row in await self._rows(query)]

    async def open_tables(self, player: str) -> list[str]:
        """Tables that a player has made and where anybody may sit down."""
        c = schema.matches.c
        return await self._ids(sa.select(c.id).where(c.creator == player, c.status == WAITING, _is_open()), MANY)

    async def still_open(self, matches: Sequence[str]) -> list[str]:
        """Of some tables, those where anybody may sit down."""
        c = schema.matches.c
        return await self._ids(sa.select(c.id).where(c.id.in_(matches), c.status == WAITING, _is_open()), len(matches))

    async def of_player(self, player: str, limit: int, over: bool | None = None) -> list[str]:
        """A player's tables, the latest first: all, or those that are over, or that are not."""
        c = schema.matches.c
        query = sa.select(c.id).where(self._is_of(player))
        if over is not None:
            query = query.where((c.status == OVER) if over else (c.status != OVER))
        return await self._ids(query, limit)

    @staticmethod
    def _is_of(player: str) -> Any:
        """Whether a table is a player's."""
        c, s = schema.matches.c, schema.seats.c
        return c.id.in_(sa.select(s.match).where(s.owner == player)) | (c.creator == player)

    async def against_bots(self, player: str, game: str, limit: int = 5) -> list[str]:
        """A player's latest finished matches of a game in which bots sat too."""
        c, s = schema.matches.c, schema.seats.c
        seated = sa.select(s.match).where(s.owner == player)
        bots = sa.select(s.match).where(s.kind == "bot")
        return await self._ids(
            sa.select(c.id).where(c.status == OVER, c.game == game, c.id.in_(seated), c.id.in_(bots)), limit
        )

    async def _ids(self, query: Any, limit: int) -> list[str]:
        return [row[0] for row in await self._rows(query.order_by(schema.matches.c.touched.desc()).limit(limit))]

    async def contested(self, game: str) -> set[str]:
        """The fingerprints of all positions of a game that people play against each other now."""
        c = schema.matches.c
        recent = schema.HAS_POSITION, c.touched > now() - CONTESTED
        return {row[0] for row in await self._rows(sa.select(c.position).where(c.game == game, *recent))}

    async def is_contested(self, fingerprints: Collection[str]) -> bool:
        """Whether people play one of these positions now."""
        c = schema.matches.c
        recent = schema.HAS_POSITION, c.touched > now() - CONTESTED
        return bool(await self._rows(sa.select(c.id).where(c.position.in_(fingerprints), *recent).limit(1)))

    async def delete(self, table: Table) -> bool:
        """Unless something has happened that the table does not know of."""
        return await self.expire(table.id, _touched(table)["new_touched"])

    async def untouched(self, kind: str, before: float, limit: int) -> list[tuple[str, float]]:
        """Tables, waiting, unfinished or finished, that nobody has touched since a time; and when they were."""
        c, e, today = schema.matches.c, schema.log.c, now()
        imported = sa.exists().where(e.match == c.id, e.number == 0, e.kind == "import")
        wanted = {
            "waiting": c.status == WAITING,
            "unfinished": (c.status == PLAYING) & ~imported,
            "finished": (c.status == OVER) | ((c.status == PLAYING) & imported),
        }[kind]
        found: list[tuple[str, float]] = []
        last = 0.0
        while len(found) < limit:
            query = sa.select(c.id, c.touched, c.clock).where(wanted, c.touched < before, c.touched > last)
            rows = await self._rows(query.order_by(c.touched).limit(limit))
            found += [(match, touched) for match, touched, clock in rows if not _may_move(clock, touched, today)]
            if len(rows) < limit:
                break
            last = rows[-1].touched
        return found

    async def expire(self, match: str, touched: float) -> bool:
        """Delete a table, unless something has happened at it since."""
        c = schema.matches.c
        unchanged = sa.delete(schema.matches).where(c.id == match, c.touched == touched)
        return await self._commit(*self._telling_gone(match), (unchanged, {})) == 1

    async def expire_players(self, before: float, limit: int) -> int:
        """Delete some players who came before a time and have no table; returns how many."""
        p = schema.players.c
        seated = sa.exists().where(schema.seats.c.owner == p.id)
        made = sa.exists().where(schema.matches.c.creator == p.id)
        some = sa.select(p.id).where(p.created < before, ~seated, ~made).limit(limit)
        return await self._commit((sa.delete(schema.players).where(p.id.in_(some)), {}))

    async def remove(self, match: str) -> bool:
        """Whatever has happened there, and even if it cannot be loaded; whether there was such a table."""
        here = sa.delete(schema.matches).where(schema.matches.c.id == match)
        return await self._commit(*self._telling_gone(match), (here, {})) == 1

    async def disown(self, match: str, player: str) -> None:
        """Forget that a player has created a table."""
        c = schema.matches.c
        await self._commit((sa.update(schema.matches).where(c.id == match, c.creator == player), {"creator": ""}))

    # ── Who is there ──

    async def saw(self, seats: Sequence[tuple[str, int]], now: float) -> None:
        """The players in these seats, each a match and a number, are connected."""
        here = sa.tuple_(schema.seats.c.match, schema.seats.c.seat)
        for start in range(0, len(seats), MOST_SEATS):
            some = sa.update(schema.seats).where(here.in_(seats[start : start + MOST_SEATS]))
            await self._commit((some.values(seen=now), {}))

    async def seen(self, since: float, match: str | None = None) -> dict[tuple[str, int], float]:
        """Who was connected since a time, at one table or anywhere."""
        c = schema.seats.c
        query = sa.select(c.match, c.seat, c.seen).where(c.seen >= since, *([c.match == match] if match else []))
        return {(found, seat): at for found, seat, at in await self._rows(query)}

    # ── Who may not use the server ──

    async def bans(self) -> list[Ban]:
        c = schema.bans.c
        query = sa.select(c.kind, c.what, c.reason, c.created, c.until).order_by(c.created.desc(), c.id.desc())
        return [Ban(*row) for row in await self._rows(query)]

    async def ban(self, ban: Ban) -> None:
        await self._commit(_unban(ban.kind, ban.what), (sa.insert(schema.bans), ban._asdict()))

    async def unban(self, kind: str, what: str) -> bool:
        """Whether there was such a ban."""
        return await self._commit(_unban(kind, what)) == 1

    # ── How it is ──

    async def ask(self, query: Any) -> Sequence[Any]:
        """Any question of an operator's."""
        return await self._rows(query)

    async def version(self) -> str | None:
        found = await self._rows(sa.text("SELECT version_num FROM alembic_version"))
        return found[0][0] if found else None

    async def count_overdue(self, since: float, until: float) -> int:
        """Tables at which a bot is to move, and nothing has happened since some time between the two."""
        c = schema.matches.c
        overdue = sa.select(sa.func.count()).where(c.bot_due == 1, c.touched.between(since, until))
        return int((await self._rows(overdue.select_from(schema.matches)))[0][0])

    async def sign(self, process: str, host: str, bots: int, wrong: str) -> None:
        """A process is alive, and says what it finds wrong with itself."""
        c, moment = schema.processes.c, now()
        old = sa.delete(schema.processes).where((c.id == process) | (c.seen < moment - SIGNS_KEPT))
        values = {"id": process, "host": host, "bots": bots, "seen": moment, "wrong": wrong}
        await self._commit((old, {}), (sa.insert(schema.processes), values))

    async def unsign(self, process: str) -> None:
        await self._commit((sa.delete(schema.processes).where(schema.processes.c.id == process), {}))

    async def signs(self, host: str, since: float) -> list[str]:
        """What the processes of a host that were seen lately find wrong with themselves."""
        c = schema.processes.c
        return [row[0] for row in await self._rows(sa.select(c.wrong).where(c.host == host, c.seen >= since))]

    # ── Time ──

    async def note_time(self) -> None:
        """How late it is, so that time never goes back by more than a moment, whatever the wall clock says later."""
        here = sa.update(schema.boots).where(schema.boots.c.boot == boot())
        await self._commit((here.values(latest=now()), {}))

    # ── Bots ──

    async def with_bots(self) -> list[str]:
        """Tables at which a bot is to move and nobody is at it, those first that wait longest."""
        c = schema.matches.c
        query = sa.select(c.id).where(c.bot_due == 1, c.bot_until < now()).order_by(c.touched).limit(1000)
        return [row[0] for row in await self._rows(query)]

    async def claim(self, match: str, number: int, seconds: float) -> bool:
        """Be the one bot worker that writes an entry, for so long."""
        c, start = schema.matches.c, now()
        free = sa.update(schema.matches).where(c.id == match, (c.bot_until < start) | (c.bot_number != number))
        return await self._commit((free, {"bot_until": start + seconds, "bot_number": number})) == 1


class _Writer:
    """The one thread of this process that writes to SQLite, which has one writer at a time.

    Several would wait for each other by trying again, without order; and here a transaction is one hop to a thread.
    """

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = sa.create_engine(engine.url.set(drivername="sqlite"), hide_parameters=True)
        event.listen(self._engine, "connect", _prepare_sqlite)
        self._thread = ThreadPoolExecutor(1, "writer")
        self._connection: sa.Connection | None = None

    async def commit(self, steps: Sequence[Step]) -> int:
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._commit, steps)

    def _commit(self, steps: Sequence[Step]) -> int:
        # One connection for all: taking it from the engine's pool and giving it back is a third of the work.
        self._connection = connection = self._connection or self._engine.connect()
        with connection.begin():
            for statement, values in steps:
                found = connection.execute(statement, values)
            return found.rowcount

    def close(self) -> None:
        self._thread.submit(self._close)
        self._thread.shutdown()

    def _close(self) -> None:
        if self._connection:
            self._connection.close()
        self._engine.dispose()


def _is_open() -> Any:
    """Whether anybody may sit down at a table."""
    s = schema.seats.c
    nobody = sa.func.length(s.owner) == 0  # said so that SQLite looks by table, not through all seats of nobody
    return sa.exists().where(s.match == schema.matches.c.id, s.kind == OPEN, s.invite == "", nobody)


def _may_move(clock: dict[str, Any], touched: float, now: float) -> bool:
    """Whether the time for a move, counted in days, is not over yet."""
    return bool(clock["kind"] == "days" and now < touched + clock["base"] + clock["increment"])


def _match_row(table: Table) -> dict[str, Any]:
    return {
        "id": table.id,
        "game": table.game.name,
        "options": table.match.options,
        "start": table.match.start.text,
        "secret": table.secret.hex(),
        "clock": vars(table.clock),
        "listed": int(table.listed),
        "status": table.status,
        "creator": table.creator,
        "created": table.created,
        "touched": table.created,
        "bot_due": int(table.bot_is_due),
        "bot_until": 0.0,
        "bot_number": 0,
        "position": table.contested,
    }


def _seat_rows(table: Table) -> list[dict[str, Any]]:
    return [{"match": table.id, "seat": number, "seen": 0.0, **asdict(seat)} for number, seat in enumerate(table.seats)]


def _changed_seats(before: Table, after: Table) -> list[Step]:
    """Who sits where is in the log; the database has it once more, to find players' tables."""
    c, pairs = schema.seats.c, zip(before.seats, after.seats, strict=True)
    return [
        (sa.update(schema.seats).where(c.match == after.id, c.seat == number), asdict(seat))
        for number, (old, seat) in enumerate(pairs)
        if seat != old
    ]


def _hiding(before: Table, after: Table) -> list[Step]:
    """Whoever leaves is not known from the log any more."""
    match after.log[-1].event:
        case Left(seat=seat, name_too=name_too):
            return _hide(after.id, before.log, before.seats[seat].owner, name_too)
    return []


def _hide(match: str, entries: Iterable[Entry], player: str, name_too: bool) -> list[Step]:
    c, steps = schema.log.c, []
    for entry in entries:
        if (hidden := events.without(entry.event, player, name_too)) != entry.event:
            same = sa.update(schema.log).where(c.match == match, c.number == entry.number)
            steps.append((same, {"body": events.write(hidden)}))
    return steps


def _log_row(match: str, entry: Entry) -> dict[str, Any]:
    event = entry.event
    return {
        "match": match,
        "number": entry.number,
        "at": entry.at,
        "kind": event.kind,
        "body": events.write(event),
    }


def _touched(table: Table) -> dict[str, Any]:
    last = next(entry.at for entry in reversed(table.log) if not isinstance(entry.event, Left))  # lists of others stay
    values = {"id": table.id, "touched": last, "status": table.status, "bot_due": int(table.bot_is_due)}
    values["position"] = table.contested
    return {f"new_{name}": value for name, value in values.items()}


def _written(table: Table) -> dict[str, Any]:
    entry = {f"new_{name}": value for name, value in _log_row(table.id, table.log[-1]).items()}
    return entry | _touched(table) | {"news": news(table.id, table.log[-1])}


def _unban(kind: str, what: str) -> Step:
    c = schema.bans.c
    return sa.delete(schema.bans).where(c.kind == kind, c.what == what), {}


# Made once: SQLAlchemy remembers how it has compiled them.
_ENTER = sa.insert(schema.log)
_TOUCH = (
    sa.update(schema.matches)
    .where(schema.matches.c.id == sa.bindparam("new_id"))
    .values({name: sa.bindparam(f"new_{name}") for name in ("touched", "status", "bot_due", "position")})
    .values(bot_until=0.0)
)
_TELL = sa.select(sa.func.pg_notify(CHANNEL, sa.bindparam("news")))
_ENTRY = _ENTER.values({name: sa.bindparam(f"new_{name}") for name in ("match", "number", "at", "kind", "body")})
_APPEND = _TELL.add_cte(_ENTRY.cte("entry"), _TOUCH.cte("touched"))  # for PostgreSQL, in one round trip
