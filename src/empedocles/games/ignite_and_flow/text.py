"""Ignite and Flow in text: positions to fields and back, and the text board."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from empedocles.core.bits import bit, count, members
from empedocles.core.kernel import State, Words
from empedocles.game import POINTS, Fields, Options
from empedocles.games.ignite_and_flow.lookups import CELLS, EARTH, SIZE, distance
from empedocles.games.ignite_and_flow.rules import (
    ACTION,
    PATIENCE,
    TEMPLE_CHOICE,
    TEMPLES,
    empty_cells,
    scores,
    temple_cells,
    unused_temples,
)
from empedocles.language import Message, Term, in_digits, lines
from empedocles.language import mark as _
from empedocles.render.textboard import grid

# In the order of the numbers that stand for them in a state.
REACTIONS = (_("all"), _("literal"), _("orthogonal"))
CHAINS = (_("any"), _("middle"))
FLOWS = (_("straight"), _("bent"), _("split"), _("free"))
SCORCHES = (_("any"), _("exact"), _("touching"))
OPTIONS = {"reactions": REACTIONS, "chain": CHAINS, "flow": FLOWS, "scorch": SCORCHES}
DUE = ("action", "temple")
EMPTY = "."
LETTERS = "FWED"  # fire, water, earth, desert
TEMPLE_LETTERS = "Tt"  # earth with a temple of White, of Black
SEATS = (_("White"), _("Black"))


def encode(options: Options) -> Words:
    return np.array([values.index(options[name]) for name, values in OPTIONS.items()], dtype=np.uint64)


def decode(s: State) -> dict[str, Any]:
    return {name: values[s[name]] for name, values in OPTIONS.items()}


def letters(s: State) -> dict[int, str]:
    """What lies on each cell, in board order."""
    board = dict.fromkeys(CELLS, EMPTY)
    for letter, cells in zip(LETTERS + TEMPLE_LETTERS, (*s.ground, *s.temples), strict=True):
        board |= dict.fromkeys(members(cells), letter)
    return board


# ── One line ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def describe(s: State) -> dict[str, str]:
    board = "".join(letters(s).values())
    rows = (board[row * SIZE :][:SIZE] for row in reversed(range(SIZE)))
    packed = re.sub(r"\.+", lambda dots: str(len(dots[0])), "/".join(rows))
    return {
        "board": packed,
        "taken": f"{s.taken[0]}/{s.taken[1]}",
        "quiet": str(s.quiet),
        "due": DUE[s.due],
        "to-move": "none" if s.over else str(s.mover),
    }


def restore(s: State, fields: Fields) -> None:
    _restore_board(s, fields)
    s.taken[:] = fields.numbers("taken", 0, TEMPLES, "0/0")
    for seat in range(2):
        fields.need(
            unused_temples(s, seat) >= 0,
            "taken",
            _("more than {most} temples of {player} with those on the board"),
            most=TEMPLES,
            player=Term(SEATS[seat]),
        )
    s.quiet = fields.number("quiet", 0, PATIENCE, 0)
    s.due = fields.choice("due", DUE, "action")
    mover = fields.mover()
    fields.need(mover != -1, "to-move", _("there is no chance in this game"))
    s.mover, s.over = mover or 0, mover is None
    _check_end(s, fields)


def _restore_board(s: State, fields: Fields) -> None:
    rows = re.sub(r"\d", lambda digit: EMPTY * int(digit[0]), fields.text("board")).split("/")
    fields.need(len(rows) == SIZE, "board", _("has {n} rows joined by '/', expected {size}"), n=len(rows), size=SIZE)
    for row, cells in zip(reversed(range(SIZE)), rows, strict=True):
        fields.need(
            len(cells) == SIZE,
            "board",
            _("row {n} has {squares} squares, expected {size}"),
            n=row + 1,
            squares=len(cells),
            size=SIZE,
        )
        for column, symbol in enumerate(cells):
            known = symbol in EMPTY + LETTERS + TEMPLE_LETTERS
            fields.need(
                known,
                "board",
                _("{symbol} in row {n} is none of F W E D T t or a number of empty squares"),
                symbol=repr(symbol),
                n=row + 1,
            )
            _put(s, symbol, distance((column, row)))


def _put(s: State, symbol: str, cell: int) -> None:
    if symbol in TEMPLE_LETTERS:
        s.temples[TEMPLE_LETTERS.index(symbol)] |= bit(cell)
        s.ground[EARTH] |= bit(cell)
    elif symbol != EMPTY:
        s.ground[LETTERS.index(symbol)] |= bit(cell)


def _check_end(s: State, fields: Fields) -> None:
    ended = s.due == ACTION and (s.quiet >= PATIENCE or not empty_cells(s))
    fields.need(
        bool(s.over) == ended,
        "to-move",
        _("is 'none' when the board is full or quiet is 40 and no temple is due, and only then"),
    )
    possible = s.due == ACTION or bool(temple_cells(s, int(s.mover)))
    fields.need(possible, "due", _("is 'temple' though the player to move has nowhere to place one"))


# ── The text board ───────────────────────────────────────────────────────────────────────────────────────────────────


UNUSED = in_digits(_("{n} temples left"), _("{n} temple left"), _("{n} temples left"))


def diagram(s: State) -> Message:
    points = np.zeros(2, dtype=np.int32)
    scores(s, points)
    board = letters(s)
    drawn = grid(SIZE, SIZE, lambda column, row: board[distance((column, row))])
    return lines([drawn, "", *(_line(s, seat, int(points[seat])) for seat in range(2)), _progress(s), _due(s)])


def _line(s: State, seat: int, points: int) -> Message:
    values = {
        "arrow": ">" if not s.over and s.mover == seat else " ",
        "name": Term(SEATS[seat]),
        "letter": TEMPLE_LETTERS[seat],
        "points": POINTS(points),
        "left": UNUSED(unused_temples(s, seat)),
        "taken": int(s.taken[seat]),
    }
    return Message(_("{arrow} {name} (temple {letter}): {points}, {left}, {taken} taken"), values)


def _progress(s: State) -> Message:
    values = {"n": int(s.quiet), "all": PATIENCE, "empty": count(empty_cells(s)), "squares": len(CELLS)}
    return Message(_("  {n} of {all} actions without progress; {empty} of {squares} squares empty"), values)


def _due(s: State) -> Message:
    if s.over:
        return Message(_("  The game is over."), {})
    text = _("  {name} to move: an action")
    if s.due == TEMPLE_CHOICE:
        text = _("  {name} to move: a temple (T and a square) or none (-)")
    return Message(text, {"name": Term(SEATS[s.mover])})
