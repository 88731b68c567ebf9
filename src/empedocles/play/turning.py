"""The turning point of a match: the move that cost its players most."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Iterator

from empedocles import networks
from empedocles.agents import SearchAgent
from empedocles.agents.searchers import can_be_solved, think
from empedocles.game import Opponent
from empedocles.play.analysis import Remark, remark
from empedocles.play.match import Match
from empedocles.position import Position
from empedocles.search.limits import Evaluation, Limit
from empedocles.search.mcts import Search, nodes_for

GLANCE = 300  # simulations for a first look at each position, and as many at the move that was played there
BLINK, SECOND = 100, 1000  # for the question where to look first: a glance, and another that finds more
CLOSER = 6000  # simulations for those that look worst
FEW = 4  # positions that get a closer look


def costliest(remarks: Iterable[Remark], position: Position) -> Remark | None:
    """The mistake that cost most, the first of equals, in the match of a position; None if none cost much."""
    mistakes = [one for one in remarks if one.mark and one.costs_much(position)]
    return max(mistakes, key=lambda one: (one.lost, one.points_lost), default=None)


def gravest(remarks: Iterable[Remark], position: Position) -> Remark | None:
    """The costliest of the mistakes that turned the match of a position; None if none did."""
    return costliest((one for one in remarks if one.turns(position)), position)


def weightiest(remarks: Iterable[Remark], position: Position) -> Remark | None:
    """The turning point of a match, or else the mistake that cost most: whoever was behind can still lose by a move."""
    found = list(remarks)
    return gravest(found, position) or costliest(found, position)


def turning_point(match: Match, seats: Collection[int], seconds: float) -> Remark | None:
    """The weightiest mistake of these seats, by a glance at each of their moves and a closer look at the worst.

    None if none cost much, or if it cannot be found within `seconds`.
    """
    end = time.perf_counter() + seconds
    glances: dict[int, tuple[float, int]] = {}
    for ply, (seat, move) in enumerate(match.history()):
        if seat in seats and len(match.at(ply).legal_actions) > 1:
            glances[ply] = _glance(match, ply, move)
            if time.perf_counter() > end:
                return None
    worst = sorted(glances, key=glances.__getitem__, reverse=True)[:FEW]
    return weightiest((_closer(match, ply) for ply in sorted(worst)), match.position)


def suspects(match: Match, plies: Collection[int], seconds: float) -> list[int]:
    """These moves in the order in which to look at them: those that seem to have cost most, by quick glances."""
    end = time.perf_counter() + seconds
    first = dict(_glances(match, plies, BLINK, end))
    worst = sorted(first, key=first.__getitem__, reverse=True)
    second = dict(_glances(match, worst, SECOND, end))
    ordered = sorted(second, key=second.__getitem__, reverse=True) + [ply for ply in worst if ply not in second]
    return ordered + [ply for ply in plies if ply not in first]


def _glances(
    match: Match, plies: Iterable[int], simulations: int, end: float
) -> Iterator[tuple[int, tuple[float, int]]]:
    """What these moves seem to have cost, where there was a choice, as far as time allows."""
    for ply in plies:
        if time.perf_counter() > end:
            return
        if len(match.at(ply).legal_actions) > 1:
            yield ply, _glance(match, ply, match.move(ply + 1), simulations)
        match.at(ply).forget()


def _glance(match: Match, ply: int, move: str, simulations: int = GLANCE) -> tuple[float, int]:
    """What a move seems to have cost, also in points where they are known.

    The move has a look of its own: a short one at all moves hardly visits it if it is not the best.
    """
    here, limit = match.at(ply), Limit(simulations=simulations)
    found = think(here, Opponent("", simulations, learnt=True), limit, 0)
    best, played = found[0], next(one for one in found if one.move == move)
    if played is not best and not can_be_solved(here):
        played = _alone(here, move, limit)
    return best.value - played.value, Remark(ply, 0, played, best).points_lost


def _alone(position: Position, move: str, limit: Limit) -> Evaluation:
    nodes, weights = nodes_for(position.game, limit.simulations or 1), networks.weights(position.game, position.options)
    search = Search(position, only=move, nodes=nodes, weights=weights)
    search.run(limit)
    return search.evaluations()[0]


def _closer(match: Match, ply: int) -> Remark:
    return remark(match.at(ply), ply, match.move(ply + 1), SearchAgent(), Limit(simulations=CLOSER))
