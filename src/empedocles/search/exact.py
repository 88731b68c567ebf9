"""Exact values, for games that can be solved from the position at hand."""

from __future__ import annotations

from dataclasses import dataclass

from empedocles.core.kernel import CHANCE
from empedocles.errors import Unsolvable
from empedocles.language import Message
from empedocles.position import Position


@dataclass(frozen=True)
class Solution:
    """What best play by both leads to, seen by the player to move."""

    points: int  # the lead at the end
    facts: dict[str, int]  # what else the game's solver knows, by name
    moves: dict[str, int]  # the lead after each legal move, the best first
    line: tuple[str, ...]  # one best move after another, to the end
    known: Message | None = None  # what a complete solution of the game says of this start

    @property
    def value(self) -> int:
        """1 for a win, 0 for a draw, −1 for a loss."""
        return (self.points > 0) - (self.points < 0)

    @property
    def best(self) -> list[str]:
        """All moves that keep the value in points."""
        return [move for move, points in self.moves.items() if points == self.points]


def solve(position: Position) -> Solution:
    """The exact value of a position, of all its moves, and a line of best play."""
    moves = values(position)
    solver = position.game.solve
    assert solver is not None  # or there were no values
    facts, known = solver.facts(position.state), solver.known and solver.known(position.state)
    return Solution(next(iter(moves.values())), facts, moves, tuple(_line(position)), known)


def values(position: Position) -> dict[str, int]:
    """The lead at the end after each legal move, under best play, the best first."""
    solver = position.game.solve
    if solver is None:
        raise Unsolvable(f"{position.game.title} has no exact solver")
    if position.is_over:
        raise Unsolvable(f"the game is over, nothing is left to solve: {position.result}")
    if position.to_move == CHANCE:
        raise Unsolvable(f"a chance move is due: the solver starts after it, in {position.text}")
    found = {position.game.moves[action]: points for action, points in solver.values(position.state).items()}
    return dict(sorted(found.items(), key=lambda item: (-item[1], item[0])))


def _line(position: Position) -> list[str]:
    line = []
    while not position.is_over:
        line.append(next(iter(values(position))))
        position = position.play(line[-1])
    return line
