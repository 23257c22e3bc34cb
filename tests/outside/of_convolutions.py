"""The correct kernels of convolutions and of their gradients, with the faults that are planted in them."""

from planted import FLOATS, NARROWER, STATE, WIDER, Right, base, is_narrow, of, part, rung

PLACES = [of("no_column", 0), of("no_column", 7), of("no_last_column"), of("no_tile_of_columns", 8),
          of("copies_column", 1), of("swaps_columns"), of("halves_last")]
CHANNELS = [of("no_last_row"), of("no_row", 2), of("no_rows_from", 4), of("copies_row", 1), of("negates_row", 3)]
IMAGES = [of("no_last_product"), of("no_product", 0), of("first_product")]
GEOMETRY = [of("own1"), of("own3"), of("own4"), of("own5"), of("own7"), of("own8")]


def faults_of(operation, format_):
    faults = [of("own2"), of("drops_first"), of("drops_last"), of("drops_tail", 8), of("drops_beyond", 16),
              of("repeats_last"), of("repeats_term", 5), of("reads_behind"), of("skips_nan"), of("nan_is_one"),
              of("starts_at_one"), of("forgets_sign"), of("nan_to_zero"), {"sum": NARROWER[format_]}] + PLACES + STATE
    if not operation.startswith("convolve"):
        faults += GEOMETRY + ([] if operation == "convolution1d" else [of("own6")])
        faults += CHANNELS + ([of("own9")] if operation == "convolution2d_backward_k" else IMAGES + [of("own9")])
    if operation == "convolution2d_bias":
        faults += [of("own10"), of("own11")]
    return faults


def convolutions():
    operations = ("convolution2d", "convolution1d", "convolve", "convolve2d", "convolution2d_bias",
                  "convolution2d_backward_x", "convolution2d_backward_k")
    for which, operation in enumerate(operations):
        for format_ in FLOATS:
            if which < 4 or format_ != "f64":
                yield from convolutions_of(operation, format_, which)
            else:
                yield maker(operation, format_)("forward", "any_order")
            yield from strongest_of(operation, format_)


def maker(operation, format_):
    return lambda name, contract, faults=(), others=("exceptional",), **form: Right(
        "convolutions", operation, format_, name, (contract, *others), {**base(format_), **form}, list(faults))


def convolutions_of(operation, format_, which):
    make = maker(operation, format_)
    any_order = rung(format_, "any_order")
    faults = faults_of(operation, format_)
    steps = {"f32": 1 if which == 0 else 3}.get(format_, 8)
    yield make("forward", any_order, part(faults, which, steps))
    yield make("backward", any_order, order="backward")
    yield make("channels_last", any_order, way="fifth")
    if format_ in ("f32", "bf16"):
        yield make("halves", any_order, order="halves")
    if is_narrow(format_):
        yield make("own", "any_order", part(faults, which + 3, 9), sum=format_)
    if format_ == "f32":
        yield make("pairwise", any_order, order="pairwise")
        yield make("lanes", any_order, order="lanes")
        yield make("fma", any_order, fma=True)


def strongest_of(operation, format_):
    """For each contract about the error a kernel that has it as its strongest."""
    make = maker(operation, format_)
    # A NaN or an infinity comes into other results of its tile, or into all.
    spreading = lambda name, faults, **form: make(name, rung(format_, name), faults, (), **form)
    has_faults = format_ in ("f32", "f16")
    exact = {"order": "exact", "sum": "f80"}
    own = {"sum": format_} if is_narrow(format_) else {}
    if not operation.startswith("convolve") and operation != "convolution2d_backward_k":
        few = [] if operation == "convolution2d_backward_x" else [of("own12")]
        yield spreading("winograd_2", [of("no_last_column")] if has_faults else [], way="second")
        yield spreading("winograd_4", few + [of("no_tile_of_columns", 4)] if has_faults else [], way="third")
    yield spreading("fft", [of("halves_last")] if has_faults else [], way="fourth")
    yield make("exact", "correctly_rounded", [{"order": "forward", "sum": "f32"}] if format_ == "f32" else [], **exact)
    yield make("either_neighbor", "faithful", **exact, **of("truncates"))
    if format_ == "bf16":  # products of binary16 are no subnormal numbers of binary32
        yield make("flushed", "f32_any_order_ftz", flushes=True)
        yield make("worst", "f32_any_order", **exact, error=960, at=24)
    yield make("flushed" if not own else "own_flushed", "any_order_ftz", flushes=True, **own)
    if format_ == "f64":  # no format is wide enough to cut its sums
        yield make("twice_off", "exact_grid", **exact, error=2048, at=53)
    else:
        yield make("cutting" if not own else "own_cutting", "exact_grid", cuts=True, **own)
    if not is_narrow(format_):
        yield make("wide", "wide_any_order", [{"sum": "f32"}] if format_ == "f32" else [], sum=WIDER[format_])
        yield make("worst_wide", "wide_any_order", **exact, error=960, at={"f64": 64, "f32": 35}[format_])
