"""What functions of torch mean for assay.formula_of: the table of them, and arithmetic."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ._record import RecordingError, _unshifted
from ._symbols import Recording, Symbol, number

#: Functions by their names in torch. Each gets the recording, then the arguments of torch's function.
FUNCTIONS: dict[str, Callable[..., Any]] = {}


def meaning(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Registers a function under torch's names."""

    def registered(function: Callable[..., Any]) -> Callable[..., Any]:
        FUNCTIONS.update(dict.fromkeys(names or (function.__name__.strip("_"),), function))
        return function

    return registered


def flat(dims: Sequence[Sequence[str]]) -> list[str]:
    return [axis for dim in dims for axis in dim]


def plain(x: Any) -> Any:
    """Refuses a tensor with −∞ in it."""
    if isinstance(x, Symbol) and x.mask is not None:
        raise RecordingError("−∞ outside of a mask, of which a formula takes a softmax or logsumexp alone")
    return x


def entrywise(rec: Recording, op: str, *values: Any) -> Any:
    nodes, dims = rec.together(*map(plain, values))
    nodes = [each if each is not None and hasattr(each, "axes") else number(each) for each in nodes]
    of = next(rec.symbol(each) for each in values if isinstance(rec.symbol(each), Symbol))
    return of.like(rec.node(op, nodes, flat(dims)), dims)


def unary(rec: Recording, op: str, x: Symbol) -> Symbol:
    return x.like(rec.node(op, [plain(x).node], x.node.axes), x.dims)


def constant(rec: Recording, op: str, *values: Any) -> Symbol:
    """A number that is not rational: constant(rec, "sqrt", 2)."""
    return Symbol(rec, rec.node(op, [getattr(each, "node", each) for each in values], ()), (), None)


def with_ways(x: Symbol, *ways: Symbol) -> Symbol:
    """x, with other definitions that are equal over the reals."""
    x.node.ways = [each.node for each in ways]
    return x


def place(x: Symbol, dim: int) -> int:
    if not -x.ndim <= dim < max(x.ndim, 1):
        raise RecordingError(f"dimension {dim} of a tensor of {x.ndim} dimensions")
    return dim % max(x.ndim, 1)


def one_axis(x: Symbol, dim: int, what: str) -> str | None:
    axes = x.dims[place(x, dim)]
    if len(axes) > 1:
        raise RecordingError(f"{what} along a dimension that a view made of several; reshape behind it instead")
    return axes[0] if axes else None


# ---------------------------------------------------------------------------------------------------------- arithmetic

for _name in ("exp", "exp2", "expm1", "log", "log1p", "sqrt", "rsqrt", "tanh", "erf", "sigmoid", "sin", "cos", "relu",
              "sign"):  # fmt: skip
    FUNCTIONS[_name] = lambda rec, x, inplace=False, _op=_name: unary(rec, _op, x)
for _name in ("abs", "absolute"):
    FUNCTIONS[_name] = lambda rec, x: unary(rec, "abs", x)
FUNCTIONS["neg"] = FUNCTIONS["negative"] = lambda rec, x: unary(rec, "neg", x)
FUNCTIONS["special_expit"] = FUNCTIONS["sigmoid"]
FUNCTIONS["atan2"] = FUNCTIONS["arctan2"] = lambda rec, a, b: entrywise(rec, "atan2", a, b)
FUNCTIONS["fmod"] = lambda rec, a, b: entrywise(rec, "fmod", a, b)
FUNCTIONS["minimum"] = lambda rec, a, b: entrywise(rec, "min", a, b)
FUNCTIONS["maximum"] = lambda rec, a, b: entrywise(rec, "max", a, b)


@meaning()
def log(rec: Recording, x: Symbol) -> Symbol:
    """log Σexp(x) is a logsumexp."""
    if x.node.op == "sum" and len(x.node.over) == 1 and x.node.arguments[0].op == "exp":
        return x.like(rec.node("logsumexp", [x.node.arguments[0].arguments[0]], x.node.axes, x.node.over), x.dims)
    return unary(rec, "log", x)


@meaning()
def log2(rec: Recording, x: Symbol) -> Any:
    return unary(rec, "log", x) / constant(rec, "log", 2)


@meaning()
def log10(rec: Recording, x: Symbol) -> Any:
    return unary(rec, "log", x) / constant(rec, "log", 10)


@meaning("add", "radd")
def add(rec: Recording, a: Any, b: Any, *, alpha: Any = 1) -> Any:
    return entrywise(rec, "+", a, b if alpha == 1 else entrywise(rec, "*", alpha, b))


@meaning("sub", "subtract")
def sub(rec: Recording, a: Any, b: Any, *, alpha: Any = 1) -> Any:
    return entrywise(rec, "-", a, b if alpha == 1 else entrywise(rec, "*", alpha, b))


@meaning("rsub")
def rsub(rec: Recording, a: Any, b: Any) -> Any:
    return entrywise(rec, "-", b, a)


@meaning("mul", "multiply", "rmul")
def mul(rec: Recording, a: Any, b: Any) -> Any:
    for x, factor in ((a, b), (b, a)):
        if isinstance(x, Symbol) and x.mask is not None and isinstance(factor, (int, float)) and factor > 0:
            return x.like(rec.node("*", [x.node, factor], x.node.axes), x.dims)  # −∞ stays −∞
    return entrywise(rec, "*", a, b)


@meaning("div", "truediv", "true_divide", "divide")
def div(rec: Recording, a: Any, b: Any, *, rounding_mode: Any = None) -> Any:
    """exp(x)/Σexp(x) is a softmax, with or without a shift by the maximum."""
    if rounding_mode is not None:
        raise RecordingError(f"a division with rounding_mode={rounding_mode!r}")
    if isinstance(a, Symbol) and isinstance(b, Symbol) and (a.node.op, b.node.op) == ("exp", "sum"):
        over = b.node.over
        if b.node.arguments[0] is a.node and len(over) == 1 and a.ndim == b.ndim:
            return a.like(rec.node("softmax", [_unshifted(a.node.arguments[0], over)], a.node.axes, over), a.dims)
    return entrywise(rec, "/", a, b)


@meaning("rdiv", "rtruediv")
def rdiv(rec: Recording, a: Any, b: Any) -> Any:
    return div(rec, b, a)


@meaning()
def reciprocal(rec: Recording, x: Symbol) -> Any:
    return entrywise(rec, "/", 1, x)


@meaning("pow", "float_power")
def pow_(rec: Recording, x: Any, exponent: Any) -> Any:
    if isinstance(exponent, Symbol) or not isinstance(x, Symbol):
        is_two = not isinstance(x, Symbol) and x == 2
        return unary(rec, "exp2", exponent) if is_two else entrywise(rec, "pow", x, exponent)
    p = number(exponent)
    if p == 1:
        return x
    if p in (0.5, -0.5):
        return unary(rec, "sqrt" if p > 0 else "rsqrt", x)
    if p in (-1, -2):
        return 1 / (x if p == -1 else x**2)
    if p == int(p) and 2 <= p <= 64:
        return x.like(rec.node("^", [plain(x).node, int(p)], x.node.axes), x.dims)
    return entrywise(rec, "pow", x, p)


@meaning()
def square(rec: Recording, x: Symbol) -> Any:
    return x**2


@meaning("clamp", "clip")
def clamp(rec: Recording, x: Any, min: Any = None, max: Any = None) -> Any:
    above = x if min is None else entrywise(rec, "max", x, min)
    return above if max is None else entrywise(rec, "min", above, max)


FUNCTIONS["clamp_min"] = lambda rec, x, min: entrywise(rec, "max", x, min)
FUNCTIONS["clamp_max"] = lambda rec, x, max: entrywise(rec, "min", x, max)


@meaning()
def lerp(rec: Recording, a: Any, b: Any, weight: Any) -> Any:
    return with_ways(a + weight * (b - a), (1 - weight) * a + weight * b)


@meaning("invert", "logical_not", "bitwise_not")
def invert(rec: Recording, x: Symbol) -> Any:
    if str(x.dtype) != "torch.bool":
        raise RecordingError(f"the bits of numbers of {x.dtype}")
    return 1 - x


@meaning("eq", "ne", "lt", "le", "gt", "ge", "and", "or", "mod", "isinf", "isnan")
def compared(rec: Recording, x: Any, *others: Any) -> Any:
    raise RecordingError("a comparison of values: write maximum, minimum, clamp or abs; masks of indices are possible")
