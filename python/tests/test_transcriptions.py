"""Mistakes of somebody who writes a formula down: a sign, a mean for a sum, a wrong axis and others, at each place of
each shipped formula where they make sense. The exact values of the formula with the mistake break the usual contract.
"""

import collections
import functools
import re

import pytest

numpy = pytest.importorskip("numpy")

import assay  # noqa: E402
import tables  # noqa: E402

NUMBER = r"-?\d+(?:\.\d*)?(?:e[-+]?\d+)?"
FORMULAS = sorted(each.stem for each in tables.LIBRARY.glob("*.formula"))
#: A mistake must break the contract within this many cases.
CASES = 60


def places(pattern, replacement):
    """Texts in which one match is replaced."""

    def written(line):
        for match in re.finditer(pattern, line):
            yield line[: match.start()] + match.expand(replacement) + line[match.end() :]

    return written


def calls(name, change):
    """Texts in which one call of a function is changed: change(arguments)."""

    def written(line):
        for match in re.finditer(rf"\b{name}\(", line):
            depth, end = 1, match.end()
            while depth:
                depth += {"(": 1, ")": -1}.get(line[end], 0)
                end += 1
            yield line[: match.start()] + change(line[match.end() : end - 1]) + line[end:]

    return written


def all_of(*writers):
    return lambda line: (each for writer in writers for each in writer(line))


def of_axis(arguments):
    return re.search(r"axis=(\w+)$", arguments)


def divided_by_one_less(function, change):
    """Of a mean or a variance along one axis."""

    def changed(arguments):
        axis = of_axis(arguments)
        return change(arguments, f"#{axis[1]}") if axis else f"{function}({arguments})"

    return calls(function, changed)


def outside_of_root(root, form):
    def changed(arguments):
        inner = re.fullmatch(r"(.*) \+ eps", arguments)
        return form.format(inner[1]) if inner else f"{root}({arguments})"

    return calls(root, changed)


def to_base_2(function):
    """A softmax or its logarithm with powers of 2."""
    return calls(function, lambda of: f"{function}(" + re.sub(r"^(.*?), axis", r"log(2) * (\1), axis", of) + ")")


#: By its name, what may stand in place of a definition.
MISTAKES = {
    "a sign": all_of(places(r" \+ ", " - "), places(r" - ", " + ")),
    "no scale": all_of(places(r"\bscale \* ", ""), places(r" \* scale\b", "")),
    "epsilon outside of the root": all_of(
        outside_of_root("sqrt", "(sqrt({0}) + eps)"), outside_of_root("rsqrt", "(1 / (sqrt({0}) + eps))")),
    "a mean for a sum": places(r"\bsum\(", "mean("),
    "a sum for a mean": places(r"\bmean\(", "sum("),
    "n - 1 for n": all_of(
        places(r"(?<=/ )(#\w+)", r"(\1 - 1)"),
        divided_by_one_less("mean", lambda of, n: f"(sum({of}) / ({n} - 1))"),
        divided_by_one_less("variance", lambda of, n: f"(variance({of}) * {n} / ({n} - 1))")),
    "no bias": places(r" \+ \w+$", ""),
    "a wrong base": all_of(
        places(r"\bexp\(", "exp2("),
        calls("sigmoid", lambda x: f"(1 / (1 + exp2(-({x}))))"),
        to_base_2("softmax"), to_base_2("logsumexp")),
    "a mask off by one": all_of(
        places(r"<= ", "< "), places(r">= ", "> "), places(r" < ", " <= "), places(r" > ", " >= ")),
}  # fmt: skip


def definitions(formula):
    """The lines of a formula without its other ways and machines."""
    lines = [re.sub(r"\s*#\s.*", "", line) for line in tables.text_of(formula).splitlines()]
    return [line for line in lines if line.strip() and not re.match(r"\s+(way|machine|class)\b", line)]


def mistaken(formula):
    """Pairs of a mistake and the text with it."""
    lines = definitions(formula)
    axes = {each for names in re.findall(r"\[([^]]*)\]", lines[0]) for each in re.findall(r"[a-z]\w*", names)}
    wrong_axis = all_of(*(places(rf"axis=(?!{each}\b)\w+", f"axis={each}") for each in sorted(axes)))
    for n, line in enumerate(lines):
        is_definition = re.match(r"\s+(mask \w+:|\w+ =)", line) and "computes" not in line
        for name, written in {**MISTAKES, "a wrong axis": wrong_axis}.items() if is_definition else ():
            for text in {*written(line)} - {line}:
                yield name, "\n".join([*lines[:n], text, *lines[n + 1 :]]) + "\n"
    for parameter in re.findall(r"\w+\[\w+, ?\w+\]", lines[0].split("->")[0]):
        name, first, second = re.findall(r"\w+", parameter)
        header = lines[0].replace(parameter, f"{name}[{second},{first}]")
        turned = [
            re.sub(rf"\b{name}\b(\.T)?", lambda use: name if use[1] else name + ".T", line) if "@" in line else line
            for line in lines[1:]
        ]
        yield "a transposed parameter", "\n".join([header, *turned]) + "\n"


def numbers(truth):
    """The midpoints of exact values such as "[0.71 +/- 2e-20]" and "[+/- 1e-40]"; NaN for what is no number."""
    found = [re.fullmatch(rf"\[?({NUMBER})?( ?\+/- .*)?", each) for each in truth]
    return numpy.array([float(each[1] or 0) if each else numpy.nan for each in found])


@functools.cache
def judged(formula, name, text):
    """"refused", "kept", "the same" where the function is the same, or "none" where the text is no formula of the same
    shape."""
    shape = {}
    right = assay.Judge(formula=tables.text_of(formula), format="f32")
    if name == "a transposed parameter":
        free = [each["name"] for each in right.graph["axes"] if each["length"] is None]
        shape = {"shape": ",".join(f"{each}=3" for each in free)}
    try:
        right = assay.Judge(formula=tables.text_of(formula), format="f32", **shape)
        wrong = assay.Judge(formula=text, format="f32", **shape)
    except ValueError:
        return "none"
    is_same = True
    for number in range(CASES):
        case = right.draw(number)
        if not all(numpy.isfinite(each).all() for each in case.arguments):
            continue
        try:
            got, exact = numbers(wrong.given(*case.arguments).truth), numbers(case.truth)
        except ValueError:
            return "none"
        if got.shape != exact.shape:
            return "none"
        with numpy.errstate(all="ignore"):
            is_same = is_same and numpy.allclose(got, exact, rtol=1e-12, atol=0, equal_nan=True)
            result = case._result()
            shaped = got.astype("f4").reshape([result.shape[i] for i in range(result.ndim)])
            if case.judge_one(shaped, right.usual_contract).verdict == "broken":
                return "refused"
    return "the same" if is_same else "kept"


@pytest.mark.parametrize("formula", FORMULAS)
def test_mistakes_of_transcription_are_refused(formula):
    assert not [(name, text) for name, text in mistaken(formula) if judged(formula, name, text) == "kept"]


def test_each_mistake_is_refused_in_many_formulas():
    refused = collections.Counter()
    for formula in FORMULAS:
        refused.update({name for name, text in mistaken(formula) if judged(formula, name, text) == "refused"})
    print(dict(refused))
    assert set(refused) == {*MISTAKES, "a wrong axis", "a transposed parameter"}
    assert min(refused.values()) >= 8
