"""A game of another package that breaks its promises, in the way that an option asks for, from the third move on.

One way breaks none: with "luck", all moves from the third on are chance's.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from empedocles.core.bits import stir
from empedocles.core.kernel import CHANCE, Actions, Rules, State, Words, kernel, listed, register, state_type
from empedocles.game import Fields, Game, Option, Options
from empedocles.language import Reason, because

FAULTS = ("none", "written", "listed", "read", "mover", "empty", "action", "luck")
NONE, WRITTEN, LISTED, READ, MOVER, EMPTY, ACTION, LUCK = range(len(FAULTS))
MOVES = ("a", "b", "c", "d")
LENGTH = 8
BEGINS = 2  # plies before the fault
FEW = np.arange(4, dtype=np.int64)

STATE = state_type([("fault", np.int8), ("plies", np.int8)], __file__)


@kernel
def new(s: State, options: Words) -> None:
    s.mover, s.over, s.seats = 0, 0, 2
    s.fault, s.plies = np.int8(options[0]), 0


@kernel
def legal(s: State, out: Actions) -> int:
    if s.over:
        return 0
    fault = int(s.fault) if s.plies >= BEGINS else NONE
    if fault == WRITTEN:
        for k in range(1000):
            out[k] = k
        return 1000
    n = 0
    for k in range(1000 if fault == LISTED else 0 if fault == EMPTY else len(MOVES)):
        n = listed(out, n, 30_000 if fault == ACTION else k)
    return n


@kernel
def play(s: State, a: int) -> None:
    s.plies = int(s.plies) + 1
    s.mover = 1 - max(int(s.mover), 0)
    if s.plies > BEGINS and s.fault == READ:
        s.mover = FEW[a + 100_000_000] & 1
    if s.plies >= BEGINS and s.fault == MOVER:
        s.mover = 100
    if s.plies >= BEGINS and s.fault == LUCK:
        s.mover = CHANCE
    s.over = int(s.plies == LENGTH)


@kernel
def scores(s: State, out: npt.NDArray[np.int32]) -> None:
    out[0], out[1] = 0, 0


@kernel
def returns(s: State, out: npt.NDArray[np.float32]) -> None:
    out[0], out[1] = 0, 0


@kernel
def key(s: State) -> np.uint64:
    return stir(np.uint64(int(s.mover) + 1), np.uint64(int(s.plies)))


def encode(options: Options) -> Words:
    return np.array([FAULTS.index(options["fault"])], np.uint64)


def decode(s: State) -> dict[str, Any]:
    return {"fault": FAULTS[s.fault]}


def describe(s: State) -> dict[str, str]:
    mover = "none" if s.over else "chance" if s.mover == CHANCE else str(s.mover)
    return {"plies": str(s.plies), "to-move": mover}


def restore(s: State, fields: Fields) -> None:
    s.plies = fields.number("plies", 0, LENGTH)
    mover = fields.mover()
    s.mover, s.over = mover or 0, int(mover is None)


def reason(s: State, a: int) -> Reason | None:
    return because("UN-1", "the game is over") if s.over else None


GAME = Game(
    name="unruly",
    title="Unruly",
    authors="nobody",
    summary="Break your promises.",
    rules_version=1,
    options=(Option("fault", FAULTS, "none"),),
    seats=(2,),
    has_chance=False,
    has_teams=False,
    max_legal=len(MOVES),
    max_plies=LENGTH,
    moves=MOVES,
    rules=register(Rules(STATE, new, legal, play, scores, returns, key)),
    encode=encode,
    decode=decode,
    describe=describe,
    restore=restore,
    diagram=lambda s: f"{s.plies} plies",
    reason=reason,
    folder=Path(__file__).parent,
)
