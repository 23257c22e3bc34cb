"""Symbols for assay.formula: tensors that record the operations of NumPy code on them."""

from __future__ import annotations

import functools
import math
import numbers
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

#: Functions of one argument by their names in NumPy.
_UNARY = {name: name for name in ("exp", "exp2", "expm1", "log", "log1p", "sqrt", "tanh", "sin", "cos", "square")}
_UNARY["sign"] = "sign"
_UNARY |= {"absolute": "abs", "fabs": "abs", "negative": "-", "reciprocal": "1/"}
_BINARY = {
    "add": "+", "subtract": "-", "multiply": "*", "divide": "/", "maximum": "max", "minimum": "min", "arctan2": "atan2",
    "fmod": "fmod",
}  # fmt: skip
#: Functions whose further arguments are axes, places or other arrays.
_OF_SHAPE = (
    "cumsum", "cumprod", "sort", "expand_dims", "squeeze", "transpose", "swapaxes", "moveaxis", "clip", "dot", "einsum",
)  # fmt: skip
#: Functions of an axis by their names in NumPy.
_REDUCED = {
    "sum": "sum", "mean": "mean", "max": "max", "amax": "max", "min": "min", "amin": "min", "var": "variance",
    "argmax": "argmax", "argmin": "argmin", "prod": "prod",
}  # fmt: skip


class RecordingError(TypeError):
    """The function does something that a formula cannot express: one line that names it, and what is supported."""

    __module__ = "assay"


class _NoMember(RecordingError, AttributeError):
    __module__ = "assay"
    __qualname__ = "RecordingError"


class Mask:
    """A relation of indices: numpy.where(assay.language.mask("m <= n"), a, b)."""

    def __init__(self, relation: str):
        self.relation = relation

    def __array_function__(self, function: Any, types: Any, arguments: Any, options: Any) -> Any:
        return _called(function.__name__, arguments, options)


class Word(str):
    """A word of the language among arguments, such as a format."""


class Traced:
    """A tensor of which only the formula is known. `axes`: their names in the order of the code; None for an axis of
    length 1 that an index or keepdims created."""

    __array_priority__ = 1000
    __hash__ = object.__hash__

    def __init__(self, op: str, arguments: Sequence[Any], axes: Sequence[str | None], over: Sequence[str] = ()):
        self.op = op
        self.arguments = list(arguments)
        self.axes = tuple(axes)
        self.over = tuple(over)
        self.ways: list[Traced] = []  #: other nodes that are equal over the real numbers

    # ------------------------------------------------------------------------------------------------------ arithmetic

    def __add__(self, other: Any) -> Any:
        return _binary("+", self, other)

    def __radd__(self, other: Any) -> Any:
        return _binary("+", other, self)

    def __sub__(self, other: Any) -> Any:
        return _binary("-", self, other)

    def __rsub__(self, other: Any) -> Any:
        return _binary("-", other, self)

    def __mul__(self, other: Any) -> Any:
        return _binary("*", self, other)

    def __rmul__(self, other: Any) -> Any:
        return _binary("*", other, self)

    def __truediv__(self, other: Any) -> Any:
        return _divided(self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return _divided(other, self)

    def __matmul__(self, other: Any) -> Any:
        return _matmul(self, other)

    def __neg__(self) -> Traced:
        return Traced("neg", [self], self.axes)

    def __abs__(self) -> Traced:
        return Traced("abs", [self], self.axes)

    def __pow__(self, exponent: Any) -> Any:
        if isinstance(exponent, Traced):
            return _binary("pow", self, exponent)
        if exponent == 1:
            return self
        if exponent in (0.5, -0.5):
            return Traced("sqrt" if exponent > 0 else "rsqrt", [self], self.axes)
        if exponent == -1:
            return _divided(1, self)
        if isinstance(exponent, numbers.Real) and exponent == int(exponent) and 2 <= exponent <= 64:
            return Traced("^", [self, int(exponent)], self.axes)
        raise RecordingError(f"a power by {exponent!r}; there are powers by integers from 2 to 64, 1/2, -1/2 and -1")

    def __rpow__(self, base: Any) -> Traced:
        if base != 2:
            raise RecordingError("a power of a number by a symbol; there are exp and exp2")
        return Traced("exp2", [self], self.axes)

    # --------------------------------------------------------------------------------------------------------- shapes

    @property
    def ndim(self) -> int:
        return len(self.axes)

    @property
    def shape(self) -> tuple[Any, ...]:
        """Lengths: also symbols, with which code may compute."""
        return tuple(1 if axis is None else Traced("#", [axis], ()) for axis in self.axes)

    @property
    def T(self) -> Traced:
        return self.transpose()

    def transpose(self, *order: Any) -> Traced:
        axes = order[0] if len(order) == 1 and isinstance(order[0], (tuple, list)) else order
        places = [_place(each, self.ndim) for each in axes] or list(range(self.ndim))[::-1]
        return self._seen([self.axes[each] for each in places])

    def swapaxes(self, first: int, second: int) -> Traced:
        axes = list(self.axes)
        axes[first], axes[second] = axes[second], axes[first]
        return self._seen(axes)

    def astype(self, *_: Any, **__: Any) -> Traced:
        """The same numbers: a formula has no rounding."""
        return self

    def _seen(self, axes: Sequence[str | None]) -> Traced:
        return Traced("seen", [self], axes)

    def __getitem__(self, index: Any) -> Traced:
        given = list(index) if isinstance(index, tuple) else [index]
        if Ellipsis in [each for each in given if not isinstance(each, Traced)]:
            at = given.index(Ellipsis)
            missing = self.ndim - sum(each is not None for each in given) + 1
            given[at : at + 1] = [slice(None)] * missing
        given += [slice(None)] * (self.ndim - sum(each is not None for each in given))
        axes: list[str | None] = []
        places: dict[str, int] = {}
        left = list(self.axes)
        for each in given:
            if each is None:
                axes.append(None)
            elif not left:
                raise RecordingError(f"an index more than there are axes: [{', '.join(map(str, self.axes))}]")
            elif each == slice(None):
                axes.append(left.pop(0))
            elif isinstance(each, numbers.Integral) and not isinstance(each, bool):
                axis = left.pop(0)
                if axis is not None:
                    places[axis] = int(each)
            else:
                raise RecordingError(f"the index {each!r}; there are :, None, ... and integers")
        if not places:
            return self._seen(axes)
        return Traced("slice", [self, places], axes)

    def sum(self, axis: Any = None, keepdims: bool = False, **options: Any) -> Any:
        return _reduced("sum", self, axis, keepdims, options)

    def prod(self, axis: Any = None, keepdims: bool = False, **options: Any) -> Any:
        return _reduced("prod", self, axis, keepdims, options)

    def mean(self, axis: Any = None, keepdims: bool = False, **options: Any) -> Any:
        return _reduced("mean", self, axis, keepdims, options)

    def max(self, axis: Any = None, keepdims: bool = False, **options: Any) -> Any:
        return _reduced("max", self, axis, keepdims, options)

    def min(self, axis: Any = None, keepdims: bool = False, **options: Any) -> Any:
        return _reduced("min", self, axis, keepdims, options)

    def argmax(self, axis: Any = None, keepdims: bool = False, **options: Any) -> Any:
        return _reduced("argmax", self, axis, keepdims, options)

    def argmin(self, axis: Any = None, keepdims: bool = False, **options: Any) -> Any:
        return _reduced("argmin", self, axis, keepdims, options)

    def var(self, axis: Any = None, keepdims: bool = False, **options: Any) -> Any:
        return _reduced("variance", self, axis, keepdims, options)

    def cumsum(self, axis: Any = None) -> Traced:
        return _along("cumsum", self, axis)

    def cumprod(self, axis: Any = None) -> Traced:
        return _along("cumprod", self, axis)

    def squeeze(self, axis: Any = None) -> Any:
        return _of_shape("squeeze", [self], {})

    def clip(self, low: Any = None, high: Any = None) -> Any:
        return _of_shape("clip", [self, low, high], {})

    def dot(self, other: Any) -> Any:
        return _matmul(self, other)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise _NoMember(
            f".{name} of a symbol; there are T, shape, ndim, transpose, swapaxes, squeeze, astype, sum, prod, mean, "
            "max, min, argmax, argmin, var, cumsum, cumprod, clip and dot"
        )

    # ---------------------------------------------------------------------------------------------------------- NumPy

    def __array_ufunc__(self, function: Any, method: str, *arguments: Any, **options: Any) -> Any:
        if method != "__call__":
            raise RecordingError(f"numpy.{function.__name__}.{method}; write numpy.sum or the operation itself")
        return _called(function.__name__, arguments, options)

    def __array_function__(self, function: Any, types: Any, arguments: Any, options: Any) -> Any:
        return _called(function.__name__, arguments, options)

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise RecordingError("a symbol is not an array: the function converts it, or calls a library that does")

    # --------------------------------------------------------------------------------------- objects other than tensors

    def _refuse(self, *_: Any) -> Any:
        raise RecordingError(
            "a branch or a number that depends on values, which a formula does not have: write maximum, minimum, abs, "
            "or where with a mask of indices"
        )

    __bool__ = __float__ = __int__ = __index__ = __iter__ = __len__ = _refuse
    __lt__ = __le__ = __gt__ = __ge__ = __eq__ = __ne__ = _refuse


def _place(axis: int, ndim: int) -> int:
    if not -ndim <= axis < ndim:
        raise RecordingError(f"axis {axis} of a tensor with {ndim} axes")
    return axis % ndim


def _value(value: Any) -> Any:
    """A symbol, or an exact number: a float means the decimal that Python prints for it."""
    if isinstance(value, (Traced, Mask)):
        return value
    if getattr(value, "shape", None) == () and hasattr(value, "item"):
        value = value.item()
    if isinstance(value, bool) or not isinstance(value, (int, float, Fraction)):
        raise RecordingError(f"a {type(value).__name__} among symbols; make it a parameter of the function")
    if isinstance(value, float) and not math.isfinite(value):
        raise RecordingError(f"the number {value}, which is not finite")
    return value


def _axes_of(value: Any) -> tuple[str | None, ...]:
    return value.axes if isinstance(value, Traced) else ()


def _together(what: str, *values: Any) -> list[str | None]:
    """The axes of broadcast operands, aligned at the last axis."""
    axes: list[str | None] = []
    for value in values:
        of = list(_axes_of(value))
        longer, shorter = (of, axes) if len(of) > len(axes) else (axes, of)
        shorter = [None] * (len(longer) - len(shorter)) + shorter
        for a, b in zip(longer, shorter):
            if a is not None and b is not None and a != b:
                shapes = " and ".join("[" + ", ".join(str(each or 1) for each in _axes_of(v)) + "]" for v in values)
                raise RecordingError(f"{what} of {shapes}: the axis {a} stands against {b}; an index None moves it")
        axes = [a if a is not None else b for a, b in zip(longer, shorter)]
    named = [each for each in axes if each is not None]
    if len(set(named)) != len(named):
        raise RecordingError(f"{what}: an axis stands twice in [{', '.join(named)}]; give one parameter another axis")
    return axes


def _binary(op: str, a: Any, b: Any) -> Traced:
    a, b = _value(a), _value(b)
    return Traced(op, [a, b], _together(op, a, b))


def _bare(value: Any) -> Any:
    """The node below other views of its axes."""
    while isinstance(value, Traced) and value.op == "seen":
        value = value.arguments[0]
    return value


def _divided(a: Any, b: Any) -> Traced:
    """a/b; exp(x)/Σexp(x) is a softmax, and its shift by the maximum cancels."""
    top, bottom = _bare(a), _bare(b)
    if isinstance(top, Traced) and isinstance(bottom, Traced) and (top.op, bottom.op) == ("exp", "sum"):
        if _bare(bottom.arguments[0]) is top and len(bottom.over) == 1 and a.axes == top.axes:
            return Traced("softmax", [_unshifted(top.arguments[0], bottom.over)], top.axes, bottom.over)
    return _binary("/", a, b)


def _unshifted(x: Any, over: tuple[str, ...]) -> Any:
    """x of x − max(x)."""
    if isinstance(x, Traced) and x.op == "-":
        first, most = _bare(x.arguments[0]), _bare(x.arguments[1])
        if isinstance(most, Traced) and most.op == "max" and most.over == over and _bare(most.arguments[0]) is first:
            return x.arguments[0]
    return x


def _matmul(a: Any, b: Any) -> Traced:
    if not isinstance(a, Traced) or not isinstance(b, Traced) or not a.axes or not b.axes:
        raise RecordingError("@ of a number; a product with a scalar is *")
    over, other = a.axes[-1], b.axes[-2 if b.ndim > 1 else 0]
    if over is None or over != other:
        raise RecordingError(f"@ adds along the axis {over or 1} of its left side, and the right side has {other or 1}")
    left = a._seen([*a.axes[:-1], *([None] if b.ndim > 1 else [])])
    right = b._seen([*b.axes[:-2], *([None] if a.ndim > 1 else []), b.axes[-1]] if b.ndim > 1 else [])
    return Traced("sum", [Traced("*", [a, b], ())], _together("@", left, right), [over])


def _reduced(name: str, x: Any, axis: Any, keepdims: bool, options: dict[str, Any]) -> Any:
    for option, value in options.items():
        if not (value is None or option == "dtype" or (option == "ddof" and value == 0)):
            raise RecordingError(f"{name} with {option}={value!r}")
    places = range(x.ndim) if axis is None else [axis] if isinstance(axis, int) else axis
    gone = {_place(each, x.ndim) for each in places}
    over = [x.axes[each] for each in sorted(gone) if x.axes[each] is not None]
    axes = [None if at in gone else each for at, each in enumerate(x.axes) if keepdims or at not in gone]
    if not over:
        return x._seen(axes)
    if name == "mean" and len(over) == 1 and (of := _squared_distance(x, over)) is not None:
        return Traced("variance", [of], axes, over)
    if name == "mean" and len(over) > 1:
        count = functools.reduce(lambda a, b: Traced("*", [a, b], ()), [Traced("#", [each], ()) for each in over])
        return Traced("/", [Traced("sum", [x], axes, over), count], axes)
    if name == "variance" and len(over) > 1:
        raise RecordingError("a variance along several axes; there is one along an axis")
    return Traced(name, [x], axes, over)


def _squared_distance(x: Any, over: list[str]) -> Any:
    """x of (x − mean(x))², whose mean is a variance."""
    node = _bare(x)
    if node.op == "^" and node.arguments[1] == 2 or node.op == "square":
        d = _bare(node.arguments[0])
    elif node.op == "*" and _bare(node.arguments[0]) is _bare(node.arguments[1]):
        d = _bare(node.arguments[0])
    else:
        return None
    if not isinstance(d, Traced) or d.op != "-":
        return None
    first, mean = _bare(d.arguments[0]), _bare(d.arguments[1])
    is_mean = isinstance(mean, Traced) and mean.op == "mean" and list(mean.over) == over
    return first if is_mean and _bare(mean.arguments[0]) is first else None


def _along(name: str, x: Traced, axis: Any) -> Traced:
    if axis is None and x.ndim != 1:
        raise RecordingError(f"{name} of several axes; name one")
    over = x.axes[_place(axis or 0, x.ndim)]
    if over is None:
        return x
    return Traced(name, [x], x.axes, [over])


def _einsum(subscripts: str, *operands: Any) -> Traced:
    inputs, _, output = subscripts.replace(" ", "").partition("->")
    parts = inputs.split(",")
    if len(operands) != 2 or len(parts) != 2 or "->" not in subscripts or "." in subscripts:
        raise RecordingError(f'einsum("{subscripts}"); there are two operands, and a result behind ->')
    names: dict[str, str] = {}
    for letters, operand in zip(parts, operands):
        for letter, axis in zip(letters, _axes_of(operand), strict=True):
            if axis is None or names.setdefault(letter, axis) != axis:
                raise RecordingError(f"einsum: {letter} is the axis {names.get(letter)} and {axis or 1}")
    over = [axis for letter, axis in names.items() if letter not in output]
    axes = [names[letter] for letter in output]
    product = Traced("*", list(operands), [*axes, *over])
    return Traced("sum", [product], axes, over) if over else product


def _log(x: Any) -> Traced:
    """log(x); for Σexp(x) a logsumexp."""
    inner = _bare(x)
    if isinstance(inner, Traced) and inner.op == "sum" and len(inner.over) == 1:
        terms = _bare(inner.arguments[0])
        if isinstance(terms, Traced) and terms.op == "exp":
            return Traced("logsumexp", [terms.arguments[0]], x.axes, inner.over)
    return Traced("log", [x], _axes_of(x))


def where(mask: Any, a: Any, b: Any) -> Traced:
    if not isinstance(mask, Mask):
        raise RecordingError('where by values; there is where(assay.language.mask("m <= n"), a, b), a mask of indices')
    a, b = _value(a), _value(b)
    return Traced("where", [mask, a, b], _together("where", a, b))


def _called(name: str, arguments: Sequence[Any], options: dict[str, Any]) -> Any:
    """A function of NumPy."""
    given = {key: value for key, value in options.items() if value is not None}
    x = arguments[0] if arguments else None
    if name in _REDUCED:
        axis = arguments[1] if len(arguments) > 1 else given.pop("axis", None)
        keeps = given.pop("keepdims", False) is True
        return _reduced(_REDUCED[name], x, axis, keeps, {k: v for k, v in given.items() if k != "keepdims"})
    if name in _OF_SHAPE:
        return _of_shape(name, arguments, given)
    if given:
        raise RecordingError(f"numpy.{name} with {', '.join(given)}")
    if name == "where" and len(arguments) == 3:
        return where(*arguments)
    if name == "log":
        return _log(x)
    if name in _UNARY:
        to = _UNARY[name]
        return -x if to == "-" else _divided(1, x) if to == "1/" else Traced(to, [x], _axes_of(x))
    if name in ("power", "float_power"):
        return _value(x) ** _value(arguments[1])
    if name == "matmul":
        return _matmul(*arguments)
    if name in _BINARY:
        return _divided(*arguments) if name == "divide" else _binary(_BINARY[name], *arguments)
    others = {"cumsum", "cumprod", "sort", "matmul", "power", "where", "clip", "einsum"}
    known = sorted({*_UNARY, *_BINARY, *_REDUCED, *others})
    raise RecordingError(
        f"numpy.{name}: a formula has no such function; there are {', '.join(known)}, and in assay.language erf, "
        "sigmoid, rsqrt, relu, softmax, logsumexp, variance, pick, stack and stochastic"
    )


def _of_shape(name: str, arguments: Sequence[Any], options: dict[str, Any]) -> Any:
    x, *rest = arguments
    if name == "einsum":
        return _einsum(x, *rest)
    if name == "dot":
        return _matmul(x, *rest)
    if name == "clip":
        low, high = (rest + [None, None])[:2]
        above = x if low is None else _binary("max", x, low)
        return above if high is None else _binary("min", above, high)
    axis = rest[0] if rest else options.get("axis", options.get("axes"))
    if name in ("cumsum", "cumprod"):
        return _along(name, x, axis)
    if name == "sort":
        return _along("sort", x, -1 if axis is None else axis)
    if name == "transpose":
        return x.transpose(*([] if axis is None else [axis]))
    if name == "swapaxes":
        return x.swapaxes(*rest)
    axes = list(x.axes)
    if name == "moveaxis":
        axes.insert(_place(rest[1], x.ndim), axes.pop(_place(rest[0], x.ndim)))
    elif name == "expand_dims":
        axes.insert(_place(axis, x.ndim + 1), None)
    else:
        axes = [each for each in axes if each is not None]
    return x._seen(axes)
