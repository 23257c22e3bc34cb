"""assay.tolerance: the number for a tolerance in your test, and what it is made of."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Mapping
from ctypes import byref
from dataclasses import dataclass
from typing import Any

from . import _arrays, _native
from ._close import Formula, _place, expected_of, formula_meant, terms_of, usual_of
from ._native import checked, library, text
from .judge import Case, Judge


@dataclass(frozen=True)
class Tolerance:
    """How far right results may be from the exact ones, for one case. `allclose(got, exact, rtol=0, atol=t.atol)`
    accepts every result that keeps the contract, and so do `atol=t.largest` and `rtol=t.relative, atol=0`. All are for
    these inputs; others have other bounds."""

    operation: str
    format: str
    contract: str
    atol: Any  #: of each entry, rounded up: an array of the shape of the result, or a float; NaN without a bound
    largest: float
    median: float
    entries: int
    silent: int  #: number of entries without a bound
    relative: float | None  #: the largest of bound/|value|, of values other than 0; None for an operation
    blind: int | None  #: at how many entries other than 0 a kernel that returns 0 passes; None for an operation
    at: str  #: the entry with the largest bound
    made_of: tuple[tuple[float, str], ...]  #: of the largest bound: shares in percent, and definitions
    presumes: str  #: the hypotheses about the kernel: the statement of the theorem
    source: str

    def __str__(self) -> str:
        lines = [f"{self.operation} {self.format}: {self.contract}"]
        lines.append(f"  atol {self.largest:.6g} for all entries (median {self.median:.3g})")
        if self.relative is not None:
            lines.append(f"  rtol {self.relative:.6g} for all entries, where atol is 0")
        lines += [f"  made of {share:.1f} % {name} at {self.at}" for share, name in self.made_of[:3]]
        if self.blind:
            lines.append(f"  a kernel that returns 0 passes at {self.blind} of {self.entries} entries")
        if self.silent:
            lines.append(f"  no bound for {self.silent} of {self.entries} entries")
        return "\n".join([*lines, f"  presumes {self.presumes}", f"  source {self.source}"])


def tolerance(
    formula: Any,
    *inputs: Any,
    shapes: Mapping[str, int] | None = None,
    contract: str | None = None,
    format: str | None = None,
    seed: int = 1,
    **attributes: Any,
) -> Tolerance:
    """By how much the results of right kernels may differ from the exact ones, by the theorem of a contract: for your
    inputs, or for numbers drawn in the given shapes: nearly those of a standard normal distribution, or in the range of
    their parameter. `assay tolerance F --shape n=64,d=32` prints the same numbers for the same shapes.

    formula, inputs, attributes, contract: as in assert_close. For an operation, the default contract is the usual one
        with the largest bound.
    shapes: the lengths of a formula's axes, instead of inputs.
    format: with shapes, "f32" (the default), "bf16" or "bf16:f32"; with inputs, the format of the result, if it is not
        the format of the inputs.

    The numbers hold for these inputs only: other inputs have other numbers.

    >>> print(tolerance("matmul", shapes=dict(m=2, k=4096, n=2), format="bf16"))  # doctest: +ELLIPSIS
    matmul_plain bf16: unit
      atol ... for all entries (median ...)
      rtol ... for all entries, where atol is 0
    ...
    """
    if shapes is not None:
        if inputs or attributes:
            raise TypeError("tolerance: inputs or shapes, not both")
        if not isinstance(shapes, Mapping) or not all(isinstance(each, int) for each in shapes.values()):
            raise TypeError(f"tolerance: shapes={shapes!r}; give the lengths of the axes by name: shapes=dict(n=64, d=32)")
        of = formula if isinstance(formula, Formula) else Formula.named(formula)
        shape = ",".join(f"{axis}={length}" for axis, length in shapes.items())
        judge = Judge(formula=of.source, format=format or "f32", shape=shape, seed=seed)
        return _of_case(of, judge.typical(), contract)
    found = formula_meant(formula)
    if found is None:
        return _of_operation(formula, inputs, contract, format, attributes)
    return _of_case(found, found.case(found.arguments(inputs, attributes), format), contract)


def _of_case(of: Formula, case: Case, contract: str | None) -> Tolerance:
    chosen = contract or case._judge.usual_contract
    case._judge.require_contract(chosen)
    wanted = case._result()
    shape = tuple(wanted.shape[i] for i in range(wanted.ndim))
    bounds = (ctypes.c_double * math.prod(shape))()
    told = _native.CTolerance()
    checked(library().assay_case_tolerance(case._handle, chosen.encode(), byref(told), bounds, len(bounds)))
    if told.silent == told.entries:
        why = text(told.derivation)
        raise ValueError(f"{of.name} {case.format}: {chosen} has no bound for these inputs{why and f': {why}'}")
    return Tolerance(
        operation=of.name,
        format=case.format,
        contract=chosen,
        atol=_shaped(bounds, shape),
        largest=told.largest,
        median=told.median,
        entries=told.entries,
        silent=told.silent,
        relative=told.relative,
        blind=told.blind,
        at=of.graph["result"] + _place(told.at, shape),
        made_of=tuple(terms_of(text(told.derivation), of.graph, told.largest)),
        presumes=text(told.statement).rsplit(": ", 1)[-1],
        source=text(told.source),
    )


def _shaped(bounds: Any, shape: tuple[int, ...]) -> Any:
    if not shape:
        return float(bounds[0])
    return list(bounds) if _arrays.numpy is None else _arrays.numpy.array(bounds).reshape(shape)


def _of_operation(
    operation: str, inputs: Any, contract: str | None, result: str | None, attributes: dict[str, Any]
) -> Tolerance:
    want = expected_of(operation, inputs, attributes if result is None else {**attributes, "result": result})
    best: tuple[float, str, Any, list[float]] | None = None
    refused: ValueError | None = None
    for each in [contract] if contract is not None else usual_of(operation, want.format):
        try:
            atol = want.bound(each)
        except ValueError as error:
            refused = error
            continue
        all = [float(value) for value in (_arrays.numpy.ravel(atol) if hasattr(atol, "shape") else [atol])]
        said = sorted(value for value in all if not math.isnan(value))
        if said and (best is None or said[-1] > best[0]):
            best = (said[-1], each, atol, all)
    if best is None:
        raise refused or ValueError(f"{operation}: no bound for these inputs")
    largest, chosen, atol, all = best
    said = sorted(value for value in all if not math.isnan(value))
    listed = {each["id"]: each for each in Judge(operation).description["contracts"]}[chosen]
    return Tolerance(
        operation=operation,
        format=want.format,
        contract=chosen,
        atol=atol,
        largest=largest,
        median=said[len(said) // 2],
        entries=len(all),
        silent=len(all) - len(said),
        relative=None,
        blind=None,
        at="result" + _place(all.index(largest), tuple(getattr(atol, "shape", ()))),
        made_of=(),
        presumes=listed["theorem"]["statement"] + (f": {listed['instance']}" if listed["instance"] else ""),
        source=listed["theorem"]["source"],
    )
