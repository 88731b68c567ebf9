"""Budgets: one visitor's use costs nobody else."""

from __future__ import annotations

import asyncio

import pytest

from empedocles.server.domain.refusals import Refused
from empedocles.server.limits.budgets import Allowance, FairQueue, Places, Queues, Who, household


class Now:
    """A time that the test sets."""

    def __init__(self) -> None:
        self.seconds = 100.0

    def __call__(self) -> float:
        return self.seconds


def test_all_addresses_of_one_household_are_one() -> None:
    assert len({household(f"2001:db8::{k}") for k in range(5)}) == 1
    assert household("2001:db8:0:1::1") != household("2001:db8::1")
    assert len({household(f"::ffff:192.0.2.{k}") for k in range(5)}) == 5


def test_an_allowance_slows_down_and_does_not_shut_out() -> None:
    now = Now()
    allowance, granted = Allowance(20.0, 5.0, now), 0
    for _ in range(210):  # ten seconds at 21 per second
        granted += not allowance.take("here")
        now.seconds += 1 / 21
    assert 195 <= granted <= 210
    assert not allowance.take("elsewhere")


def test_an_allowance_says_how_long_to_wait() -> None:
    now = Now()
    allowance = Allowance(2.0, 4.0, now)
    assert allowance.take("here", 4) == 0
    assert allowance.take("here", 3) == pytest.approx(1.5)
    now.seconds += 1.5
    assert allowance.take("here", 3) == 0


def test_what_was_used_already_is_owed() -> None:
    now = Now()
    allowance = Allowance(0.5, 1.0, now)
    allowance.spend("here", 3.0)
    assert allowance.debt("here") == pytest.approx(4.0)
    assert allowance.debt("elsewhere") == 0
    now.seconds += 4
    assert allowance.debt("here") == 0


def test_places_are_free_again_when_they_are_left() -> None:
    places, refusal = Places(2), Refused("busy", "full", retry=1)
    with places.held("here", refusal), places.held("here", refusal):
        assert not places.take("here")
        assert places.take("elsewhere")
        with pytest.raises(Refused), places.held("here", refusal):
            pass
    assert places.taken("here") == 0


def test_households_are_served_in_turns() -> None:
    """Two visitors ask for ten jobs each, one before the other: they are served in turn."""
    now, served = Now(), []
    queue = FairQueue(1, each=20, most=40, now=now)

    async def job(who: Who) -> None:
        async with queue.turn(who):
            served.append(who.household)
            await asyncio.sleep(0)
            now.seconds += 1

    async def all_jobs() -> None:
        first = [asyncio.create_task(job(Who("greedy", str(k)))) for k in range(10)]  # a new player each time
        await asyncio.sleep(0)
        await asyncio.gather(*first, *(job(Who("modest")) for _ in range(10)))

    asyncio.run(all_jobs())
    assert served[1:9].count("modest") == 4
    assert len(served) == 20


def test_what_one_had_when_nobody_else_wanted_any_is_not_held_against_them() -> None:
    """One works alone for long; then another comes with many jobs: both are served in turn from then on."""
    now, served = Now(), []
    queue = FairQueue(1, each=20, most=40, now=now)

    async def job(name: str, seconds: float) -> None:
        async with queue.turn(Who(name)):
            served.append(name)
            await asyncio.sleep(0)
            now.seconds += seconds

    async def scene() -> None:
        await job("here", 100)
        many = [asyncio.create_task(job("newcomer", 1)) for _ in range(10)]
        await asyncio.sleep(0)
        for _ in range(3):
            await job("here", 1)
        await asyncio.gather(*many)
        await job("here", 1)

    asyncio.run(scene())
    assert served[1:7].count("here") >= 2
    assert len(served) == 15


def test_a_household_waits_with_a_few_jobs_only_and_all_with_some() -> None:
    async def crowd() -> list[str]:
        queue = FairQueue(1, each=2, most=3)
        done = asyncio.Event()

        async def job(who: Who) -> str:
            try:
                async with queue.turn(who):
                    await done.wait()
            except Refused as refused:
                return f"{refused.code} {refused.retry:g}"
            return "done"

        jobs = [asyncio.create_task(job(Who(name))) for name in ("a", "a", "a", "b", "c", "d")]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        done.set()
        return await asyncio.gather(*jobs)

    assert asyncio.run(crowd()) == ["done", "done", "too-many-requests 2", "done", "done", "busy 5"]


def test_who_leaves_the_queue_keeps_nobody_waiting() -> None:
    async def leave() -> None:
        queue, done = FairQueue(1, each=5, most=5), asyncio.Event()

        async def job(name: str) -> None:
            async with queue.turn(Who(name)):
                await done.wait()

        working, waiting, last = (asyncio.create_task(job(name)) for name in "abc")
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.sleep(0)
        working.cancel()
        done.set()
        await last

    asyncio.run(asyncio.wait_for(leave(), 5))


def test_one_who_leaves_as_a_place_becomes_free_does_not_take_it_along() -> None:
    async def scene() -> None:
        queue, enough = FairQueue(1, each=5, most=5), asyncio.Event()

        async def work(until: asyncio.Event) -> str:
            async with queue.turn(Who("here")):
                await until.wait()
                return "done"

        first = asyncio.create_task(work(enough))
        await asyncio.sleep(0)
        waiting = [asyncio.create_task(work(enough)) for _ in range(3)]
        await asyncio.sleep(0)
        enough.set()
        first.cancel()  # both at the same moment: the place is free when the next has left and nobody has noticed
        waiting[0].cancel()
        found = await asyncio.gather(first, *waiting, return_exceptions=True)
        assert [isinstance(one, asyncio.CancelledError) for one in found] == [True, True, False, False]
        assert await work(enough) == "done"
        assert queue.waiting == 0

    asyncio.run(scene())


def test_some_wait_in_order_for_those_before_them() -> None:
    order: list[str] = []

    async def scene() -> None:
        queues, end = Queues(2, 3), asyncio.Event()

        async def come(name: str, who: str = "a") -> None:
            async with queues.turn(who) as granted:
                order.append(name if granted else f"no {name}")
                if granted and name in "12":
                    await end.wait()

        tasks = [asyncio.create_task(come(name)) for name in "123456"]
        await asyncio.sleep(0.01)
        await come("other", "b")
        assert order == ["1", "2", "no 6", "other"]
        tasks[2].cancel()
        end.set()
        await asyncio.gather(*tasks, return_exceptions=True)
        await come("7")

    asyncio.run(scene())
    assert order[4:] == ["4", "5", "7"]
