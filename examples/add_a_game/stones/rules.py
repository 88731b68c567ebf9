"""The rules of Stones (RULES.md), as kernels on one state."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from empedocles.core.bits import stir
from empedocles.core.kernel import Actions, Rules, State, Words, kernel, listed, register, state_type
from stones.lookups import MOST

STATE = state_type(
    [
        ("heap", np.int8),  # stones at the start: 15 or 21
        ("stones", np.int8),  # stones left
    ],
    __file__,
)


@kernel
def new(s: State, options: Words) -> None:
    s.mover, s.over, s.seats = 0, 0, 2
    s.heap = np.int8(options[0])
    s.stones = s.heap


@kernel
def legal(s: State, out: Actions) -> int:
    n = 0
    for k in range(min(MOST, int(s.stones))):
        n = listed(out, n, k)
    return n


@kernel
def play(s: State, a: int) -> None:
    s.stones = int(s.stones) - (a + 1)
    s.mover = 1 - int(s.mover)
    if s.stones == 0:
        s.over = 1


@kernel
def winner(s: State) -> int:
    """ST-3: whoever is not to move has taken the last stone."""
    return 1 - int(s.mover)


@kernel
def scores(s: State, out: npt.NDArray[np.int32]) -> None:
    for seat in range(2):
        out[seat] = 1 if s.over and seat == winner(s) else 0


@kernel
def returns(s: State, out: npt.NDArray[np.float32]) -> None:
    for seat in range(2):
        out[seat] = 0 if not s.over else 1 if seat == winner(s) else -1


@kernel
def key(s: State) -> np.uint64:
    return stir(np.uint64(int(s.mover) | int(s.over) << 1), np.uint64(int(s.heap) << 8 | int(s.stones)))


RULES = register(Rules(STATE, new, legal, play, scores, returns, key))
