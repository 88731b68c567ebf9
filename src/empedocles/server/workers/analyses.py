"""Analyses of matches by an engine, position by position. The results so far are available at any time."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections import OrderedDict
from dataclasses import dataclass, field

from empedocles.core.kernel import CHANCE
from empedocles.play.match import Match
from empedocles.position import Position
from empedocles.server.domain.refusals import Refused
from empedocles.server.domain.table import Table
from empedocles.server.limits.budgets import Who
from empedocles.server.workers.files import Made
from empedocles.server.workers.jobs import consider, look_at
from empedocles.server.workers.lines import Thinkers

MOST_KEPT = 200
MOST_PLIES = 20_000  # of all matches kept: 20 MB of positions, and as much of remarks
MOST_AT_ONCE = 40  # analyses, which take turns
EACH = 2  # of one household at once
MOST_ANSWERS = 4_000_000  # bytes of cached answers about single positions
LONGEST = 3000  # decisions
WHOLE = 90.0  # seconds for a long match, whose positions get less time each
LEAST = 0.05  # seconds for a position
PAUSE = 5.0  # seconds at most until the next try, when a household has asked for too much
FORSAKEN = 45.0  # seconds without a request after which an analysis stops, until somebody asks again

log = logging.getLogger(__name__)


@dataclass
class Analysis:
    id: str
    match: Match
    seconds: float
    due: list[int]  # the plies of all decisions
    who: Who  # who asked for it last
    remarks: list[dict[str, str]] = field(default_factory=list)  # for each language, JSON
    failed: bool = False
    asked: float = 0.0
    fingerprints: frozenset[str] | None = None  # of the positions at all decisions, computed when first needed
    task: asyncio.Task[None] | None = None

    @property
    def done(self) -> bool:
        return self.failed or len(self.remarks) == len(self.due)

    @property
    def running(self) -> bool:
        return self.task is not None and not self.task.done()


class Analyses:
    def __init__(self, thinkers: Thinkers, seconds: float) -> None:
        self.thinkers, self.seconds = thinkers, seconds
        self._kept: OrderedDict[str, Analysis] = OrderedDict()
        self._answers: Made[dict[str, str]] = Made(MOST_ANSWERS, lambda answer: sum(map(len, answer.values())))

    def of(self, table: Table, who: Who) -> Analysis:
        """The analysis of a table as it is now; starts or resumes it if needed, also after a failure."""
        number = f"{table.id}.{table.number}"
        if number not in self._kept:
            self._kept[number] = self._new(number, table.match, who)
        self._kept[number].failed = False
        return self.find(number, who)

    def find(self, number: str, who: Who) -> Analysis:
        if number not in self._kept:
            raise Refused("no-analysis", f"there is no analysis {number!r}: POST /api/analyses starts one")
        self._kept.move_to_end(number)
        analysis = self._kept[number]
        analysis.asked, analysis.who = time.monotonic(), who
        self._go_on(analysis)
        return analysis

    def _new(self, number: str, match: Match, who: Who) -> Analysis:
        due = [ply for ply, (seat, _) in enumerate(match.history()) if seat != CHANCE]
        if len(due) > LONGEST:
            raise Refused("too-long", f"only matches of up to {LONGEST} moves can be analysed; this one has {len(due)}")
        self._check_room(who)
        self._make_room(match.plies)
        return Analysis(number, match, max(LEAST, min(self.seconds, WHOLE / max(1, len(due)))), due, who)

    def _check_room(self, who: Who) -> None:
        running = [analysis.who.household for analysis in self._kept.values() if analysis.running]
        if running.count(who.household) >= EACH:
            message = f"{EACH} of your matches are being analysed: wait until one is done"
            raise Refused("too-many-requests", message, retry=10)
        if len(running) >= MOST_AT_ONCE:
            raise Refused("busy", "too many matches are being analysed: try again in a minute", retry=60)

    def _make_room(self, plies: int) -> None:
        plies += sum(analysis.match.plies for analysis in self._kept.values())
        for number in [number for number, analysis in self._kept.items() if not analysis.running]:
            if len(self._kept) >= MOST_KEPT or plies > MOST_PLIES:
                plies -= self._kept.pop(number).match.plies

    def _go_on(self, analysis: Analysis) -> None:
        if not analysis.done and not analysis.running:
            try:
                self._check_room(analysis.who)
            except Refused:
                return  # the next request resumes it
            analysis.task = asyncio.create_task(self._run(analysis))

    async def _run(self, analysis: Analysis) -> None:
        try:
            while not analysis.done and time.monotonic() - analysis.asked <= FORSAKEN:
                ply = analysis.due[len(analysis.remarks)]
                position = analysis.match.at(ply).text
                analysis.match.at(ply).forget()
                work = (position, ply, analysis.match.move(ply + 1), analysis.seconds)
                if remark := await self._considered(analysis, work):
                    analysis.remarks.append(remark)
        except Exception:
            log.exception("the analysis %s failed", analysis.id)
            analysis.failed = True

    async def _considered(self, analysis: Analysis, work: tuple[str, int, str, float]) -> dict[str, str] | None:
        """One remark, in each language; None if others come first for a while."""
        try:
            return await self.thinkers.patient(analysis.who, consider, *work)
        except Refused as refused:
            if refused.code not in ("too-many-requests", "busy"):
                raise
            await asyncio.sleep(min(refused.retry, PAUSE))
            return None

    async def answer(self, position: Position, seconds: float, who: Who) -> dict[str, str]:
        """The engine's evaluations of one position, the best moves first: JSON for each language."""
        text = position.text
        return await self._answers.get(text, lambda: self.thinkers.asked(who, look_at, text, seconds))

    async def stop(self) -> None:
        tasks = [analysis.task for analysis in self._kept.values() if analysis.task]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def analysis_view(analysis: Analysis, since: int, language: str) -> bytes:
    """As JSON, concatenated from what workers have written: there may be thousands of remarks."""
    remarks = analysis.remarks[since:]
    known = {
        "id": analysis.id,
        "total": len(analysis.due),
        "known": len(analysis.remarks),
        "done": analysis.done,
        "failed": analysis.failed,
    }
    told = json.dumps(known).removesuffix("}")
    return f'{told}, "remarks": [{",".join(remark[language] for remark in remarks)}]}}'.encode()
