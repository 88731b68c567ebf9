"""Arrays in a module's memory: callers of a module know places only, and kernels take arrays."""

from __future__ import annotations

from typing import Any

from numba.core import cgutils, types
from numba.extending import intrinsic
from numba.np.arrayobj import make_array, populate_array
from numba.np.numpy_support import as_dtype


@intrinsic
def array(_typing, pointer, n):  # type: ignore[no-untyped-def]  # noqa: ARG001
    """The array of n elements that a pointer points to."""

    def code(context, builder, signature, args):  # type: ignore[no-untyped-def]
        return _built(context, builder, signature.return_type, args[0], args[1:])

    return types.Array(pointer.dtype, 1, "C")(pointer, types.intp), code


@intrinsic
def rows(_typing, pointer, n, length):  # type: ignore[no-untyped-def]  # noqa: ARG001
    """The n rows that a pointer points to."""

    def code(context, builder, signature, args):  # type: ignore[no-untyped-def]
        return _built(context, builder, signature.return_type, args[0], args[1:])

    return types.Array(pointer.dtype, 2, "C")(pointer, types.intp, types.intp), code


@intrinsic
def part(_typing, address, dtype, n):  # type: ignore[no-untyped-def]  # noqa: ARG001
    """The array of n elements of a type at an address."""

    def code(context, builder, signature, args):  # type: ignore[no-untyped-def]
        kind = context.get_data_type(signature.return_type.dtype).as_pointer()
        return _built(context, builder, signature.return_type, builder.inttoptr(args[0], kind), args[2:])

    return types.Array(dtype.dtype, 1, "C")(types.uint32, dtype, types.intp), code


def _built(context: Any, builder: Any, kind: Any, data: Any, shape: Any) -> Any:
    made = make_array(kind)(context, builder)
    size = context.get_constant(types.intp, as_dtype(kind.dtype).itemsize)
    strides = [size] if kind.ndim == 1 else [builder.mul(size, shape[1]), size]
    populate_array(
        made,
        data=builder.bitcast(data, context.get_data_type(kind.dtype).as_pointer()),
        shape=cgutils.pack_array(builder, shape),
        strides=cgutils.pack_array(builder, strides),
        itemsize=size,
        meminfo=None,
    )
    return made._getvalue()
