"""The turning point of a match: the move that cost its players most."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable

from empedocles.agents import SearchAgent
from empedocles.agents.searchers import think
from empedocles.game import Opponent
from empedocles.play.analysis import Remark, remark
from empedocles.play.match import Match
from empedocles.position import Position
from empedocles.search.limits import Limit

GLANCE = 300  # simulations for a first look at each position
BLINK = 100  # for the question where to look first
CLOSER = 6000  # for those that look worst
FEW = 4  # positions that get a closer look


def costliest(remarks: Iterable[Remark], position: Position) -> Remark | None:
    """The mistake that cost most, the first of equals, in the match of a position; None if none cost much."""
    mistakes = [one for one in remarks if one.mark and one.costs_much(position)]
    return max(mistakes, key=lambda one: (one.lost, one.points_lost), default=None)


def gravest(remarks: Iterable[Remark], position: Position) -> Remark | None:
    """The costliest of the mistakes that turned the match of a position; None if none did."""
    return costliest((one for one in remarks if one.turns(position)), position)


def turning_point(match: Match, seats: Collection[int], seconds: float) -> Remark | None:
    """The gravest mistake of these seats, by a glance at each of their moves and a closer look at the worst.

    None if none turned the match, or if it cannot be found within `seconds`.
    """
    end = time.perf_counter() + seconds
    glances: dict[int, tuple[float, int]] = {}
    for ply, (seat, move) in enumerate(match.history()):
        if seat in seats and len(match.at(ply).legal_actions) > 1:
            glances[ply] = _glance(match, ply, move)
            if time.perf_counter() > end:
                return None
    worst = sorted(glances, key=glances.__getitem__, reverse=True)[:FEW]
    return gravest((_closer(match, ply) for ply in sorted(worst)), match.position)


def suspects(match: Match, plies: Collection[int], seconds: float) -> list[int]:
    """These moves in the order in which to look at them: those that seem to have cost most, by a very quick glance."""
    end = time.perf_counter() + seconds
    seen: dict[int, tuple[float, int]] = {}
    for ply in plies:
        if time.perf_counter() > end:
            break
        if len(match.at(ply).legal_actions) > 1:
            seen[ply] = _glance(match, ply, match.move(ply + 1), BLINK)
        match.at(ply).forget()
    worst = sorted(seen, key=seen.__getitem__, reverse=True)
    return worst + [ply for ply in plies if ply not in seen]


def _glance(match: Match, ply: int, move: str, simulations: int = GLANCE) -> tuple[float, int]:
    """What a move seems to have cost, also in points where they are known."""
    found = think(match.at(ply), Opponent("", simulations), Limit(simulations=simulations), 0)
    played = next(one for one in found if one.move == move)
    return found[0].value - played.value, Remark(ply, 0, played, found[0]).points_lost


def _closer(match: Match, ply: int) -> Remark:
    return remark(match.at(ply), ply, match.move(ply + 1), SearchAgent(), Limit(simulations=CLOSER))
