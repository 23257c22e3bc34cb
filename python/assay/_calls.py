"""Calls a function, and checks the requirements of every call, whatever the function computes.

The arguments of two calls in a row lie at different addresses. A result is copied when the function returns it, and
compared with the copy later. Its memory is overwritten before it is freed, so that no later result finds its numbers
there.
"""

from __future__ import annotations

import ctypes
import struct
import sys
from collections import deque
from time import perf_counter
from typing import Any, Callable

from . import _arrays, _native
from ._guard import Guard

#: How many results are kept for a later comparison.
_KEPT = 64
_CHANGED = "its result changed after it was returned"


class Calls:
    """Calls a function in this process. Between `__enter__` and `changes` the function may change nothing that tests
    rely on."""

    def __init__(self, function: Callable[..., Any]):
        self._function = function
        self._results: deque[tuple[_arrays.View, bytes]] = deque()
        self._arguments: list[_arrays.Argument] = []
        self._guard: Guard | None = None
        self.seconds = 0.0  #: how long the function took in all calls

    def __enter__(self) -> "Calls":
        self._guard = Guard()
        return self

    def __exit__(self, *_: Any) -> None:
        self._results.clear()

    def changes(self) -> list[str]:
        """The changes that the function made apart from its results, one sentence each. The changes are undone."""
        told = [] if self._guard is None else self._guard.changes()
        if any(view.raw() != raw for view, raw in self._results):
            self._results.clear()
            told.append(_CHANGED)
        return told

    def call(self, given: list[_arrays.Given], kind: tuple[int, int], shape: tuple[int, ...]) -> bytes:
        """The numbers of the result. Raises the exceptions of the function, and ValueError or TypeError for forbidden
        actions."""
        arguments = [_arrays.Argument(*each) for each in given]
        self._arguments = arguments  # the previous call's arrays are freed now; their memory goes to the new ones
        return self._called(arguments, kind, shape)

    def call_again(self, raws: list[bytes], kind: tuple[int, int], shape: tuple[int, ...]) -> bytes:
        """The same for the arrays of the previous call, after other numbers were written to them."""
        self._drop(len(self._results))  # a result may be one of the arrays
        for each, raw in zip(self._arguments, raws):
            each.become(raw)
        return self._called(self._arguments, kind, shape)

    def _called(self, arguments: list[_arrays.Argument], kind: tuple[int, int], shape: tuple[int, ...]) -> bytes:
        if self._results and self._results[-1][0].raw() != self._results[-1][1]:
            self._results.clear()
            raise ValueError(_CHANGED)
        with _native.no_other_use():
            begun = perf_counter()
            result = self._function(*[each.value for each in arguments])
            self.seconds += perf_counter() - begun
            raw = self._taken(result, kind, shape)
            del result
        for each in arguments:
            if each.changed():
                raise ValueError(f"it wrote to its argument {each.name}")
        self._drop(len(self._results) - _KEPT)
        return raw

    def _drop(self, count: int) -> None:
        """Compares the oldest results a last time, and overwrites their memory. Raises ValueError if one changed."""
        for _ in range(count):
            view, raw = self._results.popleft()
            if view.raw() != raw:
                self._results.clear()
                raise ValueError(_CHANGED)
            _overwrite(view)

    def _taken(self, value: Any, kind: tuple[int, int], shape: tuple[int, ...]) -> bytes:
        """The numbers of a result, bit by bit."""
        if value is None:
            raise TypeError("it returned nothing")
        if isinstance(value, float) and not shape and kind == _arrays.FORMATS["f64"]:  # NumPy's binary64 is one
            return struct.pack("=d", value)
        view = _arrays.view(value, "the result", kind)
        if shape == (1,) and not view.shape:  # a single number, of a function of one
            shape = ()
        if view.kind != kind:
            got, want = (_arrays.format_name(each) or _arrays.type_name(each) for each in (view.kind, kind))
            raise TypeError(f"it returned numbers of {got}, not of {want}")
        if view.shape != shape:
            raise TypeError(f"it returned an array of shape {view.shape}, not {shape}")
        raw = view.raw()
        if shape:
            first, end = view.memory()
            others = [each for each in self._results if not _overlaps(each[0], first, end)]
            if len(others) < len(self._results):  # the function's own memory, which it uses again
                self._results = deque(others)
            self._results.append((view, raw))
        return raw


def words_of(error: BaseException) -> str:
    """The kind and the message of an exception; an exception of the function's own may refuse to tell it."""
    try:
        return f"{type(error).__name__}: {error}"
    except BaseException:
        return f"{type(error).__name__}, which does not say why"


def _overlaps(view: _arrays.View, first: int, end: int) -> bool:
    low, high = view.memory()
    return low < end and first < high


def _overwrite(view: _arrays.View) -> None:
    """Overwrites by NaNs the memory of a NumPy result that nothing else refers to."""
    value = view.release()
    if _arrays.numpy is None or type(value) is not _arrays.numpy.ndarray or sys.getrefcount(value) > 2:
        return
    owner = value.base
    if owner is None:
        owner = value
    elif type(owner) is not _arrays.numpy.ndarray or sys.getrefcount(owner) > 3:  # held by its view, and by `owner`
        return
    if owner.flags.owndata and owner.flags.writeable and owner.flags.forc:
        ctypes.memset(owner.__array_interface__["data"][0], 0xFF, owner.nbytes)
