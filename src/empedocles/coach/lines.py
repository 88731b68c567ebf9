"""Lines of best play, gone through step by step: who does what, in the concepts of a game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from empedocles.core.kernel import CHANCE
from empedocles.game import Deed, Idea
from empedocles.position import Position
from empedocles.search import exact
from empedocles.search.limits import Evaluation

HORIZON = 8  # decisions of a line that are looked at
OUTCOMES = 300  # of the chance moves of a line, all together: a claim about what comes after them must hold for each


@dataclass(frozen=True)
class Step:
    """One move of a line."""

    before: Position
    move: str

    @cached_property
    def after(self) -> Position:
        return self.before.play(self.move)

    @property
    def seat(self) -> int:
        return self.before.to_move or 0

    @property
    def is_chance(self) -> bool:
        return self.before.to_move == CHANCE

    @cached_property
    def deeds(self) -> list[tuple[Idea, Deed]]:
        """What the move does."""
        return [] if self.is_chance else deeds(self.before, self.move)


def deeds(position: Position, move: str | int) -> list[tuple[Idea, Deed]]:
    """What a move does, in the concepts of its game."""
    action = position.action(move)
    before, after = position.state, position.play(move).state
    return [(idea, deed) for idea in position.game.concepts if idea.deeds for deed in idea.deeds(before, action, after)]


def steps(position: Position, line: Sequence[str]) -> list[Step]:
    """The moves of a line up to its last decision; it ends before a chance move with too many outcomes."""
    found: list[Step] = []
    left, outcomes = HORIZON, 1
    for move in line:
        outcomes *= len(position.legal_actions) if position.to_move == CHANCE else 1
        left -= position.to_move != CHANCE
        if position.is_over or left < 0 or outcomes > OUTCOMES:
            break
        found.append(Step(position, move))
        position = found[-1].after
    while found and found[-1].is_chance:
        found.pop()
    return found


def decisions(line: Sequence[Step]) -> int:
    return sum(not step.is_chance for step in line)


def ends(position: Position, line: Sequence[str]) -> list[Position]:
    """Where a line leads, a position for each way in which its chance moves turn out; none if one forbids a move."""
    places = [position]
    for move in line:
        if len({place.to_move for place in places}) > 1:
            return []
        if places[0].to_move == CHANCE:
            places = [place.play(action) for place in places for action in place.legal_actions]
        elif all(position.action(move) in place.legal_actions for place in places):
            places = [place.play(move) for place in places]
        else:
            return []
    return places


def full_line(position: Position, evaluation: Evaluation) -> tuple[str, ...]:
    """The line of an evaluation; where a game is solved, best play to the horizon."""
    if position.game.solve is None or len(evaluation.line) > 1:
        return evaluation.line or (evaluation.move,)
    return (evaluation.move, *_solved(position.play(evaluation.move)))


def _solved(position: Position) -> Iterator[str]:
    for _k in range(HORIZON - 1):
        if position.is_over or position.to_move == CHANCE:
            return
        move = next(iter(exact.values(position)))
        yield move
        position = position.play(move)
