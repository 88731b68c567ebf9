"""Perft: how many sequences of moves of a given length there are. Two engines that agree are probably both right."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from empedocles.errors import BadValue
from empedocles.kernel import kernel, legal, play
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
    return int(leaves(states, buffers, np.zeros(depth, np.int64)))


def divide(position: Position, depth: int) -> dict[str, int]:
    """Perft of each move: where two engines differ, this leads to the position at fault."""
    if depth < 1:
        raise BadValue(f"a depth to divide is a whole number from 1, not {depth!r}")
    return {move: perft(position.play(move), depth - 1) for move in position.legal_moves}


@kernel
def leaves(states: npt.NDArray[np.void], buffers: npt.NDArray[np.int16], left: npt.NDArray[np.int64]) -> int:
    """Depth-first without recursion: at level d, `left[d]` of the actions in `buffers[d]` are still to be played."""
    last = len(states) - 1
    total, level = 0, 0
    left[0] = legal(states[0], buffers[0])
    while level >= 0:
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
            left[level] = legal(states[level], buffers[level])
    return total
