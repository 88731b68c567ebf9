"""Bans: the players (by id) and visitors (by address or network) that the operator has shut out."""

from __future__ import annotations

import asyncio
import ipaddress
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import NamedTuple

from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from empedocles.errors import BadValue
from empedocles.server.domain.moments import now
from empedocles.server.domain.refusals import Refused
from empedocles.server.limits.budgets import household

PLAYER, ADDRESS = "player", "address"
LOOK = 2.0  # seconds between checks for new bans

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


class Ban(NamedTuple):
    kind: str
    what: str
    reason: str
    created: float
    until: float | None  # None: forever

    def is_over(self, now: float) -> bool:
        return self.until is not None and self.until <= now


def network(text: str) -> Network | None:
    """Parse an address or network as the operator writes it; an IPv6 address stands for its whole household."""
    try:
        found = ipaddress.ip_network(household(text) if "/" not in text else text, strict=False)
    except ValueError:
        return None
    if isinstance(found, ipaddress.IPv6Network) and found.network_address.ipv4_mapped and found.prefixlen >= 96:
        return ipaddress.ip_network((found.network_address.ipv4_mapped, found.prefixlen - 96))
    return found


def checked_network(found: Network) -> str:
    """The network as text. This machine is refused: all visitors behind a proxy may seem to come from it."""
    own: tuple[Network, ...] = (ipaddress.ip_network("127.0.0.0/8"), ipaddress.ip_network("::1/128"))
    if any(found.version == one.version and found.overlaps(one) for one in own):
        raise BadValue(f"{found} includes this machine itself: banning its proxy would lock everybody out")
    return str(found)


class Bans:
    """The bans that a process knows of. Every request looks them up, so lookups must be fast."""

    def __init__(self, read: Callable[[], Awaitable[Sequence[Ban]]]) -> None:
        self._read = read
        self._known: list[Ban] = []
        self._players: dict[str, Ban] = {}
        self._networks: dict[tuple[int, int], dict[int, Ban]] = {}  # by version and prefix length, then by prefix

    async def watch(self, changed: Callable[[], None]) -> None:
        """Call `changed` when the bans change: somebody who is connected may have to leave."""
        while True:
            if await self.look():
                changed()
            await asyncio.sleep(LOOK)

    async def look(self) -> bool:
        """Read the bans again; returns whether any has changed."""
        now = list(await self._read())
        if now == self._known:
            return False
        self._take(now)
        return True

    def _take(self, bans: list[Ban]) -> None:
        self._known = bans
        self._players = {ban.what: ban for ban in bans if ban.kind == PLAYER}
        self._networks = _by_length(ban for ban in bans if ban.kind == ADDRESS)

    def check(self, player: str = "", address: str = "") -> None:
        """Refuse a banned player or address."""
        if not self._known:
            return
        moment = now()
        for ban in (self._players.get(player), *self._of_address(address)):
            if ban and not ban.is_over(moment):
                raise Refused("banned", _words(ban), reason=ban.reason, until=ban.until)

    def _of_address(self, text: str) -> Iterable[Ban | None]:
        try:
            address = ipaddress.ip_address(text)
        except ValueError:  # no address at all, or a Unix socket's
            return
        if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped:
            address = address.ipv4_mapped
        for (version, length), bans in self._networks.items():
            if version == address.version:
                yield bans.get(int(address) >> address.max_prefixlen - length)


def _by_length(bans: Iterable[Ban]) -> dict[tuple[int, int], dict[int, Ban]]:
    found: defaultdict[tuple[int, int], dict[int, Ban]] = defaultdict(dict)
    for ban in bans:
        if banned := network(ban.what):
            bits = int(banned.network_address) >> banned.max_prefixlen - banned.prefixlen
            found[banned.version, banned.prefixlen][bits] = ban
    return dict(found)


def _words(ban: Ban) -> str:
    until = f" until {time.strftime('%Y-%m-%d %H:%M', time.gmtime(ban.until))} UTC" if ban.until else ""
    return f"you are banned from this server{until}" + (f": {ban.reason}" if ban.reason else "")


class Gate:
    """Middleware before all pages and connections: turns banned visitors away."""

    def __init__(self, app: ASGIApp, answer: Callable[[Request, Exception], Awaitable[Response]]) -> None:
        self.app, self.answer = app, answer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            if scope["type"] in ("http", "websocket") and (service := getattr(scope["app"].state, "service", None)):
                service.bans.check(address=address_of(HTTPConnection(scope)))
        except Refused as refusal:
            if scope["type"] == "websocket":
                await send({"type": "websocket.close", "code": 1008})
            else:
                await (await self.answer(Request(scope), refusal))(scope, receive, send)
        else:
            await self.app(scope, receive, send)


def address_of(connection: HTTPConnection) -> str:
    return connection.client.host if connection.client else ""
