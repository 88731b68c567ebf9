"""Points of Power for learning programs: what a seat sees as planes of 11 × 11 numbers, and the symmetries of a board.

Row 0 of a plane is row 1 of the board, column 0 is column a. The material plane, one square to the rules, has the 3 × 3
cells that it has in the drawing, and a piece on it is on all nine of them: so cells that touch are squares that touch.

Planes for elements come in fours: my own element first, then its prey, its partner and its hunter. Each of them
captures the next, and the hunter my own. With two players my own is Fire for player 0 and Air for player 1, and the
partner, Earth or Water, is mine too.
"""

from __future__ import annotations

import itertools

import numpy as np

from empedocles.core.bits import first, rest
from empedocles.core.kernel import Planes, State, kernel
from empedocles.core.planes import TURNS, Grid, fill
from empedocles.game import Options, Plane, Symmetry, View
from empedocles.games.points_of_power.lookups import CAPTURE, CELLS, FROM, MP, SIZE, TO
from empedocles.games.points_of_power.rules import NOBODY, PATIENCE

# ── Planes ───────────────────────────────────────────────────────────────────────────────────────────────────────────

ELEMENTS = ("my own", "prey", "partner", "hunter")

PLANES = (
    *(Plane(f"pieces: {element}", "1 where a piece of this element stands") for element in ELEMENTS),
    *(Plane(f"plane: {element}", "1 on the elemental plane of this element") for element in ELEMENTS),
    Plane("points of power", "1 on the points of power"),
    Plane("material plane", "1 on the nine cells of the material plane"),
    # All others have the same number on every square.
    *(Plane(f"moved: {element}", "1 when the element has had its move of the opening") for element in ELEMENTS),
    *(Plane(f"turn: {element}", "1 when the player to move has this element") for element in ELEMENTS),
    Plane("four players", "1 with four players, 0 with two"),
    Plane("turns without a capture", "how many there have been in a row / 200, at which the game is a draw"),
    Plane("won", "1 when the game is over and my side has won"),
    Plane("lost", "1 when the game is over and my side has lost"),
    Plane("draw", "1 when the game is over and nobody has won"),
)
PIECES, HOMES, POINTS, MATERIAL, MOVED, TURN, FOUR, QUIET, WON, LOST, DRAW = (0, 4, 8, 9, 10, 14, *range(18, 23))


@kernel
def observe(s: State, seat: int, planes: Planes) -> None:
    for k in range(4):
        observe_element(s, (seat + k) % 4, planes, k)
    mark(planes, POINTS, s.points[0], s.points[1])
    fill(planes, MATERIAL, 0.0)
    mark_block(planes, MATERIAL, int(s.mp))
    fill(planes, FOUR, 1.0 if s.seats == 4 else 0.0)
    fill(planes, QUIET, int(s.quiet) / PATIENCE)
    winner = int(s.winner)
    fill(planes, WON, 1.0 if winner == seat % 2 else 0.0)
    fill(planes, LOST, 1.0 if winner == 1 - seat % 2 else 0.0)
    fill(planes, DRAW, 1.0 if s.over and winner == NOBODY else 0.0)


@kernel
def observe_element(s: State, e: int, planes: Planes, k: int) -> None:
    mark(planes, PIECES + k, s.pieces[e, 0], s.pieces[e, 1])
    mp = int(s.mp)
    if planes[PIECES + k, mp // SIZE, mp % SIZE]:
        mark_block(planes, PIECES + k, mp)
    mark(planes, HOMES + k, s.plane[e, 0], s.plane[e, 1])
    fill(planes, MOVED + k, 1.0 if int(s.moved) >> e & 1 else 0.0)
    fill(planes, TURN + k, 1.0 if e % int(s.seats) == s.mover and not s.over else 0.0)


@kernel
def mark(planes: Planes, plane: int, low: np.uint64, high: np.uint64) -> None:
    """A plane that is 1 on a set of cells."""
    fill(planes, plane, 0.0)
    for word in range(2):
        cells = low if word == 0 else high
        while cells:
            cell = 64 * word + first(cells)
            planes[plane, cell // SIZE, cell % SIZE] = 1.0
            cells = rest(cells)


@kernel
def mark_block(planes: Planes, plane: int, middle: int) -> None:
    for row in range(middle // SIZE - 1, middle // SIZE + 2):
        for column in range(middle % SIZE - 1, middle % SIZE + 2):
            planes[plane, row, column] = 1.0


# ── Symmetries ───────────────────────────────────────────────────────────────────────────────────────────────────────
#
# The rules speak of squares that touch, and of what a square is. So a way to lay the board on itself is a symmetry if
# it brings points of power onto such, the material plane onto itself, and planes onto planes of elements that may stand
# for them. Captures go round the ring of elements, which therefore cannot be mirrored, but turned: by one step or
# three, the sides change roles, but player 0 begins; by two, partners are exchanged. With two players they are of one
# hand, and nothing prefers one to the other; with four they have their turns, of which player 0's comes first. So on
# the board `cross` half a turn that exchanges partners is all there is, and with four players nothing.

GRID = np.arange(CELLS).reshape(SIZE, SIZE)
NUMBER = {(int(FROM[a]), int(TO[a]), a >= CAPTURE): a for a in range(len(FROM))}


def symmetries(options: Options) -> tuple[Symmetry, ...]:
    from empedocles.games.points_of_power.text import LETTERS, fit_board  # here: no kernel depends on it

    drawing, players = fit_board(options["board"]), options["players"]
    exchanged = drawing.translate(str.maketrans(LETTERS, LETTERS[2:] + LETTERS[:2]))
    ways = itertools.product((False, True) if players == 2 else (False,), TURNS)
    return tuple(
        symmetry(name, players, partners)
        for partners, name in ways
        if _turned(exchanged if partners else drawing, name) == drawing
    )


def _turned(drawing: str, name: str) -> str:
    """A drawing of the board, laid on itself in one of TURNS."""
    return "".join(drawing[cell] for cell in TURNS[name](GRID).flat)


def symmetry(name: str, players: int, partners: bool) -> Symmetry:
    """One of TURNS, with partners exchanged or not."""
    origins = TURNS[name](GRID).ravel()
    return Symmetry(
        f"{name}, partners exchanged" if partners else name,
        origins,
        _planes(partners and players == 2),
        _actions(np.argsort(origins)),
        tuple((seat + 2 * partners) % players for seat in range(players)),
    )


def _planes(partners: bool) -> Grid:
    planes = np.arange(len(PLANES))
    if partners:
        for base in (PIECES, HOMES, MOVED, TURN):
            planes[base : base + 4] = np.roll(planes[base : base + 4], 2)
    return planes


def _actions(goals: Grid) -> Grid:
    """The image of each action when cells go to these."""
    ends = [*goals.tolist(), MP]
    return np.array([NUMBER[ends[start], ends[end], capture] for start, end, capture in NUMBER])


VIEW = View(PLANES, SIZE, SIZE, observe, symmetries)
