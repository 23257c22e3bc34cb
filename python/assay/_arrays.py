"""Arrays of any library as views that the judge reads, and the judge's arrays as NumPy's: bits are copied or shared,
and no number is ever converted."""

from __future__ import annotations

import array
import ctypes
import math
import struct
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from ctypes import POINTER, c_char_p, c_int32, c_int64, c_uint32, c_uint64, c_void_p
from typing import Any

from ._native import NUMBERS, Tensor, text

try:
    import numpy
except ImportError:  # pragma: no cover
    numpy = None  # type: ignore[assignment]

INT, FLOAT, BFLOAT, E4M3FN, E5M2 = 0, 2, 4, 10, 12
CPU, CUDA = 1, 2

_BY_NAME = {
    "float64": (FLOAT, 64),
    "float32": (FLOAT, 32),
    "float16": (FLOAT, 16),
    "bfloat16": (BFLOAT, 16),
    "float8_e4m3fn": (E4M3FN, 8),
    "float8_e5m2": (E5M2, 8),
    "int64": (INT, 64),
    "int32": (INT, 32),
    "int8": (INT, 8),
}
#: Types of the judge by the name of a format, as (code, bits) of DLPack.
FORMATS = dict(zip(("f64", "f32", "f16", "bf16", "e4m3", "e5m2"), _BY_NAME.values()))
FORMATS |= {"s8": (INT, 8), "s32": (INT, 32)}
_BY_CODE = {"d": (FLOAT, 64), "f": (FLOAT, 32), "e": (FLOAT, 16), "q": (INT, 64), "i": (INT, 32), "b": (INT, 8)}


def without_warnings() -> AbstractContextManager[Any]:
    """Cases overflow on purpose: NumPy's warnings are off meanwhile."""
    return nullcontext() if numpy is None else numpy.errstate(all="ignore")


def format_name(kind: tuple[int, int]) -> str | None:
    """The format of a type, "f64"; None for a type that no operation has."""
    return next((name for name, each in FORMATS.items() if each == kind), None)


def type_name(kind: tuple[int, int]) -> str:
    """NumPy's name of a type, "int64"."""
    return next((name for name, each in _BY_NAME.items() if each == kind), f"another type of {kind[1]} bits")


def is_plain(value: Any) -> bool:
    """Whether a value is a number of Python, which has no format."""
    return isinstance(value, (bool, int, float)) and not hasattr(value, "dtype")


class View:
    """An array in the form that the judge reads. `kind`: (code, bits) of DLPack; strides in elements; `keep`: what owns
    the memory."""

    def __init__(
        self, data: int, kind: tuple[int, int], shape: tuple[int, ...], strides: tuple[int, ...] | None, keep: Any
    ):
        self.kind = kind
        self.shape = shape
        self._keep = keep
        self._shape = (c_int64 * len(shape))(*shape)
        self._strides = None if strides is None else (c_int64 * len(shape))(*strides)
        self._data = data
        self.tensor = Tensor(
            data=data,
            ndim=len(shape),
            code=kind[0],
            bits=kind[1],
            lanes=1,
            shape=ctypes.cast(self._shape, POINTER(c_int64)),
            strides=ctypes.cast(self._strides, POINTER(c_int64)) if self._strides is not None else None,
        )


    def raw(self) -> bytes:
        """The numbers, copied, the last index first."""
        width = self.kind[1] // 8
        count = math.prod(self.shape)
        if self._strides is None or list(self._strides) == contiguous(self.shape) or count < 2:
            return ctypes.string_at(self._data, count * width) if count else b""
        if numpy is not None:
            first, end = self.memory()
            held = (ctypes.c_char * (end - first)).from_address(first)
            steps = [step * width for step in self._strides]
            return numpy.ndarray(self.shape, f"V{width}", held, self._data - first, steps).tobytes()
        return b"".join(
            ctypes.string_at(self._data + place * width, width) for place in places(self.shape, self._strides)
        )

    def release(self) -> Any:
        """The array that owns the memory; it is no longer kept."""
        value, self._keep = self._keep, None
        return value[-1] if isinstance(value, tuple) else None

    def memory(self) -> tuple[int, int]:
        """The first and the last address of the numbers."""
        width = self.kind[1] // 8
        if 0 in self.shape:
            return self._data, self._data
        spans = [(n - 1) * step * width for n, step in zip(self.shape, self._strides or contiguous(self.shape))]
        return self._data + sum(each for each in spans if each < 0), self._data + width + sum(
            each for each in spans if each > 0
        )


def contiguous(shape: Sequence[int]) -> list[int]:
    """The strides of an array without gaps."""
    steps = [1] * len(shape)
    for d in range(len(shape) - 1, 0, -1):
        steps[d - 1] = steps[d] * shape[d]
    return steps


def places(shape: Sequence[int], strides: Sequence[int]) -> list[int]:
    """The places of an array's numbers, with the last index changing fastest."""
    found = [0]
    for n, step in zip(shape, strides):
        found = [place + i * step for place in found for i in range(n)]
    return found


# --------------------------------------------------------------------------------------------------------------- DLPack


class _DLTensor(ctypes.Structure):
    _fields_ = [
        ("data", c_void_p),
        ("device_type", c_int32),
        ("device_id", c_int32),
        ("ndim", c_int32),
        *NUMBERS,
        ("byte_offset", c_uint64),
    ]


_Deleter = ctypes.CFUNCTYPE(None, c_void_p)


class _Managed(ctypes.Structure):
    _fields_ = [("tensor", _DLTensor), ("context", c_void_p), ("deleter", _Deleter)]


class _Versioned(ctypes.Structure):
    _fields_ = [
        ("major", c_uint32),
        ("minor", c_uint32),
        ("context", c_void_p),
        ("deleter", _Deleter),
        ("flags", c_uint64),
        ("tensor", _DLTensor),
    ]


_capsule = ctypes.pythonapi
_capsule.PyCapsule_IsValid.restype = ctypes.c_int
_capsule.PyCapsule_IsValid.argtypes = [ctypes.py_object, c_char_p]
_capsule.PyCapsule_GetPointer.restype = c_void_p
_capsule.PyCapsule_GetPointer.argtypes = [ctypes.py_object, c_char_p]
_capsule.PyCapsule_SetName.restype = ctypes.c_int
_capsule.PyCapsule_SetName.argtypes = [ctypes.py_object, c_char_p]
_USED = {b"dltensor_versioned": b"used_dltensor_versioned", b"dltensor": b"used_dltensor"}


class _Owner:
    """Returns an array of DLPack when the last view of it is gone."""

    def __init__(self, managed: Any):
        self._managed = managed

    def __del__(self) -> None:
        if self._managed.deleter:
            self._managed.deleter(ctypes.addressof(self._managed))


_PLACES = {CPU: "host", CUDA: "device"}


def _dlpack_capsule(value: Any) -> Any:
    """The capsule of an array. On a device its numbers are ready for work in the default stream."""
    for arguments in ({"max_version": (1, 0)}, {}):
        try:
            return value.__dlpack__(**arguments)
        except TypeError:  # a library older than DLPack 1.0
            continue
    raise TypeError("its __dlpack__ takes no arguments that DLPack names")


def _from_dlpack(value: Any, place: int = CPU) -> View:
    capsule = _dlpack_capsule(value)
    for name, kind in ((b"dltensor_versioned", _Versioned), (b"dltensor", _Managed)):
        if _capsule.PyCapsule_IsValid(capsule, name):
            break
    else:
        raise TypeError("its __dlpack__ gives no DLPack capsule")
    managed = kind.from_address(_capsule.PyCapsule_GetPointer(capsule, name))
    _capsule.PyCapsule_SetName(capsule, _USED[name])
    owner = _Owner(managed)
    tensor = managed.tensor
    if tensor.lanes != 1 or tensor.device_type != place:
        raise TypeError("an array of vectors, or one that is not in the memory of the " + _PLACES[place])
    shape = tuple(tensor.shape[i] for i in range(tensor.ndim))
    strides = tuple(tensor.strides[i] for i in range(tensor.ndim)) if tensor.strides else None
    return View((tensor.data or 0) + tensor.byte_offset, (tensor.code, tensor.bits), shape, strides, (owner, value))


# ------------------------------------------------------------------------------------------------------ other protocols


def _is_numpy(value: Any) -> bool:
    """Whether a value is an array or a number of NumPy, whose memory is known without calling the value."""
    return numpy is not None and isinstance(value, (numpy.ndarray, numpy.generic))


def _from_numpy(value: Any) -> View:
    """By __array_interface__: NumPy's arrays and scalars, those of ml_dtypes too. Objects made from them may run any
    code when they are read, and are refused."""
    if isinstance(value, numpy.ma.MaskedArray):
        raise TypeError("an array with a mask, which the judge would not see; fill or compress it")
    made = type(value)
    is_plain_number = issubclass(made, numpy.generic) and numpy.dtype(made).type is made
    if made not in (numpy.ndarray, numpy.memmap) and not is_plain_number:
        raise TypeError(f"a {type(value).__name__}, which is not a plain array of NumPy; make it one by numpy.asarray")
    interface = value.__array_interface__
    name = str(getattr(value, "dtype", ""))
    kind = _BY_NAME.get(name)
    if kind is None:
        raise TypeError(f"numbers of {name or interface['typestr']}")
    if interface["typestr"].startswith(">"):
        raise TypeError("numbers with the highest byte first")
    width = kind[1] // 8
    strides = interface.get("strides")
    if strides is not None:
        if any(each % width for each in strides):
            raise TypeError("numbers that do not begin at multiples of their size")
        strides = tuple(each // width for each in strides)
    return View(interface["data"][0], kind, tuple(interface["shape"]), strides, (interface, value))


def _from_buffer(value: Any) -> View:
    """By the buffer protocol: array.array, memoryview."""
    buffer = memoryview(value)
    kind = _BY_CODE.get(buffer.format)
    if kind is None:
        raise TypeError(f"numbers of the type {buffer.format!r}")
    if not buffer.contiguous:
        raise TypeError("a memory view with gaps; make it contiguous")
    memory: Any
    if buffer.readonly:  # ctypes has no view of it
        memory = ctypes.create_string_buffer(bytes(buffer))
    else:
        memory = (ctypes.c_char * buffer.nbytes).from_buffer(buffer)
    return View(ctypes.addressof(memory), kind, tuple(buffer.shape or ()), None, (memory, buffer))


def _on_host(value: Any) -> Any:
    """The array in the memory of the host; its own library copies it if it lies on a device."""
    if getattr(value, "requires_grad", False):
        value = value.detach()
    device = value.__dlpack_device__()[0] if hasattr(value, "__dlpack_device__") else CPU
    if int(device) == CPU and not hasattr(value, "__cuda_array_interface__"):
        return value
    for copy in ("get", "cpu", "copy_to_host"):
        if callable(getattr(value, copy, None)):
            return getattr(value, copy)()
    if numpy is not None and hasattr(value, "__array__"):
        return numpy.asarray(value)
    raise TypeError("an array on a device without .get(), .cpu() or .copy_to_host()")


def of_numpy(value: Any) -> Any:
    """An array of any library, on the host or a device, as an array of NumPy. Numbers of a type that NumPy lacks are
    their patterns, as unsigned integers."""
    value = _on_host(value)
    if isinstance(value, numpy.ndarray) or not hasattr(value, "__dlpack__"):
        return numpy.asarray(value)
    try:
        return numpy.from_dlpack(value)
    except (BufferError, RuntimeError, TypeError):
        seen = _from_dlpack(value)
        return numpy.frombuffer(seen.raw(), f"u{seen.kind[1] // 8}").reshape(seen.shape)


def on_device(value: Any) -> View | None:
    """A view of an array in the memory of a CUDA device, whose address is one there; nothing for any other value."""
    if getattr(value, "requires_grad", False):
        value = value.detach()
    try:
        return _from_dlpack(value, CUDA) if int(value.__dlpack_device__()[0]) == CUDA else None
    except Exception:  # a library without DLPack, or a type that its DLPack lacks: the array is copied
        return None


def view(value: Any, name: str, kind: tuple[int, int] | None = None, rounds: bool = False) -> View:
    """A view of an array of NumPy, torch, CuPy, JAX or any other library with DLPack or the buffer protocol, or of a
    number. `kind`: the format of a Python number, by default binary64. It must be exactly representable, or `rounds` to
    nearest.

    >>> view(array.array("d", [1.0, 2.0]), "x").shape
    (2,)
    >>> view([1.0, 2.0], "x")
    Traceback (most recent call last):
    TypeError: x: a list is not an array; make one of NumPy, array.array or a library with DLPack
    """
    try:
        if is_plain(value):
            return _from_number(value, kind or (FLOAT, 64), rounds)
        value = _on_host(value)
        if _is_numpy(value):
            return _from_numpy(value)
        if hasattr(value, "__dlpack__"):
            return _from_dlpack(value)
    except TypeError as error:
        raise TypeError(f"{name}: {error}") from None
    try:
        memoryview(value)
    except TypeError:
        raise TypeError(
            f"{name}: a {type(value).__name__} is not an array; make one of NumPy, array.array or a library with DLPack"
        ) from None
    try:
        return _from_buffer(value)
    except TypeError as error:
        raise TypeError(f"{name}: {error}") from None


def _from_number(value: float, kind: tuple[int, int], rounds: bool) -> View:
    if isinstance(value, bool) and kind[0] != INT:
        raise TypeError(f"{value} is not a number")
    code = "H" if kind == FORMATS["bf16"] else next((code for code, each in _BY_CODE.items() if each == kind), None)
    if code is None:
        raise TypeError("a number of Python, not of the format")
    if code == "H":
        nearest = _nearest_bfloat16(value)
        raw = struct.pack("<f", nearest)[2:]
    else:
        if kind[0] == INT and value != int(value):
            raise TypeError(f"{value!r} is not an integer")
        try:
            raw = struct.pack("<" + code, int(value) if kind[0] == INT else value)
        except (OverflowError, struct.error):
            raise TypeError(f"{value!r} is beyond the numbers of {format_name(kind) or type_name(kind)}") from None
        nearest = struct.unpack("<" + code, raw)[0]
    if nearest != value and value == value and not rounds:
        raise TypeError(f"{value!r} is not a number of {format_name(kind)}: the kernel returns another format")
    memory = ctypes.create_string_buffer(raw, len(raw))
    return View(ctypes.addressof(memory), kind, (), None, memory)


def _nearest_bfloat16(value: float) -> float:
    """The number of 8 significant bits nearest to a float, ties to even."""
    if value == 0 or not math.isfinite(value):
        return value
    place = max(math.frexp(value)[1] - 8, -133)
    nearest = math.ldexp(round(math.ldexp(value, -place)), place)
    return nearest if abs(nearest) < 2.0**128 else math.copysign(math.inf, value)


# ----------------------------------------------------------------------------------------------- arrays of the judge


def dtype(kind: tuple[int, int]) -> Any:
    """NumPy's type; TypeError if it has none."""
    names = {each: name for name, each in _BY_NAME.items()}
    try:
        return numpy.dtype(names[kind])
    except TypeError:
        try:
            import ml_dtypes
        except ImportError:
            raise TypeError(f"NumPy has no {names[kind]}; install ml_dtypes") from None
        return numpy.dtype(getattr(ml_dtypes, names[kind]))


#: The layout of a judge's array in memory: its name, type, shape, strides in elements, and bytes.
Given = tuple[str, tuple[int, int], tuple[int, ...], tuple[int, ...], bytes]


def given(tensor: Tensor) -> Given:
    """One of the judge's arrays, copied."""
    shape = tuple(tensor.shape[i] for i in range(tensor.ndim))
    strides = tuple(tensor.strides[i] for i in range(tensor.ndim))
    places = 0 if 0 in shape else 1 + sum((n - 1) * step for n, step in zip(shape, strides))
    raw = ctypes.string_at(tensor.data, places * tensor.bits // 8) if places else b""
    return text(tensor.name), (tensor.code, tensor.bits), shape, strides, raw


class Argument:
    """A copy of one of the judge's arrays for a kernel: `value` is a number, an array of NumPy with the case's strides,
    or without NumPy an array.array."""

    def __init__(self, name: str, kind: tuple[int, int], shape: tuple[int, ...], strides: tuple[int, ...], raw: bytes):
        self.name = name
        self._before = raw
        self._memory = bytearray(raw)
        self.value = self._wrapped(kind, shape, tuple(step * kind[1] // 8 for step in strides))

    def _wrapped(self, kind: tuple[int, int], shape: tuple[int, ...], strides: tuple[int, ...]) -> Any:
        code = next((code for code, each in _BY_CODE.items() if each == kind), None)
        if not shape and kind == (INT, 64):
            return struct.unpack("<q", self._before)[0]
        if numpy is not None:
            if not shape:
                return numpy.frombuffer(self._before, dtype(kind))[0]
            return numpy.ndarray(shape, dtype(kind), self._memory, 0, strides)
        if code is None or len(shape) > 1:
            raise TypeError("a matrix, or numbers of fewer than 32 bits: this operation needs NumPy")
        return struct.unpack("<" + code, self._before)[0] if not shape else array.array(code, self._before)

    def changed(self) -> bool:
        """Whether the kernel wrote to the array."""
        return self._memory != self._before

    def raw(self) -> bytes:
        """The bytes of the array as they are now."""
        return bytes(self._memory)

    def become(self, raw: bytes) -> None:
        """Writes other numbers to the same memory."""
        self._before = raw
        self._memory[:] = raw
