"""Kernels of reductions: sums, means, norms and distances."""

from __future__ import annotations

import numpy

from tables import Table, Wrong, narrowed, scaled, stale, stored, without_last, zero_from

# ------------------------------------------------------------------------------------- sums along the last axis


def in_order(x):
    """One addition after the other."""
    return numpy.cumsum(x, axis=-1, dtype=x.dtype)[..., -1]


def backwards(x):
    return in_order(x[..., ::-1])


def by_halves(x):
    """A tree of additions of the least height."""
    while x.shape[-1] > 1:
        odd = x[..., -1:] if x.shape[-1] % 2 else x[..., :0]
        x = numpy.concatenate([x[..., 0 : x.shape[-1] - 1 : 2] + x[..., 1::2], odd], axis=-1)
    return x[..., 0]


def in_lanes(x, lanes=4):
    """As many sums at once, which are added at the end: a vector unit."""
    rest = -x.shape[-1] % lanes
    full = numpy.concatenate([x, numpy.zeros((*x.shape[:-1], rest), x.dtype)], axis=-1)
    return in_order(in_order(numpy.moveaxis(full.reshape(*x.shape[:-1], -1, lanes), -1, -2)))


def mean(total):
    def kernel(x):
        return total(x) / x.dtype.type(x.shape[-1])

    kernel.__name__ = "mean_" + total.__name__
    return kernel


def mean_welford(x):
    m = x[..., 0].copy()
    for k in range(1, x.shape[-1]):
        m += (x[..., k] - m) / x.dtype.type(k + 1)
    return m


def mean_along_the_wrong_axis(x):
    return numpy.resize(x.mean(axis=0), x.shape[0])


def mean_of_n_minus_one(x):
    return in_order(x) / x.dtype.type(max(x.shape[-1] - 1, 1))


def sum_for_mean(x):
    return in_order(x)


def mean_in_f16(x):
    return x.astype("f2").sum(axis=-1, dtype="f2").astype(x.dtype) / x.dtype.type(x.shape[-1])


TABLE = {
    "mean": Table(
        right={"tree": [mean(by_halves)], "any_order": [mean(in_order), mean(backwards), mean(in_lanes)]},
        wrong=[
            Wrong("any_order", mean_along_the_wrong_axis, "a wrong axis"),
            Wrong("any_order", mean_of_n_minus_one, "n - 1 for n"),
            Wrong("any_order", sum_for_mean, "a sum for a mean"),
            Wrong("any_order", mean_in_f16, "sums in binary16"),
            Wrong("any_order", without_last(mean(in_order), 0), "the last entry left out"),
            Wrong("any_order", zero_from(4, mean(in_order)), "rows after the fourth"),
            Wrong("any_order", stale(mean(in_order)), "the output of the call before"),
            Wrong("tree", mean_welford, "running mean"),
        ],
    ),
}
