"""assay.assert_close: results are checked against the bound that follows from a formula, and wrong entries are
named."""

import math
import subprocess
import sys

import pytest

numpy = pytest.importorskip("numpy")

import assay  # noqa: E402
import assay.testing  # noqa: E402

DRAW = numpy.random.default_rng(44)
NORM = """norm(x[r,n], w[n], eps) -> y[r,n]
  y = x * rsqrt(mean(x^2, axis=n) + eps) * w
"""


def drawn(*shape, kind="f4"):
    return DRAW.standard_normal(shape).astype(kind)


def softmax(x):
    terms = numpy.exp(x - x.max(-1, keepdims=True))
    return terms / terms.sum(-1, keepdims=True)


def attention(q, k, v, scale):
    """A causal attention that computes in the wide format and rounds once."""
    n, m = len(q), len(k)
    kind = "f4" if q.dtype == numpy.float16 else q.dtype
    s = (q.astype(kind) @ k.T.astype(kind)) * numpy.dtype(kind).type(scale)
    s = numpy.where(numpy.arange(m) <= numpy.arange(n)[:, None] + m - n, s, -numpy.inf)
    return (softmax(s) @ v.astype(kind)).astype(q.dtype)


def norm(x, w, eps):
    wide = x.astype("f8")
    return (wide / numpy.sqrt((wide * wide).mean(-1, keepdims=True) + float(eps)) * w).astype(x.dtype)


def gelu(x):
    wide = x.astype("f8")
    return (wide / 2 * (1 + numpy.tanh(math.sqrt(2 / math.pi) * (wide + 0.044715 * wide**3)))).astype(x.dtype)


def case_of(name, kind):
    """A formula, its inputs and a correct result."""
    if name == "attention":
        q, k, v = drawn(6, 8, kind=kind), drawn(9, 8, kind=kind), drawn(9, 5, kind=kind)
        return "attention", (q, k, v, 0.25), attention(q, k, v, 0.25)
    if name == "norm":
        x, w = drawn(5, 40, kind=kind), drawn(40, kind=kind)
        eps = x.dtype.type(1e-3)
        return NORM, (x, w, eps), norm(x, w, eps)
    x = drawn(50, kind=kind)
    return "gelu", (x,), gelu(x)


EVERY = [(name, kind) for name in ("attention", "norm", "gelu") for kind in ("f8", "f4", "f2")]


@pytest.mark.parametrize(("name", "kind"), EVERY)
def test_right_result_is_kept(name, kind):
    formula, inputs, got = case_of(name, kind)
    assay.assert_close(got, formula, *inputs)


@pytest.mark.parametrize(("name", "kind"), EVERY)
def test_entry_beyond_four_bounds_is_broken_and_named(name, kind):
    formula, inputs, got = case_of(name, kind)
    of = assay.Formula(formula)
    case = of.case(list(inputs))
    at = (3,) * got.ndim
    bound = case.bound(case._judge.usual_contract)[at]
    got[at] = numpy.nextafter((float(got[at]) + 4 * bound).__float__(), math.inf).astype(kind)
    with pytest.raises(assay.Broken) as broken:
        assay.assert_close(got, formula, *inputs)
    text = str(broken.value)
    assert f"  entry  {of.graph['result']}{list(at)}\n" in text and " of the bound\n" in text and "  made of " in text


@pytest.mark.parametrize(("name", "kind"), EVERY)
def test_row_of_zeros_is_broken(name, kind):
    formula, inputs, got = case_of(name, kind)
    got[2:3] = 0
    with pytest.raises(assay.Broken, match=r" is broken\n  entry  \w\[2"):
        assay.assert_close(got, formula, *inputs)


@pytest.mark.parametrize(("name", "kind"), EVERY)
def test_nan_where_a_number_belongs_is_broken(name, kind):
    formula, inputs, got = case_of(name, kind)
    got[-1] = math.nan
    with pytest.raises(assay.Broken, match="got    nan"):
        assay.assert_close(got, formula, *inputs)


@pytest.mark.parametrize(("name", "kind"), EVERY)
def test_result_of_another_shape_is_refused_with_both(name, kind):
    formula, inputs, got = case_of(name, kind)
    with pytest.raises(ValueError, match=r"^result: it has shape \([\d, ]+\), not \([\d, ]+\)$"):
        assay.assert_close(got.reshape(-1, 1, 1), formula, *inputs)


def test_result_of_a_vector_in_the_shape_of_a_matrix_is_refused():
    x = drawn(6)
    with pytest.raises(ValueError, match=r"^result: it has shape \(2, 3\), not \(6\)$"):
        assay.assert_close(gelu(x).reshape(2, 3), "gelu", x)


def test_result_of_another_type_is_refused_with_those_that_there_are():
    x = drawn(6)
    formats = "f64, f32, f16, bf16, f16:f32, bf16:f32"
    what = f"^gelu: no format f32:f64, numbers of f32 with a result of f64; there are: {formats}$"
    with pytest.raises(TypeError, match=what):
        assay.assert_close(gelu(x).astype("f8"), "gelu", x)


@pytest.mark.parametrize(
    ("inputs", "reason"),
    [
        ((drawn(6, 8), drawn(9, 7), drawn(9, 5), 0.5), r"k: it has shape (9, 7), not [m, d], where d is 8 by q"),
        ((drawn(6, 8), drawn(9, 8), drawn(8, 5), 0.5), r"v: it has shape (8, 5), not [m, e], where m is 9 by k"),
        ((drawn(6), drawn(9, 8), drawn(9, 5), 0.5), r"q: it has shape (6), not [n, d]"),
        ((drawn(6, 8), drawn(9, 8), drawn(9, 5), drawn(2)), r"scale: it has shape (2), not []"),
    ],
)
def test_inputs_whose_axes_do_not_agree_are_refused_by_name(inputs, reason):
    with pytest.raises(ValueError) as error:
        assay.assert_close(drawn(6, 5), "attention", *inputs)
    assert str(error.value) == reason


@pytest.mark.parametrize(
    ("inputs", "attributes", "reason"),
    [
        ((1, 2, 3, 4, 5), {}, "attention: it takes q, k, v, scale, and 5 arguments are given"),
        ((1, 2, 3), {}, "attention: scale is missing; it takes q, k, v, scale"),
        ((1, 2, 3), {"scales": 1}, "attention: no parameter scales; it takes q, k, v, scale"),
        ((1, 2, 3, 4), {"scale": 1}, "attention: scale is given twice"),
        ((drawn(2).astype("i8"), 2, 3, 4), {}, "attention: q has numbers of int64; a formula has f64, f32, f16 and bf16"),
    ],
)
def test_arguments_that_do_not_fit_are_refused_with_the_parameters(inputs, attributes, reason):
    with pytest.raises(TypeError) as error:
        assay.assert_close(drawn(6, 5), "attention", *inputs, **attributes)
    assert str(error.value) == reason


def test_parameter_is_given_by_name():
    q, k, v = drawn(4, 8), drawn(7, 8), drawn(7, 3)
    assay.assert_close(attention(q, k, v, 0.5), "attention", q, k, v, scale=0.5)
    with pytest.raises(assay.Broken):
        assay.assert_close(attention(q, k, v, 0.5), "attention", q, k, v, scale=0.25)


def test_number_of_python_beside_narrow_arrays_is_one_of_binary32():
    q, k, v = (drawn(*shape, kind="f2") for shape in ((6, 8), (9, 8), (9, 5)))
    scale = 1 / math.sqrt(8)
    case = assay.Formula("attention").case([q, k, v, scale])
    assert case.arguments[-1] == numpy.float32(scale) and case.arguments[-1].dtype == numpy.float32
    assay.assert_close(attention(q, k, v, scale), "attention", q, k, v, scale)


def test_arrays_of_several_formats_are_taken_as_they_are():
    x, w = drawn(5, 40, kind="f2"), drawn(40)
    got = norm(x, w.astype("f8"), 0.125).astype("f2")
    assay.assert_close(got, NORM, x, w, 0.125)
    got[4, 4] *= numpy.float16(1.02)
    with pytest.raises(assay.Broken):
        assay.assert_close(got, NORM, x, w, 0.125)


def test_result_wider_than_narrow_inputs_is_held_to_the_wide_format():
    x = drawn(50, kind="f2")
    got = gelu(x.astype("f4"))
    assay.assert_close(got, "gelu", x, contract="fast")
    got[7] += numpy.float32(1e-4)
    with pytest.raises(assay.Broken):
        assay.assert_close(got, "gelu", x, contract="fast")


def test_weaker_machine_that_a_broken_result_keeps_is_named():
    q, k, v = drawn(6, 8, kind="f2"), drawn(9, 8, kind="f2"), drawn(9, 5, kind="f2")
    stored = softmax(((q.astype("f4") @ k.T) * 0.25).astype("f2").astype("f4")).astype("f2")
    got = (stored.astype("f4") @ v).astype("f2")
    with pytest.raises(assay.Broken, match="(?s)tree is broken.*  keeps  stored"):
        assay.assert_close(got, "attention_full", q, k, v, 0.25, contract="tree")


FLUSHED = 'products(x[n], y[n]) -> z[n]\n  z = x * y\n  class "small": x 1e-39 1e-37, y 0.5 2\n'


def flushed(x, least=2.0**-126):
    return numpy.where(numpy.abs(x) < least, 0, x).astype("f4")


def flushed_product(x, y, least=2.0**-126):
    return flushed(flushed(x, least) * flushed(y, least), least)


def test_flush_to_zero_is_a_contract_that_is_asked_by_its_name():
    x, y = numpy.float32([1e-39, 1, 3e-38]), numpy.float32([1, 2, 0.25])
    assay.assert_close(flushed_product(x, y), FLUSHED, x, y, contract="ftz")
    with pytest.raises(assay.Broken, match="(?s)any_order is broken.*  keeps  ftz"):
        assay.assert_close(flushed_product(x, y), FLUSHED, x, y)
    own = FLUSHED + "machine mine\n  sum tree ; ftz\n"
    assay.assert_close(flushed_product(x, y), own, x, y)
    assert assay.tolerance(FLUSHED, x, y, contract="ftz").largest < 1.2e-7  # that of 1·2, by its ulp

    verdict = assay.check(flushed_product, FLUSHED, format="f32", cases=300)
    assert "ftz" not in verdict.contracts and "any_order" in verdict.broken
    assert "not asked: ftz, which right kernels that flush subnormal numbers to zero keep: contract='ftz' asks it" in str(verdict)
    verdict = assay.check(flushed_product, FLUSHED, format="f32", cases=300, contract=["ftz", "exceptional"])
    assert verdict.kept == ("ftz", "exceptional")
    with pytest.raises(assay.Broken, match="ftz is violated"):
        assay.check(lambda x, y: flushed_product(x, y, 2.0**-122), FLUSHED, format="f32", cases=300, contract="ftz")


def test_one_pass_variance_is_refused_by_default_and_named():
    x = (1000 + drawn(4, 64)).astype("f4")
    text = "spread(x[r,n]) -> y[r]\n  y = variance(x, axis=n)\n"
    right = x.astype("f8").var(-1).astype("f4")
    assay.assert_close(right, text, x)
    one_pass = (x * x).mean(-1) - x.mean(-1) ** 2
    with pytest.raises(assay.Broken, match="(?s)fast is broken.*  keeps  one_pass"):
        assay.assert_close(one_pass, text, x)


def test_machine_of_the_formula_is_the_default():
    text = "halves(x[n]) -> y[n]\n  t = exp(x)\n  y = t * 0.5\nmachine coarse\n  functions 4096 ulp\n"
    x = drawn(8)
    got = (numpy.exp(x.astype("f8")) * 0.5 * (1 + 1e-4)).astype("f4")
    assay.assert_close(got, text, x)
    with pytest.raises(assay.Broken):
        assay.assert_close(got, text, x, contract="fast")


def test_inputs_of_which_the_machine_says_nothing_are_refused():
    text = "ratio(x[n], y[n]) -> z[n]\n  z = x / (y - y * y)\n"
    x, y = drawn(3), numpy.array([0.5, 1 - 2**-24, 2.0], "f4")
    with pytest.raises(ValueError, match=r"fast asks that .* for 1 of 3: the divisor of z = div may be 0 \(formula\.quotient\.1\)$"):
        assay.assert_close(x * numpy.array([4, 2**24, -0.5], "f4"), text, x, y)


def test_result_of_a_way_that_overflows_is_what_that_way_gives_or_within_the_bound_of_the_others():
    text = "sp(x[n]) -> y[n]\n  y = max(x, 0) + log1p(exp(-abs(x)))\n  way y = log1p(exp(x))\n"
    x = numpy.array([-3.0, 0.5, 100.0], "f4")
    with numpy.errstate(over="ignore"):
        naive = numpy.log1p(numpy.exp(x))
    assert naive[2] == math.inf
    assay.assert_close(naive, text, x, contract="ways")
    assay.assert_close(numpy.array([*naive[:2], 100], "f4"), text, x, contract="ways")
    for wrong in (7, math.nan, -math.inf):
        with pytest.raises(assay.Broken, match=r"entry  y\[2\]"):
            assay.assert_close(numpy.array([*naive[:2], wrong], "f4"), text, x, contract="ways")
    with pytest.raises(assay.Broken, match=r"entry  y\[2\]"):
        assay.assert_close(naive, text, x, contract="fast")


def test_quotient_by_0_is_an_infinity_where_no_error_moves_the_divisor():
    text = "ratio(x[n], y[n]) -> z[n]\n  z = x / (y - y * y)\n"
    x, y = numpy.ones(3, "f4"), numpy.array([0.5, 1.0, 2.0], "f4")
    for at_0 in (math.inf, -math.inf):
        assay.assert_close(numpy.array([4, at_0, -0.5], "f4"), text, x, y)
    for at_0 in (1, math.nan):
        with pytest.raises(assay.Broken, match=r"entry  z\[1\]"):
            assay.assert_close(numpy.array([4, at_0, -0.5], "f4"), text, x, y)


def test_infinity_among_the_inputs_decides_what_its_entries_are():
    x = numpy.array([0.5, math.inf, -1.0], "f4")
    got = gelu(x)
    assay.assert_close(got, "gelu", x)
    got[1] = 3
    with pytest.raises(assay.Broken, match=r"exact  \+?inf"):
        assay.assert_close(got, "gelu", x)


def test_formula_of_a_file_and_of_a_path_is_read(tmp_path):
    file = tmp_path / "norm.formula"
    file.write_text(NORM)
    x, w = drawn(3, 10), drawn(10)
    for each in (file, str(file)):
        assay.assert_close(norm(x, w, 0.5), each, x, w, 0.5)


def test_formula_with_the_name_of_an_operation_is_no_operation():
    text = "matmul(a[m,k], b[k,n]) -> c[n,m]\n  c = 2 * (a @ b)\n"
    a, b = drawn(3, 4), drawn(4, 5)
    assay.assert_close((2 * (a @ b)).T, text, a, b)
    with pytest.raises(assay.Broken):
        assay.assert_close((a @ b).T, text, a, b)


def test_integer_that_is_no_place_of_its_axis_is_refused():
    x = drawn(2, 3)
    with pytest.raises(ValueError, match="^label: its number 1 is 3, and the axis n has 3 entries$"):
        assay.assert_close(drawn(2), "cross_entropy", x, numpy.array([0, 3]))


def test_loss_of_integer_labels_is_judged():
    x, label = drawn(4, 7), numpy.array([0, 6, 3, 3], "i4")
    wide = x.astype("f8")
    got = (numpy.log(numpy.exp(wide).sum(-1)) - wide[numpy.arange(4), label]).astype("f4")
    assay.assert_close(got, "cross_entropy", x, label)
    with pytest.raises(assay.Broken):
        assay.assert_close(got, "cross_entropy", x, label[::-1].copy())


def test_label_that_names_no_place_has_the_loss_0():
    x, weight, label = drawn(4, 7), numpy.ones(7, "f4"), numpy.array([0, -100, 3, 6])
    wide = x.astype("f8")
    seen = label >= 0
    loss = numpy.log(numpy.exp(wide).sum(-1)) - wide[numpy.arange(4), numpy.where(seen, label, 0)]
    assay.assert_close(numpy.where(seen, loss, 0).astype("f4"), "cross_entropy_weighted", x, weight, label)
    with pytest.raises(assay.Broken):
        assay.assert_close(loss.astype("f4"), "cross_entropy_weighted", x, weight, label)
    with pytest.raises(ValueError, match="^label: its number 1 is -1, and the axis n has 7 entries$"):
        assay.assert_close(loss.astype("f4"), "cross_entropy_weighted", x, weight, numpy.array([0, -1, 3, 6]))


def test_product_that_would_take_an_hour_is_refused_at_once():
    a = numpy.lib.stride_tricks.as_strided(numpy.ones(1, "f4"), (4096, 4096), (0, 0))
    text = "product(a[m,k], b[k,n]) -> c[m,n]\n  c = a @ b\n"
    with pytest.raises(ValueError, match="^product: .* operations, which take about .* minutes; judge fewer rows of it$"):
        assay.assert_close(a, text, a, a)


def test_wrong_formula_is_refused_with_line_and_column():
    with pytest.raises(ValueError, match='^formula:2:7: expected .*; found "\\*"$'):
        assay.assert_close(1.0, "f(x[n]) -> y[n]\n  y = * x\n", drawn(2))


def test_name_that_is_nothing_is_refused_with_the_command_that_lists_all():
    with pytest.raises(ValueError, match="^no operation nothing; .*: no shipped formula, .*`assay contracts formulas` lists all$"):
        assay.assert_close(1.0, "nothing", drawn(2))


class ByDlpack:
    """An array of a library that supports only DLPack."""

    def __init__(self, array):
        self._array = array
        self.shape = array.shape

    def __dlpack__(self, **options):
        return self._array.__dlpack__()

    def __dlpack_device__(self):
        return self._array.__dlpack_device__()


def test_arrays_of_any_library_with_dlpack_are_judged_where_they_lie():
    q, k, v = drawn(6, 8), drawn(9, 8).T.copy().T, drawn(9, 5)
    right = attention(q, k, v, 0.25)
    assay.assert_close(*(ByDlpack(each) if not isinstance(each, str) else each
                         for each in (right, "attention", q, k, v)), 0.25)
    right[0, 0] += 1
    with pytest.raises(assay.Broken):
        assay.assert_close(ByDlpack(right), "attention", q, k, v, 0.25)


# --------------------------------------------------------------------------------------------------------- operations

OPERATIONS = {
    "dot": ((drawn(30), drawn(30)), lambda x, y: numpy.dot(x, y)),
    "sum": ((drawn(99),), lambda x: x.sum()),
    "cumsum": ((drawn(30, kind="f2"),), lambda x: x.astype("f4").cumsum().astype("f2")),
    "matmul": ((drawn(6, 7, kind="f2"), drawn(7, 5, kind="f2")), lambda a, b: a.astype("f4") @ b.astype("f4")),
    "softmax": ((drawn(3, 20),), softmax),
    "exp": ((drawn(20),), lambda x: numpy.exp(x.astype("f8")).astype("f4")),
    "axpy": ((2.0, drawn(9), drawn(9)), lambda alpha, x, y: numpy.float32(alpha) * x + y),
}


@pytest.mark.parametrize("operation", OPERATIONS)
def test_result_of_an_operation_is_held_to_its_usual_contract(operation):
    inputs, right = OPERATIONS[operation]
    got = numpy.asarray(right(*inputs))
    assay.assert_close(got[()], operation, *inputs)
    wrong = got.copy()
    wrong[...] = wrong + wrong.dtype.type(0.5)
    with pytest.raises(assay.Broken):
        assay.assert_close(wrong[()], operation, *inputs)


@pytest.mark.parametrize("form", ["two passes", "Welford"])
def test_layer_norm_of_any_usual_form_is_kept(form):
    x, w, b = drawn(3, 50), drawn(50), drawn(50)
    if form == "two passes":
        d = x - x.mean(-1, keepdims=True)
        variance = (d * d).mean(-1, keepdims=True)
    else:
        mean, m2 = numpy.zeros((3, 1), "f4"), numpy.zeros((3, 1), "f4")
        for j in range(50):
            delta = x[:, j : j + 1] - mean
            mean = mean + delta / numpy.float32(j + 1)
            m2 = m2 + delta * (x[:, j : j + 1] - mean)
        d, variance = x - mean, m2 / numpy.float32(50)
    got = d / numpy.sqrt(variance + numpy.float32(1e-3)) * w + b
    assay.assert_close(got, "layer_norm", x, w, b, eps=1e-3)
    got[2] = 0
    with pytest.raises(assay.Broken):
        assay.assert_close(got, "layer_norm", x, w, b, eps=1e-3)


@pytest.mark.parametrize("operation", sorted(assay.contracts()))
def test_every_operation_has_a_usual_contract_in_each_format(operation):
    from assay._close import usual_of

    of_error = {each["id"] for each in assay.contracts()[operation]["contracts"] if each["is_about_error"]}
    for format in assay.contracts()[operation]["formats"]:
        usual = usual_of(operation, format)
        assert usual and set(usual) <= of_error


def test_function_is_checked_against_a_formula():
    verdict = assay.check(attention, "attention", "fast", format="f32", cases=60, controls=False)
    assert "fast" in verdict.kept
    with pytest.raises(assay.Broken):
        assay.check(lambda q, k, v, scale: 0 * attention(q, k, v, scale), "attention", "fast", format="f32", cases=60)


def test_testing_has_the_function_too():
    assert assay.testing.assert_close is assay.assert_close


# ------------------------------------------------------------------------------------------------------- two kernels


def test_kernel_that_is_nearer_to_the_exact_result_is_named():
    q, k, v = drawn(6, 8), drawn(9, 8), drawn(9, 5)
    sharp = attention(*(each.astype("f8") for each in (q, k, v)), 0.25).astype("f4")
    rough = sharp + numpy.float32(1e-6)
    told = assay.testing.compare(rough, sharp, "attention", q, k, v, 0.25)
    assert told.nearer == "new" and told.old.verdict == told.new.verdict == "kept"
    assert assay.testing.compare(sharp, rough, "attention", q, k, v, 0.25).nearer == "old"
    assert assay.testing.compare(sharp, sharp, "attention", q, k, v, 0.25).nearer == "neither"


def test_kernel_that_breaks_the_bound_is_compared_and_told():
    x = drawn(30)
    told = assay.testing.compare(gelu(x), 0 * x, "gelu", x)
    assert (told.old.verdict, told.new.verdict, told.nearer) == ("kept", "broken", "old")
    assert "  new  broken: error/bound " in str(told)


def test_results_of_two_formats_are_not_compared():
    a, b = drawn(4, 9, kind="f2"), drawn(9, 3, kind="f2")
    wide = a.astype("f4") @ b.astype("f4")
    with pytest.raises(TypeError, match="^old and new: results of f32 and f16; one format is compared$"):
        assay.testing.compare(wide, wide.astype("f2"), "matmul", a, b)


def test_results_of_an_operation_are_compared():
    x = numpy.linspace(1, 2, 999, dtype="f4")
    assert assay.testing.compare(x.cumsum()[-1], x.sum(dtype="f8").astype("f4"), "sum", x).nearer == "new"


def test_hundred_thousand_entries_take_less_than_five_seconds_of_processor_time():
    code = (
        "import time, numpy, assay\n"
        "x = numpy.random.default_rng(1).standard_normal(100_000).astype('f4')\n"
        "y = (x / (1 + numpy.exp(-x.astype('f8')))).astype('f4')\n"
        "assay.assert_close(y, 'silu', x)\n"
        "print(time.process_time())\n"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert float(told.stdout) < 5


def test_an_ignored_label_is_accepted_and_counts_nothing():
    x, weight = drawn(4, 7).astype("f4"), numpy.full(7, 0.5, "f4")
    label = numpy.array([3, -100, 0, 6])
    loss = numpy.log(numpy.exp(x).sum(1)) - x[range(4), label % 7]
    assay.assert_close((0.5 * loss * (label >= 0)).astype("f4"), "cross_entropy_weighted", x, weight, label)
    with pytest.raises(assay.Broken):
        assay.assert_close((0.5 * loss).astype("f4"), "cross_entropy_weighted", x, weight, label)
    with pytest.raises(ValueError, match="its number 1 is -99, and the axis n has 7 entries"):
        assay.assert_close(loss, "cross_entropy_weighted", x, weight, numpy.array([3, -99, 0, 6]))


def test_codes_whose_axis_no_array_has_need_no_length():
    x, w = numpy.array([[3, 250], [0, 7]]), numpy.array([[255, 1]])
    p, q, a, b = numpy.array([1, 2]), numpy.array([128]), numpy.ones(2, "f4"), numpy.full(1, 0.5, "f4")
    y = ((x - p[:, None]) @ (w - q[:, None]).T).astype("f4") * numpy.float32(0.5)
    assay.assert_close(y, "w8a8", x, p, a, w, q, b)
    with pytest.raises(assay.Broken):
        assay.assert_close(y + 0.5, "w8a8", x, p, a, w, q, b)
    with pytest.raises(ValueError, match="p: its number 0 is -1, and the axis v has 256 entries"):
        assay.assert_close(y, "w8a8", x, -p, a, w, q, b)
    spread = "f(x[t], place[t]: index v) -> y[v]\n  y = sum(spread(x, place), axis=t)\n"
    with pytest.raises(ValueError, match="no array tells the length of v"):
        assay.assert_close(a, spread, a, p)
