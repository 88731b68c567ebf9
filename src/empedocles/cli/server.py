"""Run the server: one process, or several that share a database, with bots beside them."""

from __future__ import annotations

import asyncio
import contextlib
import logging.config
import multiprocessing
import os
import re
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from empedocles.agents import find
from empedocles.cli.console import console
from empedocles.cli.warmup import compile_once
from empedocles.errors import BadValue
from empedocles.extras import Extra

if TYPE_CHECKING:
    from empedocles.server.settings import Settings

NEEDED = ("aiosqlite", "alembic", "fastapi", "jinja2", "prometheus_client", "sqlalchemy", "uvicorn")
LARGEST_MESSAGE = 65_536  # bytes over a WebSocket
PATIENCE = 5  # seconds for open connections when the server is stopped


def settings_from(database: str, bots: int, agents: Sequence[str] = ()) -> Settings:
    """The settings of the environment, overridden by the command line. The operator's agents are tried out."""
    Extra("server").check(*NEEDED)
    from empedocles.server.settings import from_environment

    settings = from_environment()
    settings = replace(settings, database=database or settings.database, bots=bots)
    settings = replace(settings, agents=",".join(agents) or settings.agents)
    _try_out(settings)
    if settings.url.startswith("postgresql"):
        Extra("postgresql").check("asyncpg")
    return settings


def _try_out(settings: Settings) -> None:
    """Refuse wrong agents here, where somebody sees it, and not at the first table."""
    from empedocles.server.operations.runtime import know_agents

    know_agents(settings)
    for where in settings.own_agents.values():
        find(where)


def serve(settings: Settings, host: str, port: int, workers: int, show: bool) -> None:
    import uvicorn

    from empedocles.server.limits.connections import raise_limit_of_files
    from empedocles.server.limits.hosts import Allowed, usual_hosts
    from empedocles.server.operations.logs import configuration
    from empedocles.server.operations.metrics import Readers

    settings = replace(settings, hosts=settings.hosts or usual_hosts(host))
    Allowed(settings.hosts.split(",")), Readers(settings.metrics)  # refuse wrong settings here, where somebody sees it
    logs = configuration(settings.log)
    raise_limit_of_files()  # here, so that processes started from here inherit it
    port = _free_port(host, port)
    address = _address(host, port)
    _open_database(settings)
    compile_once()
    with _processes(settings, workers) as rest:
        os.environ |= rest.environment
        console.print(f"Empedocles is at [bold]{address}[/] (Ctrl-C stops it)", soft_wrap=True)
        if show and _has_browser():
            threading.Thread(target=_show, args=(host, port, address), daemon=True).start()
        uvicorn.run(
            "empedocles.server.web.app:from_environment",
            factory=True,
            host=host,
            port=port,
            workers=workers,
            log_config=logs,
            access_log=False,
            http="empedocles.server.limits.connections:Connection",
            ws="empedocles.server.limits.connections:Socket",
            ws_max_size=LARGEST_MESSAGE,
            timeout_keep_alive=settings.idle_seconds,
            timeout_graceful_shutdown=PATIENCE,
        )


def run_bots(settings: Settings) -> None:
    from empedocles.server.operations.logs import configuration
    from empedocles.server.operations.runtime import play_bots

    logging.config.dictConfig(configuration(settings.log))
    _open_database(settings)
    compile_once()
    console.print(f"{settings.bots} bots are thinking (Ctrl-C stops them)")
    play_bots(settings)


def _open_database(settings: Settings) -> None:
    """Open it once here, where somebody sees what is wrong with it."""
    from empedocles.server.storage.migrate import prepare

    try:
        asyncio.run(prepare(settings))
    except Exception as error:
        raise BadValue(f"cannot open the database {_without_password(settings)}: {error}") from error


def _without_password(settings: Settings) -> str:
    """The database's address without its password, which may have an @ itself."""
    return re.sub(r"//([^:/@]*):.*@", r"//\1:***@", settings.url)


@contextlib.contextmanager
def _processes(settings: Settings, workers: int) -> Iterator[Settings]:
    """What several web processes need beside them. Yields the settings for each of them."""
    if workers == 1:
        yield settings
        return
    from empedocles.server.operations.metrics import shared_folder

    with shared_folder(), _bots_apart(settings) as rest:
        yield rest


@contextlib.contextmanager
def _bots_apart(settings: Settings) -> Iterator[Settings]:
    """Bots in a process of their own, restarted if it dies. Yields the settings for the other processes."""
    stopped = threading.Event()
    if settings.bots:
        threading.Thread(target=_keep_bots, args=(settings, stopped), daemon=True).start()
    try:
        yield replace(settings, bots=0)
    finally:
        stopped.set()


def _keep_bots(settings: Settings, stopped: threading.Event) -> None:
    from empedocles.server.operations.runtime import play_bots

    while not stopped.is_set():
        # A daemon would end with us, but may not start processes to think in: so this one watches us by itself.
        process = multiprocessing.get_context("spawn").Process(target=play_bots, args=(settings,))
        process.start()
        while process.is_alive() and not stopped.wait(0.2):
            pass
        process.terminate()
        process.join()


def _free_port(host: str, port: int) -> int:
    """The port, or a free one for 0; if it is taken, the error says what to do."""
    try:
        with socket.create_server((host, port), family=_family(host)) as listening:
            return int(listening.getsockname()[1])
    except OSError as error:
        raise BadValue(f"cannot listen on {host} port {port} ({error.strerror}): choose another by --port") from None


def _family(host: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in host else socket.AF_INET


def _address(host: str, port: int) -> str:
    shown = {"0.0.0.0": "localhost", "::": "localhost"}.get(host, f"[{host}]" if ":" in host else host)
    return f"http://{shown}:{port}"


def _has_browser() -> bool:
    """Whether there is a browser with a window: one in this terminal would be in the way."""
    return sys.platform in ("darwin", "win32") or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))


def _show(host: str, port: int, address: str) -> None:
    for _ in range(600):
        with contextlib.suppress(OSError), socket.create_connection((host, port), timeout=1):
            webbrowser.open(address)
            return
        time.sleep(0.1)
