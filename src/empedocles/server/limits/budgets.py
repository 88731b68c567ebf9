"""Budgets: what one visitor may use, so that nobody starves the others.

A visitor is a player in a household: one address, or the 64 bits of IPv6 that every customer gets at least. Creating
players costs nothing, so the household counts first: all players of a household share its budget.

There are four kinds. An `Allowance` is an amount over time: requests, messages, seconds of processor, new tables.
`Places` limit things at the same time: connections. `Queues` do too, but let some more wait: requests. A `FairQueue`
hands out a few places one after another, shared evenly among those who want them: work in other processes.
"""

from __future__ import annotations

import asyncio
import functools
import ipaddress
import itertools
import time
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import NamedTuple
from weakref import WeakValueDictionary

from starlette.requests import HTTPConnection

from empedocles.server.domain.refusals import Refused

MOST_KNOWN = 10_000  # visitors remembered; the least recently seen are forgotten


class Who(NamedTuple):
    household: str
    player: str = ""  # "": not known yet


@functools.lru_cache(maxsize=1024)
def household(address: str) -> str:
    """The household of an address, which shares a budget: the address, or the first 64 bits of IPv6."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:  # such as a Unix socket's
        return address
    if not isinstance(found, ipaddress.IPv6Address) or found.ipv4_mapped:
        return address
    return str(ipaddress.ip_network((found, 64), strict=False))


def household_of(connection: HTTPConnection) -> str:
    return household(connection.client.host if connection.client else "")


class Allowance:
    """An amount that each visitor may use at once, and that refills over time."""

    def __init__(self, rate: float, burst: float, now: Callable[[], float] = time.monotonic) -> None:
        self.rate, self.burst, self._now = rate, burst, now
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()  # the amount left, and when it was measured

    def take(self, who: str, amount: float = 1.0) -> float:
        """Take the amount if available and return 0; otherwise take nothing and return the seconds to wait."""
        left = self._left(who)
        granted = left >= amount
        self._keep(who, left - amount if granted else left)
        return 0.0 if granted else (amount - left) / self.rate

    def spend(self, who: str, amount: float) -> float:
        """Take an amount that was already used. Returns the seconds until the level is back at zero."""
        left = self._left(who) - amount
        self._keep(who, left)
        return max(0.0, -left) / self.rate

    def debt(self, who: str) -> float:
        """Seconds until the level is back at zero."""
        return max(0.0, -self._left(who)) / self.rate

    def _left(self, who: str) -> float:
        level, at = self._levels.get(who, (self.burst, 0.0))
        return min(self.burst, level + (self._now() - at) * self.rate)

    def _keep(self, who: str, level: float) -> None:
        self._levels[who] = level, self._now()
        self._levels.move_to_end(who)
        while len(self._levels) > MOST_KNOWN:
            self._levels.popitem(last=False)


class Places:
    """A limited number of things that each visitor may hold at the same time."""

    def __init__(self, each: int) -> None:
        self.each = each
        self._taken: Counter[str] = Counter()

    def taken(self, who: str) -> int:
        return self._taken.get(who, 0)

    def take(self, who: str) -> bool:
        """Take a place; returns whether one was left."""
        if self.taken(who) >= self.each:
            return False
        self._taken[who] += 1
        return True

    def free(self, who: str) -> None:
        self._taken[who] -= 1
        if not self._taken[who]:
            del self._taken[who]

    @contextmanager
    def held(self, who: str, refusal: Refused) -> Iterator[None]:
        if not self.take(who):
            raise refusal
        try:
            yield
        finally:
            self.free(who)


class Queues:
    """Let each visitor do a few things at the same time; some more wait, in order."""

    def __init__(self, each: int, waiting: int) -> None:
        self.each = each
        self._all = Places(each + waiting)
        self._turns: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()  # only those in use

    @asynccontextmanager
    async def turn(self, who: str) -> AsyncIterator[bool]:
        """Wait for a turn; yields False if too many are waiting."""
        if not self._all.take(who):
            yield False
            return
        turns = self._turns.setdefault(who, asyncio.Semaphore(self.each))
        try:
            async with turns:
                yield True
        finally:
            self._all.free(who)


class _Shares:
    """Decides who is next: whoever has had least while others were waiting too.

    Newcomers start level with those present. So nobody can save up turns, and time used while nobody else was waiting
    is not held against anybody.
    """

    def __init__(self) -> None:
        self._had: dict[str, float] = {}  # seconds of work
        self._here: Counter[str] = Counter()
        self._level = 0.0  # the least that anybody present has had

    def __bool__(self) -> bool:
        return bool(self._here)

    def had(self, name: str) -> float:
        return self._had[name]

    def come(self, name: str) -> None:
        self._here[name] += 1
        self._had[name] = max(self._had.get(name, 0.0), self._level)

    def leave(self, name: str, seconds: float) -> None:
        """Leave after using `seconds` of work."""
        self._had[name] += seconds
        self._level = max(self._level, min(self._had[one] for one in self._here))
        self._here[name] -= 1
        if not self._here[name]:
            del self._here[name]
            self._forget(name)

    def _forget(self, name: str) -> None:
        """Forget those who have had no more than everybody: they would start the same as newcomers."""
        if self._had[name] <= self._level:
            del self._had[name]
        if len(self._had) > MOST_KNOWN:
            self._had = {one: had for one, had in self._had.items() if had > self._level or one in self._here}


class _Waiting(NamedTuple):
    number: int
    who: Who
    urgent: bool
    turn: asyncio.Future[None]


class FairQueue:
    """A few places for work, shared evenly among households, and within each household among its players.

    A player's urgent work counts as another player's, and goes first if both have had the same.
    """

    def __init__(self, places: int, each: int, most: int, now: Callable[[], float] = time.monotonic) -> None:
        """`each` limits the jobs of one household, waiting or running; `most` the jobs waiting in all."""
        self.places, self.most, self._now = places, most, now
        self._jobs, self._urgent = Places(each), Places(each)
        self._free = places
        self._waiting: list[_Waiting] = []
        self._numbers = itertools.count()
        self._households = _Shares()
        self._players: dict[str, _Shares] = {}  # by household present

    @property
    def waiting(self) -> int:
        return len(self._waiting)

    @asynccontextmanager
    async def turn(self, who: Who, urgent: bool = False) -> AsyncIterator[None]:
        """Wait for a place and hold it while the block runs; its time is charged to `who`."""
        if len(self._waiting) >= self.most:
            raise Refused("busy", "too many others are waiting for an engine: try again in a moment", retry=5)
        jobs = self._urgent if urgent else self._jobs
        try:
            with jobs.held(who.household, _too_many(jobs.each)), self._sharing(who, urgent) as used:
                await self._wait(who, urgent)
                start = self._now()
                try:
                    yield
                finally:
                    used.append(self._now() - start)
                    self._free += 1
        finally:
            self._call_next()

    @contextmanager
    def _sharing(self, who: Who, urgent: bool) -> Iterator[list[float]]:
        """Be present while the block runs; afterwards, the seconds put into the list are charged."""
        used: list[float] = []
        players, player = self._players.setdefault(who.household, _Shares()), _named(who, urgent)
        self._households.come(who.household)
        players.come(player)
        try:
            yield used
        finally:
            self._households.leave(who.household, sum(used))
            players.leave(player, sum(used))
            if not players:
                del self._players[who.household]

    async def _wait(self, who: Who, urgent: bool) -> None:
        waiting = _Waiting(next(self._numbers), who, urgent, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        self._call_next()
        try:
            await waiting.turn
        except asyncio.CancelledError:
            if waiting in self._waiting:
                self._waiting.remove(waiting)
            elif not waiting.turn.cancelled():  # its turn came just as it left
                self._free += 1
            raise

    def _call_next(self) -> None:
        while self._free and self._waiting:
            best = min(self._waiting, key=self._order)
            self._waiting.remove(best)
            if not best.turn.done():  # or it has just left
                self._free -= 1
                best.turn.set_result(None)

    def _order(self, one: _Waiting) -> tuple[float, float, bool, int]:
        household = one.who.household
        player = self._players[household].had(_named(one.who, one.urgent))
        return self._households.had(household), player, not one.urgent, one.number


def _named(who: Who, urgent: bool) -> str:
    return f"{who.player} in a hurry" if urgent else who.player


def _too_many(each: int) -> Refused:
    message = f"{each} of your requests are still being worked on: wait for one of them to finish"
    return Refused("too-many-requests", message, retry=2)
