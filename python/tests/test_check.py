"""assay.check and assay.assert_within."""

import json
import math
import os
import subprocess
import sys
import time

import pytest

numpy = pytest.importorskip("numpy")

import assay  # noqa: E402
import kernels  # noqa: E402
from assay._calls import Calls  # noqa: E402

SHRUNK = {"cases": 100, "controls": False}
QUICK = {**SHRUNK, "shrink_steps": 0}


def test_of_a_recursive_product_breaks_what_needs_compensation():
    verdict = assay.check(lambda x, y: numpy.cumsum(x * y)[-1] if len(x) else 0.0, "dot", cases=300)
    assert verdict.kept == ("any_order", "exceptional")
    assert verdict.broken == ("faithful", "wide_any_order", "compensated", "pairwise", "order_free")


def test_has_the_smallest_counterexample():
    without_last = assay.check(lambda x, y: numpy.dot(x[:-1], y[:-1]), "dot", **SHRUNK)
    text = without_last.contracts["any_order"].counterexample.text
    assert text.splitlines()[:2] == ["  x: 1 number", "  x[0] = 0x1p+0  [0x3ff0000000000000]  # 1e0"]


def test_of_a_promise_that_holds_is_true():
    assert assay.check(numpy.dot, "dot", "any_order", **QUICK)


@pytest.mark.parametrize("options", [{}, {"isolate": True}])
def test_has_the_time_of_the_function_beside_that_of_the_judge(options):
    began = time.monotonic()
    verdict = assay.check(kernels.slow_sum, "sum", "any_order", **QUICK | {"cases": 5}, **options)
    took = time.monotonic() - began
    assert verdict.kernel_seconds >= 5 * 0.01  # each case is computed at least once
    assert 0 < verdict.judge_seconds <= took - verdict.kernel_seconds
    said = f"the function took {verdict.kernel_seconds:.3g} s, the judge {verdict.judge_seconds:.3g} s"
    assert str(verdict).splitlines()[1] == said


def test_report_of_the_library_has_both_times_in_nanoseconds():
    calls = Calls(kernels.slow_sum)
    report, _ = assay.Judge("sum").check(calls, 3, 0, None, False)
    assert report["cost"]["kernel"] >= 3 * 10**7  # each of the three cases is computed at least once
    assert report["cost"]["judge"] > 0


def test_of_a_broken_promise_raises_with_bound_and_source():
    with pytest.raises(assay.Broken, match="(?s)^dot f64: pairwise is violated.*of the bound.*source Higham"):
        assay.check(numpy.dot, "dot", "pairwise", **QUICK)


def test_of_a_broken_promise_tells_the_bound_as_a_number():
    with pytest.raises(assay.Broken, match=r"x: 1 number\n(?s:.*)\n  bound  0\n"):
        assay.check(lambda x: 0.0, "sum", "pairwise", **SHRUNK)
    with pytest.raises(assay.Broken, match=r"\n  bound  [0-9.]+e-1[0-9]\n"):
        assay.check(numpy.dot, "dot", "pairwise", **SHRUNK)


def test_of_a_long_result_shows_the_number_that_was_judged():
    def softmax(x):  # without the last number of 33 in the sum
        e = numpy.exp(x - x.max(axis=-1, keepdims=True))
        return e / (e[:, :32] if x.shape[-1] == 33 else e).sum(axis=-1, keepdims=True)

    with pytest.raises(assay.Broken, match=r"  got    \[(\d+)\] 0x1p-5\n  exact  1/33\n  error  \[\1\] of 33 numbers"):
        assay.check(softmax, "softmax", "of_log_sum_3ulp", format="f32", family="test_eps")


def test_asks_only_what_is_promised():
    verdict = assay.check(numpy.sum, "sum", ["any_order", "pairwise"], cases=50)
    assert set(verdict.contracts) == {"any_order", "pairwise"}


def test_leaves_out_contracts_that_are_no_rungs():
    verdict = assay.check(numpy.cos, "cos", cases=50, controls=False)
    assert "ulp_2_ftz" not in verdict.contracts
    assert "ulp_2" in verdict.contracts


def test_asks_a_contract_that_is_no_rung_where_it_is_promised():
    assert set(assay.check(numpy.cos, "cos", "ulp_8_ftz", **QUICK).contracts) == {"ulp_8_ftz"}


@pytest.mark.parametrize(
    "wrong",
    [lambda x, y: 0.0, lambda x, y: 0.75, lambda x, y: math.nan, lambda x, y: x[0] * y[0] if len(x) else 0.0],
    ids=["zeros", "constant", "NaN", "first product"],
)
@pytest.mark.parametrize("contract", ["correctly_rounded", "faithful", "compensated", "pairwise", "any_order"])
def test_refuses_what_a_tolerance_accepts(wrong, contract):
    with pytest.raises(assay.Broken):
        assay.check(wrong, "dot", contract, shrink_steps=0, **SHRUNK)


def test_names_controls_that_a_contract_without_a_bound_admits():
    verdict = assay.check(numpy.sum, "sum", cases=50, shrink_steps=0)
    assert verdict.unrefused == () and "zeros" in verdict.blind["order_free"]


def test_of_binary32_passes_arrays_of_binary32():
    seen = set()

    def kernel(x):
        seen.add(x.dtype)
        return x.sum(dtype="f4")

    assay.check(kernel, "sum", "any_order", format="f32", **QUICK)
    assert seen == {numpy.dtype("f4")}


def test_tells_a_running_sum_of_float16_from_one_in_float32():
    steps = assay.check(numpy.cumsum, "cumsum", format="f16", **QUICK)
    assert "any_order" in steps.kept and "f32_any_order" not in steps.kept
    stored = assay.check(lambda x: numpy.cumsum(x, dtype="f4").astype("f2"), "cumsum", format="f16", **QUICK)
    assert "f32_any_order" in stored.kept


def test_holds_a_stored_sum_to_the_bound_of_binary32():
    x = numpy.full(4096, 1, dtype="f2")
    assay.assert_within(x.sum(dtype="f4").astype("f2"), assay.sum(x), contract="f32_any_order")
    with pytest.raises(assay.Broken, match=r"(?s)f32_any_order is broken.*B in binary32 as sum.recursive.1 has it"):
        assay.assert_within(numpy.float16(4090), assay.sum(x), contract="f32_any_order")


def test_of_bfloat16_passes_and_takes_arrays_of_ml_dtypes():
    bfloat16 = pytest.importorskip("ml_dtypes").bfloat16

    def total(x):
        assert x.dtype == bfloat16
        return x.astype("f4").sum().astype(bfloat16)

    assay.check(total, "sum", "f32_any_order", format="bf16", **QUICK)
    x = numpy.full(3, 1, dtype=bfloat16)
    assay.assert_within(bfloat16(3), assay.sum(x), contract="correctly_rounded")


def test_of_a_format_that_numpy_does_not_have_is_refused_before_the_function_is_called(monkeypatch):
    monkeypatch.setitem(sys.modules, "ml_dtypes", None)
    with pytest.raises(TypeError, match="NumPy has no bfloat16; install ml_dtypes"):
        assay.check(lambda x: pytest.fail("called"), "sum", format="bf16", **QUICK)


def test_of_gemm_passes_matrices():
    verdict = assay.check(lambda alpha, a, b, beta, c: alpha * (a @ b) + beta * c, "gemm", **QUICK)
    assert "grade_a" in verdict.kept


def test_of_gemm_in_binary32_passes_matrices_and_batches():
    shapes = set()

    def kernel(alpha, a, b, beta, c):
        assert {each.dtype for each in (a, b, c)} == {numpy.dtype("f4")}
        shapes.add(c.ndim)
        return alpha * (a @ b) + beta * c

    verdict = assay.check(kernel, "gemm", format="f32", **QUICK)
    assert "grade_a" in verdict.kept and "rounded" in verdict.broken
    assert shapes == {2, 3}


def test_of_a_product_with_a_start_passes_scalars_and_three_matrices():
    def kernel(alpha, a, b, beta, c):
        assert a.dtype == numpy.float16 and c.dtype == alpha.dtype == numpy.float32
        product = numpy.multiply(alpha, a.astype("f4") @ b.astype("f4")) if alpha else numpy.zeros_like(c)
        return product + beta * c if beta else product

    assert assay.check(kernel, "matmul_epilogue", "inner_product", format="f16:f32", **QUICK)


def test_of_a_product_passes_two_matrices():
    assert assay.check(numpy.matmul, "matmul", "fma_chain", **QUICK)


def test_of_a_product_in_mixed_formats_passes_and_takes_both():
    def kernel(a, b):
        assert a.dtype == numpy.float16
        return a.astype("f4") @ b.astype("f4")

    assert assay.check(kernel, "matmul", "inner_product", format="f16:f32", **QUICK)


def test_of_a_function_that_raises_tells_the_case():
    def kernel(x, y):
        if len(x) > 2:
            raise ZeroDivisionError("too long")
        return numpy.dot(x, y)

    with pytest.raises(assay.Broken, match="(?s)no answer: ZeroDivisionError: too long\n  x: 3 numbers") as caught:
        assay.check(kernel, "dot", **SHRUNK)
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


@pytest.mark.parametrize(
    ("kernel", "reason"),
    [
        (lambda x: numpy.float32(0), "TypeError: it returned numbers of f32, not of f64"),
        (lambda x: x[:1], "TypeError: it returned an array of shape"),
        (lambda x: None, "TypeError: it returned nothing"),
        (lambda x: "1", "TypeError: the result: a str is not an array"),
    ],
    ids=["format", "shape", "nothing", "text"],
)
def test_of_a_wrong_result_says_what_is_wrong(kernel, reason):
    with pytest.raises(assay.Broken, match=reason):
        assay.check(kernel, "sum", **QUICK)


def test_of_a_function_that_writes_to_its_argument_says_so():
    def kernel(x):
        x[:1] = 0
        return x.sum()

    with pytest.raises(assay.Broken, match="ValueError: it wrote to its argument x"):
        assay.check(kernel, "sum", **QUICK)


def test_of_a_function_with_other_bits_each_time_is_refused():
    calls = []

    def kernel(x):
        calls.append(0)
        return x.sum() * (1 + 2.0**-50 * (len(calls) % 2))

    with pytest.raises(assay.Broken, match="batch is violated"):
        assay.check(kernel, "sum", **QUICK)


def test_ends_by_an_interrupt():
    def kernel(x):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        assay.check(kernel, "sum", **QUICK)


def test_converts_arrays():
    seen = set()

    def kernel(x):
        seen.add(type(x))
        return math.fsum(x)

    assay.check(kernel, "sum", "faithful", arrays=lambda x: x.tolist(), **QUICK)
    assert seen == {list}


def test_asks_the_stored_case_first(tmp_path):
    with pytest.raises(assay.Broken):
        assay.check(numpy.dot, "dot", "pairwise", corpus=tmp_path, **QUICK)
    stored = next(tmp_path.rglob("*.json"))
    seen = []

    def kernel(x, y):
        seen.append(len(x))
        return numpy.dot(x, y)

    with pytest.raises(assay.Broken, match=f"assay.replay.function, '{stored}'"):
        assay.check(kernel, "dot", "pairwise", corpus=tmp_path, cases=1, controls=False)
    assert seen[0] == len(json.loads(stored.read_text())["case"]["x"])


def test_names_a_command_that_replays_the_case_where_it_is_copied(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", os.path.dirname(sys.executable))
    with pytest.raises(assay.Broken) as caught:
        assay.check(kernels.dot, "dot", "pairwise", corpus=tmp_path, **SHRUNK)
    line = str(caught.value).splitlines()[-1]
    assert f"{sys.executable} -m assay replay " in line and line.endswith("-m assay.subject kernels:dot'")
    ended = subprocess.run(["/bin/sh", "-c", line], capture_output=True, text=True, cwd="/")
    assert ended.returncode == 1, ended.stderr
    assert "pairwise: broken, got 0x1p+0" in ended.stdout


@pytest.mark.parametrize("operation", ["softmax", "log_softmax"])
def test_of_rows_passes_a_matrix_to_a_function_of_one_array(operation):
    seen = set()

    def kernel(x, axis=-1):
        seen.add(x.ndim)
        terms = numpy.exp(x - x.max(axis, keepdims=True))
        terms /= terms.sum(axis, keepdims=True)
        return terms if operation == "softmax" else numpy.log(terms)

    assay.check(kernel, operation, "exceptional", **QUICK)
    assert seen == {2}


def test_of_layer_norm_passes_a_matrix_with_weight_bias_and_epsilon():
    def kernel(x, weight, bias, eps):
        deviations = x - x.mean(-1, keepdims=True)
        return deviations / numpy.sqrt((deviations**2).mean(-1, keepdims=True) + eps) * weight + bias

    assert assay.check(kernel, "layer_norm", **QUICK).kept == ("two_pass", "exceptional", "batch_invariant")


def test_of_rows_takes_a_function_of_the_fields_as_well():
    def kernel(rows, columns, x):
        assert x.shape == (rows * columns,)
        return numpy.full((rows, columns), 1 / columns)

    with pytest.raises(assay.Broken, match="shifted_3ulp is violated"):
        assay.check(kernel, "softmax", "shifted_3ulp", **QUICK)


def test_of_one_number_takes_a_function_that_returns_a_number():
    assert assay.check(lambda x: math.sqrt(x) if x >= 0 else math.nan, "sqrt", "correctly_rounded", **QUICK)


@pytest.mark.parametrize(
    ("kernel", "operation", "line"),
    [
        (lambda x: x, "dot", r"dot: the function is called with \(x, y\), and takes 1 argument$"),
        (lambda x, y: x, "softmax", r"\(x\) or \(rows, columns, x\), and takes 2 arguments$"),
        (3, "dot", "^function: a value of type int is not a function$"),
    ],
    ids=["dot", "softmax", "number"],
)
def test_of_a_function_of_other_arguments_says_which_come(kernel, operation, line):
    with pytest.raises(TypeError, match=line):
        assay.check(kernel, operation, **QUICK)


@pytest.mark.parametrize("wrong", [{"cases": -1}, {"cases": 0}, {"cases": 2**70}, {"seed": -1}, {"seed": 2**70}])
def test_of_an_impossible_number_is_refused_with_what_is_accepted(wrong):
    with pytest.raises(ValueError, match=f"^{next(iter(wrong))}: .*; an integer from [01] to 2.6[34] - 1 is accepted$"):
        assay.check(numpy.dot, "dot", **wrong)


def test_of_a_function_without_an_answer_gives_the_reason_of_the_case_that_it_shows():
    def kernel(x, y):
        raise ValueError(f"{len(x)} numbers are too many")

    with pytest.raises(assay.Broken) as caught:
        assay.check(kernel, "dot", **SHRUNK)
    shown = str(caught.value).splitlines()
    assert shown[0] == "dot f64: no answer: ValueError: 0 numbers are too many" and shown[1] == "  x: 0 numbers"
    assert str(caught.value.__cause__) == "0 numbers are too many"


def test_of_a_function_without_a_promise_says_how_to_make_one():
    shown = str(assay.check(numpy.dot, "dot", **QUICK))
    assert "nothing is promised; contract='any_order' makes it a failure to break this one" in shown.splitlines()
    assert "nothing is promised" not in str(assay.check(numpy.dot, "dot", "any_order", **QUICK))


def test_of_a_function_that_is_wrong_elsewhere_has_no_exception_of_another_case_as_its_cause():
    def kernel(x):
        if numpy.isnan(x).any():
            raise FloatingPointError("a NaN")
        return 0.0

    with pytest.raises(assay.Broken, match="any_order is violated") as caught:
        assay.check(kernel, "sum", "any_order", **QUICK)
    assert caught.value.__cause__ is None


def test_with_other_bits_each_time_breaks_no_contract_that_is_not_promised():
    calls = []

    def kernel(x):
        calls.append(0)
        return x.sum() * (1 + 2.0**-50 * (len(calls) % 2))

    with pytest.raises(assay.Broken) as caught:
        assay.check(kernel, "sum", **QUICK)
    assert "order_free" not in str(caught.value) and "is violated" in str(caught.value)


def test_in_a_process_of_its_own_gives_the_same_answer():
    isolated = assay.check(kernels.dot, "dot", isolate=True, **QUICK)
    assert isolated.ladder == assay.check(kernels.dot, "dot", **QUICK).ladder


def test_in_a_process_of_its_own_takes_a_matrix():
    verdict = assay.check(kernels.doubled_matrix, "softmax", isolate=True, cases=5, shrink_steps=0, controls=False)
    assert "row_sum" in verdict.broken


def test_in_a_process_of_its_own_needs_a_function_by_name():
    with pytest.raises(TypeError, match="^isolate=True needs a function that a module has by a name: "):
        assay.check(lambda x: 0.0, "sum", isolate=True, **QUICK)


def test_of_a_function_that_crashes_tells_the_case():
    with pytest.raises(assay.Broken, match="(?s)its process was ended by SIGABRT.*x: 2 numbers"):
        assay.check(kernels.crashes_at_two, "dot", isolate=True, cases=5, shrink_steps=30, controls=False)


def test_of_a_function_that_hangs_tells_the_case():
    with pytest.raises(assay.Broken, match="it gave no answer within 0.5 s"):
        assay.check(
            kernels.hangs_at_two, "dot", isolate=True, time_limit=0.5, cases=5, shrink_steps=0, controls=False
        )


X = numpy.array([1.0, 2.0**-30])


def test_result_within_its_bound_passes():
    assay.assert_within(numpy.dot(X, X), assay.dot(X, X), contract="faithful")


def test_result_outside_of_its_bound_is_told_with_error_and_source():
    with pytest.raises(assay.Broken, match=r"(?s)any_order is broken.*\+3.996 ulp, 3.996 of the bound.*source Higham"):
        assay.assert_within(1 + 2.0**-50, assay.dot(X, X), contract="any_order")


def test_nan_is_never_within():
    with pytest.raises(assay.Broken):
        assay.assert_within(math.nan, assay.dot(X, X), contract="any_order")


def test_entry_of_a_matrix_is_named():
    a = numpy.eye(3)
    got = a.copy()
    got[1, 2] = 1e-300  # number 5 of got.reshape(-1)
    with pytest.raises(assay.Broken, match=r"\[5\] of 9 numbers"):
        assay.assert_within(got, assay.gemm(a, a), contract="grade_a")


def test_product_in_binary32_is_held_to_the_bound_of_binary32():
    a = numpy.array([[1, 2**-13], [1, 1]], "f4")
    b = numpy.array([[1, 1], [1 + 2**-12, 3]], "f4")
    got = a @ b
    assay.assert_within(got, assay.gemm(a, b), contract="grade_a")
    got[0, 0] *= numpy.float32(1 + 2**-21)
    with pytest.raises(assay.Broken, match="gemm f32: grade_a is broken"):
        assay.assert_within(got, assay.gemm(a, b), contract="grade_a")


def test_product_with_a_start_is_held_to_the_bound_of_its_formats():
    a = numpy.arange(6, dtype="f2").reshape(2, 3)
    c = numpy.full((2, 2), 0.1, "f4")
    got = numpy.float32(0.5) * (a.astype("f4") @ a.T.astype("f4")) + numpy.float32(-3) * c
    want = assay.matmul(a, a.T, alpha=0.5, beta=-3.0, c=c)
    assert want.format == "f16:f32"
    assay.assert_within(got, want, contract="inner_product")
    with pytest.raises(assay.Broken, match="matmul_epilogue f16:f32: inner_product is broken"):
        assay.assert_within(got + numpy.float32(0.001), want, contract="inner_product")


def test_product_with_a_start_needs_all_of_it():
    with pytest.raises(TypeError, match="alpha, beta and c are given together"):
        assay.matmul(numpy.eye(2), numpy.eye(2), beta=1.0)


def test_result_of_another_format_is_refused():
    with pytest.raises(ValueError, match="numbers of float32, not of float64"):
        assay.assert_within(numpy.float32(1), assay.dot(X, X), contract="any_order")


def test_result_of_another_shape_is_refused():
    with pytest.raises(ValueError, match=r"result: it has shape \(2\), not \(\)"):
        assay.assert_within(X, assay.dot(X, X), contract="any_order")


def test_unknown_contract_is_refused():
    with pytest.raises(ValueError, match="no contract rtol; dot f64 has: correctly_rounded"):
        assay.assert_within(1.0, assay.dot(X, X), contract="rtol")


def test_contract_about_several_runs_is_undecided():
    with pytest.raises(assay.Undecided):
        assay.assert_within(1.0, assay.dot(X, X), contract="order_free")


def test_result_of_an_infinity_is_held_to_what_it_becomes():
    want = assay.sum(numpy.array([1.0, numpy.inf]))
    assay.assert_within(numpy.inf, want, contract="any_order")
    with pytest.raises(assay.Broken, match="exact  inf"):
        assay.assert_within(1.0, want, contract="any_order")


def test_inputs_outside_the_preconditions_are_refused():
    tiny = numpy.array([1e-200])
    with pytest.raises(ValueError, match="any_order asks that the numbers are 0 or in "):
        assay.assert_within(1e-200, assay.nrm2(tiny), contract="any_order")


def test_expected_result_of_another_kind_is_refused():
    with pytest.raises(TypeError, match="^want: a float; write assay.dot"):
        assay.assert_within(1.0, 1.0, contract="any_order")


def test_result_of_many_numbers_names_the_one_that_is_broken():
    x = numpy.array([0.5, 1.5])
    with pytest.raises(assay.Broken, match="exp f64: faithful is broken, number 1 of 2"):
        assay.assert_within(numpy.array([numpy.exp(0.5), 4.0]), assay.exact("exp", x), contract="faithful")
