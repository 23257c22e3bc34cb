"""The right kernels of each operation, and the faults that are planted in them."""

from dataclasses import dataclass, field


@dataclass
class Right:
    """A right kernel: its library, operation, format and name, the contracts that its author claims, what it does, and
    the faults that make wrong kernels of it."""

    library: str
    operation: str
    format: str
    name: str
    contracts: tuple
    form: dict
    faults: list = field(default_factory=list)
    extra: dict = field(default_factory=dict)


FLOATS = ("f64", "f32", "f16", "bf16")
WIDER = {"f64": "f80", "f32": "f64", "f16": "f32", "bf16": "f32"}
NARROWER = {"f64": "f32", "f32": "bf16", "f16": "f16", "bf16": "bf16"}


def is_narrow(format_):
    return format_ in ("f16", "bf16")


def of(fault, at=None, **more):
    """A planted fault."""
    return {"fault": fault, **({} if at is None else {"at": at}), **more}


def base(format_, sum_=None):
    """The form of a kernel of that format that computes in it, or in binary32 where it is narrow."""
    result = format_.split(":")[-1]
    return {"storage": format_.split(":")[0], "result": result,
            "sum": sum_ or ("f32" if is_narrow(result) else result)}


def rung(format_, name):
    """The contract of that name of a kernel that computes in base(format)."""
    return f"f32_{name}" if is_narrow(format_) else name


def part(faults, which, of_many):
    """Each of_many-th fault."""
    return faults[which % of_many::of_many]


# ---------------------------------------------------------------------------------------------------------- faults

TERMS = [of("drops_first"), of("drops_last"), of("drops_term", 5), of("drops_term", 300), of("drops_tail", 8),
         of("drops_tail", 32), of("drops_beyond", 128), of("drops_beyond", 1024), of("drops_tile", 16),
         of("drops_tile", 64), of("repeats_first"), of("repeats_last"), of("repeats_term", 7), of("repeats_tail", 16),
         of("counts_modulo", 256), of("reads_behind"), of("skips_nan"), of("nan_is_one"), of("skips_infinity"),
         of("starts_at_one")]
SIGNS = [of("skips_negative"), of("forgets_sign")]
STATE = [of("last_result"), of("adds_to_last"), of("keeps_result")]
ROWS = [of("no_last_row"), of("no_rows_from", 4), of("no_rows_from", 16), of("no_row", 0), of("no_row", 2),
        of("no_tile_of_rows", 4), of("no_tile_of_rows", 16), of("copies_row", 1), of("copies_row", 8),
        of("zero_rows_from", 8), of("negates_row", 3)]
COLUMNS = [of("no_last_column"), of("no_columns_from", 64), of("no_columns_from", 1024), of("no_column", 0),
           of("no_column", 7), of("no_tile_of_columns", 8), of("no_tile_of_columns", 32), of("copies_column", 1),
           of("copies_column", 16), of("swaps_columns"), of("zero_columns_from", 256), of("halves_last")]
BATCH = [of("no_last_product"), of("no_products_from", 1), of("no_products_from", 2), of("no_product", 0),
         of("first_product")]


def narrow_sums(format_):
    """Accumulators that are narrower than claimed, overflow or saturate."""
    narrower = NARROWER[format_]
    faults = [{"sum": narrower}, of("narrow_parts", narrow=narrower), of("overflows", 16), of("saturates", 15)]
    return faults + ([{"sum": "f16"}, {"sum": "bf16"}] if format_ in ("f64", "f32") else [])


# ------------------------------------------------------------------------------------------------------ reductions

def reductions():
    for operation in ("sum", "asum", "nrm2", "dot"):
        for which, format_ in enumerate(FLOATS):
            yield from reductions_of(operation, format_, which)


def reductions_of(operation, format_, which):
    is_norm = operation == "nrm2"
    multiplies = operation in ("dot", "nrm2")
    make = lambda name, contract, faults=(), extra=None, **form: Right(
        "reductions", operation, format_, name, (contract, "exceptional"), {**base(format_), **form}, list(faults),
        extra or {})
    faults = TERMS + (SIGNS if operation in ("sum", "dot") else []) + narrow_sums(format_) + STATE + [
        of("flickers"), of("own9"), of("own10")]
    faults += {"sum": [], "asum": [of("own4")], "nrm2": [of("own4")] + ([of("own5")] if format_ == "f64" else []),
               "dot": [of("own6"), of("own7"), of("own8")]}[operation]
    if operation == "nrm2":  # the terms of a norm are squares of any size
        faults = [each for each in faults if each != of("skips_infinity")] + [of("skips_infinity")]
    is_whole = format_ == "f32" and operation in ("sum", "dot")
    share = faults if is_whole else part(faults, which + len(operation), 2 if format_ == "f32" else 7)
    any_order = rung(format_, "any_order")
    pairwise = any_order if is_norm else rung(format_, "pairwise")
    yield make("forward", any_order, share)
    yield make("backward", any_order, order="backward")
    yield make("pairwise", pairwise, [] if is_norm else [{"order": "forward"}], order="pairwise")
    yield make("lanes", any_order, order="lanes")
    yield make("blocks", any_order, part(faults, which + 1, 12), order="blocks")
    yield make("halves", any_order, order="halves")
    if multiplies:
        yield make("fma", any_order, fma=True)
        yield make("fma_lanes", any_order, fma=True, order="lanes")
    if not is_norm:
        yield make("compensated", rung(format_, "compensated"), [{"order": "forward"}, {"order": "pairwise"}]
                   if not is_narrow(format_) else [], order="compensated")
    if is_norm and not is_narrow(format_):
        yield make("scaled", "any_range", [{"way": "usual"}], way="second")
    if is_norm:
        precision = 53 if format_ == "f64" else 24
        yield make("running", rung(format_, "running_maximum"), way="third")
        yield make("worst_running", rung(format_, "running_maximum"), way="fourth", error=2048, at=precision)
        yield make("worst_scaled", rung(format_, "any_range"), way="fourth", error=480, at=precision)
    if not is_narrow(format_):
        # What only rungs of their own hold: correct roundings, either neighbor, an error as large as a wider accumulator
        # may have, additions that cut.
        exact = {"way": "fourth"} if is_norm else {"order": "exact", "sum": "f80"}
        of_wide = {"f64": 64, "f32": 35}[format_]
        yield make("exact", "correctly_rounded", **exact)
        if not (is_norm and format_ == "f64"):
            yield make("either_neighbor", "faithful", **exact, **of("truncates"))
        yield make("worst_wide", "wide_any_order", **exact, error=480 if is_norm else 960, at=of_wide)
    elif format_ == "bf16" and not is_norm:
        yield make("flushed", "f32_any_order_ftz", flushes=True)
    if not is_norm and format_ == "f32":
        yield make("cutting", "exact_grid", cuts=True)
    if not is_narrow(format_):
        yield make("wide", "wide_any_order", [{"sum": format_}], sum=WIDER[format_])
        if not is_norm:
            yield make("flushed", "any_order_ftz", [of("skips_small", -100)], flushes=True)
    elif not is_norm:
        yield make("own", "any_order", part(faults, which + 2, 8), sum=format_)
    if format_ in ("f64", "f32"):
        # A sum of one vector is the same from its other end, and some BLAS return 0 for an increment below 0.
        conventions = [] if operation == "dot" else ["own2", "own3"]
        yield make("strided", any_order, [of(each) for each in ("own1", "own2", "own3", "reads_behind")
                                          if each not in conventions], {"blas": True})
        for name, each in zip(("from_the_front", "zero_backwards"), conventions):
            yield make(name, any_order, (), {"blas": True}, **of(each))


# --------------------------------------------------------------------------------------------------------- vectors

def vectors():
    for which, format_ in enumerate(FLOATS):
        make = lambda operation, name, contracts, faults=(), **form: Right(
            "vectors", operation, format_, name, contracts, {**base(format_), **form}, list(faults))
        narrower = NARROWER[format_]
        faults = COLUMNS + STATE + [
            of("drops_last"), of("drops_tail", 8), of("drops_beyond", 512), of("reads_behind"), of("skips_nan"),
            of("own1"), of("own2", narrow="f16" if format_ == "bf16" else "bf16"), of("own3"), of("own8"),
            of("own9", narrow="f16"), of("overflows", 16), of("nan_to_zero"), of("no_last_number"), {"sum": narrower}]
        if format_ in ("f64", "f32"):
            faults += [{"flushes": True}, of("truncates", sum="f64") if format_ == "f32" else of("no_number", 3)]
        conventions = ("exceptional", "alpha_zero_reads")
        share = faults if format_ == "f32" else part(faults, which, 6)
        yield make("axpy", "usual", (rung(format_, "two_roundings"), *conventions), share)
        if not is_narrow(format_):
            yield make("axpy", "fma", ("fma", *conventions), [{"fma": False}], fma=True)
            yield make("axpy", "flushed", ("two_roundings_ftz", *conventions), flushes=True)
            yield make("axpy", "wide", ("wide_two_roundings", *conventions), sum=WIDER[format_])
            yield make("axpy", "fma_without_signs", ("correctly_rounded", *conventions), fma=True, way="second")
        else:
            if format_ == "bf16":
                yield make("axpy", "flushed", ("f32_two_roundings_ftz", *conventions), flushes=True)
            yield make("axpy", "own", ("two_roundings", *conventions), part(faults, which + 1, 6), sum=format_)
        faults = COLUMNS + STATE + [each for each in TERMS if each["fault"] not in ("repeats_first", "repeats_last",
                                                                                    "repeats_term", "repeats_tail")]
        faults += SIGNS + [of("own5"), of("own6"), of("own7"), of("nan_to_zero"), {"sum": narrower},
                           of("overflows", 16), of("saturates", 15)]
        if format_ == "f32":
            yield make("axpy", "cutting", ("exact_grid", *conventions), cuts=True)
            yield make("cumsum", "cutting", ("exact_grid", "exceptional"), cuts=True)
        contracts = (rung(format_, "any_order"), "exceptional")
        yield make("cumsum", "forward", contracts, faults if format_ == "f32" else part(faults, which, 6))
        yield make("cumsum", "blocks", contracts, [of("own4"), of("own10", narrow=narrower)], way="second")
        yield make("cumsum", "doubling", (rung(format_, "pairwise"), "exceptional"), way="third")
        if not is_narrow(format_):
            yield make("cumsum", "flushed", ("any_order_ftz", "exceptional"), flushes=True)
            yield make("cumsum", "wide", ("wide_any_order", "exceptional"), [{"sum": format_}], sum=WIDER[format_])
            exact = {"order": "exact", "sum": "f80"}
            yield make("cumsum", "exact", ("correctly_rounded", "exceptional"), **exact)
            yield make("cumsum", "either_neighbor", ("faithful", "exceptional"), **exact, **of("truncates"))
            yield make("cumsum", "tree", ("tree", "exceptional"), way="fourth")
            yield make("cumsum", "tree_flushed", ("tree_ftz", "exceptional"), way="fourth", flushes=True)
            yield make("cumsum", "tree_wide", ("wide_pairwise", "exceptional"), way="fourth", sum=WIDER[format_])
            yield make("cumsum", "worst_wide_tree", ("wide_tree", "exceptional"), **exact, way="fourth", error=960,
                       at={"f64": 64, "f32": 35}[format_])
        else:
            yield make("cumsum", "compensated", ("f32_compensated", "exceptional"), order="compensated")
            yield make("cumsum", "tree", ("f32_tree", "exceptional"), way="fourth")
            yield make("cumsum", "worst_tree", ("f32_tree", "exceptional"), order="exact", sum="f80", way="fourth",
                       error=960, at=24)
            if format_ == "bf16":
                yield make("cumsum", "tree_flushed", ("f32_tree_ftz", "exceptional"), way="fourth", flushes=True)
                yield make("cumsum", "flushed", ("f32_any_order_ftz", "exceptional"), flushes=True)
            yield make("cumsum", "own", ("any_order", "exceptional"), sum=format_)


# ------------------------------------------------------------------------------------------------------------ rows

def softmaxes():
    for operation in ("softmax", "log_softmax"):
        for which, format_ in enumerate(FLOATS):
            yield from softmaxes_of(operation, format_, which)


def softmaxes_of(operation, format_, which):
    is_log = operation == "log_softmax"
    make = lambda name, contract, faults=(), others=("exceptional",), masked="nan", **form: Right(
        "softmax", operation, format_, name, (rung(format_, contract), *others), {**base(format_), **form},
        list(faults), {"masked": masked})
    narrow = "bf16" if format_ in ("f32", "bf16") else "f16" if format_ == "f16" else "f32"
    faults = ROWS + COLUMNS + STATE + [
        of("drops_first"), of("drops_last"), of("drops_tail", 8), of("drops_tail", 32), of("drops_beyond", 128),
        of("drops_beyond", 1024), of("drops_tile", 64), of("repeats_last"), of("repeats_tail", 16),
        of("counts_modulo", 256), of("reads_behind"), of("skips_nan"), of("nan_to_zero"), of("own1", 32),
        of("own1", 1024), of("own3"), of("own4"), of("own5"), of("own6"), of("own7"), of("own8", 8), of("own11"),
        of("own12", 10), {"sum": narrow}, of("narrow_parts", narrow=narrow), of("own9", narrow=narrow),
        of("own10", narrow=narrow), of("flickers")]
    if format_ != "f16":
        faults += [of("own2", 10000), of("own2", 65504)]
    share = faults if format_ == "f32" and not is_log else part(faults, which + 3 * is_log, 7)
    yield make("shifted", "shifted_1ulp", share)
    yield make("pairwise", "shifted_1ulp", order="pairwise")
    yield make("lanes", "shifted_1ulp", order="lanes")
    yield make("exp2", "shifted_exp2_3ulp", way="second")
    if not is_log:
        yield make("scaled_exp2", "scaled_exp2_3ulp", way="third")
        yield make("of_log_sum", "of_log_sum_3ulp", way="fourth")
        yield make("online", "shifted_3ulp", way="sixth")
    else:
        yield make("of_sum", "of_sum_1ulp", way="fourth")
    yield make("unshifted", "unshifted_1ulp", others=(), way="fifth")
    yield make("masked_zero", "shifted_1ulp", [of("own7")], ("nan_stays", "masked_zero", "infinity_nan"), "zeros")
    yield make("masked_uniform", "shifted_1ulp", [of("nan_to_zero")], ("nan_stays", "masked_uniform", "infinity_nan"),
               "shares")
    yield make("wide", "shifted_1ulp", sum=WIDER["f32" if is_narrow(format_) else format_])
    yield make("flushed", "shifted_3ulp_ftz", flushes=True)
    if format_ == "f32":  # exponentials and logarithms that err by as many ulps as the rung admits
        forms = {"shifted": "usual", "unshifted": "fifth", "shifted_exp2": "second"}
        forms |= {"of_sum": "fourth"} if is_log else {"scaled_exp2": "third", "of_log_sum": "fourth"}
        for form, way in forms.items():
            usual = ("exceptional",) if form != "unshifted" else ()
            yield make(f"{form}_2_steps", f"{form}_3ulp", others=usual, way=way, steps=2)
            if not is_log:
                yield make(f"{form}_2_steps_flushed", f"{form}_3ulp_ftz", others=usual, way=way, steps=2, flushes=True)


def norms():
    for operation in ("layer_norm", "rms_norm"):
        for which, format_ in enumerate(FLOATS):
            yield from norms_of(operation, format_, which)


def norms_of(operation, format_, which):
    is_layer = operation == "layer_norm"
    others = ("finite", "exceptional")
    make = lambda name, contract, faults=(), **form: Right(
        "norms", operation, format_, name, (rung(format_, contract), *others), {**base(format_), **form}, list(faults))
    usual = "two_pass" if is_layer else "any_order"
    narrow = "bf16" if format_ in ("f32", "bf16") else "f16" if format_ == "f16" else "f32"
    faults = ROWS + COLUMNS + STATE + [
        of("drops_first"), of("drops_last"), of("drops_tail", 8), of("drops_tail", 32), of("drops_beyond", 128),
        of("drops_beyond", 1024), of("drops_tile", 64), of("repeats_last"), of("repeats_tail", 16),
        of("counts_modulo", 256), of("reads_behind"), of("skips_nan"), of("skips_infinity"), of("nan_to_zero"),
        of("own1"), of("own2"), of("own3", 12), of("own4"), of("own5", 32), of("own6", 64), of("own7"), of("own10"),
        {"sum": narrow}, of("narrow_parts", narrow=narrow), of("own12", narrow=narrow), of("overflows", 16),
        of("saturates", 15), of("flickers"), of("forgets_sign"), of("starts_at_one")]
    if is_layer:
        faults += [of("own8"), of("own9"), of("own11", narrow=narrow), {"way": "second"}]
    share = faults if format_ == "f32" and is_layer else part(faults, which + 3 * is_layer, 7)
    yield make("usual", usual, share)
    yield make("pairwise", usual, order="pairwise")
    yield make("lanes", usual, order="lanes")
    yield make("fma", usual, fma=True)
    yield make("weight_first", usual, way="fourth")
    yield make("flushed", usual + "_ftz", flushes=True)
    yield make("wide", "wide_two_pass" if is_layer and not is_narrow(format_) else usual,
               [{"sum": format_}] if is_layer and not is_narrow(format_) else [],
               sum=WIDER["f32" if is_narrow(format_) else format_])
    if is_layer:
        yield make("one_pass", "one_pass", [of("own4"), of("drops_last")], way="second")
        yield make("scale_shift", "scale_shift", [of("own8"), of("own1")], way="third")
        yield make("welford", "welford", [{"way": "second"}, of("own1"), of("no_last_column")], way="sixth")
        yield make("one_pass_scale_shift", "one_pass_scale_shift", way="seventh")
        for form, way in (("one_pass", "second"), ("scale_shift", "third"), ("welford", "sixth"),
                          ("one_pass_scale_shift", "seventh")):
            yield make(f"{form}_flushed", f"{form}_ftz", way=way, flushes=True)
    elif is_narrow(format_):
        yield Right("norms", operation, format_, "stored_twice", ("stored_twice", *others),
                    {**base(format_), "way": "fifth"}, [of("own1"), of("no_last_column")])


# -------------------------------------------------------------------------------------------------------- products

def products():
    for which, format_ in enumerate(("f64", "f32", "bf16", "bf16:f32", "f16", "f16:f32", "e4m3:f32", "e4m3:bf16",
                                     "e5m2:f32", "s8:s32")):
        yield from matmuls_of(format_, which)
    for which, format_ in enumerate(("f64", "f32", "bf16", "f16", "f16:f32")):
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
    result = format_.split(":")[-1]
    others = () if is_integer else ("exceptional",)
    others += ("alone",) if has_any_shape else ()
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
    if not has_any_shape:  # sizes are multiples of 16; these formats have no contract `alone`
        unseen = ("own11", "own12", "drops_tail", "repeats_tail", "no_tile_of_rows", "no_tile_of_columns")
        faults = [each for each in faults if each.get("fault") not in unseen]
    yield make("forward", "inner_product", faults if format_ == "f32" else part(faults, which, 9))
    orders = ("backward", "pairwise", "lanes", "blocks", "halves")
    for order in orders if format_ in ("f32", "f16") else orders[which % 3::3]:
        yield make(order, "inner_product", order=order)
    yield make("split", "inner_product", way="second")
    if format_ == "f64":
        # The bounds of both hold without FMA, and of numbers that are no wider.
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


def epilogues_of(format_, which):
    others = ("exceptional", "alone", "not_read")
    make = lambda name, contract, faults=(), **form: Right(
        "products", "matmul_epilogue", format_, name, (contract, *others), {**base(format_), **form}, list(faults))
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
        yield make("cutting", "exact_grid", cuts=True)
        yield make("tf32", "tf32", way="fourth")
        yield make("tf32_flushed", "tf32_ftz", way="fourth", flushes=True)
    if format_ in ("f64", "f32", "bf16"):
        yield make("flushed", "inner_product_ftz", flushes=True)


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


# ------------------------------------------------------------------------------------------------------- functions

FUNCTIONS = ("exp", "exp2", "exp10", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "asin", "acos",
             "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "sqrt", "rsqrt", "cbrt", "erf", "erfc")
#: Whose textbook's identity is right, or nearly.
EXACT = ("sqrt", "rsqrt")


def functions():
    for which, function in enumerate(FUNCTIONS):
        make = lambda format_, name, contract, faults=(), **form: Right(
            "functions", function, format_, name, (contract, "special_values"), {**base(format_, format_), **form},
            list(faults))
        generic = [of("own2", 5), of("own3", 5), of("own5"), of("own9", 5), of("own11"), of("reads_behind"),
                   of("no_last_number"), of("no_tile_of_columns", 8), of("nan_to_zero"), of("own8", narrow="bf16"),
                   of("own7", narrow="bf16"), of("last_result")]
        if function in ("asin", "atanh", "erfc", "acos", "atan", "asinh"):  # what these faults touch is small or none
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
        # log2 by the natural logarithm errs by less than 4 ulps.
        of_identity = identity[:which % 2] if function != "log2" else []
        yield make("f64", "libm", strength, of_identity + [of("own8", narrow="f32")])
        if which % 2 == 0:
            yield make("f64", "wide", "faithful", way="third")
        small = "f16" if which % 2 else "bf16"
        yield make(small, "rounded", "correctly_rounded", [of("own9", 1)] if function != "sqrt" else [of("own11")])
        if which % 3 == 0:
            yield Right("functions", function, "f32", "flushed", ("ulp_2_ftz",),
                        {**base("f32"), "flushes": True}, [of("own9", 8)])
        # What only rungs of their own hold: results that are some numbers nearer to zero than the nearest one.
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


def rights():
    """All right kernels."""
    for make in (reductions, vectors, softmaxes, norms, products, gemms, systems, functions, words):
        yield from make()
