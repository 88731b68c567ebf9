"""exp, log and tanh with the same bits on every back-end: a library's differ from machine to machine.

Sums, products, quotients and powers of two are rounded alike everywhere, as long as nobody joins a product and a sum
into one operation: compilers for CPUs do so only where they are asked to (`fastmath`), those for GPUs unless a product
is made by `times`. The polynomials are those of Sun Microsystems' fdlibm. Errors are below 1 unit in the last place for
exp and log, and about 2 at most for tanh.
"""

from __future__ import annotations

import math

import numpy as np
from numba.core.target_extension import current_target
from numba.extending import overload

from empedocles.core.kernel import kernel

LN2 = (6.93147180369123816490e-01, 1.90821492927058770002e-10)  # two parts: multiples of the first are exact
PER_LN2 = 1.44269504088896338700
LARGEST, SMALLEST = 709.782712893384, -745.2  # beyond these exp is infinite, or 0
STEEP, FLAT = 0.45, 22.0  # up to the first, tanh is far from 1; from the second on, it is 1

HALFWAY = 540
POWERS = np.array([2.0**k for k in range(-HALFWAY, HALFWAY + 1)])  # squared, they reach any number


def times(a: float, b: float) -> float:
    """A product that is rounded before anything is added to it."""
    return a * b


@overload(times)
def _times(a, b):  # type: ignore[no-untyped-def]  # noqa: ARG001
    if current_target() == "cuda":
        from numba.cuda import libdevice

        return lambda a, b: libdevice.dmul_rn(a, b)  # noqa: PLW0108
    return lambda a, b: a * b


@kernel
def exp(x: float) -> float:
    if not SMALLEST <= x <= LARGEST:
        return 0.0 if x < 0 else x + math.inf  # nan stays nan
    k, more = reduced(x)
    # In two steps: each power of two is a number, and only the last product can be rounded.
    return float((1 + more) * POWERS[HALFWAY + (k >> 1)] * POWERS[HALFWAY + k - (k >> 1)])


@kernel
def tanh(x: float) -> float:
    size = abs(x)
    if size > FLAT:
        return -1.0 if x < 0 else 1.0
    if math.isnan(x):
        return math.nan
    k, more = reduced(2.0 * size if size > STEEP else -2.0 * size)
    power = POWERS[HALFWAY + k]
    t = more * power + (power - 1)  # e^(±2 size) − 1
    worth = float(1 - 2 / (2 + t) if size > STEEP else (0 - t) / (2 + t))
    return -worth if x < 0 else worth


@kernel
def reduced(x: float) -> tuple[int, float]:
    """K and e^r − 1, where x = k × ln 2 + r and |r| ≤ ln 2 / 2."""
    k = int(times(x, PER_LN2) + (0.5 if x > 0 else -0.5))
    high, low = x - times(k, LN2[0]), times(k, LN2[1])
    r = high - low
    t = times(r, r)
    p = 1.65339022054652515390e-06 - times(t, 4.13813679705723846039e-08)
    p = 6.61375632143793436117e-05 - times(t, p)
    p = 2.77777777770155933842e-03 - times(t, p)
    p = 1.66666666666666019037e-01 - times(t, p)
    c = r - times(t, p)
    return k, float(high - (low - times(r, c) / (2 - c)))


@kernel
def log(x: float) -> float:
    if not 0 < x < math.inf:
        return -math.inf if x == 0 else math.inf if x > 0 else math.nan
    k, m = 0, float(x)
    for half in range(10, -1, -1):  # bring m between 1 and 2, by powers of two
        step = 1 << min(half, 9)
        if m >= POWERS[HALFWAY + step]:
            m, k = m * POWERS[HALFWAY - step], k + step
        elif m < POWERS[HALFWAY + 1 - step]:
            m, k = m * POWERS[HALFWAY + step], k - step
    if m > math.sqrt(2):
        m, k = m / 2, k + 1
    f = m - 1
    s = f / (2 + f)
    z = times(s, s)
    w = times(z, z)
    even = times(w, 2.222219843214978396e-01 + times(w, 1.531383769920937332e-01))
    even = times(w, 3.999999999940941908e-01 + even)
    odd = times(w, 1.818357216161805012e-01 + times(w, 1.479819860511658591e-01))
    odd = times(w, 2.857142874366239149e-01 + odd)
    odd = times(z, 6.666666666666735130e-01 + odd)
    half_square = times(0.5 * f, f)
    rest = times(s, half_square + (odd + even)) + times(k, LN2[1])
    return float(times(k, LN2[0]) - ((half_square - rest) - f))
