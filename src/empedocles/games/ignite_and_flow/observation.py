"""Ignite and Flow for learning programs: what a seat sees as planes of 6 × 6 numbers, and the board's symmetries.

Row 0 of a plane is row 1 of the board, column 0 is column a: the squares are in board order. "Me" is the seat that
looks; which colour it has makes no difference to what can happen from here on, so that no plane tells it.
"""

from __future__ import annotations

import functools

import numpy as np

from empedocles.core.bits import has
from empedocles.core.kernel import Planes, State, kernel
from empedocles.core.planes import TURNS, Grid, fill
from empedocles.game import Options, Plane, Symmetry, View
from empedocles.games.ignite_and_flow.lookups import (
    ACTION_CELL,
    ACTION_SHAPE,
    ACTIONS,
    ACTIONS_WITH,
    CELLS,
    EARTH,
    LITERAL,
    NO_TEMPLE,
    ORTHOGONAL_ONLY,
    SHAPES,
    SIZE,
    STRIDE,
    distance,
    squares_of,
)
from empedocles.games.ignite_and_flow.rules import (
    PATIENCE,
    TEMPLE_CHOICE,
    TEMPLES,
    empty_cells,
    landmasses,
    unused_temples,
)

# ── Planes ───────────────────────────────────────────────────────────────────────────────────────────────────────────

PLANES = (
    # On exactly one of these five every square of the board is 1.
    Plane("fire", "1 where fire is"),
    Plane("water", "1 where water is"),
    Plane("earth", "1 where earth is, with or without a temple"),
    Plane("desert", "1 where desert is"),
    Plane("empty", "1 where nothing is"),
    Plane("my temples", "1 where a temple of mine stands"),
    Plane("their temples", "1 where a temple of the opponent stands"),
    # They follow from the others, but a network of local filters finds it hard to see how land hangs together.
    Plane(
        "my land", "1 on every square of a landmass that carries a temple of mine; it counts unless it is theirs too"
    ),
    Plane("their land", "1 on every square of a landmass that carries a temple of the opponent"),
    # All others have the same number on every square.
    Plane("my temples unused", "how many temples I can still place / 3"),
    Plane("their temples unused", "how many temples the opponent can still place / 3"),
    Plane("my temples taken", "how many temples I have taken from the opponent, worth 4 points each / 3"),
    Plane("their temples taken", "how many temples the opponent has taken from me / 3"),
    Plane("actions without progress", "how many there have been in a row / 40, at which the game ends"),
    Plane("temple choice", "1 when what is due is to place a temple or none, 0 when it is an action"),
    Plane("my turn", "1 when I am to move; 0 when the opponent is, or when the game is over"),
    Plane("game over", "1 when the game is over"),
    # One number for all readings of the rules: planes are frozen, and 0 and 1 were those of `all` and `literal` before
    # there were others.
    Plane(
        "literal reactions",
        "0 with reactions=all, 1/2 with orthogonal, 1 with literal; the other readings, as a number from 0 to 23 / 96, "
        "are added to it, or taken away with literal: 12 for chain=middle, 3, 6 or 9 for flow=bent, split or free, "
        "1 or 2 for scorch=exact or touching",
    ),
)
EMPTY, TEMPLES_OF, LAND_OF, UNUSED, TAKEN, QUIET = 4, 5, 7, 9, 11, 13  # the elements come first; of pairs, mine
CHOICE, TURN, OVER, READINGS = range(14, 18)


@kernel
def observe(s: State, seat: int, planes: Planes) -> None:
    for element in range(4):
        mark(planes, element, s.ground[element])
    mark(planes, EMPTY, empty_cells(s))
    for k in range(2):
        owner = seat if k == 0 else 1 - seat
        mark(planes, TEMPLES_OF + k, s.temples[owner])
        mark(planes, LAND_OF + k, landmasses(s.ground[EARTH], s.temples[owner]))
        fill(planes, UNUSED + k, unused_temples(s, owner) / TEMPLES)
        fill(planes, TAKEN + k, int(s.taken[owner]) / TEMPLES)
    fill(planes, QUIET, int(s.quiet) / PATIENCE)
    fill(planes, CHOICE, 1.0 if s.due == TEMPLE_CHOICE else 0.0)
    fill(planes, TURN, 1.0 if s.mover == seat and not s.over else 0.0)
    fill(planes, OVER, 1.0 if s.over else 0.0)
    fill(planes, READINGS, readings(s))


@kernel
def readings(s: State) -> float:
    others = (12 * int(s.chain) + 3 * int(s.flow) + int(s.scorch)) / 96
    if s.reactions == LITERAL:
        return 1 - others
    return others + (0.5 if s.reactions == ORTHOGONAL_ONLY else 0.0)


@kernel
def mark(planes: Planes, k: int, cells: np.uint64) -> None:
    for row in range(SIZE):
        for column in range(SIZE):
            planes[k, row, column] = 1.0 if has(cells, row * STRIDE + column) else 0.0


# ── Symmetries ───────────────────────────────────────────────────────────────────────────────────────────────────────

# The board is empty at the start and every rule speaks of neighbours alone, orthogonal, diagonal or any: all eight ways
# to lay a square on itself are symmetries, whatever the readings. Only under `reactions=literal` rows and columns
# differ: four ways remain.
# Fire and water are not alike, since one spreads orthogonally and the other diagonally. Seats are alike but for White's
# beginning; nothing is lost by that, since both see the board from their own side.
KEEP_ROWS = 4  # how many of TURNS, the first ones, map rows to rows


def symmetries(options: Options) -> tuple[Symmetry, ...]:
    found = _symmetries()[: KEEP_ROWS if options["reactions"] == "literal" else None]
    used = ACTIONS_WITH[options.get("flow", "straight")]
    return tuple(symmetry._replace(actions=symmetry.actions[:used]) for symmetry in found)


@functools.cache
def _symmetries() -> tuple[Symmetry, ...]:
    grid = np.arange(SIZE * SIZE).reshape(SIZE, SIZE)
    return tuple(symmetry(name, turn(grid).ravel()) for name, turn in TURNS.items())


def symmetry(name: str, origins: Grid) -> Symmetry:
    """The symmetry that brings to each square what was on another one before."""
    return Symmetry(name, origins, np.arange(len(PLANES)), _actions(np.argsort(origins)), (0, 1))


Content = tuple[frozenset[int], ...]  # the squares that an action names, and those that become each element


def _actions(goals: Grid) -> Grid:
    """The image of each action when each square goes to a given one."""
    goal = {cell: CELLS[goals[k]] for k, cell in enumerate(CELLS)}
    numbers = _numbers()
    images = np.arange(ACTIONS)  # NO_TEMPLE stays what it is
    for content, action in numbers.items():
        images[action] = numbers[tuple(frozenset(goal[cell] for cell in part) for part in content)]
    return images


@functools.cache
def _numbers() -> dict[Content, int]:
    return {_content(action): action for action in range(ACTIONS) if action != NO_TEMPLE}


def _content(action: int) -> Content:
    anchor, becomes = int(ACTION_CELL[action]), SHAPES[ACTION_SHAPE[action]].becomes
    changed = (frozenset(anchor + distance(square) for square in becomes.get(element, ())) for element in range(4))
    return frozenset(squares_of(action)), *changed


VIEW = View(PLANES, SIZE, SIZE, observe, symmetries)
