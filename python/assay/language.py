"""Functions of formulas that NumPy lacks, for functions that assay.formula records."""

from __future__ import annotations

from typing import Any

from ._record import Mask, RecordingError, Traced, Word, _place, _together, _value, where

__all__ = [
    "erf", "log_softmax", "logsumexp", "mask", "pi", "pick", "relu", "rsqrt", "sigmoid", "softmax", "stack",
    "stochastic", "variance", "where",
]  # fmt: skip

#: The circle's, exactly.
pi = Traced("pi", ["pi"], ())


def _of(name: str, x: Any) -> Traced:
    if not isinstance(x, Traced):
        raise RecordingError(f"{name} of a {type(x).__name__}; it takes a symbol of assay.formula")
    return Traced(name, [x], x.axes)


def erf(x: Any) -> Traced:
    return _of("erf", x)


def sigmoid(x: Any) -> Traced:
    """1/(1 + exp(−x))"""
    return _of("sigmoid", x)


def rsqrt(x: Any) -> Traced:
    """1/√x"""
    return _of("rsqrt", x)


def relu(x: Any) -> Traced:
    """max(x, 0)"""
    return _of("relu", x)


def mask(relation: str) -> Mask:
    """Which entries take part: a relation of indices, "m <= n + #m - #n", where an axis stands for its index and #m for
    its length.

    >>> import numpy, assay
    >>> @assay.formula
    ... def causal(s: "n, m"):
    ...     return softmax(s, mask=mask("m <= n"))
    >>> print(causal.text, end="")
    causal(s[n,m]) -> y[n,m]
      mask seen: m <= n
      y = softmax(s, axis=m, mask=seen)
    """
    return Mask(relation)


def _row(name: str, x: Any, axis: int, mask: Mask | None) -> tuple[list[Any], str]:
    of = _of(name, x)
    over = of.axes[_place(axis, of.ndim)]
    if over is None:
        raise RecordingError(f"{name} along an axis of length 1")
    return [x] if mask is None else [x, mask], over


def softmax(x: Any, axis: int = -1, mask: Mask | None = None) -> Traced:
    arguments, over = _row("softmax", x, axis, mask)
    return Traced("softmax", arguments, x.axes, [over])


def logsumexp(x: Any, axis: int = -1, keepdims: bool = False, mask: Mask | None = None) -> Traced:
    arguments, over = _row("logsumexp", x, axis, mask)
    axes = [None if each == over else each for each in x.axes if keepdims or each != over]
    return Traced("logsumexp", arguments, axes, [over])


def log_softmax(x: Any, axis: int = -1) -> Any:
    """x − logsumexp(x)"""
    return x - logsumexp(x, axis, keepdims=True)


def variance(x: Any, axis: int = -1, keepdims: bool = False) -> Any:
    """The mean of the squared distances to the mean."""
    return _of("variance", x).arguments[0].var(axis=axis, keepdims=keepdims)


def pick(x: Any, places: Any) -> Traced:
    """From each row, the entry that an array of integers names: a parameter with the annotation "r: index n"."""
    if not isinstance(places, Traced) or places.op != "input":
        raise RecordingError('pick needs a parameter of integers, annotated "r: index n"')
    rest = [each for each in _of("pick", x).axes if each in places.axes]
    return Traced("pick", [x, places], rest + [each for each in places.axes if each not in rest])


def stochastic(x: Any, words: Any, to: str) -> Traced:
    """x rounded to a format, "bf16", by random words: the word of 65536 is added to the bits that are dropped, for a
    parameter with the annotation "n: index w = 65536"."""
    if not isinstance(words, Traced) or words.op != "input":
        raise RecordingError('stochastic needs a parameter of random words, annotated "n: index w = 65536"')
    return Traced("stochastic", [x, words, Word(to)], _together("stochastic", _of("stochastic", x), words))


def stack(a: Any, b: Any, axis: str) -> Traced:
    """Two tensors along a new last axis of length 2; a parameter of such a shape is annotated "t, h, c=2"."""
    return Traced("stack", [_value(a), _value(b)], [*_together("stack", a, b), axis], [axis])
