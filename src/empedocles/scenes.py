"""Scenes: pictures in a game's Markdown, given as a position and moves, all cut to the same part of the board.

    ~~~position a1 c2 landmasses
    ignite-and-flow board=6/6/6/6/2E3/FtE3 to-move=0
    Fa1>b1
    ~~~

The first line names targets in the corners of that part (none: the whole picture) and overlays. A position follows, and
then, line by line, the moves that lead to the next picture.
"""

from __future__ import annotations

import functools
import itertools
from typing import NamedTuple

from empedocles.position import Position

FENCE = "position"  # the word that a fenced block begins with


class Scene(NamedTuple):
    start: Position
    lines: tuple[tuple[str, ...], ...]  # the moves that lead to each further picture
    corners: tuple[str, ...]
    overlays: tuple[str, ...]

    @property
    def wide(self) -> bool:
        """Which layout to print: parts are cut out of the one whose labels are small; a whole picture is a tall one."""
        return bool(self.corners)

    @property
    def positions(self) -> list[Position]:
        return list(itertools.accumulate(self.lines, _played, initial=self.start))


def _played(position: Position, moves: tuple[str, ...]) -> Position:
    return functools.reduce(Position.play, moves, position)


def read(info: str, content: str) -> Scene:
    """A fenced block as a scene."""
    first, *rest = content.splitlines()
    start, shown = Position(first), info.split()[1:]
    overlays = tuple(name for name in shown if name in start.game.overlays)
    corners = tuple(name for name in shown if name not in overlays)
    return Scene(start, tuple(tuple(line.split()) for line in rest), corners, overlays)
