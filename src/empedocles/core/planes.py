"""What the views of games share: planes with one number everywhere, and the ways to lay a board on itself."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from empedocles.core.kernel import Planes, kernel

Grid = npt.NDArray[np.intp]

# Names fit boards whose row 0 is the lowest. A rectangle keeps its shape under the first four only.
TURNS: dict[str, Callable[[Grid], Grid]] = {
    "as it is": lambda grid: grid,
    "left and right exchanged": np.fliplr,
    "top and bottom exchanged": np.flipud,
    "half a turn": lambda grid: np.rot90(grid, 2),
    "rows and columns exchanged": np.transpose,
    "a quarter turn to the right": np.rot90,
    "a quarter turn to the left": lambda grid: np.rot90(grid, 3),
    "rows and columns exchanged, half a turn": lambda grid: np.rot90(grid, 2).T,
}


@kernel
def fill(planes: Planes, k: int, value: float) -> None:
    """Give every square of a plane the same number."""
    planes[k] = value
