"""The server's health: whether its database answers, bots keep up, the disk has room, and tasks keep failing."""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import shutil
import socket
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from sqlalchemy.exc import SQLAlchemyError

from empedocles.server.domain.moments import now
from empedocles.server.settings import Settings
from empedocles.server.storage.migrate import versions
from empedocles.server.storage.store import Store

KEPT = 1.0  # seconds for which an answer is reused
PATIENCE = 2.0  # seconds for the database
OVERDUE = 60.0  # seconds after which a bot should have moved
FORGOTTEN = 3600.0  # seconds after which a bot that has not moved is the table's problem, not the server's
STUCK = 400.0  # seconds for one job: a process that exceeds its time is replaced well before
OFTEN, LATELY = 2, 10.0  # a task keeps failing if it failed this often in the last seconds
SIGN = 10.0  # seconds between two signs of life
SILENT = 60.0  # seconds without one after which a process counts as dead
HOST = socket.gethostname()[:100]

log = logging.getLogger(__name__)


class Check(BaseModel):
    ok: bool
    message: str = ""  # what is wrong
    facts: dict[str, float | str] = {}


class Report(BaseModel):
    status: str  # ok or failing
    checks: dict[str, Check]

    @property
    def wrong(self) -> str:
        return "; ".join(f"{name}: {check.message}" for name, check in self.checks.items() if not check.ok)


class Failures:
    """Failures of background tasks, which are restarted when they fail."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._times: deque[tuple[float, str]] = deque(maxlen=100)

    def add(self, error: Exception) -> None:
        self._times.append((self._now(), type(error).__name__))

    def check(self) -> Check:
        late = [name for at, name in self._times if at > self._now() - LATELY]
        if len(late) < OFTEN:
            return Check(ok=True)
        return Check(ok=False, message=f"background tasks keep failing ({', '.join(sorted(set(late)))})")


class Health:
    def __init__(self, store: Store, settings: Settings, failures: Failures, silence: Callable[[], float]) -> None:
        """`silence` returns the seconds for which worker processes have been busy without an answer."""
        self.store, self.settings, self.failures, self.silence = store, settings, failures, silence
        self._lock, self._report, self._until = asyncio.Lock(), Report(status="ok", checks={}), 0.0
        self._id = f"{os.getpid()}-{secrets.token_hex(8)}"

    async def report(self) -> Report:
        """A report; concurrent requests share one."""
        async with self._lock:
            if time.monotonic() >= self._until:
                self._report = await self._look()
                self._until = time.monotonic() + KEPT
            return self._report

    async def _look(self) -> Report:
        checks = await self._database()
        checks["workers"] = self._workers()
        checks["tasks"] = self.failures.check()
        if self.settings.file:
            checks["disk"] = _disk(self.settings.file, self.settings.least_disk)
        return Report(status="ok" if all(check.ok for check in checks.values()) else "failing", checks=checks)

    async def _database(self) -> dict[str, Check]:
        start, moment = time.perf_counter(), now()
        try:
            async with asyncio.timeout(PATIENCE):
                version = await self.store.version()
                overdue = await self.store.count_overdue(moment - FORGOTTEN, moment - OVERDUE)
        except TimeoutError:
            return {"database": Check(ok=False, message=f"no answer within {PATIENCE:g} s")}
        except (SQLAlchemyError, OSError) as error:
            log.warning("the database cannot be queried: %s", error)
            return {"database": Check(ok=False, message=f"it cannot be queried ({type(error).__name__})")}
        took = round(1000 * (time.perf_counter() - start), 1)
        return {
            "database": Check(ok=True, facts={"milliseconds": took}),
            "migrations": _migrations(version),
            "bots": _bots(overdue),
        }

    def _workers(self) -> Check:
        silent = self.silence()
        if silent <= STUCK:
            return Check(ok=True)
        return Check(ok=False, message=f"worker processes have not answered for {silent:.0f} s")

    # ── Signs of life, for `empedocles health` ──

    async def show(self) -> None:
        while True:
            report = await self.report()
            await self.store.sign(self._id, HOST, self.settings.bots, report.wrong)
            await asyncio.sleep(SIGN)

    async def leave(self) -> None:
        await self.store.unsign(self._id)


def _migrations(version: str | None) -> Check:
    latest = versions()[0]
    facts: dict[str, float | str] = {"version": version or "none"}
    if version == latest:
        return Check(ok=True, facts=facts)
    return Check(ok=False, message=f"the database is not at version {latest}", facts=facts)


def _bots(overdue: int) -> Check:
    facts: dict[str, float | str] = {"overdue": overdue}
    if not overdue:
        return Check(ok=True, facts=facts)
    return Check(ok=False, message=f"{overdue} tables have waited for a bot for over {OVERDUE:g} s", facts=facts)


def _disk(file: Path, least: float) -> Check:
    try:
        free = shutil.disk_usage(file.parent).free / 1e6
    except OSError as error:
        return Check(ok=False, message=f"the folder of the database cannot be checked ({type(error).__name__})")
    facts: dict[str, float | str] = {"free_megabytes": round(free)}
    if free >= least:
        return Check(ok=True, facts=facts)
    return Check(ok=False, message=f"less than {least:g} megabytes are free", facts=facts)


async def check_host(store: Store) -> str:
    """What is wrong with the processes of this machine or container, by their own reports; "" if nothing is."""
    signs = await store.signs(HOST, now() - SILENT)
    if not signs:
        return f"no process on {HOST} has given a sign of life for {SILENT:g} s"
    return "; ".join(filter(None, signs))


router = APIRouter(include_in_schema=False)


@router.get("/health")
async def health(request: Request) -> JSONResponse:
    """Report whether the server is healthy and, if not, what is wrong."""
    report: Report = await request.app.state.health.report()
    return JSONResponse(report.model_dump(), 200 if report.status == "ok" else 503, {"cache-control": "no-store"})
