"""The application: everything put together, and the tasks that run beside requests."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import math
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.middleware.gzip import GZipMiddleware
from fastapi.responses import JSONResponse, Response
from fastapi.staticfiles import StaticFiles
from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException

from empedocles.errors import EmpedoclesError
from empedocles.games import all_games, broken, leave_out
from empedocles.language import LANGUAGES
from empedocles.position import Position, compile_rules
from empedocles.server import (
    api,
    health,
    helping,
    lessons,
    metrics,
    pages,
    prints,
    privacy,
    review,
    review_pages,
    rulebooks,
    site,
    sockets,
    timekeeping,
    wording,
)
from empedocles.server.analyses import Analyses
from empedocles.server.audience import Audience
from empedocles.server.bans import Gate
from empedocles.server.bots import Bots
from empedocles.server.budgets import Allowance, Places
from empedocles.server.description import DescribedAPI
from empedocles.server.expiry import keep_expiring
from empedocles.server.health import Failures, Health
from empedocles.server.hosts import Hosts
from empedocles.server.live import Hub, listen
from empedocles.server.made import Made
from empedocles.server.methods import Methods, allowed
from empedocles.server.migrate import migrate
from empedocles.server.problems import problem
from empedocles.server.processor import Aside, Processor
from empedocles.server.quotas import Quotas
from empedocles.server.reports import Reports
from empedocles.server.security import HEADERS, Guard
from empedocles.server.service import Service
from empedocles.server.settings import Settings
from empedocles.server.settings import from_environment as read_settings
from empedocles.server.store import Store, connect
from empedocles.server.tables import Refused
from empedocles.server.thinking import Thinkers
from empedocles.server.workers import end_with_parent, give_back_memory, leave_compiler
from empedocles.server.workload import Workload

HERE = Path(__file__).parent
FLAGS = 1.0  # seconds between two looks for clocks that have run out
SHARES = 10.0  # seconds between two times that processes tell each other who is connected
AGAIN = 1.0  # seconds after which a task that has failed is started again

log = logging.getLogger(__name__)


def create_app(settings: Settings | None = None) -> FastAPI:
    settings = settings or Settings()
    processor = Processor(Allowance(settings.processor, settings.processor_burst))

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        aside = Aside(processor)
        async with running(settings, aside) as (service, hub, thinkers, looked_after):
            app.state.settings, app.state.service, app.state.hub = settings, service, hub
            app.state.health, app.state.readers = looked_after, metrics.Readers(settings.metrics)
            app.state.processor, app.state.aside, app.state.reports = processor, aside, Reports(aside)
            app.state.audience, app.state.quotas = Audience(settings), Quotas(settings, service.store)
            app.state.messages = Allowance(settings.messages, settings.messages_burst)
            app.state.thinkers, app.state.made = thinkers, Made[bytes]()
            app.state.exporting = Places(1)  # of each player
            app.state.hinting = set()  # matches for which a hint is being thought about
            app.state.analyses = Analyses(thinkers, settings.analysis_seconds)
            preparing = asyncio.create_task(_prepare())
            try:
                yield
            finally:
                preparing.cancel()
                await app.state.analyses.stop()

    app = DescribedAPI(
        title="Empedocles",
        summary="Play four games about the elements: list games, open tables, join, move, watch.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
    )
    app.include_router(api.router)
    app.include_router(privacy.router)
    app.include_router(helping.router)
    app.include_router(sockets.router)
    app.include_router(pages.router)
    app.include_router(site.router)
    app.include_router(rulebooks.router)
    app.include_router(prints.router)
    app.include_router(lessons.router)
    app.include_router(lessons.api)
    app.include_router(review.router)
    app.include_router(review_pages.router)
    app.include_router(health.router)
    app.include_router(metrics.router)
    app.mount(
        "/static", StaticFiles(directory=HERE / "static", packages=[("empedocles.play", "static")]), name="static"
    )
    app.add_middleware(Methods)
    app.add_middleware(GZipMiddleware, minimum_size=500)
    app.add_middleware(Gate, answer=_refused)
    app.add_middleware(Hosts, names=settings.hosts)
    requests = Allowance(settings.rate, settings.burst)
    app.add_middleware(Guard, requests=requests, at_once=settings.at_once, processor=processor)
    app.add_middleware(metrics.Meter)
    app.add_exception_handler(HTTPException, _absent)
    app.add_exception_handler(EmpedoclesError, _refused)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(Exception, _failed)
    return app


def from_environment() -> FastAPI:
    """For processes that uvicorn starts."""
    end_with_parent()
    return create_app(read_settings())


def play_bots(settings: Settings) -> None:
    """Nothing but bots, until the process is ended."""
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
    """All that goes on beside requests: news of other processes, clocks, and bots."""
    give_back_memory()
    settings.prepare()
    engine = connect(settings.url)
    await migrate(engine)
    await timekeeping.agree(engine)
    await asyncio.to_thread(_load_rules)
    hub = Hub()
    store, thinkers = Store(engine, aside), Thinkers(settings)
    service = Service(store, hub.tell, settings.abandoned, settings.plies, hub.doubt)
    workload, failures = Workload(thinkers), Failures()
    looked_after = Health(store, settings, failures, workload.silence)
    service.written = metrics.count_entry
    metrics.watch_database()
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
    tasks = [asyncio.create_task(_for_ever(task, failures.add)) for task in beside]
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


def _load_rules() -> None:
    """Now, so that the first request does not wait for machine code to be read."""
    for game in list(all_games().values()):
        try:
            Position.start(game, {})
            compile_rules(game)
        except Exception as error:
            log.exception("the game %s cannot be compiled: it is left out", game.name)
            leave_out(game.name, f"its rules cannot be compiled: {error}")
    for name, why in broken.items():
        log.warning("the game %s cannot be used: %s", name, why)
    leave_compiler()
    _collect_seldom()


def _collect_seldom() -> None:
    """Looking for garbage in cycles, of which there is little, stops everybody: 255 ms were seen with 500 matches."""
    gc.collect()
    gc.freeze()  # all that stays need not be gone through again
    gc.set_threshold(50_000, 10, 1_000)


async def _for_ever(
    task: Callable[[], Awaitable[None]], failed: Callable[[Exception], None] = lambda _error: None
) -> None:
    """Whatever goes wrong, such as a database that is restarted, goes on when it is over."""
    while True:
        try:
            await task()
        except Exception as error:
            failed(error)
            log.warning("starting again in %g s after:", AGAIN, exc_info=True)
        await asyncio.sleep(AGAIN)


async def _prepare() -> None:
    """Draw what the front page shows before anybody asks for it."""
    for language in LANGUAGES:
        await asyncio.to_thread(site.showcases, language)
    leave_compiler()  # some of the kernels were used for the first time


async def _flag(service: Service) -> None:
    """End matches whose clocks have run out."""
    while True:
        await asyncio.sleep(FLAGS)
        for match in service.timed():
            with contextlib.suppress(EmpedoclesError):
                await service.flag(match)


async def _share(service: Service) -> None:
    while True:
        await service.share_presence()
        await asyncio.sleep(SHARES)


async def _tend(service: Service) -> None:
    """Note the time, and finish what a process that has died had begun."""
    while True:
        await service.store.note_time()
        for player in await service.store.forgotten():
            await service.finish_forgetting(player)
        await asyncio.sleep(timekeeping.BEAT)


def _answer(request: Request, status: int, content: dict[str, Any]) -> Response:
    """A problem as a page for people, and as JSON for programs."""
    if not request.url.path.startswith("/api/") and "text/html" in request.headers.get("accept", ""):
        words = {"problem": wording.PROBLEMS.get(content["code"], ""), "reason": content.get("reason", "")}
        return pages.page(request, "error.html", status, code=content["code"], **words)
    return JSONResponse(content, status)


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, EmpedoclesError)
    status, content = problem(error, pages.language_of(request))
    answer = _answer(request, status, content)
    if isinstance(error, Refused) and error.retry:
        answer.headers["retry-after"] = str(math.ceil(error.retry))
    if status == 401:
        answer.headers["www-authenticate"] = "Bearer"
    return answer


async def _absent(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code == 405:
        answer = _answer(request, 405, {"code": "bad-method", "message": error.detail})
        answer.headers["allow"] = ", ".join(allowed(request.app, request.scope))
        return answer
    code = "not-found" if error.status_code == 404 else "bad-request"
    return _answer(request, error.status_code, {"code": code, "message": error.detail})


async def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"])
    if first["loc"][0] == "body" and not _is_json(request):
        return _answer(request, 415, {"code": "bad-type", "message": "the body must be application/json"})
    status = 400 if first["type"] == "json_invalid" else 422
    return _answer(request, status, {"code": "bad-request", "message": f"{where}: {first['msg']}"})


def _is_json(request: Request) -> bool:
    """Whether a body is said to be JSON."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    return kind == "application/json" or (kind.startswith("application/") and kind.endswith("+json"))


async def _failed(request: Request, error: Exception) -> Response:
    log.error("a request failed", exc_info=error)
    answer = _answer(request, 500, {"code": "failed", "message": "something went wrong here; nothing was lost"})
    answer.headers.update(HEADERS)  # the guard, which adds them, stands behind what calls this
    return answer
