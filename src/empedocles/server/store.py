"""Tables in a database: SQLite on one machine, PostgreSQL to grow. An entry is committed before anybody hears of it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncIterator, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from empedocles.server import schema
from empedocles.server.tables import Clock, Entry, Seat, Table, start_match

CHANNEL = "empedocles"  # on which PostgreSQL tells other processes of new entries
MOST_SEATS = 1000  # named in one statement
DELETED = -1  # instead of an entry's number: the match is gone


def connect(url: str) -> AsyncEngine:
    # Parameters stay out of error messages, and so out of logs: some are secrets.
    engine = create_async_engine(url, pool_pre_ping=not url.startswith("sqlite"), hide_parameters=True)
    if engine.dialect.name == "sqlite":
        logging.getLogger("aiosqlite").setLevel(logging.INFO)  # its debugging messages would show them too
        event.listen(engine.sync_engine, "connect", _prepare_sqlite)
    return engine


def _prepare_sqlite(connection: Any, _record: object) -> None:
    # A write-ahead log lets readers go on while one writes; a killed process loses nothing that was committed.
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON", "busy_timeout=30000"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


class Taken(Exception):
    """Somebody else has written this entry."""


class Store:
    def __init__(self, engine: AsyncEngine) -> None:
        self.engine = engine
        # SQLite has one writer at a time: those of one process wait here in turn, not there by trying again.
        self._turn: Any = asyncio.Lock() if engine.dialect.name == "sqlite" else contextlib.nullcontext()

    @contextlib.asynccontextmanager
    async def _writing(self) -> AsyncIterator[AsyncConnection]:
        async with self._turn, self.engine.begin() as connection:
            yield connection

    # ── Players ──

    async def add_player(self, player: str, digest: str, name: str) -> None:
        values = {"id": player, "token": digest, "name": name, "created": time.time()}
        await self._write(sa.insert(schema.players).values(values))

    async def find_player(self, digest: str) -> tuple[str, str] | None:
        """Id and name of who holds a token."""
        query = sa.select(schema.players.c.id, schema.players.c.name).where(schema.players.c.token == digest)
        async with self.engine.connect() as connection:
            found = (await connection.execute(query)).first()
        return (found[0], found[1]) if found else None

    async def rename(self, player: str, name: str) -> None:
        await self._write(sa.update(schema.players).where(schema.players.c.id == player).values(name=name))

    async def _write(self, statement: Any) -> None:
        async with self._writing() as connection:
            await connection.execute(statement)

    # ── Tables ──

    async def add(self, table: Table) -> None:
        """A new table, with its log so far."""
        async with self._writing() as connection:
            await self._add(connection, table)

    async def _add(self, connection: AsyncConnection, table: Table) -> None:
        await connection.execute(sa.insert(schema.matches).values(_match_row(table)))
        await connection.execute(sa.insert(schema.seats), _seat_rows(table))
        await connection.execute(sa.insert(schema.log), [_log_row(table, entry) for entry in table.log])
        await self._notify(connection, table.id, table.number - 1)

    async def load(self, match: str) -> Table | None:
        async with self.engine.connect() as connection:
            rows = sa.select(schema.matches).where(schema.matches.c.id == match)
            found = (await connection.execute(rows)).mappings().first()
            if found is None:
                return None
            entries = await self._entries(connection, match, 0)
            seats = await self._seats(connection, match)  # after them: never older than the log says
        secret = bytes.fromhex(found["secret"])
        table = Table(
            match,
            start_match(found["game"], found["options"], secret, found["start"]),
            secret,
            seats,
            Clock(**found["clock"]),
            bool(found["listed"]),
            found["creator"],
            found["created"],
        )
        for entry in entries:
            table.apply(entry)
        return table

    async def refresh(self, table: Table) -> list[Entry]:
        """Take in what other processes have written."""
        async with self.engine.connect() as connection:
            entries = await self._entries(connection, table.id, table.number)
            if any(entry.kind in ("join", "bot") for entry in entries):
                table.seats = await self._seats(connection, table.id)
        for entry in entries:
            table.apply(entry)
        return entries

    async def append(self, table: Table, born: Table | None = None) -> None:
        """Write the entry that has made the table what it is, and a table that it led to; `Taken` if one came first."""
        entry = table.log[-1]
        try:
            async with self._writing() as connection:
                await connection.execute(sa.insert(schema.log), _log_row(table, entry))
                if entry.kind in ("join", "bot"):
                    await connection.execute(_change_seat(table, entry.seat))
                if born:
                    await self._add(connection, born)
                await connection.execute(_TOUCH, _touched(table))
                await self._notify(connection, table.id, entry.number)
        except IntegrityError as error:
            raise Taken from error

    async def _entries(self, connection: AsyncConnection, match: str, start: int) -> list[Entry]:
        c = schema.log.c
        query = (
            sa.select(c.number, c.kind, c.seat, c.text, c.at)
            .where(c.match == match, c.number >= start)
            .order_by(c.number)
        )
        return [Entry(*row) for row in await connection.execute(query)]

    async def _seats(self, connection: AsyncConnection, match: str) -> list[Seat]:
        c = schema.seats.c
        query = sa.select(c.kind, c.name, c.agent, c.owner, c.invite).where(c.match == match).order_by(c.seat)
        return [Seat(*row) for row in await connection.execute(query)]

    async def _notify(self, connection: AsyncConnection, match: str, number: int) -> None:
        if connection.dialect.name == "postgresql":
            await connection.execute(sa.select(sa.func.pg_notify(CHANNEL, f"{match} {number}")))

    # ── Lists ──

    async def listed(self, status: str, limit: int) -> list[str]:
        """Tables that strangers may see, the latest first."""
        c = schema.matches.c
        return await self._ids(sa.select(c.id).where(c.status == status, c.listed == 1), limit)

    async def of_player(self, player: str, limit: int) -> list[str]:
        c = schema.matches.c
        seated = sa.select(schema.seats.c.match).where(schema.seats.c.owner == player)
        return await self._ids(sa.select(c.id).where(c.id.in_(seated) | (c.creator == player)), limit)

    async def against_bots(self, player: str, game: str, limit: int = 5) -> list[str]:
        """A player's latest finished matches of a game in which bots sat too."""
        c, s = schema.matches.c, schema.seats.c
        seated = sa.select(s.match).where(s.owner == player)
        bots = sa.select(s.match).where(s.kind == "bot")
        return await self._ids(
            sa.select(c.id).where(c.status == "over", c.game == game, c.id.in_(seated), c.id.in_(bots)), limit
        )

    async def _ids(self, query: Any, limit: int) -> list[str]:
        async with self.engine.connect() as connection:
            found = await connection.execute(query.order_by(schema.matches.c.touched.desc()).limit(limit))
            return [row[0] for row in found]

    async def delete(self, match: str) -> None:
        async with self._writing() as connection:
            await connection.execute(sa.delete(schema.matches).where(schema.matches.c.id == match))
            await self._notify(connection, match, DELETED)

    async def leave(self, match: str, player: str) -> None:
        """Forget that a player was at a table; others were too."""
        seats, matches = schema.seats, schema.matches
        async with self._writing() as connection:
            await connection.execute(
                sa.update(seats).where(seats.c.match == match, seats.c.owner == player).values(owner="")
            )
            await connection.execute(
                sa.update(matches).where(matches.c.id == match, matches.c.creator == player).values(creator="")
            )

    # ── Who is there ──

    async def saw(self, seats: Sequence[tuple[str, int]], now: float) -> None:
        """The players in these seats, each a match and a number, are connected."""
        here = sa.tuple_(schema.seats.c.match, schema.seats.c.seat)
        async with self._writing() as connection:
            for start in range(0, len(seats), MOST_SEATS):
                some = sa.update(schema.seats).where(here.in_(seats[start : start + MOST_SEATS]))
                await connection.execute(some.values(seen=now))

    async def seen(self, since: float, match: str | None = None) -> dict[tuple[str, int], float]:
        """Who was connected since a time, at one table or anywhere."""
        c = schema.seats.c
        query = sa.select(c.match, c.seat, c.seen).where(c.seen >= since, *([c.match == match] if match else []))
        async with self.engine.connect() as connection:
            return {(found, seat): at for found, seat, at in await connection.execute(query)}

    # ── Bots ──

    async def with_bots(self) -> list[str]:
        """Tables at which a bot is to move and nobody is at it, those first that wait longest."""
        c = schema.matches.c
        query = sa.select(c.id).where(c.bot_due == 1, c.bot_until < time.time()).order_by(c.touched).limit(1000)
        async with self.engine.connect() as connection:
            return [row[0] for row in await connection.execute(query)]

    async def claim(self, match: str, number: int, seconds: float) -> bool:
        """Be the one bot worker that writes an entry, for so long."""
        c, now = schema.matches.c, time.time()
        free = (c.bot_until < now) | (c.bot_number != number)
        async with self._writing() as connection:
            found = await connection.execute(
                sa.update(schema.matches).where(c.id == match, free).values(bot_until=now + seconds, bot_number=number)
            )
        return found.rowcount == 1


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
    }


def _seat_rows(table: Table) -> list[dict[str, Any]]:
    return [{"match": table.id, "seat": number, "seen": 0.0, **vars(seat)} for number, seat in enumerate(table.seats)]


def _log_row(table: Table, entry: Entry) -> dict[str, Any]:
    return {"match": table.id, **entry._asdict()}


_TOUCH = (
    sa.update(schema.matches)
    .where(schema.matches.c.id == sa.bindparam("match"))
    .values(touched=sa.bindparam("at"), status=sa.bindparam("now"), bot_due=sa.bindparam("due"), bot_until=0.0)
)


def _touched(table: Table) -> dict[str, Any]:
    return {"match": table.id, "at": table.log[-1].at, "now": table.status, "due": int(table.bot_is_due)}


def _change_seat(table: Table, seat: int) -> Any:
    c = schema.seats.c
    return sa.update(schema.seats).where(c.match == table.id, c.seat == seat).values(**vars(table.seats[seat]))
