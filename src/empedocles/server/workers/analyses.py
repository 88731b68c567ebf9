"""Analyses of matches by an engine, position by position. The results so far are available at any time."""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from empedocles.core.kernel import CHANCE
from empedocles.language import LANGUAGES
from empedocles.play.match import Match
from empedocles.position import Position
from empedocles.server.domain.refusals import Refused
from empedocles.server.domain.table import Table
from empedocles.server.limits.budgets import Who
from empedocles.server.workers.files import Made
from empedocles.server.workers.jobs import (
    consider,
    describe_evaluations,
    describe_remarks,
    find_turning_point,
    look_at,
    sum_up,
    where_to_begin,
)
from empedocles.server.workers.lines import Thinkers

MOST_KEPT = 200
MOST_PLIES = 20_000  # of all matches kept: 20 MB of positions, and as much of remarks
MOST_AT_ONCE = 40  # analyses, which take turns
EACH = 2  # of one household at once
MOST_ANSWERS = 4_000_000  # bytes of cached answers about single positions
LONGEST = 3000  # decisions
WHOLE = 90.0  # seconds for a long match, whose positions get less time each
LOOKS = 2  # at each position: at all moves, and at the one that was played
GLANCE = 2.0  # seconds for the question which moves to look at first
MANY = 6  # moves for which that is worth while
LEAST = 0.05  # seconds for a position
PAUSE = 5.0  # seconds at most until the next try, when a household has asked for too much
FORSAKEN = 45.0  # seconds without a request after which an analysis stops, until somebody asks again

QUICK = 3.0  # seconds for a first look at all moves of a match, to find its turning point
LONGEST_QUICK = 500  # moves that are looked at for that
SOME = 100  # stored remarks put into words at a time

log = logging.getLogger(__name__)

T = TypeVar("T")


class Memory(Protocol):
    """What outlives this process; see storage/analyses.py."""

    async def remarks(self, match: str) -> dict[int, tuple[str, str]]: ...
    async def keep_remark(self, match: str, ply: int, way: str, body: str) -> None: ...
    async def evaluations(self, position: str) -> str | None: ...
    async def keep_evaluations(self, position: str, match: str, body: str) -> None: ...


@dataclass
class Analysis:
    id: str
    table: str  # the table's id
    match: Match
    seconds: float
    due: list[int]  # the plies of all decisions
    who: Who  # who asked for it last
    remarks: list[dict[str, str]] = field(default_factory=list)  # for each language, JSON
    failed: bool = False
    asked: float = 0.0
    recalled: bool = False  # whether what is stored was looked up
    facts: dict[int, str] = field(default_factory=dict)  # the remarks without words, by ply
    story: dict[str, list[str]] | None = None  # the match summed up, when all its remarks are known; see sum_up
    fingerprints: frozenset[str] | None = None  # of the positions at all decisions, computed when first needed
    task: asyncio.Task[None] | None = None

    @property
    def done(self) -> bool:
        return self.failed or not self.due or self.story is not None

    @property
    def left(self) -> list[int]:
        """The decisions without a remark."""
        return [ply for ply in self.due if ply not in self.facts]

    @property
    def script(self) -> tuple[str, tuple[str, ...]]:
        """The match as workers receive it."""
        return self.match.start.text, tuple(self.match.moves)

    @property
    def wanted(self) -> bool:
        return time.monotonic() - self.asked <= FORSAKEN

    @property
    def running(self) -> bool:
        return self.task is not None and not self.task.done()


class Analyses:
    def __init__(self, thinkers: Thinkers, seconds: float, memory: Memory) -> None:
        self.thinkers, self.seconds, self.memory = thinkers, seconds, memory
        self._kept: OrderedDict[str, Analysis] = OrderedDict()
        self._answers: Made[dict[str, str]] = Made(MOST_ANSWERS, lambda answer: sum(map(len, answer.values())))

    def of(self, table: Table, who: Who) -> Analysis:
        """The analysis of a table as it is now; starts or resumes it if needed, also after a failure."""
        number = f"{table.id}.{table.number}"
        if number not in self._kept:
            self._kept[number] = self._new(number, table, who)
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

    def _new(self, number: str, table: Table, who: Who) -> Analysis:
        match = table.match
        due = [ply for ply, (seat, _) in enumerate(match.history()) if seat != CHANCE]
        if len(due) > LONGEST:
            raise Refused("too-long", f"only matches of up to {LONGEST} moves can be analysed; this one has {len(due)}")
        self._check_room(who)
        self._make_room(match.plies)
        seconds = max(LEAST, min(self.seconds, WHOLE / max(1, LOOKS * len(due))))
        return Analysis(number, table.id, match, seconds, due, who)

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
            await self._recall(analysis)
            ways = dict(enumerate(ways_of(analysis.match)))
            order = await self._order(analysis)
            while order and analysis.wanted:
                if await self._consider(analysis, order[0], ways[order[0]]):
                    order.pop(0)
            if not analysis.left:
                stored = [analysis.facts[ply] for ply in analysis.due]
                while analysis.story is None and analysis.wanted:
                    analysis.story = await self._patiently(analysis, sum_up, *analysis.script, stored)
        except Exception:
            log.exception("the analysis %s failed", analysis.id)
            analysis.failed = True

    async def _order(self, analysis: Analysis) -> list[int]:
        """What is left, the moves first that seem to matter most: readers see the key moments at once."""
        if len(analysis.left) < MANY:
            return analysis.left
        return await self._patiently(analysis, where_to_begin, *analysis.script, analysis.left, GLANCE) or analysis.left

    async def _consider(self, analysis: Analysis, ply: int, way: str) -> bool:
        """Whether a move could be looked at now."""
        position = analysis.match.at(ply).text
        analysis.match.at(ply).forget()
        work = (position, ply, analysis.match.move(ply + 1), analysis.seconds)
        judged = await self._patiently(analysis, consider, *work)
        if judged:
            analysis.facts[ply] = judged.facts
            analysis.remarks.append(judged.said)
            await self.memory.keep_remark(analysis.table, ply, way, judged.facts)
        return judged is not None

    async def _recall(self, analysis: Analysis) -> None:
        """Take over what is stored about moves, unless others have been played instead since."""
        if analysis.recalled:
            return
        stored, ways = await self.memory.remarks(analysis.table), dict(enumerate(ways_of(analysis.match)))
        known = [ply for ply in analysis.due if stored.get(ply, ("",))[0] == ways[ply]]
        while analysis.wanted and (some := known[len(analysis.remarks) :][:SOME]):
            facts = [stored[ply][1] for ply in some]
            said = await self._patiently(analysis, describe_remarks, *analysis.script, facts)
            analysis.remarks += said or []
            analysis.facts.update(zip(some, facts[: len(said or [])], strict=False))
            if said is not None and len(said) < len(some):  # the next one cannot be read
                break
        analysis.recalled = analysis.wanted

    async def _patiently(self, analysis: Analysis, work: Callable[..., T], *given: object) -> T | None:
        """The result of a job; None if others come first for a while."""
        try:
            return await self.thinkers.patient(analysis.who, work, *given)
        except Refused as refused:
            if refused.code not in ("too-many-requests", "busy"):
                raise
            await asyncio.sleep(min(refused.retry, PAUSE))
            return None

    async def answer(self, position: Position, seconds: float, who: Who, match: str = "") -> dict[str, str]:
        """The engine's evaluations of one position, the best moves first: JSON for each language.

        `match` is where the position was found, if anywhere: its evaluations are deleted with it.
        """
        text = position.text
        return await self._answers.get(text, lambda: self._answered(text, seconds, who, match))

    async def _answered(self, position: str, seconds: float, who: Who, match: str) -> dict[str, str]:
        key = hashlib.sha256(position.encode()).hexdigest()
        stored = await self.memory.evaluations(key)
        if stored and (said := await self.thinkers.asked(who, describe_evaluations, position, stored)):
            return said
        judged = await self.thinkers.asked(who, look_at, position, seconds)
        await self.memory.keep_evaluations(key, match, judged.facts)
        return judged.said

    async def explanation(self, position: Position, ply: int, move: str, seconds: float, who: Who) -> dict[str, str]:
        """The engine's remark on a move that somebody tries: JSON for each language."""
        key = ("explanation", position.text, ply, move)
        return await self._answers.get(key, lambda: self._explained(position.text, ply, move, seconds, who))

    async def _explained(self, position: str, ply: int, move: str, seconds: float, who: Who) -> dict[str, str]:
        return (await self.thinkers.asked(who, consider, position, ply, move, seconds)).said

    async def turning_point(self, table: Table, seats: Collection[int], who: Who) -> dict[str, str]:
        """The weightiest mistake of these seats in a match: JSON for each language, "null" if there is none.

        Also if a household has asked for too much, or everybody has: nobody waits for it.
        """
        key = ("turning point", table.id, table.match.plies, *seats)
        try:
            return await self._answers.get(key, lambda: self._turning_point(table, seats, who))
        except Refused as refused:
            if refused.code not in ("too-many-requests", "busy"):
                raise
            return dict.fromkeys(LANGUAGES, "null")

    async def _turning_point(self, table: Table, seats: Collection[int], who: Who) -> dict[str, str]:
        match = table.match
        due = [ply for ply, (seat, _) in enumerate(match.history()) if seat in seats]
        if not due or len(due) > LONGEST_QUICK:
            return dict.fromkeys(LANGUAGES, "null")
        stored, ways = await self.memory.remarks(table.id), list(ways_of(match))
        known = [stored[ply][1] for ply in due if stored.get(ply, ("",))[0] == ways[ply]]
        work = (match.start.text, tuple(match.moves), list(seats), known if len(known) == len(due) else [], QUICK)
        return await self.thinkers.asked(who, find_turning_point, *work)

    async def stop(self) -> None:
        tasks = [analysis.task for analysis in self._kept.values() if analysis.task]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def ways_of(match: Match) -> Iterator[str]:
    """For each move, a digest of the start and all moves up to it."""
    way = hashlib.sha256(match.start.text.encode())
    for move in match.moves:
        way.update(f" {move}".encode())
        yield way.hexdigest()


def analysis_view(analysis: Analysis, since: int, language: str, seat: int | None = None) -> bytes:
    """As JSON, concatenated from what workers have written: there may be thousands of remarks.

    The story is told to the player in a seat, or to anybody.
    """
    remarks = analysis.remarks[since:]
    known = {
        "id": analysis.id,
        "total": len(analysis.due),
        "known": len(analysis.remarks),
        "done": analysis.done,
        "failed": analysis.failed,
    }
    told = json.dumps(known).removesuffix("}")
    story = "null" if analysis.story is None else analysis.story[language][0 if seat is None else seat + 1]
    return f'{told}, "story": {story}, "remarks": [{",".join(remark[language] for remark in remarks)}]}}'.encode()
