"""From a candidate to a puzzle: its line is checked move by move, and every level of the ladder tries to find it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from empedocles.agents import LadderAgent, SearchAgent
from empedocles.coach.puzzles import LONGEST, MIDDLE, STEP, Attempt, Puzzle, Verdict
from empedocles.core.kernel import CHANCE
from empedocles.play.mining.candidates import QUICKLY, Candidate, is_trivial, theme_of
from empedocles.play.mining.glances import is_idle
from empedocles.play.mining.judging import Effort, Judgement, finally_judged, shortly
from empedocles.position import Position
from empedocles.search.limits import Limit

TRIES = 8  # of each level
WEAKEST, STRONGEST = 400, 2600  # ratings of puzzles that everybody solves, and nobody


def checked(candidate: Candidate, effort: Effort) -> Puzzle | None:
    """The candidate as a puzzle; None if it is none after a closer look."""
    start = Position(candidate.position)
    found = finally_judged(start, effort)
    theme = theme_of(start, found) if found else None
    if found is None or theme is None or is_trivial(start, found.best.move):
        return None
    line, by = _line(start, found, effort)
    best, second = ((round(one.value, 3), one.points) for one in (found.best, found.second))
    spent = (effort.simulations, effort.simulations) if by == "search" else (0, 0)
    source = candidate.source
    return rated(Puzzle(candidate.id, candidate.position, line, theme, MIDDLE, (), by, spent, best, second, source))


# ── The line ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _line(start: Position, first: Judgement, effort: Effort) -> tuple[tuple[str, ...], str]:
    """The moves to find and the answers to them, as long as one move is right; and how that is known."""
    line, by, found = [first.best.move], first.by, 1
    place, pending = start.play(first.best.move), list[str]()
    while found < LONGEST and place.to_move not in (None, CHANCE):
        if place.to_move != start.to_move or len(place.legal_actions) == 1:
            pending.append(_answer(place, effort))
        else:
            judgement = _next(place, effort)
            if judgement is None or is_idle(place, judgement.best.move):
                break
            line += [*pending, judgement.best.move]
            pending, found = [], found + 1
            by = "search" if judgement.by == "search" else by
        place = place.play(pending[-1] if pending else line[-1])
    return tuple(line), by


def _answer(place: Position, effort: Effort) -> str:
    """The best that the other side can do, or the only move that there is."""
    return SearchAgent(seed=1).choose(place, Limit(simulations=max(1, effort.simulations // 20)))


def _next(place: Position, effort: Effort) -> Judgement | None:
    """The one right move on the way, if it is proven at once or worth finding."""
    found = shortly(place, effort)
    if found is None or found.by != "search":
        return found
    return None if is_trivial(place, found.best.move) else finally_judged(place, effort)


# ── Difficulty ───────────────────────────────────────────────────────────────────────────────────────────────────────


def rated(puzzle: Puzzle) -> Puzzle:
    """The puzzle with what the levels of the ladder make of it."""
    shares = tuple(_share(puzzle, level) for level in range(1, len(puzzle.game.opponents) + 1))
    return replace(puzzle, solved=shares, rating=rating_of(shares))


def _share(puzzle: Puzzle, level: int) -> float:
    return sum(_solves(puzzle, LadderAgent(level, seed)) for seed in range(TRIES)) / TRIES


def _solves(puzzle: Puzzle, agent: LadderAgent) -> bool:
    attempt = Attempt(puzzle)
    while not attempt.is_solved:
        if attempt.answer(agent.choose(attempt.position, QUICKLY)) is Verdict.WRONG:
            return False
    return True


def rating_of(shares: Sequence[float]) -> int:
    """The rating at which the levels are expected to solve a puzzle as often as they do, after Elo.

    Levels are STEP apart, with MIDDLE in the middle of the ladder: of eight, level k has 600 + 200 k. The sum of what
    is expected decides, which makes it the most likely rating.
    """
    low, high = WEAKEST, STRONGEST
    while low < high:
        rating = (low + high) // 2
        if expected(rating, len(shares)) > sum(shares):
            low = rating + 1
        else:
            high = rating
    return low


def expected(rating: int, levels: int) -> float:
    """How many of the levels solve a puzzle with a rating."""
    strengths = (MIDDLE + STEP * (level - (levels + 1) / 2) for level in range(1, levels + 1))
    return sum(1 / (1 + 10 ** ((rating - strength) / 400)) for strength in strengths)
