"""The correct kernels of reductions, vectors and rows, with the faults that are planted in them."""

from planted import (COLUMNS, FLOATS, NARROWER, ROWS, SIGNS, STATE, TERMS, WIDER, Right, base, is_narrow,
                     narrow_sums, of, part, rung)

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
        # Kernels for contracts that no other kernel has as its strongest: correct roundings, either neighbor, an error
        # as large as a wider accumulator may have, additions that truncate.
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
        # A sum of one vector is the same from its other end, and some BLAS libraries return 0 for a negative increment.
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
        # Small results of f16 are so few that the sum with the largest number has their error; another order of the
        # additions is not seen in 16 bits.
        hidden = {"f16": ({"way": "usual"}, of("flickers")), "bf16": (of("flickers"),)}.get(format_, ())
        few = [{"way": "usual"}, of("drops_last"), of("own4"), of("flickers")]
        yield make("of_others", "log1p_1ulp", [each for each in few if each not in hidden], way="eighth")
        if format_ != "f16":  # its results are larger than what is flushed
            yield make("of_others_flushed", "log1p_3ulp_ftz",
                       [{"way": "usual"}, of("drops_last"), of("own8", {"f64": 690}.get(format_, 80))],
                       way="eighth", flushes=True)
        if format_ == "f32":
            yield Right("softmax", operation, format_, "log1p", ("correctly_rounded", "exceptional"),
                        {**base(format_, "f64"), "way": "seventh"}, [of("own4"), of("drops_last")])
    yield make("unshifted", "unshifted_1ulp", others=(), way="fifth")
    yield make("masked_zero", "shifted_1ulp", [of("own7")], ("nan_stays", "masked_zero", "infinity_nan"), "zeros")
    yield make("masked_uniform", "shifted_1ulp", [of("nan_to_zero")], ("nan_stays", "masked_uniform", "infinity_nan"),
               "shares")
    yield make("wide", "shifted_1ulp", sum=WIDER["f32" if is_narrow(format_) else format_])
    yield make("flushed", "shifted_3ulp_ftz", flushes=True)
    if format_ == "f32":  # exponentials and logarithms whose error is as many ulps as the contract admits
        forms = {"shifted": "usual", "unshifted": "fifth", "shifted_exp2": "second"}
        forms |= {"log1p": "eighth", "of_sum": "fourth"} if is_log else {"scaled_exp2": "third", "of_log_sum": "fourth"}
        for form, way in forms.items():
            usual = ("exceptional",) if form != "unshifted" else ()
            yield make(f"{form}_2_steps", f"{form}_3ulp", others=usual, way=way, steps=2)
            if not is_log or form == "log1p":  # the others hide what is flushed
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
    elif not is_narrow(format_):
        yield make("scaled", "any_range", [of("own1"), of("own4"), of("drops_last")], way="eighth")
    else:
        yield Right("norms", operation, format_, "stored_twice", ("stored_twice", *others),
                    {**base(format_), "way": "fifth"}, [of("own1"), of("no_last_column")])
