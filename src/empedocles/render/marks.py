"""Marks on a drawing, each with a shape of its own: they are told apart without colours, and the art stays visible.

dot, ticks   may be chosen: a dot on an empty square, ticks in the corners of everything else
ring         is chosen
corners      the last move: two small triangles; the lower ones of a card, whose upper ones say what it is
arrow, halo  worth a look: a way through targets, or a broken ring around a single one

All have a rim, since they may lie on any ground. Pages draw dots, ticks and rings themselves (board.js).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Protocol

from empedocles.render.art import CELL

Sides = tuple[float, float, float, float]  # x, y, width, height
Point = tuple[float, float]


class Lying(Protocol):
    """A piece, which is drawn from its corner on."""

    @property
    def x(self) -> float: ...
    @property
    def y(self) -> float: ...


INSET = 3.5  # of ticks and rings within their box
CORNER = 0.2  # of the shorter side: how long a tick or a corner is
LONGEST = 13.0
WIDE = 1.2  # its width to its height: such a box has words in it
HIGH = 1.2  # its height to its width: such a box is a card
MOST_LAST = 8  # targets of the last move that are marked


def last_move(targets: Iterable[str], boxes: Mapping[str, Sides], pieces: Collection[Lying]) -> list[str]:
    """Where something has just happened, but no buttons; nothing if that is nearly everywhere, as after a deal."""
    named = [boxes[name] for name in sorted(targets) if name in boxes]
    places = [box for box in named if _is_square(box, boxes) or _is_occupied(box, pieces)]
    return list(map(last, places)) if len(places) <= MOST_LAST else []


def possible(box: Sides, boxes: Mapping[str, Sides], pieces: Collection[Lying]) -> str:
    """The mark of what may be chosen."""
    return dot(box) if _is_square(box, boxes) and not _is_occupied(box, pieces) else ticks(box)


def _is_square(box: Sides, boxes: Mapping[str, Sides]) -> bool:
    """Whether it is a square of a board, with another of its size beside it."""
    x, y, width, height = box
    ways = ((abs(x - other[0]), abs(y - other[1])) for other in boxes.values() if other[2:] == (width, width))
    return width == height and any(min(way) < 1 and math.isclose(sum(way), width, abs_tol=1) for way in ways)


def holds(box: Sides, piece: Lying) -> bool:
    """Whether a piece lies in a box."""
    x, y, width, height = box
    return 0 <= piece.x + CELL / 4 - x <= width and 0 <= piece.y + CELL / 4 - y <= height


def _is_occupied(box: Sides, pieces: Collection[Lying]) -> bool:
    return any(holds(box, piece) for piece in pieces)


def dot(box: Sides) -> str:
    x, y, width, height = box
    return (
        f'<circle class="dot" cx="{x + width / 2:g}" cy="{y + height / 2:g}" r="{0.11 * min(CELL, width, height):g}"/>'
    )


def _reach(box: Sides) -> float:
    return min(LONGEST, CORNER * min(box[2:]))


def ticks(box: Sides) -> str:
    x, y, width, height = box
    left, top, right, bottom = x + INSET, y + INSET, x + width - INSET, y + height - INSET
    r = _reach(box)
    way = (
        f"M{left:g} {top + r:g}v{-r:g}h{r:g}M{right - r:g} {top:g}h{r:g}v{r:g}"
        f"M{right:g} {bottom - r:g}v{r:g}h{-r:g}M{left + r:g} {bottom:g}h{-r:g}v{-r:g}"
    )
    return _rimmed("tick", f'd="{way}"', "path")


def ring(box: Sides) -> str:
    x, y, width, height = box
    sides = f'x="{x + INSET:g}" y="{y + INSET:g}" width="{width - 2 * INSET:g}" height="{height - 2 * INSET:g}" rx="6"'
    return _rimmed("ring", sides, "rect")


def last(box: Sides) -> str:
    x, y, width, height = box
    is_card = height > HIGH * width
    r, right, bottom = (0.7 if is_card else 1.35) * _reach(box), x + width - 1, y + height - 1
    left = f"M{x + 1:g} {bottom:g}h{r:g}l{-r:g} {-r:g}Z" if is_card else f"M{x + 1:g} {y + 1:g}h{r:g}l{-r:g} {r:g}Z"
    way = f"{left}M{right:g} {bottom:g}h{-r:g}l{r:g} {-r:g}Z"
    return f'<path class="corner" d="{way}"/>'


def arrow(boxes: Mapping[str, Sides], way: Sequence[str]) -> str:
    found = [boxes[target] for target in way if target in boxes]
    if len(found) < 2:
        return "".join(map(halo, found))
    points = list(map(_middle, found))
    foot, along, (x, y) = *_foot(points[-2], points[-1]), points[-1]
    line = "L".join(f"{a:g} {b:g}" for a, b in [*points[:-1], foot])
    wings = "L".join(f"{foot[0] - side * along[1]:.1f} {foot[1] + side * along[0]:.1f}" for side in (11, -11))
    return _rimmed("arrow", f'd="M{line}"', "path") + f'<path class="arrow-head" d="M{x:g} {y:g}L{wings}Z"/>'


def halo(box: Sides) -> str:
    """A circle; around a wide box, whose words it would hide, its outline."""
    (x, y), (left, top, width, height) = _middle(box), box
    if width <= WIDE * height:
        return _rimmed("halo", f'cx="{x:g}" cy="{y:g}" r="{0.42 * CELL:g}"', "circle")
    sides = f'x="{left - 1:g}" y="{top - 1:g}" width="{width + 2:g}" height="{height + 2:g}" rx="8"'
    return _rimmed("halo", sides, "rect")


def _middle(box: Sides) -> Point:
    return box[0] + box[2] / 2, box[1] + box[3] / 2


def _foot(start: Point, end: Point) -> tuple[Point, Point]:
    """Where the head of an arrow begins, and its direction."""
    length = math.dist(start, end) or 1
    along = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    return (round(end[0] - 18 * along[0], 1), round(end[1] - 18 * along[1], 1)), along


def _rimmed(name: str, shape: str, tag: str) -> str:
    return f'<{tag} class="{name}-rim" {shape}/><{tag} class="{name}" {shape}/>'
