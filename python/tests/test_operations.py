"""Kernels of shipped formulas. Correct ones keep the rung that they are written for. Planted mistakes break the rung
that their author would claim. The modules table_*.py have the kernels.

With ASSAY_TIER=nightly each right kernel gets 10 000 cases.
"""

import importlib
import math
import os
from pathlib import Path

import pytest

numpy = pytest.importorskip("numpy")

import assay  # noqa: E402
import core_kernels  # noqa: E402
import core_mistakes  # noqa: E402
import tables  # noqa: E402

NIGHTLY = os.environ.get("ASSAY_TIER") == "nightly"
CASES = {"f64": 1000, "f32": 10_000, "f16": 2000} if NIGHTLY else {"f64": 12, "f32": 24, "f16": 8}
#: A mistake must break its rung within this many cases.
CASES_OF_MISTAKE = 400
#: Formulas whose kernels are in core_kernels.py and core_mistakes.py; tests/formulas/kernels_test.cpp has others.
WITHOUT_TABLE = {
    "attention", "attention_full", "conv2d", "cross_entropy", "cross_entropy_backward", "dot", "gelu", "gelu_erf",
    "layer_norm", "log_softmax", "logsumexp", "matmul", "rms_norm", "rope", "silu", "softmax", "sum", "swiglu",
    "variance",
}  # fmt: skip

MODULES = sorted(each.stem for each in Path(__file__).parent.glob("table_*.py"))
TABLES = {name: table for each in MODULES for name, table in importlib.import_module(each).TABLE.items()}
EACH = pytest.mark.parametrize("formula", TABLES)
CORE = pytest.mark.parametrize("formula", sorted(WITHOUT_TABLE))


def core(formula):
    right = {}
    for rung, kernel in [*core_mistakes.RIGHT[formula], *core_kernels.KINDS.get(formula, [])]:
        right.setdefault(rung, []).append(kernel)
    return tables.Table(right=right, wrong=[])


def test_every_shipped_formula_has_a_table():
    shipped = {each.stem for each in tables.LIBRARY.glob("*.formula")}
    assert set(TABLES) == shipped - WITHOUT_TABLE


@EACH
def test_formula_is_known_by_its_name(formula):
    by_name = assay.Judge(formula=formula, format="f32")
    assert by_name.graph == assay.Judge(formula=tables.text_of(formula), format="f32").graph


@EACH
def test_formula_has_three_right_kernels_and_five_mistakes(formula):
    table = TABLES[formula]
    assert len({tables.name_of(kernel) for _, kernel in table.kernels}) >= 3
    assert len({tables.name_of(each.kernel) for each in table.wrong}) >= 5


@CORE
def test_core_formula_has_three_right_kernels_and_five_mistakes(formula):
    assert len(core(formula).kernels) >= 3
    assert len(core_mistakes.MISTAKES[formula][1]) >= 5


@EACH
def test_right_kernels_keep_their_rung(formula):
    keep_their_rungs(formula, TABLES[formula])


@CORE
def test_right_kernels_of_core_formula_keep_their_rung(formula):
    keep_their_rungs(formula, core(formula))


def keep_their_rungs(formula, table):
    formats = table.formats
    kept = [0] * len(table.kernels)
    for format in formats:
        kernels = table.kernels
        if format == "f16":
            kernels = [(contract, tables.in_binary32(kernel)) for contract, kernel in kernels]
        for k, tally in enumerate(tables.tallies(formula, format, kernels, CASES[format])):
            assert not tally.broken, tally.broken[0]
            kept[k] += tally.kept
    # If a row of a causal mask sees no key, the case counts as outside, although its other rows are judged.
    assert min(kept) >= sum(CASES[format] for format in formats) / 4, "the contracts say nothing of most cases"


@EACH
def test_planted_mistakes_break_the_rung_of_their_author(formula):
    for format in ("f64", "f32", "f16"):
        wrong = [(each.contract, each.kernel) for each in TABLES[formula].wrong if each.format == format]
        asked = tables.tallies(formula, format, wrong, CASES_OF_MISTAKE, are_wrong=True)
        assert not [str(each) for each in asked if not each.broken]


def test_layer_norm_of_one_number_as_scale_and_shift_keeps_ways_alone():
    """x·t - μ·t with a fused multiply-add is not 0 where x = μ, unlike (x - μ)·t."""
    of = assay.Formula(tables.text_of("layer_norm"))
    x, gamma, beta, eps = (numpy.array(each, "f4") for each in ([[0.1]], [8.0], [0.0], 1e-5))
    t = 1 / numpy.sqrt(eps)
    got = (x.astype("f8") * t - x * t).astype("f4") * gamma + beta
    case = of.case(of.arguments([x, gamma, beta, eps], {}), "f32")
    assert [case.judge_one(got, each).verdict for each in ("fast", "ways")] == ["broken", "kept"]


def test_divergence_has_terms_of_0_where_the_distribution_is_0():
    x, t = numpy.array([[-1.0, -2.0, -3.0]], "f4"), numpy.array([[0.0, 1.0, 0.0]], "f4")
    of = assay.Formula(tables.text_of("kl_div"))
    assay.assert_close(numpy.array([2.0], "f4"), of, x, t, contract="tree")
    for got in (2.0001, numpy.nan):
        with pytest.raises(assay.Broken):
            assay.assert_close(numpy.array([got], "f4"), of, x, t)


def exceptional(formula, got, *arrays, contract="exceptional"):
    of = assay.Formula(tables.text_of(formula))
    case = of.case(of.arguments([numpy.array(each, "f4") for each in arrays], {}), "f32")
    return case.judge_one(numpy.array(got, "f4"), contract).verdict


@pytest.mark.parametrize("formula", ["variance_unbiased", "std_unbiased"])
def test_deviation_of_one_number_with_n_minus_1_is_not_a_number(formula):
    assert exceptional(formula, [numpy.nan], [[1.0]]) == "kept"
    assert exceptional(formula, [0.0], [[1.0]]) == "broken"
    assert exceptional(formula, [1.0], [[1.0, 2.0]]) == "outside"


def test_rest_of_a_division_by_0_is_not_a_number():
    assert exceptional("fmod_of", [numpy.nan, 1.0], [1.0, 1.0], [0.0, 3.0]) == "kept"
    assert exceptional("fmod_of", [0.0, 1.0], [1.0, 1.0], [0.0, 3.0]) == "broken"


def test_norm_of_zeros_is_judged_although_a_way_divides_by_0():
    assert exceptional("norm_2", [0.0], [[0.0, 0.0]]) == "outside"
    of = assay.Formula(tables.text_of("norm_2"))
    case = of.case(of.arguments([numpy.zeros((1, 2), "f4")], {}), "f32")
    assert case.judge_one(numpy.array([1.0], "f4"), "tree").verdict == "broken"


def test_one_number_of_linspace_is_start():
    assert exceptional("linspace", [2.0], [0.0], 2.0, numpy.nan) == "kept"
    assert exceptional("linspace", [-2.0], [0.0], 2.0, numpy.nan) == "broken"
    assert exceptional("linspace", [2.0], [0.0], 2.0, -3.0) == "outside"


def test_gradient_of_swiglu_may_round_subnormal_products_of_two_factors():
    """In units of the smallest number, h·s = -1.46 becomes -1, and 1.27 times that becomes -1 again, not -1.85."""
    g, x, dy = (numpy.array([each], "f4") for each in (1.0, 2.0**-149, -2.0))
    s = 1 / (1 + numpy.exp(-g))
    got = (x * dy) * s * (1 + g * (1 - s))
    assert got == numpy.float32(-(2.0**-149))
    of = assay.Formula(tables.text_of("swiglu_backward_gate"))
    case = of.case(of.arguments([g, x, dy], {}), "f32")
    assert case.judge_one(got, "ways").verdict == "kept"


def test_hypot_of_an_infinity_and_a_nan_is_infinite_or_a_nan():
    infinity, nan = numpy.inf, numpy.nan
    got = numpy.hypot(numpy.array([infinity, nan, nan], "f4"), numpy.array([nan, -infinity, 1], "f4"))
    assert exceptional("hypot_of", got, [infinity, nan, nan], [nan, -infinity, 1]) == "kept"
    assert exceptional("hypot_of", [nan, nan, nan], [infinity, nan, nan], [nan, -infinity, 1]) == "kept"
    assert exceptional("hypot_of", [infinity, infinity, 1], [infinity, nan, nan], [nan, -infinity, 1]) == "broken"
    assert exceptional("hypot_of", [infinity], [1], [nan]) == "broken"


def test_weight_of_minus_infinity_is_0_and_no_other_number():
    x = [[0.0, 0.0, -numpy.inf]]
    for got, verdict in ([[[0.5, 0.5, 0.0]], "kept"], [[[0.5, 0.25, 0.25]], "broken"], [[[0.25, 0.25, 0.0]], "broken"]):
        assert exceptional("softmax", got, x, contract="fast") == verdict
        assert exceptional("softmax", got, x) == "outside"


def test_attention_with_a_mask_of_minus_infinity_has_bounds():
    q, k, v = [[1.0]], [[1.0], [2.0], [3.0]], [[1.0], [2.0], [50.0]]
    right = 1 + 1 / (1 + math.exp(-1.0))
    for got, verdict in [(right, "kept"), (2 * right, "broken"), (right + 0.25, "broken")]:
        case = (q, k, v, [[0.0, 0.0, -numpy.inf]], 1.0)
        assert exceptional("attention_bias", [[got]], *case, contract="fast") == verdict
        assert exceptional("attention_bias", [[got]], *case) == "outside"


@pytest.mark.parametrize(
    ("got", "is_broken"), [(0.0, False), (float("nan"), False), (1.5, True), (-1.0, True), (float("inf"), True)]
)
def test_row_whose_scores_are_minus_infinity_may_have_weights_of_zero(got, is_broken):
    """−∞ is the mask of many kernels: PyTorch and ONNX give zeros where every key is masked. Zeros and a NaN are both
    right, all else is wrong."""
    of = assay.Formula(tables.text_of("attention_bias"))
    q, k, v, bias = ([[1.0]], [[1.0], [2.0]], [[1.0], [2.0]], [[-numpy.inf, -numpy.inf]])
    arrays = [numpy.array(each, "f4") for each in (q, k, v, bias)]
    case = of.case(of.arguments([*arrays, numpy.float32(1)], {}), "f32")
    assert case.judge_one(numpy.array([[got]], "f4"), "exceptional").verdict == ("broken" if is_broken else "kept")


def verdicts(text, kernel, contract, cases=60):
    """The verdicts about a kernel in binary16 on drawn numbers."""
    judge = assay.Judge(formula=text, format="f16")
    found = set()
    for case in map(judge.draw, range(cases)):
        if all(numpy.isfinite(each).all() for each in case.arguments):
            with numpy.errstate(all="ignore"):
                found.add(case.judge_one(tables.in_binary32(kernel)(*case.arguments), contract).verdict)
    return found


def test_logits_of_a_fused_layer_that_are_stored_in_16_bits_keep_the_rung_that_stores_them_alone():
    def stored(x, w, b, label):
        s = (x @ w.T + b).astype("f2").astype("f4")
        m = s.max(axis=1)
        return m + numpy.log(numpy.exp(s - m[:, None]).sum(axis=1)) - s[numpy.arange(len(s)), label]

    text = tables.text_of("linear_cross_entropy")
    assert "broken" not in verdicts(text, stored, "stored_s")
    assert "broken" in verdicts(text, stored, "unit")


def stochastic_in_binary16(x, bits):
    """x of binary32 between two numbers of binary16, rounded by 13 random bits."""
    fraction, exponent = numpy.frexp(numpy.abs(x))
    place = numpy.maximum(exponent - 11, -24)
    return numpy.copysign(numpy.ldexp(numpy.floor(numpy.ldexp(fraction, exponent - place) + bits / 8192), place), x)


@pytest.mark.parametrize("bits", [8191, 1000, 0, "random"])
def test_step_that_is_rounded_by_random_bits_of_the_kernel_keeps_a_machine_that_says_so(bits):
    random = numpy.random.default_rng(1)

    def step(p, g, v, lr, mu, decay):
        q = p - lr * (mu * v + (g + decay * p))
        return stochastic_in_binary16(q, random.integers(8192, size=q.shape) if bits == "random" else bits)

    text = tables.text_of("sgd_momentum") + "machine drawn\n  sum any ; stochastic\n"
    assert verdicts(text, step, "drawn") == {"kept"}
    assert "broken" in verdicts(text, step, "any_order")


def test_step_whose_random_bits_are_added_twice_breaks_this_machine():
    random = numpy.random.default_rng(1)

    def step(p, g, v, lr, mu, decay):
        q = p - lr * (mu * v + (g + decay * p))
        return stochastic_in_binary16(q, 2 * random.integers(8192, size=q.shape))

    text = tables.text_of("sgd_momentum") + "machine drawn\n  sum any ; stochastic\n"
    assert "broken" in verdicts(text, step, "drawn")


def test_number_that_needs_no_rounding_is_kept_by_a_stochastic_one():
    text = "f(x[n], y[n]) -> z[n]\n  z = x - y\nmachine drawn\n  sum any ; stochastic\n"
    judge = assay.Judge(formula=text, format="f16")
    case = judge.given(*numpy.array([[1.5], [0.25]], "f2"))
    assert case.judge_one(numpy.array([1.25], "f2"), "drawn").verdict == "kept"
    for got in numpy.nextafter(numpy.float16(1.25), numpy.array([-4, 4], "f2")):
        assert case.judge_one(numpy.array([got], "f2"), "drawn").verdict == "broken"
