"""Worker processes: a failing job affects no other, and its process is replaced."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import pytest

pytest.importorskip("fastapi")

from server.work import MEGABYTE, die, fail, fail_oddly, fill, hold, process_id, sleep, spin

from empedocles.errors import RecordError
from empedocles.position import Position
from empedocles.server.domain.refusals import Refused
from empedocles.server.settings import Settings
from empedocles.server.workers import pool as workers
from empedocles.server.workers.jobs import consider, read_record
from empedocles.server.workers.pool import Most, Pool, memory_of

PLENTY = Most(seconds=120, memory=2000 * MEGABYTE)


def alone(scene: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(scene())


@asynccontextmanager
async def opened(most: Most = PLENTY, load: str = "") -> AsyncIterator[Pool]:
    pool = Pool("tests", most, load=load)
    try:
        yield pool
    finally:
        pool.close()


async def fate(pool: Pool, work: Callable[..., object], *given: object) -> tuple[str, bool]:
    with pytest.raises(Refused) as refused:
        await pool.run(work, *given)
    return refused.value.code, refused.value.retry > 0


async def gone(process: int) -> bool:
    for _ in range(500):
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return True
        await asyncio.sleep(0.02)
    return False


def test_a_process_that_dies_fails_its_own_job_and_is_replaced() -> None:
    async def scene() -> None:
        async with opened() as pool:
            other = asyncio.create_task(pool.run(sleep, 1.0))
            process = await pool.run(process_id)
            assert await fate(pool, die) == ("worker-died", True)
            assert await other == "awake"
            assert await gone(process)
            assert await pool.run(process_id) != process
            assert pool.ended == {"died": 1}

    alone(scene)


def test_a_job_that_takes_too_long_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "LOOKS", 0.02)

    async def scene() -> None:
        async with opened() as pool:
            process = await pool.run(process_id)
            pool.most = Most(0.3, PLENTY.memory)
            assert await fate(pool, sleep, 60) == ("took-too-long", True)
            assert await gone(process)
            assert pool.living == 0
            monkeypatch.setattr(workers, "WAITS", 1000)  # on a busy machine, processor seconds count
            with pytest.raises(Refused, match=r"took more than 0\.3 seconds"):
                await pool.run(spin)

    alone(scene)


def test_a_job_that_takes_too_much_memory_is_stopped() -> None:
    async def scene() -> None:
        async with opened() as pool:
            await pool.run(process_id)
            used = memory_of(next(iter(pool._idle)).process.pid)
            pool.most = Most(60, used + 100 * MEGABYTE)
            assert await pool.run(fill, 10) == 10 * MEGABYTE
            assert await fate(pool, hold, 200) == ("too-large", False)
        async with opened(Most(60, used + 100 * MEGABYTE)) as pool:  # more than there is at all: it fails by itself
            assert await fate(pool, fill, 4000) == ("too-large", False)
            assert await pool.run(fill, 10) == 10 * MEGABYTE

    alone(scene)


def test_a_process_that_judged_a_position_judges_the_next_one() -> None:
    """Each new process would load the rules and the search again: seconds for every move of a review."""
    start = Position.start("ignite-and-flow").text

    async def scene() -> None:
        most = Most(60, int(Settings().worker_memory * MEGABYTE))
        async with opened(most, "empedocles.server.workers.jobs") as pool:
            for ply in range(2):
                await pool.run(consider, start, ply, "Fc3", 0.2)
            assert pool.ended == {}

    alone(scene)


def test_what_goes_wrong_comes_back_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "LARGEST", 1)  # only here: worker processes have their own

    async def scene() -> None:
        async with opened() as pool:
            process = await pool.run(process_id)
            with pytest.raises(ZeroDivisionError, match="by nothing"):
                await pool.run(fail)
            with pytest.raises(RuntimeError, match="one other"):
                await pool.run(fail_oddly)
            with pytest.raises(RecordError, match="line 3, move 'Zz9'"):
                await pool.run(read_record, '[Game "ignite-and-flow"]\n\n1. Zz9\nend\n')
            assert await fate(pool, bytes, 33_000_000) == ("too-large", False)
            assert await pool.run(process_id) == process, "none of that was the process's fault"

    alone(scene)


def test_processes_start_with_work_and_end_without(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "IDLE", 0.1)

    async def scene() -> None:
        async with opened() as pool:
            assert pool.living == 0
            process = await pool.run(process_id)
            assert (pool.living, pool.busy) == (1, 0)
            assert await gone(process)
            assert pool.living == 0
            assert await pool.run(process_id) != process

    alone(scene)


def test_a_process_that_was_killed_or_has_grown_gets_no_more_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        async with opened() as pool:
            first = await pool.run(process_id)
            os.kill(first, signal.SIGKILL)
            pool._idle[0].process.join(10)
            second = await pool.run(process_id)
            monkeypatch.setattr(workers, "GROWN", 0.001)
            await pool.run(process_id)
            monkeypatch.undo()
            assert len({first, second, await pool.run(process_id)}) == 3
            assert pool.ended == {"died": 1, "grown": 1}

    alone(scene)


def test_whoever_leaves_stops_the_work() -> None:
    async def scene() -> None:
        async with opened() as pool:
            process = await pool.run(process_id)
            leaving = asyncio.create_task(pool.run(sleep, 60))
            await asyncio.sleep(0.1)
            leaving.cancel()
            await asyncio.gather(leaving, return_exceptions=True)
            assert await gone(process)
            assert pool.living == 0

    alone(scene)


@pytest.mark.skipif(sys.platform != "linux", reason="memory is given back there")
def test_the_compilers_code_is_let_go_and_comes_back() -> None:
    """In another process, where other tests have loaded nothing."""
    code = """
        import empedocles, os
        from empedocles.server.workers.pool import leave_compiler, memory_of
        empedocles.new("ignite-and-flow").legal_moves
        before = memory_of(os.getpid())
        leave_compiler()
        assert memory_of(os.getpid()) < before - 20_000_000, before
        empedocles.new("elemental-defenders").legal_moves  # loads more
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(code)], check=True)
