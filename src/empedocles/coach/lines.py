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

    @cached_property
    def deeds(self) -> list[tuple[Idea, Deed]]:
        """What the move does."""
        return deeds(self.before, self.move)


def deeds(position: Position, move: str | int) -> list[tuple[Idea, Deed]]:
    """What a move does, in the concepts of its game."""
    action = position.action(move)
    before, after = position.state, position.play(move).state
    return [(idea, deed) for idea in position.game.concepts if idea.deeds for deed in idea.deeds(before, action, after)]


def steps(position: Position, line: Sequence[str]) -> list[Step]:
    """The decisions of a line, up to the first chance move: what comes after it depends on luck."""
    found: list[Step] = []
    for move in line:
        if position.to_move == CHANCE or position.is_over or len(found) == HORIZON:
            break
        found.append(Step(position, move))
        position = found[-1].after
    return found


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
