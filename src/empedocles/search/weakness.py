"""How weak opponents see a position: misjudged and in part, by a hash of their seed and the position alone."""

from __future__ import annotations

import numpy as np

from empedocles.core.bits import right
from empedocles.core.kernel import Actions, kernel
from empedocles.core.rng import draw, random_word

MOST = 0.99  # the largest estimate: only a proof is certain


@kernel
def error(luck: np.uint64, number: int) -> float:
    """Error number `number`, about normal: the sum of four uniform numbers from −½ to ½, whose variance is ⅓."""
    word, total = random_word(luck, number), -2.0
    for k in range(4):
        total += int(right(word, 16 * k) & np.uint64(0xFFFF)) / 65536
    return total


@kernel
def seen_of(luck: np.uint64, overlooks: float, out: Actions, n: int) -> int:
    """Keep the moves that are not overlooked, at least one. Returns how many."""
    if overlooks == 0:
        return n
    seen = 0
    for k in range(n):
        if draw(luck, int(out[k]), 1 << 16) >= overlooks * (1 << 16) or (seen == 0 and k == n - 1):
            out[seen] = out[k]
            seen += 1
    return seen
