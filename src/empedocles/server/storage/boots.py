"""Each boot of a machine, and the offset of its time: all processes that share a database agree on it.

The system time is read once after each boot; if it is behind the latest time in the database, time continues from
there.
"""

from __future__ import annotations

import time
import uuid
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from empedocles.server.domain.moments import set_offset, since_boot
from empedocles.server.storage import schema

BEAT = 60.0  # seconds between notes of the time in the database
RECENT = 100  # entries of the log: those of several processes may be slightly out of order
FORGOTTEN = 365 * 24 * 3600.0  # seconds after which a machine is no longer expected to run

_NO_BOOT = f"process {uuid.uuid4()}"  # where the system does not number its boots, each process is on its own


def boot() -> str:
    """An id of this boot of the machine."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return _NO_BOOT


async def agree(engine: AsyncEngine) -> None:
    """Adopt this machine's offset; the first of its processes sets it."""
    known = sa.select(schema.boots.c.offset).where(schema.boots.c.boot == boot())
    async with engine.begin() as connection:
        offset = (await connection.execute(known)).scalar()
        if offset is None:
            await _register(connection)
            offset = (await connection.execute(known)).scalar_one()
    set_offset(offset)


_FIRST = sa.text('INSERT INTO boots (boot, "offset", latest) VALUES (:boot, :offset, :latest) ON CONFLICT DO NOTHING')


async def _register(connection: AsyncConnection) -> None:
    wall, started = await _wall(connection)
    latest = max(wall, await _latest(connection))
    await connection.execute(sa.delete(schema.boots).where(schema.boots.c.latest < latest - FORGOTTEN))
    await connection.execute(_FIRST, {"boot": boot(), "offset": latest - started, "latest": latest})


async def _wall(connection: AsyncConnection) -> tuple[float, float]:
    """The time of day, and the time since boot at that moment.

    From the database server, if there is one: then machines that share it agree, whatever their own time is.
    """
    before = since_boot()
    if connection.dialect.name == "postgresql":
        asked = sa.select(sa.func.extract("epoch", sa.func.clock_timestamp()))
        wall = float((await connection.execute(asked)).scalar_one())
    else:
        wall = time.time()
    return wall, (before + since_boot()) / 2


async def _latest(connection: AsyncConnection) -> float:
    """The time when the database was last written to."""
    entries = sa.select(schema.log.c.at).order_by(schema.log.c.id.desc()).limit(RECENT).subquery()
    asked = (entries.c.at, schema.seats.c.seen, schema.boots.c.latest)
    return max([(await connection.execute(sa.select(sa.func.max(column)))).scalar() or 0.0 for column in asked])
