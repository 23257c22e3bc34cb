"""Replacements for torch.testing.assert_close and numpy.testing.assert_allclose."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ._close import assert_close, expected_of, formula_meant, usual_of, _format_of
from .judge import Judgment

__all__ = ["Comparison", "assert_close", "compare"]


@dataclass(frozen=True)
class Comparison:
    """Two results of one case, each with the exact one."""

    contract: str
    old: Judgment
    new: Judgment
    nearer: str  #: "old", "new", or "neither": whose largest error/bound is smaller

    def __str__(self) -> str:
        words = {"old": "the old one is nearer", "new": "the new one is nearer", "neither": "neither is nearer"}
        lines = [f"{self.contract}: {words[self.nearer]}"]
        for name, each in (("old", self.old), ("new", self.new)):
            ulps = "" if each.ulps is None else f", {each.ulps:+.4g} ulp"
            lines.append(f"  {name}  {each.verdict}: error/bound {each.ratio:.4g}{ulps} at number {each.component}")
        return "\n".join(lines)


def compare(
    old: Any, new: Any, formula: Any, *inputs: Any, contract: str | None = None, **attributes: Any
) -> Comparison:
    """Which of two results that should agree is nearer to the exact one, and what each keeps:
    `compare(out_of_eager, out_of_triton, "attention", q, k, v, scale)`. The arguments are those of assert_close, and
    both results have one format. Raises nothing where one is wrong: its judgment says so.

    >>> import numpy
    >>> x = numpy.linspace(1, 2, 999, dtype="f4")
    >>> print(compare(numpy.cumsum(x)[-1], x.sum(), "sum", x))
    any_order: the new one is nearer
      old  kept: error/bound 0.005478, -4 ulp at number 0
      new  kept: error/bound 0, +0 ulp at number 0
    """
    formats = _format_of(old), _format_of(new)
    if formats[0] != formats[1]:
        raise TypeError(f"old and new: results of {formats[0]} and {formats[1]}; one format is compared")
    judgments = []
    of = formula_meant(formula)
    for got in (old, new):
        if of is None:
            want = expected_of(formula, inputs, attributes, got)
            case, chosen = want.case(), contract or usual_of(formula, want.format)[-1]
        else:
            got = of.result(got)
            case = of.case(of.arguments(inputs, attributes), _format_of(got))
            chosen = contract or case._judge.usual_contract
        judgment = case.judge_one(got, chosen)
        if judgment.verdict == "outside":
            raise ValueError(f"{case.operation} {case.format}: {judgment.excluded}")
        judgments.append(judgment)
    first, second = judgments
    if first.ratio == second.ratio:
        nearer = "neither"
    else:
        nearer = "old" if first.ratio < second.ratio else "new"
    return Comparison(chosen, first, second, nearer)
