"""Fair shares of the event loop's processor for all visitors.

A household has one account, and another for playing, so that watching never delays playing. Everything awaited through
`Processor.run` is measured step by step. An account that has used up its seconds waits before its next step; one that
has used its share of a round of the loop waits for the next round, so that the others get theirs.
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

SHARE = 0.002  # seconds per account in one round of the loop; then it is the others' turn
SLICE = 0.01  # seconds of one step of work beside the loop
MOST_EACH = 500  # steps beside the loop that one account may have at the same time, waiting or running
MOST = 5000  # of all accounts

P = ParamSpec("P")
T = TypeVar("T")

_account: ContextVar[str] = ContextVar("account", default="")  # charged for a task's work beside the loop


def playing(household: str) -> str:
    """A household's account for what it does at its own tables."""
    return f"{household} plays"


def arriving(household: str) -> str:
    """A household's account for connections whose player is not known yet."""
    return f"{household} arrives"


class Processor:
    def __init__(self, allowance: Allowance) -> None:
        self.allowance = allowance
        self._lines: dict[str, deque[asyncio.Future[None]]] = {}  # accounts that have to wait, with their waiting steps
        self._round: dict[str, float] = {}  # seconds that each account has used in this round

    async def run(self, account: str, work: Coroutine[Any, Any, T]) -> T:
        """Do the work step by step, measuring each step and waiting for the account's turn."""
        _account.set(account)
        return await _Measured(self, account, work)

    def must_wait(self, account: str) -> bool:
        return account in self._lines

    async def turn(self, account: str) -> None:
        waiting = asyncio.get_running_loop().create_future()
        self._lines[account].append(waiting)
        await waiting

    def spend(self, account: str, seconds: float) -> None:
        debt = self.allowance.spend(account, seconds)
        if account in self._lines:
            return
        loop = asyncio.get_running_loop()
        if account not in self._round:
            loop.call_soon(self._round.pop, account)
        self._round[account] = self._round.get(account, 0.0) + seconds
        if self._round[account] >= SHARE or debt:
            self._lines[account] = deque()
            loop.call_soon(self._call_next, account)

    def _call_next(self, account: str) -> None:
        """Let one waiting step of an account continue, unless it is in debt; the next continues in the next round."""
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
    """A coroutine that measures each of its steps, and waits before a step if its account has to."""

    def __init__(self, processor: Processor, account: str, work: Coroutine[Any, Any, T]) -> None:
        self.processor, self.account, self.work = processor, account, work

    def __await__(self) -> Generator[Any, Any, T]:
        error: BaseException | None = None
        while True:
            try:
                if error is None and self.processor.must_wait(self.account):
                    yield from self.processor.turn(self.account).__await__()
            except BaseException as thrown:  # cancelled while waiting: pass it on to the work
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
    """Longer work in a thread beside the event loop, one step at a time, in fair turns.

    The thread shares the interpreter with the loop, so steps are short: nobody waits long for others.
    """

    def __init__(self, processor: Processor | None = None) -> None:
        self._processor = processor
        self._queue = FairQueue(1, MOST_EACH, MOST)
        self._thread = ThreadPoolExecutor(1, "aside")

    async def __call__(self, work: Callable[P, T], *given: P.args, **more: P.kwargs) -> T:
        """Do the work and charge its time to the caller's account."""
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
        """Do many steps: `work(start, deadline)` does some, by the thread's own time, and returns how far it got."""

        def some(done: int) -> int:
            return work(done, time.thread_time() + SLICE)

        while start < stop:
            start = await self(some, start)

    def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)
