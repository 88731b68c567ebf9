"""Where the boxes of a picture lie in characters, and where everything is on a screen. No game is known here."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import NamedTuple

from empedocles.render.art import CELL
from empedocles.render.picture import Box

SQUARE = re.compile(r"([a-z])(\d+)")  # the name of a target that gets coordinates
SMALL_GAP = 20  # in units of the picture; a wider one between boxes is a gap of its own kind
PANELS = (27, 9), (25, 6)  # columns and rows that a panel should have, and those that it needs
WIDEST = 60  # columns of a panel: longer lines are hard to read
TALLEST = 24  # rows of a panel beside a lower board


class Scale(NamedTuple):
    """The size of a square, in characters."""

    across: int
    down: int


SCALES = tuple(Scale(*size) for size in ((11, 5), (9, 4), (7, 3), (6, 3), (5, 2), (4, 2), (4, 1)))


class Rect(NamedTuple):
    left: int
    top: int
    width: int
    height: int

    @property
    def right(self) -> int:
        return self.left + self.width

    @property
    def bottom(self) -> int:
        return self.top + self.height

    def moved(self, by: Rect) -> Rect:
        return self._replace(left=self.left + by.left, top=self.top + by.top)

    @property
    def centre(self) -> tuple[float, float]:
        """In squares of a terminal, whose characters are twice as high as wide."""
        return self.left + self.width / 2, 2 * self.top + self.height


class Label(NamedTuple):
    left: int
    top: int
    text: str


class Footprint(NamedTuple):
    """The room that a board takes up, in characters."""

    rects: dict[str, Rect]  # of each target
    labels: list[Label]  # coordinates
    width: int
    height: int


class Span(NamedTuple):
    """What a box takes of one axis, and the least that it needs there in characters."""

    start: float
    end: float
    least: int


def place(boxes: Mapping[str, Box], texts: Mapping[str, str], scale: Scale) -> Footprint:
    """Lay boxes out in characters, with room for their texts."""
    squares = [box for target, box in boxes.items() if SQUARE.fullmatch(target)]
    numbers = 1 + max((len(target) - 1 for target in boxes if SQUARE.fullmatch(target)), default=0)
    across = [Span(box.x, box.x + box.width, len(texts.get(target, ""))) for target, box in boxes.items()]
    down = [Span(box.y, box.y + box.height, 1) for box in boxes.values()]
    columns = axis(across, scale.across, (1, 3), {min((box.x for box in squares), default=math.inf): numbers})
    rows = axis(down, scale.down, (0, 1), {_below(squares, down): 1})
    rects = {target: _rect(box, columns, rows) for target, box in boxes.items()}
    rects = {target: _apart(target, rect, rects, len(texts.get(target, ""))) for target, rect in rects.items()}
    labels = list(_labels(rects))
    width = max((rect.right for rect in rects.values()), default=0)
    height = max([*(rect.bottom for rect in rects.values()), *(label.top + 1 for label in labels)], default=0)
    return Footprint(rects, labels, width, height)


def axis(spans: Collection[Span], scale: int, gaps: tuple[int, int], lanes: Mapping[float, int]) -> dict[float, int]:
    """Edges of boxes → characters. What no box covers becomes a small or a large gap; `lanes` are free before edges."""
    edges = sorted({edge for span in spans for edge in (span.start, span.end)})
    places = {edge: lanes.get(edge, 0) for edge in edges[:1]}
    for before, edge in itertools.pairwise(edges):
        if any(span.start <= before and edge <= span.end for span in spans):
            step = _nearest((edge - edges[0]) * scale / CELL) - _nearest((before - edges[0]) * scale / CELL)
        else:
            step = gaps[edge - before >= SMALL_GAP]
        needs = (places[span.start] + span.least for span in spans if span.end == edge)
        places[edge] = max(places[before] + max(step, lanes.get(edge, 0)), *needs, 0)
    return places


def _nearest(number: float) -> int:
    return math.floor(number + 0.5)  # `round` would make squares of different widths: it goes to even numbers


def _below(squares: list[Box], spans: list[Span]) -> float:
    """The first edge below all squares."""
    bottom = max((box.y + box.height for box in squares), default=math.inf)
    return min((edge for span in spans for edge in (span.start, span.end) if edge > bottom), default=math.inf)


def _rect(box: Box, columns: Mapping[float, int], rows: Mapping[float, int]) -> Rect:
    left, top = columns[box.x], rows[box.y]
    return Rect(left, top, columns[box.x + box.width] - left, rows[box.y + box.height] - top)


def _apart(target: str, rect: Rect, rects: Mapping[str, Rect], text: int) -> Rect:
    """A card or a pile that would touch the next one is made a little smaller; squares of a board do touch."""
    if SQUARE.fullmatch(target):
        return rect
    others = [other for name, other in rects.items() if not SQUARE.fullmatch(name)]
    row = [other for other in others if (other.top, other.height) == (rect.top, rect.height)]  # stays one
    if rect.width > text and any(other.left == rect.right and _share_rows(rect, other) for other in others):
        rect = rect._replace(width=rect.width - 1)
    if rect.height > 1 and any(o.top == rect.bottom and _share_columns(r, o) for o in others for r in row):
        rect = rect._replace(height=rect.height - 1)
    return rect


def _share_rows(one: Rect, two: Rect) -> bool:
    return one.top < two.bottom and two.top < one.bottom


def _share_columns(one: Rect, two: Rect) -> bool:
    return one.left < two.right and two.left < one.right


def _labels(rects: Mapping[str, Rect]) -> Iterator[Label]:
    """Letters below and numbers beside the squares; the other way round on a board that lies on its side."""
    squares = [(found[1], found[2], rect) for target, rect in rects.items() if (found := SQUARE.fullmatch(target))]
    left = min((rect.left for *_, rect in squares), default=0)
    bottom = max((rect.bottom for *_, rect in squares), default=0)
    letters = {letter: rect for letter, _, rect in squares}
    numbers = {number: rect for _, number, rect in squares}
    turned = len(letters) > 1 and len({rect.left for rect in letters.values()}) == 1
    below, beside = (numbers, letters) if turned else (letters, numbers)
    for sign, rect in below.items():
        yield Label(rect.left + (rect.width - 1) // 2, bottom, sign)
    for sign, rect in beside.items():
        yield Label(left - 1 - len(sign), rect.top + (rect.height - 1) // 2, sign)


# ── The whole screen ─────────────────────────────────────────────────────────────────────────────────────────────────


class Arrangement(NamedTuple):
    """Where everything is on a screen."""

    rects: dict[str, Rect]  # of each target, buttons included
    labels: list[Label]
    board: Rect
    panel: Rect


def arrange(
    make: Callable[[bool, Scale], Footprint], buttons: Mapping[str, str], columns: int, rows: int
) -> Arrangement | None:
    """The largest board that leaves room for a panel, with buttons at its end. None if there is too little room.

    `make` places the board's boxes, with panels beside it (wide) or below.
    """
    for (across, down), scale, wide in itertools.product(PANELS, SCALES, (True, False)):
        footprint = make(wide, scale)
        for at, panel in (_beside(footprint, columns, rows), _under(footprint, columns, rows)):
            if at.right < columns and panel.width >= across and panel.height >= down:
                return _arranged(footprint, at, panel, buttons)
    return None


def _arranged(footprint: Footprint, at: Rect, panel: Rect, buttons: Mapping[str, str]) -> Arrangement:
    rects = {target: rect.moved(at) for target, rect in footprint.rects.items()}
    labels = [Label(at.left + label.left, at.top + label.top, label.text) for label in footprint.labels]
    rows = _buttons(buttons, panel)
    panel = panel._replace(height=min([panel.bottom, *(rect.top for rect in rows.values())]) - panel.top)
    return Arrangement(rects | rows, labels, at, panel)


def _buttons(buttons: Mapping[str, str], panel: Rect) -> dict[str, Rect]:
    """Rows of buttons at the end of a panel, as many in a row as fit."""
    rects, left, top = {}, panel.left, 0
    for target, words in buttons.items():
        size = min(len(words) + 2, panel.width)
        if left + size > panel.right:
            left, top = panel.left, top + 1
        rects[target] = Rect(left, top, size, 1)
        left += size + 1
    return {target: rect._replace(top=panel.bottom - 1 - top + rect.top) for target, rect in rects.items()}


def _beside(board: Footprint, columns: int, rows: int) -> tuple[Rect, Rect]:
    """The board at the left, the panel at the right, both in the middle of a wide window."""
    across = min(columns - board.width - 4, WIDEST)
    at = Rect((columns - board.width - across - 2) // 2, min(1, rows - board.height), board.width, board.height)
    down = min(rows, at.top + max(board.height, TALLEST)) - at.top if at.top >= 0 else 0
    return at, Rect(at.right + 2, at.top, across, down)


def _under(board: Footprint, columns: int, rows: int) -> tuple[Rect, Rect]:
    at = Rect(max(1, (columns - board.width) // 2 - 1), 0, board.width, board.height)
    return at, Rect(1, board.height + 1, columns - 2, rows - board.height - 1)


def least_size(make: Callable[[bool, Scale], Footprint]) -> tuple[int, int]:
    """The columns and rows of a screen that is large enough for a board."""
    board = min((make(wide, SCALES[-1]) for wide in (True, False)), key=lambda board: board.width)
    across, down = PANELS[-1]
    return board.width + 4 + across, max(board.height, down)
