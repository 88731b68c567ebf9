"""The event loop's processor, which all visitors share: each account gets its part, one piece after the other.

An account is a household, and once more the same household where it plays: watching never delays playing. Whatever is
awaited through `Processor.run` is measured step by step. An account that has used up its seconds waits before its next
step; and one that has had its part of a round of the loop waits for the next round, so that all others have theirs.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Generator
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from typing import Any, ParamSpec, TypeVar

from empedocles.server.limits.budgets import Allowance, FairQueue, Who

PIECE = 0.002  # seconds that an account has in one round of the loop: then others have theirs
SLICE = 0.01  # seconds that a piece of work beside the loop takes
MOST_EACH = 500  # pieces of work beside the loop that one account may have at the same time, waiting or at work
MOST = 5000  # and all

P = ParamSpec("P")
T = TypeVar("T")

_account: ContextVar[str] = ContextVar("account", default="")  # that a task's work beside the loop is charged to


def playing(household: str) -> str:
    """A household's account for what it does at its own tables."""
    return f"{household} plays"


def arriving(household: str) -> str:
    """A household's account for connections whose player is not known yet."""
    return f"{household} arrives"


class Processor:
    def __init__(self, allowance: Allowance) -> None:
        self.allowance = allowance
        self._lines: dict[str, deque[asyncio.Future[None]]] = {}  # accounts that have to wait, with who waits
        self._round: dict[str, float] = {}  # seconds that accounts have had since the loop came round

    async def run(self, account: str, work: Coroutine[Any, Any, T]) -> T:
        """Do the work, measured and in turn."""
        _account.set(account)
        return await _Measured(self, account, work)

    def must_wait(self, account: str) -> bool:
        return account in self._lines

    async def turn(self, account: str) -> None:
        waiting = asyncio.get_running_loop().create_future()
        self._lines[account].append(waiting)
        await waiting

    def spend(self, account: str, seconds: float) -> None:
        self.allowance.spend(account, seconds)
        if account in self._lines:
            return
        loop = asyncio.get_running_loop()
        if account not in self._round:
            loop.call_soon(self._round.pop, account)
        self._round[account] = self._round.get(account, 0.0) + seconds
        if self._round[account] >= PIECE or self.allowance.debt(account):
            self._lines[account] = deque()
            loop.call_soon(self._call_next, account)

    def _call_next(self, account: str) -> None:
        """Let one step of an account go on, if nothing is owed; its next one comes when the loop has gone round."""
        loop, line = asyncio.get_running_loop(), self._lines[account]
        if debt := self.allowance.debt(account):
            loop.call_later(debt, self._call_next, account)
            return
        while line:
            if not (first := line.popleft()).done():  # unless it has left
                first.set_result(None)
                loop.call_soon(self._call_next, account)
                return
        del self._lines[account]


class _Measured(Awaitable[T]):
    """A coroutine whose every step is measured, and waits before it if its account has to."""

    def __init__(self, processor: Processor, account: str, work: Coroutine[Any, Any, T]) -> None:
        self.processor, self.account, self.work = processor, account, work

    def __await__(self) -> Generator[Any, Any, T]:
        error: BaseException | None = None
        while True:
            try:
                if error is None and self.processor.must_wait(self.account):
                    yield from self.processor.turn(self.account).__await__()
            except BaseException as thrown:  # it was cancelled as it waited: the work is to know
                error = thrown
            start = time.thread_time()
            try:
                awaited = self.work.send(None) if error is None else self.work.throw(error)
            except StopIteration as done:
                value: T = done.value
                return value
            finally:
                self.processor.spend(self.account, time.thread_time() - start)
            try:
                yield awaited
                error = None
            except BaseException as thrown:
                error = thrown


class Aside:
    """Longer work in a thread beside the event loop, one piece at a time, in turns for all who want some.

    It shares the interpreter with the loop, so it comes in short pieces: nobody waits long for anybody's.
    """

    def __init__(self, processor: Processor | None = None) -> None:
        self._processor = processor
        self._queue = FairQueue(1, MOST_EACH, MOST)
        self._thread = ThreadPoolExecutor(1, "aside")

    async def __call__(self, work: Callable[P, T], *given: P.args, **more: P.kwargs) -> T:
        """The time it takes is charged to the account that the caller runs on."""
        account = _account.get()

        def timed() -> tuple[T, float]:
            start = time.thread_time()
            done = work(*given, **more)
            return done, time.thread_time() - start

        async with self._queue.turn(Who(account)):
            done, seconds = await asyncio.get_running_loop().run_in_executor(self._thread, timed)
        if self._processor and account:
            self._processor.spend(account, seconds)
        return done

    async def all(self, work: Callable[[int, float], int], start: int, stop: int) -> None:
        """Work of many steps: `work` does some from a number on, until a time of the thread; returns how far it got."""

        def some(done: int) -> int:
            return work(done, time.thread_time() + SLICE)

        while start < stop:
            start = await self(some, start)

    def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)
