"""Arrays in a GPU's memory that other libraries can use where they lie: Numba's, with DLPack added.

PyTorch and CuPy read Numba's `__cuda_array_interface__`; JAX reads DLPack, which Numba's arrays lack.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import numpy.typing as npt

CPU, CUDA = 1, 2  # DLPack's numbers of devices
LEGACY_STREAM = 1  # DLPack's word for CUDA's default stream, on which batches work
NO_WAITING = -1
KINDS = {"i": 0, "u": 1, "f": 2, "b": 6}  # DLPack's numbers of NumPy's kinds
UNUSED = b"dltensor"  # a capsule's name until somebody takes the tensor out of it

Deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
Destructor = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class _Tensor(ctypes.Structure):
    """DLManagedTensor of dlpack.h, its parts in a row."""

    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("kind", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),  # none: rows without gaps
        ("byte_offset", ctypes.c_uint64),
        ("context", ctypes.c_void_p),
        ("deleter", Deleter),
    )


_lent: dict[int, tuple[_Tensor, object]] = {}  # address of a tensor → it, and who owns its memory


def _forget(tensor: int) -> None:
    _lent.pop(tensor, None)


_python = ctypes.PyDLL(None)  # this process: Python's own functions, with the types that they have here
_new_capsule, _is_valid, _pointer = _python.PyCapsule_New, _python.PyCapsule_IsValid, _python.PyCapsule_GetPointer
_new_capsule.argtypes, _new_capsule.restype = (ctypes.c_void_p, ctypes.c_char_p, Destructor), ctypes.py_object
_is_valid.argtypes, _is_valid.restype = (ctypes.c_void_p, ctypes.c_char_p), ctypes.c_int
_pointer.argtypes, _pointer.restype = (ctypes.c_void_p, ctypes.c_char_p), ctypes.c_void_p


def _forget_unused(capsule: int) -> None:
    if _is_valid(capsule, UNUSED):
        _forget(_pointer(capsule, UNUSED))


_delete, _destroy = Deleter(_forget), Destructor(_forget_unused)
# Other libraries call these while the interpreter shuts down, when modules are emptied already.
for _callback in (_delete, _destroy):
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(_callback))


def capsule(address: int, shape: tuple[int, ...], dtype: npt.DTypeLike, device: tuple[int, int], owner: object) -> Any:
    """A DLPack capsule of an array without gaps; its owner is kept until nobody uses it any more."""
    dtype = np.dtype(dtype)
    sizes = (ctypes.c_int64 * len(shape))(*shape)
    kind, bits = KINDS[dtype.kind], 8 * dtype.itemsize
    tensor = _Tensor(address, *device, len(shape), kind, bits, 1, sizes, None, 0, None, _delete)
    _lent[ctypes.addressof(tensor)] = tensor, owner
    return _new_capsule(ctypes.addressof(tensor), UNUSED, _destroy)


class DeviceArray:
    """An array of a batch on the GPU: shared with PyTorch, JAX, CuPy and Numba, not copied.

    `torch.as_tensor(array, device="cuda")`, `jax.dlpack.from_dlpack(array)`, `cupy.asarray(array)`; `array.numpy()`
    copies it to the host. The batch writes into it again at its next step: what is to stay needs `copy()`.
    """

    def __init__(self, data: Any) -> None:
        self.data = data  # Numba's array
        self.shape: tuple[int, ...] = tuple(data.shape)
        self.dtype = np.dtype(data.dtype)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        found: dict[str, Any] = self.data.__cuda_array_interface__
        return found

    def __dlpack_device__(self) -> tuple[int, int]:
        from numba import cuda

        return CUDA, cuda.get_current_device().id

    def __dlpack__(
        self, *, stream: Any = None, max_version: Any = None, dl_device: Any = None, copy: Any = None
    ) -> Any:
        """See the array API standard. On any stream but the default one, it waits until the array is ready."""
        from numba import cuda

        if copy or dl_device not in (None, self.__dlpack_device__()):
            raise BufferError("this array is shared where it lies; copy() or numpy() make copies")
        if stream not in (None, LEGACY_STREAM, NO_WAITING):
            cuda.synchronize()
        address = self.__cuda_array_interface__["data"][0]
        return capsule(address, self.shape, self.dtype, self.__dlpack_device__(), self.data)

    def copy(self) -> DeviceArray:
        from numba import cuda

        twin = cuda.device_array(self.shape, self.dtype)
        twin.copy_to_device(self.data)
        return DeviceArray(twin)

    def numpy(self) -> npt.NDArray[Any]:
        host: npt.NDArray[Any] = self.data.copy_to_host()
        return host

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        return f"<DeviceArray {self.shape} {self.dtype} on the GPU>"


def is_on_gpu(given: Any) -> bool:
    # Numba's own arrays are asked first: simulated ones lack the interface.
    if isinstance(given, DeviceArray) or hasattr(given, "__cuda_ndarray__"):
        return True
    return hasattr(given, "__cuda_array_interface__")


def borrowed(array: Any) -> Any:
    """Numba's view of an array on the GPU, whoever's it is."""
    from numba import cuda

    if isinstance(array, DeviceArray):
        return array.data
    return array if hasattr(array, "__cuda_ndarray__") else cuda.as_cuda_array(array)
