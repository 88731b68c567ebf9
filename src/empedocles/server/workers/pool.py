"""Worker processes, each with one job at a time.

If a job takes too long or too much memory, its process is ended; if it crashes, its process ends too. Only that job
fails, and the next one gets a new process. Processes start when there is work, and end when they have been idle for a
while or have grown. Jobs and answers are text, bytes and numbers.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import functools
import importlib
import logging
import mmap
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple, TypeVar

from empedocles.server.domain.refusals import Refused

T = TypeVar("T")
STARTS = 300.0  # seconds for a process to start: on a busy machine
IDLE = 300.0  # seconds without work after which a process ends
WAITS = 3.0  # a job is stopped after this multiple of its processor seconds, even on a busy machine
LOOKS = 0.2  # seconds between measurements of a job's time and memory
LARGEST = 32_000_000  # bytes of an answer
GROWN = 0.55  # of its memory limit: a process that keeps this much for itself is replaced
AT_ONCE = 2.5  # times the memory limit: never granted, even between two measurements
MEGABYTE = 1_000_000
THREADS = 64  # more than there are processes; started when needed

log = logging.getLogger(__name__)


class Most(NamedTuple):
    """What one job may use."""

    seconds: float  # of processor time
    memory: int  # bytes, of the whole process


class Pool:
    """As many processes as there are concurrent jobs; callers must limit those."""

    def __init__(self, name: str, most: Most, nice: int = 0, load: str = "") -> None:
        """`load` is a module that each process imports first, so that no job is charged for it."""
        self.name, self.most, self.nice, self.load = name, most, nice, load
        self.ended: dict[str, int] = {}  # number of ended processes by reason
        self._idle: list[_Worker] = []
        self._busy: set[_Worker] = set()
        self._threads = ThreadPoolExecutor(THREADS, name)  # each waits for one process
        self._closed = False

    @property
    def living(self) -> int:
        """The number of processes, busy or idle."""
        return len(self._idle) + len(self._busy)

    @property
    def busy(self) -> int:
        return len(self._busy)

    @property
    def oldest(self) -> float:
        """Seconds for which the oldest job has been running, or 0."""
        now = time.monotonic()
        return max((now - worker.asked for worker in self._busy), default=0.0)

    async def run(self, work: Callable[..., T], *given: object) -> T:
        """Run `work` in a process; raises `Refused` if it takes too much or the process dies."""
        worker = self._take()
        watching = asyncio.create_task(self._watch(worker))
        try:
            answer: T = await asyncio.get_running_loop().run_in_executor(self._threads, worker.ask, work, given)
            return answer
        except _Died:
            log.warning("a process of %s ended (%s) while running %s", self.name, worker.fate or "died", work.__name__)
            raise _refusal(worker.fate, self.most) from None
        except asyncio.CancelledError:
            worker.end("left")
            raise
        finally:
            watching.cancel()
            self._give_back(worker)

    def _take(self) -> _Worker:
        while self._idle:
            worker = self._idle.pop()
            worker.rest.cancel()
            if worker.process.is_alive():
                break
            self._end(worker, "died")  # while it was idle
        else:
            worker = _Worker(self.nice, self.most.memory, self.load)
        worker.asked = time.monotonic()
        self._busy.add(worker)
        return worker

    def _give_back(self, worker: _Worker) -> None:
        self._busy.discard(worker)
        if worker.fate is not None or self._closed:
            self._end(worker, "closed")
        elif worker.kept > GROWN * self.most.memory:
            self._end(worker, "grown")
        else:
            self._idle.append(worker)
            worker.rest = asyncio.get_running_loop().call_later(IDLE, self._dismiss, worker)

    def _dismiss(self, worker: _Worker) -> None:
        self._idle.remove(worker)
        self._end(worker, "idle")

    def _end(self, worker: _Worker, fate: str) -> None:
        worker.end(fate)
        assert worker.fate
        self.ended[worker.fate] = self.ended.get(worker.fate, 0) + 1
        with contextlib.suppress(RuntimeError):  # closed
            self._threads.submit(worker.bury)

    async def _watch(self, worker: _Worker) -> None:
        """End the process if its job takes too much."""
        while True:
            await asyncio.sleep(LOOKS)
            if worker.is_late(self.most.seconds):
                worker.end("time")
            elif memory_of(worker.process.pid) > self.most.memory:
                worker.end("memory")

    def close(self) -> None:
        self._closed = True
        for worker in self._busy:
            worker.end("closed")
        for worker in self._idle:
            worker.rest.cancel()
            self._end(worker, "closed")
        self._idle.clear()
        self._threads.shutdown(wait=False)


def _refusal(fate: str | None, most: Most) -> Refused:
    if fate == "time":
        message = f"this took more than {most.seconds:g} seconds of work and was stopped"
        return Refused("took-too-long", message, retry=60)
    if fate == "memory":
        message = f"this needs more than {most.memory // MEGABYTE} MB of memory, which is more than it may use"
        return Refused("too-large", message)
    return Refused("worker-died", "the process working on this died: try again in a moment", retry=5)


class _Died(Exception):
    """A process ended before it answered."""


class _Worker:
    """One process, as the server knows it."""

    rest: asyncio.TimerHandle  # ends it after some idle time

    def __init__(self, nice: int, memory: int, load: str) -> None:
        # Spawned, not forked: a copy must not share the server's threads and connections.
        context = multiprocessing.get_context("spawn")
        self._ours, self._theirs = context.Pipe()
        # A daemon ends with the server; if the server is killed, the process notices by itself.
        self.process = context.Process(target=_serve, args=(self._theirs, nice, memory, load), daemon=True)
        self.fate: str | None = None  # why it was ended
        self.asked = self.began = 0.0  # when it got its job, and when it could start it
        self.used = 0.0  # processor seconds before that
        self.kept = 0  # bytes of its own, after its last job
        self._lock = threading.Lock()

    def ask(self, work: Callable[..., T], given: tuple[object, ...]) -> T:
        """Wait, in a thread, for the answer or the end of the process."""
        try:
            self._start()
            self.used, self.began = processor_of(self.process.pid), time.monotonic()
            self._ours.send((work, given))
            good, answer, self.kept = pickle.loads(self._ours.recv_bytes())
        except (EOFError, OSError) as error:
            self.end("died")
            raise _Died from error
        finally:
            self.began = 0.0
        if not good:
            raise answer
        found: T = answer
        return found

    def is_late(self, seconds: float) -> bool:
        now = time.monotonic()
        if not self.began:
            return now > self.asked + STARTS
        return now > self.began + WAITS * seconds or processor_of(self.process.pid) > self.used + seconds

    def _start(self) -> None:
        with self._lock:
            if self.process.pid is not None:
                return
            if self.fate is not None:
                raise EOFError
            self.process.start()
            self._theirs.close()
        self._ours.recv_bytes()  # it has started

    def end(self, fate: str) -> None:
        with self._lock:
            if self.fate is None:
                self.fate = fate
                if self.process.pid is not None:
                    self.process.kill()

    def bury(self) -> None:
        """Reap a process that has ended."""
        if self.process.pid is not None:
            self.process.join(STARTS)
        self._ours.close()


def memory_of(process: int | None) -> int:
    """Bytes of memory that a process uses; 0 where the system does not say."""
    return _pages(process)[0] * mmap.PAGESIZE


def kept_by(process: int | None) -> int:
    """Bytes of memory that only this process uses: libraries are shared by all, and a new process needs them, too."""
    resident, shared = _pages(process)
    return (resident - shared) * mmap.PAGESIZE


def _pages(process: int | None) -> tuple[int, int]:
    """The pages of memory that a process uses, and how many of them are parts of files."""
    try:
        resident, shared = Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1:3]
        return int(resident), int(shared)
    except (OSError, ValueError):
        return 0, 0


def processor_of(process: int | None) -> float:
    """Processor seconds that a process has used; 0 where the system does not say."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, AttributeError, ValueError, IndexError):
        return 0.0


# ── In the process ───────────────────────────────────────────────────────────────────────────────────────────────────


def _serve(connection: Connection, nice: int, memory: int, load: str) -> None:
    prepare(nice, memory)
    if load:
        importlib.import_module(load)
    with contextlib.suppress(EOFError, OSError):  # the server has ended
        connection.send_bytes(b"")
        while True:
            answer = _done(*connection.recv())
            leave_compiler()
            connection.send_bytes(answer)


def _done(work: Callable[..., object], given: tuple[object, ...]) -> bytes:
    """A job's outcome: whether it succeeded, the answer or the error, and what this process keeps."""
    try:
        answer: tuple[bool, object] = True, work(*given)
    except MemoryError:
        answer = False, Refused("too-large", "this needs more memory than it may use")
    except Exception as error:
        answer = False, error
    data = _packed(*answer)
    if len(data) > LARGEST:
        message = f"the answer has {len(data) // MEGABYTE} MB, more than the {LARGEST // MEGABYTE} MB allowed"
        data = _packed(False, Refused("too-large", message))
    return data


def _packed(good: bool, answer: object) -> bytes:
    try:
        data = pickle.dumps((good, answer, kept_by(os.getpid())))
        if not good:
            pickle.loads(data)  # other packages' errors may not survive pickling
        return data
    except Exception:
        log.exception("an answer cannot be sent")
        return pickle.dumps((False, RuntimeError(repr(answer)[:200]), kept_by(os.getpid())))


def prepare(nice: int, memory: int) -> None:
    end_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to the server, which ends this process
    if nice and hasattr(os, "nice"):
        os.nice(nice)
    give_back_memory()
    if sys.platform == "linux":
        import resource

        most = int(AT_ONCE * memory)
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))  # not address space: LLVM reserves much and uses little


def give_back_memory() -> None:
    """Have the C library return free memory to the system at once, and use few arenas.

    By default it keeps what a search or a picture has used: a hundred megabytes in each process.
    """
    with contextlib.suppress(OSError, AttributeError, TypeError):  # another C library
        mallopt = ctypes.CDLL(None).mallopt
        for option, value in ((-1, 128 * 1024), (-3, 128 * 1024), (-8, 2)):  # M_TRIM_THRESHOLD, M_MMAP_…, M_ARENA_MAX
            mallopt(option, value)


def leave_compiler() -> None:
    """Release LLVM's own code, which is hardly needed once kernels are loaded: 50 MB in each process.

    It is mapped from its file, so pages needed later come back by themselves.
    """
    if sys.platform == "linux":
        for start, length in _compiler():
            ctypes.CDLL(None).madvise(ctypes.c_void_p(start), ctypes.c_size_t(length), mmap.MADV_DONTNEED)


@functools.cache
def _compiler() -> list[tuple[int, int]]:
    """The address ranges of LLVM's code, without its data, which may have changed since it was read."""
    found = []
    for line in Path("/proc/self/maps").read_text(encoding="utf-8", errors="replace").splitlines():
        where, rights, *_, name = line.split()
        if rights == "r-xp" and "libllvmlite" in name:
            start, stop = (int(part, 16) for part in where.split("-"))
            found.append((start, stop - start))
    return found


def end_with_parent() -> None:
    """End this process when its parent ends, even if the parent was killed."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def wait() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=wait, name="parent", daemon=True).start()
