"""A real server and a real Chromium: the tests see and do what a person does."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright
from server.limits import LIMITLESS

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or "/usr/bin/chromium"
WAITS = 20_000  # milliseconds for anything in a page: test machines may be busy
PATIENCE = 300.0  # seconds for a server to start: it may have to compile the rules first

expect.set_options(timeout=WAITS)

KNOWS_THE_GAMES = """
if (!localStorage.getItem("introduced")) localStorage.setItem("introduced", '["all"]');
if (!localStorage.getItem("gentle")) localStorage.setItem("gentle", "false");
"""
RUN = """
import json, sys, uvicorn
from empedocles.server.web.app import create_app
from empedocles.server.settings import Settings
if __name__ == "__main__":
    limits = json.loads(sys.argv[4])
    settings = Settings(
        database=sys.argv[2], bots=1, bot_seconds=0.3, bot_pace=0, abandoned=float(sys.argv[3]), **limits
    )
    uvicorn.run(create_app(settings), port=int(sys.argv[1]), log_level="warning")
"""


class Server:
    def __init__(
        self, folder: Path, abandoned: float = 120.0, environment: dict[str, str] | None = None, **limits: float
    ) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._script = folder / "run.py"
        self._script.write_text(RUN, encoding="utf-8")
        self._database = f"sqlite+aiosqlite:///{folder / 'e2e.db'}"
        self._abandoned, self._limits = str(abandoned), json.dumps(LIMITLESS | limits)
        self._environment = os.environ | (environment or {})
        self.start()

    def start(self) -> None:
        command = [sys.executable, str(self._script), str(self.port), self._database, self._abandoned, self._limits]
        self._process = subprocess.Popen(command, env=self._environment)
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            try:
                urllib.request.urlopen(f"{self.url}/themes.css", timeout=5).close()
            except OSError:
                time.sleep(0.1)
            else:
                return
        raise AssertionError(f"no server on {self.url} after {PATIENCE:g} s")

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(20)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    running = Server(tmp_path_factory.mktemp("server"))
    yield running
    running.stop()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if not Path(CHROMIUM).exists():
        pytest.fail(f"no browser at {CHROMIUM}: run `apt-get install -y chromium`, or set CHROMIUM")
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield running
        running.close()


Opens = Callable[..., Page]


@pytest.fixture
def opens(browser: Browser, server: Server) -> Iterator[Opens]:
    """Opens a browser for another person. Errors in a page fail the test."""
    contexts: list[BrowserContext] = []
    problems: list[str] = []

    def make(
        width: int = 1280,
        height: int = 800,
        *,
        phone: bool = False,
        language: str = "en-GB",
        newcomer: bool = False,
        **more: Any,
    ) -> Page:
        context = browser.new_context(
            base_url=server.url,
            viewport={"width": width, "height": height},
            locale=language,
            has_touch=phone,
            is_mobile=phone,
            **{"reduced_motion": "reduce", **more},
        )
        context.set_default_timeout(WAITS)
        contexts.append(context)
        if not newcomer:
            context.add_init_script(KNOWS_THE_GAMES)
        page = context.new_page()
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda said: problems.extend([said.text] if "Content Security" in said.text else []))
        return page

    yield make
    for context in contexts:
        context.close()
    assert not problems
