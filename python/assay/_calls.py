"""Functions of Python as the library calls them."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Any

from . import _arrays, _native
from ._native import Tensor, library, text

#: A kernel: takes the arguments of a case and returns its result.
Kernel = Callable[..., Any]


class Subject:
    """A function of Python as the library calls it. `error`: the last exception that the function raised."""

    def __init__(self, function: Kernel):
        self._function = function
        self.error: BaseException | None = None
        self._interrupted = False
        self.pointer = _native.Subject(self._call)

    def _call(self, _self: Any, arguments: Any, count: int, result: Any) -> int:
        if self._interrupted:
            return 1
        try:
            given = [_arrays.Argument(arguments[i]) for i in range(count)]
            told = self._function(*[each.value for each in given])
            for i, each in enumerate(given):
                if each.changed():
                    raise ValueError(f"it wrote to its argument {text(arguments[i].name)}")
            _copy(told, result[0])
            return 0
        except Exception as error:
            self._note(error)
        except BaseException as error:  # an interrupt ends the check
            self._interrupted = True
            self._note(error)
        return 1

    def _note(self, error: BaseException) -> None:
        self.error = error
        library().assay_subject_error(f"{type(error).__name__}: {error}".encode())

    def reraise_interrupt(self) -> None:
        if self._interrupted and self.error is not None:
            raise self.error


def _copy(value: Any, result: Tensor) -> None:
    """Writes what a kernel returned to its result, bit by bit."""
    if value is None:
        raise TypeError("it returned nothing")
    kind = (result.code, result.bits)
    if isinstance(value, float) and not result.ndim and kind == _arrays.FORMATS["f64"]:  # NumPy's binary64 is one
        ctypes.c_double.from_address(result.data).value = value
        return
    view = _arrays.view(value, "the result", kind)
    shape = tuple(result.shape[i] for i in range(result.ndim))
    if shape == (1,) and not view.shape:  # a single number, of a function of one
        shape = ()
    if view.kind != kind:
        got, want = (_arrays.format_name(each) or str(each) for each in (view.kind, kind))
        raise TypeError(f"it returned numbers of {got}, not of {want}")
    if view.shape != shape:
        raise TypeError(f"it returned an array of shape {view.shape}, not {shape}")
    width = result.bits // 8
    from_strides = view.tensor.strides
    steps = [from_strides[d] for d in range(len(shape))] if from_strides else _contiguous(shape)
    for to, source in _places(shape, [result.strides[d] for d in range(len(shape))], steps):
        ctypes.memmove(result.data + to * width, view.tensor.data + source * width, width)


def _contiguous(shape: Sequence[int]) -> list[int]:
    steps = [1] * len(shape)
    for d in range(len(shape) - 1, 0, -1):
        steps[d - 1] = steps[d] * shape[d]
    return steps


def _places(shape: Sequence[int], to: Sequence[int], source: Sequence[int]) -> list[tuple[int, int]]:
    places = [(0, 0)]
    for n, a, b in zip(shape, to, source):
        places = [(x + i * a, y + i * b) for x, y in places for i in range(n)]
    return places
