"""The memory in which an exact solver works, the same in Python and in a browser."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from empedocles.core.kernel import State

Leads = npt.NDArray[np.int32]  # in points, of the seat to move


class Room(NamedTuple):
    """How much memory an exact solver needs."""

    numbers: tuple[int, int]  # rows and columns
    memo: int  # numbers to remember
    levels: int  # states, each with a list of actions


class Work(NamedTuple):
    """The memory of an exact solver; it begins with zeros, and what the solver leaves there may stay."""

    numbers: npt.NDArray[np.int64]
    memo: npt.NDArray[np.int16]
    states: npt.NDArray[np.void]
    out: npt.NDArray[np.int16]  # a row for each state


def new_work(room: Room, state: np.dtype[State], max_legal: int) -> Work:
    return Work(
        np.zeros(room.numbers, np.int64),
        np.zeros(room.memo, np.int16),
        np.zeros(room.levels, state),
        np.zeros((room.levels, max_legal), np.int16),
    )
