"""Tables of kernels of shipped formulas. test_operations.py judges them.

A module table_*.py has a dictionary TABLE from the name of a formula to its Table. A kernel is a function of NumPy
arrays, as for assay.check. It computes in the format of its arguments. A correct kernel is also judged in binary16: its
arguments are widened to binary32, and its result is rounded.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy

import assay

Kernel = Callable[..., Any]
LIBRARY = Path(__file__).resolve().parents[2] / "properties" / "formulas" / "library"


@dataclass(frozen=True)
class Wrong:
    """A planted mistake. `report`: repository and number of a public report, or a description of the mistake."""

    contract: str  #: the rung that its author would claim
    kernel: Kernel
    report: str
    format: str = "f32"


@dataclass(frozen=True)
class Table:
    """Kernels of one formula. `right`: correct kernels, by the rung that they are written for and must keep."""

    right: dict[str, list[Kernel]]
    wrong: list[Wrong]
    formats: tuple[str, ...] = ("f32", "f16")

    @property
    def kernels(self) -> list[tuple[str, Kernel]]:
        return [(contract, kernel) for contract, listed in self.right.items() for kernel in listed]


def name_of(kernel: Kernel) -> str:
    return str(getattr(kernel, "__name__", kernel))


def text_of(formula: str) -> str:
    return (LIBRARY / f"{formula}.formula").read_text()


def in_binary32(kernel: Kernel) -> Kernel:
    """A kernel for binary16 that computes in binary32: its arguments are widened, and its result is rounded."""

    @functools.wraps(kernel)
    def widened(*arguments: Any) -> Any:
        wide = [x.astype("f4") if x.dtype == numpy.float16 else x for x in map(numpy.asarray, arguments)]
        return numpy.asarray(kernel(*wide)).astype("f2")

    return widened


@dataclass
class Tally:
    """The results of one kernel."""

    contract: str
    kernel: Kernel
    kept: int = 0
    outside: int = 0  #: cases to which the contract does not apply
    ratio: float = 0.0  #: the largest error/bound
    broken: list[str] = field(default_factory=list)  #: a line for each broken case

    def __str__(self) -> str:
        return f"{name_of(self.kernel)} ({self.contract}): kept {self.kept}, outside {self.outside}, {self.ratio:.3g}"


def tallies(
    formula: str, format: str, kernels: list[tuple[str, Kernel]], cases: int, are_wrong: bool = False
) -> list[Tally]:
    """Judges all kernels on the same drawn cases, each only by its own contract. A case with infinities or NaNs is
    judged by `exceptional`, which correct kernels must keep, too, and by their own contract as well where rows of
    logits may have −∞. A wrong kernel is judged until it breaks its contract, and only on finite numbers, unless its
    contract is `exceptional`."""
    judge = assay.Judge(formula=text_of(formula), format=format)
    all_ = [Tally(contract, kernel) for contract, kernel in kernels]
    has_logits = any(name in text_of(formula) for name in ("softmax(", "logsumexp("))
    for number in range(cases):
        open_ = [each for each in all_ if not (are_wrong and each.broken)]
        if not open_:
            break
        case = judge.draw(number)
        is_finite = all(numpy.isfinite(each).all() for each in case.arguments)
        for tally in open_:
            if are_wrong and not is_finite and tally.contract != "exceptional":
                continue
            with numpy.errstate(all="ignore"):
                got = tally.kernel(*case.arguments)
            judgment = case.judge_one(got, tally.contract if is_finite else "exceptional")
            if not is_finite and has_logits and judgment.verdict != "broken" and tally.contract != "exceptional":
                judgment = case.judge_one(got, tally.contract)
            if judgment.verdict == "broken":
                numbers = f"{judgment.got}, not {judgment.exact}, {judgment.ratio:.3g} of the bound"
                entry = f"{name_of(tally.kernel)}[{judgment.component}]"
                tally.broken.append(f"{formula} {format}, case {number}, {entry}: {numbers}\n{case}")
            elif judgment.verdict == "outside":
                tally.outside += 1
            else:
                tally.kept += 1
                tally.ratio = max(tally.ratio, judgment.ratio)
    return all_


# ---------------------------------------------------------------------------------------------- mistakes of any kernel


def named(name: str) -> Callable[[Kernel], Kernel]:
    def change(kernel: Kernel) -> Kernel:
        kernel.__name__ = name  # type: ignore[attr-defined]
        return kernel

    return change


def stale(kernel: Kernel) -> Kernel:
    """A mistake: returns the result of the previous call."""
    before: list[Any] = []

    @named("stale_output")
    def wrong(*arguments: Any) -> Any:
        got = numpy.array(kernel(*arguments))
        before.append(got)
        return numpy.resize(before.pop(0), got.shape) if len(before) > 1 else got

    return wrong


def zero_from(place: int, kernel: Kernel) -> Kernel:
    """A mistake: entries from a place of the first axis on are not computed."""

    @named(f"zeros_from_{place}_on")
    def wrong(*arguments: Any) -> Any:
        got = numpy.array(kernel(*arguments))
        got[place:] = 0
        return got

    return wrong


def narrowed(kernel: Kernel, *places: int) -> Kernel:
    """A mistake: arguments (all of them, or those at some places) are rounded to binary16 first."""

    @named("inputs_in_binary16")
    def wrong(*arguments: Any) -> Any:
        given = list(map(numpy.asarray, arguments))
        for i in places or range(len(given)):
            given[i] = given[i].astype("f2").astype(given[i].dtype) if given[i].dtype.kind == "f" else given[i]
        return kernel(*given)

    return wrong


def stored(kernel: Kernel) -> Kernel:
    """A mistake: the result is rounded to binary16."""

    @named("result_in_binary16")
    def wrong(*arguments: Any) -> Any:
        got = numpy.asarray(kernel(*arguments))
        return got.astype("f2").astype(got.dtype)

    return wrong


def without_last(kernel: Kernel, *places: int) -> Kernel:
    """A mistake: the last entry of the last axis of some arguments is left out."""

    @named("without_the_last")
    def wrong(*arguments: Any) -> Any:
        given = enumerate(map(numpy.asarray, arguments))
        return kernel(*[x[..., :-1] if i in places and x.shape[-1] > 1 else x for i, x in given])

    return wrong


def scaled(factor: float, kernel: Kernel) -> Kernel:
    @named(f"{factor}_times")
    def wrong(*arguments: Any) -> Any:
        got = numpy.asarray(kernel(*arguments))
        return (got * got.dtype.type(factor)).astype(got.dtype)

    return wrong
