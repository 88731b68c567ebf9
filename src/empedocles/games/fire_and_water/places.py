"""Where everything is in the picture of Fire & Water."""

from __future__ import annotations

import functools
from typing import NamedTuple

from empedocles.games.fire_and_water.artwork import STEP, among_all
from empedocles.games.fire_and_water.lookups import COLUMNS, NAMES, ROWS
from empedocles.games.fire_and_water.moves import PASS_TARGET
from empedocles.render.art import CELL
from empedocles.render.picture import Box, Layout, arrange

MARGIN = 26  # of the board, for coordinates
BELOW = 92  # for column letters, buttons and what concerns all seats

Point = tuple[float, float]


class Plan(NamedTuple):
    """A seat's panel: what is where, from its corner on."""

    size: Point
    score: float  # where it ends
    hand: Point
    marker: float  # the scale of a marker in the hand
    gap: float  # between two of them
    leader: Point
    figure: float  # the scale of the leader
    coins: Point
    coin: float  # from one token to the next
    matrix: Point
    zoom: float  # the scale of the face-down markers


# Beside a board the panels of two have room to be high, those of more have not; below it, it is the other way round.
HIGH = Plan((368, 270), 354, (14, 44), 0.92, 4.6, (12, 146), 1.0, (76, 152), 6, (222, 106), 1.25)
FLAT = Plan((352, 140), 224, (14, 42), 0.55, 6, (10, 88), 0.68, (58, 87), 7, (238, 7), 1)
LONG = Plan((510, 158), 380, (14, 41), 0.95, 12, (12, 107), 0.7, (62, 107), 7, (392, 14), 1)


@functools.cache
def plan(players: int, wide: bool) -> Plan:
    if wide:
        return HIGH if players == 2 else FLAT
    return LONG if players == 2 else HIGH


@functools.cache
def layout(players: int, wide: bool) -> Layout:
    board = MARGIN + COLUMNS[players] * CELL + 4, ROWS * CELL + BELOW
    found = arrange(board, players, plan(players, wide).size, wide)
    if wide or players != 3:
        return found
    *pair, (_, y) = found.panels  # the third is below the middle of the other two
    return found._replace(panels=(*pair, (sum(x for x, _ in pair) / 2, y)))


def square(cell: int, board: Point) -> Point:
    return board[0] + MARGIN + cell // ROWS * CELL, board[1] + (ROWS - 1 - cell % ROWS) * CELL


def supply(k: int, board: Point) -> Point:
    """Where an elemental waits to be placed."""
    return board[0] + MARGIN + k * (CELL + 6), board[1] + ROWS * CELL + 24


@functools.cache
def fixed_boxes(players: int, wide: bool) -> dict[str, Box]:
    """The boxes of squares and buttons, which never move."""
    board, columns = layout(players, wide).board, COLUMNS[players]
    boxes = {NAMES[cell]: Box(*square(cell, board)) for cell in range(columns * ROWS)}
    right, y = board[0] + MARGIN + columns * CELL, board[1] + ROWS * CELL + 30
    boxes[PASS_TARGET] = Box(right - 188, y, 90, 48)
    boxes["confirm"] = Box(right - 90, y, 90, 48)
    return boxes


def in_hand(to: Plan, at: Point, k: int) -> Box:
    width = 2 * CELL * to.marker
    return Box(at[0] + to.hand[0] + k * (width + to.gap), at[1] + to.hand[1], width, width / 2)


def unplaced_leader(to: Plan, at: Point) -> Box:
    side = CELL * to.figure
    return Box(at[0] + to.leader[0], at[1] + to.leader[1], side, side)


def face_down(to: Plan, at: Point, marker: int) -> Box:
    x, y = among_all(marker)
    side = STEP * to.zoom
    return Box(at[0] + to.matrix[0] + to.zoom * x, at[1] + to.matrix[1] + to.zoom * y, side, side)
