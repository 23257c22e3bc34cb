"""Asks functions of Python by assay.check, in a process that judge.py starts. It asks many, so that a library is
imported once. Each line of the input is a list: the module in this folder, its function, operation, format, and options
of assay.check. Each line of the output is the part of a row that comes from a run, or a text that says why there is
none."""

import importlib
import json
import os
import re
import sys
import warnings

import rows

NUMBER = re.compile(r"(\w+)(\[\d+\])? = (\S+)")


def inputs_of(text):
    """The inputs of a counterexample, as the text of assay.check has them, by name: a number, or a list of numbers.

    >>> inputs_of("n = 1\\n  x: 1 number\\n  x[0] = 0x1p+0  [0x3f800000]  # 1e0\\n  y = 0x1p-1")
    {'n': '1', 'x': ['0x1p+0'], 'y': '0x1p-1'}
    """
    inputs = {}
    for name, place, number in NUMBER.findall(re.sub(r"  (\[|#).*", "", text)):
        if place:
            inputs.setdefault(name, []).append(number)
        else:
            inputs[name] = number
    return inputs


def smallest(finding):
    """The counterexample of a finding as a row of the atlas has it."""
    case = finding.counterexample
    inputs = inputs_of(case.text)
    if len(str(inputs)) > rows.LARGEST_INPUTS:
        inputs = {name: f"{len(each)} numbers" if isinstance(each, list) and len(each) > 4 else each
                  for name, each in inputs.items()}
    got = list(case.got) if len(case.got) <= 16 else [case.got[case.worst]]
    return {"contract": finding.id, "inputs": inputs, "got": got, "exact": case.exact} | (
        {} if case.ulps is None else {"ulps": case.ulps})


def ratio_of(finding):
    """The largest error/bound; None where there is none."""
    return None if finding.ratio == 0 else "inf" if finding.ratio == float("inf") else finding.ratio


def seen_in(verdict):
    """The part of a row that comes from a verdict of assay.check."""
    of = verdict.contracts
    seen = {"cases": verdict.cases, "keeps": {each: ratio_of(of[each]) for each in verdict.kept},
            "breaks": {each: ratio_of(of[each]) for each in verdict.broken}}
    if verdict.not_decided:
        seen["undecided"] = list(verdict.not_decided)
    violated = [each.id for each in verdict.implicit.values() if each.verdict in ("violated", "flaky")]
    if violated or verdict.changed:
        seen["violates"] = violated + list(verdict.changed)
    if verdict.stopped is not None:
        seen["stopped"] = verdict.reason
    # the strongest contract with a bound that is broken tells little where results are merely not correctly rounded
    told = [of[each] for each in verdict.broken if of[each].counterexample is not None]
    other = [each for each in told if each.id not in ("correctly_rounded", "faithful")] or told
    if other:
        seen["smallest"] = smallest(other[0])
    return seen


def asked(module, function, operation, number_format, options):
    """What assay.check says about a function of a module in this folder: the part of a row that comes from a run, or a
    text that says why there is none."""
    import assay

    file = rows.HERE / f"{operation}.formula"
    try:
        kernel = getattr(importlib.import_module(module), function)
        return seen_in(assay.check(kernel, file.read_text() if file.exists() else operation, format=number_format,
                                   controls=False, **options))
    except assay.Broken as broken:
        return seen_in(broken.verdict) if broken.verdict else str(broken)
    except Exception as error:  # whatever the function raises is its answer
        return f"{type(error).__name__}: {error}"


def main():
    sys.path.append(str(rows.HERE.parent.parent / "python"))  # where the package is not installed
    warnings.simplefilter("ignore")
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for line in sys.stdin:
        print(json.dumps(asked(*json.loads(line))), file=answers, flush=True)


if __name__ == "__main__":
    main()
