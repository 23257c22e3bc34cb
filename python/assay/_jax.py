"""JAX array code for assay.formula. Its functions refuse symbols, so a function is called with NumPy in the place of
jax.numpy, and with assay.language in the place of jax.nn, jax.lax and jax.scipy.special."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

from . import language
from ._record import RecordingError


def _silu(x: Any) -> Any:
    return x * language.sigmoid(x)


#: Functions of modules of JAX other than jax.numpy.
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "erf": language.erf, "log_softmax": language.log_softmax, "logistic": language.sigmoid,
    "logsumexp": language.logsumexp, "relu": language.relu, "rsqrt": language.rsqrt, "sigmoid": language.sigmoid,
    "silu": _silu, "softmax": language.softmax, "swish": _silu,
}  # fmt: skip


class _Module:
    """A module of JAX that takes symbols."""

    def __init__(self, name: str):
        self._name = name

    def __getattr__(self, name: str) -> Any:
        if self._name == "jax.numpy":
            import numpy

            return getattr(numpy, name)
        if self._name in ("jax", "jax.scipy") and name in ("numpy", "nn", "lax", "scipy", "special"):
            return _Module(f"{self._name}.{name}")
        if name in _FUNCTIONS:
            return _FUNCTIONS[name]
        raise RecordingError(f"{self._name}.{name}: a formula has of it only {', '.join(sorted(_FUNCTIONS))}")


def recordable(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function itself, or, where it uses JAX, a copy that takes symbols, as well as the functions of Python that it
    calls."""
    return _Copies().of(function)


class _Copies:
    def __init__(self) -> None:
        self._known: dict[int, Any] = {}

    def of(self, value: Any) -> Any:
        if id(value) in self._known:
            return self._known[id(value)]
        if isinstance(value, types.ModuleType):
            return _Module(value.__name__) if _is_of_jax(value) else value
        if _is_of_jax(value) and callable(value):
            return getattr(_Module("jax.numpy" if ".numpy" in value.__module__ else "jax.nn"), value.__name__)
        inner = getattr(value, "__wrapped__", value)  # of jax.jit, for one
        if not isinstance(inner, types.FunctionType) or not self._uses_jax(inner, set()):
            return value
        used = {name: inner.__globals__[name] for name in self._names(inner.__code__) if name in inner.__globals__}
        copy = types.FunctionType(
            inner.__code__, dict(inner.__globals__), inner.__name__, inner.__defaults__, self._cells(inner)
        )
        copy.__kwdefaults__ = inner.__kwdefaults__
        self._known[id(value)] = self._known[id(inner)] = copy
        copy.__globals__.update({name: self.of(each) for name, each in used.items()})
        for cell, of_copy in zip(inner.__closure__ or (), copy.__closure__ or ()):
            of_copy.cell_contents = self.of(cell.cell_contents)
        return copy

    @staticmethod
    def _cells(function: types.FunctionType) -> tuple[types.CellType, ...] | None:
        closure = function.__closure__
        return None if closure is None else tuple(types.CellType(each.cell_contents) for each in closure)

    def _names(self, code: types.CodeType) -> set[str]:
        inner = [each for each in code.co_consts if isinstance(each, types.CodeType)]
        return {*code.co_names}.union(*(self._names(each) for each in inner))

    def _uses_jax(self, function: types.FunctionType, seen: set[int]) -> bool:
        seen.add(id(function))
        used = [function.__globals__.get(name) for name in self._names(function.__code__)]
        for each in [*used, *(cell.cell_contents for cell in function.__closure__ or ())]:
            inner = getattr(each, "__wrapped__", each)
            calls = isinstance(inner, types.FunctionType) and id(inner) not in seen
            if _is_of_jax(each) or (calls and self._uses_jax(inner, seen)):
                return True
        return False


def _is_of_jax(value: Any) -> bool:
    name = value.__name__ if isinstance(value, types.ModuleType) else getattr(value, "__module__", "")
    return str(name).split(".")[0] == "jax"
