"""assay.assert_within never passes a result that it did not judge: every operation, every contract, inputs of any
size."""

import math

import pytest

numpy = pytest.importorskip("numpy")

import assay  # noqa: E402

F32 = numpy.float32
DTYPES = {"f64": "f8", "f32": "f4", "f16": "f2"}


def ordinary(operation, kind):
    """Inputs of the operation on which 77 is wrong everywhere."""
    ones = numpy.ones((2, 2), kind)
    x = numpy.array([0.5, 1.0, 2.0], kind)
    scalar = x.dtype.type
    rows = numpy.array([[0.5, 1.0, -2.0], [1.0, 0.0, 0.5]], kind)
    return {
        **dict.fromkeys(("all_gather", "all_reduce", "all_reduce_max", "all_reduce_min"), (2, 1, x[:2])),
        "asum": (x,),
        "axpy": (scalar(2), x, x),
        "convolution1d": (1, 1, 1, 1, 3, 2, 2, 1, 0, 1, x, x[:2]),
        **dict.fromkeys(
            ("convolution2d", "convolution2d_backward_x", "convolution2d_backward_k"),
            (*[1] * 12, 0, 0, 1, 1, x[:1], x[:1]),
        ),
        "convolution2d_bias": (*[1] * 12, 0, 0, 1, 1, x[:1], x[:1], x[:1]),
        "convolve": (x, x[:2]),
        "convolve2d": (1, 3, 1, 2, x, x[:2]),
        "cumsum": (x,),
        "dot": (x, x),
        **dict.fromkeys(("fft", "ifft"), (x[:2],)),
        "rfft": (x,),
        "irfft": (2, numpy.array([0.5, 0, 2, 0], kind)),
        **dict.fromkeys(("fft_rows", "fft2"), (1, 1, x[:2])),
        "gemm": (ones, ones),
        "gemv": (ones, x[:2]),
        "gemv_n": (ones, x[:2]),
        "csrmv": (ones, x[:2]),
        "layer_norm": (scalar(0.25), rows, x, x),
        "log_softmax": (rows,),
        "matmul": (ones, ones),
        "matmul_epilogue": (F32(2) if kind != "f8" else 2.0, ones, ones, F32(3) if kind != "f8" else 3.0, ones),
        "nrm2": (x,),
        "reduce_scatter": (2, 1, ones.reshape(-1)),
        "rms_norm": (scalar(0.25), rows, x),
        "softmax": (rows,),
        "spmv": (numpy.array([0, 1, 2]), numpy.array([0, 1]), x[:2], x[:2]),
        "sum": (x,),
        "potrf": (2, numpy.array([2, 1, 1, 2], kind)),
        "getrf": (2, 2, numpy.array([2, 1, 1, 2], kind)),
        "gesv": (2, numpy.array([2, 1, 1, 2], kind), x[:2]),
        "gels": (2, 2, numpy.array([2, 1, 1, 2], kind), x[:2]),
        "geqrf": (2, 2, numpy.array([2, 1, 1, 2], kind)),
        "getrs": (2, numpy.array([2, 0.5, 1, 2], kind), numpy.array([1, 1]), x[:2]),
        "inv": (2, numpy.array([2, 1, 1, 2], kind)),
        "posv": (2, numpy.array([2, 1, 1, 2], kind), x[:2]),
        "syev": (2, numpy.array([2, 1, 1, 2], kind)),
        "trsm": (0, 0, 0, 2, 1, numpy.array([2, 1, numpy.nan, 2], kind), x[:2]),
        "trsv": (0, 0, 0, ones, x[:2]),
        **dict.fromkeys(("copysign", "nextafter", "two_prod", "two_sum"), (scalar(2), scalar(3))),
        "acosh": (scalar(1.5),),
        **{f"dw_{each}": (numpy.array([1, 0], kind),) * 2 for each in ("add", "mul", "div")},
        "dw_sqrt": (numpy.array([1, 0], kind),),
    }.get(operation, (scalar(0.5),))


CASES = [
    (operation, format)
    for operation, of in assay.contracts().items()
    for format in DTYPES
    if format in of["formats"]
]


def filled(case, kind, numbers):
    wanted = case._result()
    shape = tuple(wanted.shape[i] for i in range(wanted.ndim))
    return numpy.resize(numpy.array(numbers, kind), shape)[()]


@pytest.mark.parametrize(("operation", "format"), CASES)
@pytest.mark.parametrize("numbers", [[77], [77, -77], [math.nan]], ids=["77", "77 and -77", "NaN"])
def test_absurd_result_keeps_no_contract_of_any_operation_but_an_order(operation, format, numbers):
    kind = DTYPES[format]
    case = assay.Judge(operation, format).given(*ordinary(operation, kind))
    judgments = case.judge(filled(case, kind, numbers))
    kept = {name for name, each in judgments.items() if each.verdict == "kept"}
    in_order = {"monotone"} if numbers == [77] else set()  # equal numbers are in order
    on_ranks = {"same_bits_on_all_ranks"} if len(numbers) == 1 else set()
    # Finite numbers do not say that a definite matrix is not definite.
    finite = {"finite", "status"} if numpy.isfinite(numbers).all() else set()
    assert kept <= in_order | on_ranks | finite


def test_contract_that_every_result_keeps_is_refused_by_name():
    ones = numpy.ones((2, 2))
    for expected, contract in [
        (assay.matmul(ones, ones), "zeros"),
        (assay.matmul(ones, ones), "exceptional"),
        (assay.gemm(ones, ones), "zeros"),
        (assay.gemm(ones, ones), "untouched"),
    ]:
        with pytest.raises(ValueError, match=f"{contract} asks that "):
            assay.assert_within(ones + 1, expected, contract=contract)


def test_contract_about_several_runs_of_equal_inputs_is_undecided():
    with pytest.raises(assay.Undecided):
        assay.assert_within(2.0, assay.dot(numpy.ones(2), numpy.ones(2)), contract="order_free")


def test_norm_of_which_a_bound_leaves_rows_out_is_refused():
    x = numpy.array([[4096, 4096.0015], [1, -1]], "f4")
    want = assay.layer_norm(x, numpy.ones(2, "f4"), numpy.zeros(2, "f4"), 1e-5)
    got = numpy.array([[math.nan, math.nan], [1, -1]], "f4")
    with pytest.raises((ValueError, assay.Broken)):
        assay.assert_within(got, want, contract="one_pass")


# ------------------------------------------------------------------------------------------------ infinities and NaNs


def product_with(number, shape=(4, 4)):
    a = numpy.ones(shape, "f4")
    a[0, 0] = number
    b = numpy.ones(shape, "f4")
    return a, b, a @ b


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("contract", ["inner_product", "faithful", "correctly_rounded"])
def test_product_with_an_infinity_or_nan_is_judged_in_every_entry(number, contract):
    a, b, got = product_with(number)
    assay.assert_within(got, assay.matmul(a, b), contract=contract)
    got[0, 2] = 123
    with pytest.raises(assay.Broken, match=r"exact  -?(NaN|inf)\n  error  \[2\] of 16 numbers"):
        assay.assert_within(got, assay.matmul(a, b), contract=contract)


def test_zeros_for_a_product_of_nans_are_refused():
    a = numpy.full((3, 3), math.nan)
    with pytest.raises((assay.Broken, ValueError)):
        assay.assert_within(numpy.zeros((3, 3)), assay.matmul(a, a), contract="inner_product")


def test_row_of_a_large_product_that_a_nan_makes_nan_is_judged():
    a, b, got = product_with(math.nan, (64, 64))
    assay.assert_within(got, assay.matmul(a, b), contract="inner_product")
    got[0, 17] = 0
    with pytest.raises(assay.Broken, match=r"\[17\] of 4096 numbers"):
        assay.assert_within(got, assay.matmul(a, b), contract="inner_product")


def test_product_with_a_start_that_is_nan_is_judged():
    ones = numpy.ones((2, 2), "f4")
    c = numpy.array([[math.nan, 1], [1, 1]], "f4")
    want = assay.matmul(ones, ones, alpha=1.0, beta=1.0, c=c)
    assay.assert_within(ones @ ones + c, want, contract="inner_product")
    with pytest.raises(assay.Broken):
        assay.assert_within(numpy.full((2, 2), F32(3)), want, contract="inner_product")


def test_gemm_with_an_infinity_is_judged_in_every_entry():
    a = numpy.array([[math.inf, 1.0], [1.0, 1.0]])
    b = numpy.ones((2, 2))
    assay.assert_within(a @ b, assay.gemm(a, b), contract="rounded")
    with pytest.raises(assay.Broken):
        assay.assert_within(numpy.array([[5.0, 5.0], [2.0, 2.0]]), assay.gemm(a, b), contract="rounded")


def test_softmax_by_rounded_powers_of_two_keeps_the_rung_of_that_form_alone():
    # exp2((x − m)·log₂e), where both roundings of the exponent are at their largest.
    x = numpy.array([[float.fromhex("0x1.786eap+0"), float.fromhex("-0x1.587cc4p+5")]], F32)
    log2e = F32(1.4426950408889634)
    powers = numpy.array([F32(2.0 ** float(F32(F32(each - x.max()) * log2e))) for each in x[0]], F32)
    got = (powers / F32(powers[0] + powers[1])).reshape(1, 2)
    with pytest.raises(AssertionError, match="1.437 of the bound"):
        assay.assert_within(got, assay.softmax(x), contract="shifted_3ulp")
    assay.assert_within(got, assay.softmax(x), contract="shifted_exp2_3ulp")


def sums_with_a_special_number():
    """Right results of sums beside an infinity or a NaN, with a place whose number is finite."""
    x, y = numpy.array([1.0, math.inf, 2.0]), numpy.ones(3)
    a, b = numpy.diag([math.nan, 1.0, 1.0]), numpy.arange(9.0).reshape(3, 3)
    return {
        "gemm": (a @ b, assay.gemm(a, b), "grade_a", (2, 1)),
        "cumsum": (numpy.cumsum(x), assay.cumsum(x), "any_order", 0),
        "axpy": (2 * x + y, assay.axpy(2.0, x, y), "two_roundings", 0),
    }


@pytest.mark.parametrize("operation", ["gemm", "cumsum", "axpy"])
def test_sums_beside_a_special_number_are_judged_in_every_entry(operation):
    right, asked, contract, finite = sums_with_a_special_number()[operation]
    assay.assert_within(right, asked, contract=contract)
    wrong = right.copy()
    wrong[finite] += 5
    with pytest.raises(assay.Broken, match=f"{contract} is broken"):
        assay.assert_within(wrong, asked, contract=contract)


def test_softmax_of_a_row_with_a_nan_is_judged():
    x = numpy.array([[0.0, math.nan], [0.0, 0.0]])
    right = numpy.array([[math.nan, math.nan], [0.5, 0.5]])
    assay.assert_within(right, assay.softmax(x), contract="shifted_1ulp")
    with pytest.raises(assay.Broken, match="exact  NaN"):
        assay.assert_within(numpy.full((2, 2), 0.5), assay.softmax(x), contract="shifted_1ulp")


def products_with_a_special_number(number):
    """Right results of products whose row 1 has a number that is none."""
    a, b, c = numpy.arange(1.0, 13.0).reshape(3, 4), numpy.arange(1.0, 9.0).reshape(4, 2), numpy.ones((3, 2))
    a[1, 2] = number
    return {
        "gemv": (a @ b[:, 0], assay.gemv(a, b[:, 0]), "grade_a"),
        "gemm": (a @ b, assay.gemm(a, b), "grade_a"),
        "matmul": (a @ b, assay.matmul(a, b), "inner_product"),
        "matmul_epilogue": (2 * (a @ b) + c, assay.matmul(a, b, alpha=2.0, beta=1.0, c=c), "inner_product"),
        "spmv": (
            a @ b[:, 0],
            assay.spmv(numpy.arange(0, 13, 4), numpy.tile(numpy.arange(4), 3), a.reshape(-1), b[:, 0]),
            "any_order",
        ),
    }


@pytest.mark.parametrize("number", [math.nan, math.inf])
@pytest.mark.parametrize("operation", ["gemv", "gemm", "matmul", "matmul_epilogue", "spmv"])
def test_nan_or_infinity_in_a_row_without_one_is_refused(operation, number):
    right, asked, contract = products_with_a_special_number(number)[operation]
    assay.assert_within(right, asked, contract=contract)
    for wrong_number in (math.nan, math.inf, -math.inf):
        wrong = right.copy()
        wrong[2] = wrong_number
        with pytest.raises(assay.Broken, match=f"{contract} is broken"):
            assay.assert_within(wrong, asked, contract=contract)


def test_sparse_rows_may_have_their_columns_in_any_order_and_twice():
    offsets, columns = numpy.array([0, 3, 5]), numpy.array([2, 0, 2, 1, 0])
    values, x = numpy.array([1.0, 2.0, 3.0, 4.0, 5.0]), numpy.array([10.0, 20.0, 30.0])
    want = assay.spmv(offsets, columns, values, x)
    assay.assert_within(numpy.array([140.0, 130.0]), want, contract="faithful")
    with pytest.raises(assay.Broken):
        assay.assert_within(numpy.array([110.0, 130.0]), want, contract="faithful")


def test_product_of_small_numbers_is_judged_until_its_sums_may_be_subnormal():
    a, b = (numpy.full((2, 2), 2.0**-40, "f4") for _ in range(2))
    a[0, 0] = 1.5  # of a usual size, beside numbers that are not moderate
    assay.assert_within(a @ b, assay.gemm(a, b), contract="grade_a")
    assay.assert_within(a @ b[:, 0], assay.gemv(a, b[:, 0]), contract="grade_a")
    with pytest.raises(assay.Broken):
        assay.assert_within((a @ b) * F32(1.25), assay.gemm(a, b), contract="grade_a")
    a[1, 1] = 2.0**-41  # a product of it may have its last bit below the least normal number
    with pytest.raises(ValueError, match="make no subnormal or infinite product or sum"):
        assay.assert_within(a @ b, assay.gemm(a, b), contract="grade_a")
    large = numpy.full((2, 2), 2.0**63, "f4")
    with pytest.raises(ValueError, match="make no subnormal or infinite product or sum"):
        assay.assert_within(large @ large, assay.gemm(large, large), contract="grade_a")


def test_prefix_sums_that_the_theorem_does_not_bound_are_not_accepted_unseen():
    x = numpy.random.default_rng(1).standard_normal(5000).astype("f2")
    right = numpy.cumsum(x.astype("f8")).astype("f2")
    right[-1] = 77  # any_order of binary16 says nothing of more than 2^11 terms
    with pytest.raises(ValueError, match="the result 0 keeps, too: n = 5000"):
        assay.assert_within(right, assay.cumsum(x), contract="any_order")
    with pytest.raises(assay.Broken):
        assay.assert_within(right, assay.cumsum(x), contract="pairwise")


def row_results(x):
    """The results of operations on rows, by the definition, with the contract that such a computation keeps."""
    ones, zeros = numpy.ones(x.shape[-1]), numpy.zeros(x.shape[-1])
    with numpy.errstate(all="ignore"):
        powers = numpy.exp(x - x.max(axis=-1, keepdims=True))
        all = powers.sum(axis=-1, keepdims=True)
        centred = x - x.mean(axis=-1, keepdims=True)
        variance = (centred * centred).mean(axis=-1, keepdims=True)
        return {
            "softmax": (powers / all, assay.softmax(x), "shifted_3ulp"),
            "log_softmax": (x - x.max(axis=-1, keepdims=True) - numpy.log(all), assay.log_softmax(x), "shifted_3ulp"),
            "layer_norm": (centred / numpy.sqrt(variance + 0.5), assay.layer_norm(x, ones, zeros, 0.5), "two_pass"),
            "rms_norm": (x / numpy.sqrt((x * x).mean(axis=-1, keepdims=True) + 0.5), assay.rms_norm(x, ones, 0.5),
                         "any_order"),
        }  # fmt: skip


@pytest.mark.parametrize("rows", [1, 3])
@pytest.mark.parametrize("number", [math.nan, math.inf])
@pytest.mark.parametrize("operation", ["softmax", "log_softmax", "layer_norm", "rms_norm"])
def test_rows_of_which_none_is_finite_are_judged_by_the_exceptional_contract(operation, number, rows):
    x = numpy.linspace(-1, 1, 8 * rows).reshape(rows, 8)
    x[:, 5] = number
    right, asked, contract = row_results(x)[operation]
    judgment = asked.judge(right, contract)
    assert (judgment.verdict, judgment.judged) == ("kept", x.size)
    wrong = right.copy()
    wrong[rows - 1, 7] = 1.5
    with pytest.raises(assay.Broken, match=f"{contract} is broken"):
        assay.assert_within(wrong, asked, contract=contract)


@pytest.mark.parametrize("operation", ["softmax", "log_softmax", "layer_norm", "rms_norm"])
def test_nan_in_one_of_many_long_rows_leaves_the_others_to_their_bounds(operation):
    x = numpy.random.default_rng(1).standard_normal((3, 100_000))
    x[1, 7] = math.nan
    right, asked, contract = row_results(x)[operation]
    judgment = asked.judge(right, contract)
    assert (judgment.verdict, judgment.judged) == ("kept", x.size)
    for place, number in [((1, 99_999), 0.0), ((2, 99_999), 3.0)]:
        wrong = right.copy()
        wrong[place] = number
        judgment = asked.judge(wrong, contract)
        assert judgment.verdict == "broken"
        assert place[0] * 100_000 <= judgment.component <= place[0] * 100_000 + place[1]


def test_softmax_of_minus_infinity_is_zero():
    x = numpy.array([[0.0, -math.inf, 1.0, -math.inf], [0.0, 0.0, 0.0, 0.0]])
    right, asked, contract = row_results(x)["softmax"]
    judgment = asked.judge(right, contract)
    assert (judgment.verdict, judgment.judged) == ("kept", 8)
    for number in (0.25, 5e-324, math.nan):
        wrong = right.copy()
        wrong[0, 3] = number
        with pytest.raises(assay.Broken, match=r"(?s)exact  0\n.*\[3\] of 8 numbers"):
            assay.assert_within(wrong, asked, contract=contract)


# ------------------------------------------------------------------------------------------------------- of any size


@pytest.mark.parametrize("n", [8193, 100_000])
@pytest.mark.parametrize("operation", ["sum", "asum", "nrm2", "dot", "axpy", "cumsum"])
def test_results_longer_than_those_that_are_drawn_are_judged(operation, n):
    x = numpy.random.default_rng(n).standard_normal(n)
    want, right, contract = {
        "sum": lambda: (assay.sum(x), x.sum(), "pairwise"),
        "asum": lambda: (assay.asum(x), numpy.abs(x).sum(), "pairwise"),
        "nrm2": lambda: (assay.nrm2(x), numpy.sqrt((x * x).sum()), "any_order"),
        "dot": lambda: (assay.dot(x, x), numpy.dot(x, x), "any_order"),
        "axpy": lambda: (assay.axpy(2.0, x, x), 2 * x + x, "two_roundings"),
        "cumsum": lambda: (assay.cumsum(x), numpy.cumsum(x), "any_order"),
    }[operation]()
    assay.assert_within(right, want, contract=contract)
    with pytest.raises(assay.Broken):
        assay.assert_within(right + 1.0, want, contract=contract)


def test_sum_of_a_million_numbers_is_judged():
    x = numpy.random.default_rng(1).standard_normal(10**6)
    assay.assert_within(x.sum(), assay.sum(x), contract="pairwise")


def test_norm_whose_squares_might_overflow_by_their_number_is_refused():
    x = numpy.full(2**17, 2.0**503)
    with pytest.raises(ValueError, match="any_order asks that the numbers are 0 or in "):
        assay.assert_within(2.0**503 * math.sqrt(2**17), assay.nrm2(x), contract="any_order")


def test_bound_that_has_no_meaning_for_so_many_numbers_is_refused_by_name():
    x = numpy.full(2**12, 0.1, "f2")
    with pytest.raises(ValueError, match=r"compensated asks that gamma\(n\) requires n·u < 1|no contract compensated"):
        assay.assert_within(numpy.float16(0), assay.dot(x, x), contract="compensated")
    with pytest.raises(ValueError, match="any_order asks that"):
        assay.assert_within(numpy.float16(0), assay.dot(x, x), contract="any_order")


def test_product_with_long_rows_is_judged():
    draw = numpy.random.default_rng(1)
    a, b = draw.standard_normal((3, 200_000)).astype("f4"), draw.standard_normal((200_000, 5)).astype("f4")
    got = (a.astype("f8") @ b).astype("f4")
    assay.assert_within(got, assay.matmul(a, b), contract="inner_product")
    with pytest.raises(assay.Broken):
        assay.assert_within(got + F32(4000), assay.matmul(a, b), contract="inner_product")


def test_inputs_that_no_memory_holds_are_refused_before_they_are_copied():
    zeros = numpy.lib.stride_tricks.as_strided(numpy.zeros(1), (10**6, 10**6), (0, 0))
    with pytest.raises(MemoryError, match=r"^the inputs have 1e\+12 numbers, which need about "):
        assay.assert_within(zeros[:, :1], assay.matmul(zeros, zeros[:, :1]), contract="inner_product")


# ----------------------------------------------------------------------------------------------------- special values


def test_number_of_which_a_contract_of_a_function_does_not_speak_is_held_to_its_special_value():
    x = numpy.array([0.0, math.inf])
    assay.assert_within(numpy.array([1.0, math.inf]), assay.exact("exp", x), contract="ulp_1")
    with pytest.raises(assay.Broken, match=r"(?s)number 1 of 2.*exact  inf"):
        assay.assert_within(numpy.array([1.0, 0.0]), assay.exact("exp", x), contract="ulp_1")


def test_special_values_say_nothing_of_ordinary_numbers():
    with pytest.raises(ValueError, match="special_values asks that "):
        assay.assert_within(77.0, assay.exact("exp", 1.5), contract="special_values")


def test_integers_of_eight_bits_are_judged():
    a = numpy.full((16, 16), -128, "i1")
    got = a.astype("i4") @ a
    assay.assert_within(got, assay.matmul(a, a), contract="exact")
    got[15, 15] += 1
    with pytest.raises(assay.Broken, match="got    262145\n  exact  2.62144e5"):
        assay.assert_within(got, assay.matmul(a, a), contract="exact")


def test_function_of_integers_is_checked():
    verdict = assay.check(lambda a, b: a.astype("i4") @ b, "matmul", "exact", format="s8:s32", cases=20, controls=False)
    assert verdict.kept == ("exact",)


# ------------------------------------------------------------------------------------------------------------ refused


def test_contracts_of_other_formats_are_shown_where_they_are_asked_for_alone():
    case = assay.sum(numpy.ones(3)).case()
    assert "f32_any_order" not in case.judge(3.0)
    assert case.judge(3.0, every=True)["f32_any_order"].verdict == "outside"


@pytest.mark.parametrize(
    ("x", "reason"),
    [
        (numpy.ones(2, bool), "^x: numbers of bool$"),
        (numpy.ma.array([1.0, 2.0], mask=[0, 1]), "^x: an array with a mask, "),
        (numpy.ones(2, int), "^sum: x has numbers of int64; there are: f64, f32, f16, bf16$"),
    ],
    ids=["bool", "mask", "integers"],
)
def test_arrays_that_are_no_numbers_of_a_format_are_refused(x, reason):
    with pytest.raises(TypeError, match=reason):
        assay.sum(x)


def test_truth_value_is_no_result():
    with pytest.raises(TypeError, match="^got: True is not a number$"):
        assay.assert_within(True, assay.sum(numpy.ones(1)), contract="any_order")


def test_vectors_of_two_lengths_are_refused_with_both():
    with pytest.raises(ValueError, match="^x and y: vectors of 2 and 3 numbers, which must have one length$"):
        assay.assert_within(1.0, assay.dot(numpy.ones(2), numpy.ones(3)), contract="any_order")


def test_unknown_operation_is_refused_with_the_nearest():
    with pytest.raises(ValueError, match="^no operation expp; nearest: exp"):
        assay.exact("expp", 1.0)
