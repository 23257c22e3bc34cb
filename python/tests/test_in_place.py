"""Sums, norms and dot products of many numbers are judged where their vectors lie, as their cases are."""

import dataclasses
import math

import pytest

numpy = pytest.importorskip("numpy")

import assay  # noqa: E402

N = 8193


def vectors(kind, dtype):
    """Two vectors of some kind."""
    random = numpy.random.default_rng(1)
    x, y = random.standard_normal((2, N))
    if kind == "on a grid":
        x, y = numpy.round(x), numpy.round(y)
    if kind == "subnormal":
        x *= float(numpy.finfo(dtype).tiny)
    x, y = x.astype(dtype), y.astype(dtype)
    if kind == "with gaps, backward":
        x, y = numpy.repeat(x, 3)[::3], y[::-1]
    for number in {"NaN": [math.nan], "infinity": [-math.inf], "infinities": [math.inf, -math.inf]}.get(kind, []):
        x[random.integers(N)] = number
    return x, y


def asked(operation, x, y):
    """The exact result, and one that a loop would give."""
    with numpy.errstate(all="ignore"):
        return {
            "sum": lambda: (assay.sum(x), x.sum()),
            "asum": lambda: (assay.asum(x), numpy.abs(x).sum()),
            "nrm2": lambda: (assay.nrm2(x), numpy.sqrt(numpy.square(x, dtype="f8").sum()).astype(x.dtype)),
            "dot": lambda: (assay.dot(x, y), numpy.dot(x, y)),
        }[operation]()


def facts(judgment):
    """What a judgment says, apart from the time that it took; a case shows no number for NaN and infinities."""
    said = dataclasses.asdict(judgment)
    del said["seconds"]
    if judgment.verdict == "outside":
        return {name: said[name] for name in ("contract", "verdict", "preconditions")}
    if said["exact"] in ("NaN", "inf", "-inf"):
        del said["exact"]
    return said


KINDS = ["ordinary", "on a grid", "subnormal", "with gaps, backward", "NaN", "infinity", "infinities"]


@pytest.mark.parametrize("dtype", ["f8", "f4", "f2"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("operation", ["sum", "asum", "nrm2", "dot"])
def test_judgment_in_place_is_that_of_the_case(operation, kind, dtype):
    want, right = asked(operation, *vectors(kind, dtype))
    case = want.case()
    judge = assay.Judge(operation, want.format)
    with numpy.errstate(all="ignore"):
        results = [right, numpy.dtype(dtype).type(right + abs(right) / 1000), numpy.dtype(dtype).type(math.nan)]
    for contract in judge.contracts:
        for got in results:
            there = want.judge(got, contract)
            of_case = case.judge_one(got, contract)
            expected = facts(of_case)
            if "exact" not in facts(there):
                expected.pop("exact", None)
            assert facts(there) == pytest.approx(expected, nan_ok=True)


def test_sum_without_its_last_number_is_refused():
    x = numpy.linspace(1, 2, 3_000_001)
    assay.assert_within(x.sum(), assay.sum(x), contract="pairwise")
    for wrong in (x[:-1].sum(), x[1:].sum(), numpy.delete(x, 1_500_000).sum()):
        with pytest.raises(assay.Broken, match="pairwise is broken"):
            assay.assert_within(wrong, assay.sum(x), contract="pairwise")


def largest_memory():
    """The most memory that the process has had since the last call, and it has now, in bytes."""
    with open("/proc/self/status") as status:
        lines = dict(line.split(":", 1) for line in status)
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")
    return tuple(int(lines[name].split()[0]) * 1024 for name in ("VmHWM", "VmRSS"))


@pytest.mark.parametrize("operation", ["sum", "asum", "nrm2", "dot"])
def test_long_vectors_are_not_copied(operation):
    x = numpy.ones(20_000_000, "f4")
    want = asked(operation, x, x)[0]
    got = numpy.float32(math.sqrt(x.size) if operation == "nrm2" else x.size)
    before = largest_memory()[1]
    assert want.judge(got, "correctly_rounded").verdict == "kept"
    assert largest_memory()[0] - before < 4_000_000


def test_order_of_the_terms_is_undecided_in_place_too():
    with pytest.raises(assay.Undecided):
        assay.assert_within(float(N), assay.sum(numpy.ones(N)), contract="order_free")


def test_vectors_of_different_lengths_and_types_are_refused():
    ones = numpy.ones(N)
    with pytest.raises(ValueError):
        assay.assert_within(1.0, assay.dot(ones, ones[1:]), contract="faithful")
    with pytest.raises(TypeError):
        assay.assert_within(1.0, assay.dot(ones, ones.astype("f4")), contract="faithful")


# ------------------------------------------------------------------------------------------------------- prefix sums

PREFIXES = 140_001  # more than two blocks


def long_vector(kind, dtype):
    x = numpy.random.default_rng(2).standard_normal(PREFIXES)
    if kind == "on a grid":
        x = numpy.round(x)
    if kind == "positive":
        x = abs(x)
    x = x.astype(dtype)
    for number in {"NaN": [math.nan], "infinities": [math.inf, -math.inf]}.get(kind, []):
        x[100_000 + (number == -math.inf)] = number
    return x


@pytest.mark.parametrize("dtype", ["f8", "f4"])
@pytest.mark.parametrize("kind", ["ordinary", "on a grid", "positive", "NaN", "infinities"])
def test_verdict_on_prefix_sums_in_place_is_that_of_the_case(kind, dtype):
    x = long_vector(kind, dtype)
    want = assay.cumsum(x)
    case = want.case()
    with numpy.errstate(all="ignore"):
        loop, right = numpy.cumsum(x), numpy.cumsum(x.astype("f8")).astype(dtype)
    off, hole = right.copy(), right.copy()
    off[70_000] = numpy.nextafter(off[70_000], numpy.inf, dtype=dtype)
    hole[99_999] = math.nan
    for contract in ("faithful", "compensated", "any_order", "wide_tree") if kind == "ordinary" else ("any_order",):
        for got in (loop, right, off, hole):
            there, of_case = want.judge(got, contract), case.judge_one(got, contract)
            assert (there.verdict, there.components) == (of_case.verdict, of_case.components)
            if there.verdict == "broken" and there.ratio < math.inf:
                assert (there.component, there.got, there.exact) == (of_case.component, of_case.got, of_case.exact)


@pytest.mark.parametrize("place", [0, 65_535, 65_536, 99_999, PREFIXES - 1])
def test_wrong_prefix_sum_is_named(place):
    x = long_vector("ordinary", "f8")
    right = numpy.cumsum(x)
    right[place] += 1e-3
    judgment = assay.cumsum(x).judge(right, "any_order")
    assert (judgment.verdict, judgment.component, judgment.violated) == ("broken", place, 1)


def test_prefix_sums_take_no_memory():
    x = numpy.ones(5_000_000, "f4")
    got = numpy.arange(1, x.size + 1, dtype="f4")
    before = largest_memory()[1]
    assert assay.cumsum(x).judge(got, "pairwise").judged == x.size
    assert largest_memory()[0] - before < 10_000_000
