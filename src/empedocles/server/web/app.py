"""The application: everything put together."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

from fastapi import FastAPI
from fastapi.middleware.gzip import GZipMiddleware

from empedocles.language import LANGUAGES
from empedocles.server.limits.audience import Audience
from empedocles.server.limits.bans import Gate
from empedocles.server.limits.budgets import Allowance, Places
from empedocles.server.limits.hosts import Hosts
from empedocles.server.limits.processor import Aside, Processor
from empedocles.server.operations import health, metrics
from empedocles.server.operations.runtime import running
from empedocles.server.service.quotas import Quotas
from empedocles.server.settings import Settings
from empedocles.server.settings import from_environment as read_settings
from empedocles.server.web import errors, wire
from empedocles.server.web.description import DescribedAPI
from empedocles.server.web.files import PageFiles
from empedocles.server.web.methods import Methods
from empedocles.server.web.pages import lessons, openings, rulebooks, site, templates
from empedocles.server.web.pages import puzzles as puzzle_pages
from empedocles.server.web.pages import review as review_pages
from empedocles.server.web.pages.lists import Lobby
from empedocles.server.web.reports import Reports
from empedocles.server.web.routes import (
    analyses,
    choices,
    live,
    moves,
    pictures,
    prints,
    privacy,
    puzzles,
    review,
    searching,
    shuffles,
    tables,
)
from empedocles.server.web.security import Guard
from empedocles.server.workers.analyses import Analyses
from empedocles.server.workers.files import Made
from empedocles.server.workers.pool import end_with_parent, leave_compiler

HERE = Path(__file__).parent
API = (tables, shuffles, privacy, moves, live, review, analyses, choices, puzzles, health, metrics)
PAGES = (templates, site, openings, rulebooks, pictures, prints, lessons, puzzle_pages, review_pages)
THUMBNAILS = 4_000_000  # bytes of small pictures that are kept: some hundreds


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
            app.state.lobby, app.state.thumbnails = Lobby(), Made[bytes](THUMBNAILS)
            app.state.exporting = Places(1)  # export per player at a time
            app.state.hinting = set()  # matches for which a hint is being computed
            app.state.analyses = Analyses(thinkers, settings.analysis_seconds, service.store)
            preparing = asyncio.create_task(_prepare())
            try:
                yield
            finally:
                preparing.cancel()
                await app.state.analyses.stop()

    app = DescribedAPI(
        title="Empedocles",
        version=wire.API_VERSION,
        summary="Play four games about the elements: list games, open tables, join, move, watch.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
    )
    for part in (*API, *PAGES):
        app.include_router(part.router)
    for more in (lessons.api, searching.api, searching.router):
        app.include_router(more)
    app.mount("/static", PageFiles(directory=HERE / "static", packages=[("empedocles.play", "static")]), name="static")
    app.add_middleware(Methods)
    app.add_middleware(GZipMiddleware, minimum_size=500)
    app.add_middleware(Gate, answer=errors.refused)
    app.add_middleware(Hosts, names=settings.hosts)
    requests = Allowance(settings.rate, settings.burst)
    app.add_middleware(Guard, requests=requests, at_once=settings.at_once, processor=processor)
    app.add_middleware(metrics.Meter)
    errors.answer_all(app)
    return app


def from_environment() -> FastAPI:
    """The app for processes that uvicorn starts."""
    end_with_parent()
    return create_app(read_settings())


async def _prepare() -> None:
    """Draw the front page's pictures before anybody asks for them."""
    for language in LANGUAGES:
        await asyncio.to_thread(site.showcases, language)
    leave_compiler()  # some kernels were just loaded
