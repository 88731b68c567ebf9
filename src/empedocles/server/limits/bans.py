"""Who may not use the server, as its operator says: players by id, visitors by address or network."""

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
LOOK = 2.0  # seconds between two looks for new bans

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


class Ban(NamedTuple):
    kind: str
    what: str
    reason: str
    created: float
    until: float | None  # for ever, if there is none

    def is_over(self, now: float) -> bool:
        return self.until is not None and self.until <= now


def network(text: str) -> Network | None:
    """An address or a network as the operator writes it; of IPv6, one address stands for its household."""
    try:
        found = ipaddress.ip_network(household(text) if "/" not in text else text, strict=False)
    except ValueError:
        return None
    if isinstance(found, ipaddress.IPv6Network) and found.network_address.ipv4_mapped and found.prefixlen >= 96:
        return ipaddress.ip_network((found.network_address.ipv4_mapped, found.prefixlen - 96))
    return found


def checked_network(found: Network) -> str:
    """The network's text, unless it is this machine, from which all visitors of a proxy might seem to come."""
    own: tuple[Network, ...] = (ipaddress.ip_network("127.0.0.0/8"), ipaddress.ip_network("::1/128"))
    if any(found.version == one.version and found.overlaps(one) for one in own):
        raise BadValue(f"{found} includes this machine itself: banning its proxy would lock everybody out")
    return str(found)


class Bans:
    """Those that a process knows of. They are looked up for each request, so that must be quick."""

    def __init__(self, read: Callable[[], Awaitable[Sequence[Ban]]]) -> None:
        self._read = read
        self._known: list[Ban] = []
        self._players: dict[str, Ban] = {}
        self._networks: dict[tuple[int, int], dict[int, Ban]] = {}  # by version and length, then by their first bits

    async def watch(self, changed: Callable[[], None]) -> None:
        """`changed` is called when there are other bans than before: who is here now may have to go."""
        while True:
            if await self.look():
                changed()
            await asyncio.sleep(LOOK)

    async def look(self) -> bool:
        """Whether anything has changed."""
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
        """Refuse one who is banned."""
        if not self._known:
            return
        moment = now()
        for ban in (self._players.get(player), *self._of_address(address)):
            if ban and not ban.is_over(moment):
                raise Refused("banned", _words(ban), reason=ban.reason, until=ban.until)

    def _of_address(self, text: str) -> Iterable[Ban | None]:
        try:
            address = ipaddress.ip_address(text)
        except ValueError:  # none at all, or that of a Unix socket
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
    """Stands before all pages and connections."""

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
