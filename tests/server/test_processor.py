"""The event loop's processor is shared: heavy users wait, and nobody else does."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Callable

import pytest

from empedocles.server.limits.budgets import Allowance
from empedocles.server.limits.processor import Aside, Processor, playing

STEP = 0.01  # seconds that each step takes, as far as can be measured


@pytest.fixture(autouse=True)
def slow_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    times = itertools.count()
    monkeypatch.setattr(time, "thread_time", lambda: STEP * next(times))


async def steps(count: int, done: Callable[[], None] = lambda: None) -> str:
    for _ in range(count):
        done()
        await asyncio.sleep(0)
    return "done"


def test_who_has_used_up_its_seconds_waits_and_others_do_not() -> None:
    async def scene() -> None:
        shared = Processor(Allowance(0.5, 2 * STEP))
        start = time.monotonic()
        waits = asyncio.create_task(shared.run("a", steps(6)))
        assert await shared.run("b", steps(1)) == "done"
        assert time.monotonic() - start < 0.05
        assert await waits == "done"
        assert time.monotonic() - start > 3 * STEP / 0.5

    asyncio.run(scene())


def test_a_household_that_watches_still_plays() -> None:
    async def scene() -> None:
        shared = Processor(Allowance(0.001, STEP))
        watching = asyncio.create_task(shared.run("a", steps(9)))
        await asyncio.sleep(0)
        assert await shared.run(playing("a"), steps(1)) == "done"
        assert not watching.done()
        watching.cancel()

    asyncio.run(scene())


def test_many_long_steps_of_one_come_one_at_a_time() -> None:
    order: list[str] = []

    async def scene() -> None:
        shared = Processor(Allowance(1e6, 1e6))
        tasks = [asyncio.create_task(shared.run("a", steps(2, lambda: order.append("a")))) for _ in range(8)]
        tasks += [asyncio.create_task(shared.run("b", steps(4, lambda: order.append("b"))))]
        await asyncio.gather(*tasks)

    asyncio.run(scene())
    between = "".join(order).split("b")
    assert order.count("a") == 16
    assert all(len(part) <= 2 for part in between[1:-1])  # two, as both wait for the next round of the loop


def test_what_is_cancelled_as_it_waits_knows() -> None:
    left: list[str] = []

    async def careful() -> None:
        try:
            await steps(9)
        finally:
            left.append("left")

    async def scene() -> None:
        shared = Processor(Allowance(0.001, STEP))
        task = asyncio.create_task(shared.run("a", careful()))
        while not shared._lines.get("a"):
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(scene())
    assert left == ["left"]


def test_an_error_comes_through() -> None:
    async def fails() -> None:
        await steps(1)
        raise KeyError("a")

    with pytest.raises(KeyError):
        asyncio.run(Processor(Allowance(1, 1)).run("a", fails()))


def test_work_beside_the_loop_comes_in_pieces_that_are_charged() -> None:
    ends: list[int] = []

    def some(done: int, until: float) -> int:
        while done < 10 and time.thread_time() < until:
            done += 1
        ends.append(done)
        return done

    spent: list[float] = []

    class Spied(Allowance):
        def spend(self, who: str, amount: float) -> float:
            assert who == "a"
            spent.append(amount)
            return 0.0

    async def scene() -> None:
        shared = Processor(Spied(1e6, 1e6))
        aside = Aside(shared)
        await shared.run("a", aside.all(some, 0, 10))
        aside.close()

    asyncio.run(scene())
    assert sum(spent) > 10 * STEP
    assert ends[-1] == 10
    assert len(ends) > 1
