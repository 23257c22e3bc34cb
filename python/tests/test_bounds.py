"""The bound of a result: what holds a result of every operation in its natural shape, and a number of its own."""

import pytest

numpy = pytest.importorskip("numpy")

import assay  # noqa: E402

X = numpy.random.default_rng(2).standard_normal((2, 3, 40)).astype("f4")
WEIGHT, BIAS = numpy.linspace(0.5, 2, 40, dtype="f4"), numpy.linspace(-1, 1, 40, dtype="f4")


def softmax(x):
    terms = numpy.exp(x - x.max(-1, keepdims=True))
    return terms / terms.sum(-1, keepdims=True)


def layer_norm(x, weight, bias, eps):
    x = x.astype("f8")
    right = (x - x.mean(-1, keepdims=True)) / numpy.sqrt(x.var(-1, keepdims=True) + eps) * weight + bias
    return right.astype(weight.dtype)


def rms_norm(x, weight, eps):
    x = x.astype("f8")
    return (x / numpy.sqrt((x * x).mean(-1, keepdims=True) + eps) * weight).astype(weight.dtype)


OFFSETS, COLUMNS, VALUES = numpy.array([0, 2, 3], "i4"), numpy.array([0, 1, 1], "i4"), numpy.array([1.0, 2.0, 3.0])
EVERY = {
    "softmax": (lambda: assay.softmax(X), lambda: softmax(X), "shifted_3ulp"),
    "log_softmax": (
        lambda: assay.log_softmax(X), lambda: numpy.log(softmax(X.astype("f8"))).astype("f4"), "shifted_3ulp"),
    "layer_norm": (
        lambda: assay.layer_norm(X, WEIGHT, BIAS, 1e-5), lambda: layer_norm(X, WEIGHT, BIAS, 1e-5), "two_pass"),
    "rms_norm": (lambda: assay.rms_norm(X, WEIGHT, 1e-5), lambda: rms_norm(X, WEIGHT, 1e-5), "any_order"),
    "spmv": (
        lambda: assay.spmv(OFFSETS, COLUMNS, VALUES, numpy.array([1.0, 10.0])),
        lambda: numpy.array([21.0, 30.0]), "any_order"),
    "trsv": (
        lambda: assay.trsv(numpy.array([[2.0, 9.0], [1.0, 4.0]]), numpy.array([2.0, 9.0])),
        lambda: numpy.array([1.0, 2.0]), "backward"),
    "upper trsv": (
        lambda: assay.trsv(numpy.array([[2.0, 1.0], [9.0, 4.0]]), numpy.array([4.0, 8.0]), upper=True),
        lambda: numpy.array([1.0, 2.0]), "backward"),
    "exp": (lambda: assay.exact("exp", X.astype("f8")), lambda: numpy.exp(X.astype("f8")), "ulp_2"),
    "two_sum": (
        lambda: assay.exact("two_sum", 1.0, 2.0**-60), lambda: numpy.array([1.0, 2.0**-60]), "error_free"),
    "two_sums": (
        lambda: assay.exact("two_sum", numpy.array([1.0, 2.0]), numpy.array([2.0**-60, 1.0])),
        lambda: numpy.array([[1.0, 2.0**-60], [3.0, 0.0]]), "error_free"),
    "axpy": (lambda: assay.axpy(2, WEIGHT, BIAS), lambda: 2 * WEIGHT + BIAS, "two_roundings"),
}  # fmt: skip


@pytest.mark.parametrize(("want", "right", "contract"), EVERY.values(), ids=EVERY.keys())
def test_result_of_every_operation_is_held_in_its_natural_shape(want, right, contract):
    got = right()
    assay.assert_within(got, want(), contract=contract)
    got[..., -1] *= 1.01
    with pytest.raises(assay.Broken):
        assay.assert_within(got, want(), contract=contract)


def test_result_of_another_shape_than_the_matrix_is_refused():
    with pytest.raises(ValueError, match=r"^result: it has shape \(40, 2, 3\), not \(2, 3, 40\)$"):
        assay.assert_within(softmax(X).reshape(40, 2, 3), assay.softmax(X), contract="shifted_3ulp")


def test_plain_numbers_do_for_integers_and_epsilon():
    case = assay.Judge("layer_norm", "f32").given(1, 40, 1e-5, X[0, 0], WEIGHT, BIAS)
    assert case.arguments[2] == numpy.float32(1e-5)
    assert case.judge(layer_norm(X[0, 0], WEIGHT, BIAS, numpy.float32(1e-5)))["two_pass"].verdict == "kept"


def test_bound_of_a_sum_is_the_number_of_its_theorem():
    assert assay.sum(numpy.full(9, 1 + 2.0**-52)).bound("any_order") == pytest.approx(8 * 9 * 2.0**-53, rel=1e-15)


def test_bound_is_one_number_for_each_of_a_result():
    bounds = assay.matmul(numpy.full((2, 3), 0.1), numpy.array([[1.0, 100.0]] * 3)).bound("inner_product")
    assert bounds.shape == (2, 2) and numpy.allclose(bounds[:, 1], 100 * bounds[:, 0], rtol=1e-12)
    assert assay.softmax(X).bound("shifted_3ulp").shape == X.shape
    assert assay.exact("exp", X[0]).bound("ulp_2").shape == X[0].shape


def test_bound_of_a_product_that_must_be_exact_is_zero():
    ones = numpy.ones((2, 2))
    assert numpy.array_equal(assay.matmul(ones, ones).bound("inner_product"), numpy.zeros((2, 2)))


@pytest.mark.parametrize("kind", ["f8", "f4", "f2"])
def test_result_beyond_its_bound_is_broken_and_one_within_is_kept(kind):
    x = numpy.array([1.0, 2.0, 3.5, 0.25], kind)
    want = assay.sum(x)
    contract = "any_order" if kind != "f2" else "f32_any_order"
    bound = want.bound(contract)
    beyond = x.dtype.type(6.75)
    while float(beyond) - 6.75 <= bound:
        inside, beyond = beyond, numpy.nextafter(beyond, x.dtype.type(99))
    assay.assert_within(inside, want, contract=contract)
    with pytest.raises(assay.Broken):
        assay.assert_within(beyond, want, contract=contract)


def test_bound_stands_in_the_judgment_and_in_the_message():
    case = assay.dot(numpy.ones(4), numpy.ones(4)).case()
    judgment = case.judge(5.0)["any_order"]
    assert judgment.bound == case.bound("any_order") and judgment.judged == 1
    with pytest.raises(assay.Broken, match=f"\n  bound  {judgment.bound:.6g}\n"):
        assay.assert_within(5.0, case, contract="any_order")


def test_contract_without_a_number_has_no_bound():
    with pytest.raises(ValueError, match="^order_free: it does not bound the error by a number$"):
        assay.sum(numpy.ones(3)).bound("order_free")
