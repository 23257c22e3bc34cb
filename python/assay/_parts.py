"""Large results in parts that are computed by themselves: some rows of a matrix, some numbers of a vector."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from . import _arrays

#: Operations that compute each row of x, its last axis, by itself.
_OF_ROWS = ("layer_norm", "log_softmax", "rms_norm", "softmax")
#: How many numbers of a row, and how many others, are judged at a time.
_NUMBERS_AT_A_TIME = 1 << 17
_PRODUCTS_AT_A_TIME = 1 << 20


@dataclass(frozen=True)
class Part:
    """The inputs and the numbers of a part of a result, which begins at number `start`."""

    arguments: dict[str, Any]
    got: Any
    start: int


def parts_of(operation: str, arguments: dict[str, Any], got: Any, contract: str, is_about_error: bool) -> Iterator[Part]:
    """The parts of a result, as slices of the arrays; none where it is to be judged as a whole."""
    if operation in _OF_ROWS:
        yield from _rows(operation, arguments, got)
    elif not (is_about_error or contract == "exceptional") or contract == "grade_c":  # which is about whole matrices
        return
    elif operation in ("gemv", "gemv_n", "gemm"):
        yield from _products(arguments, got)
    elif operation == "spmv":
        yield from _sparse_rows(arguments, got)
    elif operation == "axpy":
        yield from _numbers(arguments, got)


def _shape(value: Any) -> tuple[int, ...]:
    return tuple(getattr(value, "shape", ()))


def _cut(arguments: dict[str, Any], got: Any, names: tuple[str, ...], height: int, width: int) -> Iterator[Part]:
    """Slices of `height` rows of the result and of these arguments; a row of the result has `width` numbers."""
    for first in range(0, _shape(got)[0], height):
        rows = slice(first, first + height)
        cut = {name: value[rows] if name in names else value for name, value in arguments.items()}
        yield Part(cut, got[rows], first * width)


def rows_of(operation: str, arguments: dict[str, Any], got: Any) -> tuple[dict[str, Any], Any] | None:
    """The inputs and the result of an operation on rows, each as a matrix; nothing for others, and for shapes that do
    not fit."""
    shape = _shape(arguments.get("x"))
    if operation not in _OF_ROWS or len(shape) < 2 or 0 in shape or _shape(got) != shape:
        return None
    matrix = (math.prod(shape[:-1]), shape[-1])
    return {**arguments, "x": arguments["x"].reshape(matrix)}, got.reshape(matrix)


def _rows(operation: str, arguments: dict[str, Any], got: Any) -> Iterator[Part]:
    flat = rows_of(operation, arguments, got)
    if flat is not None:
        width = _shape(got)[-1]
        yield from _cut(*flat, ("x",), max(1, _NUMBERS_AT_A_TIME // width), width)


def _products(arguments: dict[str, Any], got: Any) -> Iterator[Part]:
    a, *others = [arguments.get(name) for name in ("a", "b", "x", "c", "y")]
    second, start = (next((each for each in pair if each is not None), None) for pair in (others[:2], others[2:]))
    of_a, of_second = _shape(a), _shape(second)
    wanted = of_a[:1] + of_second[1:]
    if len(of_a) != 2 or len(of_second) not in (1, 2) or 0 in of_a + of_second or of_a[1] != of_second[0]:
        return
    if _shape(got) != wanted or (start is not None and _shape(start) != wanted):
        return
    numbers = max(_PRODUCTS_AT_A_TIME, math.prod(of_second))  # the second factor is copied for each part
    yield from _cut(arguments, got, ("a", "c", "y"), max(1, numbers // of_a[1]), math.prod(of_second[1:]))


def _copied(value: Any) -> Any:
    """An array of numbers or integers that lies on a device as an array of NumPy; any other value as it is."""
    seen = None if isinstance(value, _arrays.numpy.ndarray) else _arrays.on_device(value)
    return _arrays.of_numpy(value) if seen is not None and seen.kind[0] in (_arrays.INT, _arrays.FLOAT) else value


def _sparse_rows(arguments: dict[str, Any], got: Any) -> Iterator[Part]:
    numpy = _arrays.numpy
    if numpy is None:
        return
    names = ("row_offsets", "column_indices", "values", "x")
    offsets, columns, values, x, got = (_copied(each) for each in (*(arguments[name] for name in names), got))
    if not all(isinstance(each, numpy.ndarray) for each in (offsets, columns, values, x, got)):
        return
    is_matrix = len(offsets) > 1 and offsets[0] == 0 and offsets[-1] == len(values) == len(columns)
    if not is_matrix or got.shape != (len(offsets) - 1,) or (offsets[1:] < offsets[:-1]).any():
        return
    numbers = max(_PRODUCTS_AT_A_TIME, 4 * len(x))  # x is copied for each part
    first = 0
    while first < len(got):
        end = max(first + 1, int(numpy.searchsorted(offsets, offsets[first] + numbers, "right")) - 1)
        end = min(end, len(got))
        entries = slice(int(offsets[first]), int(offsets[end]))
        cut = {"row_offsets": offsets[first : end + 1] - offsets[first], "column_indices": columns[entries]}
        yield Part({**cut, "values": values[entries], "x": x}, got[first:end], first)
        first = end


def _numbers(arguments: dict[str, Any], got: Any) -> Iterator[Part]:
    shapes = {_shape(each) for each in (arguments["x"], arguments["y"], got)}
    if len(shapes) == 1 and len(_shape(got)) == 1:
        yield from _cut(arguments, got, ("x", "y"), _PRODUCTS_AT_A_TIME, 1)
