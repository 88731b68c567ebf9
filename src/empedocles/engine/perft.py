"""Perft: how many sequences of moves of a given length there are. Two engines that agree are probably both right."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from empedocles.core.kernel import BROKEN, kernel, listing, play
from empedocles.engine.playout import STUCK
from empedocles.errors import BadValue
from empedocles.position import Position


def perft(position: Position, depth: int) -> int:
    """The number of move sequences of length `depth`, chance moves counted as moves."""
    if depth < 0:
        raise BadValue(f"a depth is a whole number from 0, not {depth!r}")
    if depth == 0:
        return 1
    if depth > position.game.max_plies:
        return 0  # no match is that long
    states = np.zeros(depth, position.game.rules.state)
    states[0] = position.state
    buffers = np.empty((depth, position.game.max_legal), np.int16)
    with position.game.blamed():
        found = int(leaves(states, buffers, np.zeros(depth, np.int64)))
    if found == STUCK:
        raise position.game.broken()
    return found


def divide(position: Position, depth: int) -> dict[str, int]:
    """Perft of each move: where two engines differ, this leads to the position at fault."""
    if depth < 1:
        raise BadValue(f"a depth to divide is a whole number from 1, not {depth!r}")
    return {move: perft(position.play(move), depth - 1) for move in position.legal_moves}


@kernel
def leaves(states: npt.NDArray[np.void], buffers: npt.NDArray[np.int16], left: npt.NDArray[np.int64]) -> int:
    """Depth-first without recursion: at level d, `left[d]` of the actions in `buffers[d]` are still to be played.

    Returns STUCK if a list of legal actions is empty or too long.
    """
    last, seats = len(states) - 1, int(states[0].seats)
    total, level, entered = 0, 0, True
    while level >= 0:
        if entered:
            over = bool(states[level].over)
            left[level] = 0 if over else listing(states[level], buffers[level], seats)
            if left[level] == BROKEN and not over:
                return STUCK
            entered = False
        if level == last:
            total += left[level]
            left[level] = 0
        if left[level] == 0:
            level -= 1
        else:
            left[level] -= 1
            states[level + 1] = states[level]
            play(states[level + 1], int(buffers[level, left[level]]))
            level += 1
            entered = True
    return total
