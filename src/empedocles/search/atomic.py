"""Numbers in arrays that several threads of a CPU change at the same time.

Interpreted code has one thread, and plain Python; so has a GPU, where every tree belongs to a thread of its own.
"""

from __future__ import annotations

from types import FunctionType
from typing import Any

import numpy as np
import numpy.typing as npt
from numba.core import cgutils, types
from numba.core.target_extension import current_target
from numba.extending import intrinsic, overload

Numbers = npt.NDArray[np.signedinteger[Any]]


def add(array: Numbers, index: int, value: int) -> int:
    """Add to one number, and return what it was."""
    before = int(array[index])
    array[index] = before + value
    return before


def claim(array: Numbers, index: int, expected: int, value: int) -> bool:
    """Replace one number if it is as expected: of several threads that try, one succeeds."""
    if array[index] != expected:
        return False
    array[index] = value
    return True


def publish(array: Numbers, index: int, value: int) -> None:
    """Set one number; a thread that sees it also sees all that this one wrote before."""
    array[index] = value


def _place(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    """A pointer to the number, and the values that follow, in the number's type."""
    array = context.make_array(signature.args[0])(context, builder, args[0])
    place = cgutils.get_item_pointer(context, builder, signature.args[0], array, [args[1]])
    return place, *args[2:]


@intrinsic
def _add(_typing, array, index, value):  # type: ignore[no-untyped-def]  # noqa: ARG001
    def code(context, builder, signature, args):  # type: ignore[no-untyped-def]
        place, value = _place(context, builder, signature, args)
        return builder.atomic_rmw("add", place, value, "monotonic")

    return array.dtype(array, types.intp, array.dtype), code


@intrinsic
def _claim(_typing, array, index, expected, value):  # type: ignore[no-untyped-def]  # noqa: ARG001
    def code(context, builder, signature, args):  # type: ignore[no-untyped-def]
        place, expected, value = _place(context, builder, signature, args)
        return builder.extract_value(builder.cmpxchg(place, expected, value, "acq_rel", "acquire"), 1)

    return types.boolean(array, types.intp, array.dtype, array.dtype), code


@intrinsic
def _publish(_typing, array, index, value):  # type: ignore[no-untyped-def]  # noqa: ARG001
    def code(context, builder, signature, args):  # type: ignore[no-untyped-def]
        place, value = _place(context, builder, signature, args)
        builder.store_atomic(value, place, "release", signature.args[0].dtype.bitwidth // 8)

    return types.none(array, types.intp, array.dtype), code


def _bare(function: Any) -> Any:
    """A copy without annotations, which Numba would compare with those of its overload."""
    return FunctionType(function.__code__, function.__globals__)


@overload(add)
def _overload_add(array, index, value):  # type: ignore[no-untyped-def]  # noqa: ARG001
    if current_target() == "cuda":
        return _bare(add)
    return lambda array, index, value: _add(array, index, value)  # noqa: PLW0108


@overload(claim)
def _overload_claim(array, index, expected, value):  # type: ignore[no-untyped-def]  # noqa: ARG001
    if current_target() == "cuda":
        return _bare(claim)
    return lambda array, index, expected, value: _claim(array, index, expected, value)  # noqa: PLW0108


@overload(publish)
def _overload_publish(array, index, value):  # type: ignore[no-untyped-def]  # noqa: ARG001
    if current_target() == "cuda":
        return _bare(publish)
    return lambda array, index, value: _publish(array, index, value)  # noqa: PLW0108
