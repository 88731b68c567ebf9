"""The turning point of a match: the move that cost its players most."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable

from empedocles.agents import SearchAgent
from empedocles.agents.searchers import think
from empedocles.game import Opponent
from empedocles.play.analysis import MARKS, Remark, remark
from empedocles.play.match import Match
from empedocles.search.limits import Limit

GLANCE = 300  # simulations for a first look at each position
CLOSER = 6000  # for those that look worst
FEW = 4  # positions that get a closer look
LEAST = min(MARKS.values())  # what a turning point must have cost


def gravest(remarks: Iterable[Remark]) -> Remark | None:
    """The mistake that cost most, the first of equals; None if there was none."""
    mistakes = [one for one in remarks if one.lost >= LEAST]
    return max(mistakes, key=lambda one: (one.lost, one.points_lost), default=None)


def turning_point(match: Match, seats: Collection[int], seconds: float) -> Remark | None:
    """The gravest mistake of these seats, by a glance at each of their moves and a closer look at the worst.

    None if they made none, or if it cannot be found within `seconds`.
    """
    end = time.perf_counter() + seconds
    glances: dict[int, tuple[float, int]] = {}
    for ply, (seat, move) in enumerate(match.history()):
        if seat in seats and len(match.at(ply).legal_actions) > 1:
            glances[ply] = _glance(match, ply, move)
            if time.perf_counter() > end:
                return None
    worst = sorted(glances, key=glances.__getitem__, reverse=True)[:FEW]
    return gravest(_closer(match, ply) for ply in sorted(worst))


def _glance(match: Match, ply: int, move: str) -> tuple[float, int]:
    """What a move seems to have cost, also in points where they are known."""
    found = think(match.at(ply), Opponent("", GLANCE), Limit(simulations=GLANCE), 0)
    played = next(one for one in found if one.move == move)
    return found[0].value - played.value, Remark(ply, 0, played, found[0]).points_lost


def _closer(match: Match, ply: int) -> Remark:
    return remark(match.at(ply), ply, match.move(ply + 1), SearchAgent(), Limit(simulations=CLOSER))
