"""Fire & Water for learning programs: what a seat sees as planes of 8 × 12 numbers, and the symmetries of a board.

Row 0 of a plane is row 1 of the board, column 0 is column a; the board of two players fills the columns 0–7, and both
its ground planes are 0 on the others. Planes are in blocks: five about the board, then 25 about each player, first me,
who looks, then the others in turn order after me. Blocks of players whom the match does not have are 0, so with two
players the first 55 planes have everything.

Which marker a half belonged to, and what lies under a token, is told by no plane: no rule ever asks.
"""

from __future__ import annotations

import numpy as np

from empedocles.core.bits import first, has, rest
from empedocles.core.kernel import CHANCE, Planes, State, kernel
from empedocles.core.planes import TURNS, Grid, fill
from empedocles.game import Options, Plane, Symmetry, View
from empedocles.games.fire_and_water.lookups import (
    ACTIONS,
    BOARD,
    CELLS,
    CLAIM,
    COLUMNS,
    ELEMENTAL,
    HALF_CELL,
    LEADER,
    MARKER,
    MARKERS,
    NO_HALF,
    PLACES,
    REVEAL,
    ROWS,
    SEATS,
    SUPPLY,
    TOKEN,
    VALUES,
)
from empedocles.games.fire_and_water.rules import CLAIMS_TOO, NO_CELL, winner

# ── Planes ───────────────────────────────────────────────────────────────────────────────────────────────────────────

_BOARD_PLANES = (
    Plane("fire squares", "1 on the fire squares of the board"),
    Plane("water squares", "1 on the water squares of the board"),
    Plane("empty squares", "1 on squares of the board with nothing on them"),
    Plane("elementals", "1 where an elemental stands, claimed (a token is there too) or not"),
    Plane("reveal due", "1 everywhere when a chance move is due: a marker of the player with the turn is revealed"),
)
GROUND, EMPTY, ELEMENTALS, REVEAL_DUE = 0, 2, 3, 4

HELD = "1 when the player has revealed this marker and not yet laid it, 1/2 when it is face-down, else 0"
PLAYERS = ("me", "next player", "second next player", "third next player")
_PLAYER_PLANES = (
    Plane("fire halves", "value / 4 where a fire half of a marker lies that no token covers"),
    Plane("water halves", "value / 4 where a water half of a marker lies that no token covers"),
    Plane("leader", "1 where the leader stands; conquered if a token is there too"),
    Plane("tokens", "1 where the player has placed one token, or two on an elemental or a conquered leader"),
    # All others have the same number on every square.
    Plane("tokens left", "how many the player has still to place / 20, with four players / 15: at 0 the game is won"),
    Plane("in the match", "1: the match has this player"),
    Plane("turn", "1 when the player is to move, or a marker of theirs is to be revealed; 0 when the game is over"),
    # Else it is 0, which has room for an option that is about last turns.
    Plane("last regular turn", "1 when the player made it, else 0, or 1/2 where last turns allow claims (finale)"),
    Plane("won", "1 when the game is over and the player has won"),
    *(Plane(name, HELD) for name in MARKERS),
)
HALVES, LEADER_ON, TOKENS, LEFT, PRESENT, TURN, LAST, WON, HAND = (0, *range(2, 10))
BLOCK, FIRST_BLOCK = len(_PLAYER_PLANES), len(_BOARD_PLANES)

PLANES = (
    *_BOARD_PLANES,
    *(Plane(f"{player}: {plane.name}", plane.meaning) for player in PLAYERS for plane in _PLAYER_PLANES),
)


@kernel
def observe(s: State, seat: int, planes: Planes) -> None:
    observe_board(s, planes)
    for k in range(SEATS):
        base = FIRST_BLOCK + BLOCK * k
        if k < s.seats:
            observe_player(s, (seat + k) % int(s.seats), planes, base)
        else:
            planes[base : base + BLOCK] = 0.0
    observe_halves(s, seat, planes)


@kernel
def observe_board(s: State, planes: Planes) -> None:
    low, high = BOARD[s.seats, 0], BOARD[s.seats, 1]
    mark(planes, GROUND, s.fire[0], s.fire[1])
    mark(planes, GROUND + 1, low & ~s.fire[0], high & ~s.fire[1])
    mark(planes, EMPTY, s.empty[0], s.empty[1])
    mark(planes, ELEMENTALS, s.elementals[0], s.elementals[1])
    fill(planes, REVEAL_DUE, 1.0 if s.mover == CHANCE else 0.0)


@kernel
def observe_player(s: State, seat: int, planes: Planes, base: int) -> None:
    """The block of a player, but for the halves of markers, which come later."""
    fill(planes, base + HALVES, 0.0)
    fill(planes, base + HALVES + 1, 0.0)
    fill(planes, base + LEADER_ON, 0.0)
    cell = int(s.leader[seat])
    if cell != NO_CELL:
        planes[base + LEADER_ON, cell % ROWS, cell // ROWS] = 1.0
    mark(planes, base + TOKENS, s.tokens[seat, 0], s.tokens[seat, 1])
    fill(planes, base + LEFT, 1.0 - int(s.placed[seat]) / SUPPLY[s.seats])
    fill(planes, base + PRESENT, 1.0)
    fill(planes, base + TURN, 1.0 if s.turn == seat and not s.over else 0.0)
    fill(planes, base + LAST, 1.0 if s.last == seat else 0.5 if s.finale == CLAIMS_TOO else 0.0)
    fill(planes, base + WON, 1.0 if s.over and winner(s) == seat else 0.0)
    hidden, revealed = np.uint64(s.hidden[seat]), np.uint64(s.revealed[seat])
    for marker in range(len(MARKERS)):
        value = 1.0 if has(revealed, marker) else 0.5 if has(hidden, marker) else 0.0
        fill(planes, base + HAND + marker, value)


@kernel
def observe_halves(s: State, seat: int, planes: Planes) -> None:
    seats = int(s.seats)
    for cell in range(CELLS):
        half = int(s.half[cell])
        if half != NO_HALF:
            owner, element, value = (half - 1) // 8, (half - 1) // 4 % 2, (half - 1) % 4 + 1
            plane = FIRST_BLOCK + BLOCK * ((owner - seat) % seats) + HALVES + element
            planes[plane, cell % ROWS, cell // ROWS] = value / len(VALUES)


@kernel
def mark(planes: Planes, plane: int, low: np.uint64, high: np.uint64) -> None:
    """A plane that is 1 on a set of cells."""
    fill(planes, plane, 0.0)
    for word in range(2):
        cells = low if word == 0 else high
        while cells:
            cell = 64 * word + first(cells)
            planes[plane, cell % ROWS, cell // ROWS] = 1.0
            cells = rest(cells)


# ── Symmetries ───────────────────────────────────────────────────────────────────────────────────────────────────────
#
# Every rule speaks of neighbours, edges and corners alone, so that a way to lay the board on itself is a symmetry if it
# brings fire squares onto fire squares. One that brings them onto water squares is a symmetry too if all fire becomes
# water and all water fire: the rules treat them alike, and with each marker a player has the one with its values
# exchanged (FW-3). On chessboards, inverted around the centre or not, all ways are one or the other. Values cannot be
# exchanged, since influence is their sum; nor can seats, since the match begins with Red and goes on in order.

FRAME = np.arange(CELLS).reshape(ROWS, COLUMNS[SEATS])  # squares as planes count them
SQUARE = FRAME.T.ravel()  # [cell]: the same cells in the order of lookups.py
CELL = np.argsort(SQUARE)
TWINS = np.arange(len(MARKERS)).reshape(len(VALUES), len(VALUES)).T.ravel()  # markers with their values exchanged


def symmetries(options: Options) -> tuple[Symmetry, ...]:
    from empedocles.games.fire_and_water.text import contains, fire_squares  # here: no kernel depends on it

    players = int(options["players"])
    fire = fire_squares(players, options["board"])
    board = FRAME[:, : COLUMNS[players]]
    is_fire = np.array([contains(fire, cell) for cell in CELL.tolist()])
    found = []
    for name, turn in TURNS.items():
        if turn(board).shape == board.shape:
            kept = is_fire[turn(board)] == is_fire[board]
            if kept.all() or not kept.any():
                found.append(symmetry(name, players, exchanged=not kept.any()))
    return tuple(found)


def symmetry(name: str, players: int, exchanged: bool) -> Symmetry:
    """One of TURNS on the board for `players`, with fire and water exchanged or not."""
    origins, columns = FRAME.copy(), COLUMNS[players]
    origins[:, :columns] = TURNS[name](FRAME[:, :columns])
    goals = CELL[np.argsort(origins.ravel())[SQUARE]]
    return Symmetry(
        f"{name}, fire and water exchanged" if exchanged else name,
        origins.ravel(),
        _planes(exchanged),
        _actions(goals, columns * ROWS, exchanged),
        tuple(range(players)),
    )


def _planes(exchanged: bool) -> Grid:
    planes = np.arange(len(PLANES))
    if exchanged:
        planes[[GROUND, GROUND + 1]] = GROUND + 1, GROUND
        for base in range(FIRST_BLOCK, len(PLANES), BLOCK):
            planes[[base + HALVES, base + HALVES + 1]] = base + HALVES + 1, base + HALVES
            planes[base + HAND : base + BLOCK] = base + HAND + TWINS
    return planes


def _actions(goals: Grid, cells: int, exchanged: bool) -> Grid:
    """The image of each action when cells go to these; actions that name a square that the board lacks stay."""
    images = np.arange(ACTIONS)
    for kind in (ELEMENTAL, LEADER, TOKEN, CLAIM):
        images[kind : kind + CELLS] = kind + goals
    markers = TWINS if exchanged else np.arange(len(MARKERS))
    images[REVEAL:MARKER] = REVEAL + markers
    halves = goals[HALF_CELL[::-1] if exchanged else HALF_CELL]
    number = {tuple(both): place for place, both in enumerate(HALF_CELL.T.tolist())}
    on_board = np.flatnonzero(HALF_CELL.max(axis=0) < cells)
    places = np.array([number[tuple(both)] for both in halves.T[on_board].tolist()])
    laid = images[MARKER:LEADER].reshape(len(MARKERS), PLACES)
    laid[:, on_board] = MARKER + PLACES * markers[:, None] + places
    return images


VIEW = View(PLANES, ROWS, COLUMNS[SEATS], observe, symmetries)
