"""assay.assert_within: results that your program has are held to a contract, and never to a tolerance."""

from __future__ import annotations

import builtins
import math
import os
import time
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

from . import _arrays
from ._check import Broken, Undecided, _error
from ._device import judged_there
from ._parts import Part, parts_of, rows_of
from ._subject import type_and_shape
from .judge import Case, Judge, Judgment, contracts


class Expected:
    """The exact result of an operation on inputs of yours: sum, dot, softmax and the others make it. Nothing is
    computed until a result is judged."""

    def __init__(self, operation: str, result: str | None = None, **arguments: Any):
        self.operation = operation
        self._arguments = {name: value for name, value in arguments.items() if value is not None}
        self.format = self._format(result)

    def _format(self, result: str | None) -> str:
        """The format of the arrays. Raises TypeError for several formats, or one that the operation does not have."""
        kinds = {}
        for name, value in self._arguments.items():
            if _arrays.is_plain(value) or name in _INDICES:
                continue
            kinds[name] = (_arrays.on_device(value) or _arrays.view(value, name)).kind
        formats = {name: _arrays.format_name(kind) or _arrays.type_name(kind) for name, kind in kinds.items()}
        known = contracts()[self.operation]["formats"]
        if self.operation == "matmul_epilogue":
            result = formats.pop("c", result)
        if not formats:  # numbers of Python alone
            return str(result or known[0])
        if len(set(formats.values())) != 1:
            several = ", ".join(f"{name} {format}" for name, format in formats.items())
            raise TypeError(f"{self.operation}: arrays of several formats: {several}")
        name, format = next(iter(formats.items()))
        if format == "s8":
            result = result or "s32"
        pair = result is not None and result != format
        if pair:
            format += f":{result}"
        if format not in known:
            is_format = _arrays.format_name(kinds[name]) is not None
            what = f"no format {format}" if is_format else f"{name} has numbers of {format}"
            if pair and is_format:
                what = _no_pair(*format.split(":"))
            raise TypeError(f"{self.operation}: {what}; there are: {', '.join(known)}")
        return format

    def case(self, family: str = "subject") -> Case:
        """The inputs as a case. Raises ValueError where the theorems do not speak of them."""
        return Judge(self.operation, self.format, family=family).given(*self._arguments.values())

    def bound(self, contract: str) -> Any:
        """How far a result may be from the exact one by the contract, rounded up to binary64: a float, or an array of
        the shape of the result. A NaN stands where the contract has no number.

        >>> import numpy
        >>> dot(numpy.full(4, 0.1), numpy.ones(4)).bound("any_order")
        1.7763568394002515e-16
        """
        return self.case().bound(contract)

    def judge(self, got: Any, contract: str) -> Judgment:
        """The judgment of a result, with the number of entries that were judged and the seconds that it took.

        >>> from array import array
        >>> judgment = sum(array("d", [1.0, 2.0])).judge(3.0, "correctly_rounded")
        >>> judgment.verdict, judgment.judged
        ('kept', 1)
        """
        start = time.monotonic()
        judgment = (
            self._judge_on_device(got, contract)
            or self._judge_parts(got, contract)
            or self._judge_in_place(got, contract)
            or self.case().judge_one(got, contract)
        )
        return replace(judgment, seconds=time.monotonic() - start)

    def _judge_on_device(self, got: Any, contract: str) -> Judgment | None:
        """Of a large product, a long sum, a sparse matrix or many rows whose arrays lie on a CUDA device: the judgment of
        the entries there. Nothing for others, and where no driver or no NVRTC is found."""
        if self._terms(got) <= _TERMS_OF_THE_HOST:
            return None
        flat = (self._arguments, got) if self.operation in _ON_DEVICE else rows_of(self.operation, self._arguments, got)
        if flat is None:
            return None
        arguments, result = flat
        of_result = _arrays.on_device(result)
        views = [
            _arrays.view(each, name, of_result and of_result.kind, rounds=True) if name == "eps" else _arrays.on_device(each)
            for name, each in arguments.items()
        ]
        if of_result is None or None in views:
            return None
        return judged_there(Judge(self.operation, self.format), views, of_result, contract)

    def _terms(self, got: Any) -> int:
        """How many numbers are added for a result: the entries of a sparse matrix; for each number of a product or of a
        sum as many as the last axis of the first argument has. Of other operations, which are judged as fast as they
        are computed, how many numbers the result has."""
        entries = math.prod(getattr(got, "shape", ()))
        if self.operation == "spmv":
            return max(entries, _length(self._arguments["values"]))
        shape = getattr(next(iter(self._arguments.values())), "shape", ())
        return entries * int(shape[-1]) if self.operation in ("dot", "matmul", "sum") and shape else entries

    def _judge_parts(self, got: Any, contract: str) -> Judgment | None:
        """Of a large result whose parts are computed by themselves: the judgments of some parts at a time, on all cores.
        Nothing for few numbers, and for contracts that look at all of it."""
        is_about_error = _is_about_error(self.operation, contract)
        parts = list(parts_of(self.operation, self._arguments, got, contract, is_about_error))
        if len(parts) < 2:
            return None

        def judged(part: Part) -> Judgment:
            return Expected(self.operation, **part.arguments).case().judge_one(part.got, contract)

        with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
            judgments = list(pool.map(judged, parts))
        return _of_all(judgments, [part.start for part in parts], math.prod(got.shape), is_about_error)

    def _judge_in_place(self, got: Any, contract: str) -> Judgment | None:
        """Of a sum of many terms: the judgment, without a copy of them. Nothing for others."""
        arguments = list(self._arguments.values())
        if self.operation not in _IN_PLACE or _length(arguments[0]) <= _MOST_IN_A_CASE:
            return None
        return Judge(self.operation, self.format).judge_in_place(arguments, got, contract)

    def __repr__(self) -> str:
        return f"<the exact {self.operation} in {self.format}>"


def _length(vector: Any) -> int:
    """How many numbers a vector has; 0 for what has no length."""
    shape = getattr(vector, "shape", None)
    return int(shape[0]) if shape else len(vector) if hasattr(vector, "__len__") and shape is None else 0


def _no_pair(inputs: str, result: str) -> str:
    """What is wrong with a result in that format."""
    return f"no format {inputs}:{result}, numbers of {inputs} with a result of {result}"


class Elementwise(Expected):
    """The exact results of a function of single numbers, for a number or for each number of arrays of one shape."""

    def cases(self, family: str = "subject") -> Iterator[Case]:
        """A case for each number, the last index first."""
        judge = Judge(self.operation, self.format, family=family)
        columns = [_numbers(value, name, judge) for name, value in self._arguments.items()]
        for numbers in zip(*columns, strict=True):
            yield judge.given(*numbers)

    def case(self, family: str = "subject") -> Case:
        """The inputs as a case. Raises ValueError for other than one number."""
        all = list(self.cases(family))
        if len(all) != 1:
            raise ValueError(f"{self.operation}: {len(all)} numbers make as many cases")
        return all[0]

    def bound(self, contract: str) -> Any:
        bounds = [each.bound(contract) for each in self.cases()]
        shape = self._shape()
        if not shape:
            return float(_arrays.numpy.ravel(bounds[0])[0])
        return _arrays.numpy.array(bounds).reshape(shape)

    def _shape(self) -> tuple[int, ...]:
        return tuple(getattr(next(iter(self._arguments.values())), "shape", ()))


#: Operations that are judged where their arrays lie, if they or rows have more terms than that.
_ON_DEVICE = ("cumsum", "dot", "matmul", "spmv", "sum")
_TERMS_OF_THE_HOST = 1 << 20

#: Operations whose arrays are read where they lie, if they have more numbers than the cases that are drawn.
_IN_PLACE = ("asum", "cumsum", "dot", "nrm2", "sum")
_MOST_IN_A_CASE = 8192

def _of_all(judgments: list[Judgment], starts: list[int], components: int, is_about_error: bool) -> Judgment:
    """The judgment of all rows from those of parts, which begin at these entries: the worst of them. One outside puts
    all outside if the contract is about errors; else parts of which nothing is said do not count."""
    rank = {"outside": 0, "kept": 1, "undecided": 2, "broken": 3}
    at = max(range(len(judgments)), key=lambda i: (rank[judgments[i].verdict], judgments[i].ratio))
    worst = judgments[at]
    excluded = next((each for each in judgments if each.verdict == "outside"), None)
    if worst.verdict == "kept" and excluded is not None and is_about_error:
        worst, at = excluded, 0
    return replace(
        worst,
        component=starts[at] + worst.component,
        components=components,
        judged=builtins.sum(each.judged for each in judgments),
        violated=builtins.sum(each.violated for each in judgments),
    )


#: Arguments whose numbers are integers in every format.
_INDICES = ("row_offsets", "column_indices", "pivots")


def _numbers(value: Any, name: str, judge: Judge) -> list[Any]:
    """The numbers of an array, each an array of one library without axes."""
    if _arrays.is_plain(value):
        return [value]
    if _arrays.numpy is None:
        raise TypeError(f"{name}: this operation needs NumPy")
    host = _arrays._on_host(value)
    if not _arrays._is_numpy(host):
        host = _arrays.numpy.from_dlpack(host)
    _arrays.view(host, name)
    return list(_arrays.numpy.asarray(host).reshape(-1))


def exact(operation: str, *arguments: Any, result: str | None = None) -> Expected:
    """The exact result of any operation of `assay contracts`, whose inputs are the fields of a case. Of functions of
    single numbers, such as exp, the numbers may stand in arrays.

    >>> assert_within(1.0, exact("exp", 0.0), contract="correctly_rounded")
    """
    if operation not in contracts():
        Judge(operation)  # raises, and names the nearest
    judge = Judge(operation)
    names = judge.fields
    if judge.declared is not None:
        arguments = tuple(judge.declared.fields_of(arguments, names))
    if len(arguments) != len(names):
        names = [each for each in names if each not in ("rows", "columns", "n", "lda")]
    if len(arguments) != len(names):
        raise TypeError(f"{operation}: it takes {', '.join(names)}")
    kind = Elementwise if judge.is_elementwise else Expected
    return kind(operation, result, **dict(zip(names, arguments)))


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


def axpy(alpha: Any, x: Any, y: Any) -> Expected:
    """αx + y of two vectors, exactly."""
    return Expected("axpy", alpha=alpha, x=x, y=y)


def cumsum(x: Any) -> Expected:
    """The sums x₁ + … + xᵢ of a vector, exactly."""
    return Expected("cumsum", x=x)


def softmax(x: Any) -> Expected:
    """The softmax of each row of x, along the last axis, exactly.

    >>> import numpy
    >>> assert_within(numpy.full((2, 2), 0.5), softmax(numpy.zeros((2, 2))), contract="shifted_1ulp")
    """
    return Expected("softmax", x=x)


def log_softmax(x: Any) -> Expected:
    """The logarithm of the softmax of each row of x, along the last axis, exactly."""
    return Expected("log_softmax", x=x)


def layer_norm(x: Any, weight: Any, bias: Any, eps: float) -> Expected:
    """(x − μ)·weight/√(v + ε) + bias of each row of x, along the last axis, exactly. ε is the number of the format
    nearest to `eps`."""
    return Expected("layer_norm", eps=eps, x=x, weight=weight, bias=bias)


def rms_norm(x: Any, weight: Any, eps: float) -> Expected:
    """x·weight/√(Σxⱼ²/n + ε) of each row of x, along the last axis, exactly. ε is the number of the format nearest to
    `eps`."""
    return Expected("rms_norm", eps=eps, x=x, weight=weight)


def spmv(row_offsets: Any, column_indices: Any, values: Any, x: Any) -> Expected:
    """A·x of a matrix in compressed sparse rows, with as many columns as x has numbers, exactly."""
    return Expected("spmv", row_offsets=row_offsets, column_indices=column_indices, values=values, x=x)


def trsv(a: Any, x: Any, *, upper: bool = False, trans: bool = False, unit: bool = False) -> Expected:
    """op(A)⁻¹·x of a triangular matrix, the lower triangle of A by default, exactly. `unit`: the diagonal is taken as
    ones."""
    return Expected("trsv", upper=int(upper), trans=int(trans), unit=int(unit), a=a, x=x)


def assert_within(got: Any, want: Expected | Case, contract: str) -> None:
    """Holds a result to a contract: `assert_within(np.dot(x, y), assay.dot(x, y), contract="any_order")`.

    `want` may be a case, too. The bound follows from the inputs, the format and the contract's theorem. Raises Broken
    (an AssertionError) with the error, the bound and its source; Undecided for a contract that one result cannot
    decide; ValueError for inputs of which the theorem does not speak or of which every result would keep the contract,
    for a wrong shape and for an unknown contract; TypeError for another format. Warns with Sampled where a result is so
    large that a sample of its entries was judged. `want.judge(got, contract)` gives the judgment itself.

    >>> from array import array
    >>> x = array("d", [1.0, 2.0**-30])
    >>> assert_within(1.0, dot(x, x), contract="faithful")
    >>> assert_within(1.0 + 2.0**-51, dot(x, x), contract="faithful")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    assay.Broken: dot f64: faithful is broken
      got    0x1.0000000000002p+0
      exact  1.000000000000000000867361737988403547206e0
      error  +1.996 ulp
      bound  2.22045e-16
      ...
    """
    if not isinstance(want, (Expected, Case)):
        raise TypeError(f"want: a {type(want).__name__}; write assay.dot(x, y), assay.gemm(a, b) or the like")
    if isinstance(want, Elementwise):
        _hold_each(got, want, contract)
        return
    judgment = want.judge(got, contract) if isinstance(want, Expected) else want.judge_one(got, contract)
    _hold(judgment, want, contract)
    is_product = want.operation.startswith("matmul")  # whose judge alone counts what it judged of a sample
    if judgment.judged < judgment.components and is_product and _is_about_error(want.operation, contract):
        warnings.warn(f"{want.operation} {want.format}: {judgment}", Sampled, stacklevel=2)


class Sampled(UserWarning):
    """A result is so large that a sample of its entries was judged, each rigorously."""


def _is_about_error(operation: str, contract: str) -> bool:
    listed = contracts().get(operation, {"contracts": []})["contracts"]
    return any(each["id"] == contract and each["is_about_error"] for each in listed)


def _hold(judgment: Judgment, want: Expected | Case, contract: str, place: str = "") -> None:
    """Raises what a judgment other than "kept" says."""
    head = f"{want.operation} {want.format}: {contract} is {judgment.verdict}{place}"
    if judgment.verdict == "kept":
        return
    if judgment.verdict == "outside":
        raise ValueError(f"{want.operation} {want.format}: {judgment.excluded}{place}")
    if judgment.verdict == "undecided":
        raise Undecided(f"{head}: it is about several runs of a function; see assay.check")
    lines = [
        head,
        f"  got    {judgment.got}",
        f"  exact  {judgment.exact}",
        "  error  " + _error(judgment.component, judgment.components, judgment.ulps, judgment.ratio),
    ]
    if judgment.bound is not None:
        lines.append(f"  bound  {judgment.bound:.6g}")
    if judgment.seconds:
        lines.append(f"  judged {judgment.judged} of {judgment.components} entries in {judgment.seconds:.3g} s")
    raise Broken("\n".join([*lines, f"  claim  {judgment.statement}", f"  source {judgment.source}"]))


def _hold_each(got: Any, want: Elementwise, contract: str) -> None:
    """Holds each number to the contract; where it does not speak of one, to `special_values`."""
    judge = Judge(want.operation, want.format)
    judge.require_contract(contract)
    shape, expected = tuple(getattr(got, "shape", ())), want._shape()
    drawn = judge.draw(0)  # owns the result's description
    pairs = type_and_shape(drawn._result())[1] == (2,)  # a number and its error
    if shape != (expected + (2,) if pairs else expected):
        raise ValueError(f"result: it has shape {shape}, not {expected + (2,) if pairs else expected}")
    numbers = list(got.reshape(-1, 2)) if pairs else _numbers(got, "got", judge)
    spoken = 0
    outside: Judgment | None = None
    for i, (number, case) in enumerate(zip(numbers, want.cases(), strict=True)):
        place = f", number {i} of {len(numbers)}" if len(numbers) > 1 else ""
        judgment = case.judge_one(number, contract)
        if judgment.verdict == "outside" and contract != "special_values" and "special_values" in judge.contracts:
            outside = outside or judgment
            judgment = case.judge_one(number, "special_values")
        elif judgment.verdict == "outside" and contract == "special_values":
            outside = outside or judgment
            continue
        else:
            spoken += 1
        _hold(judgment, want, contract, place)
    if spoken == 0 and outside is not None:
        _hold(outside, want, contract)
