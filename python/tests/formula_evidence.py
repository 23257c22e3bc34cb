"""Counts for docs/formula_evidence.md: right kernels that are kept, planted mistakes that are refused, and infinities,
NaNs and zeros in every place.

    formula_evidence.py right CASES [FORMULA…]   every right kernel on so many drawn cases of binary32
    formula_evidence.py f64 CASES [FORMULA…]     the same in binary64
    formula_evidence.py f16 CASES [FORMULA…]     the same in binary32 with arguments and results in binary16, and in
                                                 binary16 alone for the kernels of core_kernels.py
    formula_evidence.py mistakes [FORMULA…]      every mistake of core_mistakes.py, until its rung refuses it
    formula_evidence.py specials [FORMULA…]      −0, ±∞ and NaN in every place of the inputs, for right kernels

It needs the package assay: PYTHONPATH and LIBASSAY_JUDGE, as for the tests beside it. The exit code is 1 if a right
kernel is refused, or if a mistake that BELOW does not name is kept.
"""

import importlib
import sys
from pathlib import Path

import assay
import core_kernels
import core_mistakes
import numpy
import tables

#: Mistakes below the resolution of their rung. A weight is at most e^−16 = 1.9u too large, and n of them change the
#: logarithm of a sum of at least 1 by no more than the additions and functions of `fast` may.
BELOW = {f"{each}: logits clamped at 16" for each in ("logsumexp", "log_softmax", "cross_entropy")}


#: Formulas whose kernels have formats of their own.
NOT_IN_BINARY64 = {"matmul_split_k", "q4_k", "q4_k_matmul", "w4a16", "w4a16_book"}


def right_kernels():
    """By formula: a format, and kernels with the rungs that they must keep."""
    modules = sorted(each.stem for each in Path(__file__).parent.glob("table_*.py"))
    found = {
        name: ("f32", kernels + core_kernels.KINDS.get(name, [])) for name, kernels in core_mistakes.RIGHT.items()
    }
    for module in modules:
        for name, table in importlib.import_module(module).TABLE.items():
            if "f32" in table.formats:
                found[name] = "f32", table.kernels
            else:
                found[name] = "f16", [(rung, tables.in_binary32(kernel)) for rung, kernel in table.kernels]
    return found


def chosen(found, names):
    return {name: each for name, each in found.items() if not names or name in names}


def right(cases, *names):
    return judged(cases, chosen(right_kernels(), names))


def f64(cases, *names):
    """Kernels that compute in binary64 whatever their arguments are have the rungs of a wider format."""
    found = {}
    for name, (_, kernels) in chosen(right_kernels(), names).items():
        if name not in NOT_IN_BINARY64:
            found[name] = "f64", [each for each in kernels if not getattr(each[1], "is_wide", False)]
    return judged(cases, found)


def f16(cases, *names):
    found = chosen(right_kernels(), names)
    wide = {
        name: ("f16", [(rung, tables.in_binary32(kernel)) for rung, kernel in kernels])
        for name, (format, kernels) in found.items()
        if format == "f32" and name not in NOT_IN_BINARY64
    }
    narrow = {
        name: ("f16", [("narrow", kernel) for _, kernel in kernels])
        for name, kernels in chosen(core_kernels.KINDS, names).items()
    }
    return all([judged(cases, wide), judged(cases, narrow)])


def judged(cases, found):
    runs = refused = 0
    for formula, (format, kernels) in found.items():
        for tally in tables.tallies(formula, format, kernels, int(cases)):
            runs += tally.kept + tally.outside + len(tally.broken)
            refused += len(tally.broken)
            for each in tally.broken:
                print("refused:", each.splitlines()[0])
    print(f"{runs} runs of right kernels of {len(found)} formulas: {refused} refused")
    return refused == 0


def mistakes(*names):
    count = 0
    kept = []
    found = chosen(core_mistakes.MISTAKES, names)
    for formula, (rung, listed) in found.items():
        kernels = [
            (core_mistakes.CLAIMED.get(name, rung), tables.named(name)(lambda *of, f=f: f(*of)))
            for name, f in listed.items()
        ]
        for tally in tables.tallies(formula, "f32", kernels, 400, are_wrong=True):
            count += 1
            if not tally.broken:
                kept.append(f"{formula}: {tally}")
    for each in kept:
        print("kept:", each)
    print(f"{count} mistakes in kernels of {len(found)} formulas: {count - len(kept)} refused")
    return all(each.split(" (")[0] in BELOW for each in kept)


def specials(*names):
    places = refused = 0
    found = chosen(right_kernels(), names)
    for formula, (format, kernels) in found.items():
        judge = assay.Judge(formula=tables.text_of(formula), format=format)
        case = judge.draw(next(n for n in range(100) if is_small(judge.draw(n))))
        for p, array in enumerate(case.arguments):
            # Scalars are attributes, such as a limit or a scale, and have ranges.
            if f"range {judge.graph['parameters'][p]['name']} one_hot" in tables.text_of(formula):
                continue
            if numpy.asarray(array).dtype.kind != "f" or numpy.ndim(array) == 0:
                continue
            for i in range(numpy.asarray(array).size):
                for special in (-0.0, numpy.inf, -numpy.inf, numpy.nan):
                    arguments = [numpy.array(each) for each in case.arguments]
                    arguments[p].reshape(-1)[i] = special
                    changed = judge.given(*arguments)
                    with numpy.errstate(all="ignore"):
                        verdict = changed.judge_one(kernels[0][1](*arguments), "exceptional")
                    places += 1
                    if verdict.verdict == "broken":
                        refused += 1
                        told = f"{special} at {i} of argument {p}: {verdict.got}, not {verdict.exact}"
                        print(f"refused: {formula}, {told}")
    print(f"{places} places with -0, an infinity or a NaN in inputs of {len(found)} formulas: {refused} refused")
    return refused == 0


def is_small(case):
    sizes = [numpy.asarray(each).size for each in case.arguments]
    return sum(sizes) < 60 and max(sizes) > 3 and all(numpy.isfinite(each).all() for each in case.arguments)


if __name__ == "__main__":
    _, command, *rest = sys.argv
    sys.exit(0 if globals()[command](*rest) else 1)
