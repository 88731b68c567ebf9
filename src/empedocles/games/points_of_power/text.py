"""Points of Power in text: boards, positions to fields and back, and the text board."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from empedocles.boards import check_board, find_board
from empedocles.core.bits import count, members, two_words
from empedocles.core.kernel import CHANCE, State, Words
from empedocles.errors import BoardError
from empedocles.game import Fields, Options
from empedocles.games.points_of_power.lookups import CELLS, MP, NAMES, SIZE, SQUARES, Cells, ring
from empedocles.games.points_of_power.rules import (
    ALL_MOVED,
    NOBODY,
    PATIENCE,
    PIECES,
    STATE,
    can_move,
    ending,
    exposed,
    missing,
    movable,
    new,
    points,
    row_of,
    winner_by,
)
from empedocles.language import mark as _
from empedocles.render.textboard import grid

BOARDS = {_("cross"): Path(__file__).parent / "boards" / "cross.txt"}
VOID, POINT, MATERIAL = ".*m"
LETTERS = "FAEW"  # of planes and pieces
ELEMENTS = ("fire", "air", "earth", "water")
SIDES = ("fire-earth", "air-water")
TEAMS = ("Fire and Earth", "Air and Water")
POINTS = 8
NOTHING = "-"


def element_on(s: State, cell: int) -> int:
    """The element of the piece on a cell."""
    return next(e for e in range(4) if cell in members(row_of(s.pieces, e)))


class Standing(NamedTuple):
    """Where the pieces of an element are."""

    pieces: list[int]
    exposed: list[int]
    powerful: list[int]  # on points of power


def standings(s: State) -> list[Standing]:
    """The standing of each element."""
    power, pieces = members(points(s)), [members(cells) for cells in s.pieces.tolist()]
    return [Standing(pieces[e], members(exposed(s, e)), [c for c in pieces[e] if c in power]) for e in range(4)]


def to_move(s: State) -> list[int]:
    """The elements whose pieces may move now."""
    return [] if s.over else [e for e in range(s.mover, 4, s.seats) if any(movable(s, e))]


def opening_turn(s: State) -> int | None:
    """Which turn of the opening is due; None after it."""
    return None if s.moved == ALL_MOVED else count(np.uint64(s.moved)) + 1


def points_held(stands: list[Standing]) -> tuple[int, int]:
    """How many points of power each side has."""
    fire, air, earth, water = (len(stand.powerful) for stand in stands)
    return fire + earth, air + water


def ended_by(s: State) -> int:
    """The number of the rule that ended the game with the result that the state has; 0 if none could."""
    turns = count(np.uint64(s.moved))
    movers = range(s.seats) if s.moved == ALL_MOVED else [(turns - 1) % s.seats]
    rules = ((ending(s, seat), seat) for seat in movers)
    return next((rule for rule, seat in rules if rule and winner_by(rule, seat) == s.winner), 0)


# ── Boards and options ───────────────────────────────────────────────────────────────────────────────────────────────


def encode(options: Options) -> Words:
    drawing = fit_board(options["board"])
    sets = [two_words(_marked(drawing, letter)) for letter in POINT + LETTERS]
    middle = _marked(drawing, MATERIAL)[4]
    words = np.array([options["players"], middle, *(word for cells in sets for word in cells)], dtype=np.uint64)
    start = np.zeros(1, STATE)[0]
    new(start, words)
    if not can_move(start, 0):
        raise BoardError("player 0 could not make the first move on this board")
    return words


def fit_board(value: str) -> str:
    """The letters of a board in the order of its cells, if one can play on it."""
    letters = VOID + POINT + LETTERS + MATERIAL
    rows = find_board(value, BOARDS)
    check_board(rows, SIZE, SIZE, letters)
    drawing = "".join(reversed(rows))
    _need_squares(drawing, POINT, POINTS, "points of power")
    for letter, element in zip(LETTERS, ELEMENTS, strict=True):
        _need_squares(drawing, letter, PIECES, f"squares of the {element} plane")
    block = _marked(drawing, MATERIAL)
    if len(block) != 9 or sorted([block[4], *ring(block[4], 1)]) != block:
        raise BoardError(f"the squares marked {MATERIAL!r} are not one block of 3 × 3, as the material plane must be")
    return drawing


def _need_squares(drawing: str, letter: str, expected: int, what: str) -> None:
    if (found := drawing.count(letter)) != expected:
        raise BoardError(f"the board has {found} {what} ({letter!r}), expected {expected}")


def _marked(drawing: str, letter: str) -> list[int]:
    return [c for c in range(CELLS) if drawing[c] == letter]


def decode(s: State) -> dict[str, Any]:
    drawing = ground(s)
    rows = [drawing[c : c + SIZE] for c in range(0, CELLS, SIZE)]
    return {"players": int(s.seats), "board": _names().get(drawing, "/".join(reversed(rows)))}


def ground(s: State) -> str:
    """The drawing of the board that a state has, without the pieces."""
    return _drawn(int(s.mp), points(s), *map(tuple, s.plane.tolist()))


@functools.lru_cache(maxsize=64)
def _drawn(mp: int, power: Cells, *planes: Cells) -> str:
    letters = [VOID] * CELLS
    marks = zip(MATERIAL + POINT + LETTERS, (two_words([mp, *ring(mp, 1)]), power, *planes), strict=True)
    for letter, cells in marks:
        for c in members(cells):
            letters[c] = letter
    return "".join(letters)


@functools.cache
def _names() -> dict[str, str]:
    return {fit_board(name): name for name in BOARDS}


# ── One line ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def name_of(s: State, cell: int) -> str:
    return NAMES[MP] if cell == s.mp else NAMES[cell]


def describe(s: State) -> dict[str, str]:
    pieces = {
        name: ",".join(name_of(s, c) for c in members(row_of(s.pieces, e))) or NOTHING
        for e, name in enumerate(ELEMENTS)
    }
    moved = "".join(LETTERS[e] for e in range(4) if _has_moved(s, e))
    winner = {"winner": (*SIDES, NOTHING)[s.winner]} if s.over else {}
    mover = "none" if s.over else str(s.mover)
    return {**pieces, "moved": moved or NOTHING, "quiet": str(s.quiet), **winner, "to-move": mover}


def restore(s: State, fields: Fields) -> None:
    _restore_pieces(s, fields)
    _restore_moved(s, fields)
    s.quiet = fields.number("quiet", 0, PATIENCE, 0)
    mover = fields.mover()
    fields.need(mover != CHANCE, "to-move", "there is no chance in this game")
    s.mover, s.over = mover or 0, mover is None
    _restore_winner(s, fields)
    _check_pieces(s, fields)
    if s.moved == ALL_MOVED:
        _check_exposed(s, fields)
    else:
        _check_opening(s, fields)
    _check_end(s, fields)


def _restore_pieces(s: State, fields: Fields) -> None:
    squares = {NAMES[c]: c for c in members(row_of(SQUARES, int(s.mp)))}
    squares[NAMES[MP]] = squares.pop(NAMES[s.mp])
    holder: dict[str, str] = {}
    for e, element in enumerate(ELEMENTS):
        text = fields.text(element)
        names = [] if text == NOTHING else text.split(",")
        for name in names:
            fields.need(name in squares, element, f"{name!r} is not a square of the board")
            fields.need(name not in holder, element, f"{name} is taken already, by {holder.get(name)}")
            holder[name] = element
        fields.need(len(names) <= PIECES, element, f"has {len(names)} pieces, at most {PIECES} are possible")
        s.pieces[e] = two_words(squares[name] for name in names)


def _restore_moved(s: State, fields: Fields) -> None:
    text = fields.text("moved", LETTERS)
    known = "".join(letter for letter in LETTERS if letter in text)
    fields.need(text == (known or NOTHING), "moved", f"{text!r} is not some of {LETTERS} in this order, or '{NOTHING}'")
    s.moved = sum(1 << LETTERS.index(letter) for letter in known)


def _restore_winner(s: State, fields: Fields) -> None:
    if s.over:
        winner = fields.choice("winner", (*SIDES, NOTHING))
        s.winner = NOBODY if winner == len(SIDES) else winner
    else:
        fields.need(fields.text("winner", "") == "", "winner", "is given only when the game is over")


# What all positions of a game have in common; hand-written ones are held to it.


def _check_pieces(s: State, fields: Fields) -> None:
    for e, element in enumerate(ELEMENTS):
        left_or_lost = any(row_of(s.pieces, e)) or s.winner == 1 - e % 2
        fields.need(left_or_lost, element, "has no pieces, so its side has lost")


def _check_opening(s: State, fields: Fields) -> None:
    """PP-9: in turn order, each element that has moved took one turn; the others stand where they began."""
    turns, seats = count(np.uint64(s.moved)), int(s.seats)
    for seat in range(seats):
        had = sum(_has_moved(s, e) for e in range(seat, 4, seats))
        due = len(range(seat, turns, seats))
        fields.need(had == due, "moved", f"player {seat} has moved {had} elements in {due} of {turns} turns")
    turn = f"turn {turns + 1} of the opening is player {turns % seats}'s"
    fields.need(s.over or s.mover == turns % seats, "to-move", turn)
    fields.need(s.quiet <= turns, "quiet", f"is {s.quiet} after {turns} turns")
    for e, element in enumerate(ELEMENTS):
        begun = _has_moved(s, e) or bool((s.pieces[e] == s.plane[e]).all())
        fields.need(begun, element, "has not moved, so its pieces are all on the squares of its plane")


def _has_moved(s: State, e: int) -> bool:
    return bool(int(s.moved) >> e & 1)


def _check_exposed(s: State, fields: Fields) -> None:
    """PP-12: whoever has just moved kept an exposed piece of each element. PP-16 for the others is part of the end."""
    for e, element in enumerate(ELEMENTS):
        moved_last = s.over or s.mover % 2 != e % 2
        kept = not moved_last or any(exposed(s, e)) or _excused(s, e)
        fields.need(kept, element, "has no exposed piece, which PP-12 does not allow after a move of its side")


def _excused(s: State, e: int) -> bool:
    """The side has lost, or won by a move that PP-12 excuses; or turn 4, of which PP-12 asks less, is just over.

    Of two players, player 1 may lose the exposed piece of one element in turn 3 and has to move the other in turn 4.
    """
    decided = s.over and (s.winner == 1 - e % 2 or (s.winner == e % 2 and ended_by(s) in (14, 15)))
    return decided or (s.seats == 2 and e % 2 == 1 and s.mover == 0 and s.quiet <= 1)


def _check_end(s: State, fields: Fields) -> None:
    for side in range(2):
        field = "winner" if s.over else "to-move"
        won = f"{SIDES[side]} has won: it has all points of power"
        fields.need(any(missing(s, side)) or s.winner == side, field, won)
    if s.over:
        fields.need(ended_by(s) > 0, "winner", "no rule ends the game here with this result")
    else:
        rule = ending(s, (int(s.mover) - 1) % int(s.seats))
        fields.need(rule == 0, "to-move", f"is 'none' here: the game is over by PP-{rule}")


# ── The text board ───────────────────────────────────────────────────────────────────────────────────────────────────


def diagram(s: State) -> str:
    stands = standings(s)
    texts, (ours, theirs) = _texts(s, stands), points_held(stands)
    return "\n".join(
        [
            grid(SIZE, SIZE, lambda column, row: texts[row * SIZE + column], width=2),
            "",
            *(_line(s, e, stands[e]) for e in range(4)),
            f"  Points of power: {TEAMS[0]} {ours}, {TEAMS[1]} {theirs}, free {POINTS - ours - theirs}",
            f"  {s.quiet} of {PATIENCE} turns without a capture",
            f"  {_due(s)}",
        ]
    )


def _texts(s: State, stands: list[Standing]) -> list[str]:
    """For each cell the piece, then what it stands on: * a point of power, f a e w a plane, m the material plane."""
    marks = [letter.lower() for letter in ground(s)]
    texts = marks.copy()
    texts[s.mp] = NAMES[MP]
    for letter, stand in zip(LETTERS, stands, strict=True):
        for c in stand.pieces:
            texts[c] = letter + marks[c].strip(VOID)
    return texts


def _line(s: State, e: int, stand: Standing) -> str:
    arrow = ">" if e in to_move(s) else " "
    pieces, loose, powerful = map(len, stand)
    return (
        f"{arrow} {ELEMENTS[e].title()} ({LETTERS[e]}, player {e % s.seats}): {pieces} pieces, "
        f"{loose} exposed, {powerful} on points of power"
    )


def _due(s: State) -> str:
    if s.over:
        result = "a draw" if s.winner == NOBODY else f"{TEAMS[s.winner]} win"
        return f"The game is over: {result} (PP-{ended_by(s)})."
    turn = opening_turn(s)
    opening = f", turn {turn} of the opening" if turn else ""
    return f"Player {s.mover} to move{opening}: {' or '.join(ELEMENTS[e].title() for e in to_move(s))}"
