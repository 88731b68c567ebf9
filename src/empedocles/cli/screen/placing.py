"""Where the boxes of a picture lie in characters, and where everything is on a screen. No game is known here."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import pairwise
from typing import NamedTuple

from empedocles.render.art import CELL
from empedocles.render.picture import Box

SQUARE = re.compile(r"([a-z])(\d+)")  # the name of a target that gets coordinates
SMALL_GAP = 20  # in units of the picture; a wider one between boxes is a gap of its own kind
PANEL = 30, 7  # columns that a panel beside the board needs, and rows of one below it
WIDEST = 60  # columns of a panel: longer lines are hard to read


class Scale(NamedTuple):
    """Characters of a square."""

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


class Placed(NamedTuple):
    """A board in characters."""

    rects: dict[str, Rect]  # of each target
    labels: list[Label]  # coordinates
    width: int
    height: int


class Span(NamedTuple):
    """What a box takes of one axis, and the least that it needs there in characters."""

    start: float
    end: float
    least: int


def place(boxes: Mapping[str, Box], texts: Mapping[str, str], buttons: Mapping[str, str], scale: Scale) -> Placed:
    """Boxes with the texts that they must hold; buttons are rows of words below them."""
    shown = {target: box for target, box in boxes.items() if target not in buttons}
    squares = [box for target, box in shown.items() if SQUARE.fullmatch(target)]
    numbers = 1 + max((len(target) - 1 for target in shown if SQUARE.fullmatch(target)), default=0)
    across = [Span(box.x, box.x + box.width, len(texts.get(target, ""))) for target, box in shown.items()]
    down = [Span(box.y, box.y + box.height, 1) for box in shown.values()]
    columns = axis(across, scale.across, (1, 3), {min((box.x for box in squares), default=math.inf): numbers})
    rows = axis(down, scale.down, (0, 1), {_below(squares, down): 1})
    rects = {target: _rect(box, columns, rows) for target, box in shown.items()}
    labels = list(_labels(rects))
    width, height = _extent(rects.values(), labels)
    width = max([width, *(len(words) + 2 for words in buttons.values())])
    rects |= _buttons(buttons, width, height + (scale.down > 3), min((rect.left for rect in rects.values()), default=0))
    return Placed(rects, labels, width, max([height, *(rect.bottom for rect in rects.values())]))


def axis(spans: Collection[Span], scale: int, gaps: tuple[int, int], lanes: Mapping[float, int]) -> dict[float, int]:
    """Edges of boxes → characters. What no box covers becomes a small or a large gap; `lanes` are free before edges."""
    edges = sorted({edge for span in spans for edge in (span.start, span.end)})
    places = {edge: lanes.get(edge, 0) for edge in edges[:1]}
    for before, edge in pairwise(edges):
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


def _labels(rects: Mapping[str, Rect]) -> Iterator[Label]:
    """Letters below and numbers beside the squares."""
    squares = {found: rect for target, rect in rects.items() if (found := SQUARE.fullmatch(target))}
    left = min((rect.left for rect in squares.values()), default=0)
    bottom = max((rect.bottom for rect in squares.values()), default=0)
    for letter, rect in {found[1]: rect for found, rect in squares.items()}.items():
        yield Label(rect.left + (rect.width - 1) // 2, bottom, letter)
    for number, rect in {found[2]: rect for found, rect in squares.items()}.items():
        yield Label(left - 1 - len(number), rect.top + (rect.height - 1) // 2, number)


def _extent(rects: Collection[Rect], labels: Iterable[Label]) -> tuple[int, int]:
    bottoms = [*(rect.bottom for rect in rects), *(label.top + 1 for label in labels)]
    return max((rect.right for rect in rects), default=0), max(bottoms, default=0)


def _buttons(buttons: Mapping[str, str], width: int, top: int, start: int) -> dict[str, Rect]:
    """Rows of buttons, as many in a row as fit."""
    rects, left = {}, start
    for target, words in buttons.items():
        size = len(words) + 2
        if left > start and left + size > width:
            left, top = start, top + 1
        rects[target] = Rect(left, top, size, 1)
        left += size + 1
    return rects


# ── The whole screen ─────────────────────────────────────────────────────────────────────────────────────────────────


class Arrangement(NamedTuple):
    """Where the board and what is said about it are."""

    board: Placed
    at: Rect
    panel: Rect


def arrange(make: Callable[[bool, Scale], Placed], columns: int, rows: int) -> Arrangement | None:
    """The largest board that leaves room for the panel: `make` gives it wide or tall. None if there is too little."""
    for scale in SCALES:
        for wide in (True, False):
            board = make(wide, scale)
            for found in (_beside(board, columns, rows), _under(board, columns, rows)):
                if found:
                    return found
    return None


def needed(make: Callable[[bool, Scale], Placed]) -> tuple[int, int]:
    """The smallest screen on which there is a board: its columns and rows."""
    board = min((make(wide, SCALES[-1]) for wide in (True, False)), key=lambda board: board.width)
    return board.width + 4 + PANEL[0], board.height


def _beside(board: Placed, columns: int, rows: int) -> Arrangement | None:
    """The board at the left, the panel at the right, both in the middle of a wide window."""
    panel = min(columns - board.width - 4, WIDEST)
    if panel < PANEL[0] or board.height > rows:
        return None
    left, top = (columns - board.width - panel - 2) // 2, min(1, rows - board.height)
    at = Rect(left, top, board.width, board.height)
    return Arrangement(board, at, Rect(at.right + 2, top, panel, rows - top))


def _under(board: Placed, columns: int, rows: int) -> Arrangement | None:
    top = board.height + 1
    if board.width + 2 > columns or top + PANEL[1] > rows:
        return None
    return Arrangement(board, Rect(1, 0, board.width, board.height), Rect(1, top, columns - 2, rows - top))
