"""Delete tables that nobody has touched for long, and players without tables, a few at a time."""

from __future__ import annotations

import asyncio
import logging
import random

from empedocles.server.domain.moments import now
from empedocles.server.service.service import Service
from empedocles.server.settings import Settings

FIRST = 120.0  # seconds until the first round, give or take half: several processes share the work
EVERY = 3600.0  # seconds between rounds
BATCH = 100  # found at a time
PAUSE = 0.05  # seconds between deletions: others write too
DAY = 86_400.0  # seconds

log = logging.getLogger(__name__)


async def keep_expiring(service: Service, settings: Settings) -> None:
    await asyncio.sleep(FIRST * (0.5 + random.random()))
    while True:
        await expire(service, settings)
        await asyncio.sleep(EVERY)


async def expire(service: Service, settings: Settings, pause: float = PAUSE) -> int:
    """Delete what the settings say has expired; returns the number of tables and players deleted."""
    today, store, gone = now(), service.store, 0
    for kind in ("waiting", "unfinished", "finished"):
        if days := getattr(settings, f"expire_{kind}"):
            while matches := await store.untouched(kind, today - days * DAY, BATCH):
                before = gone
                for match, touched in matches:
                    gone += await service.expire(match, touched)
                    await asyncio.sleep(pause)
                if gone == before:  # another process is doing it
                    break
    if settings.expire_players:
        while count := await store.expire_players(today - settings.expire_players * DAY, BATCH):
            gone += count
            await asyncio.sleep(pause)
    await store.trim_analyses()
    if gone:
        log.info("deleted %d tables and players that nobody had used for long", gone)
    return gone
