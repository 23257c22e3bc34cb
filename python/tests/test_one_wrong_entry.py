"""A large result with one wrong entry is refused: the last one, one in the middle, one row of many; and a function that
makes the mistake is shown with a small case that fails alike."""

import functools
import math
import os
import re

import pytest

numpy = pytest.importorskip("numpy")

import assay  # noqa: E402

DRAW = numpy.random.default_rng(3)
F32 = numpy.float32


def normal(*shape, kind="f4"):
    return DRAW.standard_normal(shape).astype(kind)


def product(a, b):
    return (a.astype("f8") @ b.astype("f8")).astype(a.dtype)


def softmax(x):
    with numpy.errstate(all="ignore"):
        powers = numpy.exp(x - x.max(axis=-1, keepdims=True))
        return powers / powers.sum(axis=-1, keepdims=True)


def log_softmax(x):
    with numpy.errstate(all="ignore"):
        shifted = x - x.max(axis=-1, keepdims=True)
        return shifted - numpy.log(numpy.exp(shifted).sum(axis=-1, keepdims=True))


def layer_norm(x, weight, bias, eps):
    wide = x.astype("f8")
    with numpy.errstate(all="ignore"):
        centred = wide - wide.mean(axis=-1, keepdims=True)
        variance = (centred * centred).mean(axis=-1, keepdims=True)
        return (centred / numpy.sqrt(variance + float(eps)) * weight + bias).astype(x.dtype)


def rms_norm(x, weight, eps):
    wide = x.astype("f8")
    with numpy.errstate(all="ignore"):
        scale = numpy.sqrt((wide * wide).mean(axis=-1, keepdims=True) + float(eps))
        return (wide / scale * weight).astype(x.dtype)


def spmv(row_offsets, column_indices, values, x):
    with numpy.errstate(all="ignore"):
        terms = values.astype("f8") * x[column_indices]
        sums = [terms[a:b].sum() for a, b in zip(row_offsets[:-1], row_offsets[1:])]
    return numpy.array(sums, dtype=values.dtype)


def of_products():
    a, b, c = normal(257, 129), normal(129, 513), normal(257, 513)
    yield "matmul", assay.matmul(a, b), product(a, b), "inner_product"
    half = a.astype("f2"), b.astype("f2")
    yield "matmul of f16", assay.matmul(*half), product(*half), "split_k"
    batch = numpy.stack([a, a + 1]), numpy.stack([b, b - 1])
    yield "matmul of a batch", assay.matmul(*batch), product(*batch), "inner_product"
    yield "matmul_epilogue", assay.matmul(a, b, alpha=2.0, beta=1.0, c=c), 2 * product(a, b) + c, "inner_product"
    yield "gemm", assay.gemm(a, b), product(a, b), "grade_a"
    a, x = normal(3000, 350), normal(350)
    yield "gemv", assay.gemv(a, x), product(a, x), "grade_a"
    rows, columns = 8_000, 5_000
    offsets = numpy.arange(0, 40 * rows + 1, 40)
    indices, values, x = DRAW.integers(0, columns, 40 * rows), normal(40 * rows), normal(columns)
    sums = numpy.add.reduceat(values.astype("f8") * x[indices], offsets[:-1]).astype("f4")
    yield "spmv", assay.spmv(offsets, indices, values, x), sums, "any_order"


def of_rows():
    for shape in [(5_000, 7), (2, 20_000)]:
        x = normal(*shape)
        weight, bias = normal(shape[1]), normal(shape[1])
        yield f"softmax {shape}", assay.softmax(x), softmax(x), "shifted_3ulp"
        yield f"log_softmax {shape}", assay.log_softmax(x), log_softmax(x), "shifted_3ulp"
        right = layer_norm(x, weight, bias, F32(1e-5))
        yield f"layer_norm {shape}", assay.layer_norm(x, weight, bias, 1e-5), right, "two_pass"
        yield f"rms_norm {shape}", assay.rms_norm(x, weight, 1e-5), rms_norm(x, weight, F32(1e-5)), "any_order"


def of_vectors():
    x, y = normal(100_000), normal(100_000)
    yield "cumsum", assay.cumsum(x), numpy.cumsum(x.astype("f8")).astype("f4"), "pairwise"
    wide = x.astype("f8"), y.astype("f8")
    yield "axpy", assay.axpy(2.0, *wide), 2.0 * wide[0] + wide[1], "two_roundings"


RESULTS = {name: rest for part in (of_products, of_rows, of_vectors) for name, *rest in part()}


@pytest.mark.parametrize("operation", RESULTS)
def test_one_wrong_entry_of_a_large_result_is_named(operation):
    want, right, contract = RESULTS[operation]
    assert want.judge(right, contract).verdict == "kept"
    for place in (right.size // 2 + 3, right.size - 1):
        wrong = right.copy()
        wrong.reshape(-1)[place] += 1 + abs(wrong.reshape(-1)[place])
        judgment = want.judge(wrong, contract)
        assert (judgment.verdict, judgment.component, judgment.violated) == ("broken", place, 1)
    wrong.reshape(-1)[-1] = math.nan
    judgment = want.judge(wrong, contract)
    assert (judgment.verdict, judgment.component) == ("broken", right.size - 1)


@pytest.mark.parametrize("operation", ["softmax", "layer_norm", "gemv", "spmv"])
def test_a_row_in_the_place_of_its_neighbor_is_refused(operation):
    want, right, contract = RESULTS[{"softmax": "softmax (5000, 7)", "layer_norm": "layer_norm (5000, 7)"}.get(
        operation, operation)]
    wrong = right.copy()
    wrong[3_333 % len(right)] = wrong[3_334 % len(right)]
    judgment = want.judge(wrong, contract)
    width = right[0].size
    assert judgment.verdict == "broken"
    assert judgment.component // width == 3_333 % len(right)


def last_wrong(function):
    """The function with a wrong last number."""

    @functools.wraps(function)
    def wrong(*arguments):
        result = numpy.array(function(*arguments))
        if result.size:
            with numpy.errstate(all="ignore"):
                result.reshape(-1)[-1] += 1 + abs(result.reshape(-1)[-1])
        return result

    return wrong


def quiet(function):
    @functools.wraps(function)
    def computed(*arguments):
        with numpy.errstate(all="ignore"):
            return function(*arguments)

    return computed


SHRUNK = {
    "matmul": (product, "inner_product", {"m": 300, "n": 300, "k": 40}, "f32"),
    "gemv": (lambda alpha, a, x, beta, y: alpha * (a @ x) + (beta * y if beta else 0), "grade_a",
             {"m": 700, "k": 300}, "f64"),
    "softmax": (softmax, "shifted_3ulp", {"rows": 150, "columns": 50}, "f64"),
    "rms_norm": (rms_norm, "any_order", {"rows": 150, "columns": 50}, "f64"),
    "axpy": (lambda alpha, x, y: alpha * x + y, "two_roundings", {"n": 20_000}, "f64"),
}  # fmt: skip


@pytest.mark.parametrize("operation", SHRUNK)
def test_mistake_that_every_shape_shows_is_shown_with_few_numbers(operation):
    function, contract, shape, format = SHRUNK[operation]
    options = dict(format=format, shapes=[shape], cases=2, controls=False, shrink_steps=300)
    verdict = assay.check(last_wrong(quiet(function)), operation, **options)
    assert verdict.contracts[contract].verdict == "broken"
    sizes = re.findall(r": (\d+) number", verdict.contracts[contract].counterexample.text)
    assert sizes and max(map(int, sizes)) <= 16


AT_4096 = {
    "matmul": (product, "inner_product", {"m": 4096, "n": 4096, "k": 3}, "f32"),
    "softmax": (softmax, "shifted_3ulp", {"rows": 4096, "columns": 512}, "f32"),
    "layer_norm": (layer_norm, "two_pass", {"rows": 512, "columns": 4096}, "f32"),
}


@pytest.mark.skipif(os.environ.get("ASSAY_TIER") != "nightly", reason="takes minutes")
@pytest.mark.parametrize("operation", AT_4096)
def test_mistake_at_a_side_of_4096_is_shown_with_at_most_16_numbers(operation):
    function, contract, shape, format = AT_4096[operation]
    options = dict(format=format, shapes=[shape], cases=1, controls=False)
    with pytest.raises(assay.Broken) as caught:
        assay.check(last_wrong(quiet(function)), operation, contract, **options)
    sizes = re.findall(r": (\d+) number", str(caught.value))
    assert sizes and max(map(int, sizes)) <= 16


@pytest.mark.skipif(os.environ.get("ASSAY_TIER") != "nightly", reason="takes half a minute")
def test_one_wrong_row_of_a_million_is_named():
    x = normal(1_000_000, 7)
    right = softmax(x.astype("f8")).astype("f4")
    wrong = right.copy()
    wrong[777_777] = right[777_778]
    judgment = assay.softmax(x).judge(wrong, "shifted_1ulp")
    assert (judgment.verdict, judgment.component // 7) == ("broken", 777_777)


def test_softmax_that_leaves_a_share_to_minus_infinity_is_refused():
    def leaky(x):
        result = softmax(x)
        result[(x == -math.inf) & numpy.isfinite(result)] = 0.25
        return result

    assay.check(softmax, "softmax", "shifted_3ulp", cases=200, controls=False)
    with pytest.raises(assay.Broken, match="shifted_3ulp is violated"):
        assay.check(leaky, "softmax", "shifted_3ulp", cases=200, controls=False)


def test_gemm_that_spreads_a_nan_to_other_rows_is_refused():
    @quiet
    def right(alpha, a, b, beta, c):
        return alpha * (a @ b) + (beta * c if beta else 0)

    @quiet
    def spread(*arguments):
        result = right(*arguments)
        return result * math.nan if numpy.isnan(result).any() else result

    assay.check(right, "gemm", "exceptional", cases=300, controls=False)
    with pytest.raises(assay.Broken, match="exceptional is violated"):
        assay.check(spread, "gemm", "exceptional", cases=300, controls=False)


def test_nan_of_another_row_does_not_keep_that_row_in_the_case():
    def softmax_with_epsilon(x):
        e = numpy.exp(x - x.max(axis=-1, keepdims=True))
        return e / (e.sum(axis=-1, keepdims=True) + x.dtype.type(1e-6))

    with pytest.raises(assay.Broken) as raised:
        assay.check(softmax_with_epsilon, "softmax", "of_log_sum_3ulp", format="f32", family="test_eps")
    case = raised.value.verdict.contracts["of_log_sum_3ulp"].counterexample
    assert case.text.splitlines()[:2] == ["  rows = 1", "  columns = 1"], case.text
