"""Where everything lies in a picture of Elemental Defenders, on a wide sheet and on a tall one.

The hand and the panel of the seat that is near are at the bottom; what has a panel's corner as its origin says so.
"""

from __future__ import annotations

import functools
from typing import NamedTuple

from empedocles.games.elemental_defenders.cards import CHIP, HEIGHT, MICRO, MINI, WIDTH
from empedocles.games.elemental_defenders.lookups import CARDS, HAND, element, level
from empedocles.games.elemental_defenders.moves import DECLARE, DECLINE
from empedocles.render.picture import GAP, Box, Layout

Point = tuple[float, float]
CLEFT = 6  # between cards
RAISED = 7
EDGE = 6  # of a tall sheet, which has no room to lose
LOWER = 9  # from one row of a hand to the next: room for a card that is raised


class Panel(NamedTuple):
    """A seat's plate; places are from its corner."""

    width: float
    height: float
    sign: Point
    title: Point
    player: Point  # who sits there
    rounds: tuple[Point, Point]
    total: Point
    mediator: Box
    caption: Point


class Places(NamedTuple):
    layout: Layout
    near: int  # the seat whose hand is at the bottom
    hands: tuple[tuple[Box, ...], tuple[Box, ...]]  # of each seat
    panel: Panel
    words: Point  # the middle of the first of two lines
    caption: Point  # the middle of the words over the overview
    led: Box
    exchange: tuple[Box, Box]  # of an attack and of its answer
    sign: tuple[float, float, float]  # the middle of a roundel, and its radius
    overview: tuple[Box, ...]  # of each card
    buttons: dict[str, Box]

    def in_hand(self, seat: int, number: int, raised: bool) -> Box:
        """One that can answer comes a little nearer to the middle."""
        box = self.hands[seat][number]
        return box._replace(y=box.y + (-RAISED if seat == self.near else RAISED)) if raised else box

    def mediator(self, seat: int) -> Box:
        (x, y), box = self.layout.panels[seat], self.panel.mediator
        return Box(x + box.x, y + box.y, box.width, box.height)


@functools.cache
def places(wide: bool, near: int = 0) -> Places:
    """`near` is the seat at whose side the reader sits."""
    found = _wide() if wide else _tall()
    if near == 0:
        return found
    layout = found.layout._replace(panels=found.layout.panels[::-1])
    return found._replace(layout=layout, near=near, hands=found.hands[::-1])


def _rows(corner: Point, columns: int, size: Point, gaps: Point) -> tuple[Box, ...]:
    (x, y), (across, down), (right, below) = corner, size, gaps
    at = ((k % columns * (across + right), k // columns * (down + below)) for k in range(HAND))
    return tuple(Box(x + left, y + top, *size) for left, top in at)


def _overview(x: float, y: float, size: Point, gap: float) -> tuple[Box, ...]:
    """An element is a row, a level a column."""
    across, down = size[0] + gap, size[1] + gap
    return tuple(Box(x + level(card) * across, y + element(card) * down, *size) for card in range(CARDS))


def _around(x: float, y: float, scale: float) -> Box:
    return Box(x - scale * WIDTH / 2, y - scale * HEIGHT / 2, scale * WIDTH, scale * HEIGHT)


def _wide() -> Places:
    """A hand is one row; the middle has the panels, the led card and the overview of all cards side by side."""
    scale, low = 2 / 3, 385
    size = scale * WIDTH, scale * HEIGHT
    width = HAND * (size[0] + CLEFT) - CLEFT
    rounds = (14, 73), (14, 91)
    panel = Panel(230, 103, (11, 9), (50, 26), (50, 43), rounds, (146, 90), Box(164, 10, 54, 75.4), (191, 97))
    low_hand, high_hand = (_rows((GAP, y), HAND, size, (CLEFT, 0)) for y in (low, GAP))
    return Places(
        Layout(width + 2 * GAP, low + size[1] + GAP, (GAP, GAP), ((GAP, 267), (GAP, 149))),
        0,
        (low_hand, high_hand),
        panel,
        (482, 163),
        (814, 145),
        _around(482, 278, scale),
        (_around(482, 278, scale), _around(568, 278, scale)),
        (340, 272, 36),
        _overview(722, 168, MINI, 4),
        {name: Box(616, 216 + 44 * k, 100, 38) for k, name in enumerate((DECLINE, DECLARE))},
    )


def _tall() -> Places:
    """The near hand is two rows of cards, the far one a row of small ones, so that a phone shows all of it at once."""
    width, scale = 348, 66 / WIDTH
    size = scale * WIDTH, scale * HEIGHT
    panel = Panel(
        width, 40, (6, 5), (42, 17), (42, 17), ((42, 33), (117, 33)), (338, 28), Box(262, 10, *MICRO), (221, 25)
    )
    low = _rows((EDGE, 274), 5, size, (4.5, LOWER))
    led = Box(EDGE, 171 - size[1] / 2, *size)
    return Places(
        Layout(width + 2 * EDGE, 274 + 2 * size[1] + LOWER + EDGE, (EDGE, EDGE), ((EDGE, 222), (EDGE, EDGE))),
        0,
        (low, _rows((EDGE, 50), HAND, MINI, (0.9, 0))),
        panel,
        (EDGE + width / 2, 94),
        (302, 128),
        led,
        (led, led._replace(x=led.x + led.width + 1.5)),
        (186, 144, 20),
        _overview(250, 151, CHIP, 1),
        {DECLINE: Box(14, 186, 192, 34), DECLARE: Box(141, 186, 92, 34)},
    )
