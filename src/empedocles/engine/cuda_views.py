"""Observations on a GPU: what seats see of many states, a thread for each. Imported only when a GPU is asked for."""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np
from numba import cuda

from empedocles.core.kernel import observe
from empedocles.engine.cuda import WARP, Launch, gpu_kernel
from empedocles.engine.device_array import DeviceArray
from empedocles.engine.environments import Array, word_type
from empedocles.game import Game

PART = 32_768  # states that are observed at a time
TILES = 8  # transposed per block
TILE = WARP, WARP + 1  # a column more: so no two lanes meet in a memory bank


def bytes_of_views(game: Game, n: int) -> int:
    """The memory that views of n states take."""
    return 4 * math.prod(game.needed_view().shape) * (n + min(n, PART))


class Views:
    """Room for the observations of n states of a game, which each call overwrites."""

    def __init__(self, game: Game, n: int) -> None:
        shape, state = game.needed_view().shape, game.rules.state
        self._part = min(n, PART)
        self._observe = Launch(_observe_kernel(state, word_type(state)), self._part)
        across, down = -(-self._part // WARP), -(-math.prod(shape) // (WARP * TILES))
        self._transpose = Launch(_transpose, (across, down), WARP)
        self._side_by_side = cuda.device_array((*shape, self._part), np.float32)
        self.planes = DeviceArray(cuda.device_array((n, *shape), np.float32))

    def observe(self, words: Array, seats: Array) -> DeviceArray:
        """What these seats see of the states whose memory this is."""
        # Each thread writes the planes of one state: that is fast only if those of all lie side by side.
        flat, planes = self._side_by_side.reshape(-1, self._part), self.planes.data.reshape(len(self.planes), -1)
        for first in range(0, len(self.planes), self._part):
            self._observe(words, seats, first, self._side_by_side)
            self._transpose(flat, planes, first)
        return self.planes


@functools.cache
def _observe_kernel(state: np.dtype[Any], word: np.dtype[Any]) -> Any:
    size = state.itemsize // word.itemsize

    def observe_one(words: Array, seats: Array, first: int, planes: Array) -> None:
        k = cuda.grid(1)
        i = first + k
        if k < planes.shape[3] and i < len(words):
            mine = cuda.local.array(size, word)
            for w in range(size):
                mine[w] = words[i, w]
            observe(mine.view(state)[0], max(int(seats[i]), 0), planes[:, :, :, k])

    return gpu_kernel(observe_one)


@gpu_kernel
def _transpose(side_by_side: Array, planes: Array, first: int) -> None:
    """Lay a part's environments one after another, tile by tile: so the memory is read and written in rows."""
    tile = cuda.shared.array(TILE, np.float32)
    lane, i, k = cuda.threadIdx.x, cuda.blockIdx.x * WARP, cuda.blockIdx.y * WARP * TILES
    squares, n = len(side_by_side), min(side_by_side.shape[1], len(planes) - first)
    for corner in range(k, min(k + WARP * TILES, squares), WARP):
        for row in range(WARP):
            if corner + row < squares and i + lane < n:
                tile[row, lane] = side_by_side[corner + row, i + lane]
        cuda.syncthreads()
        for row in range(WARP):
            if corner + lane < squares and i + row < n:
                planes[first + i + row, corner + lane] = tile[lane, row]
        cuda.syncthreads()
