"""Boards of Points of Power: what a drawing must have (PP-1 to PP-5), and what the rules need to know of it.

A drawing is a letter for each cell, in the order of cells; outside of a smaller board it has ABSENT ones.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import NamedTuple

import numpy as np

from empedocles.boards import check_letters, check_size, find_board, unfit
from empedocles.core.bits import NONE, members, stir, two_words
from empedocles.core.kernel import State, Words
from empedocles.game import Options
from empedocles.games.points_of_power.lookups import CELLS, NAMES, PASS, SIZE, Cells, ring
from empedocles.games.points_of_power.rules import PIECES, STATE, can_move, may_pass, new, points
from empedocles.language import Term
from empedocles.language import mark as _

BOARDS = {name: Path(__file__).parent / "boards" / f"{name}.txt" for name in (_("cross"), _("wheel"))}
ABSENT, VOID, POINT, MATERIAL = "-.*m"
LETTERS = "FAEW"  # of planes and pieces
ELEMENTS = (_("Fire"), _("Air"), _("Earth"), _("Water"))
SEATS = {2: (_("Fire and Earth"), _("Air and Water")), 4: ELEMENTS}
SUBJECTS = {2: (_("the side of Fire and Earth"), _("the side of Air and Water")), 4: ELEMENTS}
SMALLEST = 5  # squares of a side
MOST_POINTS = 16  # a side has 18 pieces, and each of its elements needs one elsewhere
LARGEST_BLOCK = 3  # cells of the material plane in a row or a column: it touches at most 16 squares


class Extent(NamedTuple):
    columns: int
    rows: int


class Block(NamedTuple):
    """The cells of the material plane: a rectangle around its middle."""

    mp: int
    wide: int
    high: int

    @property
    def cells(self) -> list[int]:
        return [self.first + SIZE * row + column for row in range(self.high) for column in range(self.wide)]

    @property
    def first(self) -> int:
        """The lowest cell at the left."""
        return self.mp - SIZE * (self.high // 2) - self.wide // 2


# ── Drawings ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def fit_board(value: str) -> str:
    """The drawing of a board given by its name or its rows, if one can play on it."""
    rows = find_board(value, BOARDS)
    check_size(rows, SMALLEST, SIZE)
    check_letters(rows, VOID + POINT + LETTERS + MATERIAL + ABSENT)
    _check_edges(rows)
    drawing = "".join(row.ljust(SIZE, ABSENT) for row in reversed(rows)).ljust(CELLS, ABSENT)
    _check_points(drawing)
    _check_planes(drawing)
    _check_connected(drawing, block_of(drawing))
    return drawing


def marked(drawing: str, letter: str) -> list[int]:
    return [c for c in range(CELLS) if drawing[c] == letter]


def extent(drawing: str) -> Extent:
    present = [c for c in range(CELLS) if drawing[c] != ABSENT]
    return Extent(max(c % SIZE for c in present) + 1, max(present) // SIZE + 1)


def block_of(drawing: str) -> Block:
    cells = marked(drawing, MATERIAL)
    columns, rows = {c % SIZE for c in cells}, {c // SIZE for c in cells}
    if cells:
        wide, high = len(columns), len(rows)
        block = Block(SIZE * (min(rows) + high // 2) + min(columns) + wide // 2, wide, high)
        if max(wide, high) <= LARGEST_BLOCK and block.cells == cells:
            return block
    text = _("the squares marked {letter} are not one block of at most {n} × {n}, as the material plane must be")
    raise unfit(text, letter=MATERIAL, n=LARGEST_BLOCK)


def _check_edges(rows: list[str]) -> None:
    """One board has one drawing, without empty edges."""
    for number in (1, len(rows)):
        if not rows[-number].strip(ABSENT):
            raise unfit(_("row {row} of the board has no squares: leave it out"), row=number)
    for column in (0, len(rows[0]) - 1):
        if all(row[column] == ABSENT for row in rows):
            raise unfit(_("column {column} of the board has no squares: leave it out"), column=NAMES[column][0])


def _check_points(drawing: str) -> None:
    if not 1 <= (found := drawing.count(POINT)) <= MOST_POINTS:
        text = _("the board has {n} points of power ({letter}): from {least} to {most} are possible")
        raise unfit(text, n=found, letter=POINT, least=1, most=MOST_POINTS)


def _check_planes(drawing: str) -> None:
    for letter, element in zip(LETTERS, ELEMENTS, strict=True):
        if (found := drawing.count(letter)) != PIECES:
            text = _("the plane of {element} has {n} squares ({letter}), expected {expected}")
            raise unfit(text, element=Term(element), n=found, letter=letter, expected=PIECES)


def _check_connected(drawing: str, block: Block) -> None:
    """Every square can be reached from the material plane."""
    todo, left = block.cells, {c for c in range(CELLS) if drawing[c] not in ABSENT + MATERIAL}
    while todo:
        near = left.intersection(ring(todo.pop(), 1))
        left -= near
        todo += near
    if left:
        raise unfit(_("no way leads from the material plane to {cell}"), cell=NAMES[min(left)])


# ── States ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def encode(options: Options) -> Words:
    """The options as `rules.new` takes them."""
    drawing, players = fit_board(options["board"]), options["players"]
    block, absent = block_of(drawing), two_words(marked(drawing, ABSENT))
    sets = [two_words(marked(drawing, letter)) for letter in POINT + LETTERS]
    squares = [block.mp, *(c for c in range(CELLS) if drawing[c] not in ABSENT + MATERIAL)]
    around = {near for cell in block.cells for near in ring(cell, 1)} & {*squares} - {block.mp}
    all_sets = (two_words(squares), two_words(around), *sets)
    head = players, options["stuck"] == "passes", *block, _layout(block, sets, absent)
    words = np.array([*head, *(word for cells in all_sets for word in cells)], dtype=np.uint64)
    _check_first_move(words)
    return words


def used_actions(options: Options) -> int:
    """How many action numbers there are: only four players pass, and only by one reading of PP-18."""
    return PASS + 1 if options["players"] == 4 and options["stuck"] == "passes" else PASS


def _layout(block: Block, sets: list[Cells], absent: Cells) -> np.uint64:
    """A digest of the board, for `key`. What boards once could not have counts only where there is some of it."""
    words = [np.uint64(block.mp), *(word for cells in sets for word in cells)]
    if any(absent) or (block.wide, block.high) != (LARGEST_BLOCK, LARGEST_BLOCK):
        words += [*absent, np.uint64(block.wide), np.uint64(block.high)]
    return functools.reduce(lambda digest, word: np.uint64(stir(digest, word)), words, NONE)


def _check_first_move(words: Words) -> None:
    start = np.zeros(1, STATE)[0]
    new(start, words)
    if not (can_move(start, 0) or may_pass(start)):
        first = Term(SEATS[int(start.seats)][0])
        raise unfit(_("{player} could not make the first move on this board"), player=first)


def decode(s: State) -> dict[str, object]:
    drawing = ground(s)
    columns, rows = extent(drawing)
    lines = [drawing[c : c + columns] for c in range(0, SIZE * rows, SIZE)]
    board = _names().get(drawing, "/".join(reversed(lines)))
    return {"players": int(s.seats), "board": board, "stuck": "passes" if s.passes else "loses"}


@functools.cache
def _names() -> dict[str, str]:
    return {fit_board(name): name for name in BOARDS}


def block(s: State) -> Block:
    return Block(int(s.mp), int(s.wide), int(s.high))


def ground(s: State) -> str:
    """The drawing of the board that a state has, without the pieces."""
    return _drawn(block(s), tuple(s.squares.tolist()), points(s), *map(tuple, s.plane.tolist()))


@functools.lru_cache(maxsize=64)
def _drawn(block: Block, squares: Cells, power: Cells, *planes: Cells) -> str:
    letters = [ABSENT] * CELLS
    sets = (squares, two_words(block.cells), power, *planes)
    for letter, cells in zip(VOID + MATERIAL + POINT + LETTERS, sets, strict=True):
        for c in members(cells):
            letters[c] = letter
    return "".join(letters)
