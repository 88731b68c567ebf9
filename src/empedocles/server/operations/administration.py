"""What an operator can do with a database while servers use it: list, delete, ban, check."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from empedocles.errors import BadValue
from empedocles.server.domain.moments import now
from empedocles.server.limits import bans
from empedocles.server.limits.bans import Ban
from empedocles.server.service.service import Service
from empedocles.server.settings import Settings
from empedocles.server.storage import database_file, migrate, schema
from empedocles.server.storage.boots import agree
from empedocles.server.storage.database import connect
from empedocles.server.storage.store import Store

ALL = 10**9  # more than there are


@contextlib.asynccontextmanager
async def opened(settings: Settings) -> AsyncIterator[Service]:
    """Open an existing database of this program's version; running servers hear of changes."""
    if settings.file and not settings.file.exists():
        raise BadValue(f"there is no database at {settings.file}")
    store = Store(connect(settings.url))
    try:
        await _check_version(store)
        await agree(store.engine)
        yield Service(store)
    finally:
        await store.close()


async def _check_version(store: Store) -> None:
    try:
        found = await store.version()
    except Exception as error:  # drivers have their own
        raise BadValue(f"this is not a server's database, or it cannot be opened: {error}") from None
    migrate.check_version(found)
    if found != migrate.versions()[0]:
        raise BadValue(f"the database has version {found}: start the server to bring it up to date")


# ── Lists ────────────────────────────────────────────────────────────────────────────────────────────────────────────


class Found(NamedTuple):
    """The newest rows, and the total."""

    rows: list[Any]
    total: int


async def tables(store: Store, status: str = "", game: str = "", player: str = "", limit: int = 20) -> Found:
    """Tables, with the people and agents in their seats."""
    c, s = schema.matches.c, schema.seats.c
    where = [c.status == status] if status else []
    where += [c.game == game] if game else []
    where += [c.id.in_(sa.select(s.match).where(s.owner == player)) | (c.creator == player)] if player else []
    query = sa.select(c.id, c.game, c.status, c.creator, c.touched).where(*where).order_by(c.touched.desc())
    rows = await store.ask(query.limit(limit))
    seats = sa.select(s.match, s.name, s.agent, s.kind).where(s.match.in_([row.id for row in rows]))
    seated: dict[str, list[str]] = {}
    for match, name, agent, kind in await store.ask(seats.order_by(s.match, s.seat)):
        seated.setdefault(match, []).append(name or agent or kind)
    return Found([(*row, seated.get(row.id, [])) for row in rows], await _count(store, schema.matches, where))


async def players(store: Store, name: str = "", limit: int = 20) -> Found:
    """Players, each with the number of their tables."""
    c, s = schema.players.c, schema.seats.c
    where = [sa.func.lower(c.name).contains(name.lower(), autoescape=True)] if name else []
    sits = sa.select(sa.func.count(s.match.distinct())).where(s.owner == c.id).correlate(schema.players)
    query = sa.select(c.id, c.name, c.created, sits.scalar_subquery()).where(*where).order_by(c.created.desc())
    return Found(list(await store.ask(query.limit(limit))), await _count(store, schema.players, where))


async def complaints(store: Store, game: str = "", limit: int = 20) -> Found:
    """Puzzles that visitors find wanting, and why."""
    c = schema.complaints.c
    where = [c.game == game] if game else []
    query = sa.select(c.game, c.puzzle, c.at, c.reason, c.note).where(*where).order_by(c.id.desc())
    return Found(list(await store.ask(query.limit(limit))), await _count(store, schema.complaints, where))


async def _count(store: Store, table: sa.Table, where: list[Any]) -> int:
    return int((await store.ask(sa.select(sa.func.count()).select_from(table).where(*where)))[0][0])


# ── Delete ───────────────────────────────────────────────────────────────────────────────────────────────────────────


async def delete_table(store: Store, match: str) -> None:
    if not await store.remove(match):
        raise BadValue(f"there is no table {match!r}: empedocles admin list tables")


async def delete_player(service: Service, player: str) -> int:
    """Delete a player and their tables; others keep shared matches, without the name. Returns how many were deleted."""
    await known_player(service.store, player)
    return await service.forget_player(player)


async def known_player(store: Store, player: str) -> str:
    """The name of a player."""
    found = await store.ask(sa.select(schema.players.c.name).where(schema.players.c.id == player))
    if not found:
        raise BadValue(f"there is no player {player!r}: empedocles admin list players")
    return str(found[0][0])


# ── Ban ──────────────────────────────────────────────────────────────────────────────────────────────────────────────


async def ban(store: Store, who: str, reason: str, seconds: float | None) -> Ban:
    """Ban a player by id, or an address or network; forever if `seconds` is None."""
    moment = now()
    until = None if seconds is None else moment + seconds
    if found := bans.network(who):
        made = Ban(bans.ADDRESS, bans.checked_network(found), reason, moment, until)
    else:
        await known_player(store, who)
        made = Ban(bans.PLAYER, who, reason, moment, until)
    await store.ban(made)
    return made


async def unban(store: Store, who: str) -> None:
    found = bans.network(who)
    kind, what = (bans.ADDRESS, str(found)) if found else (bans.PLAYER, who)
    if not await store.unban(kind, what):
        raise BadValue(f"{what} is not banned")


# ── Check ────────────────────────────────────────────────────────────────────────────────────────────────────────────


async def check(settings: Settings) -> tuple[int, list[str]]:
    """Check the file and replay every log; returns the number of tables, and what is wrong."""
    if settings.file and settings.file.exists() and (damage := database_file.damage_in(settings.file)):
        return 0, [f"the file is damaged: {damage}"]
    async with opened(settings) as service:
        c = schema.matches.c
        matches = [row[0] for row in await service.store.ask(sa.select(c.id).order_by(c.created))]
        found = [(match, await _problem(service.store, match)) for match in matches]
    return len(matches), [f"{match}: {problem}" for match, problem in found if problem]


async def _problem(store: Store, match: str) -> str:
    try:
        table = await store.load(match)
    except (SQLAlchemyError, OSError):  # the database's error, not this match's
        raise
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "its log is empty" if table and not table.log else ""
