"""Where everything is in the picture of Fire & Water, on a wide sheet and on a tall one.

On a wide sheet the panels are a column beside the board. A tall sheet is for a phone, and shows the board with all
hands at once: a board of twelve columns lies on its side, with the panels of the others beside it. Markers that are
still face-down come below that.
"""

from __future__ import annotations

import functools
from typing import NamedTuple

from empedocles.games.fire_and_water.artwork import HEAD, STEP, among_all
from empedocles.games.fire_and_water.lookups import COLUMNS, NAMES, ROWS, VALUES
from empedocles.games.fire_and_water.moves import PASS_TARGET
from empedocles.render.art import CELL
from empedocles.render.picture import Box, Layout, arrange

MARGIN = 26  # of the board, for coordinates
BELOW = 92  # of a wide board, for column letters, buttons and what concerns all seats
LETTERS = 24  # of a tall one, for coordinates alone
EDGE = 8  # of a tall sheet
SPACE = 6  # between the board and the panels there
MATRIX = HEAD + len(VALUES) * STEP  # the side of a square with all face-down markers
CAPTION = 34  # above it, on a tall sheet

Point = tuple[float, float]


class Plan(NamedTuple):
    """A seat's panel: what is where, from its corner on."""

    size: Point
    coin: Point | None  # the seat's sign
    name: Point
    score: Point  # where it ends
    hand: Point
    marker: float  # the scale of a marker in the hand
    step: Point  # from one of them to the next
    leader: Point
    figure: float  # the scale of the leader
    coins: Point
    spread: float  # from one token to the next
    tokens: Point  # their number
    hidden: Point  # the number of face-down markers


# Beside a board the panels of two have room to be high, those of more have not.
HIGH = Plan(
    (368, 270), (11, 9), (42, 27), (354, 28), (14, 44), 0.92, (115, 0), (12, 146), 1.0, (76, 152), 6,
    (78, 195), (254.5, 258),
)  # fmt: skip
FLAT = Plan(
    (352, 140), (11, 9), (42, 27), (224, 28), (14, 42), 0.55, (72, 0), (10, 88), 0.68, (58, 87), 7,
    (60, 130), (264, 132),
)  # fmt: skip
# On a tall sheet: of the seat that is near, of the other one of two, and of each of several others.
NEAR = Plan(
    (510, 100), (8, 6), (38, 26), (498, 28), (66, 35), 0.98, (120, 0), (5, 36), 0.98, (242, 6), 0.3,
    (274, 26), (356, 26),
)  # fmt: skip
FAR = Plan(
    (510, 50), (7, 13), (37, 32), (502, 33), (100, 2.5), 0.75, (92, 0), (377, 6), 0.62, (416, 1), 0.1,
    (446, 20), (446, 44),
)  # fmt: skip
WIDER = NEAR._replace(size=(654, 104), score=(642, 30), coins=(300, 7), tokens=(332, 28), hidden=(430, 28))
ASIDE = Plan(
    (140, 246), None, (10, 26), (132, 27), (12, 34), 0.97, (0, 59.5), (4, 212), 0.53, (38, 216), 0.1,
    (64, 237), (113, 237),
)  # fmt: skip


class Places(NamedTuple):
    players: int
    layout: Layout
    turned: bool  # columns run downwards
    plans: tuple[Plan, ...]  # of each seat
    matrices: tuple[Point, ...]  # the corners of each seat's face-down markers
    zoom: float  # their scale
    words: float  # the scale of words
    supply: Point  # where elementals wait to be placed
    queue: float  # from one of them to the next
    notice: Point
    passing: Box  # the button

    @property
    def signs(self) -> float:
        """The scale of signs, which are smaller than names."""
        return 1.17 * self.words if self.layout.fold else 1

    @property
    def extent(self) -> Point:
        """Of the squares."""
        across, down = COLUMNS[self.players] * CELL, ROWS * CELL
        return (down, across) if self.turned else (across, down)

    @property
    def squares(self) -> Point:
        """Their corner."""
        x, y = self.layout.board
        return x + MARGIN, y

    def in_hand(self, seat: int, k: int) -> Box:
        to, (x, y) = self.plans[seat], self.layout.panels[seat]
        width = 2 * CELL * to.marker
        return Box(x + to.hand[0] + k * to.step[0], y + to.hand[1] + k * to.step[1], width, width / 2)

    def unplaced_leader(self, seat: int) -> Box:
        to, (x, y) = self.plans[seat], self.layout.panels[seat]
        side = CELL * to.figure
        return Box(x + to.leader[0], y + to.leader[1], side, side)

    def face_down(self, seat: int, marker: int) -> Box:
        (left, top), (x, y) = self.matrices[seat], among_all(marker)
        side = STEP * self.zoom
        return Box(left + self.zoom * x, top + self.zoom * y, side, side)

    def waiting(self, k: int) -> Point:
        """Where an elemental waits."""
        return self.supply[0] + k * self.queue, self.supply[1]


@functools.cache
def places(players: int, wide: bool, near: int | None = None) -> Places:
    """`near` is the seat at whose side the reader sits."""
    return _wide(players, near) if wide else _tall(players, near or 0)


def others(players: int, near: int) -> list[int]:
    """The other seats, as they follow in turn."""
    return [(near + k) % players for k in range(1, players)]


def _wide(players: int, near: int | None) -> Places:
    """The panel of the seat that is near is the lowest."""
    to = HIGH if players == 2 else FLAT
    board = MARGIN + COLUMNS[players] * CELL + 4, ROWS * CELL + BELOW
    found = arrange(board, players, to.size, wide=True)
    order = range(players) if near is None else [*others(players, near), near]
    panels = tuple(at for _, at in sorted(zip(order, found.panels, strict=True)))
    corner, zoom = ((222, 106), 1.25) if players == 2 else ((238, 7), 1.0)
    matrices = tuple((x + corner[0], y + corner[1]) for x, y in panels)
    (x, y), right = found.board, found.board[0] + MARGIN + COLUMNS[players] * CELL
    below = x + MARGIN, y + ROWS * CELL + 24
    return Places(
        players,
        found._replace(panels=panels),
        False,
        (to,) * players,
        matrices,
        zoom,
        1,
        below,
        CELL + 6,
        (below[0], below[1] + 24),
        Box(right - 90, below[1] + 6, 90, 48),
    )


def _tall(players: int, near: int) -> Places:
    far, own = (FAR, NEAR) if players == 2 else (ASIDE, WIDER)
    top = EDGE + (far.size[1] + SPACE if players == 2 else 0)
    low = top + COLUMNS[players] * CELL + LETTERS + SPACE  # the longer side is upright
    aside = EDGE + MARGIN + ROWS * CELL + SPACE + 2
    corners = [(EDGE, EDGE)] if players == 2 else [(aside, top + k * (far.size[1] + SPACE)) for k in range(players - 1)]
    at = dict(zip(others(players, near), corners, strict=True)) | {near: (EDGE, low)}
    fold, zoom = low + own.size[1] + SPACE, 2.25 if players == 2 else 2.75
    corner, side = fold + 3 * CAPTION, zoom * MATRIX  # there is a notice of two lines above the captions
    order = [near, *others(players, near)]
    ranks = {
        seat: (EDGE + k % 2 * (side + 2 * EDGE), corner + k // 2 * (side + CAPTION)) for k, seat in enumerate(order)
    }
    matrices = tuple(ranks[seat] for seat in range(players))
    width, rows = own.size[0] + 2 * EDGE, -(-players // 2)
    layout = Layout(
        width, corner + rows * (side + CAPTION), (EDGE, top), tuple(at[seat] for seat in range(players)), fold
    )
    plans = tuple(own if seat == near else far for seat in range(players))
    queue, words = (14, 1.04) if players == 2 else (CELL + 4, 1.33)
    right, hand = width - EDGE - 6, low + own.hand[1]
    waiting, passing = (right - CELL - 2 * queue, hand), Box(right - 76 * words, hand + 3, 76 * words, 54)
    notice = EDGE, fold + 24
    return Places(players, layout, players > 2, plans, matrices, zoom, words, waiting, queue, notice, passing)


def square(cell: int, board: Point, turned: bool = False) -> Point:
    column, row = divmod(cell, ROWS)
    across, down = (row, column) if turned else (column, ROWS - 1 - row)
    return board[0] + MARGIN + across * CELL, board[1] + down * CELL


@functools.cache
def fixed_boxes(where: Places) -> dict[str, Box]:
    """The boxes of squares and the button to pass, which never move."""
    board, columns = where.layout.board, COLUMNS[where.players]
    boxes = {NAMES[cell]: Box(*square(cell, board, where.turned)) for cell in range(columns * ROWS)}
    boxes[PASS_TARGET] = where.passing
    return boxes
