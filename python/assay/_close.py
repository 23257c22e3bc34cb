"""assay.assert_close: results that your program has are held to the bound that follows from their mathematics."""

from __future__ import annotations

import itertools
import math
import os
import re
import warnings
from collections.abc import Callable, Sequence
from typing import Any

from . import _arrays, _within
from ._check import Broken, Undecided, _error
from ._device import judged_there
from .judge import Case, Judge, Judgment, contracts, source_of

#: Contracts of operations, any of which will do where nobody names one: sums in any order, the usual forms of rows.
_USUAL: dict[str, tuple[str, ...]] = {
    "all_gather": ("bits_kept",),
    "all_reduce_max": ("exact",),
    "all_reduce_min": ("exact",),
    "axpy": ("f32_two_roundings", "two_roundings"),
    "copysign": ("exact",),
    "csrmv": ("grade_a",),
    "gemm": ("grade_a",),
    "gemv": ("grade_a",),
    "gemv_n": ("grade_a",),
    "layer_norm": ("f32_two_pass", "f32_welford", "f32_scale_shift", "two_pass", "welford", "scale_shift"),
    "log_softmax": ("f32_shifted_exp2_3ulp", "f32_of_sum_3ulp", "shifted_exp2_3ulp", "of_sum_3ulp"),
    "matmul": ("exact", "split_k", "inner_product"),
    "matmul_epilogue": ("split_k", "inner_product", "from_c_split_k", "from_c_inner_product"),
    "nextafter": ("exact",),
    "rms_norm": ("f32_any_order", "stored_twice", "any_order"),
    "softmax": ("f32_shifted_exp2_3ulp", "f32_scaled_exp2_3ulp", "shifted_exp2_3ulp", "scaled_exp2_3ulp"),
    "trsm": ("backward_reciprocal",),
    "trsv": ("backward_reciprocal",),
    "two_prod": ("error_free",),
    "two_sum": ("error_free",),
}
_USUAL |= dict.fromkeys(
    ("all_reduce", "asum", "cumsum", "dot", "nrm2", "reduce_scatter", "spmv", "sum"), ("f32_any_order", "any_order")
)
#: Of transforms by stages, and of any length.
_OF_TRANSFORMS = ("mixed_radix", "any_length")
#: Of functions of single numbers: the 4 ulps that a machine of formulas lets them err by.
_OF_NUMBERS = ("ulp_4", "accurate", "div2", "mul2", "sqrt", "faithful")


class Formula:
    """A formula: its file, its text (several lines), or the name of a shipped one. docs/formula.md has the language.

    >>> Formula("attention").parameters
    ['q', 'k', 'v', 'scale']
    """

    def __init__(self, source: Any):
        named = source_of(source)
        if named is None:
            raise ValueError(f"{source}: an operation, and no formula; `assay contracts {source}` lists its contracts")
        self.source = named
        self._graph: dict[str, Any] = {}

    @classmethod
    def named(cls, name: Any) -> Formula:
        """The formula of a name that an operation has as well."""
        of = cls.__new__(cls)
        of.source, of._graph = os.fspath(getattr(name, "source", name)), {}
        return of

    @property
    def graph(self) -> dict[str, Any]:
        """Its "parameters", with their "axes", its "result", and its "nodes"."""
        if not self._graph:
            self._graph = Judge(formula=self.source).graph
        return self._graph

    @property
    def name(self) -> str:
        return str(self.graph["formula"])

    @property
    def parameters(self) -> list[str]:
        """Their names, in their order."""
        return [each["name"] for each in self.graph["parameters"]]

    def contracts(self, format: str = "f32") -> list[str]:
        """Its machines and other contracts in a format, from strong to weak. `ftz` is asked only by its name.

        >>> Formula("silu").contracts()
        ['correctly_rounded', 'faithful', 'any_order', 'fast', 'ways', 'exceptional']
        """
        judge = Judge(formula=self.source, format=format)
        asked = {each["id"] for each in judge.description["contracts"] if each["is_rung"]}
        return [each for each in judge.contracts if each in asked]

    def __repr__(self) -> str:
        return f"<formula {self.name}({', '.join(self.parameters)})>"

    def arguments(self, inputs: Sequence[Any], attributes: dict[str, Any]) -> list[Any]:
        """One for each parameter: those by position, then those by name. Raises TypeError for others."""
        names = self.parameters
        if len(inputs) > len(names):
            raise TypeError(f"{self.name}: it takes {', '.join(names)}, and {len(inputs)} arguments are given")
        by_name = dict(zip(names, inputs))
        for name, value in attributes.items():
            if name not in names:
                raise TypeError(f"{self.name}: no parameter {name}; it takes {', '.join(names)}")
            if name in by_name:
                raise TypeError(f"{self.name}: {name} is given twice")
            by_name[name] = value
        missing = [name for name in names if name not in by_name]
        if missing:
            raise TypeError(f"{self.name}: {', '.join(missing)} is missing; it takes {', '.join(names)}")
        return [by_name[name] for name in names]

    def result(self, got: Any) -> Any:
        """A result in the shape of the formula's."""
        return got

    def case(self, arguments: Sequence[Any], result: str | None = None) -> Case:
        """The case of these arguments. `result`: the format of the result where it is not that of the inputs."""
        format, formats = self._formats(arguments, result)
        return Judge(formula=self.source, format=format, formats=formats).given(*arguments)

    def _formats(self, arguments: Sequence[Any], result: str | None) -> tuple[str, list[str | None]]:
        """The format of the machines, and that of each parameter: of its array, or of a plain number binary32 beside
        narrow arrays. Raises TypeError for numbers that no formula has."""
        found: list[str | None] = []
        for parameter, value in zip(self.graph["parameters"], arguments):
            if parameter["index"] or parameter["format"] or _arrays.is_plain(value):
                found.append(None)
                continue
            kind = _kind_of(value, parameter["name"])
            name = _arrays.format_name(kind)
            if name not in ("f64", "f32", "f16", "bf16"):
                raise TypeError(
                    f"{self.name}: {parameter['name']} has numbers of {name or _arrays.type_name(kind)}; a formula has "
                    "f64, f32, f16 and bf16"
                )
            found.append(name)
        of_arrays = [each for each in found if each is not None]
        narrow = next((each for each in of_arrays if each in ("f16", "bf16")), None)
        inputs = "f64" if "f64" in of_arrays or not of_arrays else narrow or "f32"
        of_numbers = "f32" if inputs == narrow else inputs
        formats = [
            of_numbers if each is None and not parameter["index"] and not parameter["format"] else each
            for parameter, each in zip(self.graph["parameters"], found)
        ]
        format = inputs if result in (None, inputs) else f"{inputs}:{result}"
        known = Judge(formula=self.source).description["formats"]
        if format not in known:
            what = _within._no_pair(*format.split(":")) if ":" in format else f"no format {format}"
            raise TypeError(f"{self.name}: {what}; there are: {', '.join(known)}")
        return format, formats


def formula_meant(what: Any) -> Formula | None:
    """The formula that a user means; nothing for the name of an operation."""
    if isinstance(what, Formula):
        return what
    return None if source_of(what) is None else Formula(what)


def _format_of(value: Any) -> str | None:
    """The format of an array; nothing for a number of Python."""
    if _arrays.is_plain(value):
        return None
    return _arrays.format_name(_kind_of(value, "got"))


def _kind_of(value: Any, name: str) -> tuple[int, int]:
    """The type of the numbers of an array."""
    return (_arrays.on_device(value) or _arrays.view(value, name)).kind


def expected_of(operation: str, inputs: Sequence[Any], attributes: dict[str, Any], got: Any = None) -> Any:
    """The exact result of an operation, as `assay.dot(x, y)` makes it."""
    make = getattr(_within, operation, None) if operation in _within.__dict__ and operation in contracts() else None
    if make is None:
        return _within.exact(operation, *inputs, **attributes)
    if operation == "matmul" and "result" not in attributes and got is not None:
        of_inputs, of_result = _format_of(inputs[0]) if inputs else None, _format_of(got)
        if of_result not in (None, of_inputs) and of_inputs != "s8":
            attributes = {**attributes, "result": of_result}
    return make(*inputs, **attributes)


def usual_of(operation: str, format: str) -> list[str]:
    """The contracts of an operation any of which will do where nobody names one."""
    known = [each["id"] for each in contracts()[operation]["contracts"] if format in (each["formats"] or [format])]
    described = contracts()[operation].get("usual", ())
    usual = [each for each in described or _USUAL.get(operation, ()) if each in known]
    if not usual:
        usual = [each for each in _OF_TRANSFORMS if each in known]
    if not usual:
        usual = [each for each in _OF_NUMBERS if each in known][:1]
    return usual


def assert_close(got: Any, formula: Any, *inputs: Any, contract: str | None = None, **attributes: Any) -> None:
    """Holds a result to the bound that follows from its mathematics: `assert_close(out, "attention", q, k, v, scale)`.
    There is no rtol: the exact values follow from the inputs, and the bound from these and from a machine.

    formula: the file of a formula, its text, the name of a shipped one, what assay.formula recorded; or the name of an
        operation of `assay contracts`, which comes before a formula of that name.
    inputs, attributes: its parameters by position or by name: arrays of NumPy, torch, CuPy, JAX or any other library
        with DLPack. A number of Python is rounded to the format of the arrays; beside f16 and bf16 to binary32.
    contract: a machine of the formula, or a contract of the operation. By default the most permissive one that is a
        statement about the error and computes wide enough for the format. Of a formula: its own machine if it brings
        one; else with f64 and f32 `ways` or `fast` (sums in any order, functions within 4 ulps, the other ways of the
        formula), with f16 and bf16 `stored` or `unit` (sums in binary32 in any order or by matrix units, every
        definition stored in the format). Of an operation: sums in any order, a product by matrix units and split sums,
        rows by any of the usual forms, 4 ulps of a function. Never by default: sums in f16 or bf16, tf32, a variance in
        one pass of f64 and f32, numbers flushed to zero.

    Arrays may have further axes, before those of the formula and of the same lengths in all of them: the formula is
    that of each head of a batch. Attention (`attention`, `attention_full`, `attention_grouped`, `attention_decode`,
    and the gradients `attention_backward_q`, `_k`, `_v`) whose arrays lie on a CUDA device is judged there, and so are
    formulas whose entries depend on one number of each array, as activations and steps of optimizers.

    Every entry is judged; of a result on a device whose entries are not all shown to be right there, some rows or
    entries, with a warning Sampled that has the count. Raises Broken (an AssertionError) that names the worst entry,
    its exact value, the error in ulps and in bounds, the definitions that the bound is made of, and what the result
    keeps; ValueError for another shape, and for inputs of which the contract says nothing; TypeError for another type
    or number of arguments; Undecided for a gradient on a device of which a number is shown neither to be right nor
    wrong, and too large for the host.

    >>> import numpy
    >>> x = numpy.array([[0.0, 1.0], [2.0, 2.0]], "f4")
    >>> y = numpy.exp(x) / numpy.exp(x).sum(axis=1, keepdims=True)
    >>> assert_close(y, "softmax_rows(x[r,n]) -> y[r,n]\\n  y = softmax(x, axis=n)\\n", x)
    """
    of = formula_meant(formula)
    if of is None:
        _hold_operation(got, formula, inputs, contract, attributes)
        return
    got, arguments = of.result(got), of.arguments(inputs, attributes)
    if judged_on_device(of, arguments, got, contract) is not None:
        return
    format = _format_of(got)
    has_axes = [bool(each["axes"]) for each in of.graph["parameters"]]
    for at in _heads(of, arguments, got):
        of_head = [value[at] if at and has else value for has, value in zip(has_axes, arguments)]
        hold(of, of.case(of_head, format), got[at] if at else got, contract, place=f" in {list(at)}" if at else "")


def _heads(of: Formula, arguments: Sequence[Any], got: Any) -> list[tuple[int, ...]]:
    """The indices of the axes that the arrays have before those of the formula: one without indices if there are none,
    or if they do not fit."""
    of_result = of.graph["nodes"][of.graph["place"]]["axes"]
    ranks = [len(each["axes"]) for each in of.graph["parameters"]]
    shapes = [_shape(value)[: len(_shape(value)) - rank] for value, rank in zip(arguments, ranks) if rank]
    lead = _shape(got)[: len(_shape(got)) - len(of_result)]
    return list(itertools.product(*map(range, lead))) if all(each == lead for each in shapes) else [()]


def _shape(value: Any) -> tuple[int, ...]:
    return tuple(getattr(value, "shape", ()))


#: Of a result and of its largest argument: the host judges fewer as fast as a device.
_NUMBERS_OF_THE_HOST = 1 << 13


def judged_on_device(of: Formula, arguments: Sequence[Any], got: Any, contract: str | None = None) -> Judgment | None:
    """Of a large result whose arrays lie on a CUDA device: its judgment there, held as by hold(). Nothing for others,
    for formulas and contracts that the host alone judges, and where no driver or no NVRTC is found."""
    of_result = _arrays.on_device(got)
    sizes = [math.prod(_shape(each)) for each in (got, *arguments)]
    if of_result is None or sizes[0] * max(sizes) <= _NUMBERS_OF_THE_HOST**2:
        return None
    format, formats = of._formats(arguments, _format_of(got))
    views = []
    for value, each, kind in zip(arguments, of.graph["parameters"], formats):
        of_number = None if kind is None else _arrays.FORMATS[kind]
        single = None if each["axes"] else _arrays.view(value, each["name"], of_number, rounds=True)
        views.append(single or _arrays.on_device(value))
    if None in views:
        return None
    judge = Judge(formula=of.source, format=format, formats=formats)

    def judged(contract: str) -> Judgment | None:
        return judged_there(judge, views, of_result, contract)

    judgment = judged(contract or judge.usual_contract)
    if judgment is None:
        return None
    _held(of, judge, judgment, judged, _shape(got))
    if judgment.judged < judgment.components:
        warnings.warn(f"{of.name} {format}: {judgment}", _within.Sampled, stacklevel=3)
    return judgment


def hold(
    of: Formula,
    case: Case,
    got: Any,
    contract: str | None = None,
    chosen_at: Sequence[Sequence[int] | None] = (),
    place: str = "",
) -> Judgment:
    """The judgment of a result. Raises Broken, ValueError and Undecided as assert_close does. chosen_at: where `got`
    has some rows of a larger result, their indices, by axis. place: where all of it is in a larger one."""
    judgment = case.judge_one(got, contract or case._judge.usual_contract)
    _held(of, case._judge, judgment, lambda weaker: case.judge_one(got, weaker), _shape(got), chosen_at, place)
    return judgment


def _held(
    of: Formula,
    judge: Judge,
    judgment: Judgment,
    judged: Callable[[str], Judgment | None],
    shape: tuple[int, ...],
    chosen_at: Sequence[Sequence[int] | None] = (),
    place: str = "",
) -> None:
    """Raises what a judgment other than "kept" says. judged: by another contract."""
    if judgment.verdict == "kept":
        return
    head = f"{of.name} {judge.format}: {judgment.contract} is {judgment.verdict}{place}"
    if judgment.verdict == "outside":
        raise ValueError(f"{of.name} {judge.format}: {judgment.excluded}{place}")
    if judgment.verdict == "undecided":
        at = of.graph["result"] + _place(judgment.component, shape, chosen_at)
        raise Undecided(f"{head}: from {at} on, {judgment.preconditions}" if judgment.preconditions else head)
    kept = _kept(judge, judged, judgment.contract)
    raise Broken("\n".join([head, *_lines(judgment, of.graph, shape, chosen_at), kept]))


def _hold_operation(
    got: Any, operation: str, inputs: Sequence[Any], contract: str | None, attributes: dict[str, Any]
) -> None:
    want = expected_of(operation, inputs, attributes, got)
    all = [contract] if contract is not None else usual_of(operation, want.format)
    error: Exception | None = None
    for each in all:
        try:
            _within.assert_within(got, want, each)
            return
        except Broken as broken:
            error = broken
        except ValueError as outside:
            if len(all) == 1 or "asks that" not in str(outside):
                raise
            error = error or outside
    assert error is not None
    raise error


def _place(component: int, shape: tuple[int, ...], chosen_at: Sequence[Sequence[int] | None] = ()) -> str:
    """The indices of an entry: "[4, 0]"."""
    at = []
    for d, side in reversed(list(enumerate(shape))):
        rows = chosen_at[d] if d < len(chosen_at) else None
        at.append(component % side if rows is None else rows[component % side])
        component //= side
    return str(list(reversed(at))) if shape else ""


def _lines(
    judgment: Judgment, graph: dict[str, Any], shape: tuple[int, ...], chosen_at: Sequence[Sequence[int] | None]
) -> list[str]:
    place = graph["result"] + _place(judgment.component, shape, chosen_at)
    # An enclosure tells less of a number than its exact value and its bound do.
    at_least, at_most = ("at least ", "at most ") if judgment.exactly == 0 else ("", "")
    how_many = f", the worst of {judgment.violated} wrong entries" if judgment.violated > 1 else ""
    is_number = judgment.got.lstrip("-").startswith("0x")
    lines = [
        f"  entry  {place}{how_many}",
        f"  got    {float.fromhex(judgment.got)!r} ({judgment.got})" if is_number else f"  got    {judgment.got}",
        f"  exact  {_exact(judgment.exact)}",
        "  error  " + ("" if math.isinf(judgment.ratio) else at_least) + _error(0, 1, judgment.ulps, judgment.ratio),
    ]
    if judgment.bound is not None:
        lines.append(f"  bound  {at_most}{judgment.bound:.6g}")
        for share, name in terms_of(judgment.derivation, graph, judgment.bound)[:3]:
            lines.append(f"  made of {share:.1f} % {name}")
    return [*lines, f"  claim  {judgment.statement}", f"  source {judgment.source}"]


def _exact(text: str) -> str:
    """An exact number; of a ball its midpoint."""
    return text[1:].split(" +/- ")[0] if text.startswith("[") else text


def terms_of(derivation: str, graph: dict[str, Any], bound: float) -> list[tuple[float, str]]:
    """What a bound is made of, the largest first: shares in percent, and definitions with what is computed there."""
    before = re.search(r"by formula\.forward\.1 (\S+)$", derivation, re.MULTILINE)  # without a rounding to the format
    part = min(float(before[1]) / bound, 1.0) if before and bound else 1.0
    shares = [(100 * (1 - part), f"{graph['result']}: rounded to its format")] if part < 0.999 else []
    for line in derivation.splitlines():
        words = line.split()
        if len(words) > 3 and words[1] == "%" and float(words[0]) >= 0.1:
            name = words[2]
            if name.startswith("("):
                name = "a part of " + _definition(int(name[1:-1]), graph)
            shares.append((part * float(words[0]), f"{name}: {words[3]}"))
    return sorted(shares, key=lambda each: -each[0])


def _definition(node: int, graph: dict[str, Any]) -> str:
    """The first definition with a name that a node without one leads to."""
    for later, each in enumerate(graph["nodes"][node:], node):
        if later != node and node in each["arguments"]:
            if each["name"]:
                return str(each["name"])
            node = later
    return str(graph["result"])


def _kept(judge: Judge, judged: Callable[[str], Judgment | None], broken: str) -> str:
    """A weaker contract that the result keeps."""
    listed = {each["id"]: each for each in judge.description["contracts"]}
    for weaker in listed[broken]["implies"]:
        if weaker not in judge.contracts:
            continue
        judgment = judged(weaker)
        if judgment is not None and judgment.verdict == "kept":
            return f"  keeps  {weaker}: {judgment.statement.rsplit(': ', 1)[-1]}"
    return "  keeps  no weaker machine"
