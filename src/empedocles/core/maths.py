"""exp, log and tanh with the same bits on every back-end: a library's differ from machine to machine.

Sums, products and quotients are rounded alike everywhere, as long as nobody joins a product and a sum into one
operation. Compilers for CPUs do so only where they are asked to (`fastmath`), those for GPUs unless a product is made
by `times`. The polynomials are those of Sun Microsystems' fdlibm. Errors are below 1 unit in the last place for exp and
log, and about 3 at most for tanh.
"""

from __future__ import annotations

import math
import struct

from llvmlite import ir
from numba.core.target_extension import current_target
from numba.core.types import float64, int64
from numba.extending import intrinsic, overload

from empedocles.core.kernel import kernel

LN2 = (6.93147180369123816490e-01, 1.90821492927058770002e-10)  # two parts: multiples of the first are exact
PER_LN2 = 1.44269504088896338700
LARGEST, SMALLEST = 709.782712893384, -745.2  # beyond these exp is infinite, or 0
FLAT = 22.0  # from here on tanh is 1
FRACTION, BIAS = 52, 1023  # bits of a number's fraction; what is added to its exponent, which follows them
ONE, ROOT = BIAS << FRACTION, 0x3FE6_A09E_667F_3BCD  # the bits of 1 and √½
NORMAL, SHIFT = 2.0**-1022, 54  # smaller numbers have no exponent of their own, until they are shifted


@kernel
def exp(x: float) -> float:
    if not SMALLEST <= x <= LARGEST:
        return 0.0 if x < 0 else x + math.inf  # nan stays nan
    k, high, low = reduced(x)
    c = curve(high - low)
    found = 1 + (high - (low - times(high - low, c) / (2 - c)))
    if -BIAS < k <= BIAS:
        return found * power(k)
    return found * power(k >> 1) * power(k - (k >> 1))  # of which only the last is rounded


@kernel
def tanh(x: float) -> float:
    """(e^2x − 1) / (e^2x + 1), where e^2x = 2^k (2 − c + 2r) / (2 − c): one division is enough."""
    size = abs(x)
    if size > FLAT:
        return -1.0 if x < 0 else 1.0
    if math.isnan(x):
        return math.nan
    k, high, low = reduced(2.0 * size)
    r = high - low
    two_less_c, double = 2 - curve(r), 2 * power(k) * r
    worth = (double + times(power(k) - 1, two_less_c)) / (double + times(power(k) + 1, two_less_c))
    return -worth if x < 0 else worth


@kernel
def reduced(x: float) -> tuple[int, float, float]:
    """The k, high and low for which x = k × ln 2 + high − low, where |high − low| ≤ ln 2 / 2."""
    k = int(times(x, PER_LN2) + (0.5 if x > 0 else -0.5))
    return k, x - times(k, LN2[0]), times(k, LN2[1])


@kernel
def curve(r: float) -> float:
    """The c for which e^r = 1 + 2r / (2 − c)."""
    t = times(r, r)
    p = 1.65339022054652515390e-06 - times(t, 4.13813679705723846039e-08)
    p = 6.61375632143793436117e-05 - times(t, p)
    p = 2.77777777770155933842e-03 - times(t, p)
    p = 1.66666666666666019037e-01 - times(t, p)
    return r - times(t, p)


@kernel
def log(x: float) -> float:
    if not 0 < x < math.inf:
        return -math.inf if x == 0 else math.inf if x > 0 else math.nan
    shift = 0 if x >= NORMAL else SHIFT
    bits = bits_of(x * power(shift))
    k = (bits + ONE - ROOT >> FRACTION) - BIAS
    f = number_of(bits - (k << FRACTION)) - 1  # from √½ − 1 to √2 − 1
    k -= shift
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
    return times(k, LN2[0]) - ((half_square - rest) - f)


@kernel
def power(k: int) -> float:
    """2^k, where that is a normal number."""
    return number_of((k + BIAS) << FRACTION)


# ── Numbers as machines see them: interpreted, compiled, and on GPUs ─────────────────────────────────────────────────


def times(a: float, b: float) -> float:
    """A product that is rounded before anything is added to it."""
    return float(a * b)


def bits_of(x: float) -> int:
    bits: int = struct.unpack("<q", struct.pack("<d", x))[0]
    return bits


def number_of(bits: int) -> float:
    x: float = struct.unpack("<d", struct.pack("<q", bits))[0]
    return x


@intrinsic
def _bits_of(_typing, x):  # type: ignore[no-untyped-def]  # noqa: ARG001
    return int64(float64), lambda _context, builder, _signature, args: builder.bitcast(args[0], ir.IntType(64))


@intrinsic
def _number_of(_typing, bits):  # type: ignore[no-untyped-def]  # noqa: ARG001
    return float64(int64), lambda _context, builder, _signature, args: builder.bitcast(args[0], ir.DoubleType())


@overload(times)
def _compiled_times(a, b):  # type: ignore[no-untyped-def]  # noqa: ARG001
    if current_target() == "cuda":
        from numba.cuda import libdevice

        return lambda a, b: libdevice.dmul_rn(a, b)  # noqa: PLW0108
    return lambda a, b: a * b


@overload(bits_of)
def _compiled_bits_of(x):  # type: ignore[no-untyped-def]  # noqa: ARG001
    if current_target() == "cuda":
        from numba.cuda import libdevice

        return lambda x: libdevice.double_as_longlong(x)  # noqa: PLW0108
    return lambda x: _bits_of(x)  # noqa: PLW0108


@overload(number_of)
def _compiled_number_of(bits):  # type: ignore[no-untyped-def]  # noqa: ARG001
    if current_target() == "cuda":
        from numba.cuda import libdevice

        return lambda bits: libdevice.longlong_as_double(bits)  # noqa: PLW0108
    return lambda bits: _number_of(bits)  # noqa: PLW0108
