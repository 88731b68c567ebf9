"""Metrics for Prometheus: requests and refusals, how long they take, and how many jobs wait.

Where several processes answer (`--workers`), each writes its figures to the folder in `PROMETHEUS_MULTIPROC_DIR`, and
any of them can add them up.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import ipaddress
import multiprocessing
import os
import re
import time
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

from fastapi import APIRouter, Request
from fastapi.responses import Response
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from empedocles.errors import BadValue
from empedocles.server.domain.refusals import Refused
from empedocles.server.limits.bans import address_of
from empedocles.server.limits.hosts import is_loopback, name_of
from empedocles.server.workers.workload import Jobs

FOLDER = "PROMETHEUS_MULTIPROC_DIR"  # the library's own variable
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
FORWARDED = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip", "via")
SHORTEST_TOKEN = 16
EVERY = 0.5  # seconds between measurements of this process

registry = CollectorRegistry()
QUICK = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)

_requests = Counter("empedocles_requests", "Requests answered", ["route", "method", "status"], registry=registry)
_seconds = Histogram(
    "empedocles_request_seconds", "Time to answer", ["route", "method"], registry=registry, buckets=QUICK
)
_connections = Gauge("empedocles_connections", "Live connections", registry=registry, multiprocess_mode="livesum")
_messages = Counter("empedocles_messages", "Messages over live connections", ["direction"], registry=registry)
_messages_in, _messages_out = _messages.labels("in"), _messages.labels("out")  # looked up once: there are many
_entries = Counter("empedocles_entries", "Events at tables: moves and all others", ["kind"], registry=registry)
_refusals = Counter("empedocles_refusals", "Requests and messages refused", ["code"], registry=registry)
_tables = Gauge("empedocles_tables", "Tables in memory", registry=registry, multiprocess_mode="livesum")
_jobs = Gauge("empedocles_jobs", "Jobs for worker processes", ["state"], registry=registry, multiprocess_mode="livesum")
_thinking = Histogram(
    "empedocles_bot_seconds", "Time a bot took for a move, waiting included", registry=registry,
    buckets=(0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 30.0),
)  # fmt: skip
_lag = Histogram("empedocles_lag_seconds", "Delay of the event loop", registry=registry, buckets=QUICK)
_queries = Histogram("empedocles_database_seconds", "Time of a statement", registry=registry, buckets=QUICK)
_memory = Gauge(
    "empedocles_memory_bytes", "Resident memory of a server process, and of its workers", ["of"],
    registry=registry, multiprocess_mode="liveall",
)  # fmt: skip


# ── Reported by others ────────────────────────────────────────────────────────────────────────────────────────────────


def count_refusal(code: str) -> None:
    _refusals.labels(code).inc()


def count_entry(kind: str) -> None:
    _entries.labels(kind).inc()


def bot_thought(seconds: float) -> None:
    _thinking.observe(seconds)


# ── Seen from outside ─────────────────────────────────────────────────────────────────────────────────────────────────


class Meter:
    """Counts requests, connections and messages. It is the outermost middleware, so that refusals count too."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self._request(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._connection(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        status, start = 0, time.perf_counter()

        async def sending(message: Message) -> None:
            nonlocal status
            status = message.get("status", status)
            await send(message)

        try:
            await self.app(scope, receive, sending)
        finally:
            route, method = _route(scope), scope["method"] if scope["method"] in METHODS else "other"
            _requests.labels(route, method, status or 500).inc()
            _seconds.labels(route, method).observe(time.perf_counter() - start)

    async def _connection(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def receiving() -> Message:
            message = await receive()
            if message["type"] == "websocket.receive":
                _messages_in.inc()
            return message

        async def sending(message: Message) -> None:
            if message["type"] == "websocket.send":
                _messages_out.inc()
            await send(message)

        with _connections.track_inprogress():
            await self.app(scope, receiving, sending)


def _route(scope: Scope) -> str:
    """The route's template: there is no end of addresses."""
    return str(getattr(scope.get("route"), "path", "none"))


# ── What a process sees of itself ─────────────────────────────────────────────────────────────────────────────────────


async def watch(known: Callable[[], Collection[str]], jobs: Callable[[], Jobs]) -> None:
    """Measure the event loop's delay, tables, jobs and memory."""
    while True:
        due = time.perf_counter() + EVERY
        await asyncio.sleep(EVERY)
        _lag.observe(max(0.0, time.perf_counter() - due))
        _tables.set(len(known()))
        for state, number in jobs()._asdict().items():
            _jobs.labels(state).set(number)
        for of, size in memory().items():
            _memory.labels(of).set(size)


def memory() -> dict[str, int]:
    """Bytes used by this process and by its children; 0 where the system does not report it."""
    children = [child.pid for child in multiprocessing.active_children() if child.pid]
    return {"server": _resident(os.getpid()), "workers": sum(map(_resident, children))}


def _resident(process: int) -> int:
    try:
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, AttributeError):
        return 0


def statement_took(seconds: float) -> None:
    _queries.observe(seconds)


# ── Who may read it ───────────────────────────────────────────────────────────────────────────────────────────────────


class Readers:
    """Who may read the metrics: the addresses and tokens that the operator names; by default, this machine alone."""

    def __init__(self, given: str) -> None:
        self._networks: list[ipaddress.IPv4Network | ipaddress.IPv6Network] = []
        self._tokens: list[bytes] = []
        for part in filter(None, map(str.strip, given.split(","))):
            try:
                self._networks.append(ipaddress.ip_network(part, strict=False))
            except ValueError:
                if len(part) < SHORTEST_TOKEN:
                    raise BadValue(
                        f"a part of EMPEDOCLES_METRICS is neither an address nor a token, which needs at least "
                        f"{SHORTEST_TOKEN} characters"
                    ) from None
                self._tokens.append(part.encode())

    def include(self, connection: HTTPConnection) -> bool:
        if not self._networks and not self._tokens:
            return _is_local(connection)
        kind, _, token = connection.headers.get("authorization", "").partition(" ")
        shown = token.strip().encode() if kind.lower() == "bearer" else b""
        return self._has_address(address_of(connection)) or any(hmac.compare_digest(shown, one) for one in self._tokens)

    def _has_address(self, text: str) -> bool:
        try:
            address = ipaddress.ip_address(text)
        except ValueError:
            return False
        if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped:
            address = address.ipv4_mapped
        return any(address in network for network in self._networks)


def _is_local(connection: HTTPConnection) -> bool:
    """Whether this machine asks for itself. Its headers, or the host it asks for, give away a proxy."""
    forwarded = any(name in connection.headers for name in FORWARDED)
    return not forwarded and all(
        map(is_loopback, (address_of(connection), name_of(connection.headers.get("host", ""))))
    )


router = APIRouter(include_in_schema=False)


@router.get("/metrics")
def metrics(request: Request) -> Response:
    readers: Readers = request.app.state.readers
    if not readers.include(request):
        raise Refused("not-allowed", "only readers named in EMPEDOCLES_METRICS may see this: see docs/server.md")
    return Response(_figures(), media_type=CONTENT_TYPE_LATEST)


def _figures() -> bytes:
    folder = os.environ.get(FOLDER)
    if not folder:
        return generate_latest(registry)
    _forget_dead(folder)
    together = CollectorRegistry()
    MultiProcessCollector(together, path=folder)  # type: ignore[no-untyped-call]
    return generate_latest(together)


def _forget_dead(folder: str) -> None:
    """Drop the gauges of processes that have ended; their counters stay."""
    for file in Path(folder).glob("gauge_live*.db"):
        found = re.search(r"_(\d+)\.db$", file.name)
        if found and not _is_alive(int(found[1])):
            with contextlib.suppress(OSError):
                mark_process_dead(int(found[1]), folder)  # type: ignore[no-untyped-call]


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass
    return True


@contextlib.contextmanager
def shared_folder() -> Iterator[None]:
    """A folder for the figures of processes started inside this block."""
    import tempfile

    with tempfile.TemporaryDirectory(prefix="empedocles-metrics-", ignore_cleanup_errors=True) as folder:
        before = os.environ.get(FOLDER)
        os.environ[FOLDER] = before or folder
        try:
            yield
        finally:
            if before is None:
                del os.environ[FOLDER]
