"""What stands before every request: who it is, where it comes from, how often, and what a page may load."""

from __future__ import annotations

import functools
import ipaddress
import time
from collections import OrderedDict

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "empedocles"
LARGEST_BODY = 256_000  # bytes
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}
MOST_ADDRESSES = 10_000


def token_of(connection: HTTPConnection) -> str:
    """A player's token: from the cookie, or for programs a bearer token."""
    kind, _, token = connection.headers.get("authorization", "").partition(" ")
    return token.strip() if kind.lower() == "bearer" else connection.cookies.get(COOKIE, "")


def same_origin(connection: HTTPConnection) -> bool:
    """Whether a request comes from our own pages, or from a program that is no browser."""
    origin = connection.headers.get("origin")
    if origin is None:
        return connection.headers.get("sec-fetch-site", "none") in ("none", "same-origin")
    return origin.partition("://")[2] == connection.headers.get("host")


@functools.lru_cache(maxsize=1024)
def household(address: str) -> str:
    """Who shares a bucket: one address, or the 64 bits of IPv6 that one customer gets at least."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:  # such as that of a Unix socket
        return address
    if not isinstance(found, ipaddress.IPv6Address) or found.ipv4_mapped:
        return address
    return str(ipaddress.ip_network((found, 64), strict=False))


class Rate:
    """A bucket of requests for each household, that fills again with time."""

    def __init__(self, rate: float, burst: float) -> None:
        self.rate, self.burst = rate, burst
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allows(self, address: str) -> bool:
        now = time.monotonic()
        address = household(address)
        level, at = self._buckets.pop(address, (self.burst, now))
        level = min(self.burst, level + (now - at) * self.rate)
        self._buckets[address] = (level - 1 if level >= 1 else level, now)
        while len(self._buckets) > MOST_ADDRESSES:
            self._buckets.popitem(last=False)
        return level >= 1


class Guard:
    """Refuses foreign, frequent and large requests, and adds the headers that protect pages."""

    def __init__(self, app: ASGIApp, rate: Rate) -> None:
        self.app, self.rate = app, rate

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        connection = HTTPConnection(scope)
        refusal = self._refusal(connection)
        if scope["type"] == "websocket":
            await (send({"type": "websocket.close", "code": 1008}) if refusal else self.app(scope, receive, send))
        elif refusal:
            await _answer(_with_headers(send), *refusal)
        else:
            body = _Body(receive, _with_headers(send))
            await self.app(scope, body.receive, body.send)

    def _refusal(self, connection: HTTPConnection) -> tuple[int, str] | None:
        if not self.rate.allows(connection.client.host if connection.client else ""):
            return 429, "too-many-requests"
        if connection.scope.get("method") not in ("GET", "HEAD", "OPTIONS") and not same_origin(connection):
            return 403, "foreign-origin"
        length = connection.headers.get("content-length", "0")
        return (413, "too-large") if not length.isdecimal() or int(length) > LARGEST_BODY else None


class _Body:
    """Counts a body as it comes, as its length need not be told; one that is too large ends, and so is answered."""

    def __init__(self, receive: Receive, send: Send) -> None:
        self._receive, self._send, self._total = receive, send, 0

    async def receive(self) -> Message:
        message = await self._receive()
        self._total += len(message.get("body", b""))
        return message if self._total <= LARGEST_BODY else {"type": "http.disconnect"}

    async def send(self, message: Message) -> None:
        if self._total <= LARGEST_BODY:
            await self._send(message)
        elif message["type"] == "http.response.start":
            await _answer(self._send, 413, "too-large")


def _with_headers(send: Send) -> Send:
    extra = [(name.encode(), value.encode()) for name, value in HEADERS.items()]

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message["headers"], *extra]
        await send(message)

    return sending


async def _answer(send: Send, status: int, code: str) -> None:
    body = f'{{"code":"{code}","message":"{code.replace("-", " ")}"}}'.encode()
    headers = [(b"content-type", b"application/json"), (b"retry-after", b"1")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
