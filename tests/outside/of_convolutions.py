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


def convolutions_of(operation, format_, which):
    make = lambda name, contract, faults=(), others=("exceptional",), **form: Right(
        "convolutions", operation, format_, name, (rung(format_, contract), *others), {**base(format_), **form},
        list(faults))
    # A NaN or an infinity comes into other results of its tile, or into all.
    spreading = lambda name, faults, **form: make(name, name, faults, (), **form)
    faults = faults_of(operation, format_)
    steps = {"f32": 1 if which == 0 else 3}.get(format_, 8)
    yield make("forward", "any_order", part(faults, which, steps))
    yield make("backward", "any_order", order="backward")
    yield make("channels_last", "any_order", way="fifth")
    if format_ in ("f32", "bf16"):
        yield make("halves", "any_order", order="halves")
        yield make("flushed", "any_order_ftz", flushes=True)
    if is_narrow(format_):
        yield Right("convolutions", operation, format_, "own", ("any_order", "exceptional"), base(format_, format_),
                    part(faults, which + 3, 9))
    if format_ in ("f32", "f16"):
        tiled = not operation.startswith("convolve") and operation != "convolution2d_backward_k"
        few = [] if operation == "convolution2d_backward_x" else [of("own12")]
        if tiled:
            yield spreading("winograd_2", [of("no_last_column")], way="second")
            yield spreading("winograd_4", few + [of("no_tile_of_columns", 4)], way="third")
        yield spreading("fft", [of("halves_last")], way="fourth")
    if format_ == "f32":
        exact = {"order": "exact", "sum": "f80"}
        yield make("pairwise", "any_order", order="pairwise")
        yield make("lanes", "any_order", order="lanes")
        yield make("fma", "any_order", fma=True)
        yield make("wide", "wide_any_order", [{"sum": "f32"}], sum=WIDER[format_])
        yield make("exact", "correctly_rounded", [{"order": "forward", "sum": "f32"}], **exact)
        yield make("either_neighbor", "faithful", **exact, **of("truncates"))
        yield make("worst_wide", "wide_any_order", **exact, error=960, at=35)
        yield make("cutting", "exact_grid", cuts=True)
