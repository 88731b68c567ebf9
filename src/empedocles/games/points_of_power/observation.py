"""Points of Power for learning programs: what a seat sees as planes of 11 × 11 numbers, and the symmetries of a board.

Row 0 of a plane is row 1 of the board, column 0 is column a. The material plane, one square to the rules, has all the
cells that it has in the drawing, and a piece on it is on every one of them: so cells that touch are squares that touch.

Planes for elements come in fours: my own element first, then its prey, its partner and its hunter. Each of them
captures the next, and the hunter my own. With two players my own is Fire or Air, and the partner, Earth or Water, is
mine too.
"""

from __future__ import annotations

import itertools

import numpy as np

from empedocles.core.bits import first, rest, two_words
from empedocles.core.kernel import Planes, State, kernel
from empedocles.core.planes import TURNS, Grid, fill
from empedocles.game import Options, Plane, Symmetry, View
from empedocles.games.points_of_power.lookups import CAPTURE, CELLS, FROM, MP, PASS, SIZE, TO
from empedocles.games.points_of_power.rules import NOBODY, PATIENCE, may_pass

# ── Planes ───────────────────────────────────────────────────────────────────────────────────────────────────────────

ELEMENTS = ("my own", "prey", "partner", "hunter")

PLANES = (
    *(Plane(f"pieces: {element}", "1 where a piece of this element stands") for element in ELEMENTS),
    *(Plane(f"plane: {element}", "1 on the elemental plane of this element") for element in ELEMENTS),
    Plane("points of power", "1 on the points of power"),
    Plane("material plane", "1 on the cells of the material plane, 0.5 where the board has no square"),
    # All others have the same number on every square.
    *(Plane(f"moved: {element}", "1 when the element has had its move of the opening") for element in ELEMENTS),
    *(Plane(f"turn: {element}", "1 when the player to move has this element") for element in ELEMENTS),
    Plane("four players", "1 with four players, 0.5 if they pass when they have no move (PP-18), 0 with two"),
    Plane("turns without a capture", "how many there have been in a row / 200, at which the game is a draw"),
    Plane("won", "1 when the game is over and my side has won"),
    Plane("lost", "1 when the game is over and my side has lost"),
    Plane("draw", "1 when the game is over and nobody has won"),
)
ALL = two_words(range(CELLS))
PIECES, HOMES, POINTS, MATERIAL, MOVED, TURN, FOUR, QUIET, WON, LOST, DRAW = (0, 4, 8, 9, 10, 14, *range(18, 23))


@kernel
def observe(s: State, seat: int, planes: Planes) -> None:
    for k in range(4):
        observe_element(s, (seat + k) % 4, planes, k)
    mark(planes, POINTS, s.points[0], s.points[1], 1.0)
    mark(planes, MATERIAL, ALL[0] & ~s.squares[0], ALL[1] & ~s.squares[1], 0.5)
    mark_block(s, planes, MATERIAL)
    fill(planes, FOUR, 0.5 if may_pass(s) else 1.0 if s.seats == 4 else 0.0)
    fill(planes, QUIET, int(s.quiet) / PATIENCE)
    winner = int(s.winner)
    fill(planes, WON, 1.0 if winner == seat % 2 else 0.0)
    fill(planes, LOST, 1.0 if winner == 1 - seat % 2 else 0.0)
    fill(planes, DRAW, 1.0 if s.over and winner == NOBODY else 0.0)


@kernel
def observe_element(s: State, e: int, planes: Planes, k: int) -> None:
    mark(planes, PIECES + k, s.pieces[e, 0], s.pieces[e, 1], 1.0)
    mp = int(s.mp)
    if planes[PIECES + k, mp // SIZE, mp % SIZE]:
        mark_block(s, planes, PIECES + k)
    mark(planes, HOMES + k, s.plane[e, 0], s.plane[e, 1], 1.0)
    fill(planes, MOVED + k, 1.0 if int(s.moved) >> e & 1 else 0.0)
    fill(planes, TURN + k, 1.0 if e % int(s.seats) == s.mover and not s.over else 0.0)


@kernel
def mark(planes: Planes, plane: int, low: np.uint64, high: np.uint64, value: float) -> None:
    """A plane that has this value on a set of cells, and 0 elsewhere."""
    fill(planes, plane, 0.0)
    for word in range(2):
        cells = low if word == 0 else high
        while cells:
            cell = 64 * word + first(cells)
            planes[plane, cell // SIZE, cell % SIZE] = value
            cells = rest(cells)


@kernel
def mark_block(s: State, planes: Planes, plane: int) -> None:
    """The cells of the material plane."""
    bottom, start = int(s.mp) // SIZE - int(s.high) // 2, int(s.mp) % SIZE - int(s.wide) // 2
    for row in range(bottom, bottom + int(s.high)):
        for column in range(start, start + int(s.wide)):
            planes[plane, row, column] = 1.0


# ── Symmetries ───────────────────────────────────────────────────────────────────────────────────────────────────────
#
# The rules speak of squares that touch, and of what a square is. So a way to lay the board on itself is a symmetry if
# it brings points of power onto such, the material plane onto itself, and planes onto planes of elements that may stand
# for them. Captures go round the ring of elements, which therefore cannot be mirrored, but turned: by one step or
# three, the sides change roles, but Fire's side begins; by two, partners are exchanged. With two players they are of
# one hand, and nothing prefers one to the other; with four they have their turns, of which Fire's comes first. So on
# the boards `cross` and `wheel` half a turn that exchanges partners is all there is, and with four players nothing.

GRID = np.arange(CELLS).reshape(SIZE, SIZE)
NUMBER = {(int(FROM[a]), int(TO[a]), a >= CAPTURE): a for a in range(PASS)}


def symmetries(options: Options) -> tuple[Symmetry, ...]:
    from empedocles.games.points_of_power.board import LETTERS, extent, fit_board  # here: no kernel depends on it

    drawing = fit_board(options["board"])
    exchanged = drawing.translate(str.maketrans(LETTERS, LETTERS[2:] + LETTERS[:2]))
    columns, rows = extent(drawing)
    board = GRID[:rows, :columns]
    turns = [name for name in TURNS if TURNS[name](board).shape == board.shape]
    ways = itertools.product((False, True) if options["players"] == 2 else (False,), turns)
    found = ((symmetry(name, board, options, partners), exchanged if partners else drawing) for partners, name in ways)
    return tuple(way for way, before in found if "".join(before[cell] for cell in way.cells) == drawing)


def symmetry(name: str, board: Grid, options: Options, partners: bool) -> Symmetry:
    """A board's cells in one of TURNS, outside of which nothing moves, with partners exchanged or not."""
    from empedocles.games.points_of_power.board import used_actions

    players, origins = options["players"], GRID.copy()
    origins[: board.shape[0], : board.shape[1]] = TURNS[name](board)
    return Symmetry(
        f"{name}, partners exchanged" if partners else name,
        origins.ravel(),
        _planes(partners and players == 2),
        _actions(np.argsort(origins.ravel()))[: used_actions(options)],
        tuple((seat + 2 * partners) % players for seat in range(players)),
    )


def _planes(partners: bool) -> Grid:
    planes = np.arange(len(PLANES))
    if partners:
        for base in (PIECES, HOMES, MOVED, TURN):
            planes[base : base + 4] = np.roll(planes[base : base + 4], 2)
    return planes


def _actions(goals: Grid) -> Grid:
    """The image of each action when cells go to these. Moves across the edge of a smaller board have none and stay."""
    ends = [*goals.tolist(), MP]
    images = (NUMBER.get((ends[start], ends[end], capture), a) for (start, end, capture), a in NUMBER.items())
    return np.array([*images, PASS])


VIEW = View(PLANES, SIZE, SIZE, observe, symmetries)
