"""A Python function in the form that the library calls."""

from __future__ import annotations

import ctypes
from typing import Any

from . import _arrays, _native
from ._calls import Calls, words_of
from ._isolation import Isolated, NoAnswer
from ._native import Tensor, library


class Subject:
    """A Python function in the form that the library calls. `error`: the last exception that the function raised."""

    def __init__(self, calls: Calls | Isolated):
        self._calls = calls
        self.error: BaseException | None = None
        self._interrupted = False
        self.pointer = _native.Subject(self._call)

    def _call(self, _self: Any, arguments: Any, count: int, result: Any) -> int:
        if self._interrupted:
            return 1
        try:
            given = [_arrays.given(arguments[i]) for i in range(count)]
            kind, shape = type_and_shape(result[0])
            _write(self._calls.call(given, kind, shape), result[0])
            return 0
        except KeyboardInterrupt as error:  # ends the check
            self._interrupted = True
            self._note(error)
        except BaseException as error:  # SystemExit, and what skips a test, are no answers
            self._note(error)
        return 1

    def _note(self, error: BaseException) -> None:
        self.error = error
        library().assay_subject_error(_reason(error).encode(errors="replace"))

    def error_of(self, reason: str) -> BaseException | None:
        """The last exception, if it is the reason that is told; other cases raise other ones."""
        return self.error if self.error is not None and _reason(self.error) == reason else None

    def reraise_interrupt(self) -> None:
        if self._interrupted and self.error is not None:
            raise self.error


def _reason(error: BaseException) -> str:
    return str(error) if isinstance(error, NoAnswer) else words_of(error)


def type_and_shape(result: Tensor) -> tuple[tuple[int, int], tuple[int, ...]]:
    """Type and shape of a result."""
    return (result.code, result.bits), tuple(result.shape[i] for i in range(result.ndim))


def _write(raw: bytes, result: Tensor) -> None:
    """Writes the numbers of a result, the last index first."""
    _, shape = type_and_shape(result)
    width = result.bits // 8
    strides = [result.strides[d] for d in range(result.ndim)]
    if strides == _arrays.contiguous(shape):
        ctypes.memmove(result.data, raw, len(raw))
        return
    for i, place in enumerate(_arrays.places(shape, strides)):
        ctypes.memmove(result.data + place * width, raw[i * width : (i + 1) * width], width)
