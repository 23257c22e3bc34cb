"""assay.assert_within: results that your program has are held to a contract, and never to a tolerance."""

from __future__ import annotations

from typing import Any

from . import _arrays
from ._check import Broken, Undecided, _error
from .judge import Case, Judge, contracts


class Expected:
    """The exact result of an operation on inputs of yours: sum, asum, nrm2, dot, gemv, gemm make it. Nothing is
    computed until a result is judged."""

    def __init__(self, operation: str, result: str | None = None, **arguments: Any):
        self.operation = operation
        self._arguments = {name: value for name, value in arguments.items() if value is not None}
        self.format = self._format(result)

    def _format(self, result: str | None) -> str:
        """The format of the arrays. Raises TypeError for several formats, or one that the operation does not have."""
        formats = {}
        for name, value in self._arguments.items():
            if isinstance(value, (int, float)) and not hasattr(value, "dtype"):
                continue
            kind = _arrays.view(value, name).kind
            formats[name] = _arrays.format_name(kind) or f"a type of {kind[1]} bits"
        if self.operation == "matmul_epilogue":
            result = formats.pop("c", result)
        if len(set(formats.values())) != 1:
            several = ", ".join(f"{name} {format}" for name, format in formats.items())
            raise TypeError(f"{self.operation}: arrays of several formats: {several}")
        format = next(iter(formats.values()))
        if result is not None and result != format:
            format += ":" + result
        known = contracts()[self.operation]["formats"]
        if format not in known:
            raise TypeError(f"{self.operation}: no format {format}; there are: {', '.join(known)}")
        return format

    def case(self, family: str = "subject") -> Case:
        """The inputs as a case. Raises ValueError where the theorems do not speak of them."""
        return Judge(self.operation, self.format, family=family).given(*self._arguments.values())

    def __repr__(self) -> str:
        return f"<the exact {self.operation} in {self.format}>"


def sum(x: Any) -> Expected:
    """Σxᵢ of a vector, exactly."""
    return Expected("sum", x=x)


def asum(x: Any) -> Expected:
    """Σ|xᵢ| of a vector, exactly."""
    return Expected("asum", x=x)


def nrm2(x: Any) -> Expected:
    """√Σxᵢ² of a vector, exactly."""
    return Expected("nrm2", x=x)


def dot(x: Any, y: Any) -> Expected:
    """Σxᵢyᵢ of two vectors, exactly.

    >>> from array import array
    >>> dot(array("d", [1.0, 2.0**-30]), array("d", [1.0, 2.0**-30])).case().truth
    ['1.000000000000000000867361737988403547206e0']
    """
    return Expected("dot", x=x, y=y)


def gemv(a: Any, x: Any, *, alpha: float | None = None, beta: float | None = None, y: Any = None) -> Expected:
    """A·x, or α·A·x + β·y where alpha, beta and y are given, exactly."""
    return _product("gemv", a, x, alpha, beta, y, "y")


def gemm(a: Any, b: Any, *, alpha: float | None = None, beta: float | None = None, c: Any = None) -> Expected:
    """A·B, or α·A·B + β·C where alpha, beta and c are given, exactly."""
    return _product("gemm", a, b, alpha, beta, c, "c")


def matmul(
    a: Any,
    b: Any,
    *,
    result: str | None = None,
    alpha: float | None = None,
    beta: float | None = None,
    c: Any = None,
) -> Expected:
    """A·B of two matrices, or of several in a batch, exactly; α·A·B + β·C where alpha, beta and c are given. `result`:
    the format of the result where it is not that of the inputs, such as "f32" of a product of bfloat16; with c it is
    that of c.

    >>> import numpy
    >>> a = numpy.eye(2, dtype="f2")
    >>> assert_within(numpy.eye(2, dtype="f4"), matmul(a, a, result="f32"), contract="correctly_rounded")
    """
    given = [each is not None for each in (alpha, beta, c)]
    if not any(given):
        return Expected("matmul", result, a=a, b=b)
    if not all(given):
        raise TypeError("matmul: alpha, beta and c are given together, or none of them")
    return Expected("matmul_epilogue", None, alpha=alpha, a=a, b=b, beta=beta, c=c)


def _product(operation: str, a: Any, b: Any, alpha: float | None, beta: float | None, c: Any, name: str) -> Expected:
    given = [each is not None for each in (alpha, beta, c)]
    if any(given) and not all(given):
        raise TypeError(f"{operation}: alpha, beta and {name} are given together, or none of them")
    return Expected(operation, alpha=alpha, a=a, b=b, beta=beta, c=c)


def assert_within(got: Any, want: Expected | Case, contract: str) -> None:
    """Holds a result to a contract: `assert_within(np.dot(x, y), assay.dot(x, y), contract="any_order")`.

    `want` may be a case, too. The bound follows from the inputs, the format and the contract's theorem. Raises Broken
    (an AssertionError) with the error, the bound and its source; Undecided for a contract that one result cannot decide; ValueError for inputs of
    which the theorem does not speak, for a wrong shape and for an unknown contract; TypeError for another format.

    >>> from array import array
    >>> x = array("d", [1.0, 2.0**-30])
    >>> assert_within(1.0, dot(x, x), contract="faithful")
    >>> assert_within(1.0 + 2.0**-51, dot(x, x), contract="faithful")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    assay.Broken: dot f64: faithful is broken
      got    0x1.0000000000002p+0
      exact  1.000000000000000000867361737988403547206e0
      error  +1.996 ulp
      ...
    """
    if not isinstance(want, (Expected, Case)):
        raise TypeError(f"want: a {type(want).__name__}; write assay.dot(x, y), assay.gemm(a, b) or the like")
    known = [each["id"] for each in contracts()[want.operation]["contracts"]]
    if contract not in known:
        raise ValueError(f"no contract {contract}; {want.operation} has: {', '.join(known)}")
    case = want.case() if isinstance(want, Expected) else want
    judgment = case.judge(got)[contract]
    head = f"{want.operation} {want.format}: {contract} is {judgment.verdict}"
    if judgment.verdict == "kept":
        return
    if judgment.verdict == "outside":
        raise ValueError(f"{want.operation} {want.format}: {contract} asks that {judgment.preconditions}")
    lines = [head]
    if judgment.verdict == "undecided":
        raise Undecided(f"{head}: it is about several runs of a function; see assay.check")
    lines += [
        f"  got    {judgment.got}",
        f"  exact  {judgment.exact}",
        "  error  " + _error(judgment.component, judgment.components, judgment.ulps, judgment.ratio),
        f"  claim  {judgment.statement}",
        f"  source {judgment.source}",
    ]
    raise Broken("\n".join(lines))
