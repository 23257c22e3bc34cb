"""The parts of correct kernels, and the faults that are planted in them."""

from dataclasses import dataclass, field


@dataclass
class Right:
    """A correct kernel: its library, operation, format and name, the contracts that its author claims, its behavior,
    and the faults that make wrong kernels of it."""

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
    """The form of a kernel of the given format that computes in it, or in binary32 if the format is narrower."""
    result = format_.split(":")[-1]
    return {"storage": format_.split(":")[0], "result": result,
            "sum": sum_ or ("f32" if is_narrow(result) else result)}


def rung(format_, name):
    """The contract of the given name of a kernel that computes in base(format)."""
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
