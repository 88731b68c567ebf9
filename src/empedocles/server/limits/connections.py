"""TCP connections: how many one household may hold, and how long a client may take to ask and to read the answer.

Uvicorn waits for requests without limit; these are its own protocols with deadlines. A household with too many
connections loses the one that has been idle longest, so that it still gets in itself, and so do others.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import logging
from collections import Counter, defaultdict
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NamedTuple

from uvicorn.config import Config
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.extensions.permessage_deflate import ServerPerMessageDeflateFactory

from empedocles.server.limits.budgets import Allowance, household
from empedocles.server.settings import from_environment

HAS_HTTPTOOLS = find_spec("httptools") is not None
if TYPE_CHECKING or HAS_HTTPTOOLS:
    from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
else:  # an installation in pure Python
    HttpToolsProtocol = H11Protocol

SPARE_FILES = 200  # open files kept for the database, other processes, and files of our own
LARGEST_HEAD = 65_536  # bytes
MOST_HEADERS = 100
MOST_PIPELINED = 16  # requests sent before the first was answered
HEADS = 4  # of one household read in one round of the event loop; then it is the others' turn
CONTROLS = 5.0  # pings, pongs and fragments per second that one WebSocket may send in the long run
AT_ONCE = 30.0  # and in a burst
READ = 512  # bytes from a WebSocket parsed at once: about 1 ms of pings
COMPRESSION = 4  # of messages: 4 % more bytes than by the usual 6, in three quarters of the time

quiet = logging.getLogger("uvicorn.error").getChild("connections")
quiet.setLevel(logging.ERROR)  # clients' mistakes are not worth a line each

NOTHING, HEAD, BODY = "nothing", "head", "body"  # what a connection is in the middle of

TOO_SLOW = b"HTTP/1.1 408 Request Timeout\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
TOO_LONG = b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"


def raise_limit_of_files() -> int:
    """Raise the limit on open files as far as allowed; returns the limit, 0 if unknown."""
    try:
        import resource
    except ImportError:  # on Windows, which has no such limit
        return 0
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(ValueError, OSError):  # macOS has limits that it does not report
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return 0 if soft == resource.RLIM_INFINITY else soft


class Limits(NamedTuple):
    each: int  # connections of one household
    most: int  # of all
    head: float  # seconds to send the head of a request
    body: float  # and its body
    stalled: float  # seconds in which a client must accept some of what it was sent


class Crowd:
    """The connections of a process, by household. WebSockets count only in the total: they have limits of their own."""

    def __init__(self, limits: Limits, proxies: Any) -> None:
        """Addresses in `proxies` forward others' requests, so they have no limit."""
        self.limits, self.proxies = limits, proxies
        self._held: Counter[str] = Counter()
        self._waiting: defaultdict[str, dict[_Deadlines, None]] = defaultdict(dict)  # the longest idle first
        self._read: Counter[str] = Counter()  # connections read in this round, by household
        self.sockets = 0

    def __len__(self) -> int:
        return self._held.total() + self.sockets

    def enter(self, connection: _Deadlines) -> bool:
        """Admit a connection, closing an idle one if needed; returns whether there was room."""
        name = connection.household
        exempt = connection.client is None or connection.client[0] in self.proxies
        if not exempt and self._held[name] >= self.limits.each and not self._drop_one(name):
            return False
        if len(self) >= self.limits.most and not self._drop_any():
            return False
        self._held[name] += 1
        self._waiting[name][connection] = None
        return True

    def leave(self, connection: _Deadlines) -> None:
        name = connection.household
        self._held[name] -= 1
        self.work(connection)
        if not self._held[name]:
            del self._held[name]

    def wait(self, connection: _Deadlines) -> None:
        """Note that the connection is idle."""
        self._waiting[connection.household].setdefault(connection)

    def work(self, connection: _Deadlines) -> None:
        waiting = self._waiting[connection.household]
        waiting.pop(connection, None)
        if not waiting:
            del self._waiting[connection.household]

    def may_read(self, connection: _Deadlines) -> bool:
        """Whether it is this connection's turn in this round of the loop."""
        name = connection.household
        if name not in self._read:
            connection.loop.call_soon(self._read.pop, name)
        self._read[name] += 1
        return self._read[name] <= HEADS

    def _drop_any(self) -> bool:
        """Close an idle connection of the household that holds most."""
        names = sorted(self._waiting, key=lambda name: -self._held[name])
        return bool(names) and self._drop_one(names[0])

    def _drop_one(self, name: str) -> bool:
        oldest = next(iter(self._waiting.get(name, ())), None)
        if oldest:
            oldest.end()
        return oldest is not None


@functools.lru_cache(maxsize=8)
def crowd_of(config: Config) -> Crowd:
    """The crowd of a server, with the limits from the environment."""
    settings, files = from_environment(), raise_limit_of_files()
    most = (
        min(settings.connections_in_all, max(files - SPARE_FILES, files // 2)) if files else settings.connections_in_all
    )
    limits = Limits(settings.connections, most, settings.head_seconds, settings.body_seconds, settings.stalled_seconds)
    proxies = ProxyHeadersMiddleware(config.loaded_app, config.forwarded_allow_ips).trusted_hosts
    return Crowd(limits, proxies)


class _Stalls(asyncio.Protocol):
    """Closes a connection whose client does not accept what it was sent, which would stay in memory."""

    transport: asyncio.Transport
    loop: asyncio.AbstractEventLoop
    stalled: float
    _look: asyncio.TimerHandle | None = None

    def watch(self) -> None:
        """Start watching, if something is still to be sent."""
        if self._look is None and (left := self.transport.get_write_buffer_size()):
            self._look = self.loop.call_later(self.stalled, self._check, left)

    def _check(self, before: int) -> None:
        self._look = None
        if self.transport.get_write_buffer_size() >= before:
            self.transport.abort()
        else:
            self.watch()

    def unwatch(self) -> None:
        if self._look is not None:
            self._look.cancel()
            self._look = None


if TYPE_CHECKING:
    _Base = HttpToolsProtocol
else:
    _Base = object


class _Deadlines(_Stalls, _Base):
    """Adds a place in the crowd and deadlines to uvicorn's protocols."""

    _crowd: Crowd
    _entered = False
    _asked = False  # whether the client has sent something since it was last answered
    _timed = NOTHING  # what the deadline is for
    _deadline: asyncio.TimerHandle | None = None
    _head = 0  # bytes of a head so far
    _late = b""  # received but not yet parsed
    _waits_to_read = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.logger = quiet
        self._crowd = crowd_of(self.config)
        self.stalled = self._crowd.limits.stalled
        self.household = household(self.client[0] if self.client else "")
        self._entered = self._crowd.enter(self)
        if self._entered:
            self._asked = True  # the deadline for the first request runs from here
            self._follow()
        else:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._leave()
        super().connection_lost(exc)

    def _leave(self) -> None:
        self.unwatch()
        self._time(NOTHING)
        if self._entered:
            self._entered = False
            self._crowd.leave(self)

    def data_received(self, data: bytes) -> None:
        """Parse the data now, or after others have had their turn."""
        self._late += data
        if not self._waits_to_read:
            self._read()

    def _read(self) -> None:
        self._waits_to_read = False
        if self.transport.is_closing():
            return
        if not self._crowd.may_read(self):
            self._waits_to_read = True
            self.transport.pause_reading()
            self.loop.call_soon(self._read)
            return
        data, self._late = self._late, b""
        if not self.flow.read_paused:
            self.transport.resume_reading()
        self._take(data)

    def _take(self, data: bytes) -> None:
        self._asked = self._asked or not self._busy
        super().data_received(data)
        self._head = self._head + len(data) if self.reading == HEAD else 0
        if self._head > LARGEST_HEAD:
            self.transport.write(TOO_LONG)
            self.end()
        self._follow()

    def handle_websocket_upgrade(self, *event: Any) -> None:
        self._leave()
        super().handle_websocket_upgrade(*event)

    def on_response_complete(self) -> None:
        unfinished = self.reading == BODY
        self._asked = self.reading == HEAD
        super().on_response_complete()
        if unfinished:  # the request was already answered: do not wait for its rest
            self.transport.close()
        self.watch()
        self._follow()

    def pause_writing(self) -> None:
        super().pause_writing()
        self.watch()

    @property
    def reading(self) -> str:
        raise NotImplementedError

    @property
    def _busy(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _follow(self) -> None:
        """Set the deadline for whatever the connection is expected to do next."""
        if not self._entered:
            return
        (self._crowd.work if self._busy else self._crowd.wait)(self)
        if self.reading != self._timed:
            self._time(self.reading)

    def _time(self, what: str) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
        self._timed = what
        if what != NOTHING:
            seconds = getattr(self._crowd.limits, what)
            self._deadline = self.loop.call_later(seconds, self._be_late)

    def _be_late(self) -> None:
        if self._timed == HEAD and self._head and not self._busy:
            self.transport.write(TOO_SLOW)
        self.end()

    def end(self) -> None:
        """Close the connection and stop counting it; pending data is still sent, if the client accepts it."""
        self._leave()
        self.transport.close()
        self.watch()


class OverH11(_Deadlines, H11Protocol):  # type: ignore[misc]
    """The protocol in pure Python."""

    @property
    def reading(self) -> str:
        state = str(self.conn.their_state)
        if state == "SEND_BODY":
            return BODY
        return HEAD if state == "IDLE" and self._asked else NOTHING


class OverHttpTools(_Deadlines, HttpToolsProtocol):
    """The protocol in C."""

    _parsed = NOTHING  # the part that the parser is in
    _answered: Any = None  # the request being answered; `cycle` is the last one received

    @property
    def reading(self) -> str:
        return HEAD if self._parsed == NOTHING and self._asked and not self._busy else self._parsed

    def _start_asgi_task(self, cycle: Any, app: Any) -> None:
        self._answered = cycle
        super()._start_asgi_task(cycle, app)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._answered:  # it would write to a lost connection if other requests had followed
            self._answered.disconnected = not self._answered.response_complete
            self._answered.message_event.set()
        super().connection_lost(exc)

    def on_message_begin(self) -> None:
        self._parsed = HEAD
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        size = len(self.url) + sum(len(name) + len(value) for name, value in self.headers)
        if size > LARGEST_HEAD or len(self.headers) > MOST_HEADERS or len(self.pipeline) >= MOST_PIPELINED:
            raise ValueError("too much at once")  # the parser stops, and the request is refused
        self._parsed = BODY
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._parsed = NOTHING
        super().on_message_complete()


Connection = OverHttpTools if HAS_HTTPTOOLS else OverH11


class Socket(_Stalls, WebSocketsSansIOProtocol):
    """A WebSocket with limits on pings, pongs and fragments."""

    _crowd: Crowd | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self._crowd = crowd_of(self.config)
        self._crowd.sockets += 1
        self.stalled = self._crowd.limits.stalled
        self._controls = Allowance(CONTROLS, AT_ONCE)
        for extension in self.conn.available_extensions or ():
            if isinstance(extension, ServerPerMessageDeflateFactory):
                extension.compress_settings = {**(extension.compress_settings or {}), "level": COMPRESSION}
        self.transport.set_write_buffer_limits(0)  # a message waits until the previous one is accepted

    def connection_lost(self, exc: Exception | None) -> None:
        self.unwatch()
        if self._crowd:
            self._crowd.sockets -= 1
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        super().pause_writing()
        self.watch()

    def resume_writing(self) -> None:
        super().resume_writing()
        self.unwatch()

    def data_received(self, data: bytes) -> None:
        for start in range(0, len(data), READ):
            if not self.transport.is_closing():
                super().data_received(data[start : start + READ])

    def _bears(self) -> bool:
        """Whether another control frame is allowed; a client that sends too many is cut off."""
        if not self.transport.is_closing() and self._controls.take(""):
            self.transport.abort()
        return not self.transport.is_closing()

    def handle_ping(self) -> None:
        if self._bears():
            super().handle_ping()

    def handle_pong(self, event: Any) -> None:
        if self._bears():
            super().handle_pong(event)

    def handle_cont(self, event: Any) -> None:
        if self._bears():
            super().handle_cont(event)
