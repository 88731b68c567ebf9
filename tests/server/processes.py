"""Real server processes, as users start them: started, asked, killed and started again."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
from server.limits import LIMITLESS
from server.postgresql import free_port

WAIT = 300.0  # seconds for a process to start: on a busy machine it may have to compile the rules first


class Process:
    """`empedocles serve` or `empedocles bots`, in a process group with its children."""

    def __init__(self, folder: Path, *arguments: str, **environment: str) -> None:
        self.log = folder / f"{arguments[0]}-{time.monotonic_ns()}.log"
        self._command = [sys.executable, "-m", "empedocles", *arguments]
        self._environment = {
            **{f"EMPEDOCLES_{name.upper()}": str(value) for name, value in LIMITLESS.items()},
            "EMPEDOCLES_BOT_PACE": "0",
            "PYTHONFAULTHANDLER": "1",
        } | environment
        self.start()

    def start(self) -> None:
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self._command, stdout=log, stderr=log, env=os.environ | self._environment, start_new_session=True
            )

    def kill(self) -> None:
        """Kill this process alone: its children must notice by themselves."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def revive(self) -> None:
        """Restart it, as a service manager does, if it was killed or gave up without its database."""
        if self.process.poll() is not None:
            self.start()

    def stop(self) -> int:
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(WAIT)

    def end(self) -> None:
        """End whatever is left."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    @property
    def children(self) -> list[psutil.Process]:
        found: list[psutil.Process] = []
        with contextlib.suppress(psutil.NoSuchProcess):
            found += psutil.Process(self.process.pid).children(recursive=True)
        return found

    @property
    def said(self) -> str:
        return self.log.read_text()


class Server(Process):
    def __init__(self, folder: Path, database: str, *arguments: str, **environment: str) -> None:
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        told = ("--port", str(self.port), "--no-open", "--database", database, *arguments)
        super().__init__(folder, "serve", *told, **environment)

    def wait(self) -> None:
        """Wait until it answers."""
        end = time.monotonic() + WAIT
        while time.monotonic() < end:
            with contextlib.suppress(OSError, urllib.error.URLError):
                urllib.request.urlopen(f"{self.address}/api/games", timeout=10).close()
                return
            assert self.process.poll() is None, self.said
            time.sleep(0.05)
        raise TimeoutError(self.said)

    def ask(self, method: str, path: str, body: Any = None, token: str = "") -> Any:
        """Send a request; returns the JSON of the answer, even if it is a refusal."""
        request = urllib.request.Request(
            f"{self.address}/api/{path}",
            None if body is None else json.dumps(body).encode(),
            {"content-type": "application/json"} | ({"authorization": f"Bearer {token}"} if token else {}),
            method=method,
        )
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            with error:
                return json.load(error)


@contextlib.contextmanager
def ended(*processes: Process) -> Iterator[None]:
    try:
        yield
    finally:
        for process in processes:
            process.end()
