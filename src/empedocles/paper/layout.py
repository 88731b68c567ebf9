"""Where everything goes on paper: cut-outs in rows that butt against each other, boards in parts if they must.

All lengths are millimetres, from the top left corner of a page.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from empedocles.paper.sizes import MARGIN, Paper
from empedocles.render.art import CELL

if TYPE_CHECKING:
    from empedocles.game import Component

GAP = 6.0  # between cutouts of different heights, for the cut marks of both
FLAP = 8.0  # of a part of a board, to glue the next part on
TICK = 1.5  # the length of a cut mark
OFF = 0.5  # from a cutout to its cut marks
TINY = 1e-6

Segment = tuple[float, float, float, float]  # x and y of both ends


class Part(NamedTuple):
    """One of the parts of a board: which of how many, and the numbers of those to be glued to its right and below."""

    number: int = 1
    of: int = 1
    right: int = 0
    below: int = 0


class Cutout(NamedTuple):
    """One copy of a component as it lies on paper, or a part of it, measured without flaps."""

    component: int  # its index in the list
    width: float
    height: float
    turned: bool = False  # by a quarter, clockwise
    shown: tuple[float, float] = (0, 0)  # from where on the component is shown, as it lies
    part: Part = Part()


class Row(NamedTuple):
    cutouts: tuple[Cutout, ...]
    height: float  # flaps included
    apart: bool = False  # a board does not butt against anything

    @property
    def width(self) -> float:
        return sum(cutout.width for cutout in self.cutouts)

    @property
    def extent(self) -> float:
        """The width, flaps included."""
        return self.width + (FLAP if self.cutouts[-1].part.right else 0)


class Placed(NamedTuple):
    cutout: Cutout
    x: float
    y: float


@dataclass
class Page:
    rows: list[Row] = field(default_factory=list)

    @property
    def blocks(self) -> list[list[Row]]:
        """Rows that butt against each other."""
        blocks: list[list[Row]] = []
        for row in self.rows:
            if blocks and _butts(blocks[-1][-1], row):
                blocks[-1].append(row)
            else:
                blocks.append([row])
        return blocks

    @property
    def height(self) -> float:
        return sum(row.height for row in self.rows) + GAP * (len(self.blocks) - 1)

    def has_room(self, row: Row, room: float) -> bool:
        gap = GAP if self.rows and not _butts(self.rows[-1], row) else 0
        return self.height + gap + row.height <= room + TINY


def _butts(above: Row, below: Row) -> bool:
    return not above.apart and not below.apart and above.height == below.height


# ── Rows ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def pack(components: Sequence[Component], paper: Paper) -> list[Page]:
    """All copies of all components on few pages: boards first, then the tallest cut-outs."""
    pages: list[Page] = []
    for row in _rows(components, paper.room):
        page = next((page for page in pages if page.has_room(row, paper.room[1])), None)
        if page is None:
            pages.append(page := Page())
        page.rows.append(row)
    return pages


def _rows(components: Sequence[Component], room: tuple[float, float]) -> Iterator[Row]:
    cutouts: list[Cutout] = []
    for number, component in enumerate(components):
        if component.folded or not _capacity(component.width, component.height, room):
            for _ in range(component.number):
                yield from _board(number, component, room)
        else:
            cutouts += [_cutout(number, component, room)] * component.number
    cutouts.sort(key=lambda cutout: (-cutout.height, -cutout.width))
    for height, equal in itertools.groupby(cutouts, key=lambda cutout: cutout.height):
        yield from (Row(tuple(row), height) for row in _lines(equal, room[0]))


def _cutout(number: int, component: Component, room: tuple[float, float]) -> Cutout:
    """Turned, if a page has room for more of its size that way."""
    width, height = component.width, component.height
    if _fitting(height, width, room) > _fitting(width, height, room):
        return Cutout(number, height, width, turned=True)
    return Cutout(number, width, height)


def _fitting(width: float, height: float, room: tuple[float, float]) -> int:
    return int((room[0] + TINY) // width) * int((room[1] + TINY) // height)


def _capacity(width: float, height: float, room: tuple[float, float]) -> int:
    return max(_fitting(width, height, room), _fitting(height, width, room))


def _lines(cutouts: Iterable[Cutout], room: float) -> Iterator[list[Cutout]]:
    line: list[Cutout] = []
    for cutout in cutouts:
        if line and sum(p.width for p in line) + cutout.width > room + TINY:
            yield line
            line = []
        line.append(cutout)
    yield line


# ── Boards ───────────────────────────────────────────────────────────────────────────────────────────────────────────

Span = tuple[float, float]  # from, to


def _board(number: int, component: Component, room: tuple[float, float]) -> list[Row]:
    """A board in one part if it fits a page either way; else in as few parts as possible, split between squares."""
    across, down = _seams(component)
    ways = (
        (False, _spans(component.width, across, room[0]), _spans(component.height, down, room[1])),
        (
            True,
            _spans(component.height, [component.height - seam for seam in down], room[0]),
            _spans(component.width, across, room[1]),
        ),
    )
    turned, columns, rows = min(ways, key=lambda way: len(way[1]) * len(way[2]))
    return [_part(number, turned, columns, rows, k) for k in range(len(columns) * len(rows))]


def _part(number: int, turned: bool, columns: list[Span], rows: list[Span], k: int) -> Row:
    row, column = divmod(k, len(columns))
    (left, right), (top, bottom) = columns[column], rows[row]
    part = Part(
        number=k + 1,
        of=len(columns) * len(rows),
        right=k + 2 if column + 1 < len(columns) else 0,
        below=k + 1 + len(columns) if row + 1 < len(rows) else 0,
    )
    cutout = Cutout(number, right - left, bottom - top, turned, (left, top), part)
    return Row((cutout,), cutout.height + (FLAP if part.below else 0), apart=True)


def _seams(component: Component) -> tuple[list[float], list[float]]:
    """Where a board can be split: between its squares. No list means anywhere, if it does not say where these are."""
    if component.corner is None:
        return [], []
    scale = component.width / component.view[0]

    def between(first: float, end: float) -> list[float]:
        return [scale * (first + k * CELL) for k in range(1, int((end - first) // CELL))]

    return between(component.corner[0], component.view[0]), between(component.corner[1], component.view[1])


def _spans(length: float, seams: list[float], room: float) -> list[Span]:
    """Split a length into as few spans as fit, of about equal size, with flaps if there are several."""
    if length <= room + TINY:
        return [(0, length)]
    ways = (_split(length, seams if parts <= len(seams) else [], parts) for parts in itertools.count(2))
    return next(spans for spans in ways if all(end - start <= room - FLAP + TINY for start, end in spans))


def _split(length: float, seams: list[float], parts: int) -> list[Span]:
    equal = (length * k / parts for k in range(1, parts))
    cuts = [min(seams, key=lambda seam: abs(seam - at)) if seams else at for at in equal]
    return list(itertools.pairwise([0, *cuts, length]))


# ── Places and cuts ──────────────────────────────────────────────────────────────────────────────────────────────────


def _positions(page: Page, paper: Paper) -> Iterator[tuple[list[Row], float, float]]:
    """Blocks with their top left corners: each in the middle, one below the other."""
    y = MARGIN
    for block in page.blocks:
        yield block, MARGIN + (paper.room[0] - max(row.extent for row in block)) / 2, y
        y += sum(row.height for row in block) + GAP


def places(page: Page, paper: Paper) -> Iterator[Placed]:
    for block, left, top in _positions(page, paper):
        for row, y in zip(block, _borders(block), strict=False):
            xs = itertools.accumulate((cutout.width for cutout in row.cutouts), initial=left)
            yield from (Placed(cutout, x, top + y) for cutout, x in zip(row.cutouts, xs, strict=False))


def cuts(page: Page, paper: Paper) -> Iterator[Segment]:
    """Hairlines along which to cut, each once: rows are cut apart first, then each row into cutouts."""
    for block, left, top in _positions(page, paper):
        part = block[0].cutouts[0].part
        ys, widths = _borders(block), [0.0, *(row.width for row in block), 0.0]
        lines = [(left, top + y, left + max(widths[k : k + 2]), top + y) for k, y in enumerate(ys)]
        yield from lines[:-1] if part.below else lines
        for row, (start, end) in zip(block, itertools.pairwise(ys), strict=True):
            xs = _columns(row)
            yield from ((left + x, top + start, left + x, top + end) for x in (xs[:-1] if part.right else xs))


def marks(page: Page, paper: Paper) -> Iterator[Segment]:
    """Short lines outside of a block that show where its cuts go."""
    for block, left, top in _positions(page, paper):
        ys, right = _borders(block), left + max(row.width for row in block)
        for x, tick in ((left - OFF, -TICK), (right + OFF, TICK)):
            yield from ((x, top + y, x + tick, top + y) for y in ys)
        for row, y, tick in ((block[0], top - OFF, -TICK), (block[-1], top + ys[-1] + OFF, TICK)):
            yield from ((left + x, y, left + x, y + tick) for x in _columns(row))


def _borders(block: list[Row]) -> list[float]:
    """Above, between and below the rows' cutouts."""
    return [0.0, *itertools.accumulate(row.cutouts[0].height for row in block)]


def _columns(row: Row) -> list[float]:
    return [0.0, *itertools.accumulate(cutout.width for cutout in row.cutouts)]
