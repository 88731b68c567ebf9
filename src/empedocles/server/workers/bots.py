"""Bots, which think in processes of their own, so that no page ever waits for them."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import logging
import time
from collections.abc import Callable

from empedocles import agents
from empedocles.server.domain.moments import now
from empedocles.server.domain.refusals import Refused
from empedocles.server.domain.table import Table
from empedocles.server.service.service import Service
from empedocles.server.workers.jobs import choose
from empedocles.server.workers.lines import Thinkers

THINKS = 2.0  # seconds at most for a move
MOVES_LEFT = 30  # moves for which a bot keeps time on its clock
CLAIM = 20.0  # seconds after which another worker may take over from one that has died
EVERY = 5.0  # seconds between checks without news
TRIES = 2  # to get a move from an agent
PAUSE = 0.01  # seconds between checks at least

log = logging.getLogger(__name__)


def _seed(table: Table, seat: int) -> int:
    """A seed that reveals nothing about the match's own: from that, an agent of another package could predict draws."""
    return int.from_bytes(hmac.digest(table.secret, f"agent {seat}".encode(), "sha256")[:8], "big")


class Bots:
    """Plays for every bot whose turn it is, at all tables of the database."""

    def __init__(
        self,
        service: Service,
        thinkers: Thinkers,
        workers: int,
        seconds: float = THINKS,
        pace: float = 0.0,
        thought: Callable[[float], None] = lambda _seconds: None,
    ) -> None:
        """`thought` is called with the seconds that each move took."""
        self.service, self.thinkers, self.workers = service, thinkers, workers
        self.seconds, self.pace, self.thought = seconds, pace, thought
        self._due: asyncio.Queue[str] = asyncio.Queue()
        self._queued: set[str] = set()
        self._news = asyncio.Event()

    def hear(self, _match: str, _number: int) -> None:
        self._news.set()

    async def run(self) -> None:
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._look())
            for _ in range(self.workers):
                tasks.create_task(self._work())

    async def _look(self) -> None:
        """Ask the database which bots are to move: this also finds turns from before, or left by a worker that died."""
        while True:
            self._news.clear()
            try:
                for match in await self.service.store.with_bots():
                    self._queue(match)
            except Exception:
                log.exception("bots could not look up their turns")
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(EVERY):  # `wait_for` of Python 3.11 may miss its cancellation
                    await self._news.wait()
            await asyncio.sleep(PAUSE)

    def _queue(self, match: str) -> None:
        if match not in self._queued:
            self._queued.add(match)
            self._due.put_nowait(match)

    async def _work(self) -> None:
        while True:
            match = await self._due.get()
            self._queued.discard(match)
            try:
                await self._serve(match)
            except Refused:
                pass  # deleted or decided in the meantime
            except Exception:
                log.exception("a bot at %s failed", match)

    async def _serve(self, match: str) -> None:
        table = await self.service.table(match)
        if not table.bot_is_due:
            return
        if self._too_early(table):
            asyncio.get_running_loop().call_later(self.pace, self._queue, match)
            return
        if not await self.service.store.claim(match, table.number, CLAIM):
            return
        seat = table.match.to_move
        assert seat is not None
        agent, position = table.seats[seat].agent, table.match.position.text
        given = (agents.origin(agent), position, _seed(table, seat), self._time_for(table, seat))
        start = time.monotonic()
        chosen = await self._chosen(*given)
        self.thought(time.monotonic() - start)
        await self.service.bot_plays(match, table.number, chosen)

    async def _chosen(self, agent: str, position: str, seed: int, seconds: float) -> str:
        """Try twice, as a process may have been killed for another reason; after that, the move is random."""
        for _ in range(TRIES):
            try:
                return await self.thinkers.quick(choose, agent, position, seed, seconds)
            except Refused:
                log.warning("%s chose no move in %s", agent, position)
        return choose("random", position, seed, seconds)

    def _too_early(self, table: Table) -> bool:
        """Whether the last move was so recent that people could not follow."""
        return 0 <= now() - table.log[-1].at < self.pace

    def _time_for(self, table: Table, seat: int) -> float:
        if not table.clock.counts:
            return self.seconds
        return min(self.seconds, max(0.02, table.time_left(seat, now()) / MOVES_LEFT))
