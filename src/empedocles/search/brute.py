"""Brute force: the result of best play by trying everything, without an evaluation, for games between two.

Slow and simple: it shares nothing with the other searches, so it can check what they say.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from empedocles.core.kernel import BROKEN, CHANCE, Worths, kernel, listing, play, returns
from empedocles.errors import Unsolvable
from empedocles.position import Position

DEEPEST = 400  # moves
MOST_NODES = 10**8
UNKNOWN = 2  # instead of a result


def results(position: Position, nodes: int = MOST_NODES) -> dict[str, int]:
    """What each move leads to under best play, for the player to move: 1, 0 or −1.

    Raises Unsolvable if that takes more than so many nodes, or luck has a say.
    """
    if position.seats != 2 or position.to_move in (None, CHANCE):
        raise Unsolvable(f"brute force is for decisions between two players, not {position.text}")
    states = np.zeros(DEEPEST, position.game.rules.state)
    buffers = np.empty((DEEPEST, position.game.max_legal), np.int16)
    levels, count, found = np.zeros((DEEPEST, 3), np.int64), np.zeros(1, np.int64), {}
    for move in position.legal_moves:
        states[0] = position.play(move).state
        worth = int(explored(states, buffers, levels, np.zeros(2, np.float32), count, nodes))
        if worth == UNKNOWN:
            raise Unsolvable(f"more than {nodes} nodes, or luck: {position.text}")
        found[move] = -worth if position.to_move else worth
    return found


@kernel
def explored(
    states: npt.NDArray[np.void],
    buffers: npt.NDArray[np.int16],
    levels: npt.NDArray[np.int64],
    result: Worths,
    count: npt.NDArray[np.int64],
    most: int,
) -> int:
    """What the first state is worth to the first seat, depth-first without recursion.

    A level has the actions left to try, and the worst and the best that is still open: once they meet, nothing else
    matters there.
    """
    level, entered = 0, True
    levels[0, 1], levels[0, 2] = -1, 1
    while True:
        worth = UNKNOWN
        if entered:
            count[0] += 1
            if states[level].over:
                returns(states[level], result)
                worth = 1 if result[0] > 0 else -1 if result[0] < 0 else 0
            else:
                levels[level, 0] = listing(states[level], buffers[level], 2)
                if levels[level, 0] == BROKEN or states[level].mover == CHANCE or count[0] > most:
                    return UNKNOWN
            entered = False
        if worth == UNKNOWN and (levels[level, 0] == 0 or levels[level, 1] >= levels[level, 2]):
            worth = levels[level, 1 if states[level].mover == 0 else 2]
        if worth == UNKNOWN:
            if level + 1 == len(states):
                return UNKNOWN
            levels[level, 0] -= 1
            states[level + 1] = states[level]
            play(states[level + 1], int(buffers[level, levels[level, 0]]))
            levels[level + 1, 1], levels[level + 1, 2] = levels[level, 1], levels[level, 2]
            level, entered = level + 1, True
        elif level == 0:
            return int(worth)
        else:
            level -= 1
            if states[level].mover == 0:
                levels[level, 1] = max(levels[level, 1], worth)
            else:
                levels[level, 2] = min(levels[level, 2], worth)
