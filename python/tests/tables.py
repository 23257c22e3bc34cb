"""Tables of kernels of shipped formulas, which test_operations.py judges.

A module table_*.py has a dictionary TABLE: the name of a formula, and its Table. A kernel is a function of NumPy arrays,
as assay.check calls it. It computes in the format of its arguments; a right one is asked in binary16 as well, where
its arguments are widened to binary32 and its result is rounded.
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
    """A planted mistake. `report`: repository and number of a public report of it, or what it is."""

    contract: str  #: the rung that its author would claim
    kernel: Kernel
    report: str
    format: str = "f32"


@dataclass(frozen=True)
class Table:
    """Kernels of one formula. `right`: by the rung they are written for, and they keep it."""

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
    """The kernel of binary16 that computes in binary32: arguments are widened, the result is rounded."""

    @functools.wraps(kernel)
    def widened(*arguments: Any) -> Any:
        wide = [x.astype("f4") if x.dtype == numpy.float16 else x for x in map(numpy.asarray, arguments)]
        return numpy.asarray(kernel(*wide)).astype("f2")

    return widened


@dataclass
class Tally:
    """What became of one kernel."""

    contract: str
    kernel: Kernel
    kept: int = 0
    outside: int = 0  #: cases in which the contract says nothing of any number
    ratio: float = 0.0  #: the largest error/bound
    broken: list[str] = field(default_factory=list)  #: a line for each broken case

    def __str__(self) -> str:
        return f"{name_of(self.kernel)} ({self.contract}): kept {self.kept}, outside {self.outside}, {self.ratio:.3g}"


def tallies(
    formula: str, format: str, kernels: list[tuple[str, Kernel]], cases: int, until_broken: bool = False
) -> list[Tally]:
    """Asks each kernel for the same drawn cases, each by its contract alone. `until_broken`: no longer than that."""
    judge = assay.Judge(formula=text_of(formula), format=format)
    all_ = [Tally(contract, kernel) for contract, kernel in kernels]
    for number in range(cases):
        open_ = [each for each in all_ if not (until_broken and each.broken)]
        if not open_:
            break
        case = judge.draw(number)
        for tally in open_:
            with numpy.errstate(all="ignore"):
                got = tally.kernel(*case.arguments)
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
    """Leaves the numbers of the call before where they have the shape of the result."""
    before: list[Any] = []

    @named("stale_output")
    def wrong(*arguments: Any) -> Any:
        got = numpy.array(kernel(*arguments))
        before.append(got)
        return before.pop(0) if len(before) > 1 and before[0].shape == got.shape else got

    return wrong


def zero_from(place: int, kernel: Kernel) -> Kernel:
    """Entries from a place of the first axis on are not computed."""

    @named(f"zeros_from_{place}_on")
    def wrong(*arguments: Any) -> Any:
        got = numpy.array(kernel(*arguments))
        got[place:] = 0
        return got

    return wrong


def narrowed(kernel: Kernel, *places: int) -> Kernel:
    """Arguments (all, or those at some places) are rounded to binary16 first."""

    @named("inputs_in_binary16")
    def wrong(*arguments: Any) -> Any:
        given = list(map(numpy.asarray, arguments))
        for i in places or range(len(given)):
            given[i] = given[i].astype("f2").astype(given[i].dtype) if given[i].dtype.kind == "f" else given[i]
        return kernel(*given)

    return wrong


def stored(kernel: Kernel) -> Kernel:
    """The result goes through binary16."""

    @named("result_in_binary16")
    def wrong(*arguments: Any) -> Any:
        got = numpy.asarray(kernel(*arguments))
        return got.astype("f2").astype(got.dtype)

    return wrong


def without_last(kernel: Kernel, *places: int) -> Kernel:
    """The last entry of the last axis of some arguments is left out."""

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
