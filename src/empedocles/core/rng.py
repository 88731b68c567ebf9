"""Counter-based random numbers: a draw depends on a seed and a counter alone, on every back-end."""

from __future__ import annotations

from typing import Any

import numpy as np

from empedocles.core.bits import right, stir
from empedocles.core.kernel import kernel
from empedocles.errors import BadValue


@kernel
def random_word(seed: np.uint64, counter: int) -> np.uint64:
    return stir(seed, np.uint64(counter))


@kernel
def draw(seed: np.uint64, counter: int, n: int) -> int:
    """One of 0 … n−1, uniform up to a bias below n / 2³²."""
    # 32-bit factors: the product fits a word, and a multiplication is cheaper than a division.
    return int(right(right(random_word(seed, counter), 32) * np.uint64(n), 32))


@kernel
def normal(seed: np.uint64, counter: int) -> float:
    """About normal, with mean 0 and variance 1: the sum of twelve uniform numbers."""
    total = 0
    for k in range(3):
        word = random_word(random_word(seed, counter), k)
        for shift in range(0, 64, 16):
            total += int(right(word, shift) & LOW)
    return (total - 6 * 0xFFFF) / 0x1_0000


LOW = np.uint64(0xFFFF)


def checked_seed(seed: Any) -> int:
    """A seed from outside, checked, since kernels trust it."""
    if not isinstance(seed, (int, np.integer)) or isinstance(seed, bool) or not 0 <= seed < 2**64:
        raise BadValue(f"a seed is a whole number from 0 to 2**64 - 1, not {seed!r}")
    return int(seed)
