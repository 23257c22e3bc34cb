"""assay.tolerance: the number for a test written with tolerances accepts correct results and refuses four times its
size."""

import math
import os
import pathlib
import re
import subprocess

import pytest

numpy = pytest.importorskip("numpy")

import assay  # noqa: E402

DRAW = numpy.random.default_rng(48)
PROGRAM = pathlib.Path(os.environ.get("LIBASSAY_JUDGE", "")).resolve().parents[1] / "bin" / "assay"


def drawn(*shape, kind="f4"):
    return DRAW.standard_normal(shape).astype(kind)


def softmax(x):
    terms = numpy.exp(x - x.max(-1, keepdims=True))
    return terms / terms.sum(-1, keepdims=True)


SOFTMAX = "rows(x[r,n]) -> y[r,n]\n  y = softmax(x, axis=n)\n"


def test_for_shapes_are_those_of_standard_normal_numbers():
    product = "product(a[m,k], b[k,n]) -> c[m,n]\n  c = sum(a * b, axis=k)\n"
    for_shapes = assay.tolerance(product, shapes={"m": 8, "n": 8, "k": 512}, format="f32")
    for_arrays = assay.tolerance(product, drawn(8, 512), drawn(512, 8))
    assert 0.7 < for_shapes.largest / for_arrays.largest < 1.4


def test_right_result_is_within_the_tolerance_of_each_entry_and_not_far_below_it():
    x = drawn(5, 30)
    told = assay.tolerance(SOFTMAX, x)
    exact = softmax(x.astype("f8"))
    assert told.atol.shape == x.shape
    assert (numpy.abs(softmax(x) - exact) <= told.atol).all()
    assert numpy.allclose(softmax(x), exact, rtol=0, atol=told.largest)
    assert numpy.allclose(softmax(x), exact, rtol=told.relative, atol=0)
    assert told.largest == told.atol.max() and told.relative < 1e-4


def test_product_of_long_sums_needs_memory_for_its_numbers_and_not_for_its_terms():
    told = assay.tolerance("matmul", shapes=dict(m=64, n=64, k=4096), format="bf16")
    assert 0 < told.largest < 10


@pytest.mark.parametrize(("kind", "kept"), [("f8", 0.5), ("f4", 0.5), ("f2", 0)])
def test_result_that_errs_by_four_tolerances_is_refused_and_a_nearer_one_is_kept(kind, kept):
    x = drawn(4, 20, kind=kind)
    told = assay.tolerance(SOFTMAX, x)
    exact = softmax(x.astype("f16"))
    assay.assert_close((exact + kept * told.atol).astype(kind), SOFTMAX, x)
    with pytest.raises(assay.Broken):
        assay.assert_close((exact + 4 * told.atol).astype(kind), SOFTMAX, x)


def test_rounding_of_a_narrow_result_is_part_of_its_tolerance():
    a = numpy.ones((2, 3), "f2")
    told = assay.tolerance("product(a[m,k], b[k,n]) -> c[m,n]\n  c = a @ b\n", a, (a / 3).T.copy(), format="f16")
    assert told.largest >= 2.0**-12 and told.made_of[0][1] == "c: rounded to its format"


def test_contract_that_is_stronger_has_a_smaller_tolerance():
    x = drawn(3, 1000)
    by = [assay.tolerance(SOFTMAX, x, contract=each).largest for each in ("tree", "chains", "any_order", "fast")]
    assert by == sorted(by) and by[0] < by[-1] / 100


@pytest.mark.skipif(not PROGRAM.exists(), reason="the program is not built")
@pytest.mark.parametrize(
    ("name", "shapes", "format"),
    [("attention", dict(n=4, d=16, m=9, e=2), "f32"), ("matmul", dict(m=2, k=300, n=3), "bf16"),
     ("softmax", dict(r=3, n=70), "f16:f32")],
)  # fmt: skip
def test_numbers_for_shapes_are_those_of_the_program(name, shapes, format):
    shape = ",".join(f"{axis}={length}" for axis, length in shapes.items())
    of_program = subprocess.run(
        [PROGRAM, "tolerance", name, "--shape", shape, "--format", format], capture_output=True, text=True, check=True
    ).stdout
    line = r"^(\w+): largest bound (\S+), median (\S+), largest bound/\|value\| (\S+);"
    found = re.findall(line, of_program, re.M)
    assert len(found) >= 3
    for contract, *numbers in found:
        told = assay.tolerance(name, shapes=shapes, format=format, contract=contract)
        assert [f"{each:.3g}" for each in (told.largest, told.median, told.relative)] == [
            f"{float(each):.3g}" for each in numbers
        ]


def test_entries_where_zero_would_pass_are_counted():
    x = numpy.array([[1.0, -1.0, 3.0]], "f4")
    w = numpy.array([1.0, 1.0 - 2.0**-20, 0.0], "f4")
    told = assay.tolerance("product(a[m,k], b[k]) -> c[m]\n  c = a @ b\n", 1 + x * 2**20, w)
    assert (told.blind, told.silent, told.entries) == (0, 0, 1)
    long = drawn(1, 4000)
    cancelling = numpy.hstack([long, -long, [[1e-4]]]).astype("f4")
    told = assay.tolerance("sums(x[r,n]) -> s[r]\n  s = sum(x, axis=n)\n", cancelling)
    assert told.blind == 1 and "a kernel that returns 0 passes at 1 of 1 entries" in str(told)


def test_inputs_of_which_nothing_is_said_are_refused():
    with pytest.raises(ValueError, match="fast has no bound for these inputs$"):
        assay.tolerance("inverse(x[n]) -> y[n]\n  y = 1 / (x - x)\n", numpy.ones(2, "f4"))


def test_reason_why_nothing_is_said_names_the_format_and_the_size():
    text = "f(x[n]) -> y[n]\n  y = softmax(x, axis=n)\nmachine sums\n  sum any ; wide bf16\n"
    what = "sums of more than 256 weights of a softmax in bf16 in any order have no bound; here 1000 are added"
    with pytest.raises(ValueError, match=f"sums has no bound for these inputs: {what}"):
        assay.tolerance(text, drawn(1000), contract="sums")
    square = "g(x) -> y\n  y = x * x\n"
    with pytest.raises(ValueError, match="no bound for these inputs: a number of a program may overflow in f32"):
        assay.tolerance(square, numpy.float32(3e38), contract="any_order")


def test_tolerance_of_an_operation_is_its_bound():
    x, y = drawn(50), drawn(50)
    told = assay.tolerance("dot", x, y)
    assert told.contract == "any_order" and told.largest == assay.dot(x, y).bound("any_order")
    assert told.relative is None and "any" in str(told)


def test_tolerance_of_an_operation_is_that_of_its_most_permissive_usual_form():
    x, w = drawn(3, 40), drawn(40)
    told = assay.tolerance("layer_norm", x, w, w, eps=1e-3)
    bounds = [assay.layer_norm(x, w, w, 1e-3).bound(each).max() for each in ("two_pass", "welford", "scale_shift")]
    assert told.largest == max(bounds)


@pytest.mark.parametrize("columns", [100, 300])
def test_bounds_of_long_rows_are_numbers_in_every_entry(columns):
    x, w = drawn(2, columns), drawn(columns)
    assert not numpy.isnan(assay.softmax(x).bound("shifted_3ulp")).any()
    assert not numpy.isnan(assay.layer_norm(x, w, w, 1e-3).bound("two_pass")).any()
    assert not numpy.isnan(assay.matmul(x, x.T.copy()).bound("inner_product")).any()


def test_inputs_and_shapes_are_not_given_together():
    with pytest.raises(TypeError, match="^tolerance: inputs or shapes, not both$"):
        assay.tolerance("silu", drawn(3), shapes=dict(n=3))


def test_shape_without_an_axis_is_refused_with_the_axes():
    with pytest.raises(ValueError, match="attention has the axes n, d, m, e$"):
        assay.tolerance("attention", shapes=dict(n=3))


def test_number_alone_has_a_number_for_its_tolerance():
    told = assay.tolerance("mean_of(x[n]) -> m\n  m = mean(x, axis=n)\n", drawn(30))
    assert isinstance(told.atol, float) and math.isfinite(told.atol) and told.at == "m"


@pytest.mark.parametrize("shapes", ["n=3", ["n"], dict(n="3")])
def test_shapes_of_another_form_are_refused_with_the_form(shapes):
    with pytest.raises(TypeError, match=r"^tolerance: shapes=.*; give the lengths of the axes by name: shapes=dict"):
        assay.tolerance("silu", shapes=shapes)
