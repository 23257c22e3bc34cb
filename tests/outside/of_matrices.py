"""The correct kernels of products and sparse and triangular matrices, with the faults that are planted in them."""

from planted import BATCH, COLUMNS, NARROWER, ROWS, SIGNS, STATE, TERMS, WIDER, Right, base, narrow_sums, of, part

# -------------------------------------------------------------------------------------------------------- products

def products():
    for which, format_ in enumerate(("f64", "f32", "bf16", "bf16:f32", "f16", "f16:f32", "e4m3:f32", "e4m3:bf16",
                                     "e5m2:f32", "s8:s32")):
        yield from matmuls_of(format_, which)
    for which, format_ in enumerate(("f64", "f32", "bf16", "f16", "f16:f32", "e4m3:f32")):
        yield from epilogues_of(format_, which)


def product_faults(format_):
    narrow = {"f64": "f32"}.get(format_, "f16" if format_.startswith("f16") else "bf16")
    return [of("drops_first"), of("drops_last"), of("drops_tail", 8), of("drops_tail", 16), of("drops_beyond", 64),
            of("drops_tile", 16), of("repeats_last"), of("repeats_tail", 16), of("counts_modulo", 256),
            of("reads_behind"), of("skips_nan"), of("skips_infinity"), of("starts_at_one")] + ROWS + COLUMNS + BATCH + \
        STATE + [of("own1"), of("own2"), of("own3"), of("own4", 1), of("own4", 16), of("own5", 1), of("own5", 32),
                 of("own11", 1), of("own12", 1), of("own11", 8), {"sum": narrow},
                 of("narrow_parts", narrow=narrow), of("overflows", 16), of("saturates", 15), of("nan_to_zero"),
                 of("flickers")]


def matmuls_of(format_, which):
    is_integer = format_ == "s8:s32"
    has_any_shape = not format_.startswith("e")
    others = () if is_integer else ("exceptional",)
    others += ("batch_invariant",) if has_any_shape else ()
    sum_ = {"s8:s32": "f64"}.get(format_)
    make = lambda name, contract, faults=(), **form: Right(
        "products", "matmul", format_, name, (contract, *others), {**base(format_, sum_), **form}, list(faults))
    faults = product_faults(format_)
    if is_integer:
        only_for_floats = ("skips_nan", "skips_infinity", "nan_to_zero", "own11", "own12", "narrow_parts", "flickers")
        faults = [each for each in faults if each.get("fault") not in only_for_floats and "sum" not in each]
        faults = part(faults, 0, 4) + [of("wraps", 16), of("saturates", 15), of("wraps", 24), of("wraps", 8)]
        faults = [each for i, each in enumerate(faults) if each not in faults[:i]]
        yield make("exact", "exact", faults)
        yield make("backward", "exact", order="backward")
        yield make("split", "exact", way="second")
        yield make("lanes", "exact", order="lanes")
        yield make("pairwise", "exact", order="pairwise")
        return
    if not has_any_shape:  # sizes are multiples of 16; these formats have no contract `batch_invariant`
        unseen = ("own11", "own12", "drops_tail", "repeats_tail", "no_tile_of_rows", "no_tile_of_columns")
        faults = [each for each in faults if each.get("fault") not in unseen]
    of_longest = [] if has_any_shape else [of("no_number", 1000000)]  # which only results of the longest side have
    yield make("forward", "inner_product", (faults if format_ == "f32" else part(faults, which, 9)) + of_longest)
    orders = ("backward", "pairwise", "lanes", "blocks", "halves")
    for order in orders if format_ in ("f32", "f16") else orders[which % 3::3]:
        yield make(order, "inner_product", order=order)
    yield make("split", "inner_product", way="second")
    if format_ == "f64":
        # The bounds of both also hold without FMA, and for numbers that are not wider.
        yield make("fma", "fma_chain", [of("drops_last")], fma=True)
        yield make("wide", "wide_inner_product", [{"sum": "f32"}], sum="f80")
    if format_ == "f32":
        yield make("fma", "inner_product", fma=True)
        yield make("tf32", "tf32", [of("drops_last"), of("no_last_row"), {"narrow": "bf16", "way": "second"}],
                   way="fourth")
    if format_ == "f32":
        yield make("two_words", "correctly_rounded", way="sixth")
        yield make("either_neighbor", "faithful", way="sixth", **of("truncates"))
        yield make("cutting", "exact_grid", cuts=True)
        yield make("tf32_flushed", "tf32_ftz", way="fourth", flushes=True)
    if format_ in ("f64", "f32", "bf16"):
        yield make("flushed", "inner_product_ftz", flushes=True)
    if format_ in ("f16", "bf16"):
        yield make("reduced_split", "reduced_split_k", [of("drops_last"), of("no_last_column")], way="second",
                   narrow=format_)
        yield make("narrow_sums", "reduced_any_split", way="fifth", narrow=format_)
    if format_ == "bf16":  # the upper half of a number of binary32
        yield make("cut_sums", "exact_grid", [of("own2"), of("no_last_row")], way="fifth", narrow="bf16", cuts=True)


def epilogues_of(format_, which):
    has_any_shape = not format_.startswith("e")
    others = ("exceptional", "batch_invariant", "not_read") if has_any_shape else ("exceptional", "not_read")
    make = lambda name, contract, faults=(), others=others, **form: Right(
        "products", "matmul_epilogue", format_, name, (contract, *others), {**base(format_), **form}, list(faults))
    few = [of("own6"), of("no_last_column"), of("drops_last")]
    if not has_any_shape:
        yield make("forward", "inner_product", few)
        yield make("unit", "fp8_raw", [few[0], few[2]], way="seventh", narrow="e8m13")
        yield make("unit_from_c", "from_c_fp8_raw", [few[0], few[2]], way="eighth", narrow="e8m13")
        return
    faults = product_faults(format_) + [of("own6"), of("own7"), of("own8"), of("own9"), of("own10")]
    own = [of("own6"), of("own7"), of("own8"), of("own9"), of("own10")]
    share = part(faults, which, 4 if format_ == "f32" else 12)
    yield make("forward", "inner_product", share + [each for each in own if each not in share])
    for order in ("backward", "pairwise", "lanes"):
        yield make(order, "inner_product", order=order)
    yield make("split", "inner_product", way="second")
    yield make("from_c", "from_c_inner_product", [of("own6"), of("own9")], way="third")
    if format_ == "f64":
        yield make("wide", "wide_inner_product", sum="f80")
    if format_ == "f32":
        yield make("exact", "correctly_rounded", few[:2], way="sixth")
        yield make("either_neighbor", "faithful", way="sixth", **of("truncates"))
        yield make("cutting", "exact_grid", cuts=True)
        yield make("tf32", "tf32", way="fourth")
        yield make("tf32_flushed", "tf32_ftz", way="fourth", flushes=True)
    if format_ in ("f64", "f32", "bf16"):
        yield make("flushed", "inner_product_ftz", flushes=True)
    # Partial sums in binary16 may overflow where the result does not: not_read asks for a finite one.
    of_narrow = ("exceptional", "batch_invariant") if format_ == "f16" else others
    if format_ in ("f16", "bf16"):
        yield make("reduced_split", "reduced_split_k", few, of_narrow, way="second", narrow=format_)
        yield make("narrow_sums", "reduced_any_split", few[:2], of_narrow, way="fifth", narrow=format_)
    if format_ == "bf16":  # the upper half of a number of binary32
        yield make("cut_sums", "exact_grid", few[:2], way="fifth", narrow="bf16", cuts=True)
    if format_ == "f16":
        yield make("unit", "f16_accumulate", few, of_narrow, way="seventh", narrow="f16")
        yield make("unit_from_c", "from_c_f16_accumulate", few, of_narrow, way="eighth", narrow="f16")


def gemms():
    for operation in ("gemm", "gemv", "gemv_n"):
        for format_ in ("f64", "f32"):
            yield from gemms_of(operation, format_)


def gemms_of(operation, format_):
    is_gemm = operation == "gemm"
    make = lambda name, contract, faults=(), **form: Right(
        "gemm", operation, format_, name, (contract, "zeros", "exceptional", "untouched", "not_read"),
        {**base(format_), **form}, list(faults), {"blas": True})
    places = ROWS + (COLUMNS if is_gemm else [])
    faults = [of("drops_first"), of("drops_last"), of("drops_tail", 8), of("drops_beyond", 64), of("drops_tile", 16),
              of("repeats_last"), of("repeats_tail", 16), of("counts_modulo", 256), of("reads_behind"), of("skips_nan"),
              of("starts_at_one"), of("own1"), of("own4"), of("own5"), of("own6"), of("own7"), of("own11"),
              of("own12"), {"sum": NARROWER[format_]}, of("overflows", 16), of("saturates", 15)] + places
    faults += STATE if is_gemm else []
    faults += [of("own2")] if operation != "gemv_n" else []
    faults += [of("own3")] if operation != "gemv_n" else []
    faults += [of("own8"), of("own9"), of("own10")] if is_gemm else []
    share = {"gemm": faults if format_ == "f64" else part(faults, 1, 5),
             "gemv": part(faults, format_ == "f32", 4), "gemv_n": part(faults, format_ == "f64", 6)}[operation]
    yield make("forward", "grade_a", share)
    for order in ("backward", "pairwise", "lanes"):
        yield make(order, "grade_a", order=order)
    yield make("fma", "grade_a", fma=True)
    yield make("wide", "wide_grade_a", sum=WIDER[format_])
    rungs = lambda name, contract, error, **form: Right(
        "gemm", operation, format_, name, (contract, "exceptional", "untouched"),
        {**base(format_), "order": "exact", "sum": "f80", "error": error, "at": {"f64": 53, "f32": 24}[format_], **form},
        [], {"blas": True})
    if format_ == "f32":
        yield rungs("exact", "rounded", 0)
        yield rungs("worst_wide", "wide_grade_a", 1025, way="fourth")
        yield rungs("one_sign", "one_sign", 5 * 1024)
        yield make("cutting", "exact_grid", cuts=True)
    yield rungs("of_rows", "grade_b", 1000, way="second")
    yield rungs("of_matrices", "grade_c", 1000, way="third")
    if not is_gemm:  # as the reference BLAS returns
        yield make("quick_return", "grade_a", **of("own9"))


# --------------------------------------------------------------------------------------------------------- systems

def systems():
    for format_ in ("f64", "f32"):
        make = lambda operation, name, contract, faults=(), **form: Right(
            "systems", operation, format_, name, contract if isinstance(contract, tuple) else (contract, "exceptional"),
            {**base(format_), **form}, list(faults))
        narrower = NARROWER[format_]
        faults = [each for each in TERMS if each.get("at", 0) < 100] + SIGNS + narrow_sums(format_) + STATE + ROWS + [
            of("own1"), of("own2"), of("own3"), of("own4"), of("own5"), of("own6"), of("own7"), of("nan_to_zero")]
        yield make("spmv", "forward", "any_order", faults if format_ == "f32" else part(faults, 1, 6))
        for order in ("backward", "lanes", "halves", "blocks"):
            yield make("spmv", order, "any_order", order=order)
        yield make("spmv", "pairwise", "pairwise", order="pairwise")
        yield make("spmv", "compensated", "compensated", [{"order": "forward"}], order="compensated")
        yield make("spmv", "fma", "any_order", fma=True)
        yield make("spmv", "wide", "wide_any_order", [{"sum": format_}], sum=WIDER[format_])
        yield make("spmv", "flushed", "any_order_ftz", flushes=True)
        exact = {"order": "exact", "sum": "f80"}
        yield make("spmv", "exact", "correctly_rounded", **exact)
        yield make("spmv", "either_neighbor", "faithful", **exact, **of("truncates"))
        yield make("spmv", "worst_wide", "wide_any_order", **exact, error=960, at={"f64": 64, "f32": 35}[format_])
        if format_ == "f32":
            yield make("spmv", "cutting", "exact_grid", cuts=True)
        faults += [of("own8"), of("own9"), of("own10"), of("own11"), of("own12")]
        csrmv = lambda name, contract, faults=(), **form: make(
            "csrmv", name, (contract, "zeros", "exceptional", "not_read"), faults, **form)
        yield csrmv("forward", "grade_a", faults if format_ == "f64" else part(faults, 2, 5))
        for order in ("backward", "lanes", "halves", "blocks", "pairwise"):
            yield csrmv(order, "grade_a", order=order)
        yield csrmv("fma", "grade_a", fma=True)
        yield csrmv("wide", "wide_grade_a", sum=WIDER[format_])
        if format_ == "f32":
            few = [of("own1"), of("own7"), of("no_last_row")]
            yield csrmv("exact", "rounded", [of("own1"), of("no_last_row")], order="exact", sum="f80")
            yield csrmv("fixed_point", "grade_b", few, way="second")
            yield csrmv("slices", "exact_grid", few, way="third")
            yield csrmv("cutting", "exact_grid", few + [{"sum": "bf16"}], cuts=True)
        faults = [of("drops_first"), of("drops_last"), of("drops_tail", 8), of("drops_beyond", 16), of("repeats_last"),
                  of("reads_behind"), of("skips_nan"), of("forgets_sign")] + ROWS + STATE + [
            of("own1"), of("own2"), of("own3"), of("own4"), of("own5"), of("own6"), of("own7"), of("own8"),
            of("own9", narrow=narrower), of("own10"), of("own11"), of("own12", 8), of("nan_to_zero"),
            {"sum": narrower}, {"way": "second"}]
        yield make("trsv", "rows", "backward", faults if format_ == "f64" else part(faults, 0, 5))
        yield make("trsv", "columns", "backward", [of("own6"), of("own7"), of("own4")], way="third")
        yield make("trsv", "columns_fma", "backward", way="third", fma=True)
        yield make("trsv", "backward", "backward", order="backward")
        yield make("trsv", "pairwise", "backward", order="pairwise")
        yield make("trsv", "fma", "backward", fma=True)
        yield make("trsv", "reciprocal", "backward_reciprocal", [of("own7"), of("own9", narrow=narrower)],
                   way="second")
        yield make("trsv", "wide", "wide_backward", [{"sum": format_}, {"way": "usual"}], way="fourth",
                   sum=WIDER[format_])
        yield make("trsv", "wide_unknowns", "wide_unknowns", [of("own7"), of("own9", narrow=narrower)],
                   sum=WIDER[format_])
        yield make("trsv", "flushed", "backward_ftz", flushes=True)
        yield Right("systems", "trsv", format_, "exact", ("correctly_rounded",), {**base(format_), "way": "fifth"})
