"""The correct kernels of functions of numbers and of double words, with the faults that are planted in them."""

from planted import FLOATS, Right, base, is_narrow, of, part

# ------------------------------------------------------------------------------------------------------- functions

FUNCTIONS = ("exp", "exp2", "exp10", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "asin", "acos",
             "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "sqrt", "rsqrt", "cbrt", "erf", "erfc")
#: Functions whose textbook formula is correct, or nearly.
EXACT = ("sqrt", "rsqrt")


def functions():
    for which, function in enumerate(FUNCTIONS):
        make = lambda format_, name, contract, faults=(), **form: Right(
            "functions", function, format_, name, (contract, "special_values"), {**base(format_, format_), **form},
            list(faults))
        generic = [of("own2", 5), of("own3", 5), of("own5"), of("own9", 5), of("own11"), of("reads_behind"),
                   of("no_last_number"), of("no_tile_of_columns", 8), of("nan_to_zero"), of("own8", narrow="bf16"),
                   of("own7", narrow="bf16"), of("last_result")]
        if function in ("asin", "atanh", "erfc", "acos", "atan", "asinh"):  # these faults change few numbers
            generic = [each for each in generic if each["fault"] not in ("own2", "own3")]
        if function in ("acosh", "log", "log2", "log10", "sqrt", "rsqrt"):  # no value for negative numbers
            generic = [each for each in generic if each["fault"] != "own3"]
        if function in ("log", "log2", "log10", "acosh", "asin", "acos", "atanh", "sin", "cos", "tan", "exp", "sqrt"):
            generic = [each for each in generic if each["fault"] != "own5" or function in ("exp", "log", "sqrt")]
        identity = [of("own1")] if function not in EXACT else []
        yield make("f32", "rounded", "faithful", identity + part(generic, which, 4) + (
            [of("own4"), of("own6"), of("own10"), of("own12", 100)] if function == "sinh" else []))
        yield make("f32", "libm", "ulp_4", part(generic, which + 1, 8), way="second")
        strength = "ulp_8" if function in ("cbrt", "erfc") else "ulp_4"
        # log2 by the natural logarithm has an error of less than 4 ulps.
        of_identity = identity[:which % 2] if function != "log2" else []
        yield make("f64", "libm", strength, of_identity + [of("own8", narrow="f32")])
        if which % 2 == 0:
            yield make("f64", "wide", "faithful", way="third")
        small = "f16" if which % 2 else "bf16"
        yield make(small, "rounded", "correctly_rounded", [of("own9", 1)] if function != "sqrt" else [of("own11")])
        if which % 3 == 0:
            yield Right("functions", function, "f32", "flushed", ("ulp_2_ftz",),
                        {**base("f32"), "flushes": True}, [of("own9", 8)])
        # Kernels for contracts that no other kernel has as its strongest: results that are some numbers nearer to zero
        # than the nearest one.
        rungs = lambda name, contracts, **form: Right("functions", function, "f32", name, contracts,
                                                      {**base("f32"), **form})
        yield rungs("either_neighbor", ("faithful",), way="fourth")
        yield Right("functions", function, small, "powers_of_two_nearer", ("ulp_1",), {**base(small, small), "way": "fifth"})
        for steps, ulps in ((1, 2), (2, 4), (4, 8), (8, 16), (16, 64)):
            yield rungs(f"{steps}_nearer", (f"steps_{steps}", f"ulp_{ulps}"), steps=steps)
        yield rungs("64_nearer", ("steps_64",), steps=64)
        for steps, ulps in ((1, 2), (4, 8), (32, 64)):
            yield rungs(f"{steps}_nearer_flushed", (f"ulp_{ulps}_ftz",), steps=steps, flushes=True)
        if function in ("exp", "exp10"):
            slope = {"exp": 2, "exp10": 5}[function]
            yield rungs("farther_with_x", (f"ulp_4_plus_{slope}x",), way="sixth", at=slope)


# ----------------------------------------------------------------------------------------------------------- words

def words():
    for format_ in FLOATS:
        make = lambda operation, name, contracts, faults=(), **form: Right(
            "words", operation, format_, name, contracts, {**base(format_, format_), **form}, list(faults))
        places = [of("no_last_number"), of("no_tile_of_columns", 8), of("swaps_columns"), of("copies_column", 3)]
        own = [of("own1"), of("own2"), of("own8")]
        yield make("two_sum", "six", ("error_free",), own + [of("own3")] + places[:2])
        yield make("two_sum", "branch", ("error_free",), own[:1], way="second")
        yield make("two_sum", "ordered", ("ordered",), [of("own2")], way="third")
        yield make("two_prod", "fma", ("error_free",), own + [of("own7")] + places[2:])
        if is_narrow(format_):
            continue
        yield make("two_prod", "dekker", ("error_free_moderate",), [of("own1"), of("own2")], way="second")
        norm = ("normalised",)
        own = [of("own1"), of("own2"), of("own4"), of("own5"), of("own6"), of("own8")]
        yield make("dw_add", "accurate", ("accurate", *norm), own + [of("own3"), of("own11"), {"way": "second"}]
                   + places)
        yield make("two_sum", "towards_zero", ("faithful",), way="fourth")
        yield make("two_prod", "towards_zero", ("faithful",), way="fourth")
        if format_ == "f32":
            for operation in ("dw_add", "dw_mul", "dw_div"):
                yield make(operation, "exact", ("correctly_rounded",), way="fourth")
            yield make("dw_sqrt", "exact", ("correctly_rounded",), [of("own1"), of("own4")], way="fourth")
            yield make("dw_add", "low_words_of_one_sign", ("sloppy_same_sign", *norm), way="sixth")
            yield make("dw_div", "worst", ("div2", *norm), way="fifth", at=12)
        yield make("dw_add", "sloppy", ("sloppy", *norm), [of("own1"), of("own5")], way="second")
        yield make("dw_mul", "mul3", ("mul3", *norm), own + [of("own7")] + places[:2])
        yield make("dw_mul", "mul1", ("mul1", *norm), [of("own5")], way="second")
        yield make("dw_mul", "mul2", ("mul2", *norm), [of("own6")], way="third")
        yield make("dw_div", "div3", ("div3", *norm), [of("own1"), of("own4"), of("own10"), of("own11")] + places[:1])
        yield make("dw_div", "div2", ("div2", *norm), [of("own2"), of("own5"), of("own10")], way="second")
        yield make("dw_sqrt", "sqrt", ("sqrt", *norm), [of("own1"), of("own2"), of("own4"), of("own10"), of("own6")]
                   + places[:2])
