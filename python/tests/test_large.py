"""Results of the sizes that programs have: right ones are kept, and one wrong entry is refused with its place.
ASSAY_TIER=nightly: at larger sizes."""

import math
import os
import re

import pytest

numpy = pytest.importorskip("numpy")

import assay  # noqa: E402

NIGHTLY = os.environ.get("ASSAY_TIER") == "nightly"
TERMS = 10**7 if NIGHTLY else 200_000
SIDE = 1024 if NIGHTLY else 280  # more than 2^24 products
LENGTH = 131_072 if NIGHTLY else 30_000


def drawn(*shape, kind="f4", seed=1):
    return numpy.random.default_rng(seed).standard_normal(shape).astype(kind)


def refused_at(place, got, want, contract):
    """The result is broken by the contract, at that entry."""
    with pytest.raises(assay.Broken) as caught:
        assay.assert_within(got, want, contract=contract)
    told = re.search(r"\[(\d+)\] of \d+ numbers", str(caught.value))
    assert told is not None and int(told[1]) == place, str(caught.value)


def refused_anywhere(got, want, contract, spoil):
    """A wrong entry is refused where it is: the first, the last, one in between. spoil(number): a wrong one."""
    for place in (0, got.size - 1, got.size // 2 + 1):
        wrong = got.copy()
        wrong.flat[place] = spoil(wrong.flat[place])
        refused_at(place, wrong, want, contract)


# ------------------------------------------------------------------------------------------------------- one number


SUMS = {
    "sum": (lambda x, y: assay.sum(x), lambda x, y: math.fsum(x)),
    "asum": (lambda x, y: assay.asum(x), lambda x, y: math.fsum(abs(x))),
    "nrm2": (lambda x, y: assay.nrm2(x), lambda x, y: math.sqrt(math.fsum(x.astype("f8") ** 2))),
    "dot": (lambda x, y: assay.dot(x, y), lambda x, y: numpy.longdouble(x) @ numpy.longdouble(y)),
}


@pytest.mark.parametrize("kind", ["f4", "f8"])
@pytest.mark.parametrize("n", [8193, TERMS])
@pytest.mark.parametrize("name", SUMS)
def test_reduction_of_any_number_of_terms_is_judged(name, n, kind):
    want, exact = SUMS[name]
    x, y = drawn(n, kind=kind), drawn(n, kind=kind, seed=2)
    got = numpy.array(exact(x, y), kind)
    assert want(x, y).judge(got, "faithful").verdict == "kept"
    for contract, error in (("faithful", 0.01 * abs(got)), ("wide_any_order", n)):
        with pytest.raises(assay.Broken):
            assay.assert_within(got + numpy.array(error, kind), want(x, y), contract=contract)


@pytest.mark.parametrize("number", [math.nan, math.inf])
@pytest.mark.parametrize("name", SUMS)
def test_reduction_with_a_number_that_is_none_is_judged_by_what_it_becomes(name, number):
    want, _ = SUMS[name]
    x, y = drawn(100_000), numpy.ones(100_000, "f4")
    x[77_777] = number
    assay.assert_within(numpy.float32(number), want(x, y), contract="any_order")
    for wrong in (1.0, -math.inf, math.inf if math.isnan(number) else math.nan):
        with pytest.raises(assay.Broken):
            assay.assert_within(numpy.float32(wrong), want(x, y), contract="any_order")


def test_bound_that_does_not_cover_so_many_terms_is_refused_with_their_number():
    x = drawn(5000, kind="f2") / numpy.float16(256)
    got = x.astype("f4").sum().astype("f2")
    with pytest.raises(ValueError, match=r"n = 5000, u = 2\^-11"):
        assay.assert_within(got, assay.sum(x), contract="any_order")
    assay.assert_within(got, assay.sum(x), contract="f32_any_order")


# ---------------------------------------------------------------------------------------------------------- vectors


@pytest.mark.parametrize("kind", ["f4", "f8"])
def test_prefix_sums_are_judged_in_every_entry(kind):
    x = drawn(100_000, kind=kind)
    refused_anywhere(x.cumsum(), assay.cumsum(x), "any_order", lambda number: number + 10_000)


def test_prefix_sums_before_a_nan_are_judged_by_their_error_and_those_behind_are_nan():
    x = drawn(5000)
    x[3000] = math.nan
    got, want = x.cumsum(), assay.cumsum(x)
    assay.assert_within(got, want, contract="any_order")
    for place, number in ((2999, got[2999] + 100), (3000, 0), (4999, math.inf)):
        wrong = got.copy()
        wrong[place] = number
        refused_at(place, wrong, want, "any_order")


def sparse(rows, entries_of_row, kind):
    columns = (7 * numpy.arange(rows)[:, None] + 3 * numpy.arange(entries_of_row)) % rows
    columns.sort(axis=1)
    values, x = drawn(rows * entries_of_row, kind=kind), drawn(rows, kind=kind, seed=2)
    offsets = numpy.arange(0, rows * entries_of_row + 1, entries_of_row)
    got = (values * x[columns.ravel()]).reshape(rows, -1).sum(axis=1, dtype=kind)
    return got, assay.spmv(offsets, columns.ravel(), values, x), x, columns, offsets, values


@pytest.mark.parametrize("kind", ["f4", "f8"])
def test_sparse_product_is_judged_in_every_row(kind):
    got, want, *_ = sparse(TERMS // 20, 10, kind)
    refused_anywhere(got, want, "any_order", lambda number: number + 100)


def test_sparse_product_with_an_infinity_is_judged_in_every_row():
    got, _, x, columns, offsets, values = sparse(1000, 5, "f4")
    x[17] = math.inf
    want = assay.spmv(offsets, columns.ravel(), values, x)
    got = (values * x[columns.ravel()]).reshape(1000, -1).sum(axis=1, dtype="f4")
    assay.assert_within(got, want, contract="any_order")
    finite, infinite = (int(numpy.flatnonzero(numpy.isinf(got) == each)[-1]) for each in (False, True))
    for place in (finite, infinite):
        wrong = got.copy()
        wrong[place] = 1e6
        refused_at(place, wrong, want, "any_order")


@pytest.mark.parametrize("kind", ["f4", "f8"])
def test_product_of_a_large_matrix_and_a_vector_is_judged_in_every_entry(kind):
    a, x = drawn(700, 900, kind=kind), drawn(900, kind=kind, seed=2)
    refused_anywhere(a @ x, assay.gemv(a, x), "grade_a", lambda number: number + 100)


# --------------------------------------------------------------------------------------------------------- products


def product_of(kind, m=SIDE, k=SIDE + 20, n=SIDE - 20):
    a, b = drawn(m, k, kind=kind), drawn(k, n, kind=kind, seed=2)
    return a, b, (a.astype("f8") @ b.astype("f8")).astype(kind)


def next_above(number):
    return numpy.nextafter(number, number.dtype.type(math.inf))


@pytest.mark.parametrize("kind", ["f2", "f4"])
@pytest.mark.parametrize("contract", ["inner_product", "faithful", "correctly_rounded"])
def test_product_is_judged_in_every_entry_by_every_contract(kind, contract):
    a, b, got = product_of(kind)
    spoil = next_above if contract == "correctly_rounded" else (lambda number: number + 3)
    want = assay.matmul(a, b)
    judgment = want.judge(got, contract)
    assert (judgment.verdict, judgment.judged) == ("kept", got.size)
    assert str(judgment).startswith(f"{contract} is kept, {got.size} of {got.size} entries judged in ")
    refused_anywhere(got, want, contract, spoil)


def test_product_in_binary64_is_judged_in_every_entry():
    a, b, got = product_of("f8")
    refused_anywhere(got, assay.matmul(a, b), "inner_product", lambda number: number + 1e-6)


def test_long_rows_of_a_product_of_small_factors_are_judged():
    a, b, got = product_of("f4", 3, 5, 200_000)
    refused_anywhere(got, assay.matmul(a, b), "faithful", lambda number: number + 1)


def test_product_of_bytes_is_judged_in_every_entry():
    a, b = (numpy.random.default_rng(i).integers(-128, 128, (SIDE, SIDE)).astype("i1") for i in range(2))
    got = (a.astype("f8") @ b.astype("f8")).astype("i4")
    refused_anywhere(got, assay.matmul(a, b), "exact", lambda number: number + 1)


def test_entries_on_a_grid_of_a_large_product_are_exact():
    a, b = (numpy.random.default_rng(i).integers(-2, 3, (SIDE, SIDE)).astype("f4") for i in range(2))
    for contract in ("exact_grid", "inner_product"):
        refused_anywhere(a @ b, assay.matmul(a, b), contract, next_above)


@pytest.mark.parametrize("kind", ["f2", "f4", "f8"])
@pytest.mark.parametrize("contract", ["inner_product", "from_c_inner_product"])
def test_product_with_a_start_is_judged_in_every_entry(kind, contract):
    a, b, product = product_of(kind)
    c = drawn(*product.shape, kind=kind, seed=3)
    got = (1.5 * (a.astype("f8") @ b.astype("f8")) - 0.5 * c.astype("f8")).astype(kind)
    refused_anywhere(got, assay.matmul(a, b, alpha=1.5, beta=-0.5, c=c), contract, lambda number: number + 3)


def test_large_product_with_nan_and_infinity_is_judged_in_every_entry():
    a, b, _ = product_of("f4")
    a[7, 2] = math.inf
    b[5, 9] = math.nan
    c = drawn(a.shape[0], b.shape[1], seed=3)
    c[3, 4] = math.nan
    with numpy.errstate(all="ignore"):
        got = (a.astype("f8") @ b.astype("f8")).astype("f4")
    both = {"matmul": (got, assay.matmul(a, b)), "start": (got + c, assay.matmul(a, b, alpha=1.0, beta=1.0, c=c))}
    for got, want in both.values():
        refused_anywhere(got, want, "inner_product", lambda number: number + 3)
        for place in numpy.flatnonzero(~numpy.isfinite(got))[[0, -1]]:
            wrong = got.copy()
            wrong.flat[place] = 1
            refused_at(int(place), wrong, want, "inner_product")


def test_gemm_with_a_nan_is_judged_in_every_entry():
    a, b = drawn(40, 30, kind="f8"), drawn(30, 20, kind="f8", seed=2)
    a[5, 7] = math.nan
    got, want = a @ b, assay.gemm(a, b)
    assay.assert_within(got, want, contract="grade_a")
    for i, j, number in ((5, 3, 1.0), (4, 3, 100.0), (39, 19, -100.0)):
        wrong = got.copy()
        wrong[i, j] = number
        with pytest.raises(assay.Broken):
            assay.assert_within(wrong, want, contract="grade_a")


# ------------------------------------------------------------------------------------------------------------- rows


def rows_of(name, x):
    """What the operation has on these rows, rounded from binary64, its exact result, and a contract."""
    x8 = x.astype("f8")
    weight, bias = numpy.ones(x.shape[1], x.dtype), numpy.zeros(x.shape[1], x.dtype)
    shifted = x8 - x8.max(axis=1, keepdims=True)
    total = numpy.exp(shifted).sum(axis=1, keepdims=True)
    centered = x8 - x8.mean(axis=1, keepdims=True)
    root = numpy.sqrt((centered**2).mean(axis=1, keepdims=True) + numpy.float32(1e-5))
    square = numpy.sqrt((x8**2).mean(axis=1, keepdims=True) + numpy.float32(1e-5))
    got, want, contract = {
        "softmax": (numpy.exp(shifted) / total, assay.softmax(x), "shifted_1ulp"),
        "log_softmax": (shifted - numpy.log(total), assay.log_softmax(x), "of_sum_3ulp"),
        "layer_norm": (centered / root, assay.layer_norm(x, weight, bias, 1e-5), "two_pass"),
        "rms_norm": (x8 / square, assay.rms_norm(x, weight, 1e-5), "any_order"),
    }[name]
    return got.astype(x.dtype), want, contract


@pytest.mark.parametrize("name", ["softmax", "log_softmax", "layer_norm", "rms_norm"])
def test_long_rows_are_judged_in_every_entry(name):
    got, want, contract = rows_of(name, drawn(64 if NIGHTLY else 5, LENGTH))
    assert want.judge(got, contract).judged == got.size
    wrong = got.copy()
    wrong[-1, -1] += 1  # the last of the last part
    refused_at(got.size - 1, wrong, want, contract)


def test_softmax_of_a_long_row_with_minus_infinities_is_judged():
    x = drawn(2, 300)
    x[1, ::3] = -math.inf
    got, want, contract = rows_of("softmax", x)
    assert want.judge(got, contract).judged == got.size
    got[1, 3] = 1e-30
    refused_at(303, got, want, contract)


def test_one_wrong_row_of_many_is_refused():
    x = drawn(10_000, 20)
    got, want, contract = rows_of("softmax", x)
    wrong = got.copy()
    wrong[3333] = 0.05
    with pytest.raises(assay.Broken, match=r"\[666\d\d\] of 200000 numbers"):
        assay.assert_within(wrong, want, contract=contract)


# --------------------------------------------------------------------------------------------------------- formulas


FORMULAS = {
    "mean": "m(x[n]) -> y\n  y = mean(x)\n",
    "variance": "v(x[n]) -> y\n  d = x - mean(x)\n  y = mean(d * d)\n",
    "logsumexp": "l(x[n]) -> y\n  y = log(sum(exp(x)))\n",
}
VALUES = {
    "mean": lambda x: x.mean(),
    "variance": lambda x: x.var(),
    "logsumexp": lambda x: numpy.log(numpy.exp(x).sum()),
}


@pytest.mark.parametrize("kind", ["f4", "f8"])
@pytest.mark.parametrize("name", FORMULAS)
def test_formula_of_many_numbers_is_judged(name, kind):
    x = drawn(TERMS, kind=kind)
    got = VALUES[name](x.astype("f8")).astype(kind)
    assay.assert_close(got, FORMULAS[name], x)
    with pytest.raises(assay.Broken):
        assay.assert_close(got + numpy.array(1, kind), FORMULAS[name], x)


def test_formula_with_a_nan_among_its_numbers_is_judged():
    x = drawn(1000)
    x[777] = math.nan
    for text in FORMULAS.values():
        assay.assert_close(numpy.float32(math.nan), text, x)
        with pytest.raises(assay.Broken):
            assay.assert_close(numpy.float32(1), text, x)


# ---------------------------------------------------------------------------------------------------------- samples


def test_judgment_of_a_sample_warns_with_the_counts():
    class OfASample(assay.Expected):
        def judge(self, got, contract):
            return assay.Judgment(
                contract, "kept", 0.5, "", "", None, 0, 4_000_000, "", "", "", judged=1728, seconds=0.25
            )

    a = numpy.ones((2, 2))
    with pytest.warns(assay.Sampled, match="^matmul f64: faithful is kept, 1728 of 4000000 entries judged in 0.25 s$"):
        assay.assert_within(a, OfASample("matmul", a=a, b=a), contract="faithful")
