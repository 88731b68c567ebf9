"""Matches gone through again by an engine, position by position: what is known so far can be asked for at any time."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any

from empedocles.errors import EmpedoclesError
from empedocles.kernel import CHANCE
from empedocles.play.analysis import Remark, said
from empedocles.play.match import Match
from empedocles.position import Position
from empedocles.search.limits import Evaluation, Limit
from empedocles.server.tables import Refused, Table
from empedocles.server.thinking import Thinkers

ANALYST = "search"  # exact where a game can be solved
MOST_KEPT = 200
MOST_AT_ONCE = 8
MOST_ANSWERS = 2000  # single positions kept
LONGEST = 3000  # decisions
WHOLE = 90.0  # seconds for a long match, by looking at each position less
LEAST = 0.05  # seconds for a position
FORSAKEN = 45.0  # seconds after the last question when an analysis stops, until somebody asks again
FEW = 3  # moves worth naming
LINE = 8  # moves of a line

log = logging.getLogger(__name__)

# ── In worker processes ──────────────────────────────────────────────────────────────────────────────────────────────


def consider(position: str, ply: int, move: str, seconds: float) -> Remark:
    from empedocles import agents
    from empedocles.play.analysis import remark

    return remark(Position(position), ply, move, agents.find(ANALYST), Limit(seconds=seconds))


def look_at(position: str, seconds: float) -> list[Evaluation]:
    from empedocles import agents

    return agents.find(ANALYST).analyse(Position(position), Limit(seconds=seconds))[:FEW]


# ── In the server ────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass
class Analysis:
    id: str
    match: Match
    seconds: float
    due: list[int]  # the plies of all decisions
    remarks: list[Remark] = field(default_factory=list)
    failed: bool = False
    asked: float = 0.0
    fingerprints: frozenset[str] | None = None  # of the positions at all decisions, once they were needed
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
        self._answers: OrderedDict[str, list[Evaluation]] = OrderedDict()

    def of(self, table: Table) -> Analysis:
        """The analysis of a table as it is now; it is begun, or goes on, if that is needed, also after a failure."""
        number = f"{table.id}.{table.number}"
        if number not in self._kept:
            self._kept[number] = self._new(number, table.match)
        self._kept[number].failed = False
        return self.find(number)

    def find(self, number: str) -> Analysis:
        if number not in self._kept:
            raise Refused("no-analysis", f"there is no analysis {number!r}: POST /api/analyses begins one", 404)
        self._kept.move_to_end(number)
        analysis = self._kept[number]
        analysis.asked = time.monotonic()
        self._go_on(analysis)
        return analysis

    def _new(self, number: str, match: Match) -> Analysis:
        due = [ply for ply, (seat, _) in enumerate(match.history()) if seat != CHANCE]
        if len(due) > LONGEST:
            raise Refused("too-long", f"matches of up to {LONGEST} moves are analysed, this one has {len(due)}", 422)
        self._make_room()
        return Analysis(number, match, max(LEAST, min(self.seconds, WHOLE / max(1, len(due)))), due)

    @property
    def _busy(self) -> bool:
        return sum(analysis.running for analysis in self._kept.values()) >= MOST_AT_ONCE

    def _make_room(self) -> None:
        if self._busy:
            raise Refused("busy", "too many matches are being analysed: try again in a minute", 503)
        for number in [number for number, analysis in self._kept.items() if not analysis.running]:
            if len(self._kept) >= MOST_KEPT:
                del self._kept[number]

    def _go_on(self, analysis: Analysis) -> None:
        if not analysis.done and not analysis.running and not self._busy:
            analysis.task = asyncio.create_task(self._run(analysis))

    async def _run(self, analysis: Analysis) -> None:
        match = analysis.match
        moves = match.moves
        try:
            for ply in analysis.due[len(analysis.remarks) :]:
                if time.monotonic() - analysis.asked > FORSAKEN:
                    return
                work = (match.at(ply).text, ply, moves[ply], analysis.seconds)
                analysis.remarks.append(await self.thinkers.patient(consider, *work))
        except Exception:
            log.exception("the analysis %s failed", analysis.id)
            analysis.failed = True

    async def answer(self, position: Position, seconds: float) -> list[Evaluation]:
        """What the engine says about one position, the best moves first."""
        text = position.text
        if text not in self._answers:
            self._answers[text] = await self.thinkers.asked(look_at, text, seconds)
            while len(self._answers) > MOST_ANSWERS:
                self._answers.popitem(last=False)
        return self._answers[text]

    async def stop(self) -> None:
        tasks = [analysis.task for analysis in self._kept.values() if analysis.task]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


# ── As JSON ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def evaluation_view(position: Position, evaluation: Evaluation, language: str) -> dict[str, Any]:
    return {
        "move": evaluation.move,
        "words": position.words(evaluation.move).say(language),
        "value": round(evaluation.value, 4),
        "said": said(evaluation, language),
        "proven": evaluation.proven,
        "points": evaluation.points,
        "line": _line(position, evaluation, language),
    }


def _line(position: Position, evaluation: Evaluation, language: str) -> list[list[str]]:
    """Moves of a line, each with its words."""
    line: list[list[str]] = []
    for move in (evaluation.line or (evaluation.move,))[:LINE]:
        try:
            after = position.play(move)
        except EmpedoclesError:
            break  # lines leave out chance moves, after which nothing is known
        line.append([move, position.words(move).say(language)])
        position = after
    return line


def remark_view(match: Match, remark: Remark, language: str) -> dict[str, Any]:
    position = match.at(remark.ply)
    return {
        "ply": remark.ply,
        "seat": remark.seat,
        "mark": remark.mark,
        "lost": round(remark.lost, 4),
        "played": evaluation_view(position, remark.played, language),
        "best": evaluation_view(position, remark.best, language),
    }


def analysis_view(analysis: Analysis, since: int, language: str) -> dict[str, Any]:
    return {
        "id": analysis.id,
        "total": len(analysis.due),
        "known": len(analysis.remarks),
        "done": analysis.done,
        "failed": analysis.failed,
        "remarks": [remark_view(analysis.match, remark, language) for remark in analysis.remarks[since:]],
    }
