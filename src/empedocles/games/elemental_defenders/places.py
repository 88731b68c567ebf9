"""Where everything lies in a picture of Elemental Defenders, on a wide sheet and on a tall one.

The first of two things is Dawn's, whose hand is at the bottom; what has a panel's corner as its origin says so.
"""

from __future__ import annotations

import functools
from typing import NamedTuple

from empedocles.games.elemental_defenders.cards import HEIGHT, MINI, WIDTH
from empedocles.games.elemental_defenders.lookups import CARDS, HAND, element, level
from empedocles.games.elemental_defenders.moves import DECLARE, DECLINE
from empedocles.render.picture import GAP, Box, Layout

Point = tuple[float, float]
CLEFT = 6  # between cards
STEP = MINI[0] + 4, MINI[1] + 4  # in the overview of all cards
RAISED = 7


class Panel(NamedTuple):
    """A seat's plate; places are from its corner."""

    width: float
    height: float
    title: Point
    player: Point  # who sits there
    rounds: tuple[Point, Point]
    total: Point
    mediator: Box
    caption: Point


class Places(NamedTuple):
    layout: Layout
    scale: float  # of cards in hand
    hands: tuple[tuple[Point, ...], tuple[Point, ...]]
    panel: Panel
    words: Point  # the middle of the first of two lines
    led: Box
    exchange: tuple[Box, Box]  # of an attack and of its answer
    sign: tuple[float, float, float]  # the middle of a roundel, and its radius
    overview: Point
    overview_boxes: tuple[Box, ...]  # of each card
    buttons: dict[str, Box]

    def card(self, at: Point) -> Box:
        return Box(*at, self.scale * WIDTH, self.scale * HEIGHT)

    def in_hand(self, seat: int, number: int, raised: bool) -> Box:
        """One that can answer comes a little nearer to the middle."""
        x, y = self.hands[seat][number]
        return self.card((x, y + (0 if not raised else RAISED if seat else -RAISED)))

    def mediator(self, seat: int) -> Box:
        (x, y), box = self.layout.panels[seat], self.panel.mediator
        return Box(x + box.x, y + box.y, box.width, box.height)


@functools.cache
def places(wide: bool) -> Places:
    return _wide() if wide else _tall()


def _rows(y: float, columns: int, scale: float, gap: float) -> tuple[Point, ...]:
    across, down = scale * WIDTH + CLEFT, scale * HEIGHT + gap
    return tuple((GAP + k % columns * across, y + k // columns * down) for k in range(HAND))


def _overview(x: float, y: float) -> tuple[Box, ...]:
    """An element is a row, a level a column."""
    return tuple(Box(x + level(card) * STEP[0], y + 18 + element(card) * STEP[1], *MINI) for card in range(CARDS))


def _around(x: float, y: float, scale: float) -> Box:
    return Box(x - scale * WIDTH / 2, y - scale * HEIGHT / 2, scale * WIDTH, scale * HEIGHT)


def _wide() -> Places:
    """A hand is one row; the middle has the panels, the led card and the overview of all cards side by side."""
    scale, low = 2 / 3, 385
    width = HAND * (scale * WIDTH + CLEFT) - CLEFT
    rounds = (14, 73), (14, 91)
    panel = Panel(230, 103, (50, 26), (50, 43), rounds, (146, 90), Box(164, 10, 54, 75.4), (191, 97))
    return Places(
        Layout(width + 2 * GAP, low + HEIGHT * scale + GAP, (GAP, GAP), ((GAP, 267), (GAP, 149))),
        scale,
        (_rows(low, HAND, scale, 0), _rows(GAP, HAND, scale, 0)),
        panel,
        (482, 163),
        _around(482, 278, scale),
        (_around(458, 271, scale), _around(506, 285, scale)),
        (340, 272, 36),
        (722, 150),
        _overview(722, 150),
        {name: Box(580, 216 + 44 * k, 128, 38) for k, name in enumerate((DECLINE, DECLARE, "confirm"))},
    )


def _tall() -> Places:
    """A hand is two rows; its panel is on the side of the middle."""
    scale, low, row = 76 / WIDTH, 634, 10
    width = 5 * (scale * WIDTH + CLEFT) - CLEFT
    panel = Panel(width, 54, (50, 23), (50, 23), ((50, 43), (138, 43)), (390, 36), Box(292, 4, *MINI), (248, 32))
    buttons = {DECLINE: Box(GAP, 473, 206, 40), DECLARE: Box(GAP, 519, 118, 40), "confirm": Box(138, 519, 82, 40)}
    return Places(
        Layout(width + 2 * GAP, low + 2 * HEIGHT * scale + row + GAP, (GAP, GAP), ((GAP, 568), (GAP, 248))),
        scale,
        (_rows(low, 5, scale, row), _rows(GAP, 5, scale, row)),
        panel,
        (GAP + width / 2, 320),
        _around(136, 409, scale),
        (_around(126, 405, scale), _around(173, 413, scale)),
        (51, 402, 26),
        (232, 347),
        _overview(232, 347),
        buttons,
    )
