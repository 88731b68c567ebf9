"""exp, log and tanh of our own: as exact as a library's, and the same bits on every back-end."""

from __future__ import annotations

import math
import os
import random
import subprocess
import sys
from collections.abc import Callable
from decimal import Decimal, localcontext

import pytest

from empedocles.core import maths

LUCK = random.Random(7)
EXPONENTS = [LUCK.choice((LUCK.uniform(-30, 1), LUCK.uniform(-700, 709), LUCK.gauss(0, 1e-3))) for _ in range(3000)]
ANGLES = [LUCK.choice((LUCK.uniform(-3, 3), LUCK.uniform(-21, 21), 10 ** LUCK.uniform(-9, 0))) for _ in range(3000)]
NUMBERS = [LUCK.choice((float(LUCK.randint(2, 10**7)), 10 ** LUCK.uniform(-307, 300))) for _ in range(3000)]
NUMBERS += [1 + LUCK.gauss(0, 0.01) for _ in range(1000)]


def exact_tanh(x: Decimal) -> Decimal:
    power = (2 * x).exp()
    return (power - 1) / (power + 1)


@pytest.mark.parametrize(
    ("function", "exact", "arguments", "most"),
    [
        (maths.exp, Decimal.exp, EXPONENTS, 1),
        (maths.log, Decimal.ln, NUMBERS, 1),
        (maths.tanh, exact_tanh, ANGLES, 3),
    ],
)
def test_errors_are_small(
    function: Callable[[float], float], exact: Callable[[Decimal], Decimal], arguments: list[float], most: float
) -> None:
    """In units in the last place."""
    with localcontext() as context:
        context.prec = 40
        for x in arguments:
            found = function(x)
            assert abs(Decimal(found) - exact(Decimal(x))) <= Decimal(most * math.ulp(found)), x


@pytest.mark.parametrize(
    "x", [-math.inf, -800.0, -745.0, -0.0, 0.0, 5e-324, 1.0, 22.5, 709.7, 709.8, math.inf, math.nan]
)
def test_the_ends_are_those_of_math(x: float) -> None:
    try:
        expected = math.exp(x)
    except OverflowError:
        expected = math.inf
    assert maths.exp(x) == pytest.approx(expected, rel=1e-15, abs=0, nan_ok=True)
    assert maths.tanh(x) == pytest.approx(math.tanh(x), rel=1e-15, abs=0, nan_ok=True)
    if x > 0:
        assert maths.log(x) == pytest.approx(math.log(x), rel=1e-15, abs=0, nan_ok=True)
    assert maths.log(0.0) == -math.inf
    assert math.isnan(maths.log(-1.0))


SAME = """
import hashlib, test_maths as t
from empedocles.core import maths
found = [*map(maths.exp, t.EXPONENTS), *map(maths.tanh, t.ANGLES), *map(maths.log, t.NUMBERS)]
print(hashlib.sha256("".join(x.hex() for x in found).encode()).hexdigest())
"""


def test_bits_are_the_same_interpreted_and_compiled() -> None:
    there = {"PYTHONPATH": os.pathsep.join(sys.path)}
    hashes = {
        subprocess.run(
            [sys.executable, "-c", SAME],
            check=True,
            capture_output=True,
            text=True,
            env=os.environ | there | {"NUMBA_DISABLE_JIT": interpreted},
        ).stdout
        for interpreted in ("0", "1")
    }
    assert len(hashes) == 1
