"""Geometry and actions of Ignite and Flow.

A set of squares is one 64-bit word. Three spare columns follow the six real ones, so that a pattern of up to four
squares moved about the board never wraps into the next row: it falls into spare columns, where no set has a bit.

    6 | 45 46 47 48 49 50
    5 | 36 37 38 39 40 41
    4 | 27 28 29 30 31 32
    3 | 18 19 20 21 22 23
    2 |  9 10 11 12 13 14
    1 |  0  1  2  3  4  5 (6 7 8)
         a  b  c  d  e  f

An action is a shape at a cell: which squares, seen from there, become fire, water, earth and desert. Action numbers go
through the shapes in order, and for each shape through the cells where it fits on the board, row by row. Those that
only a reading of the rules uses come last.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

SIZE = 6
STRIDE = 9

Offset = tuple[int, int]  # (columns, rows)


def distance(offset: Offset) -> int:
    """The difference between a cell's number and that of the cell at an offset."""
    return offset[1] * STRIDE + offset[0]


CELLS = tuple(distance((column, row)) for row in range(SIZE) for column in range(SIZE))  # in board order
NAMES = {cell: f"{'abcdef'[cell % STRIDE]}{cell // STRIDE + 1}" for cell in CELLS}


def mask(indices: Iterable[int]) -> int:
    return sum(1 << index for index in indices)


BOARD = np.uint64(mask(CELLS))

FIRE, WATER, EARTH, DESERT = range(4)

HERE: Offset = (0, 0)
ORTHOGONAL: tuple[Offset, ...] = ((0, 1), (1, 0), (0, -1), (-1, 0))
DIAGONAL: tuple[Offset, ...] = ((1, 1), (1, -1), (-1, -1), (-1, 1))
ALL_LINKS = frozenset(ORTHOGONAL + DIAGONAL)
LITERAL_LINKS = ALL_LINKS - {(0, 1), (0, -1)}  # IF-10: without the vertical ones
ALL, LITERAL, ORTHOGONAL_ONLY = range(3)  # the values of `reactions`
LINKS = ALL_LINKS, LITERAL_LINKS, frozenset(ORTHOGONAL)  # and which neighbours react under each

# ── Shapes ───────────────────────────────────────────────────────────────────────────────────────────────────────────


class Shape(NamedTuple):
    """A pattern of squares around an anchor; squares in `becomes` never lie before the anchor in board order."""

    text: str  # the move, with {0} {1} … for the squares it names
    squares: tuple[Offset, ...]  # the squares that the text names
    becomes: dict[int, tuple[Offset, ...]]  # element → squares that turn into it

    @property
    def fits(self) -> tuple[range, range]:
        """Columns and rows at which an anchor keeps all squares on the board."""
        columns, rows = zip(*self.squares, strict=True)
        return range(-min(columns), SIZE - max(columns)), range(-min(rows), SIZE - max(rows))


def _plus(a: Offset, b: Offset) -> Offset:
    return a[0] + b[0], a[1] + b[1]


def _minus(a: Offset, b: Offset) -> Offset:
    return a[0] - b[0], a[1] - b[1]


def linked(squares: tuple[Offset, ...], links: frozenset[Offset]) -> bool:
    """Whether all squares are connected with each other."""
    reached, todo = {squares[0]}, [squares[0]]
    while todo:
        here = todo.pop()
        near = {square for square in squares if _minus(square, here) in links} - reached
        reached |= near
        todo += near
    return len(reached) == len(squares)


def patterns(size: int) -> list[tuple[Offset, ...]]:
    """All connected patterns of `size` squares up to translation, in board order from the first square on."""
    found: set[tuple[Offset, ...]] = {(HERE,)}
    for _ in range(size - 1):
        grown = {frozenset({*p, _plus(q, link)}) for p in found for q in p for link in ALL_LINKS}
        ordered = (sorted(squares, key=distance) for squares in grown if len(squares) > len(next(iter(found))))
        found = {tuple(_minus(square, squares[0]) for square in squares) for squares in ordered}
    return sorted(found, key=lambda squares: [distance(square) for square in squares])


PAIRS, TRIPLES, FOURS = patterns(2), patterns(3), patterns(4)


def _opposite(direction: Offset, by: int = 1) -> Offset:
    return -by * direction[0], -by * direction[1]


def _course(one: Offset, two: Offset) -> tuple[Offset, Offset, Offset]:
    """IF-8: the squares of water in two steps; the anchor is the earlier of the two new ones in board order."""
    near, far = (HERE, two) if distance(two) > 0 else (_opposite(two), HERE)
    return _minus(near, one), near, far


def _stream(direction: Offset) -> Shape:
    source, near, far = _course(direction, direction)
    return Shape("W{0}>{1}", (source, far), {WATER: (near, far)})


def _bend(one: Offset, two: Offset) -> Shape:
    source, near, far = _course(one, two)
    return Shape("W{0}>{1}>{2}", (source, near, far), {WATER: (near, far)})


def _fork(one: Offset, two: Offset) -> Shape:
    """IF-8: water that spreads in two directions at once, given in board order."""
    targets = HERE, _minus(two, one)
    return Shape("W{0}>{1}+{2}", (_opposite(one), *targets), {WATER: targets})


BENDS = [(one, two) for one in DIAGONAL for two in DIAGONAL if two not in (one, _opposite(one))]
FORKS = list(itertools.combinations(sorted(DIAGONAL, key=distance), 2))


def _joined(n: int) -> str:
    return "+".join(f"{{{k}}}" for k in range(n))


def _chain(squares: tuple[Offset, ...], desert: int) -> Shape:
    rest = tuple(square for k, square in enumerate(squares) if k != desert)
    return Shape(f"{_joined(3)}=D{{{desert}}}", squares, {EARTH: rest, DESERT: (squares[desert],)})


_KINDS: tuple[list[Shape], ...] = (
    [Shape(f"{'FWE'[element]}{{0}}", (HERE,), {element: (HERE,)}) for element in (FIRE, WATER, EARTH)],
    [Shape("F{0}>{1}", (_opposite(d), HERE), {FIRE: (HERE,)}) for d in ORTHOGONAL],
    [Shape("W{0}>{1}", (_opposite(d), HERE), {WATER: (HERE,)}) for d in DIAGONAL],
    [_stream(d) for d in DIAGONAL],
    [Shape(_joined(2), pair, {EARTH: pair}) for pair in PAIRS],
    [_chain(triple, desert) for triple in TRIPLES for desert in range(3)],
    [Shape(f"{_joined(4)}=D", four, {DESERT: four}) for four in FOURS],
    [Shape("T{0}", (HERE,), {})],
    # For readings of IF-8:
    [_bend(one, two) for one, two in BENDS],
    [_fork(one, two) for one, two in FORKS],
)
SHAPES = [shape for kind in _KINDS for shape in kind]
PLACE, BURN, FLOW, STREAM, PAIR, CHAIN, SCORCH, TEMPLE, BEND, FORK, _ = itertools.accumulate(
    map(len, _KINDS), initial=0
)

# ── Actions ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def _actions() -> Iterator[tuple[int, int]]:
    """The shape and the anchor of each action."""
    for number, shape in enumerate(SHAPES):
        columns, rows = shape.fits
        for row, column in itertools.product(rows, columns):
            yield number, distance((column, row))


_placed = list(_actions())
NO_TEMPLE = sum(shape < BEND for shape, _ in _placed)  # the one action without a shape
_placed.insert(NO_TEMPLE, (0, 0))  # never used, but every number can be looked up
ACTION_SHAPE, ACTION_CELL = (np.array(column, dtype=np.uint8) for column in zip(*_placed, strict=True))

ACTIONS = len(ACTION_SHAPE)
STRAIGHT_ACTIONS = NO_TEMPLE + 1
BENT_ACTIONS = STRAIGHT_ACTIONS + sum(BEND <= shape < FORK for shape, _ in _placed)
ACTIONS_WITH = {"straight": STRAIGHT_ACTIONS, "bent": BENT_ACTIONS, "split": ACTIONS, "free": ACTIONS}  # by `flow`


def squares_of(action: int) -> list[int]:
    """The cells that a move's text names, in its order."""
    anchor = int(ACTION_CELL[action])
    return [anchor + distance(square) for square in SHAPES[ACTION_SHAPE[action]].squares]


def _text(action: int) -> str:
    if action == NO_TEMPLE:
        return "-"
    return SHAPES[int(ACTION_SHAPE[action])].text.format(*(NAMES[cell] for cell in squares_of(action)))


MOVES = tuple(map(_text, range(ACTIONS)))

# EFFECT[shape, element]: the squares that become that element, as a word with the anchor at bit 0.
EFFECT = np.array(
    [[mask(map(distance, shape.becomes.get(e, ()))) for e in range(4)] for shape in SHAPES], dtype=np.uint64
)

# The action of a shape at a cell is ORIGIN[shape] + cell - ROW[cell] * GAP[shape]: a row of the board has STRIDE cells,
# a row of a shape's anchors fewer.
ROW = np.array([cell // STRIDE for cell in range(SIZE * STRIDE)], dtype=np.int64)
GAP = np.array([STRIDE - len(shape.fits[0]) for shape in SHAPES], dtype=np.int64)
_FIRST = np.array([np.flatnonzero(number == ACTION_SHAPE)[0] for number in range(len(SHAPES))])
ORIGIN = _FIRST - (cell := ACTION_CELL[_FIRST].astype(np.int64)) + ROW[cell] * GAP


# ── Finding patterns ─────────────────────────────────────────────────────────────────────────────────────────────────

# Pairs are found by their direction, chains from the pairs that they contain. Steps lead from the first square on.
PAIR_STEP = np.array([distance(pair[1]) for pair in PAIRS])
PAIR_REACTS = np.array([[linked(pair, links) for pair in PAIRS] for links in LINKS])  # by `reactions`
NEAR = np.array(
    [mask(cell + distance(d) for d in ALL_LINKS if cell + distance(d) in NAMES) for cell in range(SIZE * STRIDE)],
    dtype=np.uint64,
)

# CHAIN_INDEX[d2, d3]: which of TRIPLES has these steps to its second and third square.
CHAIN_INDEX = np.zeros((2 * STRIDE + 3, 2 * STRIDE + 3), dtype=np.int8)
for _index, _triple in enumerate(TRIPLES):
    CHAIN_INDEX[distance(_triple[1]), distance(_triple[2])] = _index


def joins(square: Offset, squares: tuple[Offset, ...], links: frozenset[Offset]) -> bool:
    """Whether one of some squares is linked to all others."""
    return all(_minus(other, square) in links for other in squares if other != square)


# CHAIN_REACTS[reactions, chain, k, odd]: whether triple k reacts when its single element is on square `odd` of it.
CHAIN_REACTS = np.array(
    [
        [
            [[linked(triple, links)] * 3 for triple in TRIPLES],
            [[joins(square, triple, links) for square in triple] for triple in TRIPLES],
        ]
        for links in LINKS
    ]
)

# Bends and forks are found by their two directions, as steps.
BEND_STEPS = np.array([[distance(one), distance(two)] for one, two in BENDS])
FORK_STEPS = np.array([[distance(one), distance(two)] for one, two in FORKS])

BLOCK = SCORCH + FOURS.index(((0, 0), (1, 0), (0, 1), (1, 1)))  # the shape of the only four that all touch each other

# Sets of four are many: each is found square by square from its first one on. Given the squares so far, a word says
# which steps can come next, and the shape is a base plus the rank of the last step in its word.
#
#   SCORCH_SECOND ∋ d2 ─► SCORCH_THIRD[d2] ∋ d3 ─► slot = SCORCH_SLOT[d2] + rank of d3
#       ─► SCORCH_FOURTH[slot] ∋ d4 ─► shape = SCORCH + SCORCH_BASE[slot] + rank of d4
SPAN = 3 * STRIDE + 3 + 1  # steps within a set of four are smaller

Beginning = tuple[int, ...]


def _following(length: int) -> dict[Beginning, int]:
    """Beginnings of sets of four, as steps, in order → the steps that can follow, as a word."""
    words: dict[Beginning, int] = {}
    for four in FOURS:
        steps = tuple(map(distance, four))
        words[steps[1:length]] = words.get(steps[1:length], 0) | 1 << steps[length]
    return words


def _bases(following: dict[Beginning, int]) -> list[int]:
    """How many sets come before those with each beginning."""
    return [0, *itertools.accumulate(word.bit_count() for word in following.values())][:-1]


def _by_second(values: Iterable[int]) -> list[int]:
    known = dict(zip(_THIRDS, values, strict=True))
    return [known.get((d2,), 0) for d2 in range(SPAN)]


_THIRDS, _FOURTHS = _following(2), _following(3)

SCORCH_SECOND = np.uint64(_following(1)[()])
SCORCH_THIRD = np.array(_by_second(_THIRDS.values()), dtype=np.uint64)
SCORCH_SLOT = np.array(_by_second(_bases(_THIRDS)), dtype=np.int16)
SCORCH_FOURTH = np.array(list(_FOURTHS.values()), dtype=np.uint64)
SCORCH_BASE = np.array(_bases(_FOURTHS), dtype=np.int16)
