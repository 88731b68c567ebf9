"""Checks before every request: who sends it, from where and how often; and what a page may load."""

from __future__ import annotations

import math

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from empedocles.server.limits.budgets import Allowance, Queues, household_of
from empedocles.server.limits.processor import Processor, playing
from empedocles.server.operations.metrics import count_refusal

COOKIE = "empedocles"
LARGEST_BODY = 256_000  # bytes
MOST_WAITING = 50  # requests of one visitor that may wait for their turn
BUSY = 5.0  # seconds: by then, they may have been answered
PLAYED = ("/moves", "/commands")  # what players do at their tables
UNCOUNTED = ("/health", "/metrics")  # operators are never told to wait
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
# The Worker that searches compiles a game's module, and nothing else may: no page does.
SEARCHES = "/static/engine/worker.js"
COMPILES = POLICY.replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'")
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


def token_of(connection: HTTPConnection) -> str:
    """A player's token: from the cookie, or for programs a bearer token."""
    kind, _, token = connection.headers.get("authorization", "").partition(" ")
    return token.strip() if kind.lower() == "bearer" else connection.cookies.get(COOKIE, "")


def same_origin(connection: HTTPConnection) -> bool:
    """Whether a request comes from our own pages, or from a program other than a browser."""
    origin = connection.headers.get("origin")
    if origin is None:
        return connection.headers.get("sec-fetch-site", "none") in ("none", "same-origin")
    return origin.partition("://")[2] == connection.headers.get("host")


class Guard:
    """Refuses foreign, frequent and large requests, and adds the headers that protect pages."""

    def __init__(self, app: ASGIApp, requests: Allowance, at_once: int, processor: Processor) -> None:
        self.app, self.requests, self.processor = app, requests, processor
        self.queues = Queues(at_once, MOST_WAITING)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        connection = HTTPConnection(scope)
        refusal = self._refusal(connection)
        if scope["type"] == "websocket":
            await (_turn_away(scope, send, *refusal) if refusal else self.app(scope, receive, send))
        elif refusal:
            await _answer(_with_headers(send), *refusal)
        else:
            sending = _with_headers(send, COMPILES if scope["path"] == SEARCHES else POLICY)
            await self._serve(_account(connection), scope, receive, sending)

    async def _serve(self, account: str, scope: Scope, receive: Receive, send: Send) -> None:
        async with self.queues.turn(account) as granted:
            if granted:
                body = _Body(receive, send)
                await self.processor.run(account, _run(self.app, scope, body.receive, body.send))
            else:
                await _answer(send, 429, "too-many-requests", BUSY)

    def _refusal(self, connection: HTTPConnection) -> tuple[int, str, float] | None:
        """Status, code and the seconds to wait before asking again."""
        if connection.scope["path"] not in UNCOUNTED and (wait := self.requests.take(household_of(connection))):
            return 429, "too-many-requests", wait
        if connection.scope.get("method") not in ("GET", "HEAD", "OPTIONS") and not same_origin(connection):
            return 403, "foreign-origin", 0
        length = connection.headers.get("content-length", "0")
        return (413, "too-large", 0) if not length.isdecimal() or int(length) > LARGEST_BODY else None


def _account(connection: HTTPConnection) -> str:
    """The account charged for a request: playing has its own, so that moves never wait for watching."""
    name, path = household_of(connection), connection.scope["path"]
    if path in UNCOUNTED:
        return f"{name} operates"
    return playing(name) if path.endswith(PLAYED) else name


async def _run(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    await app(scope, receive, send)


class _Body:
    """Counts a body as it arrives, since its length need not be declared; one that is too large is refused."""

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


def _with_headers(send: Send, policy: str = POLICY) -> Send:
    headers = HEADERS | {"content-security-policy": policy}
    extra = [(name.encode(), value.encode()) for name, value in headers.items()]

    async def sending(message: Message) -> None:
        if message["type"].endswith("http.response.start"):
            message["headers"] = [*message["headers"], *extra]
        await send(message)

    return sending


async def _turn_away(scope: Scope, send: Send, status: int, code: str, wait: float) -> None:
    """Refuse a WebSocket before it opens: with a status and a reason, where the server supports it."""
    if "websocket.http.response" in scope.get("extensions", {}):
        await _answer(_with_headers(send), status, code, wait, "websocket.http.response")
    else:
        await send({"type": "websocket.close", "code": 1008})


async def _answer(send: Send, status: int, code: str, wait: float = 0.0, kind: str = "http.response") -> None:
    count_refusal(code)
    retry = f',"retry":{math.ceil(wait)}' if wait else ""
    body = f'{{"code":"{code}","message":"{code.replace("-", " ")}"{retry}}}'.encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    headers += [(b"retry-after", str(math.ceil(wait)).encode())] if wait else []
    headers += [(b"connection", b"close")] if status == 413 else []  # the rest of the body is not read
    await send({"type": f"{kind}.start", "status": status, "headers": headers})
    await send({"type": f"{kind}.body", "body": body})
