"""The background tasks beside requests: news from other processes, clocks, bots, and housekeeping."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import signal
from collections.abc import AsyncIterator, Awaitable, Callable

from sqlalchemy.exc import SQLAlchemyError

from empedocles import agents
from empedocles.compilation import RULES, compile_each
from empedocles.errors import EmpedoclesError
from empedocles.game import Game
from empedocles.games import all_games, broken
from empedocles.server.limits.processor import Aside
from empedocles.server.operations import metrics
from empedocles.server.operations.health import Failures, Health
from empedocles.server.service.expiry import keep_expiring
from empedocles.server.service.hub import Hub
from empedocles.server.service.service import Service
from empedocles.server.settings import Settings
from empedocles.server.storage import boots, database_file
from empedocles.server.storage.database import connect
from empedocles.server.storage.migrate import migrate
from empedocles.server.storage.news import listen
from empedocles.server.storage.store import Store
from empedocles.server.workers.bots import Bots
from empedocles.server.workers.lines import Thinkers
from empedocles.server.workers.pool import end_with_parent, give_back_memory, leave_compiler
from empedocles.server.workers.workload import Workload

FLAGS = 1.0  # seconds between checks for clocks that have run out
SHARES = 10.0  # seconds between exchanges of who is connected where
AGAIN = 1.0  # seconds after which a failed task is restarted

log = logging.getLogger(__name__)


def play_bots(settings: Settings) -> None:
    """Run bots, and nothing else, until the process is ended."""
    end_with_parent()
    asyncio.run(_play_bots(settings))


async def _play_bots(settings: Settings) -> None:
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError):  # on Windows
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
    async with running(settings):
        await stop.wait()


@contextlib.asynccontextmanager
async def running(
    settings: Settings, aside: Aside | None = None
) -> AsyncIterator[tuple[Service, Hub, Thinkers, Health]]:
    """Run the background tasks while the block runs."""
    give_back_memory()
    know_agents(settings)
    database_file.prepare(settings.file)
    engine = connect(settings.url)
    await migrate(engine)
    await boots.agree(engine)
    await asyncio.to_thread(_load_rules)
    hub = Hub()
    store, thinkers = Store(engine, aside), Thinkers(settings)
    service = Service(store, hub.tell, settings.abandoned, settings.plies, hub.doubt)
    workload, failures = Workload(thinkers), Failures()
    looked_after = Health(store, settings, failures, workload.silence)
    service.written = metrics.count_entry
    store.watch(metrics.statement_took)
    await service.bans.look()

    def missed() -> None:
        service.forget()
        hub.wake_all()
        hub.doubt_all()

    beside: list[Callable[[], Awaitable[None]]] = [
        lambda: listen(engine, service.changed, missed, service.known),
        lambda: _flag(service),
        lambda: _share(service),
        lambda: service.bans.watch(hub.wake_all),
        lambda: metrics.watch(service.known, workload.look),
        looked_after.show,
        lambda: keep_expiring(service, settings),
        lambda: _tend(service),
    ]
    if settings.bots:
        bots = Bots(service, thinkers, settings.bots, settings.bot_seconds, settings.bot_pace, metrics.bot_thought)
        hub.everything.add(bots.hear)
        beside.append(bots.run)
    tasks = [asyncio.create_task(_forever(task, failures.add)) for task in beside]
    try:
        yield service, hub, thinkers, looked_after
    finally:
        for running_task in tasks:
            running_task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        thinkers.close()
        with contextlib.suppress(SQLAlchemyError, OSError):
            await looked_after.leave()
        await store.close()


def know_agents(settings: Settings) -> None:
    """Make the operator's opponents known by their names; nothing is imported, as worker processes do that."""
    for name, where in settings.own_agents.items():
        agents.rename(where, name)


def _load_rules() -> None:
    """Load machine code now, so that the first request does not wait for it."""

    def fail(game: Game, _error: Exception) -> None:
        log.exception("the game %s cannot be compiled: it is left out", game.name)

    compile_each(all_games().values(), RULES, lambda *_: None, fail)
    for name, why in broken.items():
        log.warning("the game %s cannot be used: %s", name, why)
    leave_compiler()
    _collect_seldom()


def _collect_seldom() -> None:
    """Collect cyclic garbage less often: there is little, and a collection stops everyone (255 ms with 500 matches)."""
    gc.collect()
    gc.freeze()  # what is here stays: never scan it again
    gc.set_threshold(50_000, 10, 1_000)


async def _forever(
    task: Callable[[], Awaitable[None]], failed: Callable[[Exception], None] = lambda _error: None
) -> None:
    """Restart the task after any failure, such as a database that was restarted."""
    while True:
        try:
            await task()
        except Exception as error:
            failed(error)
            log.warning("restarting in %g s after:", AGAIN, exc_info=True)
        await asyncio.sleep(AGAIN)


async def _flag(service: Service) -> None:
    """End matches whose clocks have run out, and shuffles that somebody keeps waiting."""
    while True:
        await asyncio.sleep(FLAGS)
        for match in service.timed():
            with contextlib.suppress(EmpedoclesError):
                await service.flag(match)
        for match in service.shuffling():
            with contextlib.suppress(EmpedoclesError):
                await service.cancel_overdue(match)


async def _share(service: Service) -> None:
    while True:
        await service.share_presence()
        await asyncio.sleep(SHARES)


async def _tend(service: Service) -> None:
    """Note the time, and finish forgetting players where a process died in the middle."""
    while True:
        await service.store.note_time()
        for player in await service.store.forgotten():
            await service.finish_forgetting(player)
        await asyncio.sleep(boots.BEAT)
