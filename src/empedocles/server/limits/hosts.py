"""The host names that a server answers to, and redirects that do not depend on them.

If a foreign site points its own name here (DNS rebinding), browsers take its pages for ours. The name in the `Host`
header gives it away.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Iterable
from urllib.parse import urlsplit, urlunsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from empedocles.errors import BadValue

ADDRESSES = "addresses"  # instead of a name: any IP address, since nobody can rebind those
HOST = re.compile(r"(\[[0-9a-f:.]+\]|[^\[\]:/@?#\s]+)(:[0-9]{0,5})?", re.IGNORECASE)


def usual_hosts(listening: str = "") -> str:
    """The default: the server's addresses, its machine's name, and the name where it listens."""
    machine = socket.gethostname()
    return ",".join(name for name in (ADDRESSES, machine, f"{machine}.local", listening.strip("[]")) if name)


def name_of(host: str) -> str:
    """A `Host` header without its port; "" if it is invalid."""
    found = HOST.fullmatch(host)
    return found[1].strip("[]").rstrip(".").lower() if found else ""


def _address(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(name)
    except ValueError:
        return None


def is_loopback(name: str) -> bool:
    address = _address(name)
    return address.is_loopback if address else name == "localhost" or name.endswith(".localhost")


class Allowed:
    """Names, and families of names such as *.example.org. This machine is always allowed: health checks need it."""

    def __init__(self, names: Iterable[str]) -> None:
        given = [name.strip().strip("[]").lower() for name in names if name.strip()]
        for name in given:
            if "*" in name[1:] or (name.startswith("*") and name[1:2] not in ("", ".")):
                raise BadValue(
                    f"{name!r} in EMPEDOCLES_HOSTS is not a name: * stands for all, *.example.org for a family"
                )
        self._all, self._addresses = "*" in given, ADDRESSES in given
        self._names = {name for name in given if "*" not in name}
        self._families = tuple(name[1:] for name in given if name.startswith("*."))

    def __contains__(self, host: str) -> bool:
        name = name_of(host)
        if not name:
            return False
        known = name in self._names or name.endswith(self._families) or is_loopback(name)
        return self._all or known or (self._addresses and _address(name) is not None)


class Hosts:
    """Refuses requests for other names, and makes redirects relative."""

    def __init__(self, app: ASGIApp, names: str) -> None:
        self.app, self.allowed = app, Allowed((names or usual_hosts()).split(","))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        given = Headers(scope=scope).getlist("host")
        if len(given) == 1 and given[0] in self.allowed:
            await self.app(scope, receive, _relative(send, given[0]))
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        else:
            await _refusal(given)(scope, receive, send)


def _refusal(given: list[str]) -> JSONResponse:
    name = name_of(given[0]) if given else ""
    message = f"this server is not {name!r}: its operator can allow the name in EMPEDOCLES_HOSTS"
    return JSONResponse({"code": "unknown-host", "message": message}, 421)


def _relative(send: Send, host: str) -> Send:
    """Make redirects relative: a proxy in between may know this server by another name."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(raw=message["headers"])
            to = urlsplit(headers.get("location", ""))
            if to.netloc == host:
                # Keep only one leading slash: two would start the name of another site.
                path = "/" + to.path.lstrip("/")
                headers["location"] = urlunsplit(("", "", path, to.query, to.fragment))
        await send(message)

    return sending
