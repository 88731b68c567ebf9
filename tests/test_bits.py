"""Bit helpers: compiled and interpreted agree with plain Python integers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from empedocles.core import bits
from empedocles.core.kernel import kernel

WORD = 2**64 - 1
words = st.integers(0, WORD) | st.integers(0, 63).map(lambda k: 1 << k)


def both(function: Any) -> list[Callable[..., Any]]:
    """The compiled function and its Python source."""
    return [function, getattr(function, "py_func", function)]


@given(words, st.integers(0, 63))
def test_single_bits_and_shifts(word: int, index: int) -> None:
    x = np.uint64(word)
    for function in both(bits.bit):
        assert int(function(index)) == 1 << index
    for function in both(bits.has):
        assert bool(function(x, index)) == bool(word >> index & 1)
    for function in both(bits.left):
        assert int(function(x, index)) == (word << index) & WORD
    for function in both(bits.right):
        assert int(function(x, index)) == word >> index


@given(words.filter(bool))
def test_first_and_rest(word: int) -> None:
    x = np.uint64(word)
    for function in both(bits.first):
        assert function(x) == bits.members(x)[0]
    for function in both(bits.rest):
        assert bits.members(function(x)) == bits.members(x)[1:]


@kernel
def compiled_count(word: np.uint64) -> int:
    return bits.count(word)


@kernel
def compiled_mix(word: np.uint64) -> np.uint64:
    return bits.mix(word)


@given(words)
def test_overloads_agree_with_their_python_bodies(word: int) -> None:
    assert compiled_count(np.uint64(word)) == bits.count(np.uint64(word)) == word.bit_count()
    assert int(compiled_mix(np.uint64(word))) == int(bits.mix(np.uint64(word)))


def stirred(*words: int) -> int:
    key = np.uint64(0)
    for word in words:
        # Compiled kernels return plain integers to Python.
        key = np.uint64(bits.stir(key, np.uint64(word)))
    return int(key)


@given(words, words)
def test_stir_tells_order_and_zeros_apart(one: int, two: int) -> None:
    assert stirred(one, two) != stirred(one)
    assert stirred(one, 0) != stirred(one)
    assert one == two or stirred(one, two) != stirred(two, one)
    assert len({int(function(np.uint64(one), np.uint64(two))) for function in both(bits.stir)}) == 1
