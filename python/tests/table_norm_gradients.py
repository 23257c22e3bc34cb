"""Kernels of the gradients of normalizations."""

from __future__ import annotations

import numpy
from rows import SUMS, by_halves, deviations, each, in_binary16, in_order, mean, one, root, row
from tables import Table, Wrong, named, stale, zero_from


def layer_dx(total, dy, x, gamma, eps, form="minus", without="", **options):
    """t(g - mean g - h·mean(gh)). `form` is the order of the subtractions."""
    d, t = deviations(total, x, eps, **options)
    h = d * row(t)
    g = dy if without == "weight" else dy * gamma
    a, b = row(mean(total, g)), row(mean(total, g * h))
    if without == "mean":
        return row(t) * (g - h * b)
    if without == "projection":
        return row(t) * (g - a)
    if without == "scale":
        return g - a - h * b
    if form == "together":
        return row(t) * (g - (h * b + a))
    return row(t) * (g - a - h * b)


def layer_dx_of_three_factors(total, dy, x, gamma, eps):
    """The form of PyTorch on a processor: three factors for each row."""
    _, t = deviations(total, x, eps)
    mu, g, n = mean(total, x), dy * gamma, x.dtype.type(x.shape[1])
    slope = (total(g) * mu - total(g * x)) * (t * t * t) / n
    return row(t) * g + row(slope) * x + row(-slope * mu - total(g) * t / n)


def layer_dx_of_sums(total, dy, x, gamma, eps):
    """A mistake: sums in place of means."""
    d, t = deviations(total, x, eps)
    h, g = d * row(t), dy * gamma
    return row(t) * (g - row(total(g)) - h * row(total(g * h)))


def layer_dgamma(total, dy, x, eps, **options):
    d, t = deviations(in_order, x, eps, **options)
    return total((dy * (d * row(t))).T)


def layer_dgamma_folded(total, dy, x, eps):
    """A scale and a shift of each row, with a fused multiply-add, as in PyTorch on a processor."""
    _, t = deviations(in_order, x, eps)
    h = x.astype("f8") * row(t) - row(mean(in_order, x) * t)
    return total((dy * h.astype(x.dtype)).T)


def layer_dgamma_in_blocks(total, dy, x, eps):
    """Adds partial sums of blocks of two rows."""
    d, t = deviations(in_order, x, eps)
    products = dy * (d * row(t))
    return total(numpy.stack([products[k : k + 2].sum(axis=0) for k in range(0, len(products), 2)], axis=-1))


def layer_dgamma_of_x(total, dy, x, eps):
    """A mistake: Σ dy·x, with x not normalized."""
    return total((dy * x).T)


def layer_dgamma_without_scale(total, dy, x, eps):
    return total((dy * (x - row(mean(in_order, x)))).T)


def mean_for_sum(function):
    def kernel(total, dy, *given):
        return function(total, dy, *given) / dy.dtype.type(dy.shape[0])

    return named("mean_for_sum")(kernel)


def last_block_left_out(function):
    """A mistake: adds blocks of two rows, and leaves out an odd last row."""

    def kernel(total, dy, *given):
        n = max(len(dy) // 2 * 2, 1)
        return function(total, dy[:n], *[x[:n] if numpy.ndim(x) == 2 else x for x in given])

    return named("last_block_left_out")(kernel)


def overwritten_by_blocks(function):
    """A mistake: blocks of two rows overwrite the result in place of adding to it."""

    def kernel(total, dy, *given):
        n = (len(dy) - 1) // 2 * 2
        return function(total, dy[n:], *[x[n:] if numpy.ndim(x) == 2 else x for x in given])

    return named("overwritten_by_blocks")(kernel)


def column_sums(total, dy):
    return total(dy.T)


def column_sums_in_blocks(total, dy):
    return total(numpy.stack([in_order(dy[k : k + 3].T) for k in range(0, len(dy), 3)], axis=-1))


def first_row(total, dy):
    return dy[0].copy()


def row_sums(total, dy):
    return numpy.resize(total(dy), dy.shape[1])


def rms_dx(total, dy, x, gamma, eps, without="", late=False):
    t = root(mean(total, x * x) + (0 if without == "epsilon" else eps))
    h, g = x * row(t), dy if without == "weight" else dy * gamma
    if without == "projection":
        return row(t) * g
    if without == "mean":
        return row(t) * (g - h * row(total(g * h)))
    if without == "scale":
        return g - h * row(mean(total, g * h))
    return g * row(t) - h * row(t) * row(mean(total, g * h)) if late else row(t) * (g - h * row(mean(total, g * h)))


def rms_dgamma(total, dy, x, eps, epsilon="inside"):
    v = mean(in_order, x * x)
    t = 1 / (numpy.sqrt(v) + eps) if epsilon == "outside" else root(v + eps)
    return total((dy * (x * row(t))).T)


def rms_dgamma_of_x(total, dy, x, eps):
    return total((dy * x).T)


def rms_dgamma_of_dx(total, dy, x, eps):
    """A mistake: dy·dy for dy·h."""
    return total((dy * dy).T)


def rms_dgamma_of_sum(total, dy, x, eps):
    return total((dy * (x * row(root(in_order(x * x) + eps)))).T)


ROWS = "no rows after the fourth"
BEFORE = "the output of the call before"
HALVES = "accumulators in binary16"

TABLE = {
    "layer_norm_backward_x": Table(
        right={
            "tree": each(layer_dx, by_halves),
            "any_order": each(layer_dx, *SUMS),
            "ways": [
                *each(layer_dx, in_order, by_halves, form="together"),
                *each(layer_dx_of_three_factors, *SUMS),
            ],
        },
        wrong=[
            Wrong("ways", named("without_mean")(one(layer_dx, without="mean")), "no mean of g"),
            Wrong("ways", named("without_projection")(one(layer_dx, without="projection")), "no mean of gh"),
            Wrong("ways", named("without_scale")(one(layer_dx, without="scale")), "no 1/σ"),
            Wrong("ways", named("without_weight")(one(layer_dx, without="weight")), "no weight"),
            Wrong("ways", one(layer_dx_of_sums), "sums for means"),
            Wrong("ways", named("of_n_minus_1")(one(layer_dx, ddof=1)), "n - 1 for n"),
            Wrong("any_order", each(layer_dx, in_binary16)[0], HALVES),
            Wrong("ways", zero_from(4, one(layer_dx)), ROWS),
        ],
    ),
    "layer_norm_backward_gamma": Table(
        right={
            "any_order": [*each(layer_dgamma, *SUMS, by_halves), one(layer_dgamma_in_blocks)],
            "ways": each(layer_dgamma_folded, in_order),
            "one_pass": each(layer_dgamma, in_order, form="one_pass"),
        },
        wrong=[
            Wrong("any_order", one(layer_dgamma_folded), "scale and shift for the difference"),
            Wrong("any_order", one(layer_dgamma, form="outside"), "epsilon outside the root"),
            Wrong("any_order", one(layer_dgamma_of_x), "x not normalized"),
            Wrong("any_order", one(layer_dgamma_without_scale), "no 1/σ"),
            Wrong("any_order", one(mean_for_sum(layer_dgamma)), "a mean over the rows for a sum"),
            Wrong("any_order", one(last_block_left_out(layer_dgamma)), "the last block of rows left out"),
            Wrong("any_order", one(overwritten_by_blocks(layer_dgamma)), "blocks of rows overwrite each other"),
            Wrong("any_order", each(layer_dgamma, in_binary16)[0], HALVES),
        ],
    ),
    "layer_norm_backward_beta": Table(
        right={
            "tree": each(column_sums, by_halves),
            "any_order": [*each(column_sums, *SUMS), one(column_sums_in_blocks)],
        },
        wrong=[
            Wrong("any_order", one(row_sums), "a wrong axis"),
            Wrong("any_order", one(first_row), "the first row alone"),
            Wrong("any_order", one(mean_for_sum(column_sums)), "a mean over the rows for a sum"),
            Wrong("any_order", one(last_block_left_out(column_sums)), "the last block of rows left out"),
            Wrong("any_order", one(overwritten_by_blocks(column_sums)), "blocks of rows overwrite each other"),
            Wrong("any_order", each(column_sums, in_binary16)[0], HALVES),
            Wrong("any_order", stale(one(column_sums)), BEFORE),
        ],
    ),
    "rms_norm_backward_x": Table(
        right={
            "tree": each(rms_dx, by_halves),
            "any_order": each(rms_dx, *SUMS),
        },
        wrong=[
            Wrong("any_order", named("without_projection")(one(rms_dx, without="projection")), "no mean of gh"),
            Wrong("any_order", named("without_scale")(one(rms_dx, without="scale")), "no 1/σ"),
            Wrong("any_order", named("without_weight")(one(rms_dx, without="weight")), "no weight"),
            Wrong("any_order", named("without_mean")(one(rms_dx, without="mean")), "a sum for a mean"),
            Wrong("any_order", named("without_epsilon")(one(rms_dx, without="epsilon")), "no epsilon"),
            Wrong("any_order", each(rms_dx, in_binary16)[0], HALVES),
            Wrong("any_order", zero_from(4, one(rms_dx)), ROWS),
        ],
    ),
    "rms_norm_backward_gamma": Table(
        right={"any_order": each(rms_dgamma, *SUMS, by_halves)},
        wrong=[
            Wrong("any_order", one(rms_dgamma, epsilon="outside"), "epsilon outside the root"),
            Wrong("any_order", one(rms_dgamma_of_x), "x not normalized"),
            Wrong("any_order", one(rms_dgamma_of_dx), "dy² for dy·h"),
            Wrong("any_order", one(rms_dgamma_of_sum), "a sum for a mean of squares"),
            Wrong("any_order", one(mean_for_sum(rms_dgamma)), "a mean over the rows for a sum"),
            Wrong("any_order", one(last_block_left_out(rms_dgamma)), "the last block of rows left out"),
            Wrong("any_order", each(rms_dgamma, in_binary16)[0], HALVES),
        ],
    ),
}
