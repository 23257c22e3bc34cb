"""The correct kernels of sums over ranks, with the faults that are planted in them."""

from planted import FLOATS, NARROWER, STATE, WIDER, Right, base, is_narrow, of, part, rung

TERMS = [of("drops_first"), of("drops_last"), of("drops_term", 5), of("repeats_last"), of("repeats_term", 3),
         of("skips_nan"), of("nan_is_one"), of("skips_infinity"), of("starts_at_one"), of("skips_negative")]
PLACES = [of("no_last_row"), of("no_row", 2), of("negates_row", 3), of("no_last_column"), of("no_tile_of_columns", 8),
          of("no_columns_from", 64), of("copies_column", 16), of("swaps_columns"), of("halves_last"), of("own2")]


def collectives():
    for operation in ("all_reduce", "reduce_scatter"):
        for which, format_ in enumerate(FLOATS):
            yield from sums_of(operation, format_, which)


def sums_of(operation, format_, which):
    is_for_all = operation == "all_reduce"
    others = ("run_to_run", "exceptional", "zeros") + (("same_bits_on_all_ranks",) if is_for_all else ())
    make = lambda name, contract, faults=(), **form: Right(
        "collectives", operation, format_, name, (contract, *others), {**base(format_), **form}, list(faults))
    faults = TERMS + PLACES + STATE + [of("own3"), of("nan_to_zero"), of("saturates", 15), {"sum": NARROWER[format_]}]
    faults += [of("own1") if is_for_all else of("copies_row", 1)]
    yield make("forward", rung(format_, "any_order"), part(faults, which, 1 if format_ == "f32" else 4))
    yield make("ring", rung(format_, "any_order"), [of("own2")], way="second")
    other_order = [] if is_narrow(format_) else [{"order": "forward"}]  # it is not seen in 16 bits
    yield make("pairwise", rung(format_, "tree"), other_order, order="pairwise")
    exact = {"order": "exact", "sum": "f80"}
    if is_narrow(format_):
        yield make("own", "any_order", [of("drops_last")], sum=format_)
        if format_ == "bf16":
            yield make("worst", "f32_any_order", **exact, error=960, at=24)
            yield make("flushed", "f32_any_order_ftz", flushes=True)
        return
    yield make("exact", "correctly_rounded", [{"order": "forward", "sum": format_}], **exact)
    yield make("either_neighbor", "faithful", **exact, **of("truncates"))
    yield make("wide", "wide_tree", [{"sum": format_}], order="pairwise", sum=WIDER[format_])
    yield make("worst_wide", "wide_any_order", **exact, error=960, at={"f64": 64, "f32": 35}[format_])
    yield make("flushed", "any_order_ftz", flushes=True)
    if format_ == "f32":
        yield make("cutting", "exact_grid", cuts=True)
