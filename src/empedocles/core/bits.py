"""Bitboards: `uint64` arithmetic that means the same interpreted and compiled.

NumPy scalars warn on overflow, mix badly with signed integers and know no bit count, so the rules touch bits only
through these functions and the plain operators `& | ^ ~` between `uint64` values.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numba.extending import overload

from empedocles.core.kernel import Actions, Words, kernel, tiny_kernel

NONE = np.uint64(0)
ONE = np.uint64(1)
WORD = 0xFFFF_FFFF_FFFF_FFFF  # the mask that makes a Python integer behave like a uint64


@tiny_kernel
def bit(index: int) -> np.uint64:
    return ONE << np.uint64(index)


@tiny_kernel
def has(bits: np.uint64, index: int) -> bool:
    return (bits >> np.uint64(index)) & ONE != NONE  # type: ignore[no-any-return]


@tiny_kernel
def left(bits: np.uint64, by: int) -> np.uint64:
    return bits << np.uint64(by)


@tiny_kernel
def right(bits: np.uint64, by: int) -> np.uint64:
    return bits >> np.uint64(by)


def count(bits: np.uint64) -> int:
    return int(bits).bit_count()


@overload(count)
def _count(bits):  # type: ignore[no-untyped-def]  # noqa: ARG001
    # The textbook sum of neighbouring bit fields; LLVM recognises it and emits one popcnt.
    pairs, fours, bytes_, sum_ = (
        np.uint64(0x5555_5555_5555_5555),
        np.uint64(0x3333_3333_3333_3333),
        np.uint64(0x0F0F_0F0F_0F0F_0F0F),
        np.uint64(0x0101_0101_0101_0101),
    )
    one, two, four, top = np.uint64(1), np.uint64(2), np.uint64(4), np.uint64(56)

    def compiled(bits):  # type: ignore[no-untyped-def]
        x = np.uint64(bits)
        x -= (x >> one) & pairs
        x = (x & fours) + ((x >> two) & fours)
        x = (x + (x >> four)) & bytes_
        return np.int64((x * sum_) >> top)

    return compiled


@tiny_kernel
def first(bits: np.uint64) -> int:
    """Index of the lowest bit; `bits` is not empty."""
    return count(~bits & (bits - ONE))


@tiny_kernel
def rest(bits: np.uint64) -> np.uint64:
    """All but the lowest bit; `bits` is not empty."""
    return bits & (bits - ONE)


@kernel
def numbered(bits: np.uint64, base: int, out: Actions, n: int) -> int:
    """List the action `base` + index for each member of a set, from place n on. Returns the new length of the list.

    Like `kernel.listed`, it writes nothing past the end of its buffer.
    """
    after = n + count(bits)
    if after > len(out):
        return after
    while bits:
        out[n] = base + first(bits)
        n += 1
        bits = rest(bits)
    return after


def members(bits: np.uint64 | int | Sequence[np.uint64] | Words) -> list[int]:
    """The indices of all bits, for code that is not a kernel. Index i of several words is bit i & 63 of word i >> 6."""
    words = bits if isinstance(bits, Sequence | np.ndarray) else (bits,)
    found, todo = [], sum(int(word) << 64 * k for k, word in enumerate(words))
    while todo:
        found.append((todo & -todo).bit_length() - 1)
        todo &= todo - 1
    return found


def two_words(indices: Iterable[int]) -> tuple[np.uint64, np.uint64]:
    """A set of indices below 128 as two words, which `members` lists again."""
    both = sum(1 << index for index in indices)
    return np.uint64(both & WORD), np.uint64(both >> 64)


def mix(word: np.uint64) -> np.uint64:
    """A bijection that scatters every input bit over the whole word (the finaliser of SplitMix64)."""
    x = int(word)
    x = ((x ^ (x >> 30)) * 0xBF58_476D_1CE4_E5B9) & WORD
    x = ((x ^ (x >> 27)) * 0x94D0_49BB_1331_11EB) & WORD
    return np.uint64(x ^ (x >> 31))


@overload(mix)
def _mix(word):  # type: ignore[no-untyped-def]  # noqa: ARG001
    a, b = np.uint64(0xBF58_476D_1CE4_E5B9), np.uint64(0x94D0_49BB_1331_11EB)
    s30, s27, s31 = np.uint64(30), np.uint64(27), np.uint64(31)

    def compiled(word):  # type: ignore[no-untyped-def]
        x = np.uint64(word)
        x = (x ^ (x >> s30)) * a
        x = (x ^ (x >> s27)) * b
        return x ^ (x >> s31)

    return compiled


@kernel
def stir(key: np.uint64, word: np.uint64) -> np.uint64:
    """Mix one more word into a running hash."""
    return mix(left(key, 1) ^ right(key, 63) ^ mix(word ^ SALT))


SALT = np.uint64(0x9E37_79B9_7F4A_7C15)  # mix(0) is 0: without salt, empty fields would not count
