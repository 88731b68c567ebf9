"""The thread in which agents think, so that the screen stays alive."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


class Thinker:
    """One thread that does one thing after the other, since an agent can think about one position at a time."""

    def __init__(
        self, deliver: Callable[[Callable[[], None]], None], fail: Callable[[BaseException], None], pause: float = 0.0
    ) -> None:
        """`deliver` calls a function in the thread of the screen; a `pause` lets people see what quick agents do."""
        self._deliver, self._fail, self._pause = deliver, fail, pause
        self._todo: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._waiting = 0

    @property
    def busy(self) -> bool:
        return self._waiting > 0

    def ask(self, think: Callable[[], T], then: Callable[[T], None]) -> None:
        self._waiting += 1
        self._todo.put(lambda: self._answer(think, then))
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, daemon=True, name="thinker")
            self._thread.start()

    def _work(self) -> None:
        while True:
            self._todo.get()()
            self._waiting -= 1

    def _answer(self, think: Callable[[], T], then: Callable[[T], None]) -> None:
        started = time.perf_counter()
        try:
            found = think()
        except Exception as error:  # an agent may raise anything: it is shown where the screen is
            wrong = error
            self._deliver(lambda: self._fail(wrong))
            return
        time.sleep(max(0.0, started + self._pause - time.perf_counter()))
        self._deliver(lambda: then(found))
