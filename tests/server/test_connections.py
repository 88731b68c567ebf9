"""Idle, half-sent and unread connections end, and others get in. Real sockets, with a server in a thread."""

from __future__ import annotations

import asyncio
import contextlib
import resource
import socket
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import uvicorn
from server.postgresql import free_port
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from empedocles.server.limits.connections import Crowd, OverH11, OverHttpTools, Socket, crowd_of, raise_limit_of_files

HEAD = b"GET / HTTP/1.1\r\nhost: here\r\n"
ASKED = HEAD + b"\r\n"
PROTOCOLS = pytest.mark.parametrize("http", [OverHttpTools, OverH11])
SLOW = 0.1  # seconds
LARGE = b"x" * 8_000_000  # more than the system's own buffers take


async def app(scope: Any, receive: Any, send: Any) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.accept"})
        while (await receive())["type"] != "websocket.disconnect":
            await send({"type": "websocket.send", "bytes": LARGE})
        return
    body = LARGE if scope["path"] == "/large" else b"hello"
    if scope["path"] == "/slow":
        await asyncio.sleep(SLOW)
    if scope["method"] == "POST" and scope["path"] != "/early":
        while (await receive()).get("more_body"):
            pass
    length = (b"content-length", str(len(body)).encode())
    await send({"type": "http.response.start", "status": 200, "headers": [length]})
    await send({"type": "http.response.body", "body": body})


class Running:
    def __init__(self, server: uvicorn.Server) -> None:
        self.server, self.port = server, server.config.port

    @property
    def crowd(self) -> Crowd:
        return crowd_of(self.server.config)

    def open(self, sent: bytes = b"", source: str = "127.0.0.1") -> socket.socket:
        opened = socket.create_connection(("127.0.0.1", self.port), timeout=5, source_address=(source, 0))
        opened.sendall(sent)
        return opened

    def answers(self, source: str) -> bool:
        with self.open(ASKED, source) as opened:
            return opened.recv(100).startswith(b"HTTP/1.1 200")


@contextlib.contextmanager
def running(http: type[asyncio.Protocol], proxies: str = "10.0.0.1", **settings: Any) -> Iterator[Running]:
    with pytest.MonkeyPatch.context() as patch:
        for name, value in settings.items():
            patch.setenv(f"EMPEDOCLES_{name.upper()}", str(value))
        config = uvicorn.Config(
            app,
            http=http,
            ws=Socket,
            port=free_port(),
            log_config=None,
            lifespan="off",
            timeout_keep_alive=3,
            forwarded_allow_ips=proxies,
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run)
        thread.start()
        while not server.started:
            time.sleep(0.01)
        try:
            yield Running(server)
        finally:
            server.should_exit = True
            thread.join()


def rest(opened: socket.socket) -> bytes:
    """Everything received until the server closes."""
    said = b""
    with contextlib.suppress(ConnectionResetError):
        while part := opened.recv(10_000):
            said += part
    return said


def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + 5
    while not true():
        assert time.monotonic() < end
        time.sleep(0.01)


@PROTOCOLS
def test_a_household_beyond_its_limit_loses_what_waits_longest_and_others_get_in(http: type[asyncio.Protocol]) -> None:
    with running(http, connections=3, head_seconds=60) as server:
        held = [server.open(HEAD) for _ in range(5)]
        assert [rest(opened) for opened in held[:2]] == [b"", b""]  # at once
        assert server.answers("127.0.0.1")  # a new one is still served
        assert server.answers("127.0.0.2")
        held[-1].sendall(b"\r\n")
        assert held[-1].recv(100).startswith(b"HTTP/1.1 200")
        for opened in held:
            opened.close()


def test_with_all_its_requests_at_work_a_household_waits() -> None:
    with running(OverHttpTools, connections=2, body_seconds=60) as server:
        held = [server.open(b"POST / HTTP/1.1\r\nhost: here\r\ncontent-length: 9\r\n\r\nhalf") for _ in range(2)]
        until(lambda: not server.crowd._waiting)
        with server.open(ASKED) as refused:
            assert rest(refused) == b""
        assert server.answers("127.0.0.2")
        held[0].sendall(b"whole")
        assert held[0].recv(100).startswith(b"HTTP/1.1 200")
        for opened in held:
            opened.close()


def test_a_proxy_brings_as_many_as_it_likes() -> None:
    with running(OverHttpTools, proxies="127.0.0.1", connections=1) as server:
        held = [server.open(HEAD) for _ in range(4)]
        until(lambda: len(server.crowd) == 4)
        for opened in held:
            opened.sendall(b"\r\n")
            assert opened.recv(100).startswith(b"HTTP/1.1 200")
            opened.close()


def test_when_the_server_is_full_the_household_that_holds_most_makes_room() -> None:
    with running(OverHttpTools, connections=10, connections_in_all=5, head_seconds=60) as server:
        other = server.open(HEAD, "127.0.0.3")
        held = [server.open(HEAD) for _ in range(4)]
        until(lambda: len(server.crowd) == 5)
        assert server.answers("127.0.0.2")
        assert rest(held[0]) == b""
        other.sendall(b"\r\n")
        assert other.recv(100).startswith(b"HTTP/1.1 200")
        for opened in (other, *held):
            opened.close()


@PROTOCOLS
@pytest.mark.parametrize(
    ("first", "answered"),
    [
        (b"", b""),  # nothing at all
        (HEAD, b"HTTP/1.1 408"),
        (b"\r\n", b"HTTP/1.1 40"),
        (b"POST / HTTP/1.1\r\nhost: here\r\ncontent-length: 9\r\n\r\nhalf", b""),
    ],
)
def test_half_a_request_has_a_deadline(http: type[asyncio.Protocol], first: bytes, answered: bytes) -> None:
    with running(http, head_seconds=0.2, body_seconds=0.2) as server:
        with server.open(first) as opened:
            assert rest(opened).startswith(answered)
        with server.open(ASKED) as kept:  # the same holds for the next request on the connection
            assert b"hello" in kept.recv(1000)
            kept.sendall(first or b"\r\n")
            assert rest(kept).startswith(answered or b"")
        until(lambda: len(server.crowd) == 0)


@PROTOCOLS
def test_many_at_once_are_read_in_turns_and_all_are_answered(http: type[asyncio.Protocol]) -> None:
    with running(http) as server:
        held = [server.open() for _ in range(40)]
        for opened in held:
            opened.sendall(ASKED[:20])
        for opened in held:
            opened.sendall(ASKED[20:])
        for opened in held:
            assert opened.recv(1000).startswith(b"HTTP/1.1 200")
            opened.close()


@PROTOCOLS
def test_a_trickle_does_not_move_the_deadline(http: type[asyncio.Protocol]) -> None:
    with running(http, head_seconds=0.3) as server, server.open(b"GET / HTTP/1.1\r\n") as opened:
        start = time.monotonic()
        with contextlib.suppress(OSError):
            while time.monotonic() < start + 3:
                opened.sendall(b"a: b\r\n")
                time.sleep(0.02)
        assert time.monotonic() - start < 2


@PROTOCOLS
def test_a_kept_connection_answers_again(http: type[asyncio.Protocol]) -> None:
    with running(http, head_seconds=0.2, body_seconds=0.2) as server, server.open() as opened:
        for _ in range(3):
            opened.sendall(ASKED)
            assert b"hello" in opened.recv(1000)
            time.sleep(0.1)  # longer in total than a head may take


def test_the_rest_of_a_body_that_was_answered_already_is_not_waited_for() -> None:
    asked = b"POST /early HTTP/1.1\r\nhost: here\r\ncontent-length: 99999\r\n\r\nhalf"
    with running(OverHttpTools, body_seconds=60) as server, server.open(asked) as opened:
        assert b"hello" in rest(opened)


@pytest.mark.parametrize(
    "large",
    [
        b"GET / HTTP/1.1\r\na: " + b"x" * 70_000,
        b"GET /" + b"x" * 70_000 + b" HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 200 + b"\r\n",
        b"POST / HTTP/1.1\r\ncontent-length: 1\r\n\r\n" + ASKED * 50,
    ],
)
def test_heads_and_pipelines_have_a_limit(large: bytes) -> None:
    with running(OverHttpTools) as server, server.open(large) as opened:
        assert b" 4" in rest(opened)[:13]


def test_what_was_asked_first_is_not_answered_on_a_connection_that_was_closed(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with running(OverHttpTools) as server:
        for _ in range(3):
            with server.open(b"GET /slow HTTP/1.1\r\n\r\n" + ASKED * 50) as opened:
                assert b" 400" in rest(opened)[:13]
        time.sleep(2 * SLOW)
    assert not caplog.records


@PROTOCOLS
def test_what_is_not_read_is_not_kept(http: type[asyncio.Protocol]) -> None:
    with running(http, stalled_seconds=0.2) as server, server.open(b"GET /large HTTP/1.1\r\nhost: here\r\n\r\n"):
        until(lambda: len(server.crowd) == 1)
        until(lambda: len(server.crowd) == 0)


def test_what_is_read_slowly_is_sent_whole() -> None:
    with running(OverHttpTools, stalled_seconds=0.2) as server:
        with server.open(b"GET /large HTTP/1.1\r\nconnection: close\r\n\r\n") as opened:
            size = 0
            while part := opened.recv(400_000):
                size += len(part)
                time.sleep(0.02)
        assert size > len(LARGE)


def test_a_websocket_that_is_not_read_ends() -> None:
    with running(OverHttpTools, stalled_seconds=0.2) as server:
        raw = server.open(
            b"GET / HTTP/1.1\r\nhost: here\r\nupgrade: websocket\r\nconnection: upgrade\r\n"
            b"sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\nsec-websocket-version: 13\r\n\r\n"
        )
        assert raw.recv(1000).startswith(b"HTTP/1.1 101")
        until(lambda: server.crowd.sockets == 1)
        raw.sendall(b"\x81\x80\0\0\0\0" * 3)  # three empty messages, each answered at length
        until(lambda: server.crowd.sockets == 0)
        raw.close()


@pytest.mark.parametrize("frame", [b"\x89\x80\0\0\0\0", b"\x8a\x80\0\0\0\0", b"\0\x80\0\0\0\0"])
def test_a_websocket_that_only_pings_or_never_ends_a_message_ends(
    frame: bytes,
) -> None:
    with running(OverHttpTools) as server, connect(f"ws://127.0.0.1:{server.port}/") as there:
        there.socket.sendall(b"\x01\x80\0\0\0\0" + frame * 10)
        time.sleep(0.1)
        assert server.crowd.sockets == 1
        with contextlib.suppress(OSError):
            there.socket.sendall(frame * 100)
        with pytest.raises(ConnectionClosed):
            there.recv(timeout=5)
        until(lambda: server.crowd.sockets == 0)


def test_as_many_files_as_the_system_allows() -> None:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (256, before[1]))
        assert raise_limit_of_files() == before[1]
        assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] == before[1]
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
