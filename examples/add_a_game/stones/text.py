"""Stones in text: options, positions, and the text board."""

from __future__ import annotations

from typing import Any

import numpy as np

from empedocles.core.kernel import State, Words
from empedocles.game import Fields, Options
from stones.lookups import HEAPS, MOST


def encode(options: Options) -> Words:
    return np.array([HEAPS[options["heap"]]], dtype=np.uint64)


def decode(s: State) -> dict[str, Any]:
    return {"heap": next(name for name, size in HEAPS.items() if size == s.heap)}


def describe(s: State) -> dict[str, str]:
    return {"stones": str(s.stones), "winner": str(1 - s.mover) if s.over else "-", "to-move": _mover(s)}


def restore(s: State, fields: Fields) -> None:
    s.stones = fields.number("stones", 0, int(s.heap))
    winner = fields.choice("winner", ("0", "1", "-"), "-")
    mover = fields.mover()
    fields.need(mover != -1, "to-move", "there is no chance in this game")
    fields.need((mover is None) == (s.stones == 0), "to-move", "is 'none' when no stones are left, and only then")
    fields.need((winner == 2) == (mover is not None), "winner", "is given when the game is over, and only then")
    s.mover, s.over = (1 - winner, 1) if mover is None else (mover, 0)


def diagram(s: State) -> str:
    due = "The game is over." if s.over else f"Player {s.mover} to move: take 1 to {min(MOST, s.stones)} stones"
    return f"{'o ' * s.stones}\n{s.stones} of {s.heap} stones left\n{due}"


def _mover(s: State) -> str:
    return "none" if s.over else str(s.mover)
