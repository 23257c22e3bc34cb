"""Parts of kernels of rows: sums along the last axis in several orders, means and deviations."""

import numpy
from tables import named


def in_order(x):
    """Adds from the first number to the last."""
    return numpy.cumsum(x, axis=-1, dtype=x.dtype)[..., -1]


def backwards(x):
    return in_order(x[..., ::-1])


def by_halves(x):
    """Adds in a tree of least height."""
    while x.shape[-1] > 1:
        odd = x[..., -1:] if x.shape[-1] % 2 else x[..., :0]
        x = numpy.concatenate([x[..., 0 : x.shape[-1] - 1 : 2] + x[..., 1::2], odd], axis=-1)
    return x[..., 0]


def in_lanes(x, lanes=4):
    """Adds like a vector unit: one sum in each lane, and the sums of the lanes at the end."""
    rest = -x.shape[-1] % lanes
    full = numpy.concatenate([x, numpy.zeros((*x.shape[:-1], rest), x.dtype)], axis=-1)
    return in_order(in_order(numpy.moveaxis(full.reshape(*x.shape[:-1], -1, lanes), -1, -2)))


def in_binary16(x):
    """Adds with an accumulator in binary16."""
    return numpy.cumsum(x.astype("f2"), axis=-1, dtype="f2")[..., -1].astype(x.dtype)


#: Sums in several orders, which any_order allows.
SUMS = (in_order, backwards, in_lanes)


def mean(total, x):
    return total(x) / x.dtype.type(x.shape[-1])


def row(x):
    """One number for each row, shaped so that it broadcasts along the row."""
    return x[..., None]


def root(x):
    return x.dtype.type(1) / numpy.sqrt(x)


def each(function, *totals, **options):
    """One kernel for each order of additions. It calls function(total, …)."""

    def of(total):
        return named(f"{function.__name__}_{total.__name__}")(lambda *given: function(total, *given, **options))

    return [of(total) for total in totals]


def one(function, **options):
    return each(function, in_order, **options)[0]


def deviations(total, x, eps, form="two_pass", ddof=0):
    """x - μ, and 1/√(σ² + ε) with one number for each row."""
    m = mean(total, x)
    d = x - row(m)
    n = x.dtype.type(max(x.shape[-1] - ddof, 1))
    if form == "one_pass":
        return d, root(numpy.maximum(mean(total, x * x) - m * m, 0) + eps)
    if form == "outside":
        return d, 1 / (numpy.sqrt(total(d * d) / n) + eps)
    if form == "without":
        return d, root(total(d * d) / n)
    if form == "from_the_first":
        d = x - x[..., :1]
    return d, root(total(d * d) / n + eps)
